// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Parameters of the searches that the host and the kernels share. All pointers are device pointers
// unless a comment says otherwise. lean_params.h has those of the lean search.

#ifndef CUDAME_CUDA_SEARCH_PARAMS_H_
#define CUDAME_CUDA_SEARCH_PARAMS_H_

#include <cstdint>

#include "cudame/cudame.h"

namespace cudame {

constexpr int kMaxSearches = CUDAME_REFS - 1;

// A key orders candidates: the cost is in the upper 17 bits, the evaluation order below. A cost of
// kMaxRate or more never beats another, as in the scalar reference.
constexpr int kOrderBits = 15;

// A row of one search is copied to the host in kRowParts parts. A row has kRowCounters counters:
// the number of parts that were copied, of all searches, and for each part the number of thread
// blocks that finished.
constexpr int kRowParts = 8, kRowCounters = 1 + kMaxSearches * kRowParts;

constexpr int kListMbs = 4;  // macroblocks, and warps, of a thread block that searches lists
constexpr int kSubpelMbs = 4, kSubpelThreads = 64;          // of a thread block of subpel.cuh
constexpr int kTexMbs = 2, kTexThreads = kTexMbs * 5 * 16;  // of a thread block of subpel_tex.cuh

// Boxes of reference pixels in shared memory: around the zero vector, the prediction and the seeds.
constexpr int kBoxes = 2 + 3;
constexpr int kBoxRows = 5 + 15, kBoxStride = 6;      // words
constexpr int kBoxWords = kBoxRows * kBoxStride + 4;  // the next box starts in another bank

// The full search. A thread takes kWindowColumn vectors below each other. WindowWords: words in a
// row of the tile for n columns of vectors. WindowCopyWords: words in one of the tile's four
// shifted copies. The copies start eight banks apart, so that four neighbouring vectors never read
// the same bank.
constexpr int kWindowThreads = 128;
constexpr int kWindowColumn = 4;
constexpr int WindowWords(int n) { return (n + 2) / 4 + 5; }
constexpr int WindowCopyWords(int words, int chunk_rows) {
    return (words * (chunk_rows + 15) + 31 - 8) / 32 * 32 + 8;
}

// The part that all searches have. A launch searches rows of macroblocks from first_row on. Grid:
// searches x thread blocks of a row x rows, so that blocks start, and rows finish, in the encoder's
// order.
struct SearchParams {
    const uint8_t* src;  // padded to whole macroblocks; rows are 16-byte aligned
    const int* costs;    // of rows, then of columns; kCostEntries each
    int src_stride, ref_stride;
    int mb_cols, mb_rows;  // of the frame, or of the coarse level
    int first_row;
    int searches;
    int sad_per_bit;
    uint32_t key_scale;  // 1 << kOrderBits, in a form that the compiler cannot see
};

// One reference of a search.
struct RefParams {
    const uint8_t* plane;       // first pixel inside of a border of CUDAME_REF_BORDER
    const cudame_mv* previous;  // predictions by macroblock, or NULL: all are zero
};

// The progress of rows, see RowProgress.
struct RowParams {
    uint32_t sequence;   // number of the frame
    uint32_t* finished;  // counters by row, all 0 between frames
    uint32_t* progress;  // by row, `sequence` when the row is complete; in pinned host memory
};

// Results of one reference, by macroblock. Complete rows are copied to pinned host memory.
struct RefOutput {
    cudame_mv* best;  // 16x16 vectors, which predict the next frame's
    cudame_mb* records;
    cudame_split* splits;  // of the smaller blocks, or NULL: they are not searched
    cudame_mb* host_records;
    cudame_split* host_splits;
};

// A box of vectors that is searched in full, tile by tile.
struct WindowParams {
    int range;       // from its centre to each side, in pixels
    int chunk_rows;  // rows of vectors that a tile in shared memory serves
};

// The coarse level. It has no rates: sad_per_bit is 0.
struct CoarseParams : SearchParams, WindowParams {
    int src_width, src_height;  // of the shrunk source, in pixels
    int cross;                  // whether to try only the vectors in kCoarseAcross and kCoarseDown
    struct Ref : RefParams {
        cudame_mv* integer;  // gets CUDAME_BLOCKS vectors for each coarse macroblock
    } refs[kMaxSearches];
};

// The whole-pixel searches from the papers (doc/papers.md): lists of vectors, and full search.
struct IntegerParams : SearchParams, RowParams, WindowParams {
    int iterative;    // lists: whether the diamond moves
    int coarse_cols;  // coarse macroblocks of a row
    struct Ref : RefParams, RefOutput {
        const cudame_mv* coarse;  // CUDAME_BLOCKS vectors for each coarse macroblock
        cudame_mv* integer;       // gets the same for each macroblock, if a refinement follows
    } refs[kMaxSearches];
};

// The sub-pel refinements of the papers' searches.
struct RefineParams : SearchParams, RowParams {
    int filter;  // enum cudame_filter
    struct Ref : RefParams, RefOutput {
        const cudame_mv* integer;  // CUDAME_BLOCKS whole-pixel vectors for each macroblock
    } refs[kMaxSearches];
};

}  // namespace cudame

#endif  // CUDAME_CUDA_SEARCH_PARAMS_H_
