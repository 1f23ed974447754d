// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The table of kernels that the CPU backend runs on: one scalar reference,
// and one table for each instruction set, bit-identical to it.

#ifndef CUDAME_CPU_KERNELS_H_
#define CUDAME_CPU_KERNELS_H_

#include <cstddef>
#include <cstdint>

#include "common/geometry.h"
#include "common/partition_tree.h"
#include "cpu/intra_estimate.h"

namespace cudame {

// Positions that are evaluated together. Each block has a row of kBatchStride SADs, so that
// kernels can write whole vectors at its end.
constexpr int kBatch = 256;
constexpr int kBatchStride = kBatch + 64;

// Positions that the lean search evaluates together.
constexpr int kQuarterStride = 32;

// A plane of interpolated pixels: a macroblock and what kTexMap reaches around it.
constexpr int kPhaseStride = 32;
constexpr int kPhaseRows = 19;
constexpr int kPhaseSize = kPhaseRows * kPhaseStride;

enum class Metric { kSad, kSatd, kSse };
constexpr int kMetrics = 3;

using MetricFn = uint32_t (*)(const uint8_t* a, ptrdiff_t a_stride, const uint8_t* b,
                              ptrdiff_t b_stride);

// Pixels of a block at whole and half vectors: plane 2 * (half row) + (half column), where row
// and column from -1 on are what a block of 16x16 needs to be moved by up to a pixel. Rows are of
// 32 bytes from column -1 on, so that whole vectors are stored, and none across cache lines.
constexpr int kHalfStride = 32, kHalfOrigin = kHalfStride + 1;
struct HalfPlanes {
    alignas(64) uint8_t plane[4][18 * kHalfStride];

    // The block's first pixel at a vector in half pixels, -2 to 2.
    const uint8_t* At(int row, int col) const {
        return plane[2 * (row & 1) + (col & 1)] + kHalfOrigin + (row >> 1) * kHalfStride +
               (col >> 1);
    }
};

// Quarter-pel pixels are means of two of half pels, rounded up, as other codecs have it: near
// enough to VP8's filter to choose a vector by. Neighbour n of half-pel neighbour `centre`.
struct PixelPair {
    const uint8_t *a, *b;
};
inline PixelPair QuarterPair(const HalfPlanes& planes, int centre, int n) {
    const int row = centre / 3 - 1, col = centre % 3 - 1, dy = n / 3 - 1, dx = n % 3 - 1;
    // Of the four around a diagonal one, the two that are half in one direction.
    if (dy && dx && !((row ^ col) & 1)) return {planes.At(row, col + dx), planes.At(row + dy, col)};
    return {planes.At(row, col), planes.At(row + dy, col + dx)};
}

constexpr uint32_t kMaxNeighbourCost = (1u << 27) - 1;

// Costs of the rows and columns that a vector's neighbours are in: its own ones, and those `step`
// entries before and behind them. Kernels read up to kReadBeyond entries more.
struct NeighbourRates {
    static constexpr int kReadBeyond = 3;
    const int *rows, *cols;
    int step, sad_per_bit;
};

// Of the nine vectors around one the eight others, as bits in raster order.
constexpr unsigned kEightNeighbours = 255;
constexpr int NeighbourOf(int bit) { return bit < 4 ? bit : bit + 1; }

// As whole-pixel vectors are kept, to fit the caches.
struct LeanVec {
    int16_t x, y;
    operator Vec() const { return {x, y}; }
    bool operator==(const Vec& o) const { return x == o.x && y == o.y; }
};
inline LeanVec Packed(Vec v) { return {static_cast<int16_t>(v.x), static_cast<int16_t>(v.y)}; }

// Vectors that were tried: of the first `boxed` ones the neighbours were too.
struct TriedVectors {
    static constexpr int kMost = 16;
    static constexpr int16_t kNone = INT16_MIN;  // of those that are not there: no vector
    int16_t x[kMost], y[kMost];
    int boxed;
};

// Vectors that are to be tried, where they are and what they cost.
struct VectorLists {
    LeanVec* mv;
    int32_t* offsets;
    uint16_t* rates;
};

// Source macroblocks are 16 rows of 16 bytes, 16-byte aligned.
struct Kernels {
    const char* name;

    // SADs of the macroblock at ref + offsets[i], i < n.
    void (*sad16_list)(const uint8_t* src, const uint8_t* ref, ptrdiff_t stride,
                       const int32_t* offsets, int n, uint16_t* sads);

    // SADs of its four 8x8 quarters in raster order: quarter q at sads[q * kQuarterStride + i];
    // n <= kQuarterStride. May write up to the next multiple of eight positions.
    void (*sad8x8_list)(const uint8_t* src, const uint8_t* ref, ptrdiff_t stride,
                        const int32_t* offsets, int n, uint16_t* sads);

    // The blocks that quarters make up, of n positions: those of sad8x8_list; rates[i] is that
    // of position i. Blocks are the 16x16, the 16x8, the 8x16 and the 8x8 ones, as in
    // CUDAME_BLOCK_*. For each whose lowest cost (saturated SAD + rate) is less than cost[b],
    // sets cost[b], sad[b] and index[b] to those of the first such position; other entries keep.
    // Reads both up to the next multiple of eight positions.
    void (*quarter_min)(const uint16_t* quarters, const uint16_t* rates, int n, uint16_t cost[9],
                        uint16_t sad[9], int8_t index[9]);

    // SADs of its 4x4 blocks: block b at sads[b * kBatchStride + i]. May write
    // up to 63 positions more.
    void (*sad4x4_list)(const uint8_t* src, const uint8_t* ref, ptrdiff_t stride,
                        const int32_t* offsets, int n, uint16_t* sads);

    // The same at ref + i: neighbours in a row. Reads no more than 16 + n + 48 bytes of any
    // row.
    void (*sad4x4_span)(const uint8_t* src, const uint8_t* ref, ptrdiff_t stride, int n,
                        uint16_t* sads);

    // rates[i] = ScaleRate(row_cost + col_costs[i], sad_per_bit). May write up
    // to 63 more.
    void (*rate_span)(const int* col_costs, int row_cost, int sad_per_bit, int n, uint16_t* rates);

    // Sums rows 0..8 of sads from rows 9..24. For each block whose lowest cost
    // (saturated SAD + rate) among the n positions is less than cost[b], sets
    // cost[b] and index[b] to that of the first such position; other entries
    // keep. rates[] must be writable up to n + 63.
    void (*tree_min)(uint16_t* sads, uint16_t* rates, int n, uint16_t cost[CUDAME_BLOCKS],
                     int16_t index[CUDAME_BLOCKS]);

    // Distortion between two blocks.
    MetricFn metric[kMetrics][kBlockSizes];

    // VP8's predictor: block at ref + (fx, fy) / 4 pixels, to rows of 16 bytes.
    // May write whole rows of 16.
    void (*predict[2])(const uint8_t* ref, ptrdiff_t stride, int fx, int fy, int width, int height,
                       uint8_t* dst);

    // The half-pel planes around a block of 16x16 or 8x8 pixels at ref, by VP8's filter. Reads
    // what its predictor reads of the block a pixel around, and of these rows up to 20 bytes
    // more. Writes all of the planes' pixels that At() and a block of that size can reach, and
    // anything elsewhere.
    void (*half_planes[2])(const uint8_t* ref, ptrdiff_t stride, int size, HalfPlanes* planes);

    // SATD of a 16x16 block at the centre (0, 0) of planes and its eight half-pel neighbours, in
    // raster order; then at those quarter-pel neighbours of half-pel neighbour `centre` whose
    // bits are `wanted`, but never [4], predicted by QuarterPair(). Sets others to anything.
    void (*satd_half16)(const uint8_t* src, const HalfPlanes& planes, uint32_t dist[9]);
    void (*satd_quarter16)(const uint8_t* src, const HalfPlanes& planes, int centre,
                           unsigned wanted, uint32_t dist[9]);
    // The same of an 8x8 block, and of all its quarter-pel neighbours.
    void (*satd_half8)(const uint8_t* src, const HalfPlanes& planes, uint32_t dist[9]);
    void (*satd_quarter8)(const uint8_t* src, const HalfPlanes& planes, int centre,
                          uint32_t dist[9]);

    // Those of a vector's kEightNeighbours that were tried.
    unsigned (*known_neighbours)(const TriedVectors& tried, LeanVec centre);

    // Puts those of a vector's kEightNeighbours at a distance that are `wanted` at the beginning
    // of lists: may write eight entries of each. Returns how many they are.
    int (*list_neighbours)(LeanVec centre, int distance, unsigned wanted, int stride,
                           const NeighbourRates& rates, const VectorLists& lists);

    // Costs of a vector's neighbours in raster order: first[n] + second[n] + ScaleRate() of
    // their row's and their column's cost; cost[4] is there already. Returns the first one of the
    // lowest cost of those whose bits are `wanted`, or 4 if that is not less than cost[4]. No cost
    // exceeds kMaxNeighbourCost.
    int (*neighbour_min)(const NeighbourRates& rates, const uint32_t first[9],
                         const uint32_t second[9], unsigned wanted, uint32_t cost[9]);

    // Interpolates all 16 phases: out[(4 * fy + fx) * kPhaseSize + y * kPhaseStride + x] is
    // the pixel at ref + (x + fx / 4, y + fy / 4), x < width, y < height: the mean of the four
    // around it, weighted by its distance in quarters, rounded once. Reads, and may write,
    // whole rows of kPhaseStride; reads one row and one column more.
    void (*bilinear_phases)(const uint8_t* ref, ptrdiff_t stride, int width, int height,
                            uint8_t* out);

    // out[i]: the rounded mean of 4x4 pixels, columns 4 * i to 4 * i + 3 of the rows, i < n. Those
    // at `ahead` from them may be fetched, which need not exist.
    void (*shrink4)(const uint8_t* const rows[4], ptrdiff_t ahead, int n, uint8_t* out);

    // EstimateIntra16().
    void (*intra16)(const IntraSource& mb, uint16_t satd[4]);
    // EstimateIntra().
    void (*intra)(const IntraSource* mbs, int n, const IntraRates& rates, cudame_intra* out);
};

// Portable scalar code, the definition of all others.
const Kernels& ReferenceKernels();

// The fastest that this CPU, or what hwy::SetSupportedTargetsForTest() left of it, can run.
Kernels BestKernels();

// Set the table's entries that one of Highway's source files has.
void SetSadKernels(Kernels* k);
void SetMetricKernels(Kernels* k);
void SetPredictKernels(Kernels* k);
void SetIntraKernels(Kernels* k);
void SetHalfKernels(Kernels* k);
void SetLeanCostKernels(Kernels* k);
void SetLeanSadKernels(Kernels* k);
void SetLeanSatdKernels(Kernels* k);
void SetShrinkKernels(Kernels* k);

// One pixel of shrink4.
inline uint8_t MeanOf4x4(const uint8_t* const rows[4], int i) {
    int sum = 8;
    for (int k = 0; k < 16; k++) sum += rows[k / 4][4 * i + k % 4];
    return static_cast<uint8_t>(sum >> 4);
}

// Taps of quarter positions 1..3 (RFC 6386 section 18.3).
constexpr int16_t kSixtap[4][6] = {{0, 0, 128, 0, 0, 0},
                                   {2, -11, 108, 36, -8, 1},
                                   {3, -16, 77, 77, -16, 3},
                                   {1, -8, 36, 108, -11, 2}};

}  // namespace cudame

#endif  // CUDAME_CPU_KERNELS_H_
