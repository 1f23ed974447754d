/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "watch.h"

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>

namespace fuzz {

namespace {

int limit;
char step[512] = "";

// Prints by a function that signal handlers may call.
void Say(const char *text) {
    if (write(STDOUT_FILENO, text, strlen(text)) < 0) _exit(kHung);
}

void Hung(int) {
    Say("HANGS: ");
    Say(step);
    Say("\n");
    _exit(kHung);
}

void Died(int number) {
    Say("DIES: ");
    Say(step);
    Say("\n");
    signal(number, SIG_DFL);
    raise(number);
}

}  // namespace

void WatchBegin(int seconds) {
    limit = seconds;
    signal(SIGALRM, Hung);
    // Leave other signals to a sanitizer, whose reports say more.
    signal(SIGABRT, Died);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGILL}) signal(number, Died);
#endif
}

void WatchStep(const std::string &what) {
    snprintf(step, sizeof(step), "%s", what.c_str());
    alarm(unsigned(limit));
}

void WatchEnd() { alarm(0); }

}  // namespace fuzz
