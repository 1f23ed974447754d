/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include <stdlib.h>
#include <string.h>

#include "./vp8_rtcd.h"
#include "probes.h"
#include "vp8/encoder/mp/queue/prefilter.h"

enum { kPixels = 64, kStride = 24, kToStride = 11 };

typedef struct {
    short difference[kPixels];
    unsigned short weight[kPixels];
} Sums;

const char *ComparePrefilters(unsigned seed, int variation, int frames) {
    uint8_t own[8 * kStride], other[kPixels], expected[8 * kToStride], result[8 * kToStride];
    unsigned totals[kPixels];
    unsigned short counts[kPixels];
    Sums scalar, fast;
    int frame, i;

    vp8_rtcd();
    memset(&scalar, 0, sizeof(scalar));
    memset(&fast, 0, sizeof(fast));
    memset(totals, 0, sizeof(totals));
    memset(counts, 0, sizeof(counts));
    memset(expected, 0, sizeof(expected));
    memset(result, 0, sizeof(result));
    for (i = 0; i < 8 * kStride; i++) own[i] = (uint8_t)(rand_r(&seed) % 256);
    for (frame = 0; frame < frames; frame++) {
        const int strength = rand_r(&seed) % 7, scale = 1 + rand_r(&seed) % 2;

        for (i = 0; i < kPixels; i++) {
            const int pixel =
                own[i / 8 * kStride + i % 8] + rand_r(&seed) % (2 * variation + 1) - variation;

            other[i] = (uint8_t)(pixel < 0 ? 0 : pixel > 255 ? 255 : pixel);
        }
        vp8_mp_queue_prefilter_add8x8_c(own, kStride, other, strength, scale, scalar.difference, scalar.weight);
        vp8_mp_queue_prefilter_add8x8(own, kStride, other, strength, scale, fast.difference, fast.weight);
        vp8_temporal_filter_apply_c(own, kStride, other, 8, strength, scale, totals, counts);
    }
    if (memcmp(&scalar, &fast, sizeof(fast))) return "the sums by SIMD and in C";
    for (i = 0; i < kPixels; i++) {
        const int pixel = own[i / 8 * kStride + i % 8];

        if (scalar.weight[i] != counts[i]) return "a weight and that of libvpx";
        if (scalar.difference[i] + pixel * counts[i] != (int)totals[i]) return "a sum and that of libvpx";
    }
    vp8_mp_queue_prefilter_mean8x8_c(own, kStride, scalar.difference, scalar.weight, expected, kToStride);
    vp8_mp_queue_prefilter_mean8x8(own, kStride, scalar.difference, scalar.weight, result, kToStride);
    if (memcmp(expected, result, sizeof(result))) return "the means by SIMD and in C";
    for (i = 0; i < kPixels; i++) {
        const unsigned all = VP8_MP_QUEUE_PREFILTER_OWN_WEIGHT + counts[i];
        const unsigned sum = totals[i] + VP8_MP_QUEUE_PREFILTER_OWN_WEIGHT * own[i / 8 * kStride + i % 8];

        if (result[i / 8 * kToStride + i % 8] != (sum + all / 2) / all) return "a mean and its sum by the weight";
    }
    return NULL;
}
