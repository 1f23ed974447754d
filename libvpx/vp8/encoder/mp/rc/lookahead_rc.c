/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/rc/lookahead_rc.h"

#include <math.h>
#include <string.h>

#include "vp8/encoder/mp/provider/features.h"
#include "vp8/encoder/mp/provider/records.h"
#include "vp8/encoder/mp/rc/lookahead_bits.h"
#include "vp8/encoder/mp/rc/lookahead_state.h"
#include "vp8/encoder/mp/rc/lookahead_stats.h"
#include "vpx_dsp/vpx_dsp_common.h"
#include "vpx_mem/vpx_mem.h"

#define MAX_CLIP VP8_MP_RC_LOOKAHEAD_MAX_CLIP
#define MIN_CLIP VP8_MP_RC_LOOKAHEAD_MIN_CLIP
/* Accept a scene cut only if this many frames after it are known, or a third of
 * the known frames if that is less: those that libvpx's test of a cut reads. */
#define FRAMES_AFTER_CUT (MIN_GF_INTERVAL + 1)

/* ---- the first-pass encoder ---------------------------------------------- */

/* The worker's hook: run the first pass on the frame that was received. */
static int run_first_pass(void *encoder, void *unused) {
  VP8_COMP *const cpi = encoder;
  unsigned int flags = 0;
  unsigned char nothing[1];
  int64_t start, end;
  size_t size = 0;

  (void)unused;
  vp8_get_compressed_data(cpi, &flags, &size, nothing, nothing + 1, &start,
                          &end, 0);
  return 1;
}

static VP8_COMP *create_first_pass(const VP8_COMP *cpi,
                                   struct vpx_codec_pkt_list *packets) {
  const VP8_CONFIG *const from = &cpi->oxcf;
  VP8_CONFIG config;

  memset(&config, 0, sizeof(config));
  config.Mode = MODE_FIRSTPASS;
  config.Width = from->Width;
  config.Height = from->Height;
  config.timebase = from->timebase;
  config.Version = from->Version;
  config.target_bandwidth = VPXMAX(from->target_bandwidth / 1000, 1);
  config.worst_allowed_q = 63;
  config.fixed_q = -1;
  config.key_freq = from->key_freq;
  config.encode_breakout = from->encode_breakout;
  config.cpu_used = VPXMAX(from->cpu_used, 4); /* as in vp8_cx_iface.c */
  config.number_of_layers = 1;
  config.output_pkt_list = packets;
  return vp8_create_compressor(&config);
}

static void attach(vp8_mp_rc_lookahead_first *first,
                   const vp8e_motion_provider_t *provider) {
  if (provider) {
    first->provider = *provider;
  } else {
    first->provider.first_pass = NULL;
    first->provider.first_pass_freed = NULL;
  }
  /* Only the encoder itself reports the memory that other callbacks got. */
  first->provider.memory_freed = NULL;
  first->provider.memory_ready = NULL;
  vp8_mp_attach(first->encoder, &first->provider);
}

static void init_worker(vp8_mp_rc_lookahead_first *first) {
  vpx_get_worker_interface()->init(&first->worker);
  first->worker.hook = run_first_pass;
  first->worker.data1 = first->encoder;
}

/* Create the first-pass encoder for the size, rate and speed of cpi. Returns 0,
 * or -1 if memory ran out. */
static int start_first_pass(vp8_mp_rc_lookahead_first *first,
                            const VP8_COMP *cpi) {
  vpx_codec_pkt_list_init(&first->packets);
  first->encoder = create_first_pass(cpi, &first->packets.head);
  if (!first->encoder) return -1;
  attach(first, cpi->mp.provider);
  init_worker(first);
  return 0;
}

static void set_provider(vp8_mp_rc_lookahead_first *first,
                         const vp8e_motion_provider_t *provider) {
  vpx_get_worker_interface()->sync(&first->worker);
  attach(first, provider);
}

static void free_first_pass(vp8_mp_rc_lookahead_first *first) {
  vpx_get_worker_interface()->end(&first->worker);
  vp8_remove_compressor(&first->encoder);
}

/* Wait for the newest frame's statistics and append them to the window. */
static void finish_first_pass(struct vp8_mp_rc_lookahead_pass *la) {
  vp8_mp_rc_lookahead_first *const first = &la->first;

  if (!first->is_busy) return;
  vpx_get_worker_interface()->sync(&first->worker);
  vp8_mp_rc_lookahead_stats_append(
      &la->stats, &first->encoder->twopass.this_frame_stats, first->flags);
  first->is_busy = 0;
}

/* Start the first pass of a frame that was queued; use_worker: in the worker
 * thread. Returns 0, or -1 if memory ran out. */
static int receive(struct vp8_mp_rc_lookahead_pass *la,
                   YV12_BUFFER_CONFIG *frame, int64_t start, int64_t end,
                   unsigned int flags, int use_worker) {
  const VPxWorkerInterface *const threads = vpx_get_worker_interface();
  vp8_mp_rc_lookahead_first *const first = &la->first;

  finish_first_pass(la);
  if (la->stats.frames == VP8_MP_RC_LOOKAHEAD_MAX_WINDOW) {
    vp8_mp_rc_lookahead_stats_pop(&la->stats);
  }
  vpx_codec_pkt_list_init(&first->packets); /* drop the last frame's packets */
  if (vp8_receive_raw_frame(first->encoder, 0, frame, start, end)) return -1;
  first->is_busy = 1;
  first->flags = flags;
  if (use_worker && threads->reset(&first->worker)) {
    threads->launch(&first->worker);
  } else {
    threads->execute(&first->worker);
  }
  return 0;
}

/* ---- start and end ------------------------------------------------------- */

int vp8_mp_rc_lookahead_is_active(const VP8_COMP *cpi) {
  return cpi->mp.lookahead != NULL;
}

int vp8_mp_rc_lookahead_has_room(const VP8_COMP *cpi,
                                 const struct vpx_codec_pkt_list *packets) {
  unsigned int i;

  if (!vp8_mp_rc_lookahead_is_active(cpi)) return 1;
  for (i = 0; i < packets->cnt; ++i) {
    const vpx_codec_cx_pkt_t *const packet = &packets->pkts[i];

    if (packet->kind == VPX_CODEC_CX_FRAME_PKT &&
        !(packet->data.frame.flags & VPX_FRAME_IS_INVISIBLE)) {
      return 0;
    }
  }
  return 1;
}

void vp8_mp_rc_lookahead_configure(VP8_COMP *cpi) {
  if (!vp8_mp_rc_lookahead_is_active(cpi)) return;
  cpi->pass = 2;
  if (cpi->compressor_speed == 2) cpi->compressor_speed = 1;
  cpi->oxcf.lag_in_frames = cpi->mp.lookahead->lag;
  cpi->oxcf.allow_lag = 1;
}

int vp8_mp_rc_lookahead_start(VP8_COMP *cpi) {
  struct vp8_mp_rc_lookahead_pass *la;

  if (vp8_mp_rc_lookahead_is_active(cpi) ||
      !(vp8_mp_features(cpi) & VP8_MP_LOOKAHEAD)) {
    return 0;
  }
  la = vpx_calloc(1, sizeof(*la));
  if (!la) return 0;
  if (start_first_pass(&la->first, cpi)) {
    vpx_free(la);
    return 0;
  }
  la->lag =
      VPXMIN(cpi->mp.provider->lookahead, VP8_MP_RC_LOOKAHEAD_MAX_WINDOW - 1);
  cpi->mp.lookahead = la;
  vp8_mp_rc_lookahead_configure(cpi);
  /* For pictures without detail, as vp8_init_second_pass() sets them. */
  cpi->twopass.kf_intra_err_min = 300 * cpi->common.MBs;
  cpi->twopass.gf_intra_err_min = 200 * cpi->common.MBs;
  return 1;
}

void vp8_mp_rc_lookahead_set_provider(VP8_COMP *cpi) {
  if (!vp8_mp_rc_lookahead_is_active(cpi)) return;
  set_provider(&cpi->mp.lookahead->first, cpi->mp.provider);
}

int vp8_mp_rc_lookahead_forked(VP8_COMP *cpi) {
  VPxWorker *worker;
  int is_lost;

  if (!vp8_mp_rc_lookahead_is_active(cpi)) return 0;
  worker = &cpi->mp.lookahead->first.worker;
  is_lost = worker->status_ == VPX_WORKER_STATUS_WORKING;
  init_worker(&cpi->mp.lookahead->first);
  return is_lost ? -1 : 0;
}

void vp8_mp_rc_lookahead_free(VP8_COMP *cpi) {
  if (!vp8_mp_rc_lookahead_is_active(cpi)) return;
  free_first_pass(&cpi->mp.lookahead->first);
  vpx_free(cpi->mp.lookahead);
  cpi->mp.lookahead = NULL;
}

/* ---- the clip ------------------------------------------------------------ */

int vp8_mp_rc_lookahead_receive(VP8_COMP *cpi, YV12_BUFFER_CONFIG *frame,
                                int64_t start, int64_t end,
                                unsigned int flags) {
  if (!vp8_mp_rc_lookahead_is_active(cpi)) return 0;
  return receive(cpi->mp.lookahead, frame, start, end, flags,
                 cpi->oxcf.multi_threaded > 1);
}

/* Bring the window up to date. While the queue is full, never use the newest
 * frame's statistics, even if they are ready, so that output does not depend on
 * thread timing. */
static void update_window(VP8_COMP *cpi) {
  struct vp8_mp_rc_lookahead_pass *const la = cpi->mp.lookahead;
  vp8_mp_rc_lookahead_stats *const stats = &la->stats;
  const int queued = (int)vp8_lookahead_depth(cpi->lookahead);

  la->is_ended = queued + 1 < cpi->oxcf.lag_in_frames;
  if (la->is_ended || !stats->frames) finish_first_pass(la);
  /* Frames may have left the queue without a decision. */
  while (stats->frames + la->first.is_busy > queued + 1 && stats->frames > 1) {
    vp8_mp_rc_lookahead_stats_pop(stats);
  }
}

/* Frames until the next key frame that is due if no scene cut comes before. If
 * the user forces all key frames, none is due before it is in the window. */
static int key_distance(const VP8_COMP *cpi) {
  const int interval = (int)cpi->key_frame_frequency;
  const int least =
      cpi->oxcf.auto_key ? 1 : cpi->mp.lookahead->stats.frames + 1;
  int left = interval;

  if (cpi->common.current_video_frame && cpi->twopass.frames_to_key) {
    left = interval - cpi->frames_since_key;
  }
  return VPXMIN(VPXMAX(left, least), MAX_CLIP);
}

/* The error by which the second pass shares out bits. */
static double modified_error(const VP8_COMP *cpi, double mean, double error) {
  return mean > 0 ? mean * pow(error / mean, cpi->oxcf.two_pass_vbrbias / 100.)
                  : 0;
}

/* Make the clip, of length frames, and let the second pass start reading it. */
static void make_clip(VP8_COMP *cpi, const FIRSTPASS_STATS *mean, int length) {
  struct vp8_mp_rc_lookahead_pass *const la = cpi->mp.lookahead;
  FIRSTPASS_STATS *const total = &cpi->twopass.total_left_stats;
  double error = 0;
  int i;

  memset(total, 0, sizeof(*total));
  for (i = 0; i < length; ++i) {
    FIRSTPASS_STATS *const frame = &la->clip[i];

    *frame = i < la->stats.frames ? la->stats.window[i] : *mean;
    frame->frame = cpi->common.current_video_frame + i;
    vp8_mp_rc_lookahead_stats_add(total, frame, 1);
    la->group_error[i] = error;
    error += modified_error(cpi, mean->ssim_weighted_pred_err,
                            frame->ssim_weighted_pred_err);
  }
  la->length = length;
  la->group_error[length] = error;
  la->error_per_mb = total->coded_error / length / cpi->common.MBs;
  cpi->twopass.modified_error_left = error;
  cpi->twopass.stats_in_start = la->clip;
  cpi->twopass.stats_in = la->clip;
}

void vp8_mp_rc_lookahead_frame_begin(VP8_COMP *cpi) {
  struct vp8_mp_rc_lookahead_pass *const la = cpi->mp.lookahead;
  const int frame = cpi->common.current_video_frame;
  FIRSTPASS_STATS mean;
  double budget;
  int frames, length, key, last;

  if (!la) return;
  update_window(cpi);
  frames = la->stats.frames;
  if (!frames) return;
  if (la->stats.flags[0] & FRAMEFLAGS_KEY) cpi->twopass.frames_to_key = 0;
  mean = vp8_mp_rc_lookahead_stats_mean(&la->stats);
  key = VPXMAX(key_distance(cpi), frames);
  length = la->is_ended ? frames : VPXMIN(VPXMAX(key, MIN_CLIP), MAX_CLIP);
  key = VPXMIN(key, length);
  make_clip(cpi, &mean, length);
  cpi->twopass.stats_in_end = la->clip + key;

  cpi->twopass.total_stats = mean;
  vp8_mp_rc_lookahead_stats_scale(&cpi->twopass.total_stats, frame + length);

  budget = vp8_mp_rc_lookahead_bits_budget(cpi, length);
  /* The second pass adds min_frame_bandwidth to each frame's bits. */
  cpi->twopass.bits_left =
      (int64_t)(VPXMAX(budget - cpi->min_frame_bandwidth, 0) * length);
  if (frame) cpi->cq_target_quality = cpi->oxcf.cq_level;

  /* The last frame of a group must be in the queue. */
  last = la->is_ended ? frames : VPXMAX(frames - 1, 1);
  cpi->max_gf_interval = VPXMIN(cpi->max_gf_interval, last);
  cpi->twopass.static_scene_max_gf_interval =
      VPXMIN(cpi->twopass.static_scene_max_gf_interval, last);
}

/* ---- key frames ---------------------------------------------------------- */

typedef int (*is_cut_fn)(VP8_COMP *cpi, FIRSTPASS_STATS *last,
                         FIRSTPASS_STATS *frame, FIRSTPASS_STATS *next);

/* Frames until the next key frame. Sets *is_due to 0 if that is a scene cut. */
static int find_key(VP8_COMP *cpi, is_cut_fn is_cut, int *is_due) {
  struct vp8_mp_rc_lookahead_pass *const la = cpi->mp.lookahead;
  const vp8_mp_rc_lookahead_stats *const stats = &la->stats;
  FIRSTPASS_STATS *const stats_in = cpi->twopass.stats_in;
  const int after = VPXMIN(FRAMES_AFTER_CUT, stats->frames / 3);
  int key = key_distance(cpi);
  int i;

  *is_due = 1;
  for (i = 1; i < stats->frames && i < key; ++i) {
    if (stats->flags[i] & FRAMEFLAGS_KEY) {
      key = i;
    } else if (cpi->oxcf.auto_key && i + after < stats->frames &&
               cpi->frames_since_key + i >= MIN_GF_INTERVAL) {
      cpi->twopass.stats_in = la->clip + i + 2;
      if (is_cut(cpi, &la->clip[i - 1], &la->clip[i], &la->clip[i + 1])) {
        key = i;
        *is_due = 0;
      }
    }
  }
  cpi->twopass.stats_in = stats_in;
  return key;
}

void vp8_mp_rc_lookahead_find_key(VP8_COMP *cpi,
                                  int (*is_cut)(VP8_COMP *, FIRSTPASS_STATS *,
                                                FIRSTPASS_STATS *,
                                                FIRSTPASS_STATS *)) {
  struct vp8_mp_rc_lookahead_pass *const la = cpi->mp.lookahead;
  int key, is_due;

  if (!la || !la->stats.frames) return;
  key = find_key(cpi, is_cut, &is_due);

  if (cpi->twopass.frames_to_key == 0) {
    /* The current frame starts a group: it cannot be coded as a copy of the
     * last group's alt-ref frame any more. */
    cpi->alt_ref_source = NULL;
    if (key < la->stats.frames && is_due) {
      cpi->twopass.stats_in_end = la->clip + key;
    }
  } else {
    cpi->twopass.frames_to_key = key;
    cpi->next_key_frame_forced = is_due;
    if (cpi->frames_till_gf_update_due == 0 &&
        cpi->twopass.modified_error_left > 0) {
      const double error = la->group_error[VPXMIN(key, la->length)];

      cpi->twopass.kf_group_error_left = (int64_t)error;
      cpi->twopass.kf_group_bits = (int64_t)(cpi->twopass.bits_left * error /
                                             cpi->twopass.modified_error_left);
    }
  }
  vp8_mp_rc_lookahead_bits_correct(cpi, key);
  vp8_mp_rc_lookahead_stats_pop(&la->stats);
}
