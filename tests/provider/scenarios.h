/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Encodes, settings and motion that several tests of the provider use.

#ifndef TESTS_PROVIDER_SCENARIOS_H
#define TESTS_PROVIDER_SCENARIOS_H

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "codec.h"
#include "fake_provider.h"

namespace provider_test {

// Encodes frames of MakeFrame(), in two passes if s has hidden altref frames. Expects that the
// decoder shows the encoder's reconstruction.
std::vector<Packet> EncodeAndCheck(const Settings &s, FakeProvider *provider, int frames);

using Source = std::function<std::vector<uint8_t>(const Settings &, int)>;

// A flat picture. Its left third has lines of noise, which scroll by a line with each t.
std::vector<uint8_t> Drawn(const Settings &s, int t);

// Returns the statistics of the first of two passes; empty if s has no hidden frames, because one
// pass is enough.
std::string Statistics(const Settings &s, int frames, const Source &source);

// Encodes a clip and flushes the encoder's queue. Returns all packets.
std::vector<Packet> EncodeAll(Encoder *encoder, const Settings &s, int frames,
                              const Source &source);

bool SameBytes(const std::vector<Packet> &a, const std::vector<Packet> &b);

// Sets all vectors of the macroblock, in quarter-pel, and the flags.
void SetAll(Motion *mb, int row, int col, int flags);

// Sets the distortion of the macroblock to satd, and those of its parts to their shares.
void SetDistortion(Motion *mb, int satd);

// For guided encodes: vectors near the texture's motion, and random distortions.
void FillGuided(Motion *mb, const vp8e_mp_frame_t &f, int x, int y, int ref);

struct NamedSettings {
    const char *name;
    Settings s;
};

void PrintTo(const NamedSettings &named, std::ostream *os);

// Settings that cover every way through the encoder in which it uses a provider.
std::vector<NamedSettings> AllSettings();

}  // namespace provider_test

#endif  // TESTS_PROVIDER_SCENARIOS_H
