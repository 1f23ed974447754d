/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* Statistics of the provider: a line of each frame in a file, and a summary in the log at the
 * end. */

#ifndef VP8PROVIDER_STATS_H
#define VP8PROVIDER_STATS_H

#include <cudame/cudame.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <vp8provider/vp8provider.h>
#include <vpx/vp8_motion_provider.h>

/* Where a frame was searched. */
enum searcher {
    SEARCHED_BY_LIBVPX, /* or not at all */
    SEARCHED_BY_CPU,
    SEARCHED_BY_CUDA,
    SEARCHERS
};

/* Sums over all frames. */
typedef struct stats_totals {
    uint64_t key, inter[SEARCHERS], hidden, golden;
    /* Time that libvpx waited for rows: sum, and maximum of a frame. */
    uint64_t wait_ns, max_wait_ns;
    uint64_t late_rows;
    uint64_t macroblocks, guided, untried, evaluated, skipped;
    uint64_t mode[VP8E_MP_MODES], ref[4], segment[4];
} stats_totals;

typedef struct stats_state {
    FILE *file;        /* of the caller, or NULL */
    const char *mode;  /* name of the search's mode */
    cudame_stats last; /* cudame's counters at the end of the last frame */
    stats_totals totals;
    char fallbacks[512]; /* list of fallbacks with their reasons */

    /* The current frame. */
    vp8e_mp_counts_t counts; /* macroblocks is 0 if the frame was not encoded or not counted */
    atomic_int rows;         /* calls of the row callback */
    int nb_searched;         /* number of distinct references that were searched */
    int is_whole;            /* 1: cudame decided and coded all macroblocks */
    int64_t begin_us, ref_us, filter_us, end_us;
} stats_state;

/* Name of the backend that the context uses. */
const char *stats_backend_name(const cudame_context *cudame);

/* Writes the names of the columns to the file, if there is one. */
void stats_begin(stats_state *s, FILE *file, const char *mode);

/* Adds a fallback to the list. what: from and to, for example "cuda to cpu". */
void stats_fallback(stats_state *s, const char *what, const char *why);

/* Adds the current frame to the statistics, and writes its line. cudame: NULL if it has failed;
 * is_served: it searched the frame. */
void stats_frame(stats_state *s, const cudame_context *cudame, int is_served, uint64_t frame_id,
                 int is_key);

/* Logs the summary, if frames were counted. */
void stats_log_summary(const stats_state *s, const vp8_provider *p);

#endif /* VP8PROVIDER_STATS_H */
