/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Drops the quantized residual of an inter macroblock's luma or chroma if it
 * takes more bits than it is worth.
 *
 * The pixels decide, not the coefficients: a decoder rounds the residual to
 * whole pixels, so that a residual with small coefficients may change no pixel,
 * or change pixels for the worse. In a still picture the next frame finds the
 * same residual again. It would be coded for as long as the picture stands
 * still, at a low quantizer in almost every macroblock. A residual that is
 * coded lowers the squared error, which is a whole number, so that the coding
 * of a still picture ends.
 */
#ifndef VPX_VP8_ENCODER_MP_RECON_DROP_H_
#define VPX_VP8_ENCODER_MP_RECON_DROP_H_

#ifdef __cplusplus
extern "C" {
#endif

struct macroblock;
struct VP8_COMP;
struct vp8e_mp_dropped; /* see recon/mb_memory.h */

/* Returns the entry of a macroblock, which has its last dropped residual, or
 * NULL. mb: its index in raster order. */
struct vp8e_mp_dropped *vp8_mp_recon_drop_entry(struct VP8_COMP *cpi, int mb);

/* Drop the residual of luma, of chroma or of both if that lowers the RD cost.
 * The macroblock is inter, x holds the coefficients, and the frame holds the
 * prediction. */
void vp8_mp_recon_drop(struct macroblock *x);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RECON_DROP_H_
