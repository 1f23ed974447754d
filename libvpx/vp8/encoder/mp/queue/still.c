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
 * part of a transition if at least the second part does. A mouse over slides
 * changes 2 %, the scene of the clip vtest 4 to 7 %, a cross-fade of slides 10
 * to 30 %. */
#define STILL_PART 0.04
#define MOVING_PART 0.1
/* A picture that stays is followed by this many still ones. With 5, slides do
 * not change, and pdf is 1.3 % worse and code 1 %: they stop while they scroll.
 * 20 were not measured. With 5, a quarter or four times CHANGE and half or
 * double of the two parts do not change slides (doc/lab/0061). */
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
