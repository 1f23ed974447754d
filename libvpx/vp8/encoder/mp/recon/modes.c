/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/recon/modes.h"

#include "vp8/common/entropymode.h"
#include "vp8/common/entropymv.h"
#include "vp8/common/findnearmv.h"
#include "vp8/common/modecont.h"
#include "vp8/encoder/mp/recon/bools.h"
#include "vp8/encoder/mp/recon/provided_modes.h"
#include "vp8/encoder/onyx_int.h"

/* Write a value of a tree. path: the bits from the root, length: their number.
 */
static INLINE void put_in_tree(vp8_mp_recon_bools *b, vp8_tree tree,
                               const vp8_prob *probs, int path, int length) {
  vp8_tree_index node = 0;
  int i;

  for (i = 0; i < length; ++i) {
    const unsigned int bit = (path >> (length - 1 - i)) & 1;

    if (i % VP8_MP_RECON_ROOM == 0) vp8_mp_recon_bools_flush(b);
    vp8_mp_recon_put(b, probs[node >> 1], bit);
    node = tree[node + bit];
  }
}

static INLINE void put_token(vp8_mp_recon_bools *b, vp8_tree tree,
                             const vp8_prob *probs, const vp8_token *token) {
  put_in_tree(b, tree, probs, token->value, token->Len);
}

/* Write a component of the difference of two vectors, in quarter pixels. */
static INLINE void put_component(vp8_mp_recon_bools *b, int v,
                                 const MV_CONTEXT *context) {
  const vp8_prob *const p = context->prob;
  const unsigned int size = abs(v);
  int i;

  vp8_mp_recon_bools_flush(b);
  if (size < mvnum_short) {
    vp8_mp_recon_put_0(b, p[mvpis_short]);
    put_in_tree(b, vp8_small_mvtree, p + MVPshort, size, 3);
    if (!size) return;
  } else {
    vp8_mp_recon_put_1(b, p[mvpis_short]);
    for (i = 0; i < 3; ++i) {
      vp8_mp_recon_put(b, p[MVPbits + i], (size >> i) & 1);
    }
    for (i = mvlong_width - 1; i > 3; --i) {
      vp8_mp_recon_bools_flush(b);
      vp8_mp_recon_put(b, p[MVPbits + i], (size >> i) & 1);
    }
    vp8_mp_recon_bools_flush(b);
    /* Bit 3 of a size from 8 to 15 is set, and is not written. */
    if (size > 15) vp8_mp_recon_put(b, p[MVPbits + 3], (size >> 3) & 1);
  }
  vp8_mp_recon_bools_flush(b);
  vp8_mp_recon_put(b, p[MVPsign], v < 0);
}

static INLINE void put_vector(vp8_mp_recon_bools *b, int_mv mv, int_mv best,
                              const MV_CONTEXT *contexts) {
  put_component(b, (mv.as_mv.row - best.as_mv.row) >> 1, &contexts[0]);
  put_component(b, (mv.as_mv.col - best.as_mv.col) >> 1, &contexts[1]);
}

static void put_segment(vp8_mp_recon_bools *b, int segment,
                        const vp8_prob *probs) {
  const unsigned int high = segment >> 1;

  vp8_mp_recon_put(b, probs[0], high);
  vp8_mp_recon_put(b, probs[1 + high], segment & 1);
}

static void put_intra(vp8_mp_recon_bools *b, const MODE_INFO *m,
                      const FRAME_CONTEXT *fc) {
  put_token(b, vp8_ymode_tree, fc->ymode_prob,
            vp8_ymode_encodings + m->mbmi.mode);
  if (m->mbmi.mode == B_PRED) {
    int i;

    for (i = 0; i < 16; ++i) {
      put_token(b, vp8_bmode_tree, fc->bmode_prob,
                vp8_bmode_encodings + m->bmi[i].as_mode);
    }
  }
  put_token(b, vp8_uv_mode_tree, fc->uv_mode_prob,
            vp8_uv_mode_encodings + m->mbmi.uv_mode);
}

static void put_split(vp8_mp_recon_bools *b, const MODE_INFO *m, int stride,
                      const PARTITION_INFO *partition, int_mv best,
                      const MV_CONTEXT *contexts) {
  const int partitioning = m->mbmi.partitioning;
  int i;

  put_token(b, vp8_mbsplit_tree, vp8_mbsplit_probs,
            vp8_mbsplit_encodings + partitioning);
  for (i = 0; i < partition->count; ++i) {
    const int block = vp8_mbsplit_offset[partitioning][i];
    const int mode = partition->bmi[i].mode;
    int_mv left, above;

    left.as_int = left_block_mv(m, block);
    above.as_int = above_block_mv(m, block, stride);
    put_token(b, vp8_sub_mv_ref_tree,
              vp8_sub_mv_ref_prob2[vp8_mv_cont(&left, &above)],
              vp8_sub_mv_ref_encoding_array + (mode - LEFT4X4));
    if (mode == NEW4X4) put_vector(b, partition->bmi[i].mv, best, contexts);
  }
}

static INLINE int is_zero(const MODE_INFO *m) {
  return m->mbmi.ref_frame != INTRA_FRAME && !m->mbmi.mv.as_int;
}

static void put_inter(vp8_mp_recon_bools *b, VP8_COMP *cpi, const MODE_INFO *m,
                      const PARTITION_INFO *partition) {
  VP8_COMMON *const cm = &cpi->common;
  MACROBLOCKD *const xd = &cpi->mb.e_mbd;
  const MB_MODE_INFO *const mbmi = &m->mbmi;
  int_mv nearest, nearby, best;
  vp8_prob probs[VP8_MVREFS - 1];
  int counts[4];

  if (mbmi->mode == ZEROMV) {
    /* One bool, whose probability depends only on the neighbours whose vector
     * is zero. */
    const MODE_INFO *const above = m - cm->mode_info_stride;
    const int zeros =
        2 * is_zero(above) + 2 * is_zero(m - 1) + is_zero(above - 1);

    vp8_mp_recon_bools_flush(b);
    vp8_mp_recon_put_0(b, vp8_mode_contexts[zeros][0]);
    return;
  }
  vp8_find_near_mvs(xd, m, &nearest, &nearby, &best, counts, mbmi->ref_frame,
                    cm->ref_frame_sign_bias);
  vp8_clamp_mv2(&best, xd);
  vp8_mv_ref_probs(probs, counts);
  put_token(b, vp8_mv_ref_tree, probs,
            vp8_mv_ref_encoding_array + (mbmi->mode - NEARESTMV));
  if (mbmi->mode == NEWMV) {
    put_vector(b, mbmi->mv, best, cm->fc.mvc);
  } else if (mbmi->mode == SPLITMV) {
    put_split(b, m, cm->mode_info_stride, partition, best, cm->fc.mvc);
  }
}

int vp8_mp_recon_write_modes(VP8_COMP *cpi, vp8_writer *w, vp8_prob skip_prob) {
  VP8_COMMON *const cm = &cpi->common;
  MACROBLOCKD *const xd = &cpi->mb.e_mbd;
  const MODE_INFO *m = cm->mi;
  const PARTITION_INFO *partition = cpi->mb.pi;
  const int puts_segments =
      xd->segmentation_enabled && xd->update_mb_segmentation_map;
  vp8_mp_recon_bools b;
  int row, col;

  if (!cpi->mp.provider) return 0;
  if (vp8_mp_recon_provided_modes_write(cpi, w)) return 1;
  b = vp8_mp_recon_bools_begin(w);
  for (row = 0; row < cm->mb_rows; ++row, ++m, ++partition) {
    xd->mb_to_top_edge = -((row * 16) << 3);
    xd->mb_to_bottom_edge = ((cm->mb_rows - 1 - row) * 16) << 3;
    for (col = 0; col < cm->mb_cols; ++col, ++m, ++partition) {
      const int ref = m->mbmi.ref_frame;

      xd->mb_to_left_edge = -((col * 16) << 3);
      xd->mb_to_right_edge = ((cm->mb_cols - 1 - col) * 16) << 3;
      vp8_mp_recon_bools_flush(&b);
      if (puts_segments) {
        put_segment(&b, m->mbmi.segment_id, xd->mb_segment_tree_probs);
        vp8_mp_recon_bools_flush(&b);
      }
      if (cm->mb_no_coeff_skip) {
        vp8_mp_recon_put(&b, skip_prob, m->mbmi.mb_skip_coeff);
      }
      vp8_mp_recon_put(&b, cpi->prob_intra_coded, ref != INTRA_FRAME);
      if (ref == INTRA_FRAME) {
        put_intra(&b, m, &cm->fc);
        continue;
      }
      vp8_mp_recon_put(&b, cpi->prob_last_coded, ref != LAST_FRAME);
      if (ref != LAST_FRAME) {
        vp8_mp_recon_put(&b, cpi->prob_gf_coded, ref != GOLDEN_FRAME);
      }
      put_inter(&b, cpi, m, partition);
    }
  }
  vp8_mp_recon_bools_end(&b);
  return 1;
}
