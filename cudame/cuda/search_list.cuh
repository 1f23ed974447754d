// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Searches over lists of positions: the one-shot diamond of grossi-2018
// section 3.3 and the diamond that moves. Threads keep the best of what they
// saw; only the 16x16 vector, on which the next positions depend, is reduced at
// once.

#ifndef CUDAME_CUDA_SEARCH_LIST_CUH_
#define CUDAME_CUDA_SEARCH_LIST_CUH_

#include "cuda/search_state.cuh"

namespace cudame {

template <int kCount>
struct DevMap {
    Step step[kCount];
};

template <class Map>
constexpr auto CopyMap(const Map& map) {
    DevMap<static_cast<int>(sizeof(Map) / sizeof(Step))> out{};
    for (size_t i = 0; i < sizeof(Map) / sizeof(Step); i++) out.step[i] = map[i];
    return out;
}

// In global memory: threads of a warp read different steps, which constant memory
// would serve one by one.
__device__ const auto dev_diamond = CopyMap(kDiamond);
__device__ const auto dev_refinement = CopyMap(kRefinement);
__device__ const auto dev_large_diamond = CopyMap(kLargeDiamond);
__device__ const auto dev_small_diamond = CopyMap(kSmallDiamond);

// Pixels around the diamond and the refinement of its best vector. The stride
// keeps rows that a warp reads at once in different banks.
constexpr int kMapX = kDiamondRangeX + 2, kMapY = kDiamondRangeY + 1;
constexpr int kMapRows = 2 * kMapY + 16, kMapRowWords = 14, kMapStride = 21;

constexpr int kListTile =
    kMapRows * kMapStride > kBoxes* kBoxWords ? kMapRows* kMapStride : kBoxes* kBoxWords;
// Position of any order of the diamond searches.
__device__ inline Position ListPosition(const LaunchParams& p, const SearchState& s, int order) {
    if (order < kSearchOrder) return EarlyPosition(s, order);
    int map = 0;
    Step step;
    if (p.iterative) {
        constexpr int kLarge = static_cast<int>(kLargeDiamond.size());
        const int n = order - kSearchOrder;
        map = n / kLarge;
        step = map < kMaxDiamondMoves ? dev_large_diamond.step[n % kLarge]
                                      : dev_small_diamond.step[n % kLarge];
    } else if (order < kRefinementOrder) {
        step = dev_diamond.step[order - kSearchOrder];
    } else {
        map = 1;
        step = dev_refinement.step[order - kRefinementOrder];
    }
    return {s.map_x[map] + step.x, s.map_y[map] + step.y};
}

// Moves the diamond until its best vector is its middle.
template <int kKeys>
__device__ inline void MoveDiamond(const LaunchParams& p, const Macroblock& m,
                                   const Quarter& quarter, uint32_t best, SearchState* s,
                                   uint32_t (&key)[kKeys]) {
    constexpr int kLarge = static_cast<int>(kLargeDiamond.size());
    constexpr int kSmall = static_cast<int>(kSmallDiamond.size());
    Position at = ListPosition(p, *s, OrderOf(best));
    for (int map = 0, step = 1; map <= kMaxDiamondMoves; step++) {
        const bool large = map < kMaxDiamondMoves;
        const int n = min(quarter.group, kLarge - 1);
        const Step by =
            large ? dev_large_diamond.step[n] : dev_small_diamond.step[min(n, kSmall - 1)];
        if (threadIdx.x == 0) {
            s->map_x[map] = static_cast<int16_t>(at.x);
            s->map_y[map] = static_cast<int16_t>(at.y);
        }
        if (threadIdx.x < 64) {
            uint32_t sad[4], sum[kKeys];
            SadQuarterAt(p, quarter, m.ref, at.x + by.x, at.y + by.y, sad);
            SumQuarters(quarter.q, sad, sum);
            TakeKeys(sum,
                     quarter.group < (large ? kLarge : kSmall)
                         ? BaseOf(p, m, at.x + by.x, at.y + by.y, kSearchOrder + map * kLarge + n)
                         : kNoBase,
                     key);
        }
        const uint32_t now = Reduce16(key[kKeys - 1], step, s);
        if (!large) return;
        if (now < best) {
            best = now;
            at = ListPosition(p, *s, OrderOf(best));
            map++;
        } else {
            map = kMaxDiamondMoves;
        }
    }
}

// The one-shot diamond around the best vector so far, and the refinement of
// what is the best then.
template <int kKeys>
__device__ inline void SearchDiamond(const LaunchParams& p, const Macroblock& m,
                                     const Quarter& quarter, uint32_t best, uint32_t* tile,
                                     SearchState* s, uint32_t (&key)[kKeys]) {
    const int t = threadIdx.x;
    const Position c = ListPosition(p, *s, OrderOf(best));
    if (t == 0) {
        s->map_x[0] = static_cast<int16_t>(c.x);
        s->map_y[0] = static_cast<int16_t>(c.y);
    }
    const int xa = (c.x - kMapX) & ~3, ya = c.y - kMapY;
    const uint8_t* from =
        m.ref + static_cast<ptrdiff_t>(ya + (t >> 4)) * p.ref_stride + xa + 4 * (t & 15);
    uint32_t* to = tile + (t >> 4) * kMapStride + (t & 15);
    if ((t & 15) < kMapRowWords) {
#pragma unroll
        for (int y = 0; y < kMapRows; y += kListThreads / 16)
            if (y + (t >> 4) < kMapRows)
                to[y * kMapStride] = *reinterpret_cast<const uint32_t*>(
                    from + static_cast<ptrdiff_t>(y) * p.ref_stride);
    }
    __syncthreads();
    const auto evaluate = [&](int x, int y, int order, bool wanted) {
        uint32_t sad[4], sum[kKeys];
        SadQuarter(quarter, tile + (y - ya) * kMapStride, x - xa, kMapStride, sad);
        SumQuarters(quarter.q, sad, sum);
        TakeKeys(sum, wanted ? BaseOf(p, m, x, y, order) : kNoBase, key);
    };
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const int n = quarter.group + 32 * i;
        const Step step = dev_diamond.step[min(n, kDiamondVectors - 1)];
        evaluate(c.x + step.x, c.y + step.y, kSearchOrder + n, n < kDiamondVectors);
    }
    best = Reduce16(key[kKeys - 1], 1, s);
    const Position d = ListPosition(p, *s, OrderOf(best));
    if (t == 0) {
        s->map_x[1] = static_cast<int16_t>(d.x);
        s->map_y[1] = static_cast<int16_t>(d.y);
    }
    constexpr int kSteps = static_cast<int>(kRefinement.size());
    if (t < 64) {
        const int n = quarter.group;
        const Step step = dev_refinement.step[min(n, kSteps - 1)];
        evaluate(d.x + step.x, d.y + step.y, kRefinementOrder + n, n < kSteps);
    }
}

template <bool kSplit, Stage kStage>
__device__ inline void SearchList(const LaunchParams& p) {
    __shared__ __align__(16) SearchState s;
    __shared__ uint32_t tile[kListTile];
    constexpr int kBlocks = kSplit ? CUDAME_BLOCKS : 1;
    constexpr int kKeys = kSplit ? kSplitKeys : 1;
    const RefParams& r = RefOf(p);
    const Macroblock m = MacroblockAt(p, r, RowOf(p), blockIdx.y);

    uint32_t key[kKeys];
    const Quarter quarter = EvaluateBoxes<kStage, true, false>(p, r, m, tile, &s, key);
    uint32_t best = Reduce16(key[kKeys - 1], 0, &s);
    if (p.iterative)
        MoveDiamond(p, m, quarter, best, &s, key);
    else
        SearchDiamond(p, m, quarter, best, tile, &s, key);
    __syncthreads();  // what was reduced is read
    if constexpr (kSplit)
        best = ReduceKeys(key, &s);
    else
        best = Reduce16(key[0], 0, &s);
    if (threadIdx.x < kBlocks)
        SetState(p, m.prediction, best, ListPosition(p, s, OrderOf(best)), &s);
    __syncthreads();
    constexpr Searched nothing = {1, 1, 0, 0};
    if (kSplit) RefineBlocks(p, m, nothing, &s);
    StoreRecord<kStage>(r, m.index, kBlocks, s);
    if (kStage == kFinal) FinishBlock(p);
}

}  // namespace cudame

#endif  // CUDAME_CUDA_SEARCH_LIST_CUH_
