/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include <stdlib.h>
#include <string.h>

#include "./vp8_rtcd.h"
#include "probes.h"
#include "vp8/common/extend.h"
#include "vp8/encoder/mp/queue/source.h"

static int Allocate(YV12_BUFFER_CONFIG *b, int width, int height) {
    memset(b, 0, sizeof(*b));
    if (vp8_yv12_alloc_frame_buffer(b, width, height, VP8BORDERINPIXELS)) return -1;
    memset(b->buffer_alloc, 0xa5, b->frame_size);
    return 0;
}

const char *CompareSourceCopies(int width, int height, unsigned seed) {
    const int aligned_width = (width + 15) & ~15, aligned_height = (height + 15) & ~15;
    YV12_BUFFER_CONFIG src, expected, copy;
    const char *differs = NULL;
    size_t i;

    vp8_rtcd();
    if (Allocate(&src, aligned_width, aligned_height) ||
        Allocate(&expected, aligned_width, aligned_height) ||
        Allocate(&copy, aligned_width, aligned_height))
        return "out of memory";
    for (i = 0; i < src.frame_size; i++) src.buffer_alloc[i] = (uint8_t)(rand_r(&seed) % 256);
    src.y_width = width;
    src.y_height = height;
    src.uv_width = (width + 1) / 2;
    src.uv_height = (height + 1) / 2;
    vp8_copy_and_extend_frame(&src, &expected);
    vp8_mp_queue_source_copy(&src, &copy);
    if (memcmp(expected.buffer_alloc, copy.buffer_alloc, copy.frame_size)) differs = "a pixel";
    vp8_yv12_de_alloc_frame_buffer(&src);
    vp8_yv12_de_alloc_frame_buffer(&expected);
    vp8_yv12_de_alloc_frame_buffer(&copy);
    return differs;
}
