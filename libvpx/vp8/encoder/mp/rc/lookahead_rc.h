/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * One pass with a lookahead. A frame that enters libvpx's queue goes through an
 * encoder of its own that does the first of two passes. What that counts of the
 * frames in the queue is the statistics of the second pass, which decides about
 * key frames, golden and alt-ref groups, and targets, as if they were a clip
 * that goes on with frames like those before.
 *
 * It begins with the first frame, where the provider asks for it and the
 * encoder has one pass, no realtime deadline, a variable bitrate or constrained
 * quality, more than one quantizer, one layer, no error resilience, and codes
 * frames at their size. Neither size nor scale can change then: frames of the
 * old one are in the queue.
 */
#ifndef VPX_VP8_ENCODER_MP_RC_LOOKAHEAD_RC_H_
#define VPX_VP8_ENCODER_MP_RC_LOOKAHEAD_RC_H_

#include <stddef.h>
#include <stdint.h>

#include "vp8/encoder/onyx_int.h"
#include "vpx_scale/yv12config.h"

#ifdef __cplusplus
extern "C" {
#endif

/* When the encoder's configuration is set, or set anew: keep what a lookahead
 * needs. */
void vp8_mp_rc_lookahead_configure(VP8_COMP *cpi);

/* Before a frame is queued. Not zero: a lookahead begins, whose queue must be
 * allocated first. */
int vp8_mp_rc_lookahead_start(VP8_COMP *cpi);

/* Count a frame that was queued. Not zero: it could not be. */
int vp8_mp_rc_lookahead_receive(VP8_COMP *cpi, YV12_BUFFER_CONFIG *frame,
                                int64_t start, int64_t end, unsigned int flags);

/* Before the second pass decides about a frame that is shown: give it its clip
 * and budget. */
void vp8_mp_rc_lookahead_frame_begin(VP8_COMP *cpi);

/* Where it does: set when the next key frame comes and what its group has left.
 * is_cut tells whether the second frame is a scene cut, and may move stats_in.
 */
void vp8_mp_rc_lookahead_find_key(VP8_COMP *cpi,
                                  int (*is_cut)(VP8_COMP *cpi,
                                                FIRSTPASS_STATS *last,
                                                FIRSTPASS_STATS *frame,
                                                FIRSTPASS_STATS *next));

/* When it has: correct its target. */
void vp8_mp_rc_lookahead_frame_decided(VP8_COMP *cpi);

/* When it is encoded, and may be once more: limit a key frame. */
void vp8_mp_rc_lookahead_revise(VP8_COMP *cpi, int *under_shoot_limit,
                                int *over_shoot_limit);

/* After a frame, hidden ones too, of size bytes; 0 if it was dropped. */
void vp8_mp_rc_lookahead_frame_end(VP8_COMP *cpi, size_t size);

/* Whether one more frame is coded in a call that has these packets: not after
 * one that is shown, which may need all of a call's memory. The next call has
 * the next frame of a queue that is flushed. */
int vp8_mp_rc_lookahead_has_room(const VP8_COMP *cpi,
                                 const struct vpx_codec_pkt_list *packets);

/* Whether there is one: frames are coded later than they come. */
int vp8_mp_rc_lookahead_is_active(const VP8_COMP *cpi);

/* After the encoder has another provider, or none. */
void vp8_mp_rc_lookahead_set_provider(struct VP8_COMP *cpi);

/* Before the encoder is freed. */
void vp8_mp_rc_lookahead_free(VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RC_LOOKAHEAD_RC_H_
