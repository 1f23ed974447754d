/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * What VP8_COMP holds for a motion provider. Each part is written by the file
 * that it is named after, and read by others.
 */
#ifndef VPX_VP8_ENCODER_PROVIDER_STATE_H_
#define VPX_VP8_ENCODER_PROVIDER_STATE_H_

#include "vpx/vp8_motion_provider.h"
#include "vp8/encoder/cbr_refresh.h"
#include "vp8/encoder/cbr_target.h"
#include "vp8/encoder/filter_level.h"
#include "vp8/encoder/filtered_source.h"
#include "vp8/encoder/frame_counts.h"
#include "vp8/encoder/guided_level.h"
#include "vp8/encoder/importance.h"
#include "vp8/encoder/motion_provider.h"
#include "vp8/encoder/mt_filter.h"
#include "vp8/encoder/mt_jobs.h"
#include "vp8/encoder/mt_pack.h"
#include "vp8/encoder/mt_rows.h"
#include "vp8/encoder/mt_tail.h"
#include "vp8/encoder/segments.h"
#include "vp8/encoder/vbr_target.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

typedef struct vp8_mp_state {
  /* provider_hooks.c */
  const vp8e_motion_provider_t *provider; /* NULL: none is set */
  int begun;         /* frame_begin was called, frame_end is due */
  int active;        /* ... and the provider serves this frame */
  uint64_t frame_id; /* of the frame being coded */
  void (*compute_skin_map)(struct VP8_COMP *cpi); /* when it is asked for */
  unsigned char *zero_last; /* what it is computed from, */
  YV12_BUFFER_CONFIG *skin_source; /* and the picture, as yet unscaled */

  vp8_mp_buffers buffers;
  vp8_fc_state counts;
  vp8_gm_state guide;
  vp8_fl_state level;
  vp8_vt_state vbr;
  vp8_ct_state cbr;
  vp8_cr_state refresh;
  vp8_sg_state segments;
  vp8_im_state importance;
  vp8_fs_state filtered;
  struct vp8_la_pass *lookahead; /* lookahead_pass.c; NULL: there is none */
  vp8_mt_jobs jobs;
  vp8_mt_rows rows;
  vp8_mt_filter filter;
  vp8_mt_pack pack;
  vp8_mt_tail tail;
} vp8_mp_state;

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_PROVIDER_STATE_H_
