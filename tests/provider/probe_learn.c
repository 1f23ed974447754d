/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include <stdlib.h>
#include <string.h>

#include "probes.h"
#include "vp8/encoder/mp/mode/learn.h"
#include "vp8/encoder/onyx_int.h"
#include "vpx_mem/vpx_mem.h"

enum { kStep = 100 };

struct TestLearn {
    VP8_COMP *cpi;
    MACROBLOCK *thread; /* state of the second thread */
    vp8e_motion_provider_t provider;
};

static void SetUp(MACROBLOCK *x) {
    x->e_mbd.dequant_y1[1] = kStep;
    x->rdmult = 256;
}

TestLearn *NewLearn(int guide, int speed, int q_index) {
    TestLearn *const learn = calloc(1, sizeof(*learn));

    learn->cpi = vpx_memalign(32, sizeof(*learn->cpi));
    memset(learn->cpi, 0, sizeof(*learn->cpi));
    learn->thread = vpx_memalign(32, sizeof(*learn->thread));
    memset(learn->thread, 0, sizeof(*learn->thread));
    learn->provider.guide = guide;
    learn->cpi->mp.provider = &learn->provider;
    learn->cpi->compressor_speed = 1;
    learn->cpi->Speed = speed;
    learn->cpi->sf.RD = 1;
    learn->cpi->common.base_qindex = q_index;
    SetUp(&learn->cpi->mb);
    SetUp(learn->thread);
    return learn;
}

void FreeLearn(TestLearn *learn) {
    vpx_free(learn->thread);
    vpx_free(learn->cpi);
    free(learn);
}

void BeginLearn(TestLearn *learn) {
    memset(&learn->thread->mp_learn, 0, sizeof(learn->thread->mp_learn));
    vp8_mp_mode_learn_encode_begin(learn->cpi);
}

void EndLearn(TestLearn *learn) { vp8_mp_mode_learn_merge(learn->cpi, learn->thread); }

static MACROBLOCK *MacroblockAt(TestLearn *learn, int thread, int mb_row, int mb_col) {
    MACROBLOCK *const x = thread ? learn->thread : &learn->cpi->mb;

    PlaceMacroblock(x, mb_row, mb_col);
    vp8_mp_mode_learn_mb_begin(learn->cpi, x);
    return x;
}

static int BinOf(TestLearn *learn, const MACROBLOCK *x, const TestCandidate *c) {
    return vp8_mp_mode_learn_bin_of(learn->cpi, x, (vp8_mp_mode_learn_kind)c->kind, c->cost, c->beside, c->low);
}

int Pays(TestLearn *learn, int mb_row, int mb_col, const TestCandidate *c) {
    const MACROBLOCK *const x = MacroblockAt(learn, 0, mb_row, mb_col);

    return vp8_mp_mode_learn_pays(learn->cpi, x, BinOf(learn, x, c));
}

void AddGain(TestLearn *learn, int thread, const TestCandidate *c, int before, int after) {
    MACROBLOCK *const x = MacroblockAt(learn, thread, 0, 0);

    vp8_mp_mode_learn_add(x, BinOf(learn, x, c), before, after);
}

void AddRate(TestLearn *learn, int thread, int rate) {
    vp8_mp_mode_learn_decided(learn->cpi, thread ? learn->thread : &learn->cpi->mb, rate);
}
