/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/rc/lookahead_rc.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "vp8/encoder/mp/provider/features.h"
#include "vp8/encoder/mp/hooks.h"
#include "vp8/encoder/ratectrl.h"
#include "vp8/encoder/mp/rc/model.h"
#include "vpx_dsp/vpx_dsp_common.h"
#include "vpx_mem/vpx_mem.h"
#include "vpx_util/vpx_thread.h"

/* libvpx's longest queue, and the frame that is coded. */
#define MAX_WINDOW 26
/* The longest clip that the second pass is told of, frames. */
#define MAX_CLIP 300
/* What was taken too much or too little is made up for until the next key
 * frame, but in no fewer frames. */
#define MIN_CLIP 60
/* A stream of so many frames ends as a long one does. */
#define LONG_STREAM 120
/* Frames whose statistics are the mean of those beyond the window. */
#define MEAN_FRAMES 150
/* Frames whose bits correct the second pass's expectation, and as how many it
 * counts itself before any is coded. */
#define CORRECTION_FRAMES 60
#define CORRECTION_PRIOR 3
/* With less, text has all bits that it may have: code is 1 % worse, with 0.1,
 * libvpx's least, pages take a quarter less than they may. */
#define LEAST_CORRECTION 0.05
/* Key frames after the first one: of so many the mean size is kept, and they
 * are as frequent as in the last frames, once so many more were without. */
#define MEAN_KEYS 4
#define KEY_PRIOR 25
/* Of its group's bits a key frame that is due may take, to be as good as the
 * frames before it. */
#define KEY_SHARE 0.5
/* Percent of a key frame's bits that are saved before it is due, and before the
 * stream's second one. */
#define DUE_KEY_KEPT_PERCENT 70
#define SECOND_KEY_KEPT_PERCENT 30
/* What a stream may have taken too much or too little when it ends, of all its
 * bits: less of them would be worse spent on its last second. */
#define TOLERANCE 0.015
/* Seconds of the bitrate for the first frame at least, if it can use them: what
 * still pictures take is known only when some are coded. */
#define FIRST_KEY_SECONDS 1
/* A scene cut must be found before the groups that it ends are made: so many
 * frames after it must be known, or a third of a shorter window. */
#define FRAMES_AFTER_CUT 5
/* Frames of a group at least: of libvpx's golden groups. */
#define MIN_KEY_DISTANCE 4
/* Frames with fewer macroblocks from the last one say nothing about others. */
#define MIN_INTER 0.05

struct vp8_mp_rc_lookahead_pass {
  /* The first pass; of the last frame while others are coded, if there may be
   * threads. */
  VP8_COMP *first;
  /* As the encoder's, of which it calls what is of the first pass. */
  vp8e_motion_provider_t provider;
  vpx_codec_pkt_list_decl(8) packets;
  VPxWorker worker;
  int is_busy; /* the last frame's statistics are yet to be taken */
  unsigned int busy_flags;

  int lag;  /* frames of a full queue */
  int ends; /* no frame comes after those of the queue */

  /* the frame being coded, and those of the queue that are counted */
  int frames;
  FIRSTPASS_STATS window[MAX_WINDOW];
  unsigned int flags[MAX_WINDOW];

  FIRSTPASS_STATS past;             /* sums, the last ones weighing more */
  FIRSTPASS_STATS clip[MAX_CLIP];   /* what the second pass reads */
  int length;                       /* of the clip */
  double group_error[MAX_CLIP + 1]; /* of its first frames */
  double error_per_mb;              /* mean of the clip */

  /* Bits of inter frames, and what the second pass expected at the quantizer
   * that it allowed, the last ones weighing more. */
  double bits, expected;
  double hidden_bits; /* of the alt-ref, for each frame of its group */

  double bits_per_frame; /* of the clip */

  /* The key frame that is coded: what it may take, and whether the user allows
   * less; then the quantizer of frames after it. */
  double most_key_bits;
  int is_limited;
  int inter_worst_q;

  double first_key_bits;
  double key_bits, key_weight; /* sums of the key frames after it */
  double keys, key_frames;     /* counts of them and of all frames */
};

/* ---- statistics ---------------------------------------------------------- */

#define FIELDS (sizeof(FIRSTPASS_STATS) / sizeof(double))

static void accumulate(FIRSTPASS_STATS *sum, const FIRSTPASS_STATS *frame,
                       double weight) {
  double *const to = (double *)sum;
  const double *const from = (const double *)frame;
  size_t i;

  for (i = 0; i < FIELDS; ++i) to[i] += from[i] * weight;
}

static void scale(FIRSTPASS_STATS *sum, double factor) {
  double *const to = (double *)sum;
  size_t i;

  for (i = 0; i < FIELDS; ++i) to[i] *= factor;
}

static int is_typical(const FIRSTPASS_STATS *frame) {
  return frame->frame > 0 && frame->pcnt_inter > MIN_INTER;
}

/* The mean frame of the past and the window. */
static FIRSTPASS_STATS mean_frame(const struct vp8_mp_rc_lookahead_pass *la) {
  FIRSTPASS_STATS mean = la->past;
  int i;

  for (i = 0; i < la->frames; ++i) {
    if (is_typical(&la->window[i])) accumulate(&mean, &la->window[i], 1);
  }
  if (mean.count < 1) accumulate(&mean, &la->window[0], 1);
  scale(&mean, 1 / mean.count);
  return mean;
}

/* The error by which the second pass shares out bits. */
static double modified_error(const VP8_COMP *cpi, double mean, double error) {
  return mean > 0 ? mean * pow(error / mean, cpi->oxcf.two_pass_vbrbias / 100.)
                  : 0;
}

/* ---- start and end ------------------------------------------------------- */

static int count_frame(void *first, void *unused) {
  VP8_COMP *const cpi = first;
  unsigned int flags = 0;
  unsigned char nothing[1];
  int64_t start, end;
  size_t size = 0;

  (void)unused;
  vp8_get_compressed_data(cpi, &flags, &size, nothing, nothing + 1, &start,
                          &end, 0);
  return 1;
}

static void finish_count(struct vp8_mp_rc_lookahead_pass *la) {
  if (!la->is_busy) return;
  vpx_get_worker_interface()->sync(&la->worker);
  la->window[la->frames] = la->first->twopass.this_frame_stats;
  la->flags[la->frames] = la->busy_flags;
  ++la->frames;
  la->is_busy = 0;
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
  config.cpu_used = VPXMAX(from->cpu_used, 4); /* as vp8_cx_iface.c's */
  config.number_of_layers = 1;
  config.output_pkt_list = packets;
  return vp8_create_compressor(&config);
}

/* NULL: the first pass goes on without calling one. */
static void share_provider(struct vp8_mp_rc_lookahead_pass *la,
                           const vp8e_motion_provider_t *provider) {
  if (provider) {
    la->provider = *provider;
  } else {
    la->provider.first_pass = NULL;
    la->provider.first_pass_freed = NULL;
  }
  la->provider.memory_freed = NULL;
  vp8_mp_set_provider(la->first, &la->provider);
}

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
  vpx_codec_pkt_list_init(&la->packets);
  la->first = create_first_pass(cpi, &la->packets.head);
  if (!la->first) {
    vpx_free(la);
    return 0;
  }
  la->lag = VPXMIN(cpi->mp.provider->lookahead, MAX_WINDOW - 1);
  share_provider(la, cpi->mp.provider);
  vpx_get_worker_interface()->init(&la->worker);
  la->worker.hook = count_frame;
  la->worker.data1 = la->first;
  cpi->mp.lookahead = la;
  vp8_mp_rc_lookahead_configure(cpi);
  /* As vp8_init_second_pass() has them, for pictures without detail. */
  cpi->twopass.kf_intra_err_min = 300 * cpi->common.MBs;
  cpi->twopass.gf_intra_err_min = 200 * cpi->common.MBs;
  return 1;
}

void vp8_mp_rc_lookahead_set_provider(VP8_COMP *cpi) {
  struct vp8_mp_rc_lookahead_pass *const la = cpi->mp.lookahead;

  if (!la) return;
  vpx_get_worker_interface()->sync(&la->worker);
  share_provider(la, cpi->mp.provider);
}

void vp8_mp_rc_lookahead_free(VP8_COMP *cpi) {
  if (!vp8_mp_rc_lookahead_is_active(cpi)) return;
  vpx_get_worker_interface()->end(&cpi->mp.lookahead->worker);
  vp8_remove_compressor(&cpi->mp.lookahead->first);
  vpx_free(cpi->mp.lookahead);
  cpi->mp.lookahead = NULL;
}

/* ---- frames -------------------------------------------------------------- */

static void pop_frame(struct vp8_mp_rc_lookahead_pass *la) {
  scale(&la->past, 1 - 1. / MEAN_FRAMES);
  if (is_typical(&la->window[0])) accumulate(&la->past, &la->window[0], 1);
  --la->frames;
  memmove(la->window, la->window + 1, la->frames * sizeof(la->window[0]));
  memmove(la->flags, la->flags + 1, la->frames * sizeof(la->flags[0]));
}

int vp8_mp_rc_lookahead_receive(VP8_COMP *cpi, YV12_BUFFER_CONFIG *frame,
                                int64_t start, int64_t end,
                                unsigned int flags) {
  const VPxWorkerInterface *const threads = vpx_get_worker_interface();
  struct vp8_mp_rc_lookahead_pass *const la = cpi->mp.lookahead;

  if (!la) return 0;
  finish_count(la);
  if (la->frames == MAX_WINDOW) pop_frame(la);
  vpx_codec_pkt_list_init(&la->packets); /* forgets the last frame's */
  if (vp8_receive_raw_frame(la->first, 0, frame, start, end)) return -1;
  la->is_busy = 1;
  la->busy_flags = flags;
  if (cpi->oxcf.multi_threaded > 1 && threads->reset(&la->worker)) {
    threads->launch(&la->worker);
  } else {
    threads->execute(&la->worker);
  }
  return 0;
}

/* The last frame of a queue that is full is not waited for, nor used where that
 * would cost nothing: the stream does not depend on threads. */
static void finish_window(VP8_COMP *cpi) {
  struct vp8_mp_rc_lookahead_pass *const la = cpi->mp.lookahead;
  const int queued = (int)vp8_lookahead_depth(cpi->lookahead);

  la->ends = queued + 1 < cpi->oxcf.lag_in_frames;
  if (la->ends || !la->frames) finish_count(la);
  /* Frames may have left the queue without a decision. */
  while (la->frames + la->is_busy > queued + 1 && la->frames > 1) pop_frame(la);
}

/* Frames until the next key frame that is due, if no scene is cut before. Where
 * key frames are forced alone, none is due before one is seen. */
static int key_distance(const VP8_COMP *cpi) {
  const int interval = (int)cpi->key_frame_frequency;
  const int least = cpi->oxcf.auto_key ? 1 : cpi->mp.lookahead->frames + 1;
  int left = interval;

  if (cpi->common.current_video_frame && cpi->twopass.frames_to_key) {
    left = interval - cpi->frames_since_key;
  }
  return VPXMIN(VPXMAX(left, least), MAX_CLIP);
}

/* The clip, and what is left of it: all. */
static void make_clip(VP8_COMP *cpi, const FIRSTPASS_STATS *mean, int length) {
  struct vp8_mp_rc_lookahead_pass *const la = cpi->mp.lookahead;
  FIRSTPASS_STATS *const total = &cpi->twopass.total_left_stats;
  double error = 0;
  int i;

  memset(total, 0, sizeof(*total));
  for (i = 0; i < length; ++i) {
    FIRSTPASS_STATS *const frame = &la->clip[i];

    *frame = i < la->frames ? la->window[i] : *mean;
    frame->frame = cpi->common.current_video_frame + i;
    accumulate(total, frame, 1);
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

/* What the clip's next key frame, in key frames, is expected to take. */
static double key_bits(const VP8_COMP *cpi, int key) {
  const struct vp8_mp_rc_lookahead_pass *const la = cpi->mp.lookahead;

  if (la->key_weight > 0) return la->key_bits / la->key_weight;
  return VPXMIN(la->first_key_bits,
                key * (double)cpi->av_per_frame_bandwidth / 2);
}

/* What the clip's key frames will take, of which the next one comes in key
 * frames: those that are due, and as many others as there were before. */
static double future_key_bits(const VP8_COMP *cpi, int key) {
  const struct vp8_mp_rc_lookahead_pass *const la = cpi->mp.lookahead;
  double keys = la->keys, frames = la->key_frames + KEY_PRIOR + la->frames;
  double period = cpi->key_frame_frequency;
  int i;

  /* Where every frame is a key frame there are no others to keep them from. */
  if (key >= la->length || cpi->key_frame_frequency <= 1) return 0;
  for (i = 1; i < la->frames; ++i) {
    if (la->flags[i] & FRAMEFLAGS_KEY) ++keys;
  }
  if (keys > 0) period = VPXMIN(period, VPXMAX(frames / keys, 1));
  return key_bits(cpi, key) * (la->length - key) / period;
}

/* What is saved before a key frame that is due. A stream that ends soon after
 * it cannot make up for what was not; the queue's frames take what one has left
 * that ends before it. While the first key frame is paid, still pages cannot do
 * without as much: 5 % worse. */
static double bits_kept_for_key(const VP8_COMP *cpi) {
  const int interval = (int)cpi->key_frame_frequency;
  const int percent = cpi->mp.lookahead->key_weight > 0
                          ? DUE_KEY_KEPT_PERCENT
                          : SECOND_KEY_KEPT_PERCENT;

  if (!cpi->oxcf.auto_key || interval <= 1 || interval > MAX_CLIP) return 0;
  return key_bits(cpi, interval) * percent / 100;
}

/* The second pass's own correction takes seconds to follow what is coded. What
 * key frames will take is not there for others. */
static void correct_expectation(VP8_COMP *cpi, int key) {
  const struct vp8_mp_rc_lookahead_pass *const la = cpi->mp.lookahead;
  const double prior = CORRECTION_PRIOR * (double)cpi->av_per_frame_bandwidth;
  const double left = (double)cpi->twopass.bits_left;
  double factor = 1;

  cpi->twopass.maxq_min_limit = cpi->best_quality;
  cpi->twopass.maxq_max_limit = cpi->worst_quality;
  if (la->expected > 0) factor = (la->bits + prior) / (la->expected + prior);
  if (left > 0) {
    factor /= VPXMAX(1 - future_key_bits(cpi, key) / left, 1. / 8);
  }
  cpi->twopass.est_max_qcorrection_factor =
      VPXMIN(VPXMAX(factor, LEAST_CORRECTION), 10);
}

/* The part of a frame's bits that it has whatever was taken before. A long
 * stream that ends is off by little, and should not end in mud; a short one has
 * no other frames to make up in. */
static double least_part(const VP8_COMP *cpi) {
  const int frame = cpi->common.current_video_frame;

  if (!cpi->mp.lookahead->ends) return 1. / 4;
  return (2 + VPXMIN(frame, LONG_STREAM) / (double)LONG_STREAM) / 4;
}

/* What a frame of the clip may take in the mean. */
static double bits_per_frame(const VP8_COMP *cpi, int length) {
  const double mean = cpi->av_per_frame_bandwidth;
  const int ends = cpi->mp.lookahead->ends;
  double saved = cpi->mp.vbr.saved;

  if (ends) {
    const double least =
        mean * TOLERANCE * ((double)cpi->common.current_video_frame + length);

    saved = saved > 0 ? VPXMAX(saved - least, 0) : VPXMIN(saved + least, 0);
  } else {
    saved -= bits_kept_for_key(cpi);
  }
  saved = VPXMIN(saved / length, mean * cpi->oxcf.over_shoot_pct / 100);
  return VPXMAX(mean + saved, mean * least_part(cpi));
}

void vp8_mp_rc_lookahead_frame_begin(VP8_COMP *cpi) {
  struct vp8_mp_rc_lookahead_pass *const la = cpi->mp.lookahead;
  const int frame = cpi->common.current_video_frame;
  FIRSTPASS_STATS mean;
  int length, key, last;

  if (!la) return;
  finish_window(cpi);
  if (!la->frames) return;
  if (la->flags[0] & FRAMEFLAGS_KEY) cpi->twopass.frames_to_key = 0;
  mean = mean_frame(la);
  key = VPXMAX(key_distance(cpi), la->frames);
  length = la->ends ? la->frames : VPXMIN(VPXMAX(key, MIN_CLIP), MAX_CLIP);
  key = VPXMIN(key, length);
  make_clip(cpi, &mean, length);
  cpi->twopass.stats_in_end = la->clip + key;

  cpi->twopass.total_stats = mean;
  scale(&cpi->twopass.total_stats, frame + length);

  la->bits_per_frame = bits_per_frame(cpi, length);
  /* The second pass adds the least that each frame has. */
  cpi->twopass.bits_left =
      (int64_t)(VPXMAX(la->bits_per_frame - cpi->min_frame_bandwidth, 0) *
                length);
  if (frame) cpi->cq_target_quality = cpi->oxcf.cq_level;

  /* The last frame of a group must be in the queue. */
  last = la->ends ? la->frames : VPXMAX(la->frames - 1, 1);
  cpi->max_gf_interval = VPXMIN(cpi->max_gf_interval, last);
  cpi->twopass.static_scene_max_gf_interval =
      VPXMIN(cpi->twopass.static_scene_max_gf_interval, last);
}

void vp8_mp_rc_lookahead_find_key(VP8_COMP *cpi,
                                  int (*is_cut)(VP8_COMP *, FIRSTPASS_STATS *,
                                                FIRSTPASS_STATS *,
                                                FIRSTPASS_STATS *)) {
  struct vp8_mp_rc_lookahead_pass *const la = cpi->mp.lookahead;
  FIRSTPASS_STATS *const stats_in = cpi->twopass.stats_in;
  int after, key, is_due = 1, i;

  if (!la || !la->frames) return;
  after = VPXMIN(FRAMES_AFTER_CUT, la->frames / 3);
  key = key_distance(cpi);
  for (i = 1; i < la->frames && i < key; ++i) {
    if (la->flags[i] & FRAMEFLAGS_KEY) {
      key = i;
    } else if (cpi->oxcf.auto_key && i + after < la->frames &&
               cpi->frames_since_key + i >= MIN_KEY_DISTANCE) {
      cpi->twopass.stats_in = la->clip + i + 2;
      if (is_cut(cpi, &la->clip[i - 1], &la->clip[i], &la->clip[i + 1])) {
        key = i;
        is_due = 0;
      }
    }
  }
  cpi->twopass.stats_in = stats_in;

  if (cpi->twopass.frames_to_key == 0) {
    /* A frame of the last group cannot be its alt-ref's copy any more. */
    cpi->alt_ref_source = NULL;
    if (key < la->frames && is_due) cpi->twopass.stats_in_end = la->clip + key;
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
  correct_expectation(cpi, key);
  pop_frame(la);
}

void vp8_mp_rc_lookahead_frame_decided(VP8_COMP *cpi) {
  struct vp8_mp_rc_lookahead_pass *const la = cpi->mp.lookahead;
  const double frames = VPXMAX(cpi->twopass.frames_to_key + 1, 1);
  const double group = frames * cpi->av_per_frame_bandwidth;
  double target = cpi->per_frame_bandwidth;

  if (!la || cpi->common.frame_type != KEY_FRAME) return;
  if (!cpi->common.current_video_frame) {
    const double least = (double)cpi->oxcf.target_bandwidth * FIRST_KEY_SECONDS;

    target = VPXMAX(target, VPXMIN(least, group));
  }
  la->most_key_bits = VPXMAX(target, frames * la->bits_per_frame * KEY_SHARE);
  la->is_limited = 0;
  if (cpi->oxcf.rc_max_intra_bitrate_pct) {
    /* libvpx takes it of the frame's own target, if it is less than all. */
    const double percent = VPXMAX(cpi->oxcf.rc_max_intra_bitrate_pct, 100);
    const double most = cpi->av_per_frame_bandwidth * percent / 100;

    if (most < la->most_key_bits) {
      target = VPXMIN(target, most);
      cpi->this_key_frame_forced = 0;
      la->is_limited = 1;
      la->inter_worst_q = cpi->active_worst_quality;
      cpi->active_worst_quality = cpi->worst_quality;
    }
  }
  cpi->per_frame_bandwidth = (int)VPXMIN(target, INT_MAX);
}

void vp8_mp_rc_lookahead_revise(VP8_COMP *cpi, int *under_shoot_limit,
                                int *over_shoot_limit) {
  const struct vp8_mp_rc_lookahead_pass *const la = cpi->mp.lookahead;

  if (!la || cpi->common.frame_type != KEY_FRAME ||
      !cpi->this_key_frame_forced ||
      cpi->projected_frame_size <= la->most_key_bits) {
    return;
  }
  cpi->this_key_frame_forced = 0;
  cpi->this_frame_target = (int)la->most_key_bits;
  vp8_compute_frame_size_bounds(cpi, under_shoot_limit, over_shoot_limit);
}

/* What the second pass expects of a frame, before it is corrected, at the
 * quantizer that it allows. */
static double expected_bits(const VP8_COMP *cpi) {
  const int q = cpi->active_worst_quality;
  const double error = cpi->mp.lookahead->error_per_mb / 150;
  const double factor = pow(error, VPXMIN(0.4 + q * 0.01, 0.9));
  double speed = 1;

  if (cpi->compressor_speed == 1) {
    speed = cpi->oxcf.cpu_used <= 5 ? 1.04 + cpi->oxcf.cpu_used * 0.04 : 1.25;
  }
  return VPXMIN(VPXMAX(factor, 0.05), 5) * speed *
         cpi->twopass.section_max_qfactor * vp8_bits_per_mb[INTER_FRAME][q] *
         cpi->common.MBs / 512;
}

void vp8_mp_rc_lookahead_frame_end(VP8_COMP *cpi, size_t size) {
  struct vp8_mp_rc_lookahead_pass *const la = cpi->mp.lookahead;
  const double keep = 1 - 1. / CORRECTION_FRAMES;

  if (!la || !size) return;
  if (cpi->common.show_frame) {
    la->keys *= 1 - 1. / MEAN_FRAMES;
    la->key_frames = la->key_frames * (1 - 1. / MEAN_FRAMES) + 1;
  }
  /* Where every frame is a key frame, these are the ones that are expected. */
  if (cpi->common.last_frame_type == KEY_FRAME &&
      (cpi->key_frame_frequency > 1 || !la->first_key_bits)) {
    const double keep_keys = 1 - 1. / MEAN_KEYS;

    if (la->is_limited) cpi->active_worst_quality = la->inter_worst_q;
    la->hidden_bits = 0;
    if (la->first_key_bits > 0) {
      la->keys += 1;
      la->key_bits = la->key_bits * keep_keys + size * 8.;
      la->key_weight = la->key_weight * keep_keys + 1;
    } else {
      la->first_key_bits = size * 8.;
    }
  } else if (!cpi->common.show_frame) {
    la->hidden_bits = size * 8. / VPXMAX(cpi->baseline_gf_interval, 1);
  } else {
    la->bits = la->bits * keep + size * 8. + la->hidden_bits;
    la->expected = la->expected * keep + expected_bits(cpi);
  }
}
