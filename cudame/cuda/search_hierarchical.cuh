// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The hierarchical search. Both of its levels are lists, by one warp for each
// macroblock: small boxes around zero, the co-located vector and the seeds, then a patch
// around the best of them. A lane has a column of three vectors of a box, then one of five
// of the patch.
//
// What the frame's level finds too poor, it puts on a list in device memory, which thread
// blocks of the full search's kind then share, so that few macroblocks cost little. The upper
// half of a row's count says how many of its macroblocks are pending. When the row's lists are
// done, all of it is copied to the host; each pending record follows alone, and the last one
// publishes the row.

#ifndef CUDAME_CUDA_SEARCH_HIERARCHICAL_CUH_
#define CUDAME_CUDA_SEARCH_HIERARCHICAL_CUH_

#include "cuda/search_window.cuh"

namespace cudame {

// Boxes are around zero, the co-located vector, and the seeds of the level above; the frame
// has two of the coarse level besides.
constexpr int LevelBoxes(Stage stage) { return 2 + kUpperBlocks + (stage == kHalf ? 0 : 2); }
constexpr int kMaxLevelBoxes = 2 + kHierarchicalSeeds;
static_assert(LevelBoxes(kFinal) == kMaxLevelBoxes && 3 * kMaxLevelBoxes <= 32,
              "a lane for each column of a box");

// Tiles of pixels: three columns of three vectors; their places keep what a warp reads
// at once in different banks.
constexpr int kLevelBoxRows = 3 + 15, kLevelBoxStride = 6, kLevelBoxWords = 118;
constexpr int kPatchColumns = 2 * kPatchX + 1, kPatchHeight = kPatchUp + 1 + kPatchDown;
constexpr int kPatchColumn = kPatchHeight / 2;  // vectors of a lane
constexpr int kPatchTileRows = kPatchHeight + 15, kPatchStride = 9;
constexpr int kLevelTile = kMaxLevelBoxes * kLevelBoxWords;
static_assert(kPatchHeight % 2 == 0 && 2 * kPatchColumns <= 32, "two lanes for a column");
static_assert((kPatchTileRows + 2) * kPatchStride <= kLevelTile, "loaded three rows at once");

// Orders of positions: zero, the co-located vector, boxes, patches.
constexpr int kLevelBoxOrder = 2;
constexpr int kPatchOrder = 128;
constexpr int kPatchSize = kPatchColumns * kPatchHeight;

// Entries of the list: macroblock, search, and whether the co-located one is the start.
constexpr uint32_t kPoorStart = 1u << 31;

// What the whole-pixel rates of the hierarchical search are against.
__device__ inline cudame_mv FieldPrediction(const LaunchParams& p, const RefParams& r,
                                            const Macroblock& m) {
    if (!r.previous)
        return UpperPrediction(r.upper[(m.row / 2 * p.upper_cols + m.col / 2) * CUDAME_BLOCKS +
                                       UpperBlock(m.row, m.col, 1)]);
    const cudame_mv* at = r.previous + m.index;
    return MedianPrediction(m.co_located, at[m.row ? -p.mb_cols : 0], at[m.col ? -1 : 0],
                            at[m.col + 1 < p.mb_cols ? 1 : 0],
                            at[m.row + 1 < p.mb_rows ? p.mb_cols : 0]);
}

__device__ inline Position LevelSeed(Stage stage, const LaunchParams& p, const RefParams& r,
                                     const Macroblock& m, int box) {
    if (box < 2 || box >= 2 + kUpperBlocks) {
        // The two smaller of the coarse level's three, which the others call 3 and 4.
        return stage == kHalf ? Position{0, 0}
                              : BoxCentre(p, r, m, box < 2 ? box : box - kUpperBlocks + 1);
    }
    const int mb = m.row / 2 * p.upper_cols + m.col / 2;
    const cudame_mv v = r.upper[mb * CUDAME_BLOCKS + UpperBlock(m.row, m.col, box - 2)];
    return {v.col / 2, v.row / 2};  // in quarters of two pixels
}

// kCount vectors below each other, from the word with the first one's first pixel.
template <int kCount, int kStride, class Note>
__device__ inline void EvaluateColumn(const LaunchParams& p, const uint32_t* src,
                                      const uint32_t* words, uint32_t shift,
                                      const uint32_t (&base)[kCount],
                                      uint32_t (&key)[CUDAME_BLOCKS], const Note& note) {
    Sums<true> v[kCount];
    uint32_t rows[kCount][4];  // the last ones of the source
#pragma unroll
    for (int y = 0; y < 16 + kCount - 1; y++) {
        uint32_t ref[4];
        LoadFour(words + y * kStride, shift, ref);
        if (y < 16) LoadSourceRow(src, y, rows[y % kCount]);
#pragma unroll
        for (int i = 0; i < kCount; i++) {
            if (y < i || y > i + 15) continue;
            AddRow<true>(v[i], y - i, rows[(y - i) % kCount], ref, [&](int b, uint32_t sad) {
                key[b] = min(key[b], sad * p.key_scale + base[i]);
                note(i, b, sad);
            });
        }
        EndOfRow();
    }
    __syncwarp();
}

// Returns, in lanes 1 and 4, the distortions of zero and of the co-located vector.
template <Stage kStage>
__device__ inline uint32_t EvaluateLevelBoxes(const LaunchParams& p, const Macroblock& m,
                                              Position centre, uint32_t* tile, MbState* s,
                                              uint32_t (&key)[CUDAME_BLOCKS]) {
    constexpr int kCount = LevelBoxes(kStage);
    const int lane = LaneOf();
    // Some of a box may lie beyond the window, but not beyond the border.
    const int near_x = min(max(centre.x, m.window.x0 - 1), m.window.x1 + 1);
    const int near_y = min(max(centre.y, m.window.y0 - 1), m.window.y1 + 1);
    const int word = lane % kLevelBoxStride, first = lane / kLevelBoxStride;  // five rows at once
#pragma unroll 5
    for (int box = 0; box < kCount; box++) {
        const int x = FromLane(near_x, box), y = FromLane(near_y, box);
        if (first >= 5) continue;
        const uint8_t* from = m.ref + static_cast<ptrdiff_t>(y - 1 + first) * p.ref_stride +
                              ((x - 1) & ~3) + 4 * word;
        uint32_t* to = tile + box * kLevelBoxWords + lane;
#pragma unroll
        for (int i = 0; i < kLevelBoxRows; i += 5)
            if (i + 5 <= kLevelBoxRows || first < kLevelBoxRows - i)
                to[i * kLevelBoxStride] = *reinterpret_cast<const uint32_t*>(
                    from + static_cast<ptrdiff_t>(i) * p.ref_stride);
    }
    __syncwarp();

    const bool active = lane < 3 * kCount;
    const int box = active ? lane / 3 : kCount - 1, dx = active ? lane % 3 : 2;
    const int in_tile = ((FromLane(near_x, box) - 1) & 3) + dx;
    const uint32_t row_cost = RowCost(p, m, FromLane(centre.y, box) + dx - 1);
    uint32_t col_cost = ColCost(p, m, FromLane(centre.x, box) + dx - 1);
    if (!active) col_cost = kBeyond;
    uint32_t base[3];
#pragma unroll
    for (int i = 0; i < 3; i++) {
        const uint32_t costs = col_cost + __shfl_sync(0xffffffffu, row_cost, 3 * box + i);
        const bool start = box < 2 && dx == 1 && i == 1;
        base[i] = KeyBase(p, costs, start ? box : kLevelBoxOrder + 9 * box + 3 * i + dx);
    }
    uint32_t sad_centre = 0;
    EvaluateColumn<3, kLevelBoxStride>(p, s->src, tile + box * kLevelBoxWords + (in_tile >> 2),
                                       static_cast<uint32_t>(in_tile & 3) * 8, base, key,
                                       [&](int i, int b, uint32_t sad) {
                                           if (kStage == kHalf || i != 1) return;
                                           if (lane == 1) s->zero_sad[b] = sad;
                                           if (b == 0) sad_centre = sad;
                                       });
    return sad_centre;
}

// All vectors of the patch around a legal one.
__device__ inline void EvaluatePatch(const LaunchParams& p, const Macroblock& m, Position centre,
                                     int order, uint32_t* tile, const MbState& s,
                                     uint32_t (&key)[CUDAME_BLOCKS]) {
    const int lane = LaneOf();
    const int x0 = centre.x - kPatchX, y0 = centre.y - kPatchUp;
    {
        const int word = lane % kPatchStride, first = lane / kPatchStride;  // three rows at once
        const uint8_t* from =
            m.ref + static_cast<ptrdiff_t>(y0 + first) * p.ref_stride + (x0 & ~3) + 4 * word;
        if (first < 3) {
#pragma unroll
            for (int y = 0; y < kPatchTileRows; y += 3)
                tile[y * kPatchStride + lane] = *reinterpret_cast<const uint32_t*>(
                    from + static_cast<ptrdiff_t>(y) * p.ref_stride);
        }
    }
    const uint32_t row_cost = RowCost(p, m, y0 + min(lane, kPatchHeight - 1));
    const int half = lane < kPatchColumns ? 0 : 1, x = lane % kPatchColumns;
    const uint32_t col_cost = lane < 2 * kPatchColumns ? ColCost(p, m, x0 + x) : kBeyond;
    const int y = kPatchColumn * half;
    uint32_t base[kPatchColumn];
#pragma unroll
    for (int i = 0; i < kPatchColumn; i++)
        base[i] = KeyBase(p, col_cost + __shfl_sync(0xffffffffu, row_cost, y + i),
                          order + (y + i) * kPatchColumns + x);
    __syncwarp();
    const int in_tile = (x0 & 3) + x;
    EvaluateColumn<kPatchColumn, kPatchStride>(p, s.src, tile + y * kPatchStride + (in_tile >> 2),
                                               static_cast<uint32_t>(in_tile & 3) * 8, base, key,
                                               [](int, int, uint32_t) {});
}

// Position of an order, with both patches, of which the last may be none; all lanes
// take part.
__device__ inline Position LevelPosition(Position centre, Position patch0, Position patch1,
                                         int order) {
    const int n = order - kLevelBoxOrder;
    const int box = n < 0 ? order : min(n / 9, kMaxLevelBoxes - 1), at = n < 0 ? 4 : n % 9;
    const Position early = {FromLane(centre.x, box) + at % 3 - 1,
                            FromLane(centre.y, box) + at / 3 - 1};
    if (order < kPatchOrder) return early;
    const int second = order >= kPatchOrder + kPatchSize;
    const int i = order - kPatchOrder - (second ? kPatchSize : 0);
    const Position from = second ? patch1 : patch0;
    return {from.x - kPatchX + i % kPatchColumns, from.y - kPatchUp + i / kPatchColumns};
}

// Puts a macroblock on the list, with what is known of it in its record.
__device__ inline void NotePoor(const LaunchParams& p, const RefParams& r, const Macroblock& m,
                                Position centre, uint32_t sad_centre, const MbState& s) {
    const int lane = LaneOf();
    const int rate = Rate(p, m.prediction, 4 * centre.y, 4 * centre.x);  // of lanes 0 and 1
    const int zero = min(FromLane(static_cast<int>(sad_centre), 1) + FromLane(rate, 0), kMaxRate);
    const int co_located =
        min(FromLane(static_cast<int>(sad_centre), 4) + FromLane(rate, 1), kMaxRate);
    if (lane < (p.split ? CUDAME_BLOCKS : 1))
        StoreBlock(r, m.index, lane,
                   {static_cast<int16_t>(4 * s.y[lane]), static_cast<int16_t>(4 * s.x[lane])},
                   s.sad[lane]);
    if (lane == 0)
        AddToList(p, static_cast<uint32_t>(m.index) | blockIdx.x << kPoorSearchShift |
                         (co_located < zero ? kPoorStart : 0));
}

template <Stage kStage>
__device__ inline void SearchLevel(const LaunchParams& p) {
    __shared__ __align__(16) MbState states[kListMbs];
    __shared__ uint32_t tiles[kListMbs][kLevelTile];
    __shared__ uint32_t poor[kListMbs];
    const int warp = static_cast<int>(threadIdx.x >> 5), lane = LaneOf();
    const int col = static_cast<int>(blockIdx.y) * kListMbs + warp;
    bool is_poor = false;
    if (col < p.mb_cols) {
        MbState& s = states[warp];
        uint32_t* tile = tiles[warp];
        const RefParams& r = RefOf(p);
        Macroblock m = MacroblockAt(p, r, RowOf(p), col);
        if (kStage != kHalf) m.prediction = FieldPrediction(p, r, m);
        if constexpr (kStage == kHalf) {
#pragma unroll
            for (int i = lane; i < 64; i += 32)
                s.src[i] =
                    SmallPixels<kHalfScale>(p.src, p.src_stride, p.src_width, p.src_height,
                                            m.col * kMb + (i & 3) * 4, m.row * kMb + (i >> 2));
        } else {
            LoadSourceWarp(p, m, s.src);
        }
        const Position centre = LevelSeed(kStage, p, r, m, min(lane, LevelBoxes(kStage) - 1));
        uint32_t key[CUDAME_BLOCKS];
#pragma unroll
        for (int b = 0; b < CUDAME_BLOCKS; b++)
            key[b] = static_cast<uint32_t>(kMaxRate) << kOrderBits;
        const uint32_t sad_centre = EvaluateLevelBoxes<kStage>(p, m, centre, tile, &s, key);
        Position patch0 = {0, 0}, patch1 = {0, 0};
        if constexpr (kStage == kHalf) {
            EvaluatePatch(p, m, patch0, kPatchOrder, tile, s, key);
            patch1 = LevelPosition(centre, patch0, patch1, OrderOf(WarpMin(key[0])));
            EvaluatePatch(p, m, patch1, kPatchOrder + kPatchSize, tile, s, key);
        } else {
            patch0 = LevelPosition(centre, patch0, patch1, OrderOf(WarpMin(key[0])));
            EvaluatePatch(p, m, patch0, kPatchOrder, tile, s, key);
        }
        const uint32_t least = LeastKeys(key);
        const Position at = LevelPosition(centre, patch0, patch1, OrderOf(least));
        if constexpr (kStage == kHalf) {
            if (lane < CUDAME_BLOCKS)
                r.integer[m.index * CUDAME_BLOCKS + lane] = {static_cast<int16_t>(4 * at.y),
                                                             static_cast<int16_t>(4 * at.x)};
        } else {
            NoteBest(p, m, CUDAME_BLOCKS, least, at, &s);
            StoreRecord<kStage>(r, m.index, p.split ? CUDAME_BLOCKS : 1, lane, s);
            is_poor = s.key[0] >> kOrderBits > kPoorCost;
            if (is_poor) NotePoor(p, r, m, centre, sad_centre, s);
        }
    }
    if constexpr (kStage == kFinal) {
        if (lane == 0) poor[warp] = is_poor;
        FinishBlock<kListMbs>(p, [&] {
            uint32_t n = 0;
            for (int i = 0; i < kListMbs; i++) n += poor[i];
            return n;
        });
    }
}

// By the warp that stored a record of the list, whose row is on the host but for such
// ones: brings it there too.
__device__ inline void FinishPoor(const LaunchParams& p, const RefParams& r, const Macroblock& m) {
    __syncwarp();
    CopyRecords(r.records + m.index, r.field + m.index, 1, LaneOf(), 32);
    if (p.split) CopyRecords(r.splits + m.index, r.field_splits + m.index, 1, LaneOf(), 32);
    __threadfence_system();
    __syncwarp();
    if (LaneOf()) return;
    constexpr uint32_t kOne = 1u << kRowPendingShift;
    const uint32_t before = atomicAdd(p.finished + m.row * kRowCounters, 0u - kOne);
    if (before >> kRowPendingShift == 1) PublishRow(p, m.row);
}

// What is on the list, by all blocks of the grid.
template <Stage kStage>
__device__ inline void SearchPoor(const LaunchParams& p, uint32_t* tile) {
    __shared__ __align__(16) WindowState s;
    __shared__ uint32_t count;
    const int t = static_cast<int>(threadIdx.x), lane = LaneOf();
    const uint32_t* list = p.poor + ListStart(p);
    if (t == 0) count = ListLength(p);
    __syncthreads();
    for (uint32_t i = blockIdx.x; i < count; i += gridDim.x) {
        const uint32_t entry = list[i];
        const int index = static_cast<int>(entry & kPoorMb);
        const RefParams& r = p.refs[entry >> kPoorSearchShift & 3];
        Macroblock m = MacroblockAt(p, r, index / p.mb_cols, index % p.mb_cols);
        m.prediction = FieldPrediction(p, r, m);
        if (t < 32) {
            LoadSourceWarp(p, m, s.mb.src);
            const cudame_mb& known = r.records[index];
            if (lane < CUDAME_BLOCKS) {
                const bool split = lane && p.split;
                const cudame_mv v = split ? r.splits[index].mv[lane - 1] : known.mv;
                const uint32_t sad = split ? r.splits[index].dist[lane - 1] : known.dist;
                s.mb.x[lane] = v.col / 4;
                s.mb.y[lane] = v.row / 4;
                s.mb.sad[lane] = sad;
                s.mb.key[lane] =
                    min(sad + Rate(p, m.prediction, v.row, v.col), static_cast<uint32_t>(kMaxRate))
                    << kOrderBits;
            }
            if (lane == 0) s.mb.zero_sad[0] = known.dist_zero;
        }
        __syncthreads();
        const Position start = entry & kPoorStart ? BoxCentre(p, r, m, 1) : Position{0, 0};
        const int seed_x = s.mb.x[0], seed_y = s.mb.y[0];
        SearchWindow<kStage>(p, m, start.x, start.y, tile, s);
        if (abs(seed_x - start.x) > p.range || abs(seed_y - start.y) > p.range)
            SearchWindow<kStage>(p, m, seed_x, seed_y, tile, s);
        if (t < 32) {
            StoreRecord<kStage>(r, index, p.split ? CUDAME_BLOCKS : 1, lane, s.mb);
            if (kStage == kFinal) FinishPoor(p, r, m);
        }
        __syncthreads();  // the state is free again
    }
    if (t == 0) LeaveList(p);
}

}  // namespace cudame

#endif  // CUDAME_CUDA_SEARCH_HIERARCHICAL_CUH_
