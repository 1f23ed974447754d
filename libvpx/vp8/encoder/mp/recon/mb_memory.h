/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * State of macroblocks that lives from frame to frame: recalled intra
 * estimates, which mode/recall.c writes, and dropped residuals, which
 * recon/drop.c writes. A provider that codes whole frames reads it, and
 * whole/frame.c replaces it by that of the provider.
 */
#ifndef VPX_VP8_ENCODER_MP_RECON_MB_MEMORY_H_
#define VPX_VP8_ENCODER_MP_RECON_MB_MEMORY_H_

#include "vpx/vp8_mp_whole_frame.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Part of VP8_COMP (cpi->mp.mb_memory). Threads do not conflict, because each
 * macroblock has an entry of its own. */
typedef struct vp8_mp_recon_mb_memory {
  vp8e_mp_memory_t *mb; /* one for each macroblock, or NULL */
  int mbs;
} vp8_mp_recon_mb_memory;

/* Allocate the entries, which are 0, if the frame has another number of
 * macroblocks. Call it before row threads begin. */
void vp8_mp_recon_mb_memory_begin(struct VP8_COMP *cpi);
void vp8_mp_recon_mb_memory_free(struct VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RECON_MB_MEMORY_H_
