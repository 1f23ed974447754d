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

struct TestWorth {
    VP8_COMP *cpi;
    MACROBLOCK *thread; /* a second one */
    vp8e_motion_provider_t provider;
};

static void SetUp(MACROBLOCK *x) {
    x->e_mbd.dequant_y1[1] = kStep;
    x->rdmult = 256;
}

TestWorth *NewWorth(int guide, int speed, int q_index) {
    TestWorth *const worth = calloc(1, sizeof(*worth));

    worth->cpi = vpx_memalign(32, sizeof(*worth->cpi));
    memset(worth->cpi, 0, sizeof(*worth->cpi));
    worth->thread = vpx_memalign(32, sizeof(*worth->thread));
    memset(worth->thread, 0, sizeof(*worth->thread));
    worth->provider.guide = guide;
    worth->cpi->mp.provider = &worth->provider;
    worth->cpi->compressor_speed = 1;
    worth->cpi->Speed = speed;
    worth->cpi->sf.RD = 1;
    worth->cpi->common.base_qindex = q_index;
    SetUp(&worth->cpi->mb);
    SetUp(worth->thread);
    return worth;
}

void FreeWorth(TestWorth *worth) {
    vpx_free(worth->thread);
    vpx_free(worth->cpi);
    free(worth);
}

void BeginWorth(TestWorth *worth) {
    memset(&worth->thread->mp_learn, 0, sizeof(worth->thread->mp_learn));
    vp8_mp_mode_learn_encode_begin(worth->cpi);
}

void EndWorth(TestWorth *worth) { vp8_mp_mode_learn_merge(worth->cpi, worth->thread); }

static MACROBLOCK *MacroblockAt(TestWorth *worth, int thread, int mb_row, int mb_col) {
    MACROBLOCK *const x = thread ? worth->thread : &worth->cpi->mb;

    PlaceMacroblock(x, mb_row, mb_col);
    vp8_mp_mode_learn_mb_begin(worth->cpi, x);
    return x;
}

static int BinOf(TestWorth *worth, const MACROBLOCK *x, const TestCandidate *c) {
    return vp8_mp_mode_learn_bin_of(worth->cpi, x, (vp8_mp_mode_learn_kind)c->kind, c->cost, c->beside, c->low);
}

int IsWorth(TestWorth *worth, int mb_row, int mb_col, const TestCandidate *c) {
    const MACROBLOCK *const x = MacroblockAt(worth, 0, mb_row, mb_col);

    return vp8_mp_mode_learn_pays(worth->cpi, x, BinOf(worth, x, c));
}

void AddWorth(TestWorth *worth, int thread, const TestCandidate *c, int before, int after) {
    MACROBLOCK *const x = MacroblockAt(worth, thread, 0, 0);

    vp8_mp_mode_learn_add(x, BinOf(worth, x, c), before, after);
}

void AddRate(TestWorth *worth, int thread, int rate) {
    vp8_mp_mode_learn_decided(worth->cpi, thread ? worth->thread : &worth->cpi->mb, rate);
}
