// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The 93-vector quarter-pel map of all 25 blocks by SAD, on pixels that are
// interpolated as by the texture units. As in subpel.cuh a thread is 4x4 pixels
// of one of the five partitions; here a warp is one partition of two macroblocks, so
// that all its threads add up over as many neighbours.
//
// A thread has all 93 sums in 47 registers. Vectors of one phase read the same interpolated
// pixels, so each of the 16 phases is made once: two pixels a word, from sums of neighbours,
// rounded by taking the upper bytes. The map is mirror symmetric: of every four threads that
// share a block each takes one quadrant of the sums. Texture units return the same, in more time
// (doc/kernels.md).

#ifndef CUDAME_CUDA_SUBPEL_TEX_CUH_
#define CUDAME_CUDA_SUBPEL_TEX_CUH_

#include <utility>

#include "common/tex_map.h"
#include "cuda/device.cuh"

namespace cudame {

constexpr int kTexReach = 2;     // whole pixels to the left and up
constexpr int kTexRows = 4 + 3;  // that the vectors of one phase reach
constexpr int kTexSide = 2 * kTexRange + 1;

// Where the sums of the vectors are, two in a word. The map is the same when
// mirrored, so that four threads that have the same sums take a quadrant each:
// vectors that differ in sign are neighbours. Of those off the axes the
// word is that of the row's sign, the half the column's; of those on an axis
// the half is that of the sign; the middle is alone.
constexpr int kTexOff = 17, kTexOn = 6;  // of one quadrant, on one half of one axis
constexpr int kTexRowWords = 2 * kTexOff, kTexColumnWords = kTexRowWords + kTexOn;
constexpr int kTexMiddleWord = kTexColumnWords + kTexOn;
constexpr int kTexWords = kTexMiddleWord + 1;

struct TexPlace {
    int word;
    bool high;
};

constexpr TexPlace TexPlaceOf(int x, int y) {
    const int ax = x < 0 ? -x : x, ay = y < 0 ? -y : y;
    if (!x && !y) return {kTexMiddleWord, false};
    int n = 0;
    if (!y || !x) {
        for (int i = 1; i < ax + ay; i++) n += InTexMap(i, 0);
        return y ? TexPlace{kTexColumnWords + n, y < 0} : TexPlace{kTexRowWords + n, x < 0};
    }
    for (int j = 1; j <= ay; j++)
        for (int i = 1; i <= kTexRange; i++) n += InTexMap(i, j) && (j < ay || i < ax);
    return {2 * n + (y < 0), x < 0};
}
// The quadrant's vectors, those of one row after the other, in the same order.
constexpr Step TexOff(int n) {
    for (int y = 1; y <= kTexRange; y++)
        for (int x = 1; x <= kTexRange; x++)
            if (InTexMap(x, y) && !n--) return {static_cast<int8_t>(x), static_cast<int8_t>(y)};
    return {0, 0};
}
constexpr int TexOn(int n) {
    for (int i = 1; i <= kTexRange; i++)
        if (InTexMap(i, 0) && !n--) return i;
    return 0;
}
static_assert(TexOff(kTexOff - 1).y == kTexRange && !TexOff(kTexOff).y, "all of them");
static_assert(TexOn(kTexOn - 1) == kTexRange && 4 * (kTexOff + kTexOn) + 1 == kTexVectors, "");

// fn(0), fn(1), ... with numbers that are constant expressions, as are the indices
// that follow from them: else arrays would leave the registers.
template <class Fn, int... kI>
__device__ __forceinline__ void ForEachOf(Fn&& fn, std::integer_sequence<int, kI...>) {
    (fn(std::integral_constant<int, kI>()), ...);
}
template <int kCount, class Fn>
__device__ __forceinline__ void ForEach(Fn&& fn) {
    ForEachOf(fn, std::make_integer_sequence<int, kCount>());
}

// The pixels of all 16 phases around a whole vector. Two pixels travel in one word; 16
// times a pixel plus a half makes the rounded result of all weights the upper byte
// of its half word.
class Bilinear {
  public:
    // from: the first of 8 rows of 8 pixels, at any address.
    __device__ __forceinline__ Bilinear(const uint8_t* from, int stride) {
        const uintptr_t a = reinterpret_cast<uintptr_t>(from);
        const uint32_t shift = static_cast<uint32_t>(a & 3) * 8;
        const uint8_t* aligned = from - (a & 3);
#pragma unroll
        for (int i = 0; i <= kTexRows; i++) {
            const uint32_t* w =
                reinterpret_cast<const uint32_t*>(aligned + static_cast<ptrdiff_t>(i) * stride);
            const uint32_t w0 = w[0], w1 = w[1], w2 = w[2];
            whole_[i][0] = __funnelshift_r(w0, w1, shift);
            whole_[i][1] = __funnelshift_r(w1, w2, shift);
        }
    }

    // Sums of neighbours in a row, for phases of this kX.
    template <int kX>
    __device__ __forceinline__ void SetColumn() {
#pragma unroll
        for (int i = 0; i <= kTexRows; i++) {
            // Not kept from one column to the next: registers are short.
            asm volatile("" : "+r"(whole_[i][0]), "+r"(whole_[i][1]));
            // Pixels 0 and 2, 1 and 3, 4 and 6, 5 and 7.
            uint32_t p[4];
#pragma unroll
            for (int j = 0; j < 4; j++)
                p[j] = 16 * __byte_perm(whole_[i][j / 2], 0, j % 2 ? 0x4341 : 0x4240) + 0x00080008u;
            // The eighth pixel is not used, and so no ninth.
            const uint32_t next[4] = {p[1], __byte_perm(p[0], p[2], 0x5432), p[3], p[2] >> 16};
#pragma unroll
            for (int j = 0; j < 4; j++)
                sum_[i][j] = kX == 0   ? 4 * p[j]
                             : kX == 1 ? 3 * p[j] + next[j]
                             : kX == 2 ? 2 * (p[j] + next[j])
                                       : p[j] + 3 * next[j];
        }
    }

    // Four pixels of row kRow of the phase, from the fourth of kWord on.
    template <int kX, int kY, int kRow, int kWord>
    __device__ __forceinline__ uint32_t Word() const {
        if constexpr (kX == 0 && kY == 0) {
            return whole_[kRow][kWord];
        } else {
            const auto pair = [this](int j) {
                const uint32_t top = sum_[kRow][j], bottom = sum_[kRow + 1][j];
                return kY == 0   ? 4 * top
                       : kY == 1 ? 3 * top + bottom
                       : kY == 2 ? 2 * (top + bottom)
                                 : top + 3 * bottom;
            };
            return __byte_perm(pair(2 * kWord), pair(2 * kWord + 1), 0x7351);
        }
    }

  private:
    uint32_t whole_[kTexRows + 1][2];
    uint32_t sum_[kTexRows + 1][4];
};

// SADs of the 93 vectors at their places. src: four rows.
template <class Phases>
__device__ __forceinline__ void TexSads(Phases& phases, const uint32_t (&src)[4],
                                        uint32_t (&sads)[kTexWords]) {
    ForEach<4>([&](auto column) {
        constexpr int kX = decltype(column)::value;
        phases.template SetColumn<kX>();
        ForEach<4>([&](auto row) {
            constexpr int kY = decltype(row)::value;
            uint32_t word[kTexRows][2];
            ForEach<2 * kTexRows>([&](auto n) {
                constexpr int kN = decltype(n)::value;
                word[kN / 2][kN % 2] = phases.template Word<kX, kY, kN / 2, kN % 2>();
            });
            ForEach<16>([&](auto n) {
                // Whole pixels from the first of the patch.
                constexpr int kRight = decltype(n)::value % 4, kDown = decltype(n)::value / 4;
                constexpr int x = 4 * (kRight - kTexReach) + kX, y = 4 * (kDown - kTexReach) + kY;
                if constexpr (InTexMap(x, y)) {
                    constexpr TexPlace kPlace = TexPlaceOf(x, y);
                    uint32_t sad = 0;
#pragma unroll
                    for (int i = 0; i < 4; i++)
                        sad = Sad4(
                            src[i],
                            __funnelshift_r(word[kDown + i][0], word[kDown + i][1], 8 * kRight),
                            sad);
                    sads[kPlace.word] += kPlace.high ? sad << 16 : sad;
                }
            });
        });
    });
}

// Rate of a row or column of vectors, in 1/256 of a cost so far as it does not
// saturate it; more where they are not legal.
__device__ inline uint32_t TexRate(const LaunchParams& p, const int* table, int at, int prediction,
                                   int low, int high) {
    const uint32_t rate = static_cast<uint32_t>(TableCost(table, at - prediction) * p.sad_per_bit);
    return at < low || at > high ? 1u << 27 : min(rate, 1u << 24);
}

// Keys are costs in 1/256, without the fraction, which makes room for the order; what
// does not fit a cost's 16 bits loses to the middle, which is first.
constexpr int kTexMiddleOrder = 1 + kTexRange * kTexSide + kTexRange;

// kHigh: of two sums, the one in the upper half.
template <bool kHigh>
__device__ __forceinline__ uint32_t TexKey(uint32_t sums, uint32_t rate, uint32_t order) {
    const uint32_t sad = __byte_perm(sums, 0, kHigh ? 0x4324 : 0x4104);
    return ((sad + rate) & ~255u) + order;
}

// What a search of the map needs around its middle.
struct TexTask {
    cudame_mv centre, prediction;
    DevWindow window;

    __device__ uint32_t RowRate(const LaunchParams& p, int y) const {
        return TexRate(p, p.costs, centre.row + y, prediction.row, 4 * window.y0, 4 * window.y1);
    }
    // And half a cost, which rounds.
    __device__ uint32_t ColRate(const LaunchParams& p, int x) const {
        return 128 + TexRate(p, p.costs + kCostEntries, centre.col + x, prediction.col,
                             4 * window.x0, 4 * window.x1);
    }
};

// The best key of all vectors.
__device__ inline uint32_t TexBest(const LaunchParams& p, const TexTask& task,
                                   const uint32_t (&sads)[kTexWords]) {
    uint32_t rows[kTexSide], cols[kTexSide];
#pragma unroll
    for (int i = 0; i < kTexSide; i++) {
        rows[i] = task.RowRate(p, i - kTexRange);
        cols[i] = task.ColRate(p, i - kTexRange);
    }
    uint32_t best = ~0u;
    ForEach<kTexSide * kTexSide>([&](auto n) {
        constexpr int kN = decltype(n)::value, kRow = kN / kTexSide, kCol = kN % kTexSide;
        constexpr int x = kCol - kTexRange, y = kRow - kTexRange;
        if constexpr (InTexMap(x, y)) {
            constexpr TexPlace kPlace = TexPlaceOf(x, y);
            best = min(best, TexKey<kPlace.high>(sads[kPlace.word], rows[kRow] + cols[kCol],
                                                 x || y ? 1 + kN : 0));
        }
    });
    return best;
}

// Adds up over the threads of a group, and returns the best key; middle: the sum
// of the middle. Of every four neighbours each gets the sums of one quadrant, and
// of the halves of the axes beside it.
__device__ inline uint32_t TexBestOfGroup(const LaunchParams& p, const TexTask& task, int group,
                                          const uint32_t (&sads)[kTexWords], uint32_t* middle) {
    constexpr uint32_t kAll = 0xffffffffu;
    constexpr uint32_t kLow = 0x5410, kHigh = 0x7632;  // halves of two words
    const bool left = threadIdx.x & 1, up = threadIdx.x & 2;
    // Keeps one half of both words and gives the other away.
    const auto halve = [](uint32_t a, uint32_t b, bool high, int other) {
        const uint32_t keep = __byte_perm(a, b, high ? kHigh : kLow);
        const uint32_t give = __byte_perm(a, b, high ? kLow : kHigh);
        return keep + __shfl_xor_sync(kAll, give, other);
    };
    const auto add = [](uint32_t a, int other) { return a + __shfl_xor_sync(kAll, a, other); };

    // Vectors in the order of TexOff(), and the middle; then in that of TexOn().
    constexpr int kOffWords = (kTexOff + 1) / 2, kOnWords = kTexOn / 2;
    static_assert(kTexOff % 2 == 1 && kTexOn % 2 == 0, "so they fill words");
    uint32_t sum[kOffWords + 2 * kOnWords];
    const uint32_t both = sads[kTexMiddleWord] * 0x10001u;
#pragma unroll
    for (int i = 0; i < kOffWords; i++) {
        const uint32_t first = halve(sads[4 * i], sads[4 * i + 1], left, 1);
        const uint32_t second =
            i + 1 < kOffWords ? halve(sads[4 * i + 2], sads[4 * i + 3], left, 1) : add(both, 1);
        sum[i] = halve(first, second, up, 2);
    }
#pragma unroll
    for (int i = 0; i < kOnWords; i++) {
        const uint32_t* row = sads + kTexRowWords + 2 * i;
        const uint32_t* column = sads + kTexColumnWords + 2 * i;
        sum[kOffWords + i] = add(halve(row[0], row[1], left, 1), 2);
        sum[kOffWords + kOnWords + i] = halve(add(column[0], 1), add(column[1], 1), up, 2);
    }
    if (group > 4)
#pragma unroll
        for (uint32_t& s : sum) s = add(s, 4);
    if (group > 8)
#pragma unroll
        for (uint32_t& s : sum) s = add(s, 8);

    const int right = left ? -1 : 1, down = up ? -1 : 1;
    uint32_t rows[kTexRange + 1], cols[kTexRange + 1];
#pragma unroll
    for (int i = 0; i <= kTexRange; i++) {
        rows[i] = task.RowRate(p, i * down);
        cols[i] = task.ColRate(p, i * right);
    }
    const auto order = [right, down](int x, int y) {
        return static_cast<uint32_t>(kTexMiddleOrder + y * down * kTexSide + x * right);
    };
    *middle = sum[kOffWords - 1] >> 16;
    uint32_t best = TexKey<true>(sum[kOffWords - 1], rows[0] + cols[0], 0);
    ForEach<kTexOff>([&](auto n) {
        constexpr int kN = decltype(n)::value;
        constexpr Step kStep = TexOff(kN);
        best = min(best, TexKey<kN % 2 == 1>(sum[kN / 2], rows[kStep.y] + cols[kStep.x],
                                             order(kStep.x, kStep.y)));
    });
    ForEach<kTexOn>([&](auto n) {
        constexpr int kN = decltype(n)::value, kAt = TexOn(kN);
        best = min(
            best, TexKey<kN % 2 == 1>(sum[kOffWords + kN / 2], rows[0] + cols[kAt], order(kAt, 0)));
        best = min(best, TexKey<kN % 2 == 1>(sum[kOffWords + kOnWords + kN / 2],
                                             rows[kAt] + cols[0], order(0, kAt)));
    });
    best = min(best, __shfl_xor_sync(kAll, best, 1));
    return min(best, __shfl_xor_sync(kAll, best, 2));
}

template <class MakePhases>
__device__ __forceinline__ void RefineTex(const LaunchParams& p, MakePhases make_phases) {
    const RefParams& r = RefOf(p);
    const int wanted = static_cast<int>(blockIdx.y) * kTexMbs + (threadIdx.x >> 4 & 1);
    // Of an odd number of macroblocks the last one is computed twice.
    const int col = min(wanted, p.mb_cols - 1), row = RowOf(p);
    const int mb = row * p.mb_cols + col;
    // The same in the whole warp, and known to be.
    const int level = __shfl_sync(0xffffffffu, static_cast<int>(threadIdx.x >> 5), 0);
    const Unit unit = UnitOf(level, threadIdx.x & 15);
    const uint8_t* from =
        p.src + static_cast<ptrdiff_t>(row * kMb + unit.y) * p.src_stride + col * kMb + unit.x;
    uint32_t src[4];
#pragma unroll
    for (int i = 0; i < 4; i++)
        src[i] =
            *reinterpret_cast<const uint32_t*>(from + static_cast<ptrdiff_t>(i) * p.src_stride);
    const TexTask task = {r.integer[mb * CUDAME_BLOCKS + unit.block],
                          CoLocated(r, row * p.mb_cols + col), LegalWindow(p, row, col)};

    uint32_t sads[kTexWords] = {};
    {
        auto phases = make_phases(r, col * kMb + unit.x + (task.centre.col >> 2) - kTexReach,
                                  row * kMb + unit.y + (task.centre.row >> 2) - kTexReach);
        TexSads(phases, src, sads);
    }
    uint32_t best, dist = sads[kTexMiddleWord];
    if (unit.group == 1)
        best = TexBest(p, task, sads);
    else
        best = TexBestOfGroup(p, task, unit.group, sads, &dist);

    cudame_mv mv = task.centre;
    const int order = static_cast<int>(best & 255);
    if (order && best >> 8 < kMaxRate) {
        mv = {static_cast<int16_t>(mv.row + (order - 1) / kTexSide - kTexRange),
              static_cast<int16_t>(mv.col + (order - 1) % kTexSide - kTexRange)};
        dist = (best >> 8) - static_cast<uint32_t>(Rate(p, task.prediction, mv.row, mv.col));
    }
    // The first unit of each block stores.
    if (wanted < p.mb_cols && (threadIdx.x & (unit.group - 1)) == 0)
        StoreBlock(r, mb, unit.block, mv, dist);
}

// Interpolated in integers: doc/kernels.md compares it with texture units.
__device__ inline void RefineTexRows(const LaunchParams& p) {
    RefineTex(p, [&p](const RefParams& r, int x, int y) {
        return Bilinear(r.plane + static_cast<ptrdiff_t>(y) * p.ref_stride + x, p.ref_stride);
    });
    FinishBlock<kTexMbs>(p);
}

}  // namespace cudame

#endif  // CUDAME_CUDA_SUBPEL_TEX_CUH_
