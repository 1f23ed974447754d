// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Which kernel serves which mode and search, and the thread blocks of each. kernels.cu
// has the entry points, and the head of each .cuh tells how its kernel works.

#ifndef CUDAME_CUDA_KERNEL_TABLE_H_
#define CUDAME_CUDA_KERNEL_TABLE_H_

#include "cuda/first_pass_params.h"
#include "cuda/loop_filter_params.h"
#include "cuda/params.h"
#include "cuda/split_params.h"
#include "cudame/cudame.h"

namespace cudame {

struct KernelInfo {
    const char* name;   // of the entry point
    unsigned threads;   // of a thread block
    unsigned mbs;       // macroblocks that a thread block does, each against one reference;
                        // 0: it is launched by something else
    unsigned resident;  // thread blocks that fit on a multiprocessor at once, which limits
                        // registers; 0: the compiler's choice
};

namespace kernel {

// clang-format off

// Searches, refinement and intra estimates: grid.y, or for intra grid.x, is groups of mbs
// macroblocks of a row; see LaunchParams and IntraParams.
//                                                     entry point              threads         mbs  resident
inline constexpr KernelInfo kCoarse              = {"cudame_coarse",               kWindowThreads,           1,  4};
inline constexpr KernelInfo kDiamondFast         = {"cudame_diamond_fast",         32 * kListMbs,     kListMbs,  8};
inline constexpr KernelInfo kIterativeFast       = {"cudame_iterative_fast",       32 * kListMbs,     kListMbs,  8};
inline constexpr KernelInfo kDiamondSplit        = {"cudame_diamond_split",        32 * kListMbs,     kListMbs,  5};
inline constexpr KernelInfo kDiamondInteger      = {"cudame_diamond_integer",      32 * kListMbs,     kListMbs,  5};
inline constexpr KernelInfo kFullFinal           = {"cudame_full_final",           kWindowThreads,           1,  5};
inline constexpr KernelInfo kFullInteger         = {"cudame_full_integer",         kWindowThreads,           1,  4};
inline constexpr KernelInfo kRefineSubpel        = {"cudame_refine_subpel",        kSubpelThreads,  kSubpelMbs, 14};
inline constexpr KernelInfo kRefineTex           = {"cudame_refine_tex",           kTexThreads,        kTexMbs,  3};
inline constexpr KernelInfo kLeanCoarse          = {"cudame_lean_coarse",          32 * kLeanCoarseWarps,    1,  4};
inline constexpr KernelInfo kLeanSearch          = {"cudame_lean_search",          32 * kLeanMbs,     kLeanMbs, 16};
inline constexpr KernelInfo kLeanSpread          = {"cudame_lean_spread",          32 * kLeanMbs,     kLeanMbs, 16};
inline constexpr KernelInfo kLeanDrawn           = {"cudame_lean_drawn",           kWindowThreads,           0,  4};
inline constexpr KernelInfo kLeanRefine          = {"cudame_lean_refine",          32 * kLeanMbs,     kLeanMbs, 16};
inline constexpr KernelInfo kIntraRows           = {"cudame_intra_rows",           16 * kIntraMbs,   kIntraMbs,  0};

// The first pass: a thread block for each macroblock and frame; for each row.
inline constexpr KernelInfo kFirstPassSearch     = {"cudame_first_pass_search",    kFirstPassSearchThreads,  1,  0};
inline constexpr KernelInfo kFirstPassCode       = {"cudame_first_pass_code",      kFirstPassRowThreads,     0,  0};

// The loop filter: a thread block for each row and group of levels.
inline constexpr KernelInfo kFilterLevels        = {"cudame_filter_levels",        kFilterThreads,           0,  0};

// Planes: a thread for four or more pixels of a row, grid.y is rows.
inline constexpr KernelInfo kShrink              = {"cudame_shrink",               64,                       0,  0};
inline constexpr KernelInfo kHalfPlanes          = {"cudame_half_planes",          64,                       0,  0};
inline constexpr KernelInfo kPad                 = {"cudame_pad",                  128,                      0,  0};
inline constexpr KernelInfo kSplitChroma         = {"cudame_split_chroma",         kSplitThreads,            0,  0};

// clang-format on

}  // namespace kernel

// What a frame goes through; NULL: it does not.
struct SearchKernels {
    enum cudame_mode mode;
    enum cudame_search search;
    const KernelInfo* coarse;   // vectors of the coarse level
    const KernelInfo* integer;  // whole-pixel vectors
    const KernelInfo* refine;   // sub-pel vectors
};

// A search that is not DEFAULT.
const SearchKernels& KernelsOf(enum cudame_mode mode, enum cudame_search search);

// Thread blocks that share a list of macroblocks: about as many as run at once.
constexpr unsigned kListBlocks = 512;

// How a box of vectors is cut into tiles of reference pixels, which lie in shared memory
// with their four shifted copies.
struct Tile {
    int chunk_rows = 0;  // rows of vectors that one tile serves
    unsigned bytes = 0;
};

// Of a box of vectors; all zero without one.
Tile TileOf(int columns, int rows);

}  // namespace cudame

#endif  // CUDAME_CUDA_KERNEL_TABLE_H_
