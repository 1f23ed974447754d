/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Settings and scenes for tests of whole frames, and the packets of a clip.

#ifndef TESTS_PROVIDER_WHOLE_FRAME_CASES_H_
#define TESTS_PROVIDER_WHOLE_FRAME_CASES_H_

#include <gtest/gtest.h>

#include <ostream>

#include "scenarios.h"

namespace provider_test {

constexpr int kWholeFrames = 10;  // of a clip

struct Case {
    const char *name;
    Settings s;
    std::function<void(Encoder *, int t)> before = nullptr;  // called before frame t is encoded
    std::function<vpx_enc_frame_flags_t(int t)> flags = nullptr;
    FakeProvider::Fill fill = FillGuided;
    Source source = nullptr;  // empty: MakeFrame()
};

void PrintTo(const Case &c, std::ostream *os);

// All settings in which the provider codes every frame.
std::vector<Case> Cases();

// The packets of a clip. Expects that the decoder shows the encoder's reconstruction.
std::vector<Packet> Encode(const Case &c, FakeProvider *p, int frames = kWholeFrames);

int InterFrames(const std::vector<Packet> &packets);

// The message names the first packet that differs.
testing::AssertionResult Same(const std::vector<Packet> &a, const std::vector<Packet> &b);

// Whether the provider may write the tokens: with several partitions, or independent ones, libvpx
// does it.
bool HasOnePartition(const Settings &s);

Settings Realtime(int cpu_used);
Settings Sized(int cpu_used, int width, int height);
Settings Cbr(int cpu_used, int kbps, int buffer_ms);
template <class T>
Settings With(Settings s, T Settings::*member, T value) {
    s.*member = value;
    return s;
}

// A picture that moves in one half, with noise of up to +-5 that is new in each frame, and with the
// colour of skin in a corner.
std::vector<uint8_t> NoisyFrame(const Settings &s, int t);
// Vectors of a scene that stands still.
void FillStill(Motion *mb, const vp8e_mp_frame_t &f, int x, int y, int ref);
// Vectors to everywhere up to 16 pixels beyond the frame, cudame's limit.
void FillFar(Motion *mb, const vp8e_mp_frame_t &f, int x, int y, int ref);

}  // namespace provider_test

#endif  // TESTS_PROVIDER_WHOLE_FRAME_CASES_H_
