/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Takes the level of the guide from the environment. mp/mode/level.c includes
 * this file in place of its own curves_of().
 */

#include <stdlib.h>

static const level_curves *curves_of(int level) {
  /* VP8_MP_MODE_LEVEL holds all numbers of the first quantizer, in the order of
   * vp8_mp_mode_level, then those of the next one. */
  static level_curves own;
  const char *p = getenv("VP8_MP_MODE_LEVEL");
  curve *const member = (curve *)&own;
  int i, point;

  if (!p) return &levels[level];
  for (point = 0; point < POINTS; ++point) {
    for (i = 0; i < (int)(sizeof(own) / sizeof(curve)); ++i) {
      char *end;

      member[i][point] = (int)strtol(p, &end, 10);
      p = *end ? end + 1 : end;
    }
  }
  return &own;
}
