/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * A boolean entropy encoder (RFC 6386, section 7) for long runs of bools. It
 * continues a writer of libvpx, and leaves it in the state that libvpx's own
 * code would.
 */
#ifndef VPX_VP8_ENCODER_MP_RECON_BOOLS_H_
#define VPX_VP8_ENCODER_MP_RECON_BOOLS_H_

#include <stdint.h>

#include "vp8/encoder/treewriter.h"
#include "vpx_ports/mem_ops.h"

#ifdef __cplusplus
extern "C" {
#endif

/* For each range: the shift that makes it at least 128, and the range after it
 * minus one. */
typedef struct vp8_mp_recon_scale {
  unsigned char range_1, shift;
} vp8_mp_recon_scale;

extern const vp8_mp_recon_scale vp8_mp_recon_scales[256];

/*
 * The state while bools are written. It belongs in a local variable, so that it
 * is kept in registers.
 *
 * The low 8 bits of the value are where the range is. Above them are "bits"
 * more bits, and above those the carry into the written bytes. A bool shifts
 * the value by up to 7 bits. While bits < VP8_MP_RECON_FLUSH_BITS there is room
 * for VP8_MP_RECON_ROOM bools. libvpx holds back between 16 and 23 bits, this
 * code fewer while it runs.
 */
typedef struct vp8_mp_recon_bools {
  vp8_writer *w;
  uint64_t value;
  unsigned int range_1; /* the range minus one */
  int bits;
} vp8_mp_recon_bools;

#define VP8_MP_RECON_FLUSH_BITS 27
#define VP8_MP_RECON_ROOM 4

/* Write all whole bytes. bits & 7 bits are left. */
static INLINE void vp8_mp_recon_bools_write(vp8_mp_recon_bools *b) {
  vp8_writer *const w = b->w;
  const int size = b->bits >> 3, left = 8 + (b->bits & 7);
  uint64_t out = b->value >> left;
  unsigned char *const at = w->buffer + w->pos;

  if (out >> (8 * size)) {
    unsigned char *carry = at;

    while (carry > w->buffer && ++*--carry == 0) {
    }
  }
  out <<= 64 - 8 * size;
  if (w->buffer_end - at > 8) {
    mem_put_be32(at, (MEM_VALUE_T)(out >> 32));
    mem_put_be32(at + 4, (MEM_VALUE_T)(out & 0xffffffff));
    w->pos += size;
  } else if (validate_buffer(at, size, w->buffer_end, w->error)) {
    int i;

    for (i = 0; i < size; ++i) at[i] = (unsigned char)(out >> (56 - 8 * i));
    w->pos += size;
  }
  b->value &= (1u << left) - 1;
  b->bits &= 7;
}

/* Make room for VP8_MP_RECON_ROOM bools. */
static INLINE void vp8_mp_recon_bools_flush(vp8_mp_recon_bools *b) {
  if (b->bits >= VP8_MP_RECON_FLUSH_BITS) vp8_mp_recon_bools_write(b);
}

static INLINE vp8_mp_recon_bools vp8_mp_recon_bools_begin(vp8_writer *w) {
  vp8_mp_recon_bools b;

  b.w = w;
  b.value = w->lowvalue;
  b.range_1 = w->range - 1;
  b.bits = w->count + 24;
  return b;
}

static INLINE void vp8_mp_recon_bools_end(vp8_mp_recon_bools *b) {
  vp8_writer *const w = b->w;

  if (b->bits >= 24) vp8_mp_recon_bools_write(b);
  for (; b->bits < 16 && w->pos; b->bits += 8) {
    b->value += (uint64_t)w->buffer[--w->pos] << (8 + b->bits);
  }
  w->lowvalue = (unsigned int)b->value;
  w->range = b->range_1 + 1;
  w->count = b->bits - 24;
}

static INLINE void vp8_mp_recon_scale_by(vp8_mp_recon_bools *b,
                                         unsigned int range) {
  const vp8_mp_recon_scale by = vp8_mp_recon_scales[range];

  b->range_1 = by.range_1;
  b->value <<= by.shift;
  b->bits += by.shift;
}

/* The next functions write a bool, for which the caller has made room. prob:
 * probability of 0. "split" is that of RFC 6386 minus one. */
static INLINE void vp8_mp_recon_put_0(vp8_mp_recon_bools *b, vp8_prob prob) {
  const unsigned int split = (b->range_1 * prob) >> 8;

  vp8_mp_recon_scale_by(b, split + 1);
}

static INLINE void vp8_mp_recon_put_1(vp8_mp_recon_bools *b, vp8_prob prob) {
  const unsigned int split = (b->range_1 * prob) >> 8;

  b->value += split + 1;
  vp8_mp_recon_scale_by(b, b->range_1 - split);
}

static INLINE void vp8_mp_recon_put(vp8_mp_recon_bools *b, vp8_prob prob,
                                    unsigned int bit) {
  const unsigned int split = (b->range_1 * prob) >> 8;
  const unsigned int mask = 0u - bit;

  b->value += (split + 1) & mask;
  vp8_mp_recon_scale_by(b,
                        ((split + 1) & ~mask) + ((b->range_1 - split) & mask));
}

/* Write a bool of probability 128, but not the writer's first one: later the
 * range is at most 254, and is always shifted by one. */
static INLINE void vp8_mp_recon_put_half(vp8_mp_recon_bools *b,
                                         unsigned int bit) {
  b->value = (b->value + (((b->range_1 >> 1) + 1) & (0u - bit))) << 1;
  b->range_1 = (b->range_1 - bit) | 1;
  ++b->bits;
}

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_RECON_BOOLS_H_
