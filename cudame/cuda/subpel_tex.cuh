// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Evaluates the map of 93 quarter-pel vectors for all 25 blocks by SAD, on pixels that are
// interpolated like those of texture units. As in subpel.cuh, a thread has 4x4 pixels of one of the
// five partitions. A warp has one partition of two macroblocks, so that all its threads add up over
// the same number of neighbours.
//
// A thread keeps all 93 sums in 47 registers. Vectors of the same phase (fractional part) read the
// same interpolated pixels, so each of the 16 phases is made once: two pixels per word, from sums
// of neighbours, rounded by taking the upper bytes. The map is mirror symmetric: of four threads
// that share a block, each takes one quadrant of the sums. Texture units return the same pixels,
// but take longer (doc/kernels.md).

#ifndef CUDAME_CUDA_SUBPEL_TEX_CUH_
#define CUDAME_CUDA_SUBPEL_TEX_CUH_

#include <utility>

#include "common/tex_map.h"
#include "cuda/device.cuh"

namespace cudame {

constexpr int kTexReach = 2;     // the map's reach to the left and up, in whole pixels
constexpr int kTexRows = 4 + 3;  // rows of pixels that the vectors of one phase read
constexpr int kTexSide = 2 * kTexRange + 1;

// Positions of the sums of the vectors, two in a word. Vectors that differ only in signs are
// neighbours, so that four threads with the same sums can take a quadrant each. For a vector off
// the axes, the sign of its row selects the word of a pair, and the sign of its column selects the
// half of the word. For a vector on an axis, its sign selects the half. The centre has a word of
// its own. kTexOff: vectors inside of a quadrant; kTexOn: vectors on one half of one axis.
constexpr int kTexOff = 17, kTexOn = 6;
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
// Vector n inside of the positive quadrant, row by row, in the order of the words.
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

// Calls fn(0), fn(1), ... with numbers that are constant expressions, so that array indices derived
// from them are constants, too, and the arrays stay in registers.
template <class Fn, int... kI>
__device__ __forceinline__ void ForEachOf(Fn&& fn, std::integer_sequence<int, kI...>) {
    (fn(std::integral_constant<int, kI>()), ...);
}
template <int kCount, class Fn>
__device__ __forceinline__ void ForEach(Fn&& fn) {
    ForEachOf(fn, std::make_integer_sequence<int, kCount>());
}

// Pixels of all 16 phases around a whole-pixel vector. A word holds two pixels. Each pixel is
// scaled by 16 plus a rounding term, so that the weighted sum's upper byte is the rounded result.
class Bilinear {
  public:
    // from: the first of 8 rows of 8 pixels; any address.
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

    // Prepares the phases with horizontal part kX: weighted sums of horizontal neighbours.
    template <int kX>
    __device__ __forceinline__ void SetColumn() {
#pragma unroll
        for (int i = 0; i <= kTexRows; i++) {
            // Keeps the compiler from reusing values of the last column, to save registers.
            asm volatile("" : "+r"(whole_[i][0]), "+r"(whole_[i][1]));
            // Pixels 0 and 2, 1 and 3, 4 and 6, 5 and 7.
            uint32_t p[4];
#pragma unroll
            for (int j = 0; j < 4; j++)
                p[j] = 16 * __byte_perm(whole_[i][j / 2], 0, j % 2 ? 0x4341 : 0x4240) + 0x00080008u;
            // No ninth pixel is needed, because the eighth result is not used.
            const uint32_t next[4] = {p[1], __byte_perm(p[0], p[2], 0x5432), p[3], p[2] >> 16};
#pragma unroll
            for (int j = 0; j < 4; j++)
                sum_[i][j] = kX == 0   ? 4 * p[j]
                             : kX == 1 ? 3 * p[j] + next[j]
                             : kX == 2 ? 2 * (p[j] + next[j])
                                       : p[j] + 3 * next[j];
        }
    }

    // Pixels 4 * kWord to 4 * kWord + 3 of row kRow of phase (kX, kY).
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

// Computes the SADs of the 93 vectors at their positions in `sads`. src: four rows.
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
                // Whole pixels from the patch's first pixel.
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

// Rate of one component of a vector, in 1/256 of a cost, limited to 65536 costs. Larger if the
// component is not legal.
__device__ inline uint32_t TexRate(const SearchParams& p, const int* table, int at, int prediction,
                                   int low, int high) {
    const uint32_t rate = static_cast<uint32_t>(TableCost(table, at - prediction) * p.sad_per_bit);
    return at < low || at > high ? 1u << 27 : min(rate, 1u << 24);
}

// A key is a cost in 1/256 whose fraction is replaced by the order. A cost that exceeds 16 bits
// loses to the centre, which has order 0.
constexpr int kTexMiddleOrder = 1 + kTexRange * kTexSide + kTexRange;

// kHigh: take the sum in the upper half of the word, else that in the lower half.
template <bool kHigh>
__device__ __forceinline__ uint32_t TexKey(uint32_t sums, uint32_t rate, uint32_t order) {
    const uint32_t sad = __byte_perm(sums, 0, kHigh ? 0x4324 : 0x4104);
    return ((sad + rate) & ~255u) + order;
}

// A search of the map around a centre.
struct TexTask {
    cudame_mv centre, prediction;
    DevWindow window;

    __device__ uint32_t RowRate(const SearchParams& p, int y) const {
        return TexRate(p, p.costs, centre.row + y, prediction.row, 4 * window.y0, 4 * window.y1);
    }
    // Includes half a cost for rounding.
    __device__ uint32_t ColRate(const SearchParams& p, int x) const {
        return 128 + TexRate(p, p.costs + kCostEntries, centre.col + x, prediction.col,
                             4 * window.x0, 4 * window.x1);
    }
};

// Returns the best key of all vectors.
__device__ inline uint32_t TexBest(const SearchParams& p, const TexTask& task,
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

// Adds up the threads of a group and returns the best key. middle: gets the sum of the centre. Of
// every four neighbouring threads, each gets the sums of one quadrant and of the half axes next to
// it.
__device__ inline uint32_t TexBestOfGroup(const SearchParams& p, const TexTask& task, int group,
                                          const uint32_t (&sads)[kTexWords], uint32_t* middle) {
    constexpr uint32_t kAll = 0xffffffffu;
    constexpr uint32_t kLow = 0x5410, kHigh = 0x7632;  // halves of two words
    const bool left = threadIdx.x & 1, up = threadIdx.x & 2;
    // Keeps the same half of both words and exchanges the other with lane `other`.
    const auto halve = [](uint32_t a, uint32_t b, bool high, int other) {
        const uint32_t keep = __byte_perm(a, b, high ? kHigh : kLow);
        const uint32_t give = __byte_perm(a, b, high ? kLow : kHigh);
        return keep + __shfl_xor_sync(kAll, give, other);
    };
    const auto add = [](uint32_t a, int other) { return a + __shfl_xor_sync(kAll, a, other); };

    // First the vectors in TexOff()'s order and the centre, then those in TexOn()'s order.
    constexpr int kOffWords = (kTexOff + 1) / 2, kOnWords = kTexOn / 2;
    static_assert(kTexOff % 2 == 1 && kTexOn % 2 == 0, "they fill whole words");
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
__device__ __forceinline__ void RefineTex(const RefineParams& p, MakePhases make_phases) {
    const RefineParams::Ref& r = RefOf(p);
    const int wanted = static_cast<int>(blockIdx.y) * kTexMbs + (threadIdx.x >> 4 & 1);
    // If the number of columns is odd, the last macroblock is computed twice.
    const int col = min(wanted, p.mb_cols - 1), row = RowOf(p);
    const int mb = row * p.mb_cols + col;
    // The shuffle tells the compiler that all lanes of a warp have the same value.
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
    // The thread of a block's first unit stores the result.
    if (wanted < p.mb_cols && (threadIdx.x & (unit.group - 1)) == 0)
        StoreBlock(r, mb, unit.block, mv, dist);
}

// The kernel. It interpolates in integers; doc/kernels.md compares that with texture units.
__device__ inline void RefineTexRows(const RefineParams& p) {
    RefineTex(p, [&p](const RefineParams::Ref& r, int x, int y) {
        return Bilinear(r.plane + static_cast<ptrdiff_t>(y) * p.ref_stride + x, p.ref_stride);
    });
    FinishBlock<kTexMbs>(p);
}

}  // namespace cudame

#endif  // CUDAME_CUDA_SUBPEL_TEX_CUH_
