/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Pictures that stand still after a transition, as pages of a presentation do.
 */
#ifndef VPX_VP8_ENCODER_MP_QUEUE_STILL_H_
#define VPX_VP8_ENCODER_MP_QUEUE_STILL_H_

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* With a lookahead, before a golden group begins or goes on: if the queue shows
 * the end of a transition to a still picture, move the next golden frame there.
 * One within the transition would show neither picture, and the still one would
 * have to wait for the group after it. A hidden frame that is coded fixes the
 * end of its group. */
void vp8_mp_queue_still_wait(struct VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_QUEUE_STILL_H_
