/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Appends the number of a boolean encoder (RFC 6386 section 7) to that of
 * another one. A bool adds to an encoder's number a value that depends on its
 * range, and not on the number so far. So both numbers can be added, each at
 * its place, if the second encoder began with the range that the first one has.
 */
#ifndef VPX_VP8_ENCODER_MP_RECON_APPEND_H_
#define VPX_VP8_ENCODER_MP_RECON_APPEND_H_

#include "vp8/encoder/treewriter.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The number of an encoder that began with the range of another one. */
typedef struct vp8_mp_recon_number {
  const unsigned char *data; /* its highest bit first, then zeros up to a whole
                                byte */
  unsigned int bits;  /* by how many bits the encoder has shifted. The number
                         has 8 more. */
  unsigned int range; /* of the encoder at the end */
} vp8_mp_recon_number;

/* Append a number, and leave the writer as if it had written all itself. */
void vp8_mp_recon_append(vp8_writer *w, const vp8_mp_recon_number *n);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RECON_APPEND_H_
