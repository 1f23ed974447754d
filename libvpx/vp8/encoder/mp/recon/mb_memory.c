/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/recon/mb_memory.h"

#include <string.h>

#include "vp8/encoder/onyx_int.h"
#include "vpx_mem/vpx_mem.h"

void vp8_mp_recon_mb_memory_begin(VP8_COMP *cpi) {
  vp8_mp_recon_mb_memory *const memory = &cpi->mp.mb_memory;
  const int mbs = cpi->common.MBs;

  if (memory->mbs == mbs) return;
  vpx_free(memory->mb);
  memory->mb = vpx_calloc(mbs, sizeof(*memory->mb));
  memory->mbs = memory->mb ? mbs : 0;
}

void vp8_mp_recon_mb_memory_free(VP8_COMP *cpi) {
  vpx_free(cpi->mp.mb_memory.mb);
  memset(&cpi->mp.mb_memory, 0, sizeof(cpi->mp.mb_memory));
}
