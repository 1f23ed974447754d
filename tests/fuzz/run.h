/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// One run of a scenario with a number of threads, and what must hold in any: calls
// succeed, every packet decodes, and to the frame that the encoder goes on from.

#ifndef TESTS_FUZZ_RUN_H
#define TESTS_FUZZ_RUN_H

#include <cstdint>
#include <string>
#include <vector>

#include "scenario.h"

namespace fuzz {

struct Options {
    std::string program;  // how to call it again
    int frames = 0;       // 0: as many as the family has
    std::vector<int> threads = {1, 2, 4, 8};
    bool continue_after_errors = false;  // any frame may fail
    bool without_provider = false;       // libvpx as it was
    bool verbose = false;
};

// Of what runs have met.
struct Counts {
    int frames = 0, packets = 0, keys = 0, hidden = 0, drops = 0, errors = 0;
    uint64_t digest = 0;  // of all packets, to compare two builds by
};

struct PacketDigest {
    uint64_t hash;
    size_t size;
    bool key;
    bool operator==(const PacketDigest &other) const {
        return hash == other.hash && size == other.size && key == other.key;
    }
};

// What the encoder gave for a frame, or for a flush after the last.
struct Call {
    bool failed = false;
    std::vector<PacketDigest> packets;
    bool BeginsAnew() const { return !packets.empty() && packets[0].key; }
    bool operator==(const Call &other) const {
        return failed == other.failed && packets == other.packets;
    }
};

struct Outcome {
    std::vector<Call> calls;
    std::string failure;  // and the frame; empty: none
};

// I420 of each frame, drawn before the runs: what follows a frame follows it at once.
using Video = std::vector<std::vector<uint8_t>>;
Video DrawAll(const Scenario &scenario);

// statistics: of the first of two passes.
Outcome Encode(const Scenario &scenario, const Video &video, int threads,
               const std::string &statistics, const Options &options, Counts *counts);

// Statistics of the first pass, by libvpx alone or with the scenario's provider.
std::string FirstPass(const Scenario &scenario, const Video &video, bool with_provider,
                      std::string *failure);

}  // namespace fuzz

#endif  // TESTS_FUZZ_RUN_H
