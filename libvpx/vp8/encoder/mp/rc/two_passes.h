/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Quantizers of the second of two passes at a variable bitrate. libvpx corrects
 * the bits that it expects by half a percent a frame, so that the first seconds
 * of a clip have a wrong quantizer, and gives inter frames any quantizer that
 * takes their share of the bits. Here the sizes of all frames so far correct it
 * (expected.h), and inter frames have about the section's quantizer: bits that
 * one does not take are left to all others.
 *
 * The bits that a frame is expected to take follow from the error of its scene
 * (clip.h), so that an easy scene does not take the bits of a hard one that
 * comes.
 *
 * Only for filmed clips. The bits of drawn ones, such as text, hardly depend
 * on the quantizer, so that a correction by their sizes changes it for seconds.
 *
 * Source: doc/lab/0065 and 0068. Only the thread that encodes may call these
 * functions.
 */
#ifndef VPX_VP8_ENCODER_MP_RC_TWO_PASSES_H_
#define VPX_VP8_ENCODER_MP_RC_TWO_PASSES_H_

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

typedef struct vp8_mp_rc_two_passes_state {
  int is_filmed; /* a key frame was not drawn */

  /* Frame being coded. */
  int is_limited; /* it has a higher quantizer, because it takes many bits */
  int allowed_q;  /* if is_limited: worst quantizer of the frames after it */
} vp8_mp_rc_two_passes_state;

/* Tell whether the frame that is coded is a drawn picture. The clip is filmed
 * from the first key frame on that is not. Before that key frame libvpx
 * corrects the second pass, and in the whole clip if no key frame has a
 * macroblock tree.
 */
void vp8_mp_rc_two_passes_see(struct VP8_COMP *cpi, int is_drawn);

/* Whether sizes of coded frames correct the second pass, in place of libvpx's
 * rolling ratio: of two passes, or of a lookahead. */
int vp8_mp_rc_two_passes_corrects(const struct VP8_COMP *cpi);

/* In the second pass of a frame, before it estimates the worst quantizer. */
void vp8_mp_rc_two_passes_begin(struct VP8_COMP *cpi);

/* Before a frame's first quantizer is chosen, also of a hidden one. */
void vp8_mp_rc_two_passes_limit(struct VP8_COMP *cpi);

/* After a frame of size bytes, hidden frames included; size is 0 if it was
 * dropped. */
void vp8_mp_rc_two_passes_frame_end(struct VP8_COMP *cpi, size_t size);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RC_TWO_PASSES_H_
