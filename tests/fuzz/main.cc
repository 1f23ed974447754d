/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Runs random scenarios of the VP8 encoder with a motion provider, see kUsage.

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "check.h"
#include "run.h"
#include "scenario.h"
#include "watch.h"

namespace fuzz {
namespace {

const char kUsage[] =
    R"(usage: vp8-fuzz [OPTION...]
Encodes random scenarios, each with several numbers of threads, and compares the streams. Exits with
status 1 if a scenario fails. Defaults are in brackets.
  --seed N                 run one scenario, in this process
  --seeds FROM-TO          run the scenarios of these seeds, each in its own process [1-]
  --seconds S              begin no scenario after S seconds
  --family NAME[,NAME...]  general, errors, twopass, denoise, large, hostile, lookahead, or all;
                           successive seeds use the families in turn [all]
  --frames N               number of frames of a scenario [by family]
  --threads N[,N...]       numbers of threads [1,2,4,8]
  --continue-after-errors  any frame may fail
  --without-provider       run without a motion provider, with one thread
  --hang-seconds S         time limit of a frame; 0: none [60]
  --verbose                print what scenarios do
)";

struct Command {
    Options options;
    std::vector<Family> families;
    uint64_t first = 1, last = UINT64_MAX;
    bool apart = true;  // run each scenario in its own process
    double seconds = 0;
    int hang_seconds = 60;
};

[[noreturn]] void Usage(const std::string &why) {
    std::cerr << why << '\n' << kUsage;
    exit(2);
}

std::vector<std::string> Words(const std::string &list) {
    std::vector<std::string> words;
    std::istringstream in(list);
    for (std::string word; std::getline(in, word, ',');) words.push_back(word);
    return words;
}

uint64_t Number(const std::string &text) {
    char *end = nullptr;
    const uint64_t n = strtoull(text.c_str(), &end, 10);
    if (text.empty() || *end) Usage("not a number: " + text);
    return n;
}

void AddFamily(const std::string &name, std::vector<Family> *families) {
    bool found = false;
    for (int i = 0; i < int(Family::kCount); i++) {
        if (name != "all" && name != Name(Family(i))) continue;
        families->push_back(Family(i));
        found = true;
    }
    if (!found) Usage("no such family: " + name);
}

Command Parse(int argc, char **argv) {
    Command c;
    c.options.program = argv[0];
    for (int i = 1; i < argc; i++) {
        const std::string option = argv[i];
        auto value = [&]() -> std::string {
            if (++i == argc) Usage(option + " needs a value");
            return argv[i];
        };
        if (option == "--seed") {
            c.first = c.last = Number(value());
            c.apart = false;
        } else if (option == "--seeds") {
            const std::string range = value();
            const size_t dash = range.find('-');
            c.first = Number(range.substr(0, dash));
            c.last = dash == std::string::npos  ? c.first
                     : dash + 1 == range.size() ? UINT64_MAX
                                                : Number(range.substr(dash + 1));
        } else if (option == "--seconds") {
            c.seconds = double(Number(value()));
        } else if (option == "--family") {
            for (const std::string &name : Words(value())) AddFamily(name, &c.families);
        } else if (option == "--frames") {
            c.options.frames = int(Number(value()));
        } else if (option == "--threads") {
            c.options.threads.clear();
            for (const std::string &n : Words(value())) {
                c.options.threads.push_back(int(Number(n)));
            }
        } else if (option == "--continue-after-errors") {
            c.options.continue_after_errors = true;
        } else if (option == "--without-provider") {
            c.options.without_provider = true;
            c.options.threads = {1};
        } else if (option == "--hang-seconds") {
            c.hang_seconds = int(Number(value()));
        } else if (option == "--verbose") {
            c.options.verbose = true;
        } else {
            Usage("no such option: " + option);
        }
    }
    if (c.families.empty()) AddFamily("all", &c.families);
    if (c.options.threads.empty()) Usage("--threads needs a number");
    return c;
}

// Runs Check() in a child process, because it may hang or die. counts is in shared memory.
bool CheckApart(const Command &c, const Scenario &s, Counts *counts) {
    std::cout.flush();
    const pid_t child = fork();
    if (child < 0) {
        perror("fork");
        exit(2);
    }
    if (child == 0) {
        WatchBegin(c.hang_seconds);
        const bool good = Check(s, c.options, counts);
        WatchEnd();
        std::cout.flush();
        exit(good ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    if (status == 0) return true;
    if (WIFEXITED(status) && WEXITSTATUS(status) == 1) return false;
    std::cout << "FAILED: " << Name(s.family) << " seed " << s.seed << ": ";
    if (WIFSIGNALED(status)) {
        std::cout << "died of signal " << WTERMSIG(status) << " (" << strsignal(WTERMSIG(status))
                  << ')';
    } else {
        std::cout << (WEXITSTATUS(status) == kHung ? "hung" : "ended") << " with status "
                  << WEXITSTATUS(status);
    }
    std::string threads;
    for (int n : c.options.threads) threads += (threads.empty() ? "" : ",") + std::to_string(n);
    std::cout << "\n  " << Again(s, c.options, threads) << std::endl;
    return false;
}

int Main(int argc, char **argv) {
    const Command c = Parse(argc, argv);
    void *shared =
        mmap(nullptr, sizeof(Counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        perror("mmap");
        return 2;
    }
    Counts *counts = new (shared) Counts;

    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
    int scenarios = 0, failed = 0;
    for (uint64_t seed = c.first;; seed++) {
        if (c.seconds > 0 && elapsed() >= c.seconds) break;
        const Family family = c.families[seed % c.families.size()];
        const Scenario scenario = MakeScenario(family, seed, c.options.frames);
        scenarios++;
        if (!c.apart) {
            WatchBegin(c.hang_seconds);
            failed += !Check(scenario, c.options, counts);
            WatchEnd();
        } else {
            failed += !CheckApart(c, scenario, counts);
        }
        if (seed == c.last) break;
    }
    std::cout << scenarios << " scenarios, " << failed << " failed; " << counts->frames
              << " frames, " << counts->packets << " packets, " << counts->keys << " key, "
              << counts->hidden << " hidden, " << counts->drops << " dropped, " << counts->errors
              << " errors; " << int(elapsed()) << " s; digest " << std::hex << counts->digest
              << std::endl;
    return failed != 0;
}

}  // namespace
}  // namespace fuzz

int main(int argc, char **argv) { return fuzz::Main(argc, argv); }
