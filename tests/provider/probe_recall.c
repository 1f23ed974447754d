/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "probes.h"

#include <stdlib.h>
#include <string.h>

#include "vp8/encoder/mp/mode/recall.h"
#include "vp8/encoder/onyx_int.h"
#include "vpx_mem/vpx_mem.h"

struct TestRecall {
    VP8_COMP *cpi;
};

TestRecall *NewRecall(int realtime) {
    TestRecall *const recall = calloc(1, sizeof(*recall));

    recall->cpi = vpx_memalign(32, sizeof(*recall->cpi));
    memset(recall->cpi, 0, sizeof(*recall->cpi));
    recall->cpi->compressor_speed = realtime ? 2 : 1;
    return recall;
}

void FreeRecall(TestRecall *recall) {
    vp8_mp_recon_mb_memory_free(recall->cpi);
    vpx_free(recall->cpi);
    free(recall);
}

void BeginRecall(TestRecall *recall, int mb_rows, int mb_cols, int is_key) {
    VP8_COMMON *const cm = &recall->cpi->common;

    cm->mb_rows = mb_rows;
    cm->mb_cols = mb_cols;
    cm->MBs = mb_rows * mb_cols;
    cm->frame_type = is_key ? KEY_FRAME : INTER_FRAME;
    vp8_mp_recon_mb_memory_begin(recall->cpi);
    vp8_mp_mode_recall_begin(recall->cpi);
}

void PlaceMacroblock(MACROBLOCK *x, int mb_row, int mb_col) {
    x->e_mbd.mb_to_top_edge = -mb_row * 16 * 8;
    x->e_mbd.mb_to_left_edge = -mb_col * 16 * 8;
}

static MACROBLOCK *MacroblockAt(TestRecall *recall, int mb_row, int mb_col) {
    MACROBLOCK *const x = &recall->cpi->mb;

    PlaceMacroblock(x, mb_row, mb_col);
    return x;
}

void Remember(TestRecall *recall, int mb_row, int mb_col, unsigned low, unsigned cost) {
    vp8_mp_mode_remember(recall->cpi, MacroblockAt(recall, mb_row, mb_col), low, cost);
}

int Recalls(TestRecall *recall, int mb_row, int mb_col, int mv_row, int mv_col, unsigned low,
            int permille) {
    int_mv mv;

    mv.as_mv.row = (short)mv_row;
    mv.as_mv.col = (short)mv_col;
    return vp8_mp_mode_recalls(recall->cpi, MacroblockAt(recall, mb_row, mb_col), mv, low, permille);
}
