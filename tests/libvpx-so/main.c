/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * Usage: so-test           prints the names of the cases
 *        so-test CASE      runs one, and prints a hash of its streams
 *
 * Uses libvpx as programs do that know nothing of vp8_cudame.
 */

#include <stdio.h>
#include <string.h>

#include "cases.h"
#include "stream.h"

static const struct {
    const char *name;
    uint64_t (*run)(void);
} cases[] = {
    {"realtime", Realtime},
    {"good", Good},
    {"best", Best},
    {"lookahead", Lookahead},
    {"forced-key", ForcedKey},
    {"threads-4", Threads4},
    {"yv12", Yv12},
    {"nv12", Nv12},
    {"odd-size", OddSize},
    {"bitrate", Bitrate},
    {"size", Size},
    {"speeds", Speeds},
    {"controls", Controls},
    {"layers", Layers},
    {"flags", Flags},
    {"resolutions", Resolutions},
    {"partitions", Partitions},
    {"profiles", Profiles},
    {"detached", Detached},
    {"detached-later", DetachedLater},
    {"refused", Refused},
    {"many", Many},
    {"unused", Unused},
    {"at-once", AtOnce},
    {"fork", Fork},
    {"fork-threads", ForkThreads},
    {"fork-close", ForkClose},
    {"fork-lookahead", ForkLookahead},
    {"fork-lookahead-threads", ForkLookaheadThreads},
};

int main(int argc, char **argv) {
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        if (argc == 1) {
            puts(cases[i].name);
        } else if (argc == 2 && !strcmp(argv[1], cases[i].name)) {
            printf("%016llx\n", (unsigned long long)cases[i].run());
            return 0;
        }
    }
    if (argc == 1) return 0;
    Fail("no such case");
}
