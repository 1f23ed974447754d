/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "probes.h"

#include <string.h>

#include "random.h"
#include "./vp8_rtcd.h"
#include "vp8/encoder/mp/recon/residual.h"
#include "vp8/encoder/onyx_int.h"
#include "vp8/encoder/quantize.h"
#include "vpx_mem/vpx_mem.h"

static void FillCoefficients(short *coeff, unsigned *seed, int most, int largest) {
    int i;

    for (i = 0; i < 16; i++) {
        const int size = Random(seed) % 16 ? most : largest;

        coeff[i] = (short)((int)(Random(seed) % (unsigned)(2 * size + 1)) - size);
    }
}

/* A block quantized by libvpx's scalar quantizer. */
typedef struct {
    DECLARE_ALIGNED(16, short, qcoeff[16]);
    DECLARE_ALIGNED(16, short, dqcoeff[16]);
    char eob;
    unsigned short coded;
    int error[2]; /* squared, of all coefficients, and of all but the first */
} Quantized;

static Quantized Quantize(const MACROBLOCK *x, int block, const short *coeff, int regular) {
    BLOCK b = x->block[block];
    BLOCKD d = x->e_mbd.block[block];
    Quantized to;
    int i;

    memset(&to, 0, sizeof(to));
    b.coeff = (short *)coeff;
    d.qcoeff = to.qcoeff;
    d.dqcoeff = to.dqcoeff;
    d.eob = &to.eob;
    (regular ? vp8_regular_quantize_b_c : vp8_fast_quantize_b_c)(&b, &d);
    for (i = 0; i < 16; i++) {
        const int e = coeff[i] - to.dqcoeff[i];

        to.error[0] += e * e;
        if (i) to.error[1] += e * e;
        to.coded |= (to.qcoeff[vp8_default_zig_zag1d[i]] != 0) << i;
    }
    return to;
}

static int SameBlock(const Quantized *expected, const short *qcoeff, const short *dqcoeff,
                     unsigned short coded) {
    return !memcmp(expected->qcoeff, qcoeff, sizeof(expected->qcoeff)) &&
           !memcmp(expected->dqcoeff, dqcoeff, sizeof(expected->dqcoeff)) &&
           expected->coded == coded;
}

static const char *CompareBlocks(MACROBLOCK *x, int best, int regular, int first) {
    /* The first block and the number of blocks of luma, chroma and Y2. */
    static const int parts[3][2] = {{0, 16}, {16, 8}, {24, 1}};
    unsigned short coded[25];
    int p, i;

    memset(x->e_mbd.eobs, -1, sizeof(x->e_mbd.eobs));
    for (p = 0; p < 3; p++) {
        const int at = parts[p][0];
        int expected = 0;
        const int error = (best ? vp8_mp_recon_quantize : vp8_mp_recon_quantize_c)(x, at, parts[p][1], first,
                                                                       coded + at);

        for (i = at; i < at + parts[p][1]; i++) {
            const Quantized one = Quantize(x, i, x->block[i].coeff, regular);

            if (!SameBlock(&one, x->e_mbd.qcoeff + 16 * i, x->e_mbd.dqcoeff + 16 * i, coded[i])) {
                return "coefficients";
            }
            if (x->e_mbd.eobs[i] != one.eob) return "ends of blocks";
            expected += one.error[first];
        }
        if (error != expected) return "errors";
    }
    return NULL;
}

static const char *CompareTries(const MACROBLOCK *x, int best, int regular, int block) {
    vp8_mp_recon_batch tries;
    int n, i;

    for (n = 1; n <= 4; n++) {
        memcpy(tries.coeff, x->coeff, sizeof(tries.coeff));
        (best ? vp8_mp_recon_quantize_batch : vp8_mp_recon_quantize_batch_c)(
            x, block, n, tries.coeff[0], tries.qcoeff[0], tries.dqcoeff[0], tries.coded,
            tries.error);
        for (i = 0; i < n; i++) {
            const Quantized one = Quantize(x, block, tries.coeff[i], regular);

            if (!SameBlock(&one, tries.qcoeff[i], tries.dqcoeff[i], tries.coded[i]) ||
                tries.error[i] != one.error[0]) {
                return "predictions of a block";
            }
        }
    }
    return NULL;
}

const char *CompareQuantizers(unsigned seed, int regular, int q, int wider, int most) {
    VP8_COMP *const cpi = vpx_memalign(32, sizeof(*cpi));
    MACROBLOCK *const x = &cpi->mb;
    const char *difference = NULL;
    int i;

    vp8_rtcd();
    memset(cpi, 0, sizeof(*cpi));
    cpi->sf.improved_quant = 1;
    vp8cx_init_quantizer(cpi);
    vp8_setup_block_dptrs(&x->e_mbd);
    for (i = 0; i < 25; i++) x->block[i].coeff = x->coeff + 16 * i;
    cpi->common.base_qindex = q;
    x->zbin_mode_boost = wider;
    vp8cx_mb_init_quantizer(cpi, x, 0);
    x->quantize_b = regular ? vp8_regular_quantize_b : vp8_fast_quantize_b;
    /* Y2's coefficients are larger: it transforms the DC coefficients of 16 blocks. */
    for (i = 0; i < 25; i++) FillCoefficients(x->coeff + 16 * i, &seed, most, i < 24 ? 2047 : 16000);
    for (i = 0; i < 4 && !difference; i++) {
        difference = CompareBlocks(x, i & 1, regular, i >> 1);
        if (!difference) difference = CompareTries(x, i & 1, regular, i >> 1 ? 24 : 3);
    }
    vpx_free(cpi);
    return difference;
}
