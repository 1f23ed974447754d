// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// What a thread block that works on one macroblock knows and does: the state of its
// search, what is known before any distortion (zero, the prediction, the seeds, and a
// box around each), reductions, and the refinement of sub-blocks, on pixels in shared
// memory. Four threads share a position, each with four rows of the source in its
// registers. search_warp.cuh, a warp for a macroblock, shares what names no state.

#ifndef CUDAME_CUDA_SEARCH_STATE_CUH_
#define CUDAME_CUDA_SEARCH_STATE_CUH_

#include "coarse.h"
#include "cuda/device.cuh"
#include "diamond_map.h"

namespace cudame {

constexpr int kListThreads = 128;

// Orders of positions: zero, the prediction, the box around the better of
// them, the boxes around the seeds; then those of the search.
constexpr int kStartOrder = 2;
constexpr int kSeedOrder = 27;
constexpr int kSearchOrder = 128;
constexpr int kRefinementOrder = 256;

constexpr int kBoxSize = static_cast<int>(kSeedBox.size());

constexpr int kListWarps = kListThreads / 32;

// What a search is for: the seeds, the sub-pel kernel, or the result.
enum Stage { kCoarse, kInteger, kFinal };

// State of one macroblock's search, in shared memory.
struct SearchState {
    uint32_t src[64];                            // 16 rows of 4 words
    uint32_t key[CUDAME_BLOCKS];                 // best so far
    uint32_t sad[CUDAME_BLOCKS];                 // without rate
    int16_t x[CUDAME_BLOCKS], y[CUDAME_BLOCKS];  // whole pixels
    uint32_t reduced[kListWarps][CUDAME_BLOCKS];
    uint32_t zero_sad[CUDAME_BLOCKS];            // of the zero vector
    uint32_t start_cost[2];                      // of zero and the prediction, 16x16
    int16_t box_x[kMaxBoxes], box_y[kMaxBoxes];  // centres
};

struct Position {
    int x, y;
};

__device__ inline void LoadSource(const LaunchParams& p, int row, int col, SearchState* s) {
    if (threadIdx.x >= 64) return;
    const int x = col * kMb + (threadIdx.x & 3) * 4, y = row * kMb + (threadIdx.x >> 2);
    s->src[threadIdx.x] =
        *reinterpret_cast<const uint32_t*>(p.src + static_cast<ptrdiff_t>(y) * p.src_stride + x);
}

// Of a group of four threads, the rows of this one.
struct Quarter {
    int q, group;
    uint32_t src[4][4];
};

__device__ inline Quarter QuarterOf(const SearchState& s) {
    Quarter r;
    r.q = threadIdx.x & 3;
    r.group = threadIdx.x >> 2;
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const uint4 row = *reinterpret_cast<const uint4*>(s.src + 4 * (4 * r.q + i));
        r.src[i][0] = row.x;
        r.src[i][1] = row.y;
        r.src[i][2] = row.z;
        r.src[i][3] = row.w;
    }
    return r;
}

// Sixteen pixels of a row, `shift` bits behind those of the first word.
__device__ inline void LoadFour(const uint32_t* words, uint32_t shift, uint32_t (&ref)[4]) {
    uint32_t w[5];
#pragma unroll
    for (int i = 0; i < 5; i++) w[i] = words[i];
#pragma unroll
    for (int i = 0; i < 4; i++) ref[i] = __funnelshift_r(w[i], w[i + 1], shift);
}

// What one of the four threads keeps: its four 4x4 blocks, and its share of the
// larger ones, some of which two or all four of them have. The last is 16x16.
constexpr int kSplitKeys = 8;
__device__ inline int BlockOfKey(int k, int q) {
    if (k < 4) return CUDAME_BLOCK_4X4 + 4 * q + k;
    if (k == 4) return CUDAME_BLOCK_8X8 + q;
    if (k == 5) return CUDAME_BLOCK_16X8 + (q >> 1);
    if (k == 6) return CUDAME_BLOCK_8X16 + (q & 1);
    return CUDAME_BLOCK_16X16;
}
// Whether this thread is the first that has the block.
__device__ inline bool OwnsKey(int k, int q) {
    return k <= 4 || (k == 5 && !(q & 1)) || (k == 6 && q < 2) || q == 0;
}

// Distortions of the blocks of the keys, from those of the 4x4 ones. All threads
// of a warp take part.
__device__ inline void SumQuarters(int q, const uint32_t (&sad)[4], uint32_t (&sum)[kSplitKeys]) {
#pragma unroll
    for (int j = 0; j < 4; j++) sum[j] = sad[j];
    uint32_t left = sad[0] + sad[1], right = sad[2] + sad[3];
    left += __shfl_xor_sync(0xffffffffu, left, 1);
    right += __shfl_xor_sync(0xffffffffu, right, 1);
    sum[4] = q & 1 ? right : left;
    sum[5] = left + right;
    left += __shfl_xor_sync(0xffffffffu, left, 2);
    right += __shfl_xor_sync(0xffffffffu, right, 2);
    sum[6] = q & 1 ? right : left;
    sum[7] = left + right;
}

// A base that no key with it can win by: costs of 65536 and more.
constexpr uint32_t kNoBase = 0x80000000u;

__device__ inline void TakeKeys(const uint32_t (&sum)[kSplitKeys], uint32_t base,
                                uint32_t (&key)[kSplitKeys]) {
#pragma unroll
    for (int k = 0; k < kSplitKeys; k++) key[k] = min(key[k], (sum[k] << kOrderBits) + base);
}

__device__ inline uint32_t BaseOf(const LaunchParams& p, const Macroblock& m, int x, int y,
                                  int order) {
    if (!m.window.Contains(x, y)) return kNoBase;
    return static_cast<uint32_t>(Rate(p, m.prediction, 4 * y, 4 * x)) << kOrderBits |
           static_cast<uint32_t>(order);
}

__device__ inline uint32_t WarpMin(uint32_t v) {
#if __CUDA_ARCH__ >= 800
    return __reduce_min_sync(0xffffffffu, v);
#else
    for (int m = 16; m; m >>= 1) v = min(v, __shfl_xor_sync(0xffffffffu, v, m));
    return v;
#endif
}

// All reductions at once, one barrier for all: hevc-ime-cpr's concurrent
// parallel reduction. Thread b < blocks returns the least key of block b.
template <int kBlocks>
__device__ inline uint32_t ReduceKeys(const uint32_t (&key)[kBlocks], SearchState* s) {
#pragma unroll
    for (int b = 0; b < kBlocks; b++) {
        const uint32_t k = WarpMin(key[b]);
        if ((threadIdx.x & 31) == 0) s->reduced[threadIdx.x >> 5][b] = k;
    }
    __syncthreads();
    uint32_t best = 0xffffffffu;
    if (threadIdx.x < kBlocks)
        for (int w = 0; w < kListWarps; w++) best = min(best, s->reduced[w][threadIdx.x]);
    return best;
}

// The same of keys that groups of four threads share.
__device__ inline uint32_t ReduceKeys(const uint32_t (&key)[kSplitKeys], SearchState* s) {
    const int q = threadIdx.x & 3;
#pragma unroll
    for (int k = 0; k < kSplitKeys; k++) {
        uint32_t v = key[k];
#pragma unroll
        for (int mask = 4; mask < 32; mask <<= 1) v = min(v, __shfl_xor_sync(0xffffffffu, v, mask));
        if ((threadIdx.x & 31) < 4 && OwnsKey(k, q))
            s->reduced[threadIdx.x >> 5][BlockOfKey(k, q)] = v;
    }
    __syncthreads();
    uint32_t best = 0xffffffffu;
    if (threadIdx.x < CUDAME_BLOCKS)
        for (int w = 0; w < kListWarps; w++) best = min(best, s->reduced[w][threadIdx.x]);
    return best;
}

__device__ inline int OrderOf(uint32_t key) {
    return static_cast<int>(key & ((1u << kOrderBits) - 1));
}

__device__ inline int StartBox(const SearchState& s) { return s.start_cost[1] < s.start_cost[0]; }

// Position of an order below kSearchOrder.
__device__ inline Position EarlyPosition(const SearchState& s, int order) {
    if (order < kStartOrder) return {s.box_x[order], s.box_y[order]};
    const int n = order - (order < kSeedOrder ? kStartOrder : kSeedOrder);
    const int box = order < kSeedOrder ? StartBox(s) : 2 + n / kBoxSize, i = n % kBoxSize;
    return {s.box_x[box] + i % 5 - 2, s.box_y[box] + i / 5 - 2};
}

// Where box number `box` is.
__device__ inline Position BoxCentre(const LaunchParams& p, const RefParams& r, const Macroblock& m,
                                     int box) {
    if (box == 0) return {0, 0};
    if (box == 1)
        return {min(max((m.prediction.col + 2) >> 2, m.window.x0), m.window.x1),
                min(max((m.prediction.row + 2) >> 2, m.window.y0), m.window.y1)};
    int row = m.row, col = m.col;
    if (box >= kBoxes) {
        row = NeighbourRow(p.mb_rows, m.row, box - kBoxes);
        col = NeighbourCol(p.mb_cols, m.col, box - kBoxes);
    }
    const int mb = row / kCoarseScale * p.coarse_cols + col / kCoarseScale;
    const SeedBlocks blocks = SeedBlocksOf(row, col);
    const int block = box == 2 ? blocks.block[0] : box == 3 ? blocks.block[1] : blocks.block[2];
    const cudame_mv seed = r.coarse[mb * CUDAME_BLOCKS + block];  // quarters of four pixels
    return {seed.col, seed.row};
}

// Five boxes from number `first` on. Four threads take a column of a box and hand
// take(box, dx, i, sum, base) its five vectors.
template <class Take>
__device__ inline void EvaluateColumns(const LaunchParams& p, const Macroblock& m,
                                       const Quarter& quarter, const uint32_t* tile,
                                       const SearchState& s, int first, int boxes,
                                       const Take& take) {
    const int box = first + quarter.group / 5, dx = quarter.group % 5;
    const bool active = quarter.group < 25 && box < boxes;
    if (!__any_sync(0xffffffffu, active)) return;
    const int from = min(box, boxes - 1);
    const int x = s.box_x[from] + dx - 2, y = s.box_y[from] - 2;
    const int in_tile = ((x - dx) & 3) + dx;
    const uint32_t* words = tile + from * kBoxWords + 4 * quarter.q * kBoxStride + (in_tile >> 2);
    const uint32_t shift = static_cast<uint32_t>(in_tile & 3) * 8;
    uint32_t sad[5][4];
#pragma unroll
    for (int i = 0; i < 5; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) sad[i][j] = 0;
#pragma unroll
    for (int row = 0; row < 8; row++) {
        uint32_t ref[4];
        LoadFour(words + row * kBoxStride, shift, ref);
#pragma unroll
        for (int i = 0; i < 5; i++) {
            if (row < i || row > i + 3) continue;
#pragma unroll
            for (int j = 0; j < 4; j++)
                sad[i][j] = Sad4(quarter.src[row - i][j], ref[j], sad[i][j]);
        }
    }
    const int order = (box < 2 ? kStartOrder : kSeedOrder + (box - 2) * kBoxSize) + dx;
#pragma unroll
    for (int i = 0; i < 5; i++) {
        uint32_t sum[kSplitKeys];
        SumQuarters(quarter.q, sad[i], sum);
        take(box, dx, i, sum, active ? BaseOf(p, m, x, y + i, order + 5 * i) : kNoBase);
    }
}

// Zero, the rounded prediction, and boxes around the better of them and around
// the seeds, those of neighbours too. Boxes are evaluated before it is known
// which of the first two is the better one. Loads the source too.
__device__ inline void EvaluateBoxes(const LaunchParams& p, const RefParams& r, const Macroblock& m,
                                     uint32_t* tile, SearchState* s, uint32_t (&key)[kSplitKeys]) {
    const int t = threadIdx.x;
    const int boxes = r.coarse ? kMaxBoxes : 2;
    LoadSource(p, m.row, m.col, s);
    if (t >= 64 && t < 64 + boxes) {
        const Position centre = BoxCentre(p, r, m, t - 64);
        s->box_x[t - 64] = static_cast<int16_t>(centre.x);
        s->box_y[t - 64] = static_cast<int16_t>(centre.y);
    }
    __syncthreads();
    const Quarter quarter = QuarterOf(*s);
    // A warp loads four rows, of eight words at most.
    const int lane_word = t & 7;
    for (int box = t >> 5; box < boxes; box += kListWarps) {
        const int cx = s->box_x[box], cy = s->box_y[box];
        // Some of a box may lie beyond the window, but not beyond the border.
        if (lane_word >= kBoxStride || cx + 2 < m.window.x0 || cx - 2 > m.window.x1 ||
            cy + 2 < m.window.y0 || cy - 2 > m.window.y1)
            continue;
        const int first = t >> 3 & 3;
        const uint8_t* from = m.ref + static_cast<ptrdiff_t>(cy - 2 + first) * p.ref_stride +
                              ((cx - 2) & ~3) + 4 * lane_word;
        uint32_t* to = tile + box * kBoxWords + first * kBoxStride + lane_word;
#pragma unroll
        for (int y = 0; y < kBoxRows; y += 4)
            to[y * kBoxStride] =
                *reinterpret_cast<const uint32_t*>(from + static_cast<ptrdiff_t>(y) * p.ref_stride);
    }
    __syncthreads();

    uint32_t start_key[kSplitKeys];
#pragma unroll
    for (int k = 0; k < kSplitKeys; k++) key[k] = start_key[k] = 0xffffffffu;
    EvaluateColumns(
        p, m, quarter, tile, *s, 0, boxes,
        [&](int box, int dx, int i, const uint32_t(&sum)[kSplitKeys], uint32_t base) {
            const bool centre = i == 2 && dx == 2 && box < 2;
            TakeKeys(sum, base, key);
            if (!centre) return;
            TakeKeys(sum, (base & ~((1u << kOrderBits) - 1)) | static_cast<uint32_t>(box),
                     start_key);
            if (quarter.q == 0)
                s->start_cost[box] =
                    min(start_key[kSplitKeys - 1] >> kOrderBits, static_cast<uint32_t>(kMaxRate));
            if (box) return;
#pragma unroll
            for (int k = 0; k < kSplitKeys; k++) {
                if (OwnsKey(k, quarter.q)) s->zero_sad[BlockOfKey(k, quarter.q)] = sum[k];
                // Zero is taken even at a saturated cost.
                start_key[k] = min(start_key[k], static_cast<uint32_t>(kMaxRate) << kOrderBits);
            }
        });
    __syncthreads();
    const int box = quarter.group / 5;
    const bool whole = box >= 2 || box == StartBox(*s);
#pragma unroll
    for (int k = 0; k < kSplitKeys; k++) key[k] = whole ? min(key[k], start_key[k]) : start_key[k];
    EvaluateColumns(p, m, quarter, tile, *s, kBoxes, boxes,
                    [&](int, int, int, const uint32_t(&sum)[kSplitKeys], uint32_t base) {
                        TakeKeys(sum, base, key);
                    });
}

// Thread b notes the best of block b.
__device__ inline void SetState(const LaunchParams& p, cudame_mv prediction, uint32_t best,
                                Position at, SearchState* s) {
    const int b = threadIdx.x;
    s->key[b] = best;
    s->x[b] = static_cast<int16_t>(at.x);
    s->y[b] = static_cast<int16_t>(at.y);
    s->sad[b] = OrderOf(best) == 0 ? s->zero_sad[b]
                                   : (best >> kOrderBits) - Rate(p, prediction, 4 * at.y, 4 * at.x);
}

// The same, if its cost is less than what is known. best's order is not kept.
__device__ inline void ImproveState(const LaunchParams& p, cudame_mv prediction, uint32_t best,
                                    Position at, SearchState* s) {
    const int b = threadIdx.x;
    if ((best >> kOrderBits) >= (s->key[b] >> kOrderBits)) return;
    s->key[b] = best;
    s->x[b] = static_cast<int16_t>(at.x);
    s->y[b] = static_cast<int16_t>(at.y);
    s->sad[b] = (best >> kOrderBits) - Rate(p, prediction, 4 * at.y, 4 * at.x);
}

// A box of vectors all of whose legal ones were evaluated.
struct Searched {
    int x0, y0, x1, y1;
    // Whether it has all legal vectors within (rx, ry) of (x, y).
    __device__ bool Has(const DevWindow& window, int x, int y, int rx, int ry) const {
        return max(x - rx, window.x0) >= x0 && min(x + rx, window.x1) <= x1 &&
               max(y - ry, window.y0) >= y0 && min(y + ry, window.y1) <= y1;
    }
};

// The eight neighbours of each sub-block's own best vector, but for those that
// were searched. 64 units of 4x4 pixels, two threads for each: one for the
// first four neighbours, one for the last. Starts and ends behind a barrier.
__device__ inline void RefineBlocks(const LaunchParams& p, const Macroblock& m, Searched searched,
                                    SearchState* s) {
    const int half = threadIdx.x >> 6;
    const Unit unit = UnitOf(1 + (threadIdx.x >> 4 & 3), threadIdx.x & 15);
    const int cx = s->x[unit.block], cy = s->y[unit.block];
    uint32_t best = 0xffffffffu;
    if (__any_sync(0xffffffffu, !searched.Has(m.window, cx, cy, 1, 1))) {
        // Rows -1 to 3 hold the first four neighbours, 0 to 4 the others.
        const uint8_t* at =
            m.ref + static_cast<ptrdiff_t>(unit.y + cy - 1 + half) * p.ref_stride + unit.x + cx - 1;
        const uintptr_t a = reinterpret_cast<uintptr_t>(at);
        const uint32_t shift = static_cast<uint32_t>(a & 3) * 8;
        uint32_t low[5], high[5], src[4];
#pragma unroll
        for (int i = 0; i < 5; i++) {
            const uint32_t* w = reinterpret_cast<const uint32_t*>(
                (a & ~uintptr_t{3}) + static_cast<uintptr_t>(i * p.ref_stride));
            low[i] = __funnelshift_r(w[0], w[1], shift);
            high[i] = __funnelshift_r(w[1], w[2], shift);
        }
#pragma unroll
        for (int i = 0; i < 4; i++) src[i] = s->src[4 * (unit.y + i) + unit.x / 4];
#pragma unroll
        for (int n = 0; n < 4; n++) {
            // Of the first: three above, one on the left; of the last: one on
            // the right, three below.
            const int dx = half ? (n == 0 ? 1 : n - 2) : (n == 3 ? -1 : n - 1);
            const int dy = half ? (n == 0 ? 0 : 1) : (n == 3 ? 0 : -1);
            const uint32_t by = static_cast<uint32_t>(dx + 1) * 8;
            uint32_t sad = 0;
#pragma unroll
            for (int i = 0; i < 4; i++) {
                const bool second = half ? n != 0 : n == 3;  // row of the patch
                const uint32_t l = second ? low[i + 1] : low[i];
                const uint32_t h = second ? high[i + 1] : high[i];
                sad = Sad4(src[i], __funnelshift_r(l, h, by), sad);
            }
            sad = SumGroup(sad, unit.group);
            const int x = cx + dx, y = cy + dy;
            const uint32_t key = ((sad + Rate(p, m.prediction, 4 * y, 4 * x)) << kOrderBits) |
                                 static_cast<uint32_t>(3 * (dy + 1) + dx + 1);
            if (m.window.Contains(x, y)) best = min(best, key);
        }
    }
    if ((threadIdx.x & (unit.group - 1)) == 0) s->reduced[half][unit.block] = best;
    __syncthreads();
    const int b = threadIdx.x;
    if (b >= 1 && b < CUDAME_BLOCKS) {
        const uint32_t key = min(s->reduced[0][b], s->reduced[1][b]);
        const int at = OrderOf(key);
        ImproveState(p, m.prediction, key, {s->x[b] + at % 3 - 1, s->y[b] + at / 3 - 1}, s);
    }
    __syncthreads();
}

// Writes the record; all fields of it, so that equal results are equal bytes.
// What is left to the sub-pel kernel is not stored. Each thread stores block b.
template <Stage kStage, class State>
__device__ inline void StoreRecord(const RefParams& r, int mb, int blocks, int b, const State& s) {
    if (b >= CUDAME_BLOCKS) return;
    const bool valid = b < blocks;
    const cudame_mv mv = {static_cast<int16_t>(valid ? 4 * s.y[b] : 0),
                          static_cast<int16_t>(valid ? 4 * s.x[b] : 0)};
    if (kStage != kFinal) r.integer[mb * CUDAME_BLOCKS + b] = mv;
    if (kStage == kCoarse) return;
    cudame_mb* out = r.records + mb;
    if (kStage == kFinal) {
        out->mv[b] = mv;
        out->dist[b] = static_cast<uint16_t>(valid ? s.sad[b] : 0);
    }
    if (b == 0) {
        out->dist_zero = static_cast<uint16_t>(s.zero_sad[0]);
        out->flags = static_cast<uint16_t>((kStage == kFinal ? CUDAME_MB_FULLPEL : 0) |
                                           (blocks > 1 ? CUDAME_MB_SPLIT : 0));
        for (int i = 0; i < 3; i++) out->reserved[i] = 0;
        if (kStage == kFinal) r.best[mb] = mv;
    }
}

}  // namespace cudame

#endif  // CUDAME_CUDA_SEARCH_STATE_CUH_
