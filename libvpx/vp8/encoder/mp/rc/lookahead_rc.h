/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * One pass with a lookahead. Each frame that enters libvpx's lookahead queue is
 * first run through another encoder, which does the first of two passes. The
 * statistics of the frames in the queue, continued by mean frames, form a clip.
 * libvpx's second pass reads it and decides about key frames, golden and
 * alt-ref groups, and targets.
 *
 * The lookahead starts with the first frame if the provider asks for it and the
 * encoder has one pass, no realtime deadline, variable bitrate or constrained
 * quality, a range of quantizers, one layer, no error resilience and no
 * scaling. From then on the size of frames cannot change, because the queue
 * holds frames of the old size.
 */
#ifndef VPX_VP8_ENCODER_MP_RC_LOOKAHEAD_RC_H_
#define VPX_VP8_ENCODER_MP_RC_LOOKAHEAD_RC_H_

#include <stddef.h>
#include <stdint.h>

#include "vp8/encoder/mp/rc/lookahead_bits.h" /* more calls from libvpx */
#include "vp8/encoder/onyx_int.h"
#include "vpx_scale/yv12config.h"

#ifdef __cplusplus
extern "C" {
#endif

/* After the encoder's configuration is set or changed: restore the settings
 * that a lookahead needs. */
void vp8_mp_rc_lookahead_configure(VP8_COMP *cpi);

/* Before a frame is queued. Returns 1 if a lookahead starts now: its queue must
 * be allocated. */
int vp8_mp_rc_lookahead_start(VP8_COMP *cpi);

/* Start the first pass of a frame that was queued. Returns 0, or -1 if memory
 * ran out. */
int vp8_mp_rc_lookahead_receive(VP8_COMP *cpi, YV12_BUFFER_CONFIG *frame,
                                int64_t start, int64_t end, unsigned int flags);

/* Before the second pass decides about a frame that is shown: set its clip and
 * its budget. */
void vp8_mp_rc_lookahead_frame_begin(VP8_COMP *cpi);

/* Set the distance to the next key frame, and the bits of the frames up to it.
 * Called by the second pass. is_cut() returns whether frame is a scene cut; it
 * may move twopass.stats_in. */
void vp8_mp_rc_lookahead_find_key(VP8_COMP *cpi,
                                  int (*is_cut)(VP8_COMP *cpi,
                                                FIRSTPASS_STATS *last,
                                                FIRSTPASS_STATS *frame,
                                                FIRSTPASS_STATS *next));

/* Whether a call of vpx_codec_encode() that has these packets may code one more
 * frame: not after a frame that is shown, which may need all of the call's
 * memory. While the queue is flushed, the next call codes the next frame. */
int vp8_mp_rc_lookahead_has_room(const VP8_COMP *cpi,
                                 const struct vpx_codec_pkt_list *packets);

/* Whether there is a lookahead: frames are coded later than they are received.
 */
int vp8_mp_rc_lookahead_is_active(const VP8_COMP *cpi);

/* After another provider was attached to the encoder, or detached. */
void vp8_mp_rc_lookahead_set_provider(struct VP8_COMP *cpi);

/* In a child of the process that encoded, where the thread of the first pass is
 * missing: go on without it. Returns 0, or -1 if it was at work, so that the
 * statistics of a frame are lost. */
int vp8_mp_rc_lookahead_forked(VP8_COMP *cpi);

/* Before the encoder is freed. */
void vp8_mp_rc_lookahead_free(VP8_COMP *cpi);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RC_LOOKAHEAD_RC_H_
