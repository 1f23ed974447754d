/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "probes.h"

#include <stdlib.h>
#include <string.h>

#include "random.h"
#include "vp8/common/entropymode.h"
#include "vp8/common/entropymv.h"
#include "vp8/common/findnearmv.h"
#include "vp8/encoder/encodemv.h"
#include "vp8/encoder/mp/recon/modes.h"
#include "vp8/encoder/onyx_int.h"
#include "vpx_mem/vpx_mem.h"

enum { kRows = 6, kCols = 7, kStride = kCols + 1, kBytes = 1 << 16 };

typedef struct {
    VP8_COMP *cpi;
    MODE_INFO modes[(kRows + 1) * kStride + 1]; /* with a row above and a column to the left */
    PARTITION_INFO partitions[kRows * kStride];
    struct vpx_internal_error_info error;
} Frame;

static int Below(unsigned *seed, int n) { return (int)(Random(seed) % (unsigned)n); }

/* An even vector: zero, one of a few, short, or so long that a difference has all bits. */
static int_mv RandomVector(unsigned *seed) {
    static const int ranges[] = {1, 2, 8, 60, 500};
    const int range = ranges[Below(seed, 5)];
    int_mv v;

    v.as_mv.row = (short)(2 * (Below(seed, 2 * range - 1) - range + 1));
    v.as_mv.col = (short)(2 * (Below(seed, 2 * range - 1) - range + 1));
    return v;
}

static vp8_prob RandomProb(unsigned *seed) { return (vp8_prob)(1 + Below(seed, 255)); }

static void FillSplit(MODE_INFO *m, PARTITION_INFO *partition, unsigned *seed) {
    const int partitioning = Below(seed, VP8_NUMMBSPLITS);
    int i;

    m->mbmi.partitioning = (unsigned char)partitioning;
    partition->count = vp8_mbsplit_count[partitioning];
    for (i = 0; i < partition->count; i++) {
        partition->bmi[i].mode = (B_PREDICTION_MODE)(LEFT4X4 + Below(seed, 4));
        partition->bmi[i].mv = RandomVector(seed);
    }
    for (i = 0; i < 16; i++) m->bmi[i].mv = partition->bmi[vp8_mbsplits[partitioning][i]].mv;
    m->mbmi.mv = m->bmi[15].mv;
}

static void FillMacroblock(MODE_INFO *m, PARTITION_INFO *partition, unsigned *seed) {
    static const MB_PREDICTION_MODE inter[] = {NEARESTMV, NEARMV, ZEROMV, NEWMV, SPLITMV};
    int i;

    m->mbmi.segment_id = (unsigned char)Below(seed, 4);
    m->mbmi.mb_skip_coeff = (unsigned char)Below(seed, 2);
    m->mbmi.ref_frame = (unsigned char)Below(seed, MAX_REF_FRAMES);
    if (m->mbmi.ref_frame == INTRA_FRAME) {
        m->mbmi.mode = (unsigned char)Below(seed, VP8_YMODES);
        m->mbmi.uv_mode = (unsigned char)Below(seed, VP8_UV_MODES);
        for (i = 0; i < 16 && m->mbmi.mode == B_PRED; i++) {
            m->bmi[i].as_mode = (B_PREDICTION_MODE)Below(seed, VP8_BINTRAMODES);
        }
        return;
    }
    m->mbmi.mode = (unsigned char)inter[Below(seed, 5)];
    if (m->mbmi.mode != ZEROMV) m->mbmi.mv = RandomVector(seed);
    if (m->mbmi.mode == SPLITMV) FillSplit(m, partition, seed);
}

static Frame *MakeFrame(unsigned seed) {
    static const vp8e_motion_provider_t provider;
    Frame *const f = calloc(1, sizeof(*f));
    VP8_COMP *const cpi = f->cpi = vpx_memalign(32, sizeof(VP8_COMP));
    VP8_COMMON *const cm = &cpi->common;
    MACROBLOCKD *const xd = &cpi->mb.e_mbd;
    int row, col, i;

    memset(cpi, 0, sizeof(*cpi));
    cpi->mp.provider = &provider;
    cm->mb_rows = kRows;
    cm->mb_cols = kCols;
    cm->mode_info_stride = xd->mode_info_stride = kStride;
    cm->mi = f->modes + kStride + 1;
    cpi->mb.pi = f->partitions;
    cm->mb_no_coeff_skip = Below(&seed, 4) > 0;
    xd->segmentation_enabled = (unsigned char)Below(&seed, 2);
    xd->update_mb_segmentation_map = (unsigned char)Below(&seed, 2);
    for (i = 0; i < MB_FEATURE_TREE_PROBS; i++) xd->mb_segment_tree_probs[i] = RandomProb(&seed);
    cpi->prob_intra_coded = RandomProb(&seed);
    cpi->prob_last_coded = RandomProb(&seed);
    cpi->prob_gf_coded = RandomProb(&seed);
    cm->ref_frame_sign_bias[GOLDEN_FRAME] = Below(&seed, 2);
    cm->ref_frame_sign_bias[ALTREF_FRAME] = Below(&seed, 2);
    vp8_init_mbmode_probs(cm);
    for (i = 0; i < 2 * MVPcount; i++)
        cm->fc.mvc[i / MVPcount].prob[i % MVPcount] = RandomProb(&seed);
    for (row = 0; row < kRows; row++) {
        for (col = 0; col < kCols; col++) {
            const int at = row * kStride + col;

            FillMacroblock(cm->mi + at, f->partitions + at, &seed);
        }
    }
    return f;
}

static void WriteVector(vp8_writer *w, int_mv mv, int_mv best, const MV_CONTEXT *contexts) {
    MV e;

    e.row = (short)(mv.as_mv.row - best.as_mv.row);
    e.col = (short)(mv.as_mv.col - best.as_mv.col);
    vp8_encode_motion_vector(w, &e, contexts);
}

static void WriteSplit(vp8_writer *w, const Frame *f, int at, int_mv best) {
    const VP8_COMMON *const cm = &f->cpi->common;
    const MODE_INFO *const m = cm->mi + at;
    const PARTITION_INFO *const partition = f->partitions + at;
    int part, block;

    vp8_write_token(w, vp8_mbsplit_tree, vp8_mbsplit_probs,
                    vp8_mbsplit_encodings + m->mbmi.partitioning);
    for (part = 0; part < partition->count; part++) {
        int_mv left, above;

        for (block = 0; vp8_mbsplits[m->mbmi.partitioning][block] != part; block++) {
        }
        left.as_int = left_block_mv(m, block);
        above.as_int = above_block_mv(m, block, kStride);
        vp8_write_token(w, vp8_sub_mv_ref_tree, vp8_sub_mv_ref_prob2[vp8_mv_cont(&left, &above)],
                        vp8_sub_mv_ref_encoding_array + (partition->bmi[part].mode - LEFT4X4));
        if (partition->bmi[part].mode == NEW4X4)
            WriteVector(w, partition->bmi[part].mv, best, cm->fc.mvc);
    }
}

/* Writes a macroblock as RFC 6386, section 19.3, by libvpx's functions. */
static void WriteMacroblock(vp8_writer *w, Frame *f, int row, int col, vp8_prob skip_prob) {
    VP8_COMP *const cpi = f->cpi;
    VP8_COMMON *const cm = &cpi->common;
    MACROBLOCKD *const xd = &cpi->mb.e_mbd;
    const int at = row * kStride + col;
    const MODE_INFO *const m = cm->mi + at;
    const int ref = m->mbmi.ref_frame, mode = m->mbmi.mode, segment = m->mbmi.segment_id;
    vp8_prob probs[VP8_MVREFS - 1];
    int_mv nearest, nearby, best;
    int counts[4], i;

    if (xd->segmentation_enabled && xd->update_mb_segmentation_map) {
        vp8_write(w, segment >= 2, xd->mb_segment_tree_probs[0]);
        vp8_write(w, segment & 1, xd->mb_segment_tree_probs[segment >= 2 ? 2 : 1]);
    }
    if (cm->mb_no_coeff_skip) vp8_write(w, m->mbmi.mb_skip_coeff, skip_prob);
    vp8_write(w, ref != INTRA_FRAME, cpi->prob_intra_coded);
    if (ref == INTRA_FRAME) {
        vp8_write_token(w, vp8_ymode_tree, cm->fc.ymode_prob, vp8_ymode_encodings + mode);
        for (i = 0; i < 16 && mode == B_PRED; i++) {
            vp8_write_token(w, vp8_bmode_tree, cm->fc.bmode_prob,
                            vp8_bmode_encodings + m->bmi[i].as_mode);
        }
        vp8_write_token(w, vp8_uv_mode_tree, cm->fc.uv_mode_prob,
                        vp8_uv_mode_encodings + m->mbmi.uv_mode);
        return;
    }
    vp8_write(w, ref != LAST_FRAME, cpi->prob_last_coded);
    if (ref != LAST_FRAME) vp8_write(w, ref == ALTREF_FRAME, cpi->prob_gf_coded);
    xd->mb_to_left_edge = -col * 128;
    xd->mb_to_right_edge = (kCols - 1 - col) * 128;
    xd->mb_to_top_edge = -row * 128;
    xd->mb_to_bottom_edge = (kRows - 1 - row) * 128;
    vp8_find_near_mvs(xd, m, &nearest, &nearby, &best, counts, ref, cm->ref_frame_sign_bias);
    vp8_clamp_mv2(&best, xd);
    vp8_mv_ref_probs(probs, counts);
    vp8_write_token(w, vp8_mv_ref_tree, probs, vp8_mv_ref_encoding_array + (mode - NEARESTMV));
    if (mode == NEWMV) WriteVector(w, m->mbmi.mv, best, cm->fc.mvc);
    if (mode == SPLITMV) WriteSplit(w, f, at, best);
}

const char *CompareModeWriters(unsigned seed) {
    static unsigned char bytes[2][kBytes];
    Frame *const f = MakeFrame(seed);
    const vp8_prob skip_prob = RandomProb(&seed);
    const char *difference = NULL;
    vp8_writer w[2];
    int row, col, i;

    memset(bytes, 0, sizeof(bytes));
    memset(w, 0, sizeof(w));
    for (i = 0; i < 2; i++) {
        w[i].error = &f->error;
        vp8_start_encode(&w[i], bytes[i], bytes[i] + kBytes);
        vp8_write_literal(&w[i], 5, 3); /* the header */
    }
    for (row = 0; row < kRows; row++) {
        for (col = 0; col < kCols; col++) WriteMacroblock(&w[0], f, row, col, skip_prob);
    }
    if (!vp8_mp_recon_write_modes(f->cpi, &w[1], skip_prob)) difference = "(nothing was written)";
    for (i = 0; i < 2; i++) vp8_stop_encode(&w[i]);
    if (w[0].pos < 40) difference = "(nothing was tested)";
    if (w[0].pos != w[1].pos) difference = "number of bytes";
    if (memcmp(bytes[0], bytes[1], w[0].pos)) difference = "bytes";
    vpx_free(f->cpi);
    free(f);
    return difference;
}
