/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Writes a token partition by several threads, with the same bits as by one; by
 * one thread before the header; or by the provider that has coded the frame.
 *
 * What an arithmetic coder adds to its number depends only on its range, and
 * coders that start with different ranges soon have the same one: after some
 * thousand tokens the range is almost always the true one. So a thread that
 * writes from the middle of a frame first runs through the tokens before that.
 * Then the numbers of all segments are added up, each shifted to its place. If
 * the assumed range of a segment was wrong, the segment is written again.
 */
#ifndef VPX_VP8_ENCODER_MP_MT_PACK_H_
#define VPX_VP8_ENCODER_MP_MT_PACK_H_

#include <stddef.h>

#include "./vpx_config.h"
#include "vp8/common/entropy.h"
#include "vp8/common/threading.h"
#include "vp8/encoder/mp/recon/append.h"
#include "vp8/encoder/treewriter.h"
#include "vpx/vp8_mp_whole_frame.h"
#include "vpx_util/vpx_atomics.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

#define VP8_MP_MT_SEGMENTS 32

/* Room for the update of all probabilities, with a margin. */
#define VP8_MP_MT_HEADER_SIZE 8192

/* A segment: the tokens of some rows of macroblocks. */
typedef struct vp8_mp_mt_segment {
  int first_row, end_row;
  unsigned char *data, *data_end; /* room for its number */
  unsigned int range;             /* assumed at the start */
  vp8_mp_recon_number number;
#if CONFIG_MULTITHREAD
  vpx_atomic_int state; /* 0: not written, 1: written, -1: no room */
#endif
} vp8_mp_mt_segment;

/* Part of vp8_mp_state. */
typedef struct vp8_mp_mt_pack {
  size_t
      room; /* room for tokens that one thread may write early; 0: it may not */
  int active; /* begun, and not packed yet; only the encoder's thread reads it
               */
  int shared; /* several threads take part; valid for the whole frame */
  int segments;
  vp8_mp_mt_segment segment[VP8_MP_MT_SEGMENTS];
  unsigned char *data;
  size_t size;
  vp8_writer writer; /* copy of the partition's initial state */
  /* probabilities before this frame changed them */
  vp8_prob probs[BLOCK_TYPES][COEF_BANDS][PREV_COEF_CONTEXTS][ENTROPY_NODES];
#if CONFIG_MULTITHREAD
  vp8_sem_t lock; /* protects next */
  int has_lock, next;
#endif
} vp8_mp_mt_pack;

#if CONFIG_MULTITHREAD

/* Reset when the rows of a frame are coded. With size above 0, one thread may
 * write the tokens before libvpx asks for them, up to this many bytes. */
void vp8_mp_mt_pack_offer(struct VP8_COMP *cpi, size_t size);

/* Set the frame's coefficient probabilities, and let this many threads write
 * its tokens, up to size bytes. Returns 0, with nothing done, if no thread may
 * help. */
int vp8_mp_mt_pack_begin(struct VP8_COMP *cpi, int threads, size_t size);

/* Write segments until none is left; with once, at most one. Any thread may
 * call it between begin and end. *last is the segment that this thread wrote
 * last, at first -1. Returns whether it wrote any. */
int vp8_mp_mt_pack_help(struct VP8_COMP *cpi, int *last, int once);

/* Wait until no thread writes tokens, if they were not packed. */
void vp8_mp_mt_pack_end(struct VP8_COMP *cpi);

#endif

/* In the encoder's thread, while another thread or device works: write all
 * tokens if they were offered, or one segment if several threads write them. */
void vp8_mp_mt_pack_ahead(struct VP8_COMP *cpi);

/* Choose the coefficient probabilities of a frame whose tokens the provider
 * has, and set the partition's input. Returns 0, with nothing done, if the
 * provider cannot write it. vp8_mp_mt_pack_take() must follow. */
int vp8_mp_mt_pack_ask(struct VP8_COMP *cpi, vp8e_mp_partition_t *partition);

/* Take the partition that the provider has written. NULL, or without data: it
 * has not. */
void vp8_mp_mt_pack_take(struct VP8_COMP *cpi,
                         const vp8e_mp_partition_t *partition);

/* Write the header's updates of coefficient probabilities. Returns 0 if not
 * done; then all tokens are in libvpx's arrays. */
int vp8_mp_mt_pack_probs(struct VP8_COMP *cpi, vp8_writer *w);

/* Write the tokens. Returns 0 if not done. In a trial of the header, writes
 * nothing and returns 1. */
int vp8_mp_mt_pack_tokens(struct VP8_COMP *cpi, vp8_writer *w);

/* Free the buffers, while no frame is coded. */
void vp8_mp_mt_pack_free(struct VP8_COMP *cpi);

#ifdef __cplusplus
}
#endif

#endif  // VPX_VP8_ENCODER_MP_MT_PACK_H_
