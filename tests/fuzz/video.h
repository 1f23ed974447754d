/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Synthetic video: a sequence of scenes, from flat ones that take no bits to noise that overflows
// any packet.

#ifndef TESTS_FUZZ_VIDEO_H
#define TESTS_FUZZ_VIDEO_H

#include <cstdint>
#include <vector>

namespace fuzz {

enum class Picture {
    kFlat,           // one shade of grey
    kStill,          // a smooth texture
    kFade,           // the same texture, brighter with each frame
    kPan,            // the same texture, moving
    kObject,         // a moving texture, and a square with another motion
    kPanUnderStill,  // a moving texture, but the upper third stands still
    kStripes,        // moving stripes of high contrast
    kNoise,          // black and white
    kCount
};

const char *Name(Picture picture);

struct Scene {
    int frames;
    Picture picture;
    uint32_t seed;
    int dx, dy;  // pixels per frame
    int grain;   // amplitude of noise that is new in each frame
};

// Returns frame t, I420 without padding.
std::vector<uint8_t> Draw(const std::vector<Scene> &scenes, int width, int height, int t);

}  // namespace fuzz

#endif  // TESTS_FUZZ_VIDEO_H
