/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/mt/pack.h"

#include <setjmp.h>
#include <string.h>

#include "vp8/encoder/bitstream.h"
#include "vp8/encoder/mp/mt/jobs.h"
#include "vp8/encoder/mp/recon/provided.h"
#include "vp8/encoder/mp/recon/provided_modes.h"
#include "vp8/encoder/mp/recon/tokens.h"
#include "vp8/encoder/onyx_int.h"
#include "vpx_mem/vpx_mem.h"

#if CONFIG_MULTITHREAD

/* Sizes are numbers of elements, see mp/recon/tokens.h. Coders that started
 * with different ranges differ after 8000 tokens in less than 1 % of all cases.
 * After 4000 tokens 2 to 4 % differ, at low and high bitrates. */
#define WARM_UP (8000 / VP8_MP_RECON_IN_ELEMENT)

/* Least size of a segment. */
#define SEGMENT_SIZE (12000 / VP8_MP_RECON_IN_ELEMENT)

static void reset(const VP8_COMP *cpi, vp8_writer *w, unsigned char *data,
                  unsigned char *end, struct vpx_internal_error_info *error) {
  *w = cpi->mp.pack.writer;
  vp8_start_encode(w, data, end);
  w->error = error;
}

static int row_size(const VP8_COMP *cpi, int row) {
  return (int)(cpi->tplist[row].stop - cpi->tplist[row].start);
}

static void write_rows(const VP8_COMP *cpi, vp8_writer *w, int row, int end) {
  for (; row < end; ++row) {
    vp8_pack_tokens(w, cpi->tplist[row].start, row_size(cpi, row));
  }
}

/* Returns the range that a coder very probably has at the first row of a
 * segment. */
static unsigned int likely_range(const VP8_COMP *cpi, vp8_mp_mt_segment *s,
                                 struct vpx_internal_error_info *error) {
  vp8_writer w;
  int row = s->first_row, skip = -WARM_UP;

  reset(cpi, &w, s->data, s->data_end, error);
  while (row && skip < 0) skip += row_size(cpi, --row);
  if (skip > 0 && row < s->first_row) {
    vp8_pack_tokens(&w, cpi->tplist[row].start + skip,
                    row_size(cpi, row) - skip);
    ++row;
  }
  write_rows(cpi, &w, row, s->first_row);
  return w.range;
}

/* Write a segment from a range; 0: from the probable one. Returns whether there
 * was room. */
static int write_segment(const VP8_COMP *cpi, vp8_mp_mt_segment *s,
                         unsigned int range) {
  struct vpx_internal_error_info error;
  vp8_writer w;

  memset(&error, 0, sizeof(error));
  if (setjmp(error.jmp)) return 0;
  error.setjmp = 1;
  s->range = range ? range : likely_range(cpi, s, &error);
  reset(cpi, &w, s->data, s->data_end, &error);
  w.range = s->range;
  write_rows(cpi, &w, s->first_row, s->end_row);
  s->number.data = s->data;
  s->number.bits = 8 * w.pos + 24 + w.count;
  s->number.range = w.range;
  /* This appends enough zeros to move the whole number into the buffer. */
  vp8_stop_encode(&w);
  return 1;
}

static void split(VP8_COMP *cpi, int threads) {
  vp8_mp_mt_pack *const pack = &cpi->mp.pack;
  const int rows = cpi->common.mb_rows;
  const int64_t size = cpi->tok_count;
  int n = (int)(size / SEGMENT_SIZE);
  int64_t done = 0;
  size_t used = 0;
  int row = 0, i;

  if (n > threads) n = threads;
  if (n > VP8_MP_MT_SEGMENTS) n = VP8_MP_MT_SEGMENTS;
  if (n < 1) n = 1;
  for (i = 0; i < n; ++i) {
    vp8_mp_mt_segment *const s = &pack->segment[i];
    size_t end;

    s->first_row = row;
    while (row < rows && (i == n - 1 || done * n < size * (i + 1))) {
      done += row_size(cpi, row++);
    }
    s->end_row = row;
    /* Share out the room by the sizes. */
    end = i == n - 1 ? pack->size : (size_t)(pack->size * done / size);
    s->data = pack->data + used;
    s->data_end = pack->data + end;
    used = end;
    vpx_atomic_store_release(&s->state, 0);
  }
  pack->segments = n;
}

/* With several partitions there are several encoders. With independent ones,
 * vp8_update_coef_probs() also writes updates that change nothing. */
static int can_choose_probs(const VP8_COMP *cpi) {
  return cpi->common.multi_token_partition == ONE_PARTITION &&
         !(cpi->oxcf.error_resilient_mode & VPX_ERROR_RESILIENT_PARTITIONS);
}

static int make_lock(vp8_mp_mt_pack *pack) {
  if (!pack->has_lock) pack->has_lock = !vp8_sem_init(&pack->lock, 0, 1);
  return pack->has_lock;
}

/* vp8_update_coef_probs() both chooses probabilities and writes their updates.
 * Choose them now; vp8_mp_mt_pack_probs() writes the updates later. */
static void choose_probs(VP8_COMP *cpi) {
  VP8_COMMON *const cm = &cpi->common;
  unsigned char header[VP8_MP_MT_HEADER_SIZE];

  memcpy(cpi->mp.pack.probs, cm->fc.coef_probs, sizeof(cm->fc.coef_probs));
  cpi->bc[0].error = &cm->error;
  vp8_start_encode(&cpi->bc[0], header, header + sizeof(header));
  vp8_update_coef_probs(cpi);
}

void vp8_mp_mt_pack_offer(VP8_COMP *cpi, size_t size) {
  vp8_mp_mt_pack *const pack = &cpi->mp.pack;

  /* An error may have ended the previous frame. */
  pack->active = pack->shared = 0;
  pack->room = size;
}

int vp8_mp_mt_pack_begin(VP8_COMP *cpi, int threads, size_t size) {
  vp8_mp_mt_pack *const pack = &cpi->mp.pack;

  pack->room = 0;
  /* The provider writes its tokens while it filters the frame. */
  if (cpi->mp.provided.coded || !can_choose_probs(cpi)) return 0;
  if (pack->size < size) {
    vpx_free(pack->data);
    pack->size = 0;
    pack->data = vpx_malloc(size);
    if (!pack->data) return 0;
    pack->size = size;
  }
  if (!make_lock(pack)) return 0;
  choose_probs(cpi);
  pack->writer = cpi->bc[1];
  pack->next = 0;
  split(cpi, threads);
  pack->active = 1;
  pack->shared = threads > 1;
  return 1;
}

static int take(vp8_mp_mt_pack *pack) {
  int taken = -1;

  vp8_sem_wait(&pack->lock);
  if (pack->next < pack->segments) taken = pack->next++;
  vp8_sem_post(&pack->lock);
  return taken;
}

int vp8_mp_mt_pack_help(VP8_COMP *cpi, int *last, int once) {
  vp8_mp_mt_pack *const pack = &cpi->mp.pack;
  int wrote = 0;

  do {
    const int i = take(pack);
    vp8_mp_mt_segment *s;
    unsigned int range = 0;

    if (i < 0) break;
    s = &pack->segment[i];
    if (!i) {
      range = 255;
    } else if (*last == i - 1 && vpx_atomic_load_acquire(&s[-1].state) > 0) {
      range = s[-1].number.range;
    }
    vpx_atomic_store_release(&s->state, write_segment(cpi, s, range) ? 1 : -1);
    *last = i;
    wrote = 1;
  } while (!once);
  return wrote;
}

void vp8_mp_mt_pack_ahead(VP8_COMP *cpi) {
  const vp8_mp_mt_pack *const pack = &cpi->mp.pack;
  int last = -1;

  if (pack->room && vp8_mp_mt_pack_begin(cpi, 1, pack->room)) {
    vp8_mp_mt_pack_help(cpi, &last, 0);
  } else if (pack->shared) {
    vp8_mp_mt_pack_help(cpi, &last, 1);
  }
}

int vp8_mp_mt_pack_ask(VP8_COMP *cpi, vp8e_mp_partition_t *partition) {
  if (!cpi->mp.provided.coded || !can_choose_probs(cpi) ||
      !make_lock(&cpi->mp.pack)) {
    return 0;
  }
  choose_probs(cpi);
  memset(partition, 0, sizeof(*partition));
  partition->probs = cpi->common.fc.coef_probs[0][0][0];
  return 1;
}

void vp8_mp_mt_pack_take(VP8_COMP *cpi, const vp8e_mp_partition_t *partition) {
  vp8_mp_mt_pack *const pack = &cpi->mp.pack;
  vp8_mp_mt_segment *const s = &pack->segment[0];

  if (!partition || !partition->data) {
    memcpy(cpi->common.fc.coef_probs, pack->probs, sizeof(pack->probs));
    return;
  }
  s->number.data = partition->data;
  s->number.bits = partition->bits;
  s->number.range = partition->range;
  s->range = 255;
  vpx_atomic_store_release(&s->state, 1);
  pack->segments = pack->next = 1;
  pack->active = 1;
}

int vp8_mp_mt_pack_probs(VP8_COMP *cpi, vp8_writer *w) {
  VP8_COMMON *const cm = &cpi->common;
  const vp8_mp_mt_pack *const pack = &cpi->mp.pack;
  const vp8_prob *const before = &pack->probs[0][0][0][0];
  const vp8_prob *const now = &cm->fc.coef_probs[0][0][0][0];
  const vp8_prob *const update = &vp8_coef_update_probs[0][0][0][0];
  int i;

  if (!pack->active && !vp8_mp_recon_provided_modes_tries(cpi)) {
    vp8_mp_recon_provided_list(cpi);
    return 0;
  }
  /* This frame's updates must not outlast it. */
  if (!cm->refresh_entropy_probs) {
    memcpy(cm->lfc.coef_probs, pack->probs, sizeof(pack->probs));
  }
  for (i = 0; i < (int)sizeof(pack->probs); ++i) {
    vp8_write(w, now[i] != before[i], update[i]);
    if (now[i] != before[i]) vp8_write_literal(w, now[i], 8);
  }
  return 1;
}

/* Write the segments that are left, and wait for the other threads. Returns
 * whether all segments are written. */
static int finish_segments(VP8_COMP *cpi) {
  vp8_mp_mt_pack *const pack = &cpi->mp.pack;
  int last = -1, ok = 1, i;

  vp8_mp_mt_pack_help(cpi, &last, 0);
  for (i = 0; i < pack->segments; ++i) {
    const vp8_mp_mt_segment *const s = &pack->segment[i];
    int spins = 0;

    while (!vpx_atomic_load_acquire(&s->state)) vp8_mp_mt_relax(&spins);
    ok &= vpx_atomic_load_acquire(&s->state) > 0;
  }
  pack->active = 0;
  return ok;
}

int vp8_mp_mt_pack_tokens(VP8_COMP *cpi, vp8_writer *w) {
  vp8_mp_mt_pack *const pack = &cpi->mp.pack;
  const vp8_writer begin = *w;
  int i;

  if (vp8_mp_recon_provided_modes_tries(cpi)) return 1;
  if (!pack->active || !finish_segments(cpi)) return 0;
  for (i = 0; i < pack->segments; ++i) {
    vp8_mp_mt_segment *const s = &pack->segment[i];

    if (s->range != w->range && !write_segment(cpi, s, w->range)) {
      *w = begin;
      return 0;
    }
    vp8_mp_recon_append(w, &s->number);
  }
  return 1;
}

void vp8_mp_mt_pack_end(VP8_COMP *cpi) {
  if (cpi->mp.pack.active) finish_segments(cpi);
}

void vp8_mp_mt_pack_free(VP8_COMP *cpi) {
  vp8_mp_mt_pack *const pack = &cpi->mp.pack;

  vpx_free(pack->data);
  pack->data = NULL;
  pack->size = 0;
  if (pack->has_lock) vp8_sem_destroy(&pack->lock);
  pack->has_lock = 0;
}

#else

void vp8_mp_mt_pack_ahead(VP8_COMP *cpi) { (void)cpi; }

int vp8_mp_mt_pack_ask(VP8_COMP *cpi, vp8e_mp_partition_t *partition) {
  (void)cpi;
  (void)partition;
  return 0;
}

void vp8_mp_mt_pack_take(VP8_COMP *cpi, const vp8e_mp_partition_t *partition) {
  (void)cpi;
  (void)partition;
}

int vp8_mp_mt_pack_probs(VP8_COMP *cpi, vp8_writer *w) {
  (void)w;
  vp8_mp_recon_provided_list(cpi);
  return 0;
}

int vp8_mp_mt_pack_tokens(VP8_COMP *cpi, vp8_writer *w) {
  (void)cpi;
  (void)w;
  return 0;
}

void vp8_mp_mt_pack_free(VP8_COMP *cpi) { (void)cpi; }

#endif  // CONFIG_MULTITHREAD
