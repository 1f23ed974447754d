/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Data of all modes that libvpx collects after a frame. Its own mode decision
 * predicts vectors from those of the last frame, of which it keeps a copy.
 * Frames that the provider codes do not read the copy. So it is made if the
 * next frame is not such a frame, while the modes are still there.
 */
#ifndef VPX_VP8_ENCODER_MP_WHOLE_VECTORS_H_
#define VPX_VP8_ENCODER_MP_WHOLE_VECTORS_H_

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* Call it at the end of an inter frame that is shown. Returns whether libvpx
 * need not copy the vectors. */
int vp8_mp_whole_keep_vectors(struct VP8_COMP *cpi);

/* Make the copy if it is due. Call it before the modes of a frame change. */
void vp8_mp_whole_copy_vectors(struct VP8_COMP *cpi);

/* The same after the provider has coded the frame, or has not. If it has, there
 * may be no need for the copy. */
void vp8_mp_whole_begin_vectors(struct VP8_COMP *cpi);

/* Set cpi->zeromv_count at the end of an inter frame. Returns 0, with nothing
 * done, if libvpx has to count. */
int vp8_mp_whole_count_still(struct VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_WHOLE_VECTORS_H_
