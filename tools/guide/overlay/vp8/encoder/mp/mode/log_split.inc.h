/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Single partitionings of SPLITMV, for mp/mode/log.c. mp/mode/split.c includes
 * this file at its end, because it needs functions that are private to it.
 */

#include "vp8/encoder/mp/mode/log.h"

unsigned int vp8_mp_mode_estimate_partitioning(const vp8_mp_mode_decision *d,
                                               int ref, int partitioning) {
  split_rates rates;

  if (!set_split_rates(d, ref, &rates)) return UINT_MAX;
  return estimate(d, &rates, partitioning, UINT_MAX);
}

int vp8_mp_mode_plan_partitioning(const vp8_mp_mode_decision *d, int ref,
                                  int partitioning, vp8_mp_mode_split *split) {
  split_rates rates;
  known_satds known;

  if (!set_split_rates(d, ref, &rates)) return 0;
  memset(known.n, 0, sizeof(known.n));
  return plan(d, &rates, partitioning, UINT_MAX, &known, split);
}
