/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*!\file
 * \brief External motion provider for the VP8 encoder.
 *
 * An application gives the encoder a struct of callbacks with the control
 * VP8E_SET_MOTION_PROVIDER. For every inter frame, the encoder then asks for
 * the motion of each row of macroblocks instead of searching itself. The
 * provider supplies vectors for NEWMV and, optionally, SPLITMV (RFC 6386
 * section 18). The encoder still decides modes, codes the residual and writes
 * the bitstream. It checks every vector before use, so the stream is valid
 * whatever a provider returns. If a callback fails, the encoder searches that
 * row, or that frame, itself. Without a provider, the encoder's output is
 * unchanged.
 *
 * The first of two passes asks for no motion, but may leave whole frames to the
 * provider, whose result must equal the encoder's own.
 *
 * Vectors are in quarter pixels of luma, the unit of the bitstream, unless
 * stated otherwise.
 */
#ifndef VPX_VPX_VP8_MOTION_PROVIDER_H_
#define VPX_VPX_VP8_MOTION_PROVIDER_H_

#include <stddef.h>
#include <stdint.h>

#include "./vp8_mp_whole_frame.h"
#include "./vpx_codec.h"

#ifdef __cplusplus
extern "C" {
#endif

/*!\brief Version of everything in this header; changes with any layout. */
#define VP8E_MP_ABI_VERSION 22

/*!\brief Motion vector in quarter pixels; positive is down and right. */
typedef struct vp8e_mp_mv {
  int16_t row, col;
} vp8e_mp_mv_t;

/*!\name Flags of a macroblock's motion record
 * @{ */
/*!\brief The record has no data: the encoder searches this macroblock. */
#define VP8E_MP_MB_NONE 1
/*!\brief All vectors are whole pixels: the encoder refines them. */
#define VP8E_MP_MB_FULLPEL 2
/*!\brief The macroblock's vp8e_mp_split_t is valid: SPLITMV may use it. */
#define VP8E_MP_MB_SPLIT 4
/*!\brief With VP8E_MP_MB_SPLIT: the vp8e_mp_split_t is valid only after
 * complete_split() was called for it. */
#define VP8E_MP_MB_PENDING 8
/*!@} */

/*!\brief Motion of one macroblock against one reference frame. */
typedef struct vp8e_mp_mb {
  vp8e_mp_mv_t mv;    /**< vector of the whole macroblock */
  uint16_t dist;      /**< its distortion, without rate */
  uint16_t reserved0; /**< ignored */
  uint16_t flags;     /**< VP8E_MP_MB_*, added up */
  uint16_t reserved[3];
} vp8e_mp_mb_t;

/*!\brief Motion of the smaller blocks of one macroblock.
 *
 * Index of the blocks: 0-1 16x8 (top, bottom); 2-3 8x16 (left, right); 4-7 8x8
 * and 8-23 4x4, both in raster order.
 */
typedef struct vp8e_mp_split {
  vp8e_mp_mv_t mv[24];
  uint16_t dist[24]; /**< distortion at mv[], without rate */
} vp8e_mp_split_t;

/*!\brief Estimated intra prediction of one macroblock (RFC 6386 section 12).
 *
 * It predicts from neighbours in the source, not from reconstructed ones. */
typedef struct vp8e_mp_intra {
  uint16_t satd16[4]; /**< SATD of DC_PRED, V_PRED, H_PRED and TM_PRED, without
                           rate */
  uint16_t cost4;     /**< cost of B_PRED: sum over the 16 sub-blocks of the
                           lowest SATD + rate */
  uint16_t pending;   /**< VP8E_MP_INTRA_*: parts that are valid only after
                           complete_intra() was called for them */
  uint8_t mode4[16];  /**< per sub-block, in raster order: the mode of lowest
                           cost in the low nibble, of second lowest in the high
                           one; B_DC_PRED..B_HU_PRED are 0..9 */
} vp8e_mp_intra_t;

/*!\name Parts of vp8e_mp_intra_t
 * @{ */
#define VP8E_MP_INTRA_16X16 1 /**< satd16 */
#define VP8E_MP_INTRA_4X4 2   /**< all other fields */
/*!@} */

/*!\brief Guided mode decision: how many candidates the encoder rejects by the
 * provider's distortions, without a full RD evaluation. */
enum {
  VP8E_MP_GUIDE_OFF = 0, /**< none: only vectors are used */
  VP8E_MP_GUIDE_SAFE,    /**< rejects candidates whose cost is far above the
                              lowest one */
  VP8E_MP_GUIDE_NORMAL, /**< evaluates only candidates that are likely to win */
  VP8E_MP_GUIDE_AGGRESSIVE, /**< evaluates only if two or more candidates have
                                 nearly the same cost */
  VP8E_MP_GUIDE_AUTO /**< NORMAL at speeds at which the encoder decides by
                          rate and distortion, else AGGRESSIVE */
};

/*!\brief A reconstructed frame buffer: loop filtered, with extended borders. */
typedef struct vp8e_mp_ref {
  uint64_t id;       /**< identity of the content, 0: none. If golden and altref
                          are the same buffer, they have the same id */
  const uint8_t *y;  /**< luma, first pixel inside the border */
  int stride;        /**< bytes from row to row */
  int width, height; /**< of luma, in pixels: whole macroblocks */
  int border;        /**< replicated pixels on each side */
  int searched;      /**< not zero: the frame may predict from this buffer */
} vp8e_mp_ref_t;

/*!\brief The frame that is about to be coded. */
typedef struct vp8e_mp_frame {
  uint64_t frame_id; /**< rises by one with each frame, hidden ones included */
  int mb_rows, mb_cols; /**< size in macroblocks */
  const uint8_t *src; /**< luma to be coded, after scaling and temporal filter:
                           mb_cols * 16 x mb_rows * 16 pixels */
  int src_stride;     /**< bytes from row to row */
  vp8e_mp_ref_t ref[4]; /**< [1] last, [2] golden, [3] altref; [0] is unused */
  int bilinear;    /**< not zero: bilinear sub-pixel filters (profiles 1, 2) */
  int sad_per_bit; /**< Lagrange multiplier: SAD worth one bit */
  /*!\brief Rate of a vector in 1/256 bit: mv_cost[0][d.row] +
   * mv_cost[1][d.col], d being the difference to the predicted vector in
   * quarter pixels, -1023..1023. The tables are valid until frame_begin()
   * returns. */
  const int *mv_cost[2];
  /*!\brief Rates of the ten sub-block modes in 1/256 bit, for
   * vp8e_mp_intra_t.cost4, valid until frame_begin() returns. NULL: the encoder
   * will not call intra_row(). */
  const int *bmode_cost;
} vp8e_mp_frame_t;

/*!\brief Luma of a frame in the first pass, whole macroblocks. */
typedef struct vp8e_mp_plane {
  const uint8_t *y; /**< NULL: no such frame */
  int stride;       /**< bytes from row to row */
  uint64_t id; /**< identity of a reconstruction's content, 0 for a source. If
                    first_pass() fails, its recon_id never gets content */
} vp8e_mp_plane_t;

/*!\brief Quantizer of the first pass.
 *
 * Coefficient c becomes sign(c) * (((abs(c) + round) * quant) >> 16). [0] is
 * for the first coefficient of a block, [1] for all others. */
typedef struct vp8e_mp_quantizer {
  int round[2], quant[2], dequant[2];
} vp8e_mp_quantizer_t;

/*!\brief A frame of the first of two passes, or of the lookahead.
 *
 * first_pass() must do what vp8_first_pass() in vp8/encoder/firstpass.c does
 * with luma. The lookahead has an encoder of its own: ids here are unrelated to
 * those of vp8e_mp_ref_t. */
typedef struct vp8e_mp_first_pass {
  int mb_rows, mb_cols; /**< size in macroblocks */
  vp8e_mp_plane_t source;
  vp8e_mp_plane_t last_source; /**< source of the frame before; only valid if
                                    breakout is not 0 */
  int breakout; /**< a macroblock takes the zero vector without a search if
                     its squared error between source and last_source
                     is below this; 0: all are searched */
  vp8e_mp_plane_t last;   /**< last reconstruction; y NULL: code all intra */
  vp8e_mp_plane_t golden; /**< golden frame; y NULL: do not search it */
  uint8_t *recon;         /**< output: the reconstruction, without border */
  int recon_stride;       /**< bytes from row to row */
  uint64_t recon_id;      /**< id that later frames give for it */
  vp8e_mp_quantizer_t y1, y2; /**< of luma blocks; of their DC coefficients */
  /*!\brief Rate in 1/256 bit of the [0] row and [1] column component of a
   * vector difference, by 0..63 whole pixels; a negative component costs as
   * much as 0. */
  int mv_cost[2][64];
  int error_per_bit; /**< Lagrange multiplier: squared error worth one bit */
} vp8e_mp_first_pass_t;

/*!\brief Result of first_pass(): sums over the macroblocks, named as in
 * vp8_first_pass(). Vectors are in 1/8 pixel. */
typedef struct vp8e_mp_first_pass_counts {
  int64_t intra_error, coded_error;
  int inter;                          /**< intercount */
  int second_ref;                     /**< second_ref_count */
  int neutral;                        /**< neutral_count */
  int moving;                         /**< mvcount */
  int new_mv;                         /**< new_mv_count */
  int inwards;                        /**< sum_in_vectors */
  int mv_row, mv_col;                 /**< sum_mvr, sum_mvc */
  int mv_row_abs, mv_col_abs;         /**< sum_mvr_abs, sum_mvc_abs */
  int mv_row_squares, mv_col_squares; /**< sum_mvrs, sum_mvcs */
} vp8e_mp_first_pass_counts_t;

/*!\brief Index of vp8e_mp_counts_t.mode. */
enum {
  VP8E_MP_INTRA_16X16_MODE = 0, /**< DC_PRED, V_PRED, H_PRED, TM_PRED */
  VP8E_MP_INTRA_4X4_MODE,       /**< B_PRED */
  VP8E_MP_ZERO_MODE,
  VP8E_MP_NEAREST_MODE,
  VP8E_MP_NEAR_MODE,
  VP8E_MP_NEW_MODE,
  VP8E_MP_SPLIT_MODE,
  VP8E_MP_MODES
};

/*!\brief Statistics of a coded frame, in macroblocks unless stated otherwise.
 * If the frame was recoded, those of the last encode. */
typedef struct vp8e_mp_counts {
  int macroblocks; /**< all macroblocks of the frame */
  int guided;      /**< decided by the guided mode decision, not by libvpx's */
  int untried;     /**< guided ones whose mode was chosen without evaluation */
  int evaluated;   /**< candidates that were evaluated, of all guided ones */
  int mode[VP8E_MP_MODES];
  int ref[4];               /**< [0] intra, [1] last, [2] golden, [3] altref */
  int skipped;              /**< without coefficients */
  int segment[4];           /**< by segment; all 0: the frame has no segments */
  int quantizer;            /**< quantizer index of the frame, 0..127 */
  int segment_quantizer[4]; /**< quantizer index by segment */
  int is_golden; /**< not zero: an inter frame that becomes the golden frame */
  int is_hidden; /**< not zero: the frame is not shown */
} vp8e_mp_counts_t;

enum {
  VP8E_MP_FILTER_LEVELS = 64, /**< loop-filter levels are 0..63 */
  VP8E_MP_FILTER_KINDS = 64, /**< kinds of macroblocks: all of one kind have the
                                  same level */
  VP8E_MP_FILTER_INNER = 64 /**< added to the kind: edges between sub-blocks are
                                 filtered too */
};

/*!\brief A coded frame before the loop filter (RFC 6386 section 15.3, the
 * normal filter), and the levels to try on it. */
typedef struct vp8e_mp_loop_filter {
  int mb_rows, mb_cols; /**< size in macroblocks */
  const uint8_t *y;     /**< luma, whole macroblocks */
  int stride;           /**< bytes from row to row */
  int border;           /**< bytes around the luma that belong to the buffer */
  const uint8_t *macroblocks; /**< per macroblock, in raster order: its kind,
                                   plus VP8E_MP_FILTER_INNER if that applies */
  /*!\brief Level of a macroblock, by frame level and kind; only set for the
   * frame levels to try. */
  uint8_t level[VP8E_MP_FILTER_LEVELS][VP8E_MP_FILTER_KINDS];
  int first_level, levels; /**< frame levels to try: the first one and their
                                number, both multiples of 8 */
  int sharpness;           /**< 0..7 */
  int is_key;              /**< not zero: a key frame */
  /*!\brief Rows of macroblocks to measure. step 0: all. Else rows first, first
   * + step, ..., each filtered as if it had no rows above and below. */
  int step, first;
  /*!\brief If not 0, step is 0, and only this number of rows is measured, from
   * first on, filtered as if the other rows were not. The frame is as
   * code_frame() has coded it, and y is undefined if that has not written the
   * reconstruction. */
  int rows;
  /*!\brief Luma to compare to; NULL: that of frame_begin(). With rows it may be
   * the denoised picture of code_frame(), as that made it. */
  const uint8_t *source;
  int source_stride;
} vp8e_mp_loop_filter_t;

/*!\name Flags of vp8e_motion_provider_t.prefilter
 * @{ */
/*!\brief Key and golden frames that are shown. */
#define VP8E_MP_PREFILTER_SHOWN 1
/*!\brief Alt-ref frames that are not shown, unless libvpx filters them itself
 * (VP8E_SET_ARNR_MAXFRAMES). */
#define VP8E_MP_PREFILTER_HIDDEN 2
/*!@} */

/*!\brief The provider: settings, and callbacks. The encoder reads it, and never
 * writes it.
 *
 * All callbacks that return int return 0 on success. The encoder calls them
 * from the thread that calls vpx_codec_encode(), one at a time, unless their
 * description says otherwise. A callback must not call the codec. Required are
 * frame_begin and row; satd and intra_row if guide is not off; filter_errors if
 * there is filter_begin. All others may be NULL. */
typedef struct vp8e_motion_provider {
  int abi_version; /**< VP8E_MP_ABI_VERSION */
  void *priv;      /**< first argument of all callbacks but satd */

  /*!\brief Not zero: use the rate of negative vector differences. Stock libvpx
   * takes them for zero when it weighs a vector's rate, because it clamps the
   * index into a table that is centred at zero. */
  int repair_mv_cost;

  /*!\brief Not zero: after a dropped frame the encoder keeps the probabilities
   * that decoders have. Stock libvpx restores those of an earlier frame if the
   * dropped frame was not to refresh them, and decoders diverge. */
  int repair_drops;

  /*!\brief Not zero: the stream does not depend on the number of threads, and
   * threads cost no quality. Stock libvpx loses some of the counts and costs of
   * its row threads. With this repair, mode decision adapts separately in each
   * row of macroblocks, even with one thread. */
  int repair_threads;

  /*!\brief Guided mode decision, VP8E_MP_GUIDE_*. If it is not off, all
   * distortions must be SATD. libvpx decides the macroblock itself if there is
   * no record of it, or one with VP8E_MP_MB_FULLPEL. Without VP8E_MP_MB_SPLIT,
   * a guided macroblock does not use SPLITMV. */
  int guide;

  /*!\brief Frames of lookahead, 3 to 25, in one pass without a realtime
   * deadline; less than 3: no lookahead. The encoder then decides about key
   * frames, golden and alt-ref groups and targets as the second of two passes
   * does, by the statistics of the frames ahead. Packets are delayed by this
   * many frames. */
  int lookahead;

  /*!\brief Not zero: macroblock tree. Macroblocks of key, golden and alt-ref
   * frames get one of four quantizers, by segments, the lower the more frames
   * in the lookahead queue are predicted from them. It needs a guide, and two
   * passes or a lookahead. The user's own segments take precedence. */
  int mbtree;

  /*!\brief Temporal prefilter: VP8E_MP_PREFILTER_*, added up, or 0. These
   * frames are denoised before they are coded, by the frames around them in the
   * lookahead queue. It needs two passes or a lookahead. */
  int prefilter;

  /*!\brief SATD of two blocks, the metric of vp8e_mp_mb_t.dist: half the sum of
   * the absolute coefficients of 4x4 Hadamard transforms of their difference.
   * [0] 16x16, [1] 8x8, [2] 4x4 pixels. Called by any encoder thread,
   * concurrently. */
  uint32_t (*satd[3])(const uint8_t *a, ptrdiff_t a_stride, const uint8_t *b,
                      ptrdiff_t b_stride);

  /*!\brief Begin a frame: called once per inter frame, before any of its rows;
   * not again for a recode. With guide AGGRESSIVE or AUTO it is called for key
   * frames too, which have no reference and of which only intra_row() is asked.
   * *frame is valid until this call returns, the planes that it points to until
   * frame_end(). Not 0: the encoder searches the frame itself; frame_end() is
   * still called. */
  int (*frame_begin)(void *priv, const vp8e_mp_frame_t *frame);

  /*!\brief Motion of one row of macroblocks: set rows[1..3] and splits[1..3] to
   * arrays of mb_cols records owned by the provider, or leave them NULL, by
   * reference as in vp8e_mp_frame_t.ref. Called by any encoder thread,
   * concurrently, with rows in any order, and again for a recode. The arrays
   * must stay valid and unchanged until frame_end(), but for complete_split().
   * Not 0: the encoder searches the row itself. */
  int (*row)(void *priv, int mb_row, const vp8e_mp_mb_t *rows[4],
             const vp8e_mp_split_t *splits[4]);

  /*!\brief Intra estimates of one row of macroblocks: set *row to an array of
   * mb_cols records. Called after row() if the frame has references. The rules
   * of row() apply. Not 0: the row is decided without them. */
  int (*intra_row)(void *priv, int mb_row, const vp8e_mp_intra_t **row);

  /*!\brief Complete the record of a macroblock that is pending: its
   * vp8e_mp_split_t for a reference, or parts (VP8E_MP_INTRA_*) of its
   * vp8e_mp_intra_t. Called by the thread that codes the row, after the row was
   * asked for; concurrently for different rows. Not 0, or NULL: the encoder
   * does not use what is pending. */
  int (*complete_split)(void *priv, int mb_row, int mb_col, int ref);
  int (*complete_intra)(void *priv, int mb_row, int mb_col, int parts);

  /*!\brief Pixel rows first_row to first_row + rows - 1 of a reconstructed
   * buffer are final. *ref is valid until this call returns. The plane stays
   * valid and unchanged as long as live[] of frame_end() has its id. */
  void (*reference_ready)(void *priv, const vp8e_mp_ref_t *ref, int first_row,
                          int rows);

  /*!\brief Decide and code a whole frame of a realtime encoder with a guide,
   * after frame_begin() returned 0; once for each encode of the frame. Sets the
   * output of *frame, which then is the result of all its rows. Not 0, or NULL:
   * the encoder asks for the frame's rows and codes them itself, from the state
   * that it had before the call. */
  int (*code_frame)(void *priv, vp8e_mp_whole_frame_t *frame);

  /*!\brief Filter the frame that code_frame() has coded into other planes; at
   * most once, in any encoder thread, before frame_end(). Not 0, or NULL: the
   * encoder filters the frame itself. */
  int (*filter_frame)(void *priv, const vp8e_mp_frame_filter_t *filter);

  /*!\brief Start to measure loop-filter levels: the squared luma error between
   * the filtered frame and the source of frame_begin(), for each level to try.
   * Called by one encoder thread, not always that of frame_begin(), after all
   * rows are coded, before frame_end(). The encoder may call it as soon as
   * code_frame() has coded the frame. It calls it again, after filter_errors(),
   * if it needs other levels. *filter and the memory that it points to stay
   * valid and unchanged until filter_errors() returns or until frame_end(). Not
   * 0: the encoder tries the levels itself. */
  int (*filter_begin)(void *priv, const vp8e_mp_loop_filter_t *filter);

  /*!\brief Wait for the result of filter_begin(), in the same thread: set
   * errors[i] to the squared error of level first_level + i, modulo 2^32. The
   * encoder calls it before filter_frame() and frame_end(), when it has no
   * other work left, or only to end a search that it does not need. Not 0: the
   * encoder tries the levels itself. */
  int (*filter_errors)(void *priv, uint32_t *errors);

  /*!\brief Report statistics of a coded frame, before its frame_end(). NULL:
   * the encoder does not count. */
  void (*frame_counts)(void *priv, const vp8e_mp_counts_t *counts);

  /*!\brief End a frame: it is coded, dropped or failed, and its source may be
   * reused. Called for every coded frame, begun or not, and for every frame
   * that was begun. live[] lists the ids of all buffers that later frames may
   * predict from, 0: none. is_key: the coded frame is a key frame, also if
   * frame_begin() was called for an inter frame that was recoded as one. */
  void (*frame_end)(void *priv, uint64_t frame_id, int is_key,
                    const uint64_t live[4]);

  /*!\brief Do one frame of the first pass; *frame and its planes are valid
   * until this call returns. Not 0: the encoder does this frame itself, and may
   * ask again for the next one. The first of two passes calls only this and
   * first_pass_freed(). With a lookahead, another thread may call it while an
   * encoder thread is in another callback. */
  int (*first_pass)(void *priv, const vp8e_mp_first_pass_t *frame,
                    vp8e_mp_first_pass_counts_t *counts);

  /*!\brief The encoder is about to free the memory of all sources and
   * reconstructed buffers given so far. Their memory stays allocated until
   * then, so that a provider can register it with a device. */
  void (*memory_freed)(void *priv);

  /*!\brief The same for the planes of first_pass(); never called while
   * first_pass() runs. */
  void (*first_pass_freed)(void *priv);

  /*!\brief Optional. Announce memory of reconstructed buffers and of the
   * frames that the application gave, which stays allocated until
   * memory_freed(). Called when the provider is attached, and before the first
   * frame after memory_freed(). */
  void (*memory_ready)(void *priv, const void *memory, size_t size);
} vp8e_motion_provider_t;

/*!\brief Codec control: attach a provider, or detach it with NULL.
 *
 * Call it before the first frame or between frames. The struct must stay valid
 * until it is detached or the codec is destroyed. Returns
 * VPX_CODEC_INVALID_PARAM if the ABI version differs or a required callback is
 * missing.
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
