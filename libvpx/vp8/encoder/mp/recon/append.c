/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/recon/append.h"

/* Bits of an encoder's number below the shifted ones: the width of its range.
 */
#define RANGE_BITS 8

static unsigned int bytes_of(unsigned int bits) {
  return (bits + RANGE_BITS + 7) / 8;
}

/* Add a number to data, shifted by this many bits. The numbers overlap by the
 * width of the range. */
static void add(unsigned char *data, unsigned int bits,
                const vp8_mp_recon_number *n) {
  unsigned char *at = data + bits / 8;
  const int shift = bits % 8;
  const unsigned int size = bytes_of(n->bits);
  const unsigned int bytes = bytes_of(shift + n->bits);
  unsigned int i, carry = 0, above = 0;
  unsigned int head[2];

  for (i = 0; i < bytes; ++i) {
    const unsigned int byte = i < size ? n->data[i] : 0;
    const unsigned int sum = ((above << 8 | byte) >> shift) & 0xff;

    if (i < 2) {
      head[i] = sum;
    } else {
      at[i] = (unsigned char)sum;
    }
    above = byte;
  }
  for (i = bytes < 2 ? bytes : 2; i-- > 0;) {
    const unsigned int sum = at[i] + head[i] + carry;

    at[i] = (unsigned char)sum;
    carry = sum >> 8;
  }
  while (carry) carry = ++*--at == 0;
}

/* Set *w to the state of an encoder that has shifted by this many bits. It
 * holds back the last 24 to 31 bits. */
static void hold_back(vp8_writer *w, unsigned int bits, unsigned int range) {
  int i;

  w->range = range;
  w->pos = bits < 24 ? 0 : (bits - 24) / 8 + 1;
  w->count = (int)(bits - 8 * w->pos) - 24;
  w->lowvalue = 0;
  for (i = 0; i < 32 + w->count; ++i) {
    const unsigned int bit = 8 * w->pos + i;

    w->lowvalue =
        w->lowvalue << 1 | ((w->buffer[bit / 8] >> (7 - bit % 8)) & 1);
  }
}

void vp8_mp_recon_append(vp8_writer *w, const vp8_mp_recon_number *n) {
  const unsigned int bits = 8 * w->pos + 24 + w->count;
  const unsigned int end = bytes_of(bits + n->bits);
  vp8_writer whole = *w;
  unsigned int i;

  /* This appends enough zeros to move the whole number into the buffer. */
  vp8_stop_encode(&whole);
  validate_buffer(w->buffer, end, w->buffer_end, w->error);
  for (i = whole.pos; i < end && i < bits / 8 + 2; ++i) w->buffer[i] = 0;
  add(w->buffer, bits, n);
  hold_back(w, bits + n->bits, n->range);
}
