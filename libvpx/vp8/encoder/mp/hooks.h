/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Functions that libvpx calls once per encoder, per frame or per encode of a
 * frame, whether a motion provider (vpx/vp8_motion_provider.h) is set or not.
 * They call the functions of the folders of mp/ in their order.
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

/* Attach a provider, or detach it with NULL; between frames only. Returns 0, or
 * -1 if the struct has another ABI version or lacks a callback. */
int vp8_mp_set_provider(struct VP8_COMP *cpi,
                        const vp8e_motion_provider_t *provider);

/* Before the encoder is freed, after its threads have ended. */
void vp8_mp_free(struct VP8_COMP *cpi);

/* Frame buffers or sources are about to be freed. */
void vp8_mp_memory_freed(struct VP8_COMP *cpi);

/* Before the recode loop of a frame, when its source and its first quantizer Q
 * are known. */
void vp8_mp_frame_begin(struct VP8_COMP *cpi, int Q);

/* Before each encode of a frame, when quantizer and threads are set up. Row
 * threads may start within this call. */
void vp8_mp_encode_begin(struct VP8_COMP *cpi);

/* After each encode of a frame, once per row thread: merge its counts. */
void vp8_mp_thread_end(struct VP8_COMP *cpi, const MACROBLOCK *thread);

/* After a frame of size bytes; size is 0 if it was dropped. */
void vp8_mp_frame_end(struct VP8_COMP *cpi, size_t size);

/* When libvpx catches an error that ends a frame: make sure that no thread
 * works on the frame any more, because its buffers may be reused or freed. */
void vp8_mp_frame_failed(struct VP8_COMP *cpi);

/* The skin map is read by libvpx's own mode decision only, which may have no
 * macroblock to decide if the decision is guided. vp8_mp_delay_skin_map()
 * stores the inputs of the map. vp8_mp_skin_map() computes the map at its first
 * use, with the result that compute() would have had at the earlier call. */
void vp8_mp_delay_skin_map(struct VP8_COMP *cpi,
                           void (*compute)(struct VP8_COMP *cpi));
const unsigned char *vp8_mp_skin_map(struct VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_HOOKS_H_
