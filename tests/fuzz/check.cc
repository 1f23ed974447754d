/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "check.h"

#include <algorithm>
#include <cstdint>
#include <iostream>
#include <sstream>

namespace fuzz {

namespace {

// Returns the first difference of two runs of a scenario in their first `frames` frames, or an
// empty string. After an error the comparison goes on only if the next frame is a key frame in both
// runs: other frames are predicted from the unfinished frame, and change the rate control.
std::string Difference(const Outcome &a, const Outcome &b, int frames) {
    for (int t = 0; t < frames && t < int(std::min(a.calls.size(), b.calls.size())); t++) {
        const Call &x = a.calls[size_t(t)], &y = b.calls[size_t(t)];
        if (t && a.calls[size_t(t) - 1].failed && !(x.StartsWithKey() && y.StartsWithKey())) break;
        if (x == y) continue;
        std::ostringstream out;
        out << "the streams differ at frame " << t << ':';
        for (const Call *call : {&x, &y}) {
            out << (call == &y ? " | " : " ") << (call->failed ? "failed" : "");
            for (const PacketDigest &p : call->packets) {
                out << (p.key ? "key " : "") << p.size << " bytes ";
            }
            if (!call->failed && call->packets.empty()) out << "dropped";
        }
        return out.str();
    }
    return "";
}

}  // namespace

std::string Again(const Scenario &s, const Options &options, const std::string &threads) {
    if (s.of_bytes) return options.program + " FILE  (the file of the bytes, named below)";
    std::ostringstream out;
    out << options.program << " --family " << Name(s.family) << " --seed " << s.seed << " --frames "
        << s.steps.size() << " --threads " << threads
        << (options.continue_after_errors ? " --continue-after-errors" : "")
        << (options.without_provider ? " --without-provider" : "") << " --verbose";
    return out.str();
}

bool Check(const Scenario &s, const Options &options, Counts *counts) {
    auto report = [&](const std::string &what, const std::string &threads) {
        std::cout << "FAILED: " << Name(s.family) << " seed " << s.seed << ", " << threads
                  << " threads, " << what << "\n  " << Again(s, options, threads) << std::endl;
        return false;
    };
    if (options.verbose) Print(std::cout << std::unitbuf, s);
    const Video video = DrawAll(s);
    std::string statistics;
    if (s.two_passes()) {
        std::string failure;
        statistics = FirstPass(s, video, false, &failure);
        if (!failure.empty()) return report(failure, "1");
        const std::string with_provider = FirstPass(s, video, true, &failure);
        if (!failure.empty()) return report(failure, "1");
        if (statistics != with_provider) return report("the provider changes the statistics", "1");
    }
    Outcome first;
    const int reproducible = s.ReproducibleFrames();
    // All frames: compare the packets of flushes too.
    const int compared = reproducible == int(s.steps.size()) ? INT32_MAX : reproducible;
    bool good = true;
    for (int threads : options.threads) {
        const std::string name = std::to_string(threads);
        if (options.verbose) std::cout << " with " << name << " threads\n";
        Outcome outcome = Encode(s, video, threads, statistics, options, counts);
        if (!outcome.failure.empty()) good = report(outcome.failure, name);
        if (threads == options.threads[0]) {
            first = std::move(outcome);
            continue;
        }
        const std::string difference = Difference(first, outcome, compared);
        if (!difference.empty()) {
            good = report(difference, std::to_string(options.threads[0]) + "," + name);
        }
    }
    return good;
}

}  // namespace fuzz
