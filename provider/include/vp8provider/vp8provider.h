/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/**
 * @file
 * vp8provider: a motion provider for the patched VP8 encoder of libvpx
 * (vpx/vp8_motion_provider.h), made of the motion search and the first pass of cudame.
 * It depends on these two only, so that libavcodec and a libvpx.so can share it.
 *
 * Call sequence:
 *
 *     vp8_provider_alloc()
 *     vp8_provider_open()              unless this is the first of two passes, or profile 3
 *     vp8_provider_open_first_pass()   in the first of two passes, and with a lookahead
 *     vp8_provider_callbacks()         to set what the callbacks do not decide (guide, ...)
 *     VP8E_SET_MOTION_PROVIDER         with these callbacks
 *     ...                              encode
 *     vpx_codec_destroy()              or VP8E_SET_MOTION_PROVIDER with NULL
 *     vp8_provider_free()
 *
 * Errors: a failure of cudame never stops the encoder. With VP8_PROVIDER_AUTO, cudame
 * continues on the CPU if CUDA fails, and the stream stays the same. If cudame fails
 * altogether, libvpx does the motion search. Each of these steps is logged once.
 *
 * fork(): a child has none of the threads of its parent, and no CUDA. A provider that is
 * used in another process than before leaves the contexts of the parent alone, and goes on
 * with a new one on the CPU. The stream stays valid. It may differ from the parent's, because
 * the new search does not know the vectors of the last frame.
 *
 * Threads: libvpx calls the callbacks as vp8_motion_provider.h says. The functions of this
 * header must not overlap with a call of libvpx on the same encoder. Providers are
 * independent of each other.
 */

#ifndef VP8PROVIDER_VP8PROVIDER_H
#define VP8PROVIDER_VP8PROVIDER_H

#include <cudame/cudame.h>
#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

struct vp8e_motion_provider; /* of vpx/vp8_motion_provider.h */

typedef struct vp8_provider vp8_provider;

enum vp8_provider_log_level {
    VP8_PROVIDER_LOG_ERROR,
    VP8_PROVIDER_LOG_WARNING,
    VP8_PROVIDER_LOG_INFO,
    VP8_PROVIDER_LOG_VERBOSE,
    VP8_PROVIDER_LOG_DEBUG
};

/** Receives a message without a newline, in the thread that called libvpx or this library.
 *  It must not call the encoder or the provider. */
typedef void (*vp8_provider_log_fn)(void *opaque, enum vp8_provider_log_level level,
                                    const char *text);

/** Device of the motion search. */
enum vp8_provider_backend {
    VP8_PROVIDER_AUTO, /**< CUDA if it can be started, else the CPU; the CPU if CUDA fails */
    VP8_PROVIDER_CUDA, /**< CUDA, or an error; libvpx searches if CUDA fails later */
    VP8_PROVIDER_CPU
};

/** What the provider does at a realtime deadline; the stream is the same. */
enum vp8_provider_offload {
    VP8_PROVIDER_OFFLOAD_AUTO,  /**< whole frames on CUDA, only the motion search on the CPU */
    VP8_PROVIDER_OFFLOAD_FRAME, /**< whole frames; on the CPU this is a slow reference */
    VP8_PROVIDER_OFFLOAD_SEARCH /**< only the motion search */
};

typedef struct vp8_provider_config {
    size_t size; /**< sizeof(vp8_provider_config) */

    /** The motion search. Width and height are those of the first frame, by
     *  vp8_provider_padded(). size, backend, device, fallback, log and log_opaque are
     *  ignored. */
    cudame_config search;

    enum vp8_provider_backend backend;
    enum vp8_provider_offload offload;
    int device; /**< CUDA ordinal, or -1: that of search.cu_context, or the least loaded one */

    /** Not 0: the provider may set CUDA_DEVICE_MAX_CONNECTIONS in the environment, unless it
     *  is set, so that CUDA starts faster. Programs with other threads must not allow it. */
    int may_set_environment;

    /** Get the luma of the frame that is coded next in device memory, if it is there: set
     *  *plane and return 1, else return 0. May be NULL. */
    int (*device_source)(void *opaque, int mb_cols, int mb_rows, cudame_plane *plane);

    vp8_provider_log_fn log; /**< or NULL */
    void *opaque;            /**< first argument of device_source and log */
} vp8_provider_config;

/** Why a device or the CPU could not be used. */
typedef struct vp8_provider_failure {
    int code; /**< CUDAME_ERROR_*, or 0: there was no failure */
    enum cudame_backend backend;
    char reason[256];
} vp8_provider_failure;

/** Round a frame size up to whole macroblocks, at most to CUDAME_MAX_DIMENSION. */
int vp8_provider_padded(int pixels);

/**
 * Get the level of the lean search (cudame_config.level): the less time libvpx spends on the
 * mode decision, the less the search may take.
 * @param deadline  VPX_DL_BEST_QUALITY, VPX_DL_GOOD_QUALITY or VPX_DL_REALTIME
 * @param cpu_used  value of VP8E_SET_CPUUSED
 */
int vp8_provider_level(unsigned long deadline, int cpu_used);

/** Return the name of a CUDAME_MODE_*, or "off" for 0. */
const char *vp8_provider_mode_name(int mode);

/** Allocate a provider. The config is copied. Return NULL without memory, or if
 *  config->size is not that of this library. */
vp8_provider *vp8_provider_alloc(const vp8_provider_config *config);

/** Log the summary of vp8_provider_count(), and free the provider. Destroy the encoder, or
 *  detach the provider, before. NULL is allowed. */
void vp8_provider_free(vp8_provider *p);

/**
 * Start the motion search on the backend that the config asks for.
 * @param failure  its code is not 0 if CUDA could not be started and the CPU took over, or
 *                 if this call fails
 * @return 0 or a CUDAME_ERROR_*
 */
int vp8_provider_open(vp8_provider *p, vp8_provider_failure *failure);

/**
 * Let CUDA run the first pass, if the config allows CUDA. Set lookahead in
 * vp8_provider_callbacks() before. With a lookahead, CUDA starts when the motion search moves
 * to a device; else after some frames, or at once if the user brings a context.
 * @param must     start CUDA at once; without it, an error of CUDA is not a failure
 * @param failure  tells the reason if this call fails
 * @return 0 or a CUDAME_ERROR_*
 */
int vp8_provider_open_first_pass(vp8_provider *p, int must, vp8_provider_failure *failure);

/** Get the callbacks and settings for VP8E_SET_MOTION_PROVIDER. The caller may change the
 *  settings guide, lookahead, mbtree and prefilter before the provider is attached. They
 *  belong to the provider. */
struct vp8e_motion_provider *vp8_provider_callbacks(vp8_provider *p);

/**
 * Count how the macroblocks of each frame are coded, for a summary in the log. Call it
 * before the provider is attached.
 * @param file  gets a line of each frame, as CSV, or NULL. It must stay open until
 *              vp8_provider_free() and belongs to the caller, who checks it for errors
 */
void vp8_provider_count(vp8_provider *p, FILE *file);

/** Get the settings of the motion search in use. */
const cudame_config *vp8_provider_search(const vp8_provider *p);

/** Return 1 if cudame searches motion: vp8_provider_open() succeeded, and no failure since
 *  has left the search to libvpx. */
int vp8_provider_is_open(const vp8_provider *p);

/** Get the name of the backend in use: "cuda", "cpu" or "none". */
const char *vp8_provider_backend_name(const vp8_provider *p);

/** Change the level of the lean search. The next frame then starts a new search. */
void vp8_provider_set_level(vp8_provider *p, int level);

/** End the frame that libvpx left open because it failed to encode it, if any. Its source
 *  may be freed after that. */
void vp8_provider_end_open_frame(vp8_provider *p);

/** Tell that libvpx was closed and opened again: the numbers of frames go on. */
void vp8_provider_reopened(vp8_provider *p);

#ifdef __cplusplus
}
#endif

#endif /* VP8PROVIDER_VP8PROVIDER_H */
