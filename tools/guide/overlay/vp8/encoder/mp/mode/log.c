/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/mode/log.h"

#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "vp8/encoder/mp/recon/code.h"
#include "vp8/encoder/mp/mode/rank.h"
#include "vp8/encoder/mp/mode/rd.h"
#include "vp8/encoder/mp/mode/split.h"
#include "vp8/encoder/mp/provider/records.h"
#include "vp8/encoder/onyx_int.h"
#include "vp8/encoder/rdopt.h"
#include "vpx_dsp/vpx_dsp_common.h"
#include "./vpx_dsp_rtcd.h"

/* Format of a record, which tools/guide/guidelog.py reads. All numbers have 32
 * bits, and there is no padding. */
typedef struct log_rd {
  int32_t rd;   /* RDCOST(); 0: not evaluated */
  int32_t rate; /* 1/256 bit */
  int32_t distortion;
} log_rd;

typedef struct log_inter {
  int32_t ref, mode; /* ref 0: no more candidates */
  int32_t cost, rate, mv;
  int32_t sse, uv_sse; /* squared errors of the prediction */
  log_rd rd;
} log_inter;

typedef struct log_split {
  int32_t estimate, cost, rate; /* 0: none */
  log_rd rd;
} log_split;

typedef struct log_record {
  int32_t size;
  int32_t frame, q_index, mb_row, mb_col;
  int32_t lambda, rdmult, rddiv, step;
  int32_t split_rate[3]; /* rate of each reference with SPLITMV */
  int32_t dist[3];       /* SATD of the new vector of each reference */
  log_inter inter[VP8_MP_MODE_MAX_CANDIDATES];
  log_split split[3][4];
  /* Rates are those of reference and mode. cost16 is predicted from
   * reconstructed neighbours. */
  int32_t satd16[4], ref_rate, cost4, bpred_rate, cost16, mode16;
  log_rd intra16, bpred[3]; /* B_PRED with 3, 2 and 1 modes of each sub-block */
  /* Times of all inter candidates, 4x4 plans, other plans, intra16 and
   * bpred[3], and of planning 4x4 and other partitionings. */
  int32_t ns[9];
} log_record;

static FILE *log_file;

static int32_t now(void) {
  struct timespec t;

  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int32_t)((uint32_t)t.tv_sec * 1000000000u + (uint32_t)t.tv_nsec);
}

static void none_yet(MACROBLOCK *x, vp8_mp_mode_best *best) {
  x->skip = 0;
  memset(best, 0, sizeof(*best));
  best->rd = best->intra_distortion = INT_MAX;
}

static log_rd result(const vp8_mp_mode_best *best) {
  log_rd rd;

  rd.rd = best->rd == INT_MAX ? 0 : best->rd;
  rd.rate = best->rate;
  rd.distortion = best->distortion;
  return rd;
}

static void log_inter16x16(const vp8_mp_mode_decision *d,
                           const vp8_mp_mode_candidates *list, log_record *r) {
  const BLOCK *const b = &d->x->block[0];
  vp8_mp_mode_best best;
  unsigned int sse;
  int i;

  for (i = 0; i < list->n; ++i) {
    const vp8_mp_mode_candidate *const c = &list->c[i];
    const int32_t start = now();

    r->inter[i].ref = c->ref;
    r->inter[i].mode = c->mode;
    r->inter[i].cost = c->cost;
    r->inter[i].rate = c->rate;
    r->inter[i].mv = (int32_t)c->mv.as_int;
    none_yet(d->x, &best);
    vp8_mp_mode_set_candidate(d, c->mode, c->ref, c->mv);
    vp8_mp_mode_rd_inter16x16(d, c->mv_rate, &best);
    r->ns[0] += now() - start;
    r->inter[i].rd = result(&best);
    vpx_mse16x16(*b->base_src, b->src_stride, d->x->e_mbd.predictor, 16, &sse);
    r->inter[i].sse = (int32_t)sse;
    r->inter[i].uv_sse = (int32_t)VP8_UVSSE(d->x);
  }
}

static void log_split_plan(const vp8_mp_mode_decision *d, int ref,
                           int partitioning, log_split *s, int32_t ns[9]) {
  const int is_4x4 = partitioning == BLOCK_4X4;
  vp8_mp_mode_split split;
  vp8_mp_mode_best best;
  int32_t start;

  s->estimate = vp8_mp_mode_estimate_partitioning(d, ref, partitioning);
  start = now();
  if (!vp8_mp_mode_plan_partitioning(d, ref, partitioning, &split)) return;
  ns[is_4x4 ? 7 : 8] += now() - start;
  s->cost = split.cost;
  s->rate = split.rate;
  none_yet(d->x, &best);
  vp8_mp_mode_set_split(d, &split);
  start = now();
  vp8_mp_mode_rd_split(d, &split, &best);
  ns[is_4x4 ? 1 : 2] += now() - start;
  s->rd = result(&best);
}

static void log_splits(const vp8_mp_mode_decision *d, log_record *r) {
  int ref, partitioning;

  for (ref = LAST_FRAME; ref <= ALTREF_FRAME; ++ref) {
    if (!d->mb[ref]) continue;
    r->split_rate[ref - 1] =
        d->x->ref_frame_cost[ref] + d->mode_rate[SPLITMV - NEARESTMV];
    for (partitioning = BLOCK_16X8; partitioning <= BLOCK_4X4; ++partitioning) {
      log_split_plan(d, ref, partitioning, &r->split[ref - 1][partitioning],
                     r->ns);
    }
  }
}

static void log_intra(const vp8_mp_mode_decision *d, log_record *r) {
  const vp8e_mp_intra_t *const estimate =
      vp8_mp_intra(d->cpi, d->x, VP8_MP_MODE_INTRA_ALL);
  MACROBLOCK *const x = d->x;
  vp8_mp_mode_intra_modes modes;
  vp8_mp_mode_best best;
  int32_t start;
  int i, n;

  if (!estimate) return;
  for (i = 0; i < 4; ++i) r->satd16[i] = estimate->satd16[i];
  r->ref_rate = x->ref_frame_cost[INTRA_FRAME];
  r->cost4 = estimate->cost4;
  r->bpred_rate = r->ref_rate + x->mbmode_cost[INTER_FRAME][B_PRED];
  start = now();
  r->cost16 = vp8_mp_mode_rank_intra16x16(d, &r->mode16);
  modes.mb = 1u << r->mode16;
  none_yet(x, &best);
  vp8_mp_mode_rd_intra(d, &modes, &best);
  r->intra16 = result(&best);
  r->ns[3] = now() - start;

  for (n = 0; n < 3; ++n) {
    modes.mb = 1u << B_PRED;
    for (i = 0; i < 16; ++i) {
      modes.b[i] = 1u << (estimate->mode4[i] & 15);
      if (n < 2) modes.b[i] |= 1u << (estimate->mode4[i] >> 4);
      if (n < 1) modes.b[i] |= 1u << B_DC_PRED;
    }
    start = now();
    none_yet(x, &best);
    vp8_mp_mode_rd_intra(d, &modes, &best);
    r->bpred[n] = result(&best);
    r->ns[4 + n] = now() - start;
  }
}

static void log_macroblock(const vp8_mp_mode_decision *d, log_record *r) {
  const MACROBLOCK *const x = d->x;
  int ref;

  r->size = sizeof(*r);
  r->frame = d->cpi->common.current_video_frame;
  r->q_index = x->q_index;
  r->mb_row = vp8_mp_mb_row(x);
  r->mb_col = vp8_mp_mb_col(x);
  r->lambda = d->lambda;
  r->rdmult = x->rdmult;
  r->rddiv = x->rddiv;
  r->step = x->e_mbd.dequant_y1[1];
  for (ref = LAST_FRAME; ref <= ALTREF_FRAME; ++ref) {
    if (d->mb[ref]) r->dist[ref - 1] = d->mb[ref]->dist;
  }
}

void vp8_mp_mode_log(const vp8_mp_mode_decision *d,
                     const vp8_mp_mode_candidates *list) {
  MACROBLOCK *const x = d->x;
  MODE_INFO *const mic = x->e_mbd.mode_info_context;
  const MODE_INFO mode_info = *mic;
  const PARTITION_INFO partition_info = *x->partition_info;
  const char *const path = getenv("VP8_MP_MODE_LOG");
  const char *const every = getenv("VP8_MP_MODE_LOG_EVERY");
  const int skip = x->skip;
  static uint32_t seed;
  log_record r;

  if (!path || (!log_file && !(log_file = fopen(path, "wb")))) return;
  seed = seed * 1664525 + 1013904223;
  if (every && (seed >> 8) % (uint32_t)atoi(every)) return;
  memset(&r, 0, sizeof(r));
  log_macroblock(d, &r);
  log_inter16x16(d, list, &r);
  log_splits(d, &r);
  log_intra(d, &r);
  fwrite(&r, sizeof(r), 1, log_file);
  *mic = mode_info;
  *x->partition_info = partition_info;
  x->skip = skip;
  vp8_mp_recon_coded_reset(x, &d->cpi->mp.guide.zeros);
}
