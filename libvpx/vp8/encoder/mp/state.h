/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * What VP8_COMP holds for a motion provider. Each part is written by the file
 * that it is named after, and read by others.
 */
#ifndef VPX_VP8_ENCODER_MP_STATE_H_
#define VPX_VP8_ENCODER_MP_STATE_H_

#include "vpx/vp8_motion_provider.h"
#include "vp8/encoder/mp/rc/cbr_golden.h"
#include "vp8/encoder/mp/rc/cbr.h"
#include "vp8/encoder/mp/mt/filter_level.h"
#include "vp8/encoder/mp/queue/prefilter.h"
#include "vp8/encoder/mp/counts.h"
#include "vp8/encoder/mp/mode/level.h"
#include "vp8/encoder/mp/queue/mbtree.h"
#include "vp8/encoder/mp/provider/records.h"
#include "vp8/encoder/mp/mt/filter_rows.h"
#include "vp8/encoder/mp/mt/jobs.h"
#include "vp8/encoder/mp/mt/pack.h"
#include "vp8/encoder/mp/mt/rows.h"
#include "vp8/encoder/mp/mt/finish.h"
#include "vp8/encoder/mp/rc/segments.h"
#include "vp8/encoder/mp/rc/vbr.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

typedef struct vp8_mp_state {
  /* mp/hooks.c */
  const vp8e_motion_provider_t *provider; /* NULL: none is set */
  int begun;         /* frame_begin was called, frame_end is due */
  int active;        /* ... and the provider serves this frame */
  uint64_t frame_id; /* of the frame being coded */
  void (*compute_skin_map)(struct VP8_COMP *cpi); /* when it is asked for */
  unsigned char *zero_last;        /* what it is computed from, */
  YV12_BUFFER_CONFIG *skin_source; /* and the picture, as yet unscaled */

  unsigned int features; /* VP8_MP_*, of the encode that was begun last */

  vp8_mp_buffers buffers;
  vp8_mp_counts_state counts;
  vp8_mp_mode_state guide;
  vp8_mp_mt_level_state level;
  vp8_mp_rc_vbr_state vbr;
  vp8_mp_rc_cbr_state cbr;
  vp8_mp_rc_golden_state refresh;
  vp8_mp_rc_segment_state segments;
  vp8_mp_queue_mbtree_state importance;
  vp8_mp_queue_prefilter_state filtered;
  struct vp8_mp_rc_lookahead_pass
      *lookahead; /* mp/rc/lookahead_rc.c; NULL: there is none */
  vp8_mp_mt_jobs jobs;
  vp8_mp_mt_rows rows;
  vp8_mp_mt_filter filter;
  vp8_mp_mt_pack pack;
  vp8_mp_mt_finish finish;
} vp8_mp_state;

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_STATE_H_
