// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The table of kernels of the CPU backend: a scalar reference, and one table for each instruction
// set with the same results, bit for bit.

#ifndef CUDAME_CPU_KERNELS_H_
#define CUDAME_CPU_KERNELS_H_

#include <cstddef>
#include <cstdint>

#include "common/geometry.h"
#include "common/partition_tree.h"
#include "cpu/intra_estimate.h"

namespace cudame {

// Number of positions that are evaluated together. Each block has a row of kBatchStride SADs, so
// that kernels can write whole vectors at the end of a row.
constexpr int kBatch = 256;
constexpr int kBatchStride = kBatch + 64;

// Number of positions that the lean search evaluates together.
constexpr int kQuarterStride = 32;

// A plane of interpolated pixels: a macroblock and the pixels around it that kTexMap reaches.
constexpr int kPhaseStride = 32;
constexpr int kPhaseRows = 19;
constexpr int kPhaseSize = kPhaseRows * kPhaseStride;

enum class Metric { kSad, kSatd, kSse };
constexpr int kMetrics = 3;

using MetricFn = uint32_t (*)(const uint8_t* a, ptrdiff_t a_stride, const uint8_t* b,
                              ptrdiff_t b_stride);

// The pixels of a block at whole and half-pel vectors. Plane 2 * (half row) + (half column) has the
// rows and columns from -1 on that a block of 16x16 needs to move by up to a pixel. Rows have 32
// bytes from column -1 on, so that kernels store whole vectors, and none across cache lines.
constexpr int kHalfStride = 32, kHalfOrigin = kHalfStride + 1;
struct HalfPlanes {
    alignas(64) uint8_t plane[4][18 * kHalfStride];

    // Return the first pixel of the block at a vector in half pixels, -2 to 2.
    const uint8_t* At(int row, int col) const {
        return plane[2 * (row & 1) + (col & 1)] + kHalfOrigin + (row >> 1) * kHalfStride +
               (col >> 1);
    }
};

// A quarter-pel pixel is the mean, rounded up, of two half-pel pixels, as in H.264. That is near
// enough to VP8's filter to choose a vector. Return the two for neighbour n of half-pel neighbour
// `centre`.
struct PixelPair {
    const uint8_t *a, *b;
};
inline PixelPair QuarterPair(const HalfPlanes& planes, int centre, int n) {
    const int row = centre / 3 - 1, col = centre % 3 - 1, dy = n / 3 - 1, dx = n % 3 - 1;
    // A diagonal quarter-pel pixel lies between four: take the two that are half-pel in one
    // direction.
    if (dy && dx && !((row ^ col) & 1)) return {planes.At(row, col + dx), planes.At(row + dy, col)};
    return {planes.At(row, col), planes.At(row + dy, col + dx)};
}

constexpr uint32_t kMaxNeighbourCost = (1u << 27) - 1;

// The costs of the rows and columns of a vector's neighbours: entry 0 is the vector's own, entries
// -step and step are those of the neighbours. Kernels read up to kReadBeyond entries more.
struct NeighbourRates {
    static constexpr int kReadBeyond = 3;
    const int *rows, *cols;
    int step, sad_per_bit;
};

// A mask of all eight neighbours of a vector, one bit for each in raster order, without the vector
// itself.
constexpr unsigned kEightNeighbours = 255;
constexpr int NeighbourOf(int bit) { return bit < 4 ? bit : bit + 1; }

// A whole-pixel vector in 16 bits, so that more fit the caches.
struct LeanVec {
    int16_t x, y;
    operator Vec() const { return {x, y}; }
    bool operator==(const Vec& o) const { return x == o.x && y == o.y; }
};
inline LeanVec Packed(Vec v) { return {static_cast<int16_t>(v.x), static_cast<int16_t>(v.y)}; }

// Vectors that were tried. Of the first `boxed` ones all neighbours were tried too.
struct TriedVectors {
    static constexpr int kMost = 16;
    static constexpr int16_t kNone = INT16_MIN;  // marks an unused entry
    int16_t x[kMost], y[kMost];
    int boxed;
};

// Vectors to try: the vectors, the offsets of their pixels, their rates.
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

    // SADs of the four 8x8 quarters in raster order: that of quarter q goes to sads[q *
    // kQuarterStride + i]; n <= kQuarterStride. May write up to the next multiple of eight
    // positions.
    void (*sad8x8_list)(const uint8_t* src, const uint8_t* ref, ptrdiff_t stride,
                        const int32_t* offsets, int n, uint16_t* sads);

    // Find the lowest costs of the nine blocks that quarters make up: 16x16, 16x8, 8x16 and 8x8,
    // numbered by CUDAME_BLOCK_*. quarters[] is that of sad8x8_list; rates[i] is the rate of
    // position i. If the lowest cost of block b (saturated SAD + rate) is less than cost[b], set
    // cost[b], sad[b] and index[b] to those of the first position with that cost, else keep them.
    // Reads both inputs up to the next multiple of eight positions.
    void (*quarter_min)(const uint16_t* quarters, const uint16_t* rates, int n, uint16_t cost[9],
                        uint16_t sad[9], int8_t index[9]);

    // SADs of the 4x4 blocks: that of block b goes to sads[b * kBatchStride + i]. May write up to
    // 63 positions more.
    void (*sad4x4_list)(const uint8_t* src, const uint8_t* ref, ptrdiff_t stride,
                        const int32_t* offsets, int n, uint16_t* sads);

    // Like sad4x4_list at positions ref + i, neighbours in a row. Reads at most 16 + n + 48 bytes
    // of any row.
    void (*sad4x4_span)(const uint8_t* src, const uint8_t* ref, ptrdiff_t stride, int n,
                        uint16_t* sads);

    // rates[i] = ScaleRate(row_cost + col_costs[i], sad_per_bit). May write up to 63 entries more.
    void (*rate_span)(const int* col_costs, int row_cost, int sad_per_bit, int n, uint16_t* rates);

    // Sum rows 9..24 of sads into rows 0..8. If the lowest cost of block b (saturated SAD + rate)
    // among the n positions is less than cost[b], set cost[b] and index[b] to those of the first
    // position with that cost, else keep them. rates[] must be writable up to n + 63.
    void (*tree_min)(uint16_t* sads, uint16_t* rates, int n, uint16_t cost[CUDAME_BLOCKS],
                     int16_t index[CUDAME_BLOCKS]);

    // Distortion between two blocks.
    MetricFn metric[kMetrics][kBlockSizes];

    // VP8's predictor: the block at ref + (fx, fy) / 4 pixels, to rows of 16 bytes. May write whole
    // rows of 16 bytes.
    void (*predict[2])(const uint8_t* ref, ptrdiff_t stride, int fx, int fy, int width, int height,
                       uint8_t* dst);

    // Make the half-pel planes around a block of 16x16 or 8x8 pixels at ref, by VP8's filter. Reads
    // the pixels that the predictor reads for the block moved by up to one pixel, and up to 20 more
    // bytes of these rows. Writes all pixels that At() and a block of that size can reach; the rest
    // of the planes becomes undefined.
    void (*half_planes[2])(const uint8_t* ref, ptrdiff_t stride, int size, HalfPlanes* planes);

    // satd_half16: the SATDs of a 16x16 block at the centre (0, 0) of planes and its eight half-pel
    // neighbours, in raster order. satd_quarter16: the SATDs at those quarter-pel neighbours of
    // half-pel neighbour `centre` whose bits are in `wanted`, predicted by QuarterPair(); never
    // [4]. Entries that are not wanted become undefined.
    void (*satd_half16)(const uint8_t* src, const HalfPlanes& planes, uint32_t dist[9]);
    void (*satd_quarter16)(const uint8_t* src, const HalfPlanes& planes, int centre,
                           unsigned wanted, uint32_t dist[9]);
    // The same for an 8x8 block, with all its quarter-pel neighbours.
    void (*satd_half8)(const uint8_t* src, const HalfPlanes& planes, uint32_t dist[9]);
    void (*satd_quarter8)(const uint8_t* src, const HalfPlanes& planes, int centre,
                          uint32_t dist[9]);

    // Return the bits of those kEightNeighbours of a vector that were tried.
    unsigned (*known_neighbours)(const TriedVectors& tried, LeanVec centre);

    // Write the neighbours of a vector at a distance, whose bits are in `wanted`, to the front of
    // lists. May write eight entries of each list. Return their number.
    int (*list_neighbours)(LeanVec centre, int distance, unsigned wanted, int stride,
                           const NeighbourRates& rates, const VectorLists& lists);

    // cost[n] becomes the cost of a vector's neighbour n in raster order: first[n] + second[n] +
    // ScaleRate() of the costs of its row and column. cost[4] is an input. Return the first
    // neighbour with the lowest cost among those whose bits are in `wanted`, or 4 if that cost is
    // not less than cost[4]. No cost exceeds kMaxNeighbourCost.
    int (*neighbour_min)(const NeighbourRates& rates, const uint32_t first[9],
                         const uint32_t second[9], unsigned wanted, uint32_t cost[9]);

    // Interpolate all 16 phases: out[(4 * fy + fx) * kPhaseSize + y * kPhaseStride + x] is the
    // pixel at ref + (x + fx / 4, y + fy / 4), x < width, y < height. It is the mean of the four
    // pixels around, weighted by distance in quarters and rounded once. Reads, and may write, whole
    // rows of kPhaseStride. Reads one row and one column more.
    void (*bilinear_phases)(const uint8_t* ref, ptrdiff_t stride, int width, int height,
                            uint8_t* out);

    // out[i] becomes the rounded mean of 4x4 pixels, columns 4 * i to 4 * i + 3 of the four rows, i
    // < n. Kernels may prefetch the rows at a distance of `ahead` bytes; they need not exist.
    void (*shrink4)(const uint8_t* const rows[4], ptrdiff_t ahead, int n, uint8_t* out);

    // See EstimateIntra16().
    void (*intra16)(const IntraSource& mb, uint16_t satd[4]);
    // See EstimateIntra().
    void (*intra)(const IntraSource* mbs, int n, const IntraRates& rates, cudame_intra* out);
};

// Return portable scalar code, the definition of all kernels.
const Kernels& ReferenceKernels();

// Return the fastest kernels of this CPU. Tests restrict the instruction sets with
// hwy::SetSupportedTargetsForTest().
Kernels BestKernels();

// Each sets the entries of the table that one Highway source file implements.
void SetSadKernels(Kernels* k);
void SetMetricKernels(Kernels* k);
void SetPredictKernels(Kernels* k);
void SetIntraKernels(Kernels* k);
void SetHalfKernels(Kernels* k);
void SetLeanCostKernels(Kernels* k);
void SetLeanSadKernels(Kernels* k);
void SetLeanSatdKernels(Kernels* k);
void SetShrinkKernels(Kernels* k);

// Return one pixel of shrink4.
inline uint8_t MeanOf4x4(const uint8_t* const rows[4], int i) {
    int sum = 8;
    for (int k = 0; k < 16; k++) sum += rows[k / 4][4 * i + k % 4];
    return static_cast<uint8_t>(sum >> 4);
}

// Filter taps of quarter positions 0..3 (RFC 6386 section 18.3).
constexpr int16_t kSixtap[4][6] = {{0, 0, 128, 0, 0, 0},
                                   {2, -11, 108, 36, -8, 1},
                                   {3, -16, 77, 77, -16, 3},
                                   {1, -8, 36, 108, -11, 2}};

}  // namespace cudame

#endif  // CUDAME_CPU_KERNELS_H_
