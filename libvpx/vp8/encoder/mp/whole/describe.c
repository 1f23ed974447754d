/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/whole/describe.h"

#include <string.h>

#include "vp8/common/entropymode.h"
#include "vp8/common/modecont.h"
#include "vp8/common/quant_common.h"
#include "vp8/encoder/mp/provider/records.h"
#include "vp8/encoder/mp/rc/segments.h"
#include "vp8/encoder/onyx_int.h"
#include "vp8/encoder/tokenize.h"
#include "vp8/encoder/treewriter.h"

vp8e_mp_picture_t vp8_mp_whole_picture(const YV12_BUFFER_CONFIG *buffer,
                                       uint64_t id) {
  vp8e_mp_picture_t p;

  p.plane[0] = buffer->y_buffer;
  p.plane[1] = buffer->u_buffer;
  p.plane[2] = buffer->v_buffer;
  p.stride = buffer->y_stride;
  p.uv_stride = buffer->uv_stride;
  p.id = id;
  return p;
}

/* ---- segments ------------------------------------------------------------ */

static void set_quantizer(vp8e_mp_segment_t *s, int plane, const short *round,
                          const short *quant, const short *dequant) {
  int i;

  memcpy(s->round[plane], round, sizeof(s->round[plane]));
  for (i = 0; i < 2; ++i) {
    s->quant[plane][i] = quant[i];
    s->dequant[plane][i] = dequant[i];
  }
}

static void set_level(vp8e_mp_level_t *to, const vp8_mp_mode_level *from) {
  to->refs = from->refs;
  to->inter16x16 = from->inter16x16;
  to->max_inter16x16 = from->max_inter16x16;
  to->split = from->split;
  to->partitionings = from->partitionings;
  to->bpred = from->bpred;
  to->intra16x16 = from->intra16x16;
  to->sole = from->sole;
  to->bound = from->bound;
  to->fewer_modes = from->fewer_modes;
}

static void describe_segment(const VP8_COMP *cpi, int i, vp8e_mp_segment_t *s) {
  const VP8_COMMON *const cm = &cpi->common;
  const int is_key = cm->frame_type == KEY_FRAME;
  const int is_segmented = cpi->mb.e_mbd.segmentation_enabled;
  const vp8_mp_rc_segment_lambda *const own = &cpi->mp.segments.lambda[i];
  const int q = vp8_mp_rc_segment_q_index(cpi, i);
  const int sad_per_bit = is_segmented ? own->sadperbit16 : cpi->mb.sadperbit16;

  set_level(&s->level, &cpi->mp.mode.level[q]);
  s->lambda = (sad_per_bit * (is_key ? VP8_MP_MODE_KEY_LAMBDA
                                     : cpi->mp.mode.level[q].lambda) +
               50) /
              100;
  s->rdmult = is_segmented ? own->rdmult : cpi->RDMULT;
  s->rddiv = is_segmented ? own->rddiv : cpi->RDDIV;
  s->breakout = is_segmented ? cpi->segment_encode_breakout[i]
                             : cpi->oxcf.encode_breakout;
  set_quantizer(s, VP8E_MP_Y, cpi->mp.mode.round[q][0], cpi->Y1quant_fast[q],
                cm->Y1dequant[q]);
  set_quantizer(s, VP8E_MP_Y2, cpi->mp.mode.round[q][1], cpi->Y2quant_fast[q],
                cm->Y2dequant[q]);
  set_quantizer(s, VP8E_MP_UV, cpi->mp.mode.round[q][2], cpi->UVquant_fast[q],
                cm->UVdequant[q]);
}

/* ---- rates --------------------------------------------------------------- */

static void set_mode_rates(const MACROBLOCK *x, vp8e_mp_rates_t *rates) {
  const int type = x->e_mbd.frame_type;
  int i;

  for (i = 0; i < MAX_REF_FRAMES; ++i) rates->ref[i] = x->ref_frame_cost[i];
  for (i = DC_PRED; i <= B_PRED; ++i) {
    rates->mode[i] = x->mbmode_cost[type][i];
  }
  for (i = DC_PRED; i <= TM_PRED; ++i) {
    rates->uv_mode[i] = x->intra_uv_mode_cost[type][i];
  }
  for (i = B_DC_PRED; i <= NEW4X4; ++i) {
    rates->bmode[i] = x->inter_bmode_costs[i];
  }
}

static void set_near_rates(vp8e_mp_rates_t *rates) {
  int count, node;

  for (count = 0; count < 6; ++count) {
    for (node = 0; node < 4; ++node) {
      const vp8_prob p = vp8_mode_contexts[count][node];

      rates->near_mode[count][node][0] = vp8_cost_zero(p);
      rates->near_mode[count][node][1] = vp8_cost_one(p);
    }
  }
}

/* By the tree of partitionings (RFC 6386 section 10): 4x4, 8x8, 16x8, 8x16. */
static void set_partitioning_rates(vp8e_mp_rates_t *rates) {
  const vp8_prob *const p = vp8_mbsplit_probs;
  const int halves = vp8_cost_one(p[0]) + vp8_cost_one(p[1]);

  rates->partitioning[0] = halves + vp8_cost_zero(p[2]);
  rates->partitioning[1] = halves + vp8_cost_one(p[2]);
  rates->partitioning[2] = vp8_cost_one(p[0]) + vp8_cost_zero(p[1]);
  rates->partitioning[3] = vp8_cost_zero(p[0]);
}

static void describe_rates(const VP8_COMP *cpi, vp8e_mp_rates_t *rates) {
  const VP8_COMMON *const cm = &cpi->common;
  const int skip = cpi->prob_skip_false;
  int i;

  set_mode_rates(&cpi->mb, rates);
  set_near_rates(rates);
  set_partitioning_rates(rates);
  memcpy(rates->token, cpi->mb.token_costs, sizeof(rates->token));
  rates->skip[0] = vp8_cost_bit(skip, 0);
  /* as in calculate_final_rd_costs() */
  rates->skip[1] = skip ? vp8_cost_bit(skip, 1) : rates->skip[0];
  rates->intra_penalty = 10 * vp8_dc_quant(cm->base_qindex, cm->y1dc_delta_q);
  rates->min_mv_difference = cpi->mb.mv_cost_min;
  for (i = 0; i < MAX_REF_FRAMES; ++i) {
    rates->sign_bias[i] = cm->ref_frame_sign_bias[i];
  }
}

/* ---- the frame ----------------------------------------------------------- */

void vp8_mp_whole_describe(VP8_COMP *cpi, vp8e_mp_whole_frame_t *frame,
                           vp8e_mp_segment_t *segments,
                           vp8e_mp_rates_t *rates) {
  VP8_COMMON *const cm = &cpi->common;
  const int buffer[MAX_REF_FRAMES] = { 0, cm->lst_fb_idx, cm->gld_fb_idx,
                                       cm->alt_fb_idx };
  int i;

  memset(frame, 0, sizeof(*frame));
  frame->frame_id = cpi->mp.frame_id;
  frame->mb_rows = cm->mb_rows;
  frame->mb_cols = cm->mb_cols;
  frame->source = vp8_mp_whole_picture(cpi->Source, 0);
  frame->recon = vp8_mp_whole_picture(&cm->yv12_fb[cm->new_fb_idx], 0);
  if (cm->frame_type == KEY_FRAME) {
    frame->key_bmode = cpi->mb.bmode_costs[0][0];
  }
  for (i = LAST_FRAME; i < MAX_REF_FRAMES; ++i) {
    if (frame->key_bmode ||
        !(vp8_mp_is_searched(cpi, i) ||
          (cpi->oxcf.noise_sensitivity && vp8_mp_is_enabled(cpi, i)))) {
      continue;
    }
    frame->ref[i] = vp8_mp_whole_picture(&cm->yv12_fb[buffer[i]],
                                         cpi->mp.buffers.id[buffer[i]]);
  }
  if (!frame->key_bmode) frame->returned_ref = cpi->mp.memory.returned;
  for (i = 0; i < MAX_MB_SEGMENTS; ++i) describe_segment(cpi, i, &segments[i]);
  describe_rates(cpi, rates);
  frame->segments = segments;
  frame->rates = rates;
  frame->mv_cost[0] = cpi->mb.mvcost[0];
  frame->mv_cost[1] = cpi->mb.mvcost[1];
  frame->value_cost = vp8_dct_value_cost_ptr;
  if (cpi->mb.e_mbd.segmentation_enabled) {
    frame->segment = cpi->segmentation_map;
  }
  frame->still_frames = cpi->consec_zero_last;
}
