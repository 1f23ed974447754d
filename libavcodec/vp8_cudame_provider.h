/*
 * VP8 motion provider
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
 * The motion provider of vp8_cudame_provider.c and vp8_cudame_first_pass.c, which
 * vp8_cudame.c opens and closes.
 */

#ifndef AVCODEC_VP8_CUDAME_PROVIDER_H
#define AVCODEC_VP8_CUDAME_PROVIDER_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <cudame/cudame.h>
#include <cudame/first_pass.h>
#include <vpx/vpx_encoder.h>
#include <vpx/vp8_motion_provider.h>

#include "avcodec.h"
#include "vp8_cudame.h"
#include "vp8_cudame_stats.h"

#define VP8_CUDAME_MAX_REFS 8 ///< libvpx has four buffers
#define VP8_CUDAME_LEANEST  4 ///< the lean search's last level: of one reference

/** The first of two passes, or a lookahead's. */
typedef struct VP8CudaMEFirstPass {
    cudame_first_pass *cudame; ///< NULL: not started, or given up
    cudame_first_pass_config config;
    int wait;                  ///< macroblocks that libvpx does before it is started
    int used;                  ///< it was started
    int follows;               ///< it begins when the search is on a device, and there
    int given_up;              ///< libvpx does all frames from now on
} VP8CudaMEFirstPass;

/** cudame as the motion provider of libvpx. */
typedef struct VP8CudaMEProvider {
    AVCodecContext *avctx;
    vp8e_motion_provider_t callbacks;

    cudame_context *cudame;  ///< NULL: not created, or failed
    cudame_config config;
    char reason[256];        ///< last error that cudame logged
    char cpu_cost[160];      ///< what the CPU backend's search costs, for warnings
    atomic_int device;       ///< CUDA ordinal that the last frame was begun on, -1: on the CPU
    int fallen_back;         ///< from CUDA to the CPU, and said so
    int given_up;            ///< libvpx searches for itself from now on
    const VP8CudaMEFrames *frames;
    int source_is_frame;     ///< libvpx codes each frame as it gets it, at once

    /* Set by any thread, handled by step_down() between frames. */
    atomic_int error;        ///< first CUDAME_ERROR_* since, or 0
    const char *error_where;

    VP8CudaMEFirstPass first_pass;

    int no_filter;           ///< there is no memory for cudame_loop_filter_start()
    int in_frame;            ///< cudame_begin_frame() succeeded
    uint64_t refs[VP8_CUDAME_MAX_REFS]; ///< ids that cudame knows
    int nb_refs;

    VP8CudaMEStats stats;
} VP8CudaMEProvider;

/** Names of the modes, by their numbers. */
extern const char *const ff_vp8_cudame_mode_names[VP8_CUDAME_MODE_NB];

/** Where motion is estimated: "cuda", "cpu" or "none". */
const char *ff_vp8_cudame_backend_name(const VP8CudaMEProvider *mp);

/** The size of a frame, in whole macroblocks, that cudame can have. */
int ff_vp8_cudame_padded(int pixels);

/**
 * Create mp->cudame.
 * @param err gets the reason of a failure
 * @return 0 or a CUDAME_ERROR
 */
int ff_vp8_cudame_create(VP8CudaMEProvider *mp, char *err, size_t err_size);

/** Destroy mp->cudame, if there is one. */
void ff_vp8_cudame_drop(VP8CudaMEProvider *mp);

/** End the frame that libvpx left open because it failed to code it, if any. */
void ff_vp8_cudame_end_open_frame(VP8CudaMEProvider *mp);

/** Fill mp->callbacks, but for the first pass. */
void ff_vp8_cudame_provide(VP8CudaMEProvider *mp);

/**
 * Add the first pass to mp->callbacks where the options say so. mp->device and
 * mp->callbacks.lookahead are known.
 * @return 0 or an AVERROR
 */
int ff_vp8_cudame_first_pass_init(VP8CudaMEProvider *mp, const VP8CudaMEContext *s);

/** Free what the first pass needed. */
void ff_vp8_cudame_first_pass_close(VP8CudaMEProvider *mp);

#endif /* AVCODEC_VP8_CUDAME_PROVIDER_H */
