/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * State of the motion provider in VP8_COMP (cpi->mp). Each part is written only
 * by the file, or by the files of the folder, that its comment names; others
 * read it.
 */
#ifndef VPX_VP8_ENCODER_MP_STATE_H_
#define VPX_VP8_ENCODER_MP_STATE_H_

#include "vpx/vp8_motion_provider.h"
#include "vp8/encoder/mp/rc/balance.h"
#include "vp8/encoder/mp/rc/clip.h"
#include "vp8/encoder/mp/rc/expected.h"
#include "vp8/encoder/mp/rc/golden.h"
#include "vp8/encoder/mp/rc/layers.h"
#include "vp8/encoder/mp/rc/memory.h"
#include "vp8/encoder/mp/rc/model.h"
#include "vp8/encoder/mp/rc/reached.h"
#include "vp8/encoder/mp/rc/scene.h"
#include "vp8/encoder/mp/rc/target.h"
#include "vp8/encoder/mp/rc/two_passes.h"
#include "vp8/encoder/mp/mt/filter_level.h"
#include "vp8/encoder/mp/queue/prefilter.h"
#include "vp8/encoder/mp/counts.h"
#include "vp8/encoder/mp/mode/level.h"
#include "vp8/encoder/mp/queue/mbtree.h"
#include "vp8/encoder/mp/queue/motion.h"
#include "vp8/encoder/mp/provider/records.h"
#include "vp8/encoder/mp/mt/filter_rows.h"
#include "vp8/encoder/mp/mt/jobs.h"
#include "vp8/encoder/mp/mt/pack.h"
#include "vp8/encoder/mp/mt/rows.h"
#include "vp8/encoder/mp/mt/finish.h"
#include "vp8/encoder/mp/rc/segments.h"
#include "vp8/encoder/mp/recon/mb_memory.h"
#include "vp8/encoder/mp/recon/provided.h"
#include "vp8/encoder/mp/recon/provided_modes.h"
#include "vp8/encoder/mp/whole/frame.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

typedef struct vp8_mp_state {
  /* hooks.c */
  int knows_memory; /* the provider was told the encoder's memory */
  int begun;  /* frame_begin() was called for this frame, frame_end() was not */
  int active; /* and it returned 0: records may be fetched */
  uint64_t frame_id; /* id of the frame being coded */
  void (*compute_skin_map)(struct VP8_COMP *cpi); /* NULL: the map is made */
  unsigned char *zero_last;        /* copy of consec_zero_last for the map */
  YV12_BUFFER_CONFIG *skin_source; /* picture for the map, before scaling */

  /* counts.c */
  vp8_mp_counts_state counts;

  /* provider/records.c */
  const vp8e_motion_provider_t *provider; /* NULL: none is set */
  vp8_mp_buffers buffers;
  unsigned int features; /* VP8_MP_* of the encode that began last */

  /* queue/, the file of the same name */
  vp8_mp_queue_motion_queue *motion; /* NULL: not allocated yet */
  vp8_mp_queue_mbtree_state mbtree;
  vp8_mp_queue_prefilter_state prefilter;

  /* rc/, the file of the same name */
  vp8_mp_rc_model model;
  vp8_mp_rc_layers layers;
  vp8_mp_rc_balance balance;
  vp8_mp_rc_scene scene;
  vp8_mp_rc_memory memory;
  vp8_mp_rc_target target;
  vp8_mp_rc_golden_state golden;
  vp8_mp_rc_reached reached;
  vp8_mp_rc_segment_state segments;
  vp8_mp_rc_expected expected;
  vp8_mp_rc_clip clip;
  vp8_mp_rc_two_passes_state two_passes;
  struct vp8_mp_rc_lookahead_pass *lookahead; /* rc/lookahead_*.c; NULL: off */

  /* recon/mb_memory.c; entries: mode/recall.c, recon/drop.c, whole/frame.c */
  vp8_mp_recon_mb_memory mb_memory;

  /* recon/, the file of the same name */
  vp8_mp_recon_provided provided;
  vp8_mp_recon_provided_modes provided_modes;

  /* whole/frame.c */
  vp8_mp_whole_state whole;

  /* mode/ */
  vp8_mp_mode_state mode;

  /* mt/, the file of the same name; filter_level.c: level; filter_rows.c:
   * filter */
  vp8_mp_mt_level_state level;
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
