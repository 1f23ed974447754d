/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/recon/bools.h"

#define SHIFT(r)  \
  ((r) < 2    ? 7 \
   : (r) < 4  ? 6 \
   : (r) < 8  ? 5 \
   : (r) < 16 ? 4 \
   : (r) < 32 ? 3 \
   : (r) < 64 ? 2 \
              : (r) < 128)
#define SCALE(r) \
  { (unsigned char)(((r) << SHIFT(r)) - 1), SHIFT(r) }
#define SCALE4(r) SCALE(r), SCALE((r) + 1), SCALE((r) + 2), SCALE((r) + 3)
#define SCALE16(r) SCALE4(r), SCALE4((r) + 4), SCALE4((r) + 8), SCALE4((r) + 12)
#define SCALE64(r) \
  SCALE16(r), SCALE16((r) + 16), SCALE16((r) + 32), SCALE16((r) + 48)

const vp8_mp_recon_scale vp8_mp_recon_scales[256] = { SCALE64(0), SCALE64(64),
                                                      SCALE64(128),
                                                      SCALE64(192) };
