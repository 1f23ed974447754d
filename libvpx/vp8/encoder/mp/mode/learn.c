/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/mode/learn.h"

#include <limits.h>

#include "vp8/common/common.h"
#include "vp8/encoder/mp/mode/level.h"
#include "vp8/encoder/mp/provider/records.h"
#include "vp8/encoder/onyx_int.h"
#include "vpx_dsp/vpx_dsp_common.h"

/* A bin with fewer evaluations always pays: gains are rare and large, so fewer
 * tell nothing. */
#define FEW 64
/* A bin remembers about this many evaluations: above it, counts and gains are
 * halved. */
#define MEMORY 1024
/* Gains are in 1 / UNIT of the mean rate of a macroblock. */
#define UNIT 4096
/* One of EXPLORED macroblocks evaluates all candidates within reach, by turns.
 * One in 8 gains 0.1 % of bitrate over one in 16 in 1.02 times the time. One in
 * 32 (together with NORMAL's bound) loses 0.03 % to one in 16 in 0.98 times the
 * time. */
#define EXPLORED 32

/* Cost of an evaluation in hundreds of cycles. Measured (AMD EPYC, AVX2,
 * fourteen clips), in the order of the enum: 12, 12, 11, 15, 10, 13, 46, 35 and
 * 10. The last values are lower than that if neighbouring macroblocks gain from
 * the evaluation too, by better vectors for prediction and by better edges. */
static const int cycles[VP8_MP_MODE_LEARN_KINDS] = {
  [VP8_MP_MODE_LEARN_INTER2] = 12, [VP8_MP_MODE_LEARN_INTER3] = 12,
  [VP8_MP_MODE_LEARN_INTER4] = 11, [VP8_MP_MODE_LEARN_SPLIT] = 12,
  [VP8_MP_MODE_LEARN_SPLIT2] = 5,  [VP8_MP_MODE_LEARN_INTRA16X16] = 13,
  [VP8_MP_MODE_LEARN_BPRED] = 30,  [VP8_MP_MODE_LEARN_PLANS] = 25,
  [VP8_MP_MODE_LEARN_PLAN2] = 10,
};

/* ---- between frames ------------------------------------------------------ */

/* Add the counts of the last encode. Gains are divided by the mean rate of the
 * frames up to it, so that a frame of few bits counts in proportion to its
 * bits. */
static void add_counts(vp8_mp_mode_learn_state *learn,
                       const vp8_mp_mode_learn_counts *counts) {
  int64_t mean;
  int i;

  learn->rate += counts->rate - learn->rate / 16;
  learn->macroblocks += counts->macroblocks - learn->macroblocks / 16;
  mean = VPXMAX(learn->rate / learn->macroblocks, 1);
  for (i = 0; i < VP8_MP_MODE_LEARN_BINS; ++i) {
    vp8_mp_mode_learn_bin *const bin = &learn->bin[i];

    bin->n += counts->bin[i].n;
    bin->gain += counts->bin[i].gain * UNIT / mean;
    for (; bin->n > MEMORY; bin->n /= 2) bin->gain /= 2;
  }
  ++learn->turn;
}

static int pays(const vp8_mp_mode_learn_bin *bin, int slope, int hundreds) {
  return bin->n < FEW ||
         bin->gain * 10000 >= (int64_t)bin->n * UNIT * slope * hundreds;
}

void vp8_mp_mode_learn_encode_begin(VP8_COMP *cpi) {
  const int each = VP8_MP_MODE_LEARN_RATIOS * VP8_MP_MODE_LEARN_SIZES;
  vp8_mp_mode_learn_state *const learn = &cpi->mp.mode.learn;
  int i;

  learn->slope = vp8_mp_mode_slope(cpi, cpi->common.base_qindex);
  /* At realtime almost no encoder ever counts anything. */
  if (!learn->slope && !cpi->mb.mp_learn.macroblocks) return;
  if (cpi->mb.mp_learn.macroblocks) add_counts(learn, &cpi->mb.mp_learn);
#if CONFIG_MULTITHREAD
  for (i = 0; i < cpi->encoding_thread_count; ++i) {
    vp8_zero(cpi->mb_row_ei[i].mb.mp_learn);
  }
#endif
  vp8_zero(cpi->mb.mp_learn);
  for (i = 0; i < VP8_MP_MODE_LEARN_BINS; ++i) {
    learn->pays[i] =
        (unsigned char)pays(&learn->bin[i], learn->slope, cycles[i / each]);
  }
}

void vp8_mp_mode_learn_merge(VP8_COMP *cpi, const MACROBLOCK *thread) {
  const vp8_mp_mode_learn_counts *const from = &thread->mp_learn;
  vp8_mp_mode_learn_counts *const to = &cpi->mb.mp_learn;
  int i;

  if (!cpi->mp.mode.learn.slope) return;
  to->rate += from->rate;
  to->macroblocks += from->macroblocks;
  for (i = 0; i < VP8_MP_MODE_LEARN_BINS; ++i) {
    to->bin[i].n += from->bin[i].n;
    to->bin[i].gain += from->bin[i].gain;
  }
}

/* ---- in a macroblock ----------------------------------------------------- */

void vp8_mp_mode_learn_mb_begin(const VP8_COMP *cpi, MACROBLOCK *x) {
  const vp8_mp_mode_learn_state *const learn = &cpi->mp.mode.learn;

  if (!learn->slope) return;
  x->mp_learn.explores =
      !((vp8_mp_mb_col(x) + 5 * vp8_mp_mb_row(x) + 3 * learn->turn) % EXPLORED);
}

/* Returns the index of cost relative to compared_to: 0 below 0.9, then in steps
 * of 2 %. */
static int ratio_of(unsigned int cost, unsigned int compared_to) {
  const uint64_t permille = (uint64_t)cost * 1000 / VPXMAX(compared_to, 1);

  if (permille < 900) return 0;
  return (int)VPXMIN(1 + (permille - 900) / 20, VP8_MP_MODE_LEARN_RATIOS - 1);
}

/* Returns the index of a SATD in quantizer steps: how much of a residual of
 * that SATD is coded. */
static int size_of(const MACROBLOCK *x, unsigned int satd) {
  const unsigned int step = x->e_mbd.dequant_y1[1];

  return (satd > 20 * step) + (satd > 64 * step) + (satd > 200 * step);
}

int vp8_mp_mode_learn_bin_of(const VP8_COMP *cpi, const MACROBLOCK *x,
                             vp8_mp_mode_learn_kind kind, unsigned int cost,
                             unsigned int compared_to, unsigned int low) {
  if (!cpi->mp.mode.learn.slope) return VP8_MP_MODE_LEARN_NONE;
  return ((int)kind * VP8_MP_MODE_LEARN_RATIOS + ratio_of(cost, compared_to)) *
             VP8_MP_MODE_LEARN_SIZES +
         size_of(x, low);
}

int vp8_mp_mode_learn_pays(const VP8_COMP *cpi, const MACROBLOCK *x, int bin) {
  return bin == VP8_MP_MODE_LEARN_NONE || x->mp_learn.explores ||
         cpi->mp.mode.learn.pays[bin];
}

void vp8_mp_mode_learn_count(MACROBLOCK *x, int bin) {
  if (bin != VP8_MP_MODE_LEARN_NONE) ++x->mp_learn.bin[bin].n;
}

void vp8_mp_mode_learn_gain(MACROBLOCK *x, int bin, int before, int after) {
  if (bin == VP8_MP_MODE_LEARN_NONE || before == INT_MAX || after >= before)
    return;
  /* RDCOST() weighs a rate by rdmult / 256. */
  x->mp_learn.bin[bin].gain += (int64_t)(before - after) * 256 / x->rdmult;
}

void vp8_mp_mode_learn_add(MACROBLOCK *x, int bin, int before, int after) {
  if (before == INT_MAX) return;
  vp8_mp_mode_learn_count(x, bin);
  vp8_mp_mode_learn_gain(x, bin, before, after);
}

void vp8_mp_mode_learn_decided(const VP8_COMP *cpi, MACROBLOCK *x, int rate) {
  if (!cpi->mp.mode.learn.slope) return;
  x->mp_learn.rate += rate;
  ++x->mp_learn.macroblocks;
}
