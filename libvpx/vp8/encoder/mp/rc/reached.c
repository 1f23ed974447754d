/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/rc/reached.h"

#include <string.h>

#include "vp8/encoder/onyx_int.h"
#include "vpx_mem/vpx_mem.h"

static int allocate(VP8_COMP *cpi) {
  vp8_mp_rc_reached *const reached = &cpi->mp.reached;

  if (reached->mbs == cpi->common.MBs) return 0;
  vp8_mp_rc_reached_free(cpi);
  reached->q = vpx_malloc(cpi->common.MBs);
  if (!reached->q) return -1;
  memset(reached->q, MAXQ, cpi->common.MBs);
  reached->mbs = cpi->common.MBs;
  return 0;
}

void vp8_mp_rc_reached_end(VP8_COMP *cpi, int is_new, const unsigned char *map,
                           int map_q) {
  vp8_mp_rc_reached *const reached = &cpi->mp.reached;
  /* Neighbours seldom differ: with one table, each addition would wait for the
   * one before. */
  int count[4][QINDEX_RANGE];
  int i;

  if (allocate(cpi)) return;
  memset(count, 0, sizeof(count));
  reached->still = 0;
  for (i = 0; i < reached->mbs; ++i) {
    const int q = map && map[i] ? map_q : cpi->common.base_qindex;
    const int is_still = cpi->consec_zero_last[i] && !is_new;

    if (!is_still || q < reached->q[i]) reached->q[i] = (unsigned char)q;
    ++count[i & 3][reached->q[i]];
    reached->still += is_still;
  }
  for (i = 0; i < QINDEX_RANGE; ++i) {
    reached->count[i] = count[0][i] + count[1][i] + count[2][i] + count[3][i];
  }
}

int vp8_mp_rc_reached_mean(const VP8_COMP *cpi) {
  const vp8_mp_rc_reached *const reached = &cpi->mp.reached;
  int64_t sum = 0;
  int q;

  if (!reached->mbs) return MAXQ;
  for (q = 0; q < QINDEX_RANGE; ++q) sum += (int64_t)reached->count[q] * q;
  return (int)((sum + reached->mbs / 2) / reached->mbs);
}

void vp8_mp_rc_reached_free(VP8_COMP *cpi) {
  vpx_free(cpi->mp.reached.q);
  memset(&cpi->mp.reached, 0, sizeof(cpi->mp.reached));
}
