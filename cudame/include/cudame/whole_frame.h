/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/**
 * @file
 * Whole frames: all macroblocks of a frame are decided and coded, as libvpx's guided mode decision
 * does it at a realtime deadline, with the same result to the bit.
 *
 * Vectors are in 1/8 pixel of luma, libvpx's unit, and even. Rates are in 1/256 bit. Arrays by
 * reference have the order intra, last, golden, altref. The structs equal those of
 * vpx/vp8_mp_whole_frame.h.
 */
#ifndef CUDAME_WHOLE_FRAME_H_
#define CUDAME_WHOLE_FRAME_H_

#include <stdint.h>

#include "cudame/cudame.h"
#include "cudame/loop_filter.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A picture in 4:2:0; pointers are to its first pixel inside the
 * border. It is persistent, see cudame_plane. */
typedef struct cudame_planes {
    uint8_t *plane[3];     /**< Y, U, V; [0] NULL: there is no such picture */
    int stride, uv_stride; /**< bytes from row to row */
    uint64_t id;           /**< that of the reference in cudame_frame; 0: it is no reference */
} cudame_planes;

/** Thresholds of the guided mode decision, as in libvpx. At realtime SPLITMV is planned in the
 * reference of the best 16x16 candidate alone, and one plan is evaluated. */
typedef struct cudame_guide_level {
    int refs, inter16x16, max_inter16x16, split, partitionings, bpred, intra16x16, sole, bound,
        fewer_modes;
} cudame_guide_level;

enum {
    CUDAME_PLANE_Y = 0, /**< luma blocks */
    CUDAME_PLANE_Y2,    /**< the block of their DC coefficients */
    CUDAME_PLANE_UV,    /**< chroma blocks */
    CUDAME_PLANES
};

/** How the macroblocks of a segment are decided and coded. */
typedef struct cudame_segment {
    cudame_guide_level level;
    int lambda;        /**< SATD that is worth a bit */
    int rdmult, rddiv; /**< RD cost = (128 + rate * rdmult >> 8) + error * rddiv */
    int breakout;      /**< static threshold: squared error of the macroblock; 0:
                            none */
    /** Coefficient i, in raster order, becomes sign * ((abs + round[i]) *
     * quant[i > 0] >> 16). Its decoded value is that times dequant[i > 0]. */
    int16_t round[CUDAME_PLANES][16];
    int16_t quant[CUDAME_PLANES][2], dequant[CUDAME_PLANES][2];
} cudame_segment;

/** An intra estimate of an earlier frame, see
 * vp8/encoder/mp/mode/recall.h.
 */
typedef struct cudame_recalled {
    uint32_t inter, intra, frames;
} cudame_recalled;

/** A residual that was dropped. */
typedef struct cudame_dropped {
    uint32_t error, frames;
} cudame_dropped;

/** State of a macroblock that lives from frame to frame. */
typedef struct cudame_mb_memory {
    cudame_recalled recalled;
    cudame_dropped dropped;
} cudame_mb_memory;

/** Rates of a frame, and other values that do not depend on the segment.
 */
typedef struct cudame_rates {
    int ref[4];     /**< of a reference */
    int mode[5];    /**< of DC_PRED, V_PRED, H_PRED, TM_PRED and B_PRED */
    int uv_mode[4]; /**< of chroma's modes */
    /** Of B_DC_PRED to B_HU_PRED, then LEFT4X4, ABOVE4X4, ZERO4X4 and
     * NEW4X4. */
    int bmode[14];
    /** Of bit 0 and bit 1 at node n of the tree of inter modes, if the
     * count of its neighbours is c: [c][n]. */
    int near_mode[6][4][2];
    int partitioning[4];    /**< of 16x8, 8x16, 8x8 and 4x4 */
    int token[4][8][3][12]; /**< by type of plane, band, context and token */
    int skip[2];            /**< of mb_skip_coeff 0 and 1 */
    int intra_penalty;      /**< added to the RD cost of an intra macroblock */
    int min_mv_difference;  /**< a difference below this costs as much as this,
                                 in quarter pixels */
    int sign_bias[4];       /**< by reference */
} cudame_rates;

/** Flags of cudame_coded_mb
 * @{ */
#define CUDAME_CODED_SKIP                         \
    1 /**< taken without a residual by the static \
           threshold */
#define CUDAME_CODED_STILL                                                            \
    2                              /**< decided as SPLITMV; its residual was dropped, \
                                        and it is coded as ZEROMV */
#define CUDAME_CODED_UNEVALUATED 4 /**< no candidate was evaluated */
/*!@} */

/** A coded macroblock. */
typedef struct cudame_coded_mb {
    uint8_t mode, uv_mode, ref; /**< in libvpx's values */
    uint8_t partitioning;       /**< of SPLITMV: 0 16x8, 1 8x16, 2 8x8, 3 4x4 */
    uint8_t flags;              /**< CUDAME_CODED_*, added up */
    uint8_t evaluated;          /**< candidates that were evaluated */
    uint16_t tokens;            /**< number of its tokens, up to 384; 0: no residual */
    int16_t best_mv[2];         /**< vector that NEWMV and NEW4X4 are predicted
                                     from, row and column */
    int16_t mv[2];              /**< inter: of the macroblock, row and column */
    int32_t rate, distortion;   /**< of the decision, as libvpx adds them up */
    int32_t intra_error;
    uint32_t first_token; /**< index of its first token in tokens */
} cudame_coded_mb;

/** The 4x4 blocks of a macroblock that is B_PRED, or that was decided as
 * SPLITMV. */
typedef struct cudame_blocks {
    union {
        int16_t mv[16][2]; /**< SPLITMV: row and column by block */
        uint8_t bmode[16]; /**< B_PRED: by sub-block */
    } block;
    uint8_t split_mode[16]; /**< SPLITMV: LEFT4X4 to NEW4X4 by partition */
} cudame_blocks;

/** A token of a coefficient or of the end of a block (RFC 6386 section 13). Bits 0 to 6 are its
 * context, (type * 8 + band) * 3 + class: the type is 0 for luma after Y2, 1 for Y2, 2 for chroma
 * and 3 for luma with its DC coefficients; the class is that of the token before, or of the
 * neighbours. Bit 7 is CUDAME_TOKEN_AFTER_ZERO. Bits 8 to 11 are the token, in the order of DCT_0
 * to dct_cat6, and 11 for the end of a block. The bits from 12 on are the sign and, above it, the
 * extra bits. */
typedef uint32_t cudame_token;

/** The token before is a zero, so that this one is not the end. */
#define CUDAME_TOKEN_AFTER_ZERO 0x80
#define CUDAME_TOKEN_SHIFT 8        /**< the token's first bit */
#define CUDAME_TOKEN_EXTRA_SHIFT 12 /**< the sign's bit */

/** libvpx's temporal denoiser, as in its guided mode decision. Each macroblock is denoised before
 * it is decided: it moves towards the denoised picture of an earlier frame, by the vector of lowest
 * error. Lengths of vectors are squared, in the square of the vectors' unit. */
typedef struct cudame_denoiser {
    int has_chroma;   /**< chroma is denoised where luma stands still */
    int zero_percent; /**< the squared error of a zero vector counts as this percentage of it */
    /** Macroblocks of a higher squared error, or with a longer vector, stay as they are. */
    int most_error, most_length;
    /** A macroblock whose vector is shorter than this is denoised more strongly. So is one that was
     * coded with the zero vector of the last frame for this number of frames, see still_frames of
     * cudame_whole_frame, and is predicted by the zero vector of the last frame or of closest_ref.
     */
    int strong_length, strong_frames;
    int most_strong_error; /**< instead of most_error */
    int closest_ref;       /**< slot of a reference */
    int sharpness;         /**< 0..7; of the filter at the edges of macroblocks */
    /** By macroblock: 1 for skin, which is denoised if it has been coded with the zero vector of
     * the last frame in two frames or more. NULL: there is none. */
    const uint8_t *skin;
    /** As still_frames, but vectors near zero count as zero. */
    const uint8_t *near_still_frames;
    /** The denoised pictures of the references, without borders. [0] is unused; plane[0] NULL: the
     * denoiser does not use this reference. Pictures with the same id are the same; 0: its content
     * may have changed. */
    cudame_planes ref[4];
    /** Output: the denoised picture of this frame, without borders. Without has_chroma only its
     * luma. Its id is the one that it will have in ref. It may be written even if the frame fails.
     */
    cudame_planes denoised;
} cudame_denoiser;

/** A frame to code. Everything is valid until code_frame() returns, but
 * coded, blocks, tokens and new_memory, which the provider owns. */
typedef struct cudame_whole_frame {
    uint64_t frame_id;    /**< for messages */
    int mb_rows, mb_cols; /**< size in macroblocks */
    cudame_planes source; /**< to be coded: whole macroblocks */
    /** Loop filtered, with extended borders of 32 and 16 pixels. [0] is unused. The denoiser also
     * uses references that were not searched. The last frame is always searched if it is given.
     * Without a reference that was submitted the frame is CUDAME_ERROR_UNAVAILABLE. */
    cudame_planes ref[4];
    /** A searched reference whose picture the frame shows again: its zero vector is a candidate in
     * each macroblock. 0: there is none. */
    int returned_ref;
    /** Output: the reconstruction before the loop filter, if has_recon. Its borders are undefined
     * after the call. It may be written even if the call fails. */
    cudame_planes recon;
    /** Not 0: recon need not be written. The caller then lets this context measure levels of the
     * loop filter and filter the frame, or makes recon from modes and tokens. */
    int may_keep_recon;
    const cudame_segment *segments; /**< four */
    const cudame_rates *rates;
    /** In a key frame: the rate of a sub-block's mode by the modes above and to the left,
     * [above][left][mode], ten of each. NULL: an inter frame, where rates->bmode has the rates. A
     * key frame has no references, and its memory stays as it is. */
    const int *key_bmode;
    /** Rates of vectors as in cudame_frame. */
    const int *mv_cost[2];
    /** Rate of the extra bits and the sign of a coefficient: [value],
     * -2048..2047. It is the same table in all frames. */
    const int16_t *value_cost;
    const uint8_t *segment; /**< by macroblock; NULL: all are 0 */
    /** By macroblock: number of frames in a row in which it was coded with
     * the zero vector of the last frame, up to 255. */
    const uint8_t *still_frames;
    const cudame_mb_memory *memory;  /**< by macroblock */
    const cudame_denoiser *denoiser; /**< NULL, or in a key frame: there is none */

    /* Output, valid until frame_end(). */
    const cudame_coded_mb *coded; /**< by macroblock, in raster order */
    /** By macroblock. Others than those that cudame_blocks describes are not set. */
    const cudame_blocks *blocks;
    const cudame_token *tokens; /**< those of a macroblock follow each other */
    /** How often each token is in each context: [context][token], [96][12]. */
    const uint32_t *token_counts;
    const cudame_mb_memory *new_memory; /**< by macroblock */
    int has_recon;                      /**< not 0: recon is written */
} cudame_whole_frame;

/**
 * Decide and code the open frame, which has intra estimates. The output is valid until
 * cudame_end_frame(). After an error the frame stays open, and its rows can be waited for. On the
 * CPU backend this is a reference that takes longer than an encoder would.
 * @return 0 or a CUDAME_ERROR; CUDAME_ERROR_UNAVAILABLE if the device is late with this frame or
 *         with one before, or if the search is not the lean one
 */
int cudame_code_frame(cudame_context *ctx, cudame_whole_frame *frame);

/** The token partition of a frame (RFC 6386 sections 7 and 9.5): the number that a boolean encoder
 * makes of the tokens of all macroblocks in raster order. */
typedef struct cudame_partition {
    const uint8_t *probs; /**< of the token tree by context, [96][11] */

    /* Output, valid until frame_end(). */
    const uint8_t *data; /**< the number, highest bit first, then zeros up to a whole byte;
                              NULL: it was not made */
    uint32_t bits;       /**< by how many bits the encoder has shifted. The number has 8 more. */
    uint32_t range;      /**< of the encoder at the end, 128..255. At the start it is 255. */
} cudame_partition;

/** The macroblocks' modes and vectors in a frame that has no SPLITMV (RFC 6386 sections 9.3, 11, 16
 * and 17): the number that a boolean encoder makes of them, in raster order, after the frame's
 * header. Probabilities are those of 0, of 256. */
typedef struct cudame_modes {
    uint8_t has_segments, has_skips; /**< not 0: each macroblock has its segment, or says whether it
                                          has coefficients */
    uint8_t segment[3];              /**< of the tree of segments */
    uint8_t skip;                    /**< that a macroblock has coefficients, if has_skips */
    uint8_t intra, last, golden;     /**< of the references */
    uint8_t ymode[4], uv_mode[3], bmode[9];
    uint8_t mv[2][19];    /**< of rows and columns, in the header's order */
    uint32_t start_range; /**< of the encoder after the header, 128..255 */
    /** In a key frame: by the sub-block modes above and to the left, of the tree of sub-block
     * modes, [10][10][9]; `bmode`, references and vectors are not used. NULL: an inter frame. */
    const uint8_t *key_bmode;

    /* Output, valid until frame_end(), as in cudame_partition. */
    const uint8_t *data;
    uint32_t bits;
    uint32_t range;
} cudame_modes;

/** The loop filter of a frame (RFC 6386 section 15.3, the normal filter). */
typedef struct cudame_frame_filter {
    /** By macroblock: its level, 0..63, plus CUDAME_LOOP_FILTER_INNER. */
    const uint8_t *macroblocks;
    int sharpness;       /**< 0..7 */
    int key_frame;       /**< not 0: use a key frame's thresholds for high edge variance */
    cudame_planes recon; /**< of cudame_code_frame(), unfiltered, if has_recon; stays as it is */
    /** Output: the filtered picture, in other memory, which has the borders of a
     * reference. Its borders are undefined after the call. If the reference of this id is
     * submitted later, it has this picture. An id of 0: it is no reference. */
    cudame_planes filtered;
    /** The frame's tokens are written in the same call. NULL: they are not. */
    cudame_partition *partition;
    cudame_modes *modes; /**< the same for its modes and vectors */
} cudame_frame_filter;

/**
 * Filter the frame that cudame_code_frame() has coded, once, before cudame_end_frame(). Also write
 * its token partition, and its modes, if there is room for them: 128 and 32 bytes for each
 * macroblock.
 * @return 0, or a CUDAME_ERROR; CUDAME_ERROR_UNAVAILABLE if the device is late. After an error the
 *         filtered planes, the partition and the modes are undefined.
 */
int cudame_filter_frame(cudame_context *ctx, const cudame_frame_filter *filter);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif /* CUDAME_WHOLE_FRAME_H_ */
