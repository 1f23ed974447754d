/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* Builtins of GCC and clang, with a replacement for other compilers. */
#ifndef VPX_VP8_ENCODER_MP_RECON_PORTABLE_H_
#define VPX_VP8_ENCODER_MP_RECON_PORTABLE_H_

#include "./vpx_config.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Ask the processor to load the cache line of p. */
#if defined(__GNUC__)
#define VP8_MP_RECON_PREFETCH(p) __builtin_prefetch(p)
#else
#define VP8_MP_RECON_PREFETCH(p) ((void)(p))
#endif

/* Keeps the registers and the stack that a function needs out of its callers.
 */
#if defined(__GNUC__)
#define VP8_MP_RECON_NOINLINE __attribute__((noinline))
#else
#define VP8_MP_RECON_NOINLINE
#endif

/* Returns the number of bits that are set. */
static INLINE int vp8_mp_recon_count_bits(unsigned int bits) {
#if defined(__GNUC__)
  return __builtin_popcount(bits);
#else
  int n = 0;

  for (; bits; bits &= bits - 1) ++n;
  return n;
#endif
}

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RECON_PORTABLE_H_
