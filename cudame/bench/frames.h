// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The frames that the kernels search, and plain searches that give the expected results.

#ifndef CUDAME_BENCH_FRAMES_H_
#define CUDAME_BENCH_FRAMES_H_

#include <vector>

#include "bench/cuda/bench_params.h"
#include "common/geometry.h"
#include "tests/naive.h"

namespace bench {

struct Frames {
    Frames(int width, int height);

    cudame::Geometry g;
    naive::Image source_image, reference_image;
    // Pixels of whole macroblocks; the reference with and without borders.
    std::vector<uint8_t> source, reference, bare;
    int source_stride, reference_stride, bare_stride;
    const uint8_t* reference_origin() const { return reference.data() + reference_offset(); }
    size_t reference_offset() const {
        return static_cast<size_t>(CUDAME_REF_BORDER) * (static_cast<size_t>(reference_stride) + 1);
    }

    std::vector<int> quarter_costs;  // by quarter pixels, for the C interface
    std::vector<int> costs;          // by whole pixels, for FullParams
    int sad_per_bit = 8;

    int Rate(int x, int y) const;
    // Return the number of vectors in the windows of all macroblocks.
    double Vectors(int range) const;
    // Return CUDAME_BLOCKS keys for each macroblock.
    std::vector<uint32_t> SearchFull(int range) const;
    std::vector<DiamondVector> SearchDiamond() const;
};

// Return the 1080p frames, made at the first call.
const Frames& FullHd();

}  // namespace bench

#endif  // CUDAME_BENCH_FRAMES_H_
