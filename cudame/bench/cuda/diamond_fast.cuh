// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// A hand-tuned kernel for the one-shot diamond of grossi-2018 section 3.3, for the 16x16 vector
// only. It takes the same parameters and gives the same results as the product's
// cudame_diamond_fast. One warp searches one macroblock. Only sums are needed, so four lanes share
// a vector: each has one of the macroblock's four columns of words, in registers.
//
// Vectors in one column of the diamond are four rows apart, so two words of a row of the reference
// serve all vectors of four neighbouring columns. A lane takes 18 vectors in two walks. The second
// walk comes from both ends, because the diamond is narrow there. A word holds two sums of 16 bits.
// The lanes that add them up share out the keys.

#ifndef CUDAME_BENCH_CUDA_DIAMOND_FAST_CUH_
#define CUDAME_BENCH_CUDA_DIAMOND_FAST_CUH_

#include <cstddef>

#include "cuda/integer_diamond.cuh"

namespace bench {
namespace fast {

using namespace cudame;

// A tile has the pixels of the diamond and of the refinement around its best vector. It starts
// kFastLeft pixels to the left of the centre. A vector's number is the cell of the tile that it
// points to; cells are in the maps' order.
constexpr int kFastLeft = (kMapX + 3) & ~3;
constexpr int kFastWords = (kFastLeft + kMapX + 16 + 3) / 4;
// The tile is loaded in pieces of 16 bytes, from the last multiple of 16 bytes before its start.
constexpr int kFastPieces = (15 + 4 * kFastWords + 15) / 16, kFastStride = 4 * kFastPieces;
constexpr int kFastRowsAtOnce = 32 / kFastPieces;
constexpr int kFastRefinementOrder = kSearchOrder + (kMapRows << 8);

// Offset of a box in the tile's memory. Four boxes are read at once, by halves, 16 banks apart: the
// better of the first two, and those of the seeds. All boxes are written at once, with at most two
// words for a bank.
__device__ inline int FastBox(int box) { return box ? 132 * (kBoxes - 1 - box) : 540; }
constexpr int kFastBoxWords = 540 + kBoxRows * kBoxStride;
constexpr int kFastTile = kMapRows * kFastStride;
static_assert(kFastBoxWords <= kFastTile, "the tile has room for the boxes");

struct FastState {
    alignas(16) uint32_t src[64];  // 16 rows of 4 words
    uint32_t upside_down[64];      // the same rows from the last to the first
    alignas(16) uint32_t tile[kFastTile];
    // Costs of the components of vectors around the diamond's centre.
    uint32_t col_costs[2 * kMapX + 2], row_costs[2 * kMapY + 1];
};

// The diamond's walks down or up the reference. Vectors in even columns start at rows 0, 4, ... of
// a walk, those in odd columns at rows 2, 6, ...
constexpr int kMiddleTop = -4, kMiddleEven = 3, kMiddleOdd = 2;
constexpr int kOuterTop = -12, kOuterEven = 2, kOuterOdd = 2, kOuterLeft = -8;
constexpr int kMiddleSums = 2 * kMiddleEven + 2 * kMiddleOdd;
constexpr int kOuterSums = 2 * kOuterEven + 2 * kOuterOdd;
// Also a vector that the walks leave out, and an unused sum.
constexpr int kFastSums = kMiddleSums + kOuterSums + 2;

// The vectors that the walks leave out; group n of four lanes takes vector n.
constexpr int kLeftVectors = 5;
constexpr Step LeftVector(int n) {
    return n == 0 ? Step{16, 0}
                  : Step{static_cast<int8_t>(n % 2 ? -9 : 9), static_cast<int8_t>(n < 3 ? -6 : 6)};
}

// The vector of sum n of a lane.
constexpr Step FastVector(int lane, int n) {
    const bool outer = n >= kMiddleSums;
    if (n >= kMiddleSums + kOuterSums) return LeftVector(lane / 4);
    const int i = outer ? n - kMiddleSums : n, even = outer ? kOuterEven : kMiddleEven;
    const int odd = outer ? kOuterOdd : kMiddleOdd;
    // Sums are in the order of columns 0, 2, 1 and 3.
    const int column = i < even ? 0 : i < 2 * even ? 2 : i < 2 * even + odd ? 1 : 3;
    const int row = column % 2 ? 2 + 4 * ((i - 2 * even) % odd) : 4 * (i % even);
    if (!outer)
        return {static_cast<int8_t>(lane / 4 * 4 - 16 + column),
                static_cast<int8_t>(kMiddleTop + row)};
    return {static_cast<int8_t>(kOuterLeft + lane / 4 % 4 * 4 + column),
            static_cast<int8_t>(lane < 16 ? kOuterTop + row : -kOuterTop - row)};
}

// The cells (row * 256 + column) of the sums that a lane has at the end. kNoCell, a column after
// the last one, stands for no sum.
constexpr int kFastKeys = 6, kNoCell = 2 * kMapX + 1;
struct FastMap {
    alignas(16) uint16_t cell[32][8];
};
constexpr FastMap MakeFastMap() {
    FastMap map{};
    for (int lane = 0; lane < 32; lane++)
        for (int i = 0; i < 8; i++) {
            // Lanes share out pairs of sums by their second bit, then by their first.
            const int pair = 3 * (lane & 1) + i / 2, n = 2 * (5 * (lane >> 1 & 1) + pair) + i % 2;
            const bool some = i < kFastKeys && pair < 5 && n < kFastSums - 1 &&
                              (n < kFastSums - 2 || lane / 4 < kLeftVectors);
            const Step v = FastVector(lane, some ? n : 0);
            map.cell[lane][i] = static_cast<uint16_t>(
                some && InDiamond(v.x, v.y) ? (v.y + kMapY) << 8 | (v.x + kMapX) : kNoCell);
        }
    return map;
}
constexpr bool HasDiamond(const FastMap& map) {
    for (const Step& step : kDiamond) {
        int found = 0;
        for (int i = 0; i < 32 * 8; i++)
            found += map.cell[i / 8][i % 8] == ((step.y + kMapY) << 8 | (step.x + kMapX));
        if (found != 1) return false;
    }
    return true;
}
static_assert(HasDiamond(MakeFastMap()), "every vector is some lane's");
__device__ const FastMap dev_fast_map = MakeFastMap();

// Adds a reference word of row i of a walk to the vectors that start at rows first, first + 4, ...
template <int kCount>
__device__ inline void AddWord(int i, int first, const uint32_t (&src)[16], uint32_t ref,
                               uint32_t* sad) {
#pragma unroll
    for (int n = 0; n < kCount; n++) {
        const int j = i - first - 4 * n;
        if (j >= 0 && j < 16) sad[n] = Sad4(src[j], ref, j ? sad[n] : 0);
    }
}

// Walks along a column of words. step: words from one row to the next.
template <int kEven, int kOdd>
__device__ inline void Walk(const uint32_t* at, int step, const uint32_t (&src)[16],
                            uint32_t* sad) {
    constexpr int kLastEven = 4 * (kEven - 1) + 15, kLastOdd = 4 * (kOdd - 1) + 17;
    constexpr int kRows = (kLastEven > kLastOdd ? kLastEven : kLastOdd) + 1;
#pragma unroll
    for (int i = 0; i < kRows; i++, at += step) {
        const uint32_t low = at[0], high = at[1];
        if (i <= kLastEven) {
            AddWord<kEven>(i, 0, src, low, sad);
            AddWord<kEven>(i, 0, src, __funnelshift_r(low, high, 16), sad + kEven);
        }
        if (i >= 2 && i <= kLastOdd) {
            AddWord<kOdd>(i, 2, src, __funnelshift_r(low, high, 8), sad + 2 * kEven);
            AddWord<kOdd>(i, 2, src, __funnelshift_r(low, high, 24), sad + 2 * kEven + kOdd);
        }
        EndOfRow();
    }
}

// Adds up kCount pairs of two lanes that differ in bit `mask`. Each lane keeps the sums of the
// first or of the second half of the pairs; the first half is rounded up.
template <int kCount>
__device__ inline void Share(uint32_t* pairs, int mask) {
    constexpr int kHalf = (kCount + 1) / 2;
    const bool upper = LaneOf() & mask;
#pragma unroll
    for (int i = 0; i < kHalf; i++) {
        const uint32_t second = kHalf + i < kCount ? pairs[kHalf + i] : 0;
        const uint32_t other = upper ? pairs[i] : second;
        pairs[i] = (upper ? second : pairs[i]) + __shfl_xor_sync(0xffffffffu, other, mask);
    }
}

// The words of five neighbouring vectors, `shift` bits after the start of the first of three words.
__device__ inline void LoadFive(const uint32_t* words, uint32_t shift, uint32_t (&ref)[5]) {
    ref[0] = __funnelshift_r(words[0], words[1], shift);
    ref[4] = __funnelshift_r(words[1], words[2], shift);
#pragma unroll
    for (int i = 1; i < 4; i++) ref[i] = __funnelshift_r(ref[0], ref[4], 8 * i);
}

// Finds the least key of the zero vector, the prediction, a box around the better of the two, and
// boxes around the seeds. Eight lanes share a box: each has a column of words of the macroblock's
// upper or lower half. The source must have been loaded.
__device__ inline uint32_t SearchSeedsFast(const IntegerParams& p, const IntegerParams::Ref& r,
                                           const Macroblock& m, FastState* s, Centres* centres,
                                           uint32_t* zero_sad) {
    const int lane = LaneOf();
    Centres& c = *centres;
    {
        const Position mine = BoxCentre(p, r, m, min(lane, kBoxes - 1));
        c.x = mine.x;
        c.y = mine.y;
    }
    // A box may extend beyond the window, but not beyond the plane's border.
    const int near_x = min(max(c.x, m.window.x0 - 2), m.window.x1 + 2);
    const int near_y = min(max(c.y, m.window.y0 - 2), m.window.y1 + 2);
    {  // load all boxes at once, with a lane for each word of a row
        const int box = min(lane / kBoxStride, kBoxes - 1), word = lane - box * kBoxStride;
        const int x = FromLane(near_x, box) - 2, y = FromLane(near_y, box) - 2;
        const uint8_t* from =
            m.ref + static_cast<ptrdiff_t>(y) * p.ref_stride + (x & ~3) + 4 * word;
        uint32_t* to = s->tile + FastBox(box) + word;
        if (word < kBoxStride) {
#pragma unroll
            for (int i = 0; i < kBoxRows; i++)
                to[i * kBoxStride] = *reinterpret_cast<const uint32_t*>(
                    from + static_cast<ptrdiff_t>(i) * p.ref_stride);
        }
    }
    __syncwarp();

    uint32_t key;
    {  // compare the first two centres, with a lane for each row
        const int half = lane >> 4, j = lane & 15;
        const int x = FromLane(c.x, half), y = FromLane(c.y, half);
        const uint32_t base = KeyBase(p, ColCost(p, m, x) + RowCost(p, m, y), half);
        const int byte = ((x - 2) & 3) + 2;
        uint32_t row[4], ref[4], sad = 0;
        LoadSourceRow(s->src, j, row);
        LoadFour(s->tile + FastBox(half) + (j + 2) * kBoxStride + (byte >> 2), 8 * (byte & 3), ref);
#pragma unroll
        for (int b = 0; b < 4; b++) sad = Sad4(row[b], ref[b], sad);
#pragma unroll
        for (int mask = 1; mask < 16; mask <<= 1) sad += __shfl_xor_sync(0xffffffffu, sad, mask);
        const uint32_t mine = sad * p.key_scale + base;
        // The zero vector wins if all costs saturate.
        constexpr uint32_t kSaturated = static_cast<uint32_t>(kMaxRate) << kOrderBits;
        const uint32_t zero = __shfl_sync(0xffffffffu, mine, 0);
        const uint32_t predicted = __shfl_sync(0xffffffffu, mine, 16);
        key = min(min(zero, predicted), kSaturated);
        c.start = min(predicted, kSaturated) >> kOrderBits < min(zero, kSaturated) >> kOrderBits;
        *zero_sad = __shfl_sync(0xffffffffu, sad, 0);
    }

    const int group = lane >> 3, box = group ? group + 1 : c.start;
    const int half = lane >> 2 & 1, column = lane & 3, n = min(lane & 7, 4) - 2;
    const uint32_t col_cost = ColCost(p, m, FromLane(c.x, box) + n);
    const uint32_t row_cost = RowCost(p, m, FromLane(c.y, box) + n);
    const uint32_t shift = static_cast<uint32_t>((FromLane(near_x, box) - 2) & 3) * 8;
    const uint32_t* at = s->tile + FastBox(box) + 8 * half * kBoxStride + column;
    uint32_t sad[25], src[8];
#pragma unroll
    for (int y = 0; y < 12; y++) {
        uint32_t ref[5];
        LoadFive(at + y * kBoxStride, shift, ref);
        if (y < 8) src[y] = s->src[4 * (8 * half + y) + column];
#pragma unroll
        for (int dy = 0; dy < 5; dy++) {
            if (y < dy || y > dy + 7) continue;
#pragma unroll
            for (int dx = 0; dx < 5; dx++)
                sad[5 * dy + dx] = Sad4(src[y - dy], ref[dx], y > dy ? sad[5 * dy + dx] : 0);
        }
        EndOfRow();
    }
    uint32_t pairs[13];
#pragma unroll
    for (int i = 0; i < 13; i++) pairs[i] = sad[2 * i] + (i < 12 ? sad[2 * i + 1] << 16 : 0);
    Share<13>(pairs, 4);
    Share<7>(pairs, 2);
    Share<4>(pairs, 1);
    const int pair = 4 * (lane >> 1 & 1) + 2 * (lane & 1);  // of seven
#pragma unroll
    for (int i = 0; i < 4; i++) {
        const int v = 2 * (7 * half + pair) + i;
        const int dy = v * 13 >> 6, dx = v - 5 * dy;  // a fifth, below 30
        const int from = lane & ~7;
        const uint32_t costs = __shfl_sync(0xffffffffu, col_cost, from + dx) +
                               __shfl_sync(0xffffffffu, row_cost, from + dy);
        const bool some = pair + i / 2 < 7 && v < kBoxSize;
        const uint32_t base =
            KeyBase(p, some ? costs : kBeyond, kStartOrder + kBoxSize * group + v);
        const uint32_t sum = i % 2 ? pairs[i / 2] >> 16 : pairs[i / 2] & 0xffff;
        key = min(key, sum * p.key_scale + base);
    }
    __syncwarp();  // before the caller overwrites the tile
    return WarpMin(key);
}

// The position that a cell of the tile around `at` stands for.
__device__ inline Position CellPosition(Position at, int cell) {
    return {at.x + (cell & 255) - kMapX, at.y + (cell >> 8) - kMapY};
}

__device__ inline void SearchMb(const IntegerParams& p, const IntegerParams::Ref& r,
                                const Macroblock& m, FastState& s) {
    const int lane = LaneOf();
    {
        const int x = m.col * kMb + (lane & 1) * 8, y = m.row * kMb + (lane >> 1);
        const uint2 two =
            *reinterpret_cast<const uint2*>(p.src + static_cast<ptrdiff_t>(y) * p.src_stride + x);
        *reinterpret_cast<uint2*>(s.src + 2 * lane) = two;
        *reinterpret_cast<uint2*>(s.upside_down + 2 * (lane ^ 30)) = two;
    }
    Centres c;
    uint32_t zero_sad;
    uint32_t best = SearchSeedsFast(p, r, m, &s, &c, &zero_sad);
    const Position at = SeedPosition(c, OrderOf(best));

    const uint32_t* const tile = s.tile + ((at.x - kFastLeft) >> 2 & 3);
    {  // shift while loading, so that all lanes later shift by the same amount
        static_assert(kMapRows % kFastRowsAtOnce == 0, "no row is loaded in part");
        const int y = lane / kFastPieces, piece = lane % kFastPieces, x = at.x - kFastLeft;
        const bool some = y < kFastRowsAtOnce;
        const uint8_t* from = m.ref +
                              static_cast<ptrdiff_t>(at.y - kMapY + (some ? y : 0)) * p.ref_stride +
                              (x & ~15) + 16 * piece;
        uint4* to = reinterpret_cast<uint4*>(s.tile) + lane;
        const uint32_t shift = static_cast<uint32_t>(x & 3) * 8;
#pragma unroll
        for (int i = 0; i < kMapRows / kFastRowsAtOnce; i++) {
            const uint4 w = *reinterpret_cast<const uint4*>(
                from + static_cast<ptrdiff_t>(i * kFastRowsAtOnce) * p.ref_stride);
            const uint32_t next = __shfl_sync(0xffffffffu, w.x, lane + 1);
            if (some)
                to[i * kFastRowsAtOnce * kFastPieces] =
                    make_uint4(__funnelshift_r(w.x, w.y, shift), __funnelshift_r(w.y, w.z, shift),
                               __funnelshift_r(w.z, w.w, shift), __funnelshift_r(w.w, next, shift));
        }
        for (int i = lane; i < 2 * kMapX + 2; i += 32)
            s.col_costs[i] = i < 2 * kMapX + 1 ? ColCost(p, m, at.x - kMapX + i) : kBeyond;
        if (lane < 2 * kMapY + 1) s.row_costs[lane] = RowCost(p, m, at.y - kMapY + lane);
    }
    __syncwarp();

    const int column = lane & 3, group = lane >> 2;
    uint32_t key = best;
    {
        uint32_t sad[kFastSums], src[16];
#pragma unroll
        for (int j = 0; j < 16; j++) src[j] = s.src[4 * j + column];
        Walk<kMiddleEven, kMiddleOdd>(
            tile + (kMapY + kMiddleTop) * kFastStride + (kFastLeft - 16) / 4 + group + column,
            kFastStride, src, sad);
        {
            const Step v = LeftVector(min(group, kLeftVectors - 1));
            const int x = kFastLeft + v.x;
            const uint32_t* from = tile + (kMapY + v.y) * kFastStride + (x >> 2) + column;
            const uint32_t shift = static_cast<uint32_t>(x & 3) * 8;
            uint32_t sum = 0;
#pragma unroll
            for (int j = 0; j < 16; j++, from += kFastStride)
                sum = Sad4(src[j], __funnelshift_r(from[0], from[1], shift), sum);
            sad[kFastSums - 2] = sum;
            sad[kFastSums - 1] = 0;
        }
        // Walk down above the middle, and up below it.
        const bool below = lane & 16;
        const uint32_t* from = (below ? s.upside_down : s.src) + column;
#pragma unroll
        for (int j = 0; j < 16; j++) src[j] = from[4 * j];
        const int row = below ? kMapY - kOuterTop + 15 : kMapY + kOuterTop;
        Walk<kOuterEven, kOuterOdd>(
            tile + row * kFastStride + (kFastLeft + kOuterLeft) / 4 + (group & 3) + column,
            below ? -kFastStride : kFastStride, src, sad + kMiddleSums);

        uint32_t pairs[kFastSums / 2];
#pragma unroll
        for (int i = 0; i < kFastSums / 2; i++) pairs[i] = sad[2 * i] + (sad[2 * i + 1] << 16);
        static_assert(kFastSums / 2 == 10, "as MakeFastMap() shares them out");
        Share<10>(pairs, 2);
        Share<5>(pairs, 1);
        const uint4 cells = *reinterpret_cast<const uint4*>(dev_fast_map.cell[lane]);
        const uint32_t two[kFastKeys / 2] = {cells.x, cells.y, cells.z};
#pragma unroll
        for (int i = 0; i < kFastKeys; i++) {
            const uint32_t cell = i % 2 ? two[i / 2] >> 16 : two[i / 2] & 0xffff;
            const uint32_t costs = s.col_costs[cell & 255] + s.row_costs[cell >> 8];
            const uint32_t sum = i % 2 ? pairs[i / 2] >> 16 : pairs[i / 2] & 0xffff;
            key = min(key,
                      sum * p.key_scale + KeyBase(p, costs, kSearchOrder + static_cast<int>(cell)));
        }
        best = WarpMin(key);
    }

    // The refinement. Four lanes have two rows of the macroblock for all 15 vectors.
    const bool moved = OrderOf(best) >= kSearchOrder;
    const Position now = moved ? CellPosition(at, OrderOf(best) - kSearchOrder) : at;
    {
        const int x = now.x - at.x, y = now.y - at.y, in_tile = kFastLeft + x - 2;
        const uint32_t* from =
            tile + (kMapY + y - 1 + 2 * group) * kFastStride + (in_tile >> 2) + column;
        const uint32_t shift = static_cast<uint32_t>(in_tile & 3) * 8;
        uint32_t sad[15], src[2];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            uint32_t ref[5];
            LoadFive(from + i * kFastStride, shift, ref);
            if (i < 2) src[i] = s.src[4 * (2 * group + i) + column];
#pragma unroll
            for (int dy = 0; dy < 3; dy++) {
                if (i < dy || i > dy + 1) continue;
#pragma unroll
                for (int dx = 0; dx < 5; dx++)
                    sad[5 * dy + dx] = Sad4(src[i - dy], ref[dx], i > dy ? sad[5 * dy + dx] : 0);
            }
        }
        uint32_t pairs[8];
#pragma unroll
        for (int i = 0; i < 8; i++) pairs[i] = sad[2 * i] + (i < 7 ? sad[2 * i + 1] << 16 : 0);
        Share<8>(pairs, 16);
        Share<4>(pairs, 8);
        Share<2>(pairs, 4);
#pragma unroll
        for (int mask = 1; mask < 4; mask <<= 1)
            pairs[0] += __shfl_xor_sync(0xffffffffu, pairs[0], mask);
        const int n = (lane >> 4 & 1) * 8 + (lane >> 3 & 1) * 4 + (lane >> 2 & 1) * 2 + (lane & 1);
        const int v = min(n, static_cast<int>(kRefinement.size()) - 1), dy = v * 13 >> 6;
        const uint32_t costs =
            s.col_costs[x + v - 5 * dy - 2 + kMapX] + s.row_costs[y + dy - 1 + kMapY];
        const uint32_t sum = lane & 1 ? pairs[0] >> 16 : pairs[0] & 0xffff;
        const uint32_t base = v == n ? KeyBase(p, costs, kFastRefinementOrder + v) : kNoBase;
        best = WarpMin(min(best, sum * p.key_scale + base));
    }
    Position found = now;
    if (OrderOf(best) >= kFastRefinementOrder) {
        const int v = OrderOf(best) - kFastRefinementOrder, dy = v * 13 >> 6;
        found = {now.x + v - 5 * dy - 2, now.y + dy - 1};
    }

    const uint32_t sad =
        OrderOf(best) == 0
            ? zero_sad
            : (best >> kOrderBits) -
                  static_cast<uint32_t>(Rate(p, m.prediction, 4 * found.y, 4 * found.x));
    const uint32_t mv = static_cast<uint16_t>(4 * found.y) | static_cast<uint32_t>(4 * found.x)
                                                                 << 16;
    static_assert(sizeof(cudame_mb) == sizeof(uint4) && offsetof(cudame_mb, dist) == 4 &&
                      offsetof(cudame_mb, dist_zero) == 6 && offsetof(cudame_mb, flags) == 8,
                  "a record is stored at once");
    if (lane) return;
    reinterpret_cast<uint4*>(r.records)[m.index] =
        make_uint4(mv, sad | zero_sad << 16, CUDAME_MB_FULLPEL, 0);
    *reinterpret_cast<uint32_t*>(r.best + m.index) = mv;
}

// The kernel.
__device__ inline void Search(const IntegerParams& p) {
    __shared__ __align__(16) FastState states[kListMbs];
    const int warp = static_cast<int>(threadIdx.x >> 5);
    const int col = static_cast<int>(blockIdx.y) * kListMbs + warp;
    const IntegerParams::Ref& r = RefOf(p);
    if (col < p.mb_cols) SearchMb(p, r, MacroblockAt(p, r, RowOf(p), col), states[warp]);
    FinishBlock<kListMbs>(p);
}

}  // namespace fast
}  // namespace bench

#endif  // CUDAME_BENCH_CUDA_DIAMOND_FAST_CUH_
