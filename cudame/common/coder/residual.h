// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Transform, quantization, distortion and reconstruction of a macroblock's residual, as in libvpx's
// vp8/encoder/mp/recon/residual.c.

#ifndef CUDAME_COMMON_CODER_RESIDUAL_H_
#define CUDAME_COMMON_CODER_RESIDUAL_H_

#include "common/coder/macroblock.h"
#include "common/transform.h"

namespace cudame::CODER_NAMESPACE {

// A picture of a macroblock, or where it is.
struct Planes {
    uint8_t *y, *u, *v;
    int stride, uv_stride;
};
// Pictures of the macroblock in its state.
enum Picture { kPrediction, kBestPrediction, kTiles };
CODER_FN Planes PlanesOf(Picture picture) {
    Mb& s = State();
    if (picture == kTiles)
        return {TileAt(s, 0, 0), UvTileAt(s, 0, 0, 0), UvTileAt(s, 1, 0, 0), kTileStride,
                kUvTileStride};
    uint8_t* pixels = picture == kPrediction ? s.pred : s.best_pred;
    return {pixels, pixels + kU, pixels + kV, 16, 8};
}

// A value of luma, and of chroma.
struct Pair {
    int luma, chroma;
};

// The next functions are in cpu/coder_blocks.h for one lane and in cuda/coder_blocks.cuh for a
// warp.

// Codes luma, chroma or both, predicted by s.pred: sets s.q, s.eob and s.coded. Returns the
// distortion as libvpx measures it.
CODER_CALL Pair CodeBlocks(bool luma, bool chroma, bool has_y2);
// Adds the residual of s.q to s.pred.
CODER_CALL void ReconstructBlocks(bool luma, bool chroma, bool has_y2, Picture to);
// Copies pixels of a macroblock to the tiles: luma of one picture, chroma of one.
CODER_CALL void CopyToTiles(const uint8_t* luma, const uint8_t* chroma);
// The squared errors of a picture of the macroblock.
CODER_CALL Pair SquaredErrors(Picture picture);

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_COMMON_CODER_RESIDUAL_H_
