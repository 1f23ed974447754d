/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/rc/lookahead_stats.h"

#include <string.h>

#include "vp8/encoder/mp/provider/records.h"
#include "vpx_dsp/vpx_dsp_common.h"
#include "vpx_mem/vpx_mem.h"

/* Frames with a smaller fraction of inter macroblocks are scene cuts or the
 * like: they are left out of the mean. */
#define MIN_INTER 0.05

/* ---- arithmetic ---------------------------------------------------------- */

#define FIELDS (sizeof(FIRSTPASS_STATS) / sizeof(double))

void vp8_mp_rc_lookahead_stats_add(FIRSTPASS_STATS *sum,
                                   const FIRSTPASS_STATS *frame,
                                   double weight) {
  double *const to = (double *)sum;
  const double *const from = (const double *)frame;
  size_t i;

  for (i = 0; i < FIELDS; ++i) to[i] += from[i] * weight;
}

void vp8_mp_rc_lookahead_stats_scale(FIRSTPASS_STATS *sum, double factor) {
  double *const to = (double *)sum;
  size_t i;

  for (i = 0; i < FIELDS; ++i) to[i] *= factor;
}

static int is_typical(const FIRSTPASS_STATS *frame) {
  return frame->frame > 0 && frame->pcnt_inter > MIN_INTER;
}

FIRSTPASS_STATS vp8_mp_rc_lookahead_stats_mean(
    const vp8_mp_rc_lookahead_stats *stats) {
  FIRSTPASS_STATS mean = stats->past;
  int i;

  for (i = 0; i < stats->frames; ++i) {
    if (is_typical(&stats->window[i])) {
      vp8_mp_rc_lookahead_stats_add(&mean, &stats->window[i], 1);
    }
  }
  if (mean.count < 1) {
    vp8_mp_rc_lookahead_stats_add(&mean, &stats->window[0], 1);
  }
  vp8_mp_rc_lookahead_stats_scale(&mean, 1 / mean.count);
  return mean;
}

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

static void attach(vp8_mp_rc_lookahead_stats *stats,
                   const vp8e_motion_provider_t *provider) {
  if (provider) {
    stats->provider = *provider;
  } else {
    stats->provider.first_pass = NULL;
    stats->provider.first_pass_freed = NULL;
  }
  /* Only the encoder itself reports the memory that other callbacks got. */
  stats->provider.memory_freed = NULL;
  vp8_mp_attach(stats->encoder, &stats->provider);
}

int vp8_mp_rc_lookahead_stats_init(vp8_mp_rc_lookahead_stats *stats,
                                   const VP8_COMP *cpi) {
  vpx_codec_pkt_list_init(&stats->packets);
  stats->encoder = create_first_pass(cpi, &stats->packets.head);
  if (!stats->encoder) return -1;
  attach(stats, cpi->mp.provider);
  vpx_get_worker_interface()->init(&stats->worker);
  stats->worker.hook = run_first_pass;
  stats->worker.data1 = stats->encoder;
  return 0;
}

void vp8_mp_rc_lookahead_stats_set_provider(
    vp8_mp_rc_lookahead_stats *stats, const vp8e_motion_provider_t *provider) {
  vpx_get_worker_interface()->sync(&stats->worker);
  attach(stats, provider);
}

void vp8_mp_rc_lookahead_stats_free(vp8_mp_rc_lookahead_stats *stats) {
  vpx_get_worker_interface()->end(&stats->worker);
  vp8_remove_compressor(&stats->encoder);
}

/* ---- the window ---------------------------------------------------------- */

void vp8_mp_rc_lookahead_stats_finish(vp8_mp_rc_lookahead_stats *stats) {
  if (!stats->is_busy) return;
  vpx_get_worker_interface()->sync(&stats->worker);
  stats->window[stats->frames] = stats->encoder->twopass.this_frame_stats;
  stats->flags[stats->frames] = stats->busy_flags;
  ++stats->frames;
  stats->is_busy = 0;
}

void vp8_mp_rc_lookahead_stats_pop(vp8_mp_rc_lookahead_stats *stats) {
  vp8_mp_rc_lookahead_stats_scale(&stats->past,
                                  1 - 1. / VP8_MP_RC_LOOKAHEAD_MEAN_FRAMES);
  if (is_typical(&stats->window[0])) {
    vp8_mp_rc_lookahead_stats_add(&stats->past, &stats->window[0], 1);
  }
  --stats->frames;
  memmove(stats->window, stats->window + 1,
          stats->frames * sizeof(stats->window[0]));
  memmove(stats->flags, stats->flags + 1,
          stats->frames * sizeof(stats->flags[0]));
}

int vp8_mp_rc_lookahead_stats_receive(vp8_mp_rc_lookahead_stats *stats,
                                      YV12_BUFFER_CONFIG *frame, int64_t start,
                                      int64_t end, unsigned int flags,
                                      int use_worker) {
  const VPxWorkerInterface *const threads = vpx_get_worker_interface();

  vp8_mp_rc_lookahead_stats_finish(stats);
  if (stats->frames == VP8_MP_RC_LOOKAHEAD_MAX_WINDOW) {
    vp8_mp_rc_lookahead_stats_pop(stats);
  }
  vpx_codec_pkt_list_init(&stats->packets); /* drop the last frame's packets */
  if (vp8_receive_raw_frame(stats->encoder, 0, frame, start, end)) return -1;
  stats->is_busy = 1;
  stats->busy_flags = flags;
  if (use_worker && threads->reset(&stats->worker)) {
    threads->launch(&stats->worker);
  } else {
    threads->execute(&stats->worker);
  }
  return 0;
}
