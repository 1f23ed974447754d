/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/queue/still.h"

#include "vp8/encoder/mp/queue/motion.h"
#include "vp8/encoder/onyx_int.h"

/* A macroblock changes if its squared error at half the size is larger: two
 * grey levels in each of the 64 pixels. */
#define CHANGE (64 * 2 * 2)
/* A picture is still if at most the first part of its macroblocks changes, and
 * part of a transition if at least the second part does. Where a mouse moves
 * over slides 2 % change, in the clip vtest 4 to 7 %, in slides that fade 10 to
 * 30 %. */
#define STILL_PART 0.04
#define MOVING_PART 0.1
/* A picture that stays is followed by this many still ones. Half or double of
 * these four change slides by nothing, but 5 pictures make pdf 1.3 % worse, and
 * code 1 %: they stop while they scroll. */
#define STILL_PICTURES 10

/* Part of the macroblocks that change from the picture before. */
static double changed_part(const vp8_mp_queue_motion_mb *mb, int mbs) {
  int changed = 0, i;

  for (i = 0; i < mbs; ++i) changed += mb[i].inter > CHANGE;
  return (double)changed / mbs;
}

/* Pictures from the current one to the last one of a transition to a still
 * picture; 0: the queue shows none. */
static int until_still(VP8_COMP *cpi) {
  const vp8_mp_queue_motion_mb *mb[VP8_MP_QUEUE_MOTION_MAX_PICTURES];
  int last = 0, run = 0;
  int current, n, i;

  n = vp8_mp_queue_motion_pictures(cpi, mb, &current);
  for (i = 1; current + i < n && run < STILL_PICTURES; ++i) {
    const double part = changed_part(mb[current + i], cpi->common.MBs);

    run = part <= STILL_PART ? run + 1 : 0;
    if (part >= MOVING_PART) last = i;
  }
  return run == STILL_PICTURES ? last : 0;
}

void vp8_mp_queue_still_wait(VP8_COMP *cpi) {
  int pictures;

  if (!cpi->mp.lookahead || cpi->source_alt_ref_pending ||
      cpi->source_alt_ref_active) {
    return;
  }
  pictures = until_still(cpi);
  if (pictures > 0 && pictures < cpi->twopass.frames_to_key) {
    cpi->frames_till_gf_update_due = pictures;
  }
}
