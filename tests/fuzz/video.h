/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Synthetic video: scenes that follow each other, from what codes to nothing to what
// fills any packet.

#ifndef TESTS_FUZZ_VIDEO_H
#define TESTS_FUZZ_VIDEO_H

#include <cstdint>
#include <vector>

namespace fuzz {

enum class Picture {
    kFlat,           // one grey
    kStill,          // a smooth texture
    kFade,           // the same, brighter with each frame
    kPan,            // the same, moving
    kObject,         // and a square that moves otherwise
    kPanUnderStill,  // the upper third stays
    kStripes,        // of high contrast, moving
    kNoise,          // black and white
    kCount
};

const char *Name(Picture picture);

struct Scene {
    int frames;
    Picture picture;
    uint32_t seed;
    int dx, dy;  // pixels a frame
    int grain;   // +- so much, another in each frame
};

// I420 of frame t without padding.
std::vector<uint8_t> Draw(const std::vector<Scene> &scenes, int width, int height, int t);

}  // namespace fuzz

#endif  // TESTS_FUZZ_VIDEO_H
