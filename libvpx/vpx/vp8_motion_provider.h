/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*!\file
 * \brief External motion provider for the VP8 encoder.
 *
 * An application hands the encoder a struct of callbacks with the control
 * VP8E_SET_MOTION_PROVIDER. For every inter frame the encoder then asks for
 * the motion of each row of macroblocks instead of searching itself: NEWMV and,
 * where given, SPLITMV vectors (RFC 6386 section 18) come from the
 * provider; modes, residual and bitstream stay the encoder's. A callback that
 * fails leaves the row, or the frame, to the encoder's own search: the stream
 * stays valid whatever a provider does, because every vector is checked where
 * it enters. Without a provider the encoder's output is unchanged. The first of
 * two passes asks for no motion, but may leave a whole frame to the provider,
 * which must do it exactly as the encoder would.
 *
 * Vectors are in quarter pixels of luma, the unit of the bitstream.
 */
#ifndef VPX_VPX_VP8_MOTION_PROVIDER_H_
#define VPX_VPX_VP8_MOTION_PROVIDER_H_

#include <stddef.h>
#include <stdint.h>

#include "./vpx_codec.h"

#ifdef __cplusplus
extern "C" {
#endif

#define VP8E_MP_ABI_VERSION 11

/*!\brief Vector in quarter pixels; positive is down and right. */
typedef struct vp8e_mp_mv {
  int16_t row, col;
} vp8e_mp_mv_t;

/*!\brief No data: the encoder searches this macroblock itself. */
#define VP8E_MP_MB_NONE 1
/*!\brief Vectors are whole pixels: the encoder refines them. */
#define VP8E_MP_MB_FULLPEL 2
/*!\brief Vectors of its smaller blocks are valid: SPLITMV uses them. */
#define VP8E_MP_MB_SPLIT 4
/*!\brief They are once complete_split() was called for them. */
#define VP8E_MP_MB_PENDING 8

/*!\brief Motion of one macroblock against one reference frame. */
typedef struct vp8e_mp_mb {
  vp8e_mp_mv_t mv;
  uint16_t dist;      /**< distortion of the prediction, without rate */
  uint16_t dist_zero; /**< distortion of the zero vector */
  uint16_t flags;     /**< VP8E_MP_MB_* */
  uint16_t reserved[3];
} vp8e_mp_mb_t;

/*!\brief Motion of the smaller blocks of one macroblock.
 *
 * Order of the blocks: 0-1 16x8 (top, bottom); 2-3 8x16 (left, right);
 * 4-7 8x8; 8-23 4x4, both in raster order.
 */
typedef struct vp8e_mp_split {
  vp8e_mp_mv_t mv[24];
  uint16_t dist[24];
} vp8e_mp_split_t;

/*!\brief Intra prediction of one macroblock, estimated from its neighbours in
 * the source (RFC 6386 section 12). */
typedef struct vp8e_mp_intra {
  uint16_t satd16[4]; /**< of DC_PRED, V_PRED, H_PRED, TM_PRED, without rate */
  uint16_t cost4;     /**< B_PRED: sum of the lowest SATD + rate of the sixteen
                           sub-blocks */
  uint16_t pending;   /**< VP8E_MP_INTRA_*: valid once complete_intra() was
                           called for it */
  uint8_t mode4[16];  /**< sub-block modes, B_DC_PRED..B_HU_PRED: the lowest
                           in the low nibble, the next in the high one */
} vp8e_mp_intra_t;

/*!\brief Parts of vp8e_mp_intra_t. */
#define VP8E_MP_INTRA_16X16 1 /**< satd16 */
#define VP8E_MP_INTRA_4X4 2   /**< all else */

/*!\brief How much of the mode decision is left to the provider's distortions. */
enum {
  VP8E_MP_GUIDE_OFF = 0,  /**< nothing: only vectors are taken */
  VP8E_MP_GUIDE_SAFE,     /**< candidates far behind are not evaluated */
  VP8E_MP_GUIDE_NORMAL,   /**< those that can win are */
  VP8E_MP_GUIDE_AGGRESSIVE, /**< only where two or more are close */
  VP8E_MP_GUIDE_AUTO        /**< NORMAL where the encoder's speed has it decide
                                 by rate and distortion, else AGGRESSIVE */
};

/*!\brief A reconstructed buffer: loop filtered, borders extended. */
typedef struct vp8e_mp_ref {
  uint64_t id;      /**< identity of the content, 0: none; golden and altref
                         that are the same buffer have the same id */
  const uint8_t *y; /**< luma */
  int stride;
  int width, height; /**< of the luma, whole macroblocks */
  int border;        /**< replicated pixels on every side of it */
  int searched;     /**< the frame being coded may predict from it */
} vp8e_mp_ref_t;

/*!\brief The frame that is about to be coded. */
typedef struct vp8e_mp_frame {
  uint64_t frame_id; /**< one more for each coded frame, hidden ones too */
  int mb_rows, mb_cols;
  const uint8_t *src; /**< luma to be coded: after lookahead, scaling and
                           temporal filter; mb_cols * 16 x mb_rows * 16 */
  int src_stride;
  vp8e_mp_ref_t ref[4]; /**< [1] last, [2] golden, [3] altref */
  int bilinear;         /**< bilinear sub-pel filters (profiles 1 and 2) */
  int sad_per_bit;      /**< SAD worth one bit */
  /*!\brief Rate of a vector difference by component [0] row, [1] column,
   * indexed -1023..1023 in quarter pixels, in 1/256 bit. */
  const int *mv_cost[2];
  /*!\brief Rate of the ten intra sub-block modes in 1/256 bit, for
   * vp8e_mp_intra_t.cost4; NULL: no intra estimates are asked for. */
  const int *bmode_cost;
} vp8e_mp_frame_t;

/*!\brief Luma of a frame, whole macroblocks. */
typedef struct vp8e_mp_plane {
  const uint8_t *y; /**< NULL: there is none */
  int stride;
  uint64_t id; /**< of a reconstruction: identity of its content; a frame that
                    failed leaves its id without content */
} vp8e_mp_plane_t;

/*!\brief A coefficient c is coded as sign(c) * (((abs(c) + round) * quant) >> 16);
 * [0] the first of a block, [1] all others. */
typedef struct vp8e_mp_quantizer {
  int round[2], quant[2], dequant[2];
} vp8e_mp_quantizer_t;

/*!\brief A frame of the first of two passes, or of a lookahead's, which has an
 * encoder of its own: its ids are not those of vp8e_mp_ref_t. What to do with it
 * is what vp8_first_pass() in vp8/encoder/firstpass.c does with its luma. */
typedef struct vp8e_mp_first_pass {
  int mb_rows, mb_cols;
  vp8e_mp_plane_t source;
  vp8e_mp_plane_t last_source; /**< of the frame before; if there is a breakout */
  int breakout; /**< the squared error between the two below which the zero
                     vector is taken without a search; 0: none is */
  vp8e_mp_plane_t last;   /**< reconstruction; none: all is intra */
  vp8e_mp_plane_t golden; /**< none: it is not searched */
  uint8_t *recon;         /**< gets the reconstruction, without a border */
  int recon_stride;
  uint64_t recon_id;
  vp8e_mp_quantizer_t y1, y2;
  /*!\brief Rate of a vector's difference by [0] row, [1] column, 0..63 whole
   * pixels, in 1/256 bit; negative differences cost what zero does. */
  int mv_cost[2][64];
  int error_per_bit; /**< squared error worth one bit */
} vp8e_mp_first_pass_t;

/*!\brief What is counted there, by the names in vp8_first_pass(). Vectors are in
 * 1/8 pixel. */
typedef struct vp8e_mp_first_pass_counts {
  int64_t intra_error, coded_error;
  int inter;      /**< intercount */
  int second_ref; /**< second_ref_count */
  int neutral;    /**< neutral_count */
  int moving;     /**< mvcount */
  int new_mv;     /**< new_mv_count */
  int inwards;    /**< sum_in_vectors */
  int mv_row, mv_col;                 /**< sum_mvr, sum_mvc */
  int mv_row_abs, mv_col_abs;         /**< sum_mvr_abs, sum_mvc_abs */
  int mv_row_squares, mv_col_squares; /**< sum_mvrs, sum_mvcs */
} vp8e_mp_first_pass_counts_t;

/*!\brief Modes of macroblocks, as vp8e_mp_counts_t has them. */
enum {
  VP8E_MP_INTRA_16X16_MODE = 0,
  VP8E_MP_INTRA_4X4_MODE, /**< B_PRED */
  VP8E_MP_ZERO_MODE,
  VP8E_MP_NEAREST_MODE,
  VP8E_MP_NEAR_MODE,
  VP8E_MP_NEW_MODE,
  VP8E_MP_SPLIT_MODE,
  VP8E_MP_MODES
};

/*!\brief How the macroblocks of a frame are coded; of a frame that was coded
 * again, the last time. */
typedef struct vp8e_mp_counts {
  int macroblocks;
  int guided;    /**< decided by the guide, all others as ever */
  int untried;   /**< of these, taken without an evaluation */
  int evaluated; /**< candidates whose evaluation the guide began */
  int mode[VP8E_MP_MODES];
  int ref[4];     /**< [0] intra, [1] last, [2] golden, [3] altref */
  int skipped;    /**< without coefficients */
  int segment[4]; /**< all 0: the frame has no segments */
  int quantizer;  /**< the frame's, 0 to 127 */
  int segment_quantizer[4];
  int is_golden;  /**< an inter frame that becomes the golden one */
  int is_hidden;  /**< it is not shown */
} vp8e_mp_counts_t;

enum {
  VP8E_MP_FILTER_LEVELS = 64,
  VP8E_MP_FILTER_KINDS = 64, /**< of macroblocks that differ in their level */
  VP8E_MP_FILTER_INNER = 64  /**< added to the kind: edges of sub-blocks are
                                  filtered too */
};

/*!\brief A coded frame before the loop filter (RFC 6386 section 15.3; never the
 * simple one) whose level is searched for. */
typedef struct vp8e_mp_loop_filter {
  int mb_rows, mb_cols;
  const uint8_t *y; /**< luma, whole macroblocks */
  int stride;
  int border;                 /**< bytes around it that belong to the buffer */
  const uint8_t *macroblocks; /**< kind + VP8E_MP_FILTER_INNER, by row */
  uint8_t level[VP8E_MP_FILTER_LEVELS]
               [VP8E_MP_FILTER_KINDS]; /**< by level of the frame, of those
                                            to try, and kind */
  int first_level, levels; /**< to try, multiples of 8 */
  int sharpness;
  int is_key;
  int step, first; /**< step 0: the error of all rows of macroblocks; else of every
                        step-th from the first-th on, each filtered as if nothing
                        was above and below it */
} vp8e_mp_loop_filter_t;

/*!\brief Values of vp8e_motion_provider_t.filter_source, added up. */
#define VP8E_MP_FILTER_SHOWN 1  /**< key and golden frames that are shown */
#define VP8E_MP_FILTER_HIDDEN 2 /**< alt-ref frames that are not, unless libvpx \
                                     filters them (VP8E_SET_ARNR_MAXFRAMES) */

/*!\brief Callbacks; all return 0 on success. */
typedef struct vp8e_motion_provider {
  int abi_version; /**< VP8E_MP_ABI_VERSION */
  void *priv;

  /*!\brief Not zero: a negative vector difference costs its own rate. Stock
   * libvpx clamps the index into its cost table, which is centred at zero, to
   * zero, and so takes every negative difference for zero. */
  int repair_mv_cost;

  /*!\brief Not zero: after a dropped frame the encoder keeps the probabilities
   * that decoders have. Stock libvpx restores those of an earlier frame if the
   * dropped frame was not to refresh them, and decoders diverge. */
  int repair_drops;

  /*!\brief Not zero: the stream does not depend on the number of threads, and
   * none of them costs quality. Stock libvpx loses a part of their counts and
   * costs. Mode decision then learns by row of macroblocks, with one thread
   * too. */
  int repair_threads;

  /*!\brief VP8E_MP_GUIDE_*; above off, satd and intra_row are needed, and the
   * distortions are SATD. Of a macroblock with a whole-pixel vector to refine, or
   * without a record, the encoder decides as ever; one without
   * VP8E_MP_MB_SPLIT is not split. */
  int guide;

  /*!\brief Frames, up to 25, that are to be known ahead of the one that is coded,
   * in one pass without a realtime deadline: key frames, golden and alt-ref groups
   * and targets are then chosen as the second of two passes does, by statistics of
   * the frames ahead. Packets come as many frames later. Below 3: none are. */
  int lookahead;

  /*!\brief Not zero: macroblocks of key, golden and alt-ref frames may have
   * quantizers of their own, in four segments, by how many of the frames that are
   * queued show what they hold; in two passes and with a lookahead. It needs a
   * guide. Segments of the user's take precedence. */
  int importance;

  /*!\brief VP8E_MP_FILTER_*, or 0: which frames lose noise, by the frames that are
   * queued around them, before they are coded; in two passes and with a lookahead. */
  int filter_source;

  /*!\brief Sum of the absolute coefficients of the 4x4 Hadamard transforms of
   * the difference of two blocks, halved: the metric of vp8e_mp_mb_t.dist. [0]
   * 16x16, [1] 8x8, [2] 4x4. */
  uint32_t (*satd[3])(const uint8_t *a, ptrdiff_t a_stride, const uint8_t *b,
                      ptrdiff_t b_stride);

  /*!\brief Once per inter frame, before any row of it; a recode does not call
   * it again. With guide AGGRESSIVE or AUTO, once per key frame too, which has
   * no reference and of which only intra_row is asked. The frame's planes are
   * valid until frame_end. Not zero: the encoder searches this frame itself,
   * and frame_end is still called. */
  int (*frame_begin)(void *priv, const vp8e_mp_frame_t *frame);

  /*!\brief Rows of macroblocks of one frame: sets rows[1..3] and splits[1..3] to
   * mb_cols records each, or NULL; all are NULL before. Called by any encoder
   * thread, concurrently, out of order and again on a recode; what it returns
   * stays unchanged until frame_end. */
  int (*row)(void *priv, int mb_row, const vp8e_mp_mb_t *rows[4],
             const vp8e_mp_split_t *splits[4]);

  /*!\brief Intra estimates of one row of macroblocks: *row gets mb_cols
   * records. Called after row(), if the frame has references, under the same
   * rules. */
  int (*intra_row)(void *priv, int mb_row, const vp8e_mp_intra_t **row);

  /*!\brief Complete a record that is pending, of a row that was asked for, by the
   * thread that codes it. Not zero: it stays as it is, and is not used. Needed where
   * records are pending. */
  int (*complete_split)(void *priv, int mb_row, int mb_col, int ref);
  int (*complete_intra)(void *priv, int mb_row, int mb_col, int parts);

  /*!\brief Pixel rows [first_row, first_row + rows) of a reconstructed buffer are
   * final. The plane stays valid while the id appears in a frame. May be
   * NULL. */
  void (*reference_ready)(void *priv, const vp8e_mp_ref_t *ref, int first_row,
                          int rows);

  /*!\brief Start to find squared luma errors of a frame after its loop filter, to the
   * source that frame_begin() told of. Called by one thread when all rows are coded,
   * between frame_begin and frame_end; what it points to stays as it is until
   * filter_errors or frame_end. Not zero: the encoder tries levels itself. May be
   * NULL. */
  int (*filter_begin)(void *priv, const vp8e_mp_loop_filter_t *filter);

  /*!\brief Wait for these errors, of levels from first_level on, modulo 2^32; called
   * when the encoder has nothing else to do. */
  int (*filter_errors)(void *priv, uint32_t *errors);

  /*!\brief Of a coded frame, before frame_end. May be NULL: nothing is
   * counted. */
  void (*frame_counts)(void *priv, const vp8e_mp_counts_t *counts);

  /*!\brief The frame is coded or dropped; the source may be reused. live[]
   * lists the ids (0: none) that later frames may predict from; all others are
   * gone. is_key tells a key frame (or intra-only recode of the frame begun). */
  void (*frame_end)(void *priv, uint64_t frame_id, int is_key,
                    const uint64_t live[4]);

  /*!\brief Do a frame of the first pass; the planes are valid until it returns.
   * Not zero: the encoder does this frame itself, and may ask again for the
   * next. The first of two passes calls nothing else but first_pass_freed. With a
   * lookahead another thread may call it, while that of the encoder calls others.
   * May be NULL. */
  int (*first_pass)(void *priv, const vp8e_mp_first_pass_t *frame,
                    vp8e_mp_first_pass_counts_t *counts);

  /*!\brief The encoder is about to free memory that planes were in; all planes
   * given so far are gone. Until then their memory stays allocated, so that it
   * can be registered with a device. May be NULL. */
  void (*memory_freed)(void *priv);

  /*!\brief The same of the first pass's planes; never while first_pass runs. */
  void (*first_pass_freed)(void *priv);
} vp8e_motion_provider_t;

/*!\brief Codec control to attach a provider, or to detach it with NULL; call
 * it before the first frame or between frames. The struct must outlive the
 * codec, or be detached before. VPX_CODEC_INVALID_PARAM: another ABI version,
 * or a callback is missing that the struct's fields ask for.
 */
enum { VP8E_SET_MOTION_PROVIDER = 1000 };
/*!\cond */
VPX_CTRL_USE_TYPE(VP8E_SET_MOTION_PROVIDER, const vp8e_motion_provider_t *)
#define VPX_CTRL_VP8E_SET_MOTION_PROVIDER
/*!\endcond */

#ifdef __cplusplus
}
#endif

#endif  // VPX_VPX_VP8_MOTION_PROVIDER_H_
