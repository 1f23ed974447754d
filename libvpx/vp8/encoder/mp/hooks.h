/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * What the encoder calls once for each encoder, frame or encode of a frame,
 * where a motion provider (vpx/vp8_motion_provider.h) may be set. It has the
 * provider, the guide and the row threads begin and end.
 */
#ifndef VPX_VP8_ENCODER_MP_HOOKS_H_
#define VPX_VP8_ENCODER_MP_HOOKS_H_

#include <stddef.h>

#include "vpx/vp8_motion_provider.h"
#include "vp8/encoder/block.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Attach a provider, or detach with NULL; between frames only.
 * Returns 0, or -1 if the struct is unusable. */
int vp8_mp_set_provider(struct VP8_COMP *cpi,
                        const vp8e_motion_provider_t *provider);

/* Before the encoder is freed, whose threads have ended. */
void vp8_mp_free(struct VP8_COMP *cpi);

/* Frame buffers or sources are about to be freed. */
void vp8_mp_memory_freed(struct VP8_COMP *cpi);

/* Before the recode loop of a frame: source and quantizer are known. */
void vp8_mp_frame_begin(struct VP8_COMP *cpi, int Q);

/* Before each encode of a frame, when its quantizer and its threads are set
 * up. */
void vp8_mp_encode_begin(struct VP8_COMP *cpi);

/* After it, for each row thread, when its counts are added to the encoder's. */
void vp8_mp_thread_end(struct VP8_COMP *cpi, const MACROBLOCK *thread);

/* After a frame, coded or dropped (size 0). */
void vp8_mp_frame_end(struct VP8_COMP *cpi, size_t size);

/* Where an error that ends a frame is caught: no thread works on the frame any
 * more, and its buffers may be used, or freed, by whatever comes next. */
void vp8_mp_frame_failed(struct VP8_COMP *cpi);

/* The map of skin is read by libvpx's own mode decision only. A guide may leave
 * nothing to that: let it be computed when it is asked for, as of now. */
void vp8_mp_delay_skin_map(struct VP8_COMP *cpi,
                           void (*compute)(struct VP8_COMP *cpi));
const unsigned char *vp8_mp_skin_map(struct VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_HOOKS_H_
