// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The kernels: the entry point of each, the type of its parameters, and its thread blocks. Host and
// device code take all of these from here. kernels.cu defines the entry points; the head of each
// .cuh tells how its kernel works.

#ifndef CUDAME_CUDA_KERNEL_TABLE_H_
#define CUDAME_CUDA_KERNEL_TABLE_H_

#include "cuda/first_pass_params.h"
#include "cuda/frame_coder_params.h"
#include "cuda/intra_params.h"
#include "cuda/lean_params.h"
#include "cuda/loop_filter_params.h"
#include "cuda/plane_params.h"
#include "cuda/search_params.h"
#include "cuda/split_params.h"

namespace cudame {

template <class P>
struct KernelInfo {
    using Params = P;
    const char* name;  // of the entry point
    int threads;       // of a thread block, the most if launches differ
    int mbs;           // macroblocks of a row that a thread block serves; 0: grids differ
    // Thread blocks that a multiprocessor must have room for, as in __launch_bounds__. This limits
    // a thread to 65536 / (threads * min_blocks) registers, or less if the warps do not divide
    // evenly among the four quarters of a multiprocessor. 0: no limit.
    int min_blocks;
};

namespace kernel {

// clang-format off

//                                                                       entry point              threads            mbs  min_blocks
inline constexpr KernelInfo<CoarseParams>     kCoarse          = {"cudame_coarse",            kWindowThreads,          1,  4};
inline constexpr KernelInfo<IntegerParams>    kDiamondFast     = {"cudame_diamond_fast",      32 * kListMbs,    kListMbs,  8};
inline constexpr KernelInfo<IntegerParams>    kDiamondSplit    = {"cudame_diamond_split",     32 * kListMbs,    kListMbs,  5};
inline constexpr KernelInfo<IntegerParams>    kDiamondInteger  = {"cudame_diamond_integer",   32 * kListMbs,    kListMbs,  5};
inline constexpr KernelInfo<IntegerParams>    kFullFinal       = {"cudame_full_final",        kWindowThreads,          1,  5};
inline constexpr KernelInfo<IntegerParams>    kFullInteger     = {"cudame_full_integer",      kWindowThreads,          1,  4};
inline constexpr KernelInfo<RefineParams>     kRefineSubpel    = {"cudame_refine_subpel",     kSubpelThreads, kSubpelMbs, 14};
inline constexpr KernelInfo<RefineParams>     kRefineTex       = {"cudame_refine_tex",        kTexThreads,       kTexMbs,  3};
inline constexpr KernelInfo<LeanCoarseParams> kLeanCoarse      = {"cudame_lean_coarse",       32 * kLeanCoarseWarps,   1,  4};
inline constexpr KernelInfo<LeanParams>       kLeanSearch      = {"cudame_lean_search",       32 * kLeanMbs,    kLeanMbs, 16};
inline constexpr KernelInfo<LeanParams>       kLeanSpread      = {"cudame_lean_spread",       32 * kLeanMbs,    kLeanMbs, 16};
inline constexpr KernelInfo<LeanParams>       kLeanDrawn       = {"cudame_lean_drawn",        kWindowThreads,          0,  4};
inline constexpr KernelInfo<LeanRefineParams> kLeanRefine      = {"cudame_lean_refine",       32 * kLeanMbs,    kLeanMbs, 16};
inline constexpr KernelInfo<IntraParams>      kIntraRows       = {"cudame_intra_rows",        kIntraThreads,   kIntraMbs,  0};

// The first pass: a thread block searches one macroblock of a frame, or codes one row.
inline constexpr KernelInfo<FirstPassParams>  kFirstPassSearch = {"cudame_first_pass_search", kFirstPassSearchThreads, 1,  0};
inline constexpr KernelInfo<FirstPassParams>  kFirstPassCode   = {"cudame_first_pass_code",   kFirstPassRowThreads,    0,  0};

// Whole frames: a warp codes or filters one row; a thread block codes one row or a group. kCodeGroups
// and kCodeDenoisedGroups are for frames without vectors of blocks below 16x16.
inline constexpr KernelInfo<FrameCoderParams> kCodeRows        = {"cudame_code_rows",         kRowThreads,             0, 16};
inline constexpr KernelInfo<FrameCoderParams> kCodeGroups      = {"cudame_code_groups",       kRowThreads * kGroupRows, 0, 1};
inline constexpr KernelInfo<FrameCoderParams> kCodeSplitGroups = {"cudame_code_split_groups", kRowThreads * kGroupRows, 0, 1};
inline constexpr KernelInfo<FrameCoderParams> kCodeDenoisedRows   = {"cudame_code_denoised_rows",   kRowThreads,   0, 16};
inline constexpr KernelInfo<FrameCoderParams> kCodeDenoisedGroups = {"cudame_code_denoised_groups", kRowThreads * kGroupRows, 0, 1};
inline constexpr KernelInfo<FrameCoderParams> kCodeKeyRows     = {"cudame_code_key_rows",     kRowThreads * kKeyRowWarps, 0, 6};
inline constexpr KernelInfo<FrameCoderParams> kCodeKeyGroups   = {"cudame_code_key_groups",   kRowThreads * kGroupRows, 0, 1};
inline constexpr KernelInfo<FrameFilterParams> kFilterRows     = {"cudame_filter_rows",       kRowThreads * kFrameFilterWarps, 0, 4};

// The loop filter: a thread block filters one row at a group of levels.
inline constexpr KernelInfo<LoopFilterParams> kFilterLevels    = {"cudame_filter_levels",     kFilterThreads,          0,  0};

// Planes: a thread makes four or more pixels of a row; grid.y is rows.
inline constexpr KernelInfo<ShrinkParams>     kShrink          = {"cudame_shrink",            64,                      0,  0};
inline constexpr KernelInfo<HalfPlanesParams> kHalfPlanes      = {"cudame_half_planes",       64,                      0,  0};
inline constexpr KernelInfo<PadParams>        kPad             = {"cudame_pad",               128,                     0,  0};
inline constexpr KernelInfo<TakeParams>       kTake            = {"cudame_take",              128,                     0,  0};
inline constexpr KernelInfo<SplitParams>      kSplitChroma     = {"cudame_split_chroma",      kSplitThreads,           0,  0};

// clang-format on

}  // namespace kernel
}  // namespace cudame

#endif  // CUDAME_CUDA_KERNEL_TABLE_H_
