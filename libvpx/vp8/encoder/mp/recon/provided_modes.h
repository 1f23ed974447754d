/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Modes and vectors of a frame's macroblocks that a provider has written.
 */
#ifndef VPX_VP8_ENCODER_MP_RECON_PROVIDED_MODES_H_
#define VPX_VP8_ENCODER_MP_RECON_PROVIDED_MODES_H_

#include "vp8/encoder/mp/recon/append.h"
#include "vpx/vp8_mp_whole_frame.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Part of VP8_COMP (cpi->mp.provided_modes). */
typedef struct vp8_mp_recon_provided_modes {
  int tries;             /* the header is written for a trial */
  vp8e_mp_modes_t modes; /* of the trial, and as the provider has written them;
                            data NULL: libvpx writes the modes */
} vp8_mp_recon_provided_modes;

/* Begin an encode whose modes libvpx writes. */
void vp8_mp_recon_provided_modes_reset(struct VP8_COMP *cpi);

/* tries: not 0: until the next call vp8_mp_recon_provided_modes_write() writes
 * nothing, and describes the modes. */
void vp8_mp_recon_provided_modes_try(struct VP8_COMP *cpi, int tries);

/* Returns whether the header is written for a trial. */
int vp8_mp_recon_provided_modes_tries(const struct VP8_COMP *cpi);

/* Take the modes that a provider has written; data NULL: it has not. */
void vp8_mp_recon_provided_modes_take(struct VP8_COMP *cpi,
                                      const vp8e_mp_modes_t *modes);

/* Write the modes after the header. Returns 0, with nothing done, if libvpx has
 * to do it: the provider has not written them, or after another header. */
int vp8_mp_recon_provided_modes_write(struct VP8_COMP *cpi, vp8_writer *w);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RECON_PROVIDED_MODES_H_
