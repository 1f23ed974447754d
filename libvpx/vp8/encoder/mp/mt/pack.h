/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * A partition of tokens written by several threads, as one would write it, or
 * by one before the header.
 *
 * What an arithmetic coder adds to its number depends on its range alone, and
 * ranges that start differently soon are the same: after some thousand tokens,
 * wherever one began, the range is nearly always the true one. So a thread that
 * writes from the middle of a frame first goes through the tokens before that.
 * The segments' numbers are then added up, each at its place. Where a range
 * turns out to be wrong, its segment is written again.
 */
#ifndef VPX_VP8_ENCODER_MP_MT_PACK_H_
#define VPX_VP8_ENCODER_MP_MT_PACK_H_

#include <stddef.h>

#include "./vpx_config.h"
#include "vp8/common/entropy.h"
#include "vp8/common/threading.h"
#include "vp8/encoder/treewriter.h"
#include "vpx_util/vpx_atomics.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

#define VP8_MP_MT_SEGMENTS 32

/* Some rows of macroblocks. */
typedef struct vp8_mp_mt_segment {
  int first_row, end_row;
  unsigned char *data, *data_end;
  unsigned int range, end_range; /* assumed at its start, found at its end */
  unsigned int bits;             /* that its number was shifted by */
  unsigned int bytes;
#if CONFIG_MULTITHREAD
  vpx_atomic_int state; /* 1: written, -1: no room */
#endif
} vp8_mp_mt_segment;

/* Part of vp8_mp_state. */
typedef struct vp8_mp_mt_pack {
  size_t room; /* for tokens that one thread may write; 0: it may not */
  int active;  /* begun, not asked for; the encoder's thread alone reads it */
  int shared;  /* ... by several threads; stays for the frame */
  int segments;
  vp8_mp_mt_segment segment[VP8_MP_MT_SEGMENTS];
  unsigned char *data;
  size_t size;
  vp8_writer writer; /* what is set up for the partition */
  /* before this frame changed them */
  vp8_prob probs[BLOCK_TYPES][COEF_BANDS][PREV_COEF_CONTEXTS][ENTROPY_NODES];
#if CONFIG_MULTITHREAD
  vp8_sem_t lock; /* of next */
  int has_lock, next;
#endif
} vp8_mp_mt_pack;

#if CONFIG_MULTITHREAD

/* When a frame's macroblocks are coded: nothing is begun; one thread may write
 * the tokens before they are asked for, not more than size bytes. */
void vp8_mp_mt_pack_offer(struct VP8_COMP *cpi, size_t size);

/* Set the frame's coefficient probabilities, for its tokens to be written by so
 * many threads; not more than size bytes. 0: not done, none may help. */
int vp8_mp_mt_pack_begin(struct VP8_COMP *cpi, int threads, size_t size);

/* In any thread between begin and end: write segments until there are no more,
 * once: one at most. last: what this thread wrote last, at first -1. Returns
 * whether it wrote any. */
int vp8_mp_mt_pack_help(struct VP8_COMP *cpi, int *last, int once);

/* If the tokens were not asked for, wait until no thread writes any. */
void vp8_mp_mt_pack_end(struct VP8_COMP *cpi);

#endif

/* In the encoder's thread, while something else is at work: write all tokens
 * alone, if they were offered, or a segment, if several threads write them. */
void vp8_mp_mt_pack_ahead(struct VP8_COMP *cpi);

/* Write what the header says of coefficient probabilities. 0: not done. */
int vp8_mp_mt_pack_probs(struct VP8_COMP *cpi, vp8_writer *w);

/* Write the tokens. 0: not done. */
int vp8_mp_mt_pack_tokens(struct VP8_COMP *cpi, vp8_writer *w);

/* Without a frame at work. */
void vp8_mp_mt_pack_free(struct VP8_COMP *cpi);

#ifdef __cplusplus
}
#endif

#endif  // VPX_VP8_ENCODER_MP_MT_PACK_H_
