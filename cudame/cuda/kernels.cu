// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Entry points of the kernels in kernel_table.h. The host finds them by name.

// common/coder is compiled for warps.
#define CUDAME_WARP
#include "cuda/clang.cuh"
#include "cuda/first_pass.cuh"
#include "cuda/frame_coder.cuh"
#include "cuda/frame_filter.cuh"
#include "cuda/integer_diamond.cuh"
#include "cuda/integer_full.cuh"
#include "cuda/intra_estimate.cuh"
#include "cuda/kernel_table.h"
#include "cuda/key_rows.cuh"
#include "cuda/lean_drawn.cuh"
#include "cuda/lean_refine.cuh"
#include "cuda/lean_search.cuh"
#include "cuda/lean_spread.cuh"
#include "cuda/loop_filter_errors.cuh"
#include "cuda/planes.cuh"
#include "cuda/split_chroma.cuh"
#include "cuda/subpel.cuh"
#include "cuda/subpel_tex.cuh"

using namespace cudame;

static constexpr bool IsSame(const char* a, const char* b) {
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

// Defines the entry point of a kernel as kernel_table.h declares it; p are its parameters.
#define KERNEL(info, entry)                                                                     \
    static_assert(IsSame(kernel::info.name, #entry), "the table has another name");             \
    extern "C" __global__ void __launch_bounds__(kernel::info.threads, kernel::info.min_blocks) \
        entry(const __grid_constant__ decltype(kernel::info)::Params p)

// The dynamic shared memory. common/coder needs the alignment.
alignas(16) extern __shared__ uint32_t tile[];

KERNEL(kCoarse, cudame_coarse) { SearchCoarse(p, tile); }
KERNEL(kDiamondFast, cudame_diamond_fast) { SearchLists<false, kFinal>(p); }
KERNEL(kDiamondSplit, cudame_diamond_split) { SearchLists<true, kFinal>(p); }
KERNEL(kDiamondInteger, cudame_diamond_integer) { SearchLists<true, kInteger>(p); }
KERNEL(kFullFinal, cudame_full_final) { SearchFull<kFinal>(p, tile); }
KERNEL(kFullInteger, cudame_full_integer) { SearchFull<kInteger>(p, tile); }
KERNEL(kRefineSubpel, cudame_refine_subpel) { RefineSubpel(p); }
KERNEL(kRefineTex, cudame_refine_tex) { RefineTexRows(p); }

KERNEL(kLeanCoarse, cudame_lean_coarse) { SearchLeanCoarse(p); }
KERNEL(kLeanSearch, cudame_lean_search) { SearchLean(p); }
KERNEL(kLeanSpread, cudame_lean_spread) { SpreadLean(p); }
KERNEL(kLeanDrawn, cudame_lean_drawn) { SearchDrawn(p, tile); }
KERNEL(kLeanRefine, cudame_lean_refine) { RefineLean(p); }

KERNEL(kIntraRows, cudame_intra_rows) { EstimateIntra(p); }
KERNEL(kFirstPassSearch, cudame_first_pass_search) { first_pass::SearchZero(p); }
KERNEL(kFirstPassCode, cudame_first_pass_code) { first_pass::CodeRow(p); }
KERNEL(kCodeRows, cudame_code_rows) { CodeRows<false, coder_warp::FrameKind::kInterWithSplits>(p); }
KERNEL(kCodeGroups, cudame_code_groups) { CodeRows<true, coder_warp::FrameKind::kInter>(p); }
KERNEL(kCodeSplitGroups, cudame_code_split_groups) {
    CodeRows<true, coder_warp::FrameKind::kInterWithSplits>(p);
}
KERNEL(kCodeDenoisedRows, cudame_code_denoised_rows) {
    CodeRows<false, coder_warp::FrameKind::kInterWithSplits, true>(p);
}
KERNEL(kCodeDenoisedGroups, cudame_code_denoised_groups) {
    CodeRows<true, coder_warp::FrameKind::kInter, true>(p);
}
KERNEL(kCodeKeyRows, cudame_code_key_rows) { CodeKeyRows(p); }
KERNEL(kCodeKeyGroups, cudame_code_key_groups) { CodeRows<true, coder_warp::FrameKind::kKey>(p); }
KERNEL(kFilterRows, cudame_filter_rows) { FilterFrameRows(p); }
KERNEL(kFilterLevels, cudame_filter_levels) { loop_filter::TryLevels(p); }

KERNEL(kShrink, cudame_shrink) { ShrinkPlane(p); }
KERNEL(kHalfPlanes, cudame_half_planes) { MakeHalfPlanes(p); }
KERNEL(kPad, cudame_pad) { PadPlane(p); }
KERNEL(kTake, cudame_take) { TakePicture(p); }
KERNEL(kSplitChroma, cudame_split_chroma) { SplitChroma(p); }
