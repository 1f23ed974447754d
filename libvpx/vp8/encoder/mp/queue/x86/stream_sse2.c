/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Kernels of mp/queue/stream.h: stores past the caches.
 */

#include <emmintrin.h>
#include <string.h>

#include "./vpx_config.h"
#include "./vp8_rtcd.h"

#define CACHE_LINE 64

static INLINE void fill(unsigned char *to, unsigned char pixel, int n) {
  const __m128i pixels = _mm_set1_epi8((char)pixel);
  int i;

  for (i = 0; i < n; i += 16) _mm_stream_si128((__m128i *)(to + i), pixels);
}

void vp8_mp_queue_stream_row_sse2(const unsigned char *src,
                                  const unsigned char *ahead,
                                  unsigned char *dst, int width, int left,
                                  int right) {
  const int whole = width & ~15;
  int x;

  for (x = 0; ahead && x < width; x += CACHE_LINE) {
    _mm_prefetch((const char *)ahead + x, _MM_HINT_T0);
  }
  fill(dst - left, src[0], left);
  for (x = 0; x < whole; x += 16) {
    _mm_stream_si128((__m128i *)(dst + x),
                     _mm_loadu_si128((const __m128i *)(src + x)));
  }
  if (whole == width && right % 16 == 0) {
    fill(dst + width, src[width - 1], right);
  } else {
    memcpy(dst + whole, src + whole, width - whole);
    memset(dst + width, src[width - 1], right);
  }
}

/* Orders the stores before those that tell a device of them. */
void vp8_mp_queue_stream_end_sse2(void) { _mm_sfence(); }
