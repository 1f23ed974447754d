/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Runs a scenario with one number of threads. In each run calls must succeed, and each packet must
// decode to the encoder's reconstruction.

#ifndef TESTS_FUZZ_RUN_H
#define TESTS_FUZZ_RUN_H

#include <cstdint>
#include <string>
#include <vector>

#include "scenario.h"

namespace fuzz {

struct Options {
    std::string program;  // its path, for the command that repeats a run
    int frames = 0;       // frames of a scenario; 0: the family's number
    std::vector<int> threads = {1, 2, 4, 8};
    bool continue_after_errors = false;  // any frame may fail
    bool without_provider = false;       // run libvpx without a motion provider
    bool verbose = false;
};

// Counts over all runs.
struct Counts {
    int frames = 0, packets = 0, keys = 0, hidden = 0, drops = 0, errors = 0;
    uint64_t digest = 0;  // hash of all packets, to compare two builds
};

struct PacketDigest {
    uint64_t hash;
    size_t size;
    bool key;
    bool operator==(const PacketDigest &other) const {
        return hash == other.hash && size == other.size && key == other.key;
    }
};

// The encoder's output for a frame, or for a flush after the last frame.
struct Call {
    bool failed = false;
    std::vector<PacketDigest> packets;
    bool StartsWithKey() const { return !packets.empty() && packets[0].key; }
    bool operator==(const Call &other) const {
        return failed == other.failed && packets == other.packets;
    }
};

struct Outcome {
    std::vector<Call> calls;
    std::string failure;  // the first failure, with its frame; empty: none
};

// I420 of each frame. All frames are drawn before the runs, so that they follow each other at once.
using Video = std::vector<std::vector<uint8_t>>;
Video DrawAll(const Scenario &scenario);

// statistics: those of the first of two passes.
Outcome Encode(const Scenario &scenario, const Video &video, int threads,
               const std::string &statistics, const Options &options, Counts *counts);

// Returns the statistics of the first pass, by libvpx alone or with the scenario's provider.
std::string FirstPass(const Scenario &scenario, const Video &video, bool with_provider,
                      std::string *failure);

}  // namespace fuzz

#endif  // TESTS_FUZZ_RUN_H
