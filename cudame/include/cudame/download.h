/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/**
 * @file
 * Downloads of 4:2:0 pictures from device memory to three planes in pinned host
 * memory. Hardware decoders and filters leave pictures in device memory. Interleaved
 * chroma (NV12) is separated on the device.
 *
 *     cudame_download()       starts a download
 *     cudame_download_wait()  waits for it and gives the planes
 *
 * Threads: one picture and one call at a time for each downloader. Errors are those of
 * cudame.h. A failed device does not fall back to the CPU.
 */

#ifndef CUDAME_DOWNLOAD_H
#define CUDAME_DOWNLOAD_H

#include "cudame/cudame.h"

#ifdef __cplusplus
extern "C" {
#endif

enum cudame_layout {
    CUDAME_LAYOUT_I420 = 0, /**< Y, U, V */
    CUDAME_LAYOUT_NV12 = 1  /**< Y, U and V interleaved */
};

/** Planes of a 4:2:0 picture. Chroma has half the width and height, rounded up. The
 *  planes may be in any order in memory. */
typedef struct cudame_picture {
    enum cudame_layout layout;
    const uint8_t *plane[3];
    ptrdiff_t stride[3]; /**< bytes between rows, positive */
} cudame_picture;

typedef struct cudame_downloader cudame_downloader;

/**
 * Create a downloader for pictures of one size. On failure *d becomes NULL and err, if
 * not NULL, gets the reason as text.
 * @param cu_context  CUcontext of the pictures; it must outlive the downloader
 */
int cudame_downloader_create(cudame_downloader **d, void *cu_context, int width, int height,
                             char *err, size_t err_size);

/** Free the downloader and its planes. Waits for its work. NULL is allowed. */
void cudame_downloader_destroy(cudame_downloader *d);

/**
 * Start the download of a picture and return at once. The picture must stay valid and
 * unchanged until cudame_download_wait() returned.
 * @param device     the picture; its planes are CUdeviceptr
 * @param cu_stream  CUstream on which the picture is made; the device waits for the
 *                   work that is on it now. NULL: the default one
 */
int cudame_download(cudame_downloader *d, const cudame_picture *device, void *cu_stream);

/** Wait for the picture. host gets its I420 planes. They belong to the downloader and are
 *  valid until the next cudame_download(). Bytes between the last pixel of a row and its
 *  stride are undefined. */
int cudame_download_wait(cudame_downloader *d, cudame_picture *host);

/** Return the text of the last error, valid until the next call. */
const char *cudame_downloader_last_error(const cudame_downloader *d);

#ifdef __cplusplus
}
#endif

#endif /* CUDAME_DOWNLOAD_H */
