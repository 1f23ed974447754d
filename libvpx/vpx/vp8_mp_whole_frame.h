/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*!\file
 * \brief Whole frames: a motion provider that decides and codes all macroblocks
 * of a frame.
 *
 * The provider must do what the guided mode decision does at a realtime
 * deadline (vp8/encoder/mp/mode), so that the stream stays the same. It decides
 * modes, transforms, quantizes and reconstructs, and may filter the frame at
 * the level that the encoder chooses. It may write the tokens, modes and
 * vectors. The encoder keeps rate control, probabilities and the rest of the
 * bitstream.
 *
 * Vectors are in the encoder's unit, 1/8 pixel of luma, and even. Rates are in
 * 1/256 bit. Arrays by reference have the order intra, last, golden, altref.
 */
#ifndef VPX_VPX_VP8_MP_WHOLE_FRAME_H_
#define VPX_VPX_VP8_MP_WHOLE_FRAME_H_

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*!\brief A picture in 4:2:0; pointers are to its first pixel inside the
 * border. Its memory stays allocated until memory_freed(). */
typedef struct vp8e_mp_picture {
  uint8_t *plane[3];     /**< Y, U, V; [0] NULL: there is no such picture */
  int stride, uv_stride; /**< bytes from row to row */
  uint64_t id;           /**< that of vp8e_mp_ref_t; 0: it is no reference */
} vp8e_mp_picture_t;

/*!\brief Thresholds of the guided mode decision, see vp8_mp_mode_level in
 * vp8/encoder/mp/mode/level.h. At realtime SPLITMV is planned in the reference
 * of the best 16x16 candidate alone, and one plan is evaluated. */
typedef struct vp8e_mp_level {
  int refs, inter16x16, max_inter16x16, split, partitionings, bpred, intra16x16,
      sole, bound, fewer_modes;
} vp8e_mp_level_t;

enum {
  VP8E_MP_Y = 0, /**< luma blocks */
  VP8E_MP_Y2,    /**< the block of their DC coefficients */
  VP8E_MP_UV,    /**< chroma blocks */
  VP8E_MP_PLANES
};

/*!\brief How the macroblocks of a segment are decided and coded. */
typedef struct vp8e_mp_segment {
  vp8e_mp_level_t level;
  int lambda; /**< SATD that is worth a bit */
  int rdmult,
      rddiv;    /**< RD cost = (128 + rate * rdmult >> 8) + error * rddiv */
  int breakout; /**< static threshold: squared error of the macroblock; 0:
                     none */
  /*!\brief Coefficient i, in raster order, becomes sign * ((abs + round[i]) *
   * quant[i > 0] >> 16). Its decoded value is that times dequant[i > 0]. */
  int16_t round[VP8E_MP_PLANES][16];
  int16_t quant[VP8E_MP_PLANES][2], dequant[VP8E_MP_PLANES][2];
} vp8e_mp_segment_t;

/*!\brief An intra estimate of an earlier frame, see
 * vp8/encoder/mp/mode/recall.h: the lowest cost of the inter candidates, a
 * lower bound of the cost of intra modes, and for how many frames these are
 * valid. */
typedef struct vp8e_mp_recalled {
  uint32_t inter, intra, frames;
} vp8e_mp_recalled_t;

/*!\brief The residual that a macroblock has dropped last, see
 * vp8/encoder/mp/recon/drop.h: the squared error of the prediction, and the
 * number of frames in a row with that error before it. */
typedef struct vp8e_mp_dropped {
  uint32_t error, frames;
} vp8e_mp_dropped_t;

/*!\brief State of a macroblock that lives from frame to frame. */
typedef struct vp8e_mp_memory {
  vp8e_mp_recalled_t recalled;
  vp8e_mp_dropped_t dropped;
} vp8e_mp_memory_t;

/*!\brief Rates of a frame, and other values that do not depend on the segment.
 */
typedef struct vp8e_mp_rates {
  int ref[4];     /**< of a reference */
  int mode[5];    /**< of DC_PRED, V_PRED, H_PRED, TM_PRED and B_PRED */
  int uv_mode[4]; /**< of chroma's modes */
  /*!\brief Of B_DC_PRED to B_HU_PRED, then LEFT4X4, ABOVE4X4, ZERO4X4 and
   * NEW4X4. */
  int bmode[14];
  /*!\brief Of bit 0 and bit 1 at node n of the tree of inter modes, if the
   * count of its neighbours is c: [c][n]. */
  int near_mode[6][4][2];
  int partitioning[4];    /**< of 16x8, 8x16, 8x8 and 4x4 */
  int token[4][8][3][12]; /**< by type of plane, band, context and token */
  int skip[2];            /**< of mb_skip_coeff 0 and 1 */
  int intra_penalty;      /**< added to the RD cost of an intra macroblock */
  int min_mv_difference;  /**< a difference below this costs as much as this,
                               in quarter pixels */
  int sign_bias[4];       /**< by reference */
} vp8e_mp_rates_t;

/*!\brief Flags of vp8e_mp_coded_t
 * @{ */
#define VP8E_MP_CODED_SKIP                      \
  1 /**< taken without a residual by the static \
         threshold */
#define VP8E_MP_CODED_STILL                            \
  2 /**< decided as SPLITMV; its residual was dropped, \
         and it is coded as ZEROMV */
#define VP8E_MP_CODED_UNEVALUATED 4 /**< no candidate was evaluated */
/*!@} */

/*!\brief A coded macroblock. */
typedef struct vp8e_mp_coded {
  uint8_t mode, uv_mode, ref; /**< in libvpx's values */
  uint8_t partitioning;       /**< of SPLITMV: 0 16x8, 1 8x16, 2 8x8, 3 4x4 */
  uint8_t flags;              /**< VP8E_MP_CODED_*, added up */
  uint8_t evaluated;          /**< candidates that were evaluated */
  uint16_t tokens;    /**< number of its tokens, up to 384; 0: no residual */
  int16_t best_mv[2]; /**< vector that NEWMV and NEW4X4 are predicted
                           from, row and column */
  int16_t mv[2];      /**< inter: of the macroblock, row and column */
  int32_t rate, distortion; /**< of the decision, as libvpx adds them up */
  int32_t intra_error;
  uint32_t first_token; /**< index of its first token in tokens */
} vp8e_mp_coded_t;

/*!\brief The 4x4 blocks of a macroblock that is B_PRED, or that was decided as
 * SPLITMV. */
typedef struct vp8e_mp_blocks {
  union {
    int16_t mv[16][2]; /**< SPLITMV: row and column by block */
    uint8_t bmode[16]; /**< B_PRED: by sub-block */
  } block;
  uint8_t split_mode[16]; /**< SPLITMV: LEFT4X4 to NEW4X4 by partition */
} vp8e_mp_blocks_t;

/*!\brief A token of a coefficient or of the end of a block (RFC 6386 section
 * 13). Bits 0 to 6 are its context, (type * 8 + band) * 3 + class: the type is
 * 0 for luma after Y2, 1 for Y2, 2 for chroma and 3 for luma with its DC
 * coefficients; the class is that of the token before, or of the neighbours.
 * Bit 7 is VP8E_MP_TOKEN_AFTER_ZERO. Bits 8 to 11 are the token, in the order
 * of DCT_0 to dct_cat6, and 11 for the end of a block. The bits from 12 on are
 * the sign and, above it, the extra bits. */
typedef uint32_t vp8e_mp_token_t;

/*!\brief The token before is a zero, so that this one is not the end. */
#define VP8E_MP_TOKEN_AFTER_ZERO 0x80
#define VP8E_MP_TOKEN_SHIFT 8        /**< the token's first bit */
#define VP8E_MP_TOKEN_EXTRA_SHIFT 12 /**< the sign's bit */

/*!\brief The temporal denoiser, see vp8/encoder/mp/mode/denoise.h. Each
 * macroblock is denoised before it is decided: it moves towards the denoised
 * picture of an earlier frame, by the vector of lowest error. Lengths of
 * vectors are squared, in the square of the vectors' unit. */
typedef struct vp8e_mp_denoiser {
  int has_chroma;   /**< chroma is denoised where luma stands still */
  int zero_percent; /**< the squared error of a zero vector counts as this
                         percentage of it */
  /*!\brief Macroblocks of a higher squared error, or with a longer vector, stay
   * as they are. */
  int most_error, most_length;
  /*!\brief A macroblock whose vector is shorter than this is denoised more
   * strongly. So is one that was coded with the zero vector of the last frame
   * for this number of frames, see still_frames of vp8e_mp_whole_frame_t, and
   * is predicted by the zero vector of the last frame or of closest_ref. */
  int strong_length, strong_frames;
  int most_strong_error; /**< instead of most_error */
  int closest_ref;       /**< reference in libvpx's value */
  int sharpness;         /**< of the filter at the edges of macroblocks */
  /*!\brief By macroblock: 1 for skin, which is denoised if it has been coded
   * with the zero vector of the last frame in two frames or more. NULL: there
   * is none. */
  const uint8_t *skin;
  /*!\brief As still_frames, but vectors near zero count as zero. */
  const uint8_t *near_still_frames;
  /*!\brief The denoised pictures of the references, without borders. [0] is
   * unused; plane[0] NULL: the denoiser does not use this reference. Pictures
   * with the same id are the same; 0: its content may have changed. */
  vp8e_mp_picture_t ref[4];
  /*!\brief Output: the denoised picture of this frame, without borders. Without
   * has_chroma only its luma. Its id is the one that it will have in ref. The
   * provider may write to it even if it fails. */
  vp8e_mp_picture_t denoised;
} vp8e_mp_denoiser_t;

/*!\brief A frame to code. Everything is valid until code_frame() returns, but
 * coded, blocks, tokens and new_memory, which the provider owns. */
typedef struct vp8e_mp_whole_frame {
  uint64_t frame_id;        /**< that of vp8e_mp_frame_t */
  int mb_rows, mb_cols;     /**< size in macroblocks */
  vp8e_mp_picture_t source; /**< to be coded: whole macroblocks */
  /*!\brief Loop filtered, with extended borders of 32 and 16 pixels. [0] is
   * unused. The denoiser also uses references that were not searched, if they
   * were announced. */
  vp8e_mp_picture_t ref[4];
  /*!\brief A searched reference whose picture the frame shows again: its zero
   * vector is a candidate in each macroblock. 0: there is none. */
  int returned_ref;
  /*!\brief Output: the reconstruction before the loop filter, if has_recon. Its
   * borders are undefined after the call. The provider may write to it even if
   * it fails. */
  vp8e_mp_picture_t recon;
  /*!\brief Not 0: the provider need not write recon. The encoder will probably
   * let it measure levels and filter the frame. If not, it makes recon from
   * modes and tokens. 0: the provider must set has_recon. */
  int may_keep_recon;
  const vp8e_mp_segment_t *segments; /**< four */
  const vp8e_mp_rates_t *rates;
  /*!\brief In a key frame: the rate of a sub-block's mode by the modes above
   * and to the left, [above][left][mode], ten of each. NULL: an inter frame,
   * where rates->bmode has the rates. A key frame has no references, and its
   * memory stays as it is. */
  const int *key_bmode;
  /*!\brief As in vp8e_mp_frame_t, for the segments' lambda. */
  const int *mv_cost[2];
  /*!\brief Rate of the extra bits and the sign of a coefficient: [value],
   * -2048..2047. It is the same table in all frames. */
  const int16_t *value_cost;
  const uint8_t *segment; /**< by macroblock; NULL: all are 0 */
  /*!\brief By macroblock: number of frames in a row in which it was coded with
   * the zero vector of the last frame, up to 255. */
  const uint8_t *still_frames;
  const vp8e_mp_memory_t *memory;     /**< by macroblock */
  const vp8e_mp_denoiser_t *denoiser; /**< NULL, or in a key frame: there is
                                           none */

  /* Output, valid until frame_end(). */
  const vp8e_mp_coded_t *coded; /**< by macroblock, in raster order */
  /*!\brief By macroblock. Others than those that vp8e_mp_blocks_t describes are
   * not set. */
  const vp8e_mp_blocks_t *blocks;
  const vp8e_mp_token_t *tokens; /**< those of a macroblock follow each other */
  /*!\brief How often each token is in each context: [context][token], [96][12].
   */
  const uint32_t *token_counts;
  const vp8e_mp_memory_t *new_memory; /**< by macroblock */
  int has_recon;                      /**< not 0: recon is written */
} vp8e_mp_whole_frame_t;

/*!\brief The token partition of a frame (RFC 6386 sections 7 and 9.5): the
 * number that a boolean encoder makes of the tokens of all macroblocks in
 * raster order. */
typedef struct vp8e_mp_partition {
  const uint8_t *probs; /**< of the token tree by context, [96][11] */

  /* Output, valid until frame_end(). */
  const uint8_t *data; /**< the number, highest bit first, then zeros up to a
                            whole byte; NULL: it was not made */
  uint32_t bits;       /**< by how many bits the encoder has shifted. The number
                            has 8 more. */
  uint32_t range;      /**< of the encoder at the end, 128..255. At the start it
                            is 255. */
} vp8e_mp_partition_t;

/*!\brief The macroblocks' modes and vectors in a frame that has no SPLITMV
 * (RFC 6386 sections 9.3, 11, 16 and 17): the number that a boolean encoder
 * makes of them, in raster order, after the frame's header. Probabilities are
 * those of 0, of 256. */
typedef struct vp8e_mp_modes {
  uint8_t has_segments, has_skips; /**< not 0: each macroblock has its segment,
                                        or says whether it has coefficients */
  uint8_t segment[3];              /**< of the tree of segments */
  uint8_t skip;                    /**< of mb_skip_coeff */
  uint8_t intra, last, golden;     /**< of the references */
  uint8_t ymode[4], uv_mode[3], bmode[9];
  uint8_t mv[2][19];    /**< of rows and columns, in the header's order */
  uint32_t start_range; /**< of the encoder after the header, 128..255 */
  /*!\brief In a key frame: by the sub-block modes above and to the left, of the
   * tree of sub-block modes, [10][10][9]; bmode, references and vectors are not
   * used. NULL: an inter frame. */
  const uint8_t *key_bmode;

  /* Output, valid until frame_end(), as in vp8e_mp_partition_t. */
  const uint8_t *data;
  uint32_t bits;
  uint32_t range;
} vp8e_mp_modes_t;

/*!\brief The loop filter of a frame (RFC 6386 section 15.3, the normal filter).
 */
typedef struct vp8e_mp_frame_filter {
  /*!\brief By macroblock: its level, 0..63, plus VP8E_MP_FILTER_INNER if that
   * applies. */
  const uint8_t *macroblocks;
  int sharpness; /**< 0..7 */
  int is_key;    /**< not 0: a key frame's thresholds for high edge variance */
  vp8e_mp_picture_t recon; /**< of code_frame(), unfiltered, if that has written
                                it; stays as it is */
  /*!\brief Output: the filtered picture, in other memory, which has the borders
   * of a reference. Its borders are undefined after the call. Its id is the one
   * that it will have as a reference. */
  vp8e_mp_picture_t filtered;
  /*!\brief The frame's tokens are written in the same call. NULL: they are
   * not. */
  vp8e_mp_partition_t *partition;
  vp8e_mp_modes_t *modes; /**< the same for its modes and vectors */
} vp8e_mp_frame_filter_t;

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VPX_VP8_MP_WHOLE_FRAME_H_
