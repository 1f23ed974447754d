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
 * Statistics of the motion provider: a line for each frame in the me_stats
 * file, and a summary in the log when the encoder is closed.
 */

#ifndef AVCODEC_VP8_CUDAME_STATS_H
#define AVCODEC_VP8_CUDAME_STATS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cudame/cudame.h>
#include <vpx/vp8_motion_provider.h>

/** Where a frame was searched. */
enum VP8CudaMESearcher {
    VP8_CUDAME_SEARCHED_NONE, ///< by libvpx, or not at all
    VP8_CUDAME_SEARCHED_CPU,
    VP8_CUDAME_SEARCHED_CUDA,
    VP8_CUDAME_SEARCHED_NB
};

/** Sums over all frames. */
typedef struct VP8CudaMETotals {
    uint64_t key, inter[VP8_CUDAME_SEARCHED_NB], hidden, golden;
    uint64_t wait_ns, max_wait_ns; ///< time that libvpx waited for rows: sum,
                                   ///< and maximum of a frame
    uint64_t late_rows;
    uint64_t macroblocks, guided, untried, evaluated, skipped;
    uint64_t mode[VP8E_MP_MODES], ref[4], segment[4];
} VP8CudaMETotals;

typedef struct VP8CudaMEStats {
    void *avctx;             ///< context of log messages
    FILE *file;              ///< me_stats file, or NULL
    int is_counting;         ///< libvpx is to fill vp8e_mp_counts_t
    const char *path;        ///< name of the me_stats file
    const char *mode;        ///< value of cuda_me
    cudame_stats last;       ///< cudame's counters at the end of the last frame
    VP8CudaMETotals totals;
    char fallbacks[512];     ///< list of fallbacks with their reasons

    /* The current frame. */
    vp8e_mp_counts_t counts; ///< macroblocks is 0 if the frame was not encoded
                             ///< or not counted
    atomic_int rows;         ///< calls of the row callback
    int nb_searched;         ///< number of distinct references that were searched
    int64_t begin_us, ref_us, filter_us, end_us;
} VP8CudaMEStats;

/**
 * Open the statistics. Frames are counted if there is a file, or if the log
 * level is verbose.
 * @param path name of the file, or NULL
 * @param mode value of cuda_me; both strings must stay valid until
 *             ff_vp8_cudame_stats_close()
 * @return 0 or an AVERROR
 */
int ff_vp8_cudame_stats_open(VP8CudaMEStats *s, void *avctx, const char *path,
                             const char *mode);

/**
 * Add a fallback to the list.
 * @param what from and to, for example "cuda to cpu"
 * @param why  reason
 */
void ff_vp8_cudame_stats_fallback(VP8CudaMEStats *s, const char *what, const char *why);

/**
 * Add the current frame to the statistics, and write its line to the file.
 * @param cudame    NULL if it has failed
 * @param is_served cudame searched the frame
 */
void ff_vp8_cudame_stats_frame(VP8CudaMEStats *s, cudame_context *cudame, int is_served,
                               uint64_t frame_id, int is_key);

/** Close the file, and log the summary. */
void ff_vp8_cudame_stats_close(VP8CudaMEStats *s);

#endif /* AVCODEC_VP8_CUDAME_STATS_H */
