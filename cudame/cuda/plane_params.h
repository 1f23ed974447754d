// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Parameters of the kernels that make planes, shared by the host and the kernels.

#ifndef CUDAME_CUDA_PLANE_PARAMS_H_
#define CUDAME_CUDA_PLANE_PARAMS_H_

#include <cstdint>

namespace cudame {

// Shrinks a plane to a quarter of its width and height. The grid covers the small plane with its
// border.
struct ShrinkParams {
    const uint8_t* from;
    uint8_t* to;
    int from_stride, to_stride;
    int width, height;                // part of the small plane that pixels of `from` make
    int padded_width, padded_height;  // of the small plane
    int border;
};

// Makes the half-pel planes of a padded plane. The grid covers the frame and kHalfMargin pixels on
// each side of it. A thread makes four columns by kHalfRows rows of pixels.
constexpr int kHalfMargin = 20, kHalfRows = 8;
struct HalfPlanesParams {
    const uint8_t* from;
    uint8_t* to[3];  // half a pixel to the right, down, and both
    int stride;      // of all planes
    int width, height;
    int filter;  // enum cudame_filter
};

// Replicates the edges of rows of a plane. The grid covers the padded width by a number of rows.
struct PadParams {
    uint8_t* plane;  // first pixel of the frame
    int stride;
    int width, height;  // valid pixels
    int padded_width, padded_height;
    int border;
    int first_row;  // counted from the top of the border
};

// Copies a picture that the device has made to planes with borders, and shrinks its luma. The grid
// covers the largest plane with its border, by kTakeParts.
constexpr int kTakePlanes = 3, kTakeParts = kTakePlanes + 1;
struct TakeParams {
    struct Plane {
        const uint8_t* from;
        uint8_t* to;  // first pixel of the frame
        int from_stride, to_stride;
        int width, height;  // pixels of `from`
        int padded_width, padded_height;
        int border;  // of `to`
    } plane[kTakePlanes];
    ShrinkParams shrink;
};

}  // namespace cudame

#endif  // CUDAME_CUDA_PLANE_PARAMS_H_
