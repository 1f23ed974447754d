/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/rc/model.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "vp8/encoder/mp/rc/balance.h"
#include "vp8/encoder/mp/rc/reached.h"
#include "vp8/encoder/mp/rc/scene.h"
#include "vp8/encoder/onyx_int.h"
#include "vpx_dsp/vpx_dsp_common.h"

/* doc/lab/0070 has half and double of most constants. */

/* Time constant of the means, in frames: a scene's complexity lasts for
 * seconds. 64 and 256 are alike at a variable bitrate (doc/lab/0017). At a
 * constant one the targets gain 6.6 % of bitrate, with 32 6.2 %, and with 16
 * 5.4 % (doc/lab/0018). */
#define MEAN_FRAMES 128
/* Weight of the newest frame in the complexity of the last frames. */
#define RECENT_WEIGHT 0.25
/* If the last frames are simpler than the scene by more than this factor, the
 * content has changed. */
#define CHANGE_TIMES 4
/* Quantizer index of golden frames, in percent, if all macroblocks move and if
 * all are still; and of key frames that serve many frames. doc/lab/0017 has
 * golden frames at 100, 80, 65 and 50, whatever moves, and key frames at 100
 * and 75: code has 1.6 and 0.6 dB less. */
#define GOLDEN_PERCENT_MOVING 90
#define GOLDEN_PERCENT_STATIC 40
#define KEY_PERCENT 60
/* Complexity of a key frame per mean difference of neighbouring pixels. For two
 * frames each of 16 clips at six quantizers it is 0.05 to 0.14. */
#define KEY_PER_GRADIENT 0.1
/* Expected complexity of inter frames per complexity of a key frame. The mean
 * of the first six is 0.16 to 1.6 times, for 11 clips. At a constant bitrate
 * 0.5 costs 0.4 % of bitrate, and 0.2 costs 0.8 % (doc/lab/0048). */
#define INTER_PER_KEY 0.3
/* Number of inter frames that the expectation at the start of a scene counts
 * as: the first one is often much simpler than those that follow. */
#define PRIOR_FRAMES 2
/* Complexity of a picture that does not change. */
#define LEAST_COMPLEXITY 0.001
/* The mean quantizer counts on frames of a kind that come at least this many
 * times while the balance is brought back; others are paid afterwards. */
#define LEAST_TIMES 2

double vp8_mp_rc_model_at(const VP8_COMP *cpi, FRAME_TYPE type,
                          double complexity, int Q) {
  return complexity * vp8_bits_per_mb[type][Q] * cpi->common.MBs / 512;
}

double vp8_mp_rc_model_texture(const VP8_COMP *cpi) {
  return VPXMAX(vp8_mp_rc_scene_gradient(cpi->Source) * KEY_PER_GRADIENT,
                LEAST_COMPLEXITY);
}

int vp8_mp_rc_model_is_known(const VP8_COMP *cpi) {
  return cpi->mp.model.complexity[VP8_MP_RC_INTER] > 0;
}

/* The part of frames that are of that kind. Key frames that are due count
 * before they come. */
static double frequency(const VP8_COMP *cpi, vp8_mp_rc_kind kind) {
  const vp8_mp_rc_model *const model = &cpi->mp.model;
  double found = model->often[kind] / MEAN_FRAMES;

  if (kind == VP8_MP_RC_KEY) {
    found = VPXMIN(found, 1. / (cpi->frames_since_key + 1.));
    if (cpi->oxcf.auto_key) {
      found = VPXMAX(found, 1. / VPXMAX(cpi->key_frame_frequency, 1));
    }
  }
  return VPXMIN(found, 1);
}

/* A key frame that serves N frames has a quantizer of KEY_PERCENT + (100 -
 * KEY_PERCENT) / N: if all frames are key frames, all have the same. */
static int key_percent(const VP8_COMP *cpi) {
  return (int)(KEY_PERCENT +
               (100 - KEY_PERCENT) * frequency(cpi, VP8_MP_RC_KEY));
}

/* gf_active_count: macroblocks that are still unchanged since the golden frame.
 * libvpx does not count them with temporal layers. */
static int golden_percent(const VP8_COMP *cpi) {
  const int span = GOLDEN_PERCENT_MOVING - GOLDEN_PERCENT_STATIC;
  const int still = cpi->oxcf.number_of_layers > 1 ? cpi->mp.reached.still
                                                   : cpi->gf_active_count;

  return GOLDEN_PERCENT_MOVING - span * still / cpi->common.MBs;
}

int vp8_mp_rc_model_kind_q(const VP8_COMP *cpi, vp8_mp_rc_kind kind,
                           int mean_q) {
  switch (kind) {
    case VP8_MP_RC_KEY: return mean_q * key_percent(cpi) / 100;
    case VP8_MP_RC_GOLDEN: return mean_q * golden_percent(cpi) / 100;
    default: return mean_q;
  }
}

/* Expected bits of the mean frame at a mean quantizer. */
static double mean_bits(const VP8_COMP *cpi, int mean_q) {
  const vp8_mp_rc_model *const model = &cpi->mp.model;
  double others = 0, bits = 0;
  int kind;

  for (kind = VP8_MP_RC_GOLDEN; kind < VP8_MP_RC_KINDS; ++kind) {
    const FRAME_TYPE type = kind == VP8_MP_RC_KEY ? KEY_FRAME : INTER_FRAME;
    const double part = frequency(cpi, kind);

    if (model->complexity[kind] <= 0 ||
        part * vp8_mp_rc_balance_frames(cpi) < LEAST_TIMES) {
      continue;
    }
    others += part;
    bits +=
        part * vp8_mp_rc_model_at(cpi, type, model->complexity[kind],
                                  vp8_mp_rc_model_kind_q(cpi, kind, mean_q));
  }
  return bits + VPXMAX(1 - others, 0) *
                    vp8_mp_rc_model_at(cpi, INTER_FRAME,
                                       model->complexity[VP8_MP_RC_INTER],
                                       mean_q);
}

int vp8_mp_rc_model_q(const VP8_COMP *cpi, double bits, double *scale) {
  int q = cpi->best_quality;
  double expected = mean_bits(cpi, q);

  while (q < cpi->worst_quality && expected > bits) {
    expected = mean_bits(cpi, ++q);
  }
  *scale = expected > bits ? bits / expected : 1;
  return q;
}

double vp8_mp_rc_model_refinement(const VP8_COMP *cpi, int from_q, int to_q) {
  const int *const bits_per_mb = vp8_bits_per_mb[KEY_FRAME];

  if (to_q >= from_q) return 0;
  return cpi->mp.model.complexity[VP8_MP_RC_KEY] *
         (bits_per_mb[to_q] - bits_per_mb[from_q]) / 512;
}

/* Bits of an inter frame of that complexity. They include the refinement of the
 * macroblocks that have reached only a higher quantizer. */
static double inter_bits(const VP8_COMP *cpi, double complexity, int Q) {
  double bits = vp8_mp_rc_model_at(cpi, INTER_FRAME, complexity, Q);
  int q;

  for (q = Q + 1; q < QINDEX_RANGE; ++q) {
    const int count = cpi->mp.reached.count[q];

    if (count) bits += count * vp8_mp_rc_model_refinement(cpi, q, Q);
  }
  return bits;
}

double vp8_mp_rc_model_inter(const VP8_COMP *cpi, int Q) {
  return inter_bits(cpi, cpi->mp.model.recent, Q);
}

double vp8_mp_rc_model_large_inter(const VP8_COMP *cpi, int Q) {
  double most = cpi->mp.model.recent;
  int i;

  for (i = 0; i < VP8_MP_RC_MODEL_LAST; ++i) {
    most = VPXMAX(most, cpi->mp.model.last[i]);
  }
  return inter_bits(cpi, most, Q);
}

/* Expected complexity of the inter frames of a scene. Those of a temporal layer
 * are predicted from frames that are further away. For three clips with two and
 * three layers a power of 0.5 gains 1.3 and 2.2 % over 0. For nine clips 1 is
 * level with 0.5 (doc/lab/0049). */
static double expected_inter(const VP8_COMP *cpi, double key) {
  const int layers = cpi->oxcf.number_of_layers;
  const int distance =
      layers > 1 ? VPXMAX((int)cpi->oxcf.rate_decimator[cpi->current_layer], 1)
                 : 1;

  return key * INTER_PER_KEY * sqrt(distance);
}

int vp8_mp_rc_model_scene_q(const VP8_COMP *cpi, double complexity) {
  int q = cpi->best_quality;

  while (q < cpi->worst_quality &&
         vp8_mp_rc_model_at(cpi, INTER_FRAME, expected_inter(cpi, complexity),
                            q) > vp8_mp_rc_balance_frame_bits(cpi)) {
    ++q;
  }
  return VPXMAX(vp8_mp_rc_model_kind_q(cpi, VP8_MP_RC_KEY, q),
                cpi->best_quality);
}

/* ---- learning ------------------------------------------------------------ */

static void count(vp8_mp_rc_model *model, vp8_mp_rc_kind kind) {
  int i;

  for (i = 0; i < VP8_MP_RC_KINDS; ++i) {
    model->often[i] *= 1 - 1. / MEAN_FRAMES;
  }
  model->often[kind] += 1;
}

/* After the first frame of a scene, at quantizer q; key: complexity of it as a
 * key frame. At a constant bitrate, expect inter frames that are INTER_PER_KEY
 * times as complex. At a variable one libvpx chose the quantizer of the first
 * key frame: expect that the mean inter frame takes its share at the quantizer
 * to which that key frame belongs. Later scenes share the bits: their mean goes
 * on. */
static void begin_scene(VP8_COMP *cpi, int q, double key) {
  vp8_mp_rc_model *const model = &cpi->mp.model;
  const int inter_q = VPXMIN(q * 100 / KEY_PERCENT, cpi->worst_quality);
  const double expected =
      vp8_mp_rc_balance_is_constant(cpi)
          ? expected_inter(cpi, key)
          : cpi->av_per_frame_bandwidth /
                vp8_mp_rc_model_at(cpi, INTER_FRAME, 1, inter_q);

  model->recent = expected;
  model->recent_frames = PRIOR_FRAMES;
  memset(model->last, 0, sizeof(model->last));
  if (vp8_mp_rc_model_is_known(cpi) && !vp8_mp_rc_balance_is_constant(cpi)) {
    return;
  }
  model->frames = PRIOR_FRAMES;
  model->complexity[VP8_MP_RC_INTER] = expected;
  model->complexity[VP8_MP_RC_GOLDEN] = 0;
}

/* Update a mean over *frames frames by the value of one more. */
static void update(double *mean, int *frames, double value, double least) {
  ++*frames;
  *mean += (value - *mean) * VPXMAX(1. / *frames, least);
}

/* Whether frames could take more bits, but the mean quantizer keeps them from
 * it: it is the highest one, or the buffer is full. */
static int is_held(const VP8_COMP *cpi) {
  return cpi->common.base_qindex >= cpi->worst_quality ||
         vp8_mp_rc_balance_is_full(cpi);
}

/* The means of the scene and of the last frames. */
static void learn_inter(VP8_COMP *cpi, double complexity) {
  vp8_mp_rc_model *const model = &cpi->mp.model;
  double *const mean = &model->complexity[VP8_MP_RC_INTER];

  complexity = VPXMAX(complexity, LEAST_COMPLEXITY);
  update(mean, &model->frames, complexity, 1. / MEAN_FRAMES);
  model->last[model->next_last] = complexity;
  model->next_last = (model->next_last + 1) % VP8_MP_RC_MODEL_LAST;
  update(&model->recent, &model->recent_frames, complexity, RECENT_WEIGHT);
  if (model->recent * CHANGE_TIMES < *mean && is_held(cpi)) {
    *mean = model->recent;
    model->frames = (int)(1 / RECENT_WEIGHT);
    model->complexity[VP8_MP_RC_GOLDEN] = 0;
  }
}

void vp8_mp_rc_model_learn(VP8_COMP *cpi, vp8_mp_rc_kind kind, int is_cut,
                           int q, int size) {
  vp8_mp_rc_model *const model = &cpi->mp.model;
  const int base = cpi->common.base_qindex;
  const FRAME_TYPE type = kind == VP8_MP_RC_KEY ? KEY_FRAME : INTER_FRAME;
  const double complexity = size * 8. / vp8_mp_rc_model_at(cpi, type, 1, q);

  /* The first frame does not tell how often key frames come. */
  if (cpi->common.current_video_frame > 1) count(model, kind);
  if (is_cut || !vp8_mp_rc_model_is_known(cpi)) {
    const double key =
        type == KEY_FRAME ? complexity : vp8_mp_rc_model_texture(cpi);

    begin_scene(cpi, base, key);
    model->complexity[VP8_MP_RC_KEY] = key;
    return;
  }
  if (kind == VP8_MP_RC_INTER) {
    learn_inter(cpi, complexity);
  } else {
    model->complexity[kind] = complexity;
  }
}

void vp8_mp_rc_model_set_target(VP8_COMP *cpi, double bits) {
  cpi->this_frame_target = (int)VPXMIN(VPXMAX(bits, 1), INT_MAX);
}
