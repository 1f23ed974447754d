// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The input and output of the coder of whole frames.

#ifndef CUDAME_COMMON_CODER_FRAME_H_
#define CUDAME_COMMON_CODER_FRAME_H_

#include <cstdint>

#include "cudame/cudame.h"
#include "cudame/whole_frame.h"

namespace cudame {

// A vector in 1/8 pixel.
struct Mv {
    int16_t row, col;
};

// What the macroblocks to the right and below read of a coded one. Entropy contexts: four of Y, two
// of U, two of V, Y2.
constexpr int kContexts = 9, kContextU = 4, kContextV = 6, kContextY2 = 8;
struct Neighbour {
    Mv mv[4];  // of the blocks at the edge; [3] is that of the macroblock; 0 for intra
    uint8_t ref, is_split;
    uint8_t context[kContexts];
    uint8_t bmode[4];  // in key frames: the sub-block modes at the edge
    uint8_t reserved;
};
static_assert(sizeof(Neighbour) == 32, "copied in pieces");

// The tokens of a macroblock, or its bools in a list.
struct alignas(8) TokenRun {
    uint32_t first, count;
};

// The mode and the vector of a macroblock, as they are written. See mode_record.h.
struct alignas(16) ModeRecord {
    uint32_t words[4];
};

// A frame's denoiser, see cudame_denoiser.
struct CoderDenoiser {
    const uint8_t* ref[CUDAME_REFS][3];  // with borders; [0] NULL: it is not used
    uint8_t* denoised[3];                // the denoised picture; [0] NULL: there is no denoiser
    int stride, uv_stride;               // of these
    // The source and the records that the coder reads. Those of the frame stay as they are.
    uint8_t* source[3];
    int source_stride, source_uv_stride;
    cudame_mb* records[CUDAME_REFS];
    uint8_t* states;  // by macroblock: how it was denoised
    const uint8_t *skin, *near_still_frames;
    int zero_percent, most_error, most_length, strong_length, strong_frames, most_strong_error,
        closest_ref, sharpness;
    bool has_chroma;
};

// Copies the values of a denoiser, but not its pictures and maps.
inline void SetDenoiser(const cudame_denoiser& from, CoderDenoiser* to) {
    to->zero_percent = from.zero_percent;
    to->most_error = from.most_error;
    to->most_length = from.most_length;
    to->strong_length = from.strong_length;
    to->strong_frames = from.strong_frames;
    to->most_strong_error = from.most_strong_error;
    to->closest_ref = from.closest_ref;
    to->sharpness = from.sharpness;
    to->has_chroma = from.has_chroma != 0;
}

// The input of a frame's macroblocks.
struct CoderFrame {
    int mb_rows, mb_cols;
    const uint8_t* source[3];
    const uint8_t* ref[CUDAME_REFS][3];  // NULL: the frame does not predict from it
    uint8_t* recon[3];
    int source_stride, source_uv_stride, ref_stride, ref_uv_stride, recon_stride, recon_uv_stride;
    const cudame_mb* records[CUDAME_REFS];  // NULL: not searched
    int returned_ref;                       // see cudame_whole_frame
    const cudame_split* splits[CUDAME_REFS];
    const cudame_intra* intra;
    const cudame_segment* segments;
    const cudame_rates* rates;
    const int* key_bmode;   // see cudame_whole_frame; NULL: an inter frame
    const int* mv_cost[2];  // [0] is a difference of 0
    const int16_t* value_cost;
    const uint8_t* segment;  // NULL: all are 0
    const uint8_t* still_frames;
    const cudame_mb_memory* memory;
    CoderDenoiser denoiser;
    // Output by macroblock, and tokens, which macroblocks append as they come.
    cudame_coded_mb* coded;
    cudame_blocks* blocks;
    cudame_mb_memory* new_memory;
    cudame_token* tokens;
    uint32_t* next_token;    // number of tokens so far
    TokenRun* runs;          // by macroblock; `coded`, which has them too, is in the host's memory
    uint32_t* token_counts;  // see cudame_whole_frame; 0 at first
    ModeRecord* modes;       // by macroblock
    Neighbour* neighbours;
    // By row: the number of macroblocks that are done. Not NULL: a macroblock begins before the one
    // above it to the right is done, see LoadAboveRight().
    const uint32_t* rows_done;
};

}  // namespace cudame

#endif  // CUDAME_COMMON_CODER_FRAME_H_
