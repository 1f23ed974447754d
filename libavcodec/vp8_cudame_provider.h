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
 * State and functions of the motion provider. vp8_cudame.c opens and closes it;
 * its callbacks are in vp8_cudame_provider.c and vp8_cudame_first_pass.c.
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

/** Number of values of cuda_me. */
#define VP8_CUDAME_MODES (CUDAME_MODE_FULL + 1)
/** Maximum number of references that cudame knows; libvpx has four buffers. */
#define VP8_CUDAME_MAX_REFS 8
/** Last level of the lean search, which searches only one reference. */
#define VP8_CUDAME_LEANEST 4

/**
 * First pass on a CUDA device: the first of two passes, or that of a lookahead.
 */
typedef struct VP8CudaMEFirstPass {
    cudame_first_pass *cudame; ///< NULL if it has not started or has failed
    cudame_first_pass_config config;
    int wait;                  ///< macroblocks that libvpx processes before CUDA
                               ///< is started
    int used;                  ///< CUDA has been started
    int follows;               ///< start when the motion search moves to a device,
                               ///< on the same device
    int given_up;              ///< libvpx processes all further frames
} VP8CudaMEFirstPass;

/** State of the motion provider, the priv pointer of its callbacks. */
typedef struct VP8CudaMEProvider {
    AVCodecContext *avctx;
    vp8e_motion_provider_t callbacks;

    cudame_context *cudame;  ///< NULL if it was not created or has failed
    cudame_config config;
    char reason[256];        ///< last error that cudame logged
    atomic_int device;       ///< CUDA ordinal of the last frame's search, or -1
                             ///< if it was on the CPU
    int fallen_back;         ///< fallback from CUDA to the CPU, already logged
    int given_up;            ///< libvpx does the motion search from now on
    const VP8CudaMEFrames *frames;
    int offload;             ///< enum VP8CudaMEOffload
    int source_is_frame;     ///< libvpx encodes each frame unchanged, in the call
                             ///< that passes it

    /* Any thread may set these. step_down() handles them between frames. */
    atomic_int error;        ///< first CUDAME_ERROR_* that is not handled, or 0
    const char *error_where; ///< what failed

    VP8CudaMEFirstPass first_pass;

    int no_filter;           ///< device memory is too small for the loop filter
    int no_frames;           ///< device memory is too small to code whole frames
    int in_frame;            ///< cudame_begin_frame() succeeded, and the frame is open
    uint64_t refs[VP8_CUDAME_MAX_REFS]; ///< ids that cudame knows
    int nb_refs;
    uint64_t nb_frames;      ///< number of the last frame
    uint64_t frames_before;  ///< frames that libvpx coded before it was opened again

    VP8CudaMEStats stats;
} VP8CudaMEProvider;

/** Names of the values of cuda_me. */
extern const char *const ff_vp8_cudame_mode_names[VP8_CUDAME_MODES];

/** Get the name of the backend in use: "cuda", "cpu" or "none". */
const char *ff_vp8_cudame_backend_name(const VP8CudaMEProvider *mp);

/**
 * Round a frame size up to whole macroblocks, at most to CUDAME_MAX_DIMENSION.
 */
int ff_vp8_cudame_padded(int pixels);

/**
 * Create mp->cudame as mp->config says.
 * @param err gets the reason of a failure
 * @return 0 or a CUDAME_ERROR
 */
int ff_vp8_cudame_create(VP8CudaMEProvider *mp, char *err, size_t err_size);

/** Destroy mp->cudame, if there is one. */
void ff_vp8_cudame_drop(VP8CudaMEProvider *mp);

/**
 * End the frame that libvpx left open because it failed to encode it, if any.
 */
void ff_vp8_cudame_end_open_frame(VP8CudaMEProvider *mp);

/** Set mp->callbacks, except for the callbacks of the first pass. */
void ff_vp8_cudame_provide(VP8CudaMEProvider *mp);

/**
 * Set the callbacks of the first pass if the options allow CUDA for it, and
 * start CUDA if it need not wait. Set mp->device and mp->callbacks.lookahead
 * before.
 * @return 0 or an AVERROR
 */
int ff_vp8_cudame_first_pass_init(VP8CudaMEProvider *mp, const VP8CudaMEContext *s);

/** Free mp->first_pass. */
void ff_vp8_cudame_first_pass_close(VP8CudaMEProvider *mp);

#endif /* AVCODEC_VP8_CUDAME_PROVIDER_H */
