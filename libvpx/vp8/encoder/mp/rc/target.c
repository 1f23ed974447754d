/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/rc/target.h"

#include <limits.h>
#include <string.h>

#include "vp8/encoder/mp/provider/features.h"
#include "vp8/encoder/mp/rc/balance.h"
#include "vp8/encoder/mp/rc/golden.h"
#include "vp8/encoder/mp/rc/layers.h"
#include "vp8/encoder/mp/rc/memory.h"
#include "vp8/encoder/mp/rc/reached.h"
#include "vp8/encoder/mp/rc/scene.h"
#include "vp8/encoder/onyx_int.h"
#include "vp8/encoder/ratectrl.h"
#include "vpx_dsp/vpx_dsp_common.h"

/* doc/lab/0070 has half and double of most constants. */

/* Golden frames at a constant bitrate: shortest distance in frames; percentage
 * of macroblocks that must have been still in the frame before; and number of
 * frames that use a golden frame, without which it does not pay. With a
 * distance of 3, the mean of five clips stays, but the worst takes 9.3 % more
 * bitrate than before this model, not 2.1 % (doc/lab/0047). */
#define GOLDEN_INTERVAL 4
#define GOLDEN_STILL_PERCENT 50
#define GOLDEN_PAYS 10
/* The buffer of a constant bitrate is filled for a key frame that is due within
 * this number of frames. With 64, 14 clips take 0.3 % less bitrate at -8, and
 * as much at -16 (doc/lab/0048). */
#define KEY_FRAMES 128

/* Whether the frame has targets of a constant bitrate from here. */
static int is_constant(const VP8_COMP *cpi) {
  return (cpi->mp.target.served & VP8_MP_CBR_TARGETS) != 0;
}

static vp8_mp_rc_kind kind_of(const VP8_COMP *cpi) {
  const VP8_COMMON *const cm = &cpi->common;

  if (cm->frame_type == KEY_FRAME) return VP8_MP_RC_KEY;
  if (cpi->mp.target.golden_bits > 0) return VP8_MP_RC_GOLDEN;
  if (cpi->oxcf.number_of_layers > 1) return VP8_MP_RC_INTER;
  return cm->refresh_golden_frame || cm->refresh_alt_ref_frame
             ? VP8_MP_RC_GOLDEN
             : VP8_MP_RC_INTER;
}

/* A frame that refreshes altref is the user's. With temporal layers it is a
 * frame like others. */
static int is_users_altref(const VP8_COMP *cpi) {
  return cpi->common.refresh_alt_ref_frame && cpi->oxcf.number_of_layers == 1;
}

/* Whether the frame gets another target than libvpx's. A key frame at a scene
 * cut shows a scene of which nothing is known. */
static int is_changed(const VP8_COMP *cpi) {
  const vp8_mp_rc_target *const rt = &cpi->mp.target;

  if (!rt->served || !vp8_mp_rc_model_is_known(cpi)) return 0;
  if (cpi->common.frame_type == KEY_FRAME) return rt->key_is_due;
  return !is_users_altref(cpi);
}

/* Frames until the next key frame that is due. The user may change the distance
 * of key frames. */
static int frames_to_due_key(const VP8_COMP *cpi) {
  const int distance = VPXMAX((int)cpi->key_frame_frequency, 1);

  return distance - cpi->frames_since_key % distance;
}

/* Frames until a key frame for which the buffer is filled, 0 if none is near.
 */
static int frames_to_key(const VP8_COMP *cpi) {
  const int frames = frames_to_due_key(cpi);

  return is_constant(cpi) && cpi->oxcf.auto_key &&
                 cpi->oxcf.number_of_layers == 1 && frames <= KEY_FRAMES
             ? frames
             : 0;
}

/* Expected bits of a key frame that is as good as the last picture. */
static double equal_key_bits(const VP8_COMP *cpi) {
  return vp8_mp_rc_model_at(cpi, KEY_FRAME,
                            cpi->mp.model.complexity[VP8_MP_RC_KEY],
                            vp8_mp_rc_reached_mean(cpi));
}

/* The mean quantizer for the bits that the balance allows. */
static int mean_q(const VP8_COMP *cpi, double *scale) {
  const int frames = frames_to_key(cpi);
  double share = vp8_mp_rc_balance_share(cpi);

  if (frames) {
    share = VPXMIN(share, vp8_mp_rc_balance_share_before_key(
                              cpi, equal_key_bits(cpi), frames));
  }
  return vp8_mp_rc_model_q(cpi, share, scale);
}

/* Most bits of a key frame by the buffer, and by the user. */
static double most_key(const VP8_COMP *cpi) {
  const double most = vp8_mp_rc_balance_most_key(cpi);
  const unsigned int percent = cpi->oxcf.rc_max_intra_bitrate_pct;

  return percent
             ? VPXMIN(most, vp8_mp_rc_balance_frame_bits(cpi) * percent / 100)
             : most;
}

/* Target, in bits, of a frame that needs that many. */
static double within_limits(const VP8_COMP *cpi, double need) {
  switch (kind_of(cpi)) {
    case VP8_MP_RC_KEY: return VPXMIN(need, most_key(cpi));
    case VP8_MP_RC_GOLDEN:
      return VPXMIN(need, vp8_mp_rc_balance_most_golden(cpi));
    default: return VPXMIN(need, vp8_mp_rc_balance_most_inter(cpi));
  }
}

/* ---- golden frames at a constant bitrate --------------------------------- */

/* Turn libvpx's cyclic refresh off while targets are set here: it costs a
 * segment map in each frame, and golden frames refine all still macroblocks. */
static void disable_refresh(VP8_COMP *cpi) {
  vp8_mp_rc_target *const rt = &cpi->mp.target;
  const int is_replaced = is_constant(cpi);

  if (is_replaced && cpi->cyclic_refresh_mode_enabled) {
    rt->refresh_disabled = 1;
    cpi->cyclic_refresh_mode_enabled = 0;
    cpi->mb.e_mbd.segmentation_enabled = 0;
  } else if (cpi->mb.e_mbd.segmentation_enabled &&
             !cpi->cyclic_refresh_mode_enabled) {
    /* The user's segments end cyclic refresh in libvpx, too. */
    rt->refresh_disabled = 0;
  } else if (!is_replaced && rt->refresh_disabled) {
    rt->refresh_disabled = 0;
    cpi->cyclic_refresh_mode_enabled = 1;
  }
}

/* Whether a key frame is due before a golden frame would pay. */
static int is_key_near(const VP8_COMP *cpi) {
  return cpi->oxcf.auto_key && frames_to_due_key(cpi) < GOLDEN_PAYS;
}

static int is_golden_wanted(const VP8_COMP *cpi) {
  const VP8_COMMON *const cm = &cpi->common;

  if (!vp8_mp_rc_layers_is_base(cpi)) return 0;
  if (cpi->ext_refresh_frame_flags_pending) {
    if (!cm->refresh_last_frame) return 0;
    /* A frame that refreshes altref, too, keeps libvpx's target. */
    if (cpi->oxcf.number_of_layers == 1) {
      return cm->refresh_golden_frame && !cm->refresh_alt_ref_frame;
    }
  }
  return cpi->mp.target.since_golden + 1 >= GOLDEN_INTERVAL &&
         cpi->mp.reached.still * 100 >= cm->MBs * GOLDEN_STILL_PERCENT &&
         !is_key_near(cpi);
}

/* Most bits of an inter frame before the next key frame. */
static double most_before_key(const VP8_COMP *cpi) {
  const int frames = frames_to_key(cpi);

  return frames ? vp8_mp_rc_balance_most_before_key(cpi, equal_key_bits(cpi),
                                                    frames)
                : INT_MAX;
}

/* The quantizer of the next plain inter frame: the mean one, or a higher one if
 * the frame would take too much. */
static int inter_q(const VP8_COMP *cpi, double *scale) {
  const double most =
      VPXMIN(vp8_mp_rc_balance_most_inter(cpi), most_before_key(cpi));
  const double most_large = VPXMAX(most, vp8_mp_rc_balance_most_golden(cpi));
  int q = mean_q(cpi, scale);

  while (q < cpi->worst_quality &&
         (vp8_mp_rc_model_inter(cpi, q) > most ||
          vp8_mp_rc_model_large_inter(cpi, q) > most_large)) {
    ++q;
  }
  return q;
}

/* Returns the expected bits of a golden frame, 0 if there should be none. */
static double plan_golden(VP8_COMP *cpi) {
  double scale;
  const int q = inter_q(cpi, &scale);

  return vp8_mp_rc_golden_plan(
      cpi, q, vp8_mp_rc_model_kind_q(cpi, VP8_MP_RC_GOLDEN, q),
      scale * vp8_mp_rc_model_inter(cpi, q),
      VPXMIN(vp8_mp_rc_balance_most_golden(cpi), most_before_key(cpi)));
}

/* Decide whether the frame is a golden frame, unless the user does, and plan
 * it.
 */
static void place_golden(VP8_COMP *cpi) {
  VP8_COMMON *const cm = &cpi->common;
  vp8_mp_rc_target *const rt = &cpi->mp.target;

  if (vp8_mp_rc_model_is_known(cpi) && !cpi->mp.scene.is_cut &&
      is_golden_wanted(cpi)) {
    rt->golden_bits = plan_golden(cpi);
  }
  if (cpi->ext_refresh_frame_flags_pending) return;
  cm->refresh_golden_frame =
      rt->golden_bits > 0 && !cpi->oxcf.error_resilient_mode &&
      cpi->oxcf.number_of_layers == 1 && vp8_mp_rc_memory_frees_golden(cpi);
  /* Keep libvpx from choosing golden frames itself. */
  cpi->frames_till_gf_update_due = GOLDEN_PAYS;
}

/* ---- frames -------------------------------------------------------------- */

/* Set the target of an inter frame that takes these bits at quantizer q, and
 * libvpx's factors so that it chooses q for these bits. */
static void set_inter(VP8_COMP *cpi, double bits, int q, double target) {
  cpi->active_best_quality = cpi->best_quality;
  cpi->active_worst_quality = cpi->worst_quality;
  cpi->rate_correction_factor =
      bits / vp8_mp_rc_model_at(cpi, INTER_FRAME, 1, q);
  cpi->gf_rate_correction_factor = cpi->rate_correction_factor;
  vp8_mp_rc_model_set_target(cpi, target);
}

static void begin_inter(VP8_COMP *cpi) {
  double scale;
  const int q = inter_q(cpi, &scale);
  const double bits = vp8_mp_rc_model_inter(cpi, q);

  set_inter(cpi, bits, q, within_limits(cpi, scale * bits));
}

/* A golden frame of a variable bitrate. */
static void begin_golden(VP8_COMP *cpi) {
  const double most = vp8_mp_rc_balance_most_golden(cpi);
  double scale, bits;
  const int mean = mean_q(cpi, &scale);
  int q = vp8_mp_rc_model_kind_q(cpi, VP8_MP_RC_GOLDEN, mean);

  while (q < mean && vp8_mp_rc_model_inter(cpi, q) > most) ++q;
  bits = vp8_mp_rc_model_inter(cpi, q);
  set_inter(cpi, bits, q, within_limits(cpi, scale * bits));
}

static void begin_due_key(VP8_COMP *cpi) {
  const double complexity = cpi->mp.model.complexity[VP8_MP_RC_KEY];
  double scale;
  const int q = vp8_mp_rc_model_kind_q(cpi, VP8_MP_RC_KEY, mean_q(cpi, &scale));
  const double bits = scale * vp8_mp_rc_model_at(cpi, KEY_FRAME, complexity, q);

  cpi->key_frame_rate_correction_factor = complexity;
  vp8_mp_rc_model_set_target(cpi, within_limits(cpi, bits));
}

/* The lowest quantizer, from least on, at which a key frame of that complexity
 * is expected to take at most these bits. */
static int lowest_key_q(const VP8_COMP *cpi, int least, double complexity,
                        double bits) {
  int q = least;

  while (q < cpi->worst_quality &&
         vp8_mp_rc_model_at(cpi, KEY_FRAME, complexity, q) > bits) {
    ++q;
  }
  return q;
}

/* The first frame of a scene, if it is no key frame, takes the bits of one. At
 * a constant bitrate the bits of the scene decide about its quantizer; at a
 * variable one scenes share the mean quantizer. */
static void begin_cut(VP8_COMP *cpi) {
  const double complexity = vp8_mp_rc_model_texture(cpi);
  double scale;
  const int least = is_constant(cpi)
                        ? vp8_mp_rc_model_scene_q(cpi, complexity)
                        : VPXMAX(vp8_mp_rc_model_kind_q(cpi, VP8_MP_RC_KEY,
                                                        mean_q(cpi, &scale)),
                                 cpi->best_quality);
  const int q =
      lowest_key_q(cpi, least, complexity, vp8_mp_rc_balance_most_key(cpi));
  const double bits = vp8_mp_rc_model_at(cpi, KEY_FRAME, complexity, q);

  set_inter(cpi, bits, q, bits);
}

/* The stream's first key frame, of at most half of the bits up to the next due
 * key frame. At a variable bitrate libvpx expects a complexity of 1 and chooses
 * a quantizer for it; the frame takes the bits that it needs at that quantizer.
 */
static void begin_first_key(VP8_COMP *cpi) {
  const double complexity = vp8_mp_rc_model_texture(cpi);
  const double most = vp8_mp_rc_balance_most_first_key(cpi);
  const int q = is_constant(cpi)
                    ? vp8_mp_rc_model_scene_q(cpi, complexity)
                    : lowest_key_q(cpi, cpi->best_quality, 1,
                                   VPXMIN(cpi->mp.target.own, most));
  const double bits = vp8_mp_rc_model_at(cpi, KEY_FRAME, complexity, q);

  cpi->key_frame_rate_correction_factor = complexity;
  vp8_mp_rc_model_set_target(cpi, within_limits(cpi, VPXMIN(bits, most)));
}

static void begin_changed(VP8_COMP *cpi) {
  switch (cpi->mp.target.kind) {
    case VP8_MP_RC_KEY: begin_due_key(cpi); break;
    case VP8_MP_RC_GOLDEN:
      if (!is_constant(cpi)) {
        begin_golden(cpi);
        break;
      }
      /* fall through: the user's golden frame refines nothing */
    default: begin_inter(cpi);
  }
}

void vp8_mp_rc_target_begin(VP8_COMP *cpi) {
  const VP8_COMMON *const cm = &cpi->common;
  vp8_mp_rc_target *const rt = &cpi->mp.target;

  vp8_mp_rc_balance_begin(cpi);
  vp8_mp_rc_scene_reset(cpi);
  rt->served = vp8_mp_features(cpi) & (VP8_MP_VBR_TARGETS | VP8_MP_CBR_TARGETS);
  rt->key_is_due = cm->frame_type == KEY_FRAME;
  rt->own = cpi->this_frame_target;
  rt->golden_bits = 0;
  vp8_mp_rc_layers_begin(cpi);
  if (rt->served) {
    if (vp8_mp_rc_layers_is_base(cpi) || rt->key_is_due) {
      vp8_mp_rc_scene_begin(cpi);
    } else {
      cpi->mp.scene.is_cut = 0;
    }
  }
  disable_refresh(cpi);
  vp8_mp_rc_memory_begin(cpi);
  if (is_constant(cpi)) {
    vp8_mp_rc_golden_begin(cpi);
    if (!rt->key_is_due) place_golden(cpi);
  }
  rt->kind = kind_of(cpi);
  if (!rt->served) return;
  if (rt->golden_bits > 0) {
    set_inter(cpi, rt->golden_bits, cpi->mp.golden.mean_q, rt->golden_bits);
  } else if (cpi->mp.scene.is_cut && !is_users_altref(cpi)) {
    begin_cut(cpi);
  } else if (is_changed(cpi)) {
    begin_changed(cpi);
  } else if (rt->kind == VP8_MP_RC_KEY && !vp8_mp_rc_model_is_known(cpi)) {
    begin_first_key(cpi);
  }
}

void vp8_mp_rc_target_revise(VP8_COMP *cpi, int Q, int *under_shoot_limit,
                             int *over_shoot_limit) {
  const vp8_mp_rc_kind kind = kind_of(cpi);
  const int *const bits_per_mb = vp8_bits_per_mb[cpi->common.frame_type];
  double scale;
  int q;

  cpi->mp.target.kind = kind;
  /* projected_frame_size is known only if the frame can be recoded. */
  if (!cpi->sf.recode_loop || !is_changed(cpi)) return;
  q = vp8_mp_rc_model_kind_q(cpi, kind, mean_q(cpi, &scale));
  vp8_mp_rc_model_set_target(
      cpi, within_limits(cpi, scale * cpi->projected_frame_size *
                                  bits_per_mb[q] / bits_per_mb[Q]));
  vp8_compute_frame_size_bounds(cpi, under_shoot_limit, over_shoot_limit);
}

/* libvpx counts since golden was refreshed, which the user may do. With error
 * resilience it does not count. */
static void count_since_golden(VP8_COMP *cpi) {
  vp8_mp_rc_target *const rt = &cpi->mp.target;
  const int refines = rt->golden_bits > 0;
  const int is_key = rt->kind == VP8_MP_RC_KEY;

  rt->since_golden = refines || is_key ? 0 : rt->since_golden + 1;
  if (refines || (is_key && cpi->oxcf.error_resilient_mode)) {
    memset(cpi->gf_active_flags, 1, cpi->common.MBs);
    cpi->gf_active_count = cpi->common.MBs;
  }
}

void vp8_mp_rc_target_end(VP8_COMP *cpi, int size) {
  vp8_mp_rc_target *const rt = &cpi->mp.target;
  int is_new;

  vp8_mp_rc_balance_end(cpi, size);
  if (is_constant(cpi)) vp8_mp_rc_golden_end(cpi, size);
  if (!size) return;
  vp8_mp_rc_memory_end(cpi);
  if (!rt->served) return;
  if (is_constant(cpi)) count_since_golden(cpi);
  if (vp8_mp_rc_layers_is_base(cpi) || rt->kind == VP8_MP_RC_KEY) {
    vp8_mp_rc_reached_end(cpi,
                          cpi->mp.scene.is_cut || rt->kind == VP8_MP_RC_KEY,
                          rt->golden_bits > 0 ? cpi->mp.golden.map : NULL,
                          cpi->mp.golden.q_index);
    vp8_mp_rc_scene_end(cpi);
  }
  is_new = cpi->mp.scene.is_cut ||
           (rt->kind == VP8_MP_RC_KEY &&
            (!rt->key_is_due || !vp8_mp_rc_model_is_known(cpi)));
  vp8_mp_rc_model_learn(
      cpi, rt->kind, is_new,
      rt->golden_bits > 0 ? cpi->mp.golden.q_index : cpi->common.base_qindex,
      size);
  if (is_new) vp8_mp_rc_layers_begin_scene(cpi);
}
