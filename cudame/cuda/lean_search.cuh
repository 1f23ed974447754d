// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The whole-pixel part of the lean search. One warp searches one macroblock. It evaluates eight
// vectors at a time with four lanes per vector, one for each 8x8 quarter. All lanes know the best
// 16x16 vector. For its quarter, and for one of the four 16x8 and 8x16 halves, a lane keeps the
// best of the vectors that it evaluated itself; the lanes compare these at the end. Reference
// pixels near most vectors come from shared memory, because each row of device memory that a warp
// reads costs a cache lookup.

#ifndef CUDAME_CUDA_LEAN_SEARCH_CUH_
#define CUDAME_CUDA_LEAN_SEARCH_CUH_

#include "common/lean.h"
#include "cuda/integer_diamond.cuh"
#include "cuda/lean_params.h"

namespace cudame {

struct LeanBest {
    int x, y;
    uint32_t cost, sad;
};

// Offset of neighbour n of a vector, 0 <= n < 8, in raster order.
__device__ inline Position NeighbourOf(int n) {
    const int at = n + (n >= 4);
    return {at % 3 - 1, at / 3 - 1};
}

// SAD of quarter q of the macroblock at a vector, with pixels from device memory.
__device__ inline uint32_t QuarterSad(const SearchParams& p, const Macroblock& m,
                                      const uint32_t* src, int q, int x, int y) {
    const int stride = p.ref_stride;
    const uint8_t* ref =
        m.ref + static_cast<ptrdiff_t>(y + 8 * (q >> 1)) * stride + x + 8 * (q & 1);
    const uintptr_t at = reinterpret_cast<uintptr_t>(ref);
    const uint8_t* from = ref - (at & 3);
    const uint32_t shift = static_cast<uint32_t>(at & 3) * 8;
    uint32_t sad = 0;
#pragma unroll
    for (int i = 0; i < 8; i++) {
        const uint32_t* w =
            reinterpret_cast<const uint32_t*>(from + static_cast<ptrdiff_t>(i) * stride);
        const uint32_t w0 = __ldg(w), w1 = __ldg(w + 1), w2 = __ldg(w + 2);
        const uint2 s = *reinterpret_cast<const uint2*>(src + 4 * (8 * (q >> 1) + i) + 2 * (q & 1));
        sad = Sad4(s.x, __funnelshift_r(w0, w1, shift), sad);
        sad = Sad4(s.y, __funnelshift_r(w1, w2, shift), sad);
    }
    return sad;
}

// A window of reference pixels in shared memory. It serves the vectors from (x0, y0) to
// (x0 + kLeanReachX, y0 + kLeanReachY).
constexpr int kLeanRows = 32, kLeanRowWords = 12;
constexpr int kLeanReachX = 4 * kLeanRowWords - 16, kLeanReachY = kLeanRows - 16;
// Words of the rows, plus one that is read beyond the last; a multiple of 16 bytes.
constexpr int kLeanPixels = kLeanRows * kLeanRowWords + 4;
constexpr int kNoWindow = 1 << 20;  // x0 of an empty window
struct LeanWindow {
    uint32_t* pixels;
    int x0, y0;
    __device__ bool Has(int x, int y) const {
        return static_cast<unsigned>(x - x0) <= static_cast<unsigned>(kLeanReachX) &&
               static_cast<unsigned>(y - y0) <= static_cast<unsigned>(kLeanReachY);
    }
    __device__ bool HasBox(int x, int y) const { return Has(x - 1, y - 1) && Has(x + 1, y + 1); }
};

// Fetches the window around a legal vector; each lane fetches a row. Rows beyond the plane's border
// are clamped, because no legal vector reads them.
__device__ inline void FetchWindow(const SearchParams& p, const Macroblock& m, int x, int y,
                                   LeanWindow* w) {
    const int left = (m.col * kMb + x - kLeanReachY / 2) & ~15;
    w->x0 = left - m.col * kMb;
    w->y0 = y - kLeanReachY / 2;
    const int row = min(max(w->y0 + LaneOf(), -CUDAME_REF_BORDER - m.row * kMb),
                        (p.mb_rows - m.row) * kMb + CUDAME_REF_BORDER - 1);
    const uint4* from =
        reinterpret_cast<const uint4*>(m.ref + static_cast<ptrdiff_t>(row) * p.ref_stride + w->x0);
    uint4* to = reinterpret_cast<uint4*>(w->pixels + LaneOf() * kLeanRowWords);
    const uint4 four[3] = {from[0], from[1], from[2]};
    __syncwarp();
#pragma unroll
    for (int i = 0; i < 3; i++) to[i] = four[i];
    __syncwarp();
}

// As QuarterSad(), with pixels from shared memory. (x, y): position of the predicted macroblock
// there. The lower quarters start with their fifth row, so that they and the upper quarters read
// different banks.
template <int kRowWords>
__device__ inline uint32_t QuarterSadNear(const uint32_t* pixels, const uint32_t* src, int q, int x,
                                          int y) {
    const int row = 8 * (q >> 1), turn = 4 * (q >> 1);
    x += 8 * (q & 1);
    const uint32_t shift = static_cast<uint32_t>(x & 3) * 8;
    const uint32_t* ref = pixels + (y + row) * kRowWords + (x >> 2);
    const uint32_t* of = src + 4 * row + 2 * (q & 1);
    uint32_t sad = 0;
#pragma unroll
    for (int half = 0; half < 2; half++) {
        const int first = half ? -turn : turn;
        const uint32_t* at = ref + first * kRowWords;
        const uint32_t* from = of + first * 4;
#pragma unroll
        for (int i = 4 * half; i < 4 * half + 4; i++) {
            const uint32_t* w = at + i * kRowWords;
            const uint2 s = *reinterpret_cast<const uint2*>(from + 4 * i);
            const uint32_t w0 = w[0], w1 = w[1], w2 = w[2];
            sad = Sad4(s.x, __funnelshift_r(w0, w1, shift), sad);
            sad = Sad4(s.y, __funnelshift_r(w1, w2, shift), sad);
        }
    }
    return sad;
}

// The best vector of a block that a lane evaluated itself. A key is a cost above a vector's number,
// so that the first of equal costs wins. The number is 8 * round + index within the eight.
struct LeanLaneBest {
    uint32_t key, sad;
    cudame_mv v;  // whole pixels
};

__device__ inline cudame_mv PixelVector(int x, int y) {
    return {static_cast<int16_t>(y), static_cast<int16_t>(x)};
}
__device__ inline uint32_t PackVector(cudame_mv v) {
    return static_cast<uint32_t>(static_cast<uint16_t>(v.row)) << 16 | static_cast<uint16_t>(v.col);
}
__device__ inline cudame_mv UnpackVector(uint32_t v) {
    return {static_cast<int16_t>(v >> 16), static_cast<int16_t>(v & 0xffff)};
}

struct LeanWarp {
    LeanBest whole;
    LeanLaneBest part, quarter;  // part: one of the 16x8 and 8x16 blocks
    int round;                   // the next round of eight vectors, from 1 on
};

// SADs and rate of the vector that a lane helped to evaluate.
struct LeanSums {
    uint32_t whole, part, quarter, rate;
};

__device__ inline uint32_t LeanCost(uint32_t sad, uint32_t rate) {
    return min(sad + rate, static_cast<uint32_t>(kMaxRate));
}

__device__ inline void KeepLower(uint32_t sad, uint32_t rate, uint32_t number, int x, int y,
                                 LeanLaneBest* best) {
    const uint32_t key = LeanCost(sad, rate) << kOrderBits | number;
    if (key >= best->key) return;
    *best = {key, sad, PixelVector(x, y)};
}

// Evaluates eight vectors for all blocks. (x, y): the vector of this lane's group of four lanes.
__device__ inline LeanSums EvaluateEight(const SearchParams& p, const Macroblock& m,
                                         const uint32_t* src, const LeanWindow& window, int x,
                                         int y, LeanWarp* best) {
    const int lane = LaneOf(), q = lane & 3;
    const bool valid = m.window.Contains(x, y);
    uint32_t sad = 0, rate = 0;
    if (valid) {
        sad = window.Has(x, y) ? QuarterSadNear<kLeanRowWords>(window.pixels, src, q, x - window.x0,
                                                               y - window.y0)
                               : QuarterSad(p, m, src, q, x, y);
        rate = static_cast<uint32_t>(Rate(p, m.prediction, 4 * y, 4 * x));
    }
    const uint32_t row = sad + __shfl_xor_sync(0xffffffffu, sad, 1);
    const uint32_t col = sad + __shfl_xor_sync(0xffffffffu, sad, 2);
    const uint32_t whole = row + __shfl_xor_sync(0xffffffffu, row, 2);
    const uint32_t part = q == 0 ? row : q == 1 ? whole - row : col;
    const uint32_t number = static_cast<uint32_t>(8 * best->round++ + (lane >> 2));
    if (valid) {
        KeepLower(part, rate, number, x, y, &best->part);
        KeepLower(sad, rate, number, x, y, &best->quarter);
    }
    const uint32_t key = WarpMin(valid ? LeanCost(whole, rate) << 3 | (number & 7) : 0xffffffffu);
    if (key >> 3 < best->whole.cost) {
        const int winner = static_cast<int>(key & 7) * 4;
        best->whole = {FromLane(x, winner), FromLane(y, winner), key >> 3,
                       __shfl_sync(0xffffffffu, whole, winner)};
    }
    return {whole, part, sad, rate};
}

// Returns the best vector that any lane evaluated for this lane's block.
__device__ inline LeanBest LowestOf(const LeanLaneBest& mine) {
    uint32_t key = mine.key;
#pragma unroll
    for (int m = 4; m < 32; m <<= 1) key = min(key, __shfl_xor_sync(0xffffffffu, key, m));
    const int winner = static_cast<int>(key & 7) * 4 + (LaneOf() & 3);
    const cudame_mv v = UnpackVector(__shfl_sync(0xffffffffu, PackVector(mine.v), winner));
    return {v.col, v.row, key >> kOrderBits, __shfl_sync(0xffffffffu, mine.sad, winner)};
}

// Makes an earlier result a lane's best. Its number 0 comes before all others.
__device__ inline LeanLaneBest AsFirst(const LeanBest& v) {
    return {v.cost << kOrderBits, v.sad, PixelVector(v.x, v.y)};
}

// The previous field's vector at the macroblock (n = 0), or above (1), left (2), right (3) or
// below (4).
__device__ inline cudame_mv NearVector(const SearchParams& p, const RefParams& r,
                                       const Macroblock& m, int n) {
    const int up = n == 1 && m.row, left = n == 2 && m.col;
    const int right = n == 3 && m.col + 1 < p.mb_cols, down = n == 4 && m.row + 1 < p.mb_rows;
    return r.previous[m.index + (down - up) * p.mb_cols + right - left];
}

// Vector n of the coarse macroblock, in whole pixels of the frame.
__device__ inline Position LeanSeed(const LeanParams& p, const LeanParams::Ref& r,
                                    const Macroblock& m, int n) {
    const int coarse = m.row / kCoarseScale * p.coarse_cols + m.col / kCoarseScale;
    const cudame_mv v = r.coarse[coarse * CUDAME_BLOCKS + LeanCoarseBlock(n)];
    return {v.col, v.row};  // a quarter pixel of the coarse level is a pixel of the frame
}

// The prediction that rates of whole-pixel vectors are relative to.
__device__ inline cudame_mv LeanRatesAgainst(const LeanParams& p, const LeanParams::Ref& r,
                                             const Macroblock& m) {
    if (r.previous) {
        return MedianPrediction(m.co_located, NearVector(p, r, m, 1), NearVector(p, r, m, 2),
                                NearVector(p, r, m, 3), NearVector(p, r, m, 4));
    }
    const Position seed = LeanSeed(p, r, m, LeanCoarseQuarter(m.row, m.col));
    return {static_cast<int16_t>(4 * seed.y), static_cast<int16_t>(4 * seed.x)};
}

__device__ inline Position ClampTo(const DevWindow& window, Position v) {
    return {min(max(v.x, window.x0), window.x1), min(max(v.y, window.y0), window.y1)};
}

// Returns candidate i to lanes 4 * i to 4 * i + 3. Candidate 0 is the zero vector.
__device__ inline Position LeanCandidate(const LeanParams& p, const LeanParams::Ref& r,
                                         const Macroblock& m) {
    const int i = LaneOf() >> 2;
    if (i == 0) return {0, 0};
    if (!LeanDescends(p.level, static_cast<int>(blockIdx.x))) {
        if (i > 1 || !r.previous) return {0, 0};
        return ClampTo(m.window, {(m.co_located.col + 2) >> 2, (m.co_located.row + 2) >> 2});
    }
    const Position quarter = LeanSeed(p, r, m, LeanCoarseQuarter(m.row, m.col));
    const Position whole = LeanSeed(p, r, m, 0);
    if (!r.previous) return ClampTo(m.window, i == 1 ? quarter : whole);
    if (i >= 6) return ClampTo(m.window, i == 6 ? quarter : whole);
    const cudame_mv near = NearVector(p, r, m, i - 1);
    return ClampTo(m.window, {(near.col + 2) >> 2, (near.row + 2) >> 2});
}

// Evaluates the eight neighbours of each candidate. Skips a candidate that equals an earlier one,
// or `but` unless that is NULL. candidate: as LeanCandidate() returns it.
__device__ inline void TryBoxes(const SearchParams& p, const Macroblock& m, const uint32_t* src,
                                const LeanWindow& window, Position candidate, const Position* but,
                                LeanWarp* best) {
    const int mine = LaneOf() >> 2;
    const Position step = NeighbourOf(mine);
    int tried = but && candidate.x == but->x && candidate.y == but->y;
#pragma unroll 1
    for (int n = 0; n < 7; n++) {
        const int x = FromLane(candidate.x, 4 * n), y = FromLane(candidate.y, 4 * n);
        tried |= n < mine && candidate.x == x && candidate.y == y;
    }
#pragma unroll 1
    for (int n = 0; n < 8; n++) {
        const int x = FromLane(candidate.x, 4 * n), y = FromLane(candidate.y, 4 * n);
        if (!FromLane(tried, 4 * n)) EvaluateEight(p, m, src, window, x + step.x, y + step.y, best);
    }
}

// Moves the best vector to its best neighbour until no neighbour is better, at most
// kLeanMoves times.
__device__ inline void Descend(const SearchParams& p, const Macroblock& m, const uint32_t* src,
                               LeanWindow* window, LeanWarp* best) {
    const Position step = NeighbourOf(LaneOf() >> 2);
#pragma unroll 1
    for (int move = 0; move < kLeanMoves; move++) {
        const int x = best->whole.x, y = best->whole.y;
        if (!window->HasBox(x, y)) FetchWindow(p, m, x, y, window);
        EvaluateEight(p, m, src, *window, x + step.x, y + step.y, best);
        if (best->whole.x == x && best->whole.y == y) break;
    }
}

// Evaluates a wide cross around the best vector, then rings around the best of that.
__device__ inline void LookFar(const LeanParams& p, const Macroblock& m, const uint32_t* src,
                               LeanWindow* window, LeanWarp* best) {
    const int i = LaneOf() >> 2;
    int x = best->whole.x, y = best->whole.y;
#pragma unroll 1
    for (int first = 0; first < kLeanFarCross; first += 8) {
        // Repeat the last vector in the last round. Vectors of the vertical arm need a new window
        // for every few rows.
        const LeanVector v = LeanFarCross(min(first + i, kLeanFarCross - 1));
        const LeanVector top = LeanFarCross(first);
        if (!top.x && !(window->Has(x, y + top.y) && window->Has(x, y + top.y + 7))) {
            const Position at = ClampTo(m.window, {x, y + top.y + kLeanReachY / 2});
            FetchWindow(p, m, at.x, at.y, window);
        }
        EvaluateEight(p, m, src, *window, x + v.x, y + v.y, best);
    }
    x = best->whole.x;
    y = best->whole.y;
    if (p.level.rings) FetchWindow(p, m, x, y, window);
#pragma unroll 1
    for (int n = i; n < p.level.rings * kLeanRing; n += 8) {
        const LeanVector v = LeanRing(n);
        EvaluateEight(p, m, src, *window, x + v.x, y + v.y, best);
    }
}

// Stores vectors, costs and SADs of all blocks. Leaves LeanFound::sad_zero and ::alone unchanged.
__device__ inline void StoreVectors(const LeanParams::Ref& r, const Macroblock& m,
                                    const LeanWarp& best) {
    const LeanBest part = LowestOf(best.part), quarter = LowestOf(best.quarter);
    const int lane = LaneOf();
    if (lane >= 4) return;
    LeanFound* found = r.found + m.index;
    const auto store = [&](int b, const LeanBest& v) {
        r.integer[m.index * CUDAME_BLOCKS + b] = {static_cast<int16_t>(4 * v.y),
                                                  static_cast<int16_t>(4 * v.x)};
        found->cost[b] = static_cast<uint16_t>(v.cost);
        found->sad[b] = static_cast<uint16_t>(v.sad);
    };
    store(CUDAME_BLOCK_16X8 + lane, part);
    store(CUDAME_BLOCK_8X8 + lane, quarter);
    if (lane == 0) store(0, best.whole);
}

__device__ inline LeanWarp LoadVectors(const LeanParams::Ref& r, const Macroblock& m) {
    const int q = LaneOf() & 3;
    const LeanFound& found = r.found[m.index];
    const auto load = [&](int b) {
        const cudame_mv v = r.integer[m.index * CUDAME_BLOCKS + b];
        return LeanBest{v.col >> 2, v.row >> 2, found.cost[b], found.sad[b]};
    };
    return {load(0), AsFirst(load(CUDAME_BLOCK_16X8 + q)), AsFirst(load(CUDAME_BLOCK_8X8 + q)), 1};
}

// The index in p.drawn.list at which the launch's list of drawn macroblocks starts.
__device__ inline uint32_t ListStart(const LeanParams& p) {
    return static_cast<uint32_t>(p.first_row * p.mb_cols * p.searches);
}

// Stores the vector that `pass` reads. Lane 0 calls it.
__device__ inline void StoreSpread(const LeanParams& p, const Macroblock& m, int pass,
                                   const LeanBest& v) {
    p.spread[pass & 1][m.index] = {static_cast<int16_t>(v.y), static_cast<int16_t>(v.x)};
}

// The search kernel.
__device__ inline void SearchLean(const LeanParams& p) {
    __shared__ __align__(16) uint32_t sources[kLeanMbs][64], pixels[kLeanMbs][kLeanPixels];
    const int warp = static_cast<int>(threadIdx.x >> 5), lane = LaneOf();
    const int col = static_cast<int>(blockIdx.y) * kLeanMbs + warp;
    const int search = static_cast<int>(blockIdx.x);
    if (col >= p.mb_cols) return;
    uint32_t* src = sources[warp];
    const LeanParams::Ref& r = RefOf(p);
    Macroblock m = MacroblockAt(p, r, RowOf(p), col);
    LoadSourceWarp(p, m, src);
    m.prediction = LeanRatesAgainst(p, r, m);
    const Position candidate = LeanCandidate(p, r, m);
    const bool descends = LeanDescends(p.level, search);
    LeanWindow window = {pixels[warp], kNoWindow, 0};
    if (descends)
        FetchWindow(p, m, FromLane(candidate.x, 4), FromLane(candidate.y, 4), &window);
    else
        __syncwarp();

    constexpr LeanLaneBest kNone = {0xffffffffu, 0, {0, 0}};
    LeanWarp best = {{0, 0, 0xffffffffu, 0}, kNone, kNone, 1};
    const LeanSums sums = EvaluateEight(p, m, src, window, candidate.x, candidate.y, &best);
    const uint32_t sad_zero = __shfl_sync(0xffffffffu, sums.whole, 0);
    const uint32_t still = static_cast<uint32_t>(p.still);
    if (2 * sad_zero <= still) {
        const uint32_t rate = __shfl_sync(0xffffffffu, sums.rate, 0);
        const auto zero = [&](uint32_t sum) {
            const uint32_t sad = __shfl_sync(0xffffffffu, sum, lane & 3);
            return LeanBest{0, 0, LeanCost(sad, rate), sad};
        };
        best.whole = zero(sums.whole);
        best.part = AsFirst(zero(sums.part));
        best.quarter = AsFirst(zero(sums.quarter));
    } else if (best.whole.sad > still && descends) {
        if (p.level.box) TryBoxes(p, m, src, window, candidate, nullptr, &best);
        if (LeanLooksFar(search, m.row, m.col) &&
            best.whole.sad > static_cast<uint32_t>(p.level.poor * kMb * kMb))
            LookFar(p, m, src, &window, &best);
        Descend(p, m, src, &window, &best);
    }
    StoreVectors(r, m, best);
    if (lane) return;
    r.found[m.index].sad_zero = static_cast<uint16_t>(sad_zero);
    const int alone = p.level.alone * p.sad_per_bit;
    r.found[m.index].alone = best.whole.sad <= static_cast<uint32_t>(alone);
    if (!search) StoreSpread(p, m, 0, best.whole);
}

// ---- the coarse level -------------------------------------------------------

// A thread block of kLeanCoarseWarps warps searches each coarse macroblock, because there are few
// of them. Warps share out the vectors in groups of eight, as above. A lane keeps the best keys of
// its quarter and of the macroblock.
struct LeanCoarseKeys {
    uint32_t whole, quarter;
};

// Shared memory holds the pixels of all vectors: those of the cross and the grid, and the farthest
// that the following steps can move. A row starts at a multiple of 16 bytes.
constexpr int kLeanCoarseReach = kLeanCross + kLeanGridStep - 1;
constexpr int kLeanCoarseRows = 16 + 2 * kLeanCoarseReach, kLeanCoarseFours = 7;
constexpr int kLeanCoarseLeft = (kLeanCoarseReach + 15) / 16 * 16;
constexpr int kLeanCoarseWords = 4 * kLeanCoarseFours;
static_assert(kLeanCoarseLeft + kLeanCoarseReach + 16 < 16 * kLeanCoarseFours,
              "rows have all pixels");
constexpr bool LeanGridsFit() {
    for (const LeanLevel& level : kLeanLevel)
        if (level.grid > kLeanCross) return false;
    return true;
}
static_assert(LeanGridsFit(), "the grid lies within the cross's reach");

__device__ inline void EvaluateCoarse(const Macroblock& m, const uint32_t* pixels,
                                      const uint32_t* src, Position v, int order, bool wanted,
                                      LeanCoarseKeys* keys) {
    const bool valid = wanted && m.window.Contains(v.x, v.y);
    const uint32_t sad =
        valid ? QuarterSadNear<kLeanCoarseWords>(pixels, src, LaneOf() & 3, v.x + kLeanCoarseLeft,
                                                 v.y + kLeanCoarseReach)
              : 0;
    uint32_t sum = sad + __shfl_xor_sync(0xffffffffu, sad, 1);
    sum += __shfl_xor_sync(0xffffffffu, sum, 2);
    if (!valid) return;
    keys->whole = min(keys->whole, sum << kOrderBits | static_cast<uint32_t>(order));
    keys->quarter = min(keys->quarter, sad << kOrderBits | static_cast<uint32_t>(order));
}

// Finds the least keys of the five blocks over all lanes and warps. The caller must not reuse
// `shared` before the next barrier.
__device__ inline void LeastOfBlock(const LeanCoarseKeys& keys,
                                    uint32_t (&shared)[kLeanCoarseWarps][kLeanCoarseBlocks],
                                    uint32_t (&least)[kLeanCoarseBlocks]) {
    const int warp = static_cast<int>(threadIdx.x >> 5), lane = LaneOf();
    const uint32_t whole = WarpMin(keys.whole);
    uint32_t quarter = keys.quarter;
#pragma unroll
    for (int mask = 4; mask < 32; mask <<= 1)
        quarter = min(quarter, __shfl_xor_sync(0xffffffffu, quarter, mask));
    if (lane == 0) shared[warp][0] = whole;
    if (lane < 4) shared[warp][1 + lane] = quarter;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < kLeanCoarseBlocks; i++)
        least[i] = WarpMin(shared[lane % kLeanCoarseWarps][i]);
}

// The coarse kernel.
__device__ inline void SearchLeanCoarse(const LeanCoarseParams& p) {
    __shared__ __align__(16) uint32_t src[64];
    __shared__ uint32_t shared[2][kLeanCoarseWarps][kLeanCoarseBlocks];
    __shared__ uint4 pixels[kLeanCoarseRows * kLeanCoarseFours];
    const int warp = static_cast<int>(threadIdx.x >> 5), lane = LaneOf();
    const LeanCoarseParams::Ref& r = RefOf(p);
    const Macroblock m = MacroblockAt(p, r, RowOf(p), static_cast<int>(blockIdx.y));
    for (int i = static_cast<int>(threadIdx.x); i < 64; i += 32 * kLeanCoarseWarps)
        src[i] = SmallPixels(p.src, p.src_stride, p.src_width, p.src_height,
                             m.col * kMb + (i & 3) * 4, m.row * kMb + (i >> 2));
    __syncthreads();
    cudame_mv* out = r.integer + m.index * CUDAME_BLOCKS;
    {
        uint32_t sum = lane < 4 ? QuarterSad(p, m, src, lane, 0, 0) : 0;
        for (int mask = 1; mask < 4; mask <<= 1) sum += __shfl_xor_sync(0xffffffffu, sum, mask);
        if (__shfl_sync(0xffffffffu, sum, 0) <= static_cast<uint32_t>(p.still)) {
            if (threadIdx.x < kLeanCoarseBlocks) out[LeanCoarseBlock(lane)] = {0, 0};
            return;
        }
    }
    // No legal vector reads pixels beyond the plane's border.
    for (int i = static_cast<int>(threadIdx.x); i < kLeanCoarseRows * kLeanCoarseFours;
         i += 32 * kLeanCoarseWarps) {
        const int x = m.col * kMb - kLeanCoarseLeft + 16 * (i % kLeanCoarseFours);
        const int y = m.row * kMb - kLeanCoarseReach + i / kLeanCoarseFours;
        if (x >= -CUDAME_REF_BORDER && x + 16 <= p.mb_cols * kMb + CUDAME_REF_BORDER &&
            y >= -CUDAME_REF_BORDER && y < p.mb_rows * kMb + CUDAME_REF_BORDER)
            pixels[i] = *reinterpret_cast<const uint4*>(
                r.plane + static_cast<ptrdiff_t>(y) * p.ref_stride + x);
    }
    __syncthreads();
    const uint32_t* words = reinterpret_cast<const uint32_t*>(pixels);

    constexpr int kAtOnce = 8 * kLeanCoarseWarps;
    const int mine = lane >> 2;
    LeanCoarseKeys keys = {0xffffffffu, 0xffffffffu};
    const int count = LeanCoarseVectors(p.level);
    for (int n = 8 * warp; n < count; n += kAtOnce) {
        const LeanVector v = LeanCoarseVector(p.level, n + mine);
        EvaluateCoarse(m, words, src, {v.x, v.y}, n + mine, n + mine < count, &keys);
    }
    uint32_t least[kLeanCoarseBlocks], cost[kLeanCoarseBlocks];
    LeastOfBlock(keys, shared[0], least);
    Position best[kLeanCoarseBlocks];
#pragma unroll
    for (int i = 0; i < kLeanCoarseBlocks; i++) {
        const LeanVector v = LeanCoarseVector(p.level, OrderOf(least[i]));
        best[i] = {v.x, v.y};
        cost[i] = least[i] >> kOrderBits;
    }
    int turn = 1;
#pragma unroll 1
    for (int size = kLeanGridStep / 2; size; size /= 2, turn ^= 1) {
        // Neighbour n % 8 of the best vector of block n / 8.
        const auto at = [&](int n) {
            const Position step = NeighbourOf(n & 7);
            Position v = best[0];
#pragma unroll
            for (int i = 1; i < kLeanCoarseBlocks; i++)
                if (n >> 3 == i) v = best[i];
            return Position{v.x + size * step.x, v.y + size * step.y};
        };
        keys = {0xffffffffu, 0xffffffffu};
        for (int n = 8 * warp; n < 8 * kLeanCoarseBlocks; n += kAtOnce)
            EvaluateCoarse(m, words, src, at(n + mine), n + mine, true, &keys);
        LeastOfBlock(keys, shared[turn], least);
        Position next[kLeanCoarseBlocks];
#pragma unroll
        for (int i = 0; i < kLeanCoarseBlocks; i++) {
            const bool better = least[i] >> kOrderBits < cost[i];
            next[i] = better ? at(OrderOf(least[i])) : best[i];
            if (better) cost[i] = least[i] >> kOrderBits;
        }
#pragma unroll
        for (int i = 0; i < kLeanCoarseBlocks; i++) best[i] = next[i];
    }
    if (threadIdx.x) return;
#pragma unroll
    for (int i = 0; i < kLeanCoarseBlocks; i++)
        out[LeanCoarseBlock(i)] = {static_cast<int16_t>(4 * best[i].y),
                                   static_cast<int16_t>(4 * best[i].x)};
}

}  // namespace cudame

#endif  // CUDAME_CUDA_LEAN_SEARCH_CUH_
