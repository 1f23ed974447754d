// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/kernel_table.h"

#include <algorithm>

#include "common/error.h"

namespace cudame {
namespace {

// Of shared memory, so that several thread blocks fit on a multiprocessor.
constexpr int kTileBytes = 40 * 1024;
constexpr int kMaxOrder = (1 << kOrderBits) - 8;  // vectors that keys can order

// clang-format off
using namespace kernel;
constexpr SearchKernels kSearchKernels[] = {
    // mode                search                     coarse        integer           refine
    {CUDAME_MODE_FAST,    CUDAME_SEARCH_DIAMOND,   &kCoarse,     &kDiamondFast,    nullptr},
    {CUDAME_MODE_FAST,    CUDAME_SEARCH_ITERATIVE, &kCoarse,     &kIterativeFast,  nullptr},
    {CUDAME_MODE_FAST,    CUDAME_SEARCH_FULL,      &kCoarse,     &kFullFinal,      nullptr},
    {CUDAME_MODE_SPLITMV, CUDAME_SEARCH_DIAMOND,   &kCoarse,     &kDiamondSplit,   nullptr},
    {CUDAME_MODE_SPLITMV, CUDAME_SEARCH_ITERATIVE, &kCoarse,     &kDiamondSplit,   nullptr},
    {CUDAME_MODE_SPLITMV, CUDAME_SEARCH_FULL,      &kCoarse,     &kFullFinal,      nullptr},
    {CUDAME_MODE_TEX,     CUDAME_SEARCH_DIAMOND,   &kCoarse,     &kDiamondInteger, &kRefineTex},
    {CUDAME_MODE_TEX,     CUDAME_SEARCH_ITERATIVE, &kCoarse,     &kDiamondInteger, &kRefineTex},
    {CUDAME_MODE_TEX,     CUDAME_SEARCH_FULL,      &kCoarse,     &kFullInteger,    &kRefineTex},
    {CUDAME_MODE_FULL,    CUDAME_SEARCH_DIAMOND,   &kCoarse,     &kDiamondInteger, &kRefineSubpel},
    {CUDAME_MODE_FULL,    CUDAME_SEARCH_ITERATIVE, &kCoarse,     &kDiamondInteger, &kRefineSubpel},
    {CUDAME_MODE_FULL,    CUDAME_SEARCH_FULL,      &kCoarse,     &kFullInteger,    &kRefineSubpel},
    {CUDAME_MODE_FULL,    CUDAME_SEARCH_LEAN,      &kLeanCoarse, &kLeanSearch,     &kLeanRefine},
};
// clang-format on

}  // namespace

const SearchKernels& KernelsOf(enum cudame_mode mode, enum cudame_search search) {
    for (const SearchKernels& kernels : kSearchKernels)
        if (kernels.mode == mode && kernels.search == search) return kernels;
    Invalid("no kernels for this mode and search");
}

Tile TileOf(int columns, int rows) {
    Tile tile;
    if (!columns) return tile;
    const int words = WindowWords(columns);
    const int fit = std::min({rows + 3, kMaxOrder / columns, kTileBytes / (16 * words) - 15});
    tile.chunk_rows = std::max(fit / kWindowColumn * kWindowColumn, kWindowColumn);
    tile.bytes = static_cast<unsigned>(
        std::max(16 * WindowCopyWords(words, tile.chunk_rows), 4 * kBoxes * kBoxWords));
    return tile;
}

}  // namespace cudame
