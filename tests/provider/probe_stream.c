/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include <stdlib.h>
#include <string.h>

#include "./vp8_rtcd.h"
#include "./vpx_scale_rtcd.h"
#include "probes.h"
#include "vp8/common/extend.h"
#include "vp8/encoder/mp/queue/stream.h"

static int Allocate(YV12_BUFFER_CONFIG *b, int width, int height) {
    memset(b, 0, sizeof(*b));
    if (vp8_yv12_alloc_frame_buffer(b, width, height, VP8BORDERINPIXELS)) return -1;
    memset(b->buffer_alloc, 0xa5, b->frame_size);
    return 0;
}

const char *CompareStreams(int width, int height, unsigned seed) {
    const int aligned_width = (width + 15) & ~15, aligned_height = (height + 15) & ~15;
    YV12_BUFFER_CONFIG src, expected, copy;
    const char *differs = NULL;
    size_t i;

    vp8_rtcd();
    vpx_scale_rtcd();
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
    vp8_mp_queue_stream_copy(&src, &copy);
    if (memcmp(expected.buffer_alloc, copy.buffer_alloc, copy.frame_size)) differs = "the copies";
    src.v_buffer = src.u_buffer + 1; /* interleaved, as NV12 has it */
    src.uv_stride = src.y_stride;
    vp8_copy_and_extend_frame(&src, &expected);
    vp8_mp_queue_stream_copy(&src, &copy);
    if (memcmp(expected.buffer_alloc, copy.buffer_alloc, copy.frame_size)) differs = "copies of NV12";
    memcpy(copy.buffer_alloc, src.buffer_alloc, copy.frame_size);
    memcpy(expected.buffer_alloc, src.buffer_alloc, copy.frame_size);
    copy.y_crop_width = expected.y_crop_width = width;
    copy.y_crop_height = expected.y_crop_height = height;
    copy.uv_crop_width = expected.uv_crop_width = src.uv_width;
    copy.uv_crop_height = expected.uv_crop_height = src.uv_height;
    vp8_yv12_extend_frame_borders(&expected);
    vp8_mp_queue_stream_borders(&copy);
    if (memcmp(expected.buffer_alloc, copy.buffer_alloc, copy.frame_size)) differs = "the borders";
    vp8_yv12_de_alloc_frame_buffer(&src);
    vp8_yv12_de_alloc_frame_buffer(&expected);
    vp8_yv12_de_alloc_frame_buffer(&copy);
    return differs;
}
