/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * The model of bits, for all files of mp/rc/.
 *
 * A frame takes complexity times the bits of libvpx's table at its quantizer.
 * The complexity of plain inter frames is a mean over the scene. At a constant
 * bitrate it starts again at a scene cut, and at any bitrate if the last frames
 * are much simpler and cannot take the bits that they may. That of a key frame
 * is the last one's, and before any it follows from the texture.
 *
 * A frame of a lower quantizer than those before also codes the error that they
 * left. A key frame is larger at the lower quantizer than at the higher one;
 * the difference is the cost of this refinement.
 *
 * One quantizer serves all plain inter frames; golden and key frames, from
 * which others are predicted, have a lower one. The mean quantizer is the one
 * at which the mix of kinds, as it occurs, takes a given number of bits per
 * frame.
 */
#ifndef VPX_VP8_ENCODER_MP_RC_MODEL_H_
#define VPX_VP8_ENCODER_MP_RC_MODEL_H_

#include "vp8/common/onyxc_int.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* From ratectrl.c: bits of a macroblock by [frame type][quantizer index], times
 * 512. */
extern const int vp8_bits_per_mb[2][QINDEX_RANGE];

typedef enum {
  VP8_MP_RC_INTER,  /* refreshes neither golden nor altref */
  VP8_MP_RC_GOLDEN, /* an inter frame that refreshes golden */
  VP8_MP_RC_KEY,
  VP8_MP_RC_KINDS
} vp8_mp_rc_kind;

/* Number of the last frames whose largest one counts. */
#define VP8_MP_RC_MODEL_LAST 4

/* Part of vp8_mp_state; used by the encoding thread only. */
typedef struct vp8_mp_rc_model {
  int frames;        /* plain inter frames in complexity[] */
  int recent_frames; /* plain inter frames in recent */
  /* Bits / bits by vp8_bits_per_mb[]; 0: unknown. */
  double complexity[VP8_MP_RC_KINDS];
  /* Complexity of each of the last plain inter frames of the scene, a ring. */
  double last[VP8_MP_RC_MODEL_LAST];
  int next_last;
  double recent;                 /* complexity of the last plain inter frames */
  double often[VP8_MP_RC_KINDS]; /* decaying number of frames of the kind */
} vp8_mp_rc_model;

/* Expected bits of a frame: complexity * those of vp8_bits_per_mb[]. */
double vp8_mp_rc_model_at(const struct VP8_COMP *cpi, FRAME_TYPE type,
                          double complexity, int Q);

/* Expected complexity of a key frame, by the texture of the frame being coded.
 */
double vp8_mp_rc_model_texture(const struct VP8_COMP *cpi);

/* Whether a frame was coded: then plain inter and key frames have a complexity.
 */
int vp8_mp_rc_model_is_known(const struct VP8_COMP *cpi);

/* The mean quantizer for that many bits per frame, within the user's limits.
 * Sets *scale to 1, or to the part of the expected bits that a frame may take
 * if even the highest quantizer takes more. */
int vp8_mp_rc_model_q(const struct VP8_COMP *cpi, double bits, double *scale);

/* Quantizer index of a kind of frame at a mean quantizer. */
int vp8_mp_rc_model_kind_q(const struct VP8_COMP *cpi, vp8_mp_rc_kind kind,
                           int mean_q);

/* Bits of a macroblock that refine it from one quantizer to a lower one: those
 * by which a key frame at the lower one is larger. */
double vp8_mp_rc_model_refinement(const struct VP8_COMP *cpi, int from_q,
                                  int to_q);

/* Expected bits of the next plain inter frame at a quantizer: those of the last
 * frames at it, and the refinement of the error that earlier frames left. */
double vp8_mp_rc_model_inter(const struct VP8_COMP *cpi, int Q);
/* The same if it is as complex as the most complex one of the last frames:
 * where every third frame moves, the others say nothing about it. */
double vp8_mp_rc_model_large_inter(const struct VP8_COMP *cpi, int Q);

/* The quantizer of the first frame of a scene of which nothing is known but
 * that complexity of a key frame: the inter frames that follow are expected to
 * take their share of the bitrate. */
int vp8_mp_rc_model_scene_q(const struct VP8_COMP *cpi, double complexity);

/* After a frame of size bytes, not dropped. is_cut: it shows a new scene; q:
 * the lowest quantizer index that it was planned with. */
void vp8_mp_rc_model_learn(struct VP8_COMP *cpi, vp8_mp_rc_kind kind,
                           int is_cut, int q, int size);

/* Set libvpx's target of the frame being coded, in bits. All rate control here
 * sets it by this function. */
void vp8_mp_rc_model_set_target(struct VP8_COMP *cpi, double bits);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RC_MODEL_H_
