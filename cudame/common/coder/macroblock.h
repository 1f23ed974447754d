// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// A macroblock that is being coded: its input, and the state that its lanes share.

#ifndef CUDAME_COMMON_CODER_MACROBLOCK_H_
#define CUDAME_COMMON_CODER_MACROBLOCK_H_

#include <cstddef>

#include "common/coder/frame.h"
#include "common/coder/tables.h"
#include "cudame/cudame.h"
#include "cudame/whole_frame.h"

#ifdef CUDAME_WARP
alignas(16) extern __shared__ uint32_t tile[];  // all dynamic shared memory
#endif

namespace cudame::CODER_NAMESPACE {

CODER_FN Mv MakeMv(int row, int col) {
    return {static_cast<int16_t>(row), static_cast<int16_t>(col)};
}
// Without a branch.
CODER_FN bool operator==(Mv a, Mv b) { return ((a.row ^ b.row) | (a.col ^ b.col)) == 0; }
CODER_FN bool operator!=(Mv a, Mv b) { return !(a == b); }
CODER_FN bool IsZero(Mv a) { return (a.row | a.col) == 0; }
CODER_FN Mv FromQuarter(cudame_mv v) { return MakeMv(2 * v.row, 2 * v.col); }

// The blocks of a macroblock: 16 of luma, 4 of U, 4 of V, and Y2.
constexpr int kFirstUv = 16, kY2 = 24, kBlocks = 25;
constexpr int kMaxTokens = 384;  // of a macroblock: 24 blocks of 16, or 16 of 15 and nine of 16
// Pixels of a macroblock: luma in 16 rows of 16, then U and V in 8 rows of 8.
constexpr int kU = 256, kV = 320, kMbPixels = 384;

// The frame around luma that intra prediction reads: one row above with the pixel to its left and
// four to its right, one column to the left.
constexpr int kTileStride = 32, kTileLeft = 8;
constexpr int kUvTileStride = 16, kUvTileLeft = 4;

// The near vectors by sign bias of the reference: best, nearest and near. They are clamped to the
// frame and its border.
enum NearKind { kBest, kNearest, kNear };
struct NearVectors {
    Mv mv[2][3];
    int rate[5];  // of kNearestMv to kSplitMv
    int counts;   // of section 16.3, in three bits each
};

// A mode with one vector, for one reference.
constexpr int kModes = 4;
struct VectorMode {
    int rate;     // of reference, mode and vector
    int mv_rate;  // of a new vector
    Mv mv;
    bool valid;  // the vector can be coded, and no earlier mode has it
};

// A 16x16 inter candidate.
struct Candidate {
    uint32_t cost;  // SATD + lambda * rate
    int rate;       // of reference, mode and vector
    int mv_rate;
    Mv mv;
    uint8_t mode, ref;
};
constexpr int kMaxCandidates = 12;

// A plan of SPLITMV.
struct Plan {
    uint32_t cost;  // includes the rate of reference and mode
    int rate;       // of partitioning, sub-block modes and vectors
    int ref, partitioning;
    uint8_t mode[16];  // by partition
    Mv mv[16];         // by partition
};

// The cost of a sub-block's best mode.
struct SubblockCost {
    int rd, tokens, mode_rate, distortion;  // tokens: their rate
};

// The best mode of a key frame's macroblock so far. rate: of luma and its mode; uv_rate: of chroma
// and its mode.
struct KeyDecision {
    int mode, uv_mode, rd, rate, uv_rate, evaluated;
};

// Rows of reference pixels that the filters read for 16x16 pixels, and for 8x8.
constexpr int kPatchRows = 21, kUvPatchRows = 13;

// Words of a macroblock's input beside its source: the records of three references, its memory, its
// intra estimate, and two words with a byte of the maps each. See cuda/coder_rows.cuh.
constexpr int kInputWords = 26;

// Copies of a frame's parameters, rates and segments. All warps of a thread block read them.
struct alignas(16) FrameTables {
    CoderFrame frame;
    cudame_rates rates;
    cudame_segment segments[4];
    // In key frames, the sub-block mode of the lowest rate by the modes above and to the left.
    uint8_t cheapest[kBlockModes * kBlockModes];
};

// A macroblock, which the lanes of a warp share.
struct alignas(16) Mb {
    int row, col, segment;  // of the macroblock
    // Aligned, because they are copied in words.
    alignas(16) cudame_mb record[kRefs];
    alignas(4) cudame_intra intra;
    uint8_t still_frames, next_segment;
    alignas(16) uint8_t source[kMbPixels];
    // The next four are not read after CodeMacroblock(), and then hold the tokens, see Tokens().
    uint8_t pred[kMbPixels];       // of the candidate that is evaluated
    uint8_t best_pred[kMbPixels];  // of the best one
    uint8_t filtered[21 * 16];
    uint32_t patch[kPatchRows * 8];  // pixels of a reference
    uint8_t tile[17 * kTileStride];
    uint8_t uv_tile[2][9 * kUvTileStride];
    int16_t coeff[16];  // the first ones of luma blocks
    alignas(16) int16_t q[kBlocks * 16];
    union {
        alignas(16) int16_t best_q[kBlocks * 16];
        Candidate found[kMaxCandidates];  // as they come, before a candidate is evaluated
    };
    uint8_t eob[kBlocks];
    // Bits of the coefficients that are not zero, in zigzag order.
    uint16_t coded[kBlocks], best_coded[kBlocks];
    alignas(4) Neighbour left, above, corner;
    alignas(4) Neighbour below, right;  // what it leaves
    NearVectors near;
    VectorMode mode[kModes];
    Candidate candidate[kMaxCandidates];  // sorted by cost
    Plan plan, best_plan;
    // The state of B_PRED's sub-blocks is used until the macroblock is decided. If the macroblock
    // is then predicted from a reference, uv_patch takes its place.
    union {
        struct {
            uint8_t taps[2][32];  // of the edges of two that are coded at the same time
            alignas(8) int16_t block_q[2][4][16];  // of these two, by mode that is evaluated
            SubblockCost block_cost[16];
        };
        uint32_t uv_patch[kUvPatchRows * 8];  // as `patch`, of both planes
    };
    uint16_t block_modes[16];  // bits of the modes to evaluate
    uint8_t bmode[16];
    cudame_coded_mb out;
    alignas(4) cudame_blocks blocks;
    cudame_mb_memory memory;
    uint8_t contexts[kBlocks];  // contexts of the blocks' first tokens, if there are tokens
    bool is_coded;              // the macroblock has tokens
    KeyDecision key;            // of a warp that helps, see cuda/key_rows.cuh
    // Only warps use the next two, see cuda/coder_rows.cuh: the input of the next macroblock; the
    // lowest rows of pixels and `below` of the last two macroblocks.
    uint32_t next[kMbPixels / 4 + kInputWords];
    uint32_t bottom[2][16];
};

static_assert(offsetof(Mb, source) % 16 == 0 && offsetof(Mb, pred) % 4 == 0 &&
                  offsetof(Mb, best_pred) % 4 == 0 && offsetof(Mb, tile) % 4 == 0 &&
                  offsetof(Mb, uv_tile) % 4 == 0 && offsetof(Mb, filtered) % 4 == 0 &&
                  offsetof(Mb, record) % 4 == 0 && offsetof(Mb, intra) % 4 == 0 &&
                  offsetof(Mb, left) % 4 == 0 && offsetof(Mb, below) % 4 == 0,
              "a warp reads and writes words");
static_assert(offsetof(Mb, tile) - offsetof(Mb, pred) >= kMaxTokens * sizeof(cudame_token),
              "room for tokens");

#ifdef CUDAME_WARP
// Dynamic shared memory: the tables, then the state of each warp.
CODER_FN FrameTables& Tables() { return *reinterpret_cast<FrameTables*>(tile); }
CODER_FN Mb& State() { return reinterpret_cast<Mb*>(&Tables() + 1)[threadIdx.x / kLanes]; }
#else
// The dynamic shared memory of a thread block.
constexpr unsigned SharedBytes(int warps) {
    return static_cast<unsigned>(sizeof(FrameTables) + static_cast<size_t>(warps) * sizeof(Mb));
}
inline FrameTables& Tables() {
    static thread_local FrameTables tables;
    return tables;
}
inline Mb& State() {
    static thread_local Mb state;
    return state;
}
#endif
CODER_FN const CoderFrame& Frame() { return Tables().frame; }
CODER_FN const cudame_rates& Rates() { return Tables().rates; }
CODER_FN const cudame_segment& Segment() { return Tables().segments[State().segment]; }

CODER_FN uint8_t* TileAt(Mb& s, int x, int y) {
    return s.tile + (y + 1) * kTileStride + kTileLeft + x;
}
CODER_FN uint8_t* UvTileAt(Mb& s, int plane, int x, int y) {
    return s.uv_tile[plane] + (y + 1) * kUvTileStride + kUvTileLeft + x;
}

// The place of the macroblock in a plane, from the plane's first pixel.
CODER_FN int PlaceIn(int plane, int stride) {
    const int size = plane ? 8 : 16;
    return State().row * size * stride + State().col * size;
}
CODER_FN const uint8_t* RefPlane(int ref, int plane) {
    return Frame().ref[ref][plane] +
           PlaceIn(plane, plane ? Frame().ref_uv_stride : Frame().ref_stride);
}

CODER_FN int RdCostOf(const cudame_segment& seg, int rate, int distortion) {
    return ((128 + rate * seg.rdmult) >> 8) + seg.rddiv * distortion;
}

// The scalars of a macroblock, the same in all lanes.
struct At {
    int mb;
    int left, right, top, bottom;  // distances to the frame's edges, in 1/8 pixel
    const cudame_segment& seg;

    // Vectors move a macroblock no farther than 16 pixels beyond the frame, but for less than a
    // pixel at the lower and right edges.
    CODER_FN bool Legal(Mv v) const {
        return v.row >= top - 128 && v.row <= bottom + 128 + 7 && v.col >= left - 128 &&
               v.col <= right + 128 + 7;
    }
    // Legal vectors whose difference to another one can be coded.
    CODER_FN bool Codable(Mv v, Mv from) const {
        return Legal(v) && Abs(v.row - from.row) <= kMaxDifference &&
               Abs(v.col - from.col) <= kMaxDifference;
    }
    static constexpr int kMaxDifference = (255 << 3) - 8;

    CODER_FN Mv ClampToFrame(Mv v) const {
        return MakeMv(Clamp(v.row, top - 128, bottom + 128), Clamp(v.col, left - 128, right + 128));
    }
    // The rate of a vector relative to another one, before it is weighted.
    CODER_FN int VectorRate(Mv v, Mv from) const {
        const int row_difference = (v.row - from.row) >> 1,
                  col_difference = (v.col - from.col) >> 1;
        const int least = Rates().min_mv_difference;
        return Frame().mv_cost[0][Max(row_difference, least)] +
               Frame().mv_cost[1][Max(col_difference, least)];
    }
    CODER_FN uint32_t Weigh(uint32_t satd, int rate) const {
        return satd +
               ((static_cast<uint32_t>(rate) * static_cast<uint32_t>(seg.lambda) + 128) >> 8);
    }
    CODER_FN int RdCost(int rate, int distortion) const { return RdCostOf(seg, rate, distortion); }
};

CODER_FN bool Within(uint32_t cost, uint32_t low, int permille) {
    return static_cast<uint64_t>(cost) * 1000 <=
           static_cast<uint64_t>(low) * static_cast<uint64_t>(permille);
}
CODER_FN uint32_t Limit(uint32_t low, int permille) {
    return static_cast<uint32_t>(static_cast<uint64_t>(low) * static_cast<uint64_t>(permille) /
                                 1000);
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_COMMON_CODER_MACROBLOCK_H_
