/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Encodes that several tests of the provider have in common.

#ifndef TESTS_PROVIDER_SCENARIOS_H
#define TESTS_PROVIDER_SCENARIOS_H

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include "codec.h"
#include "fake_provider.h"

namespace provider_test {

// Frames of MakeFrame(), in two passes if there are hidden alt-refs; decoder and encoder must
// agree about each of them.
std::vector<Packet> EncodeAndCheck(const Settings &s, FakeProvider *provider, int frames);

using Source = std::function<std::vector<uint8_t>(const Settings &, int)>;

// What the first of two passes counts; empty where s has no hidden frames, which take two.
std::string Statistics(const Settings &s, int frames, const Source &source);

// All packets of a clip, and of the queue that is flushed after it.
std::vector<Packet> EncodeAll(Encoder *encoder, const Settings &s, int frames,
                              const Source &source);

bool SameBytes(const std::vector<Packet> &a, const std::vector<Packet> &b);

void SetAll(Motion *mb, int row, int col, int flags);

// A guided encode: vectors near the texture's motion, distortions to choose from.
void FillGuided(Motion *mb, const vp8e_mp_frame_t &f, int x, int y, int ref);

struct NamedSettings {
    const char *name;
    Settings s;
};

void PrintTo(const NamedSettings &named, std::ostream *os);

// Every way through the encoder that a provider can meet.
std::vector<NamedSettings> AllSettings();

}  // namespace provider_test

#endif  // TESTS_PROVIDER_SCENARIOS_H
