/*
 * Statistics of the VP8 motion provider
 *
 * This file is part of FFmpeg.
 *
 * FFmpeg is free software; you can redistribute it and/or
 * modify it under the terms of the GNU Lesser General Public
 * License as published by the Free Software Foundation; either
 * version 2.1 of the License, or (at your option) any later version.
 *
 * FFmpeg is distributed in the hope that it will be useful,
 * but WITHOUT ANY WARRANTY; without even the implied warranty of
 * MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE.  See the GNU
 * Lesser General Public License for more details.
 *
 * You should have received a copy of the GNU Lesser General Public
 * License along with FFmpeg; if not, write to the Free Software
 * Foundation, Inc., 51 Franklin Street, Fifth Floor, Boston, MA 02110-1301 USA
 */

/**
 * @file
 * What the motion provider did: a line for each frame in the file me_stats, and a
 * summary at the end.
 */

#ifndef AVCODEC_VP8_CUDAME_STATS_H
#define AVCODEC_VP8_CUDAME_STATS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cudame/cudame.h>
#include <vpx/vp8_motion_provider.h>

/** Who searched a frame. */
enum VP8CudaMESearcher {
    VP8_CUDAME_SEARCHED_NONE, ///< libvpx did, or nobody
    VP8_CUDAME_SEARCHED_CPU,
    VP8_CUDAME_SEARCHED_CUDA,
    VP8_CUDAME_SEARCHED_NB
};

/** Sums of all frames. */
typedef struct VP8CudaMETotals {
    uint64_t key, inter[VP8_CUDAME_SEARCHED_NB], hidden, golden;
    uint64_t wait_ns, max_wait_ns; ///< of a frame
    uint64_t late_rows;
    uint64_t macroblocks, guided, untried, evaluated, skipped;
    uint64_t mode[VP8E_MP_MODES], ref[4], segment[4];
} VP8CudaMETotals;

typedef struct VP8CudaMEStats {
    void *avctx;             ///< for messages
    FILE *file;              ///< or NULL
    int is_counting;         ///< libvpx is to tell vp8e_mp_counts_t
    const char *path, *mode; ///< its name, and that of cuda_me
    cudame_stats last;       ///< at the end of the frame before
    VP8CudaMETotals totals;
    char fallbacks[512];     ///< what was left for what, and why

    /* of this frame */
    vp8e_mp_counts_t counts; ///< no macroblocks: it was not coded, or is not counted
    atomic_int rows;         ///< row calls
    int nb_searched;         ///< distinct references
    int64_t begin_us, ref_us, filter_us, end_us;
} VP8CudaMEStats;

/**
 * Begin. Frames are counted if there is a file or messages are verbose.
 * @param path of the file, or NULL; it and mode outlive the statistics
 * @return 0 or an AVERROR
 */
int ff_vp8_cudame_stats_open(VP8CudaMEStats *s, void *avctx, const char *path, const char *mode);

/** Note that something goes on elsewhere. */
void ff_vp8_cudame_stats_fallback(VP8CudaMEStats *s, const char *what, const char *why);

/**
 * End a frame.
 * @param cudame     or NULL
 * @param is_served  cudame searched it
 */
void ff_vp8_cudame_stats_frame(VP8CudaMEStats *s, cudame_context *cudame, int is_served,
                               uint64_t frame_id, int is_key);

/** Close the file, and log the summary. */
void ff_vp8_cudame_stats_close(VP8CudaMEStats *s);

#endif /* AVCODEC_VP8_CUDAME_STATS_H */
