/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* The callbacks that libvpx's VP8 encoder calls to get motion vectors. */

#include <cudame/loop_filter.h>
#include <cudame/whole_frame.h>
#include <inttypes.h>
#include <stddef.h>
#include <string.h>

#include "state.h"

/** With fewer macroblocks, libvpx searches the loop-filter level faster than a
    CUDA device does. */
#define MIN_FILTERED 256

/* The callbacks pass cudame's records to libvpx without conversion: both
   definitions must have the same layout. */
#define SAME_FIELD(a, am, b, bm)                                                            \
    _Static_assert(                                                                         \
        offsetof(a, am) == offsetof(b, bm) && sizeof(((a *)0)->am) == sizeof(((b *)0)->bm), \
        #a "." #am " and " #b "." #bm " differ")

_Static_assert(sizeof(cudame_mv) == sizeof(vp8e_mp_mv_t), "motion vectors differ");
SAME_FIELD(cudame_mv, row, vp8e_mp_mv_t, row);
SAME_FIELD(cudame_mv, col, vp8e_mp_mv_t, col);
_Static_assert(sizeof(cudame_mb) == sizeof(vp8e_mp_mb_t), "macroblock records differ");
SAME_FIELD(cudame_mb, mv, vp8e_mp_mb_t, mv);
SAME_FIELD(cudame_mb, dist, vp8e_mp_mb_t, dist);
SAME_FIELD(cudame_mb, dist_zero, vp8e_mp_mb_t, reserved0); /* libvpx ignores it */
SAME_FIELD(cudame_mb, flags, vp8e_mp_mb_t, flags);
SAME_FIELD(cudame_mb, reserved, vp8e_mp_mb_t, reserved);
_Static_assert(sizeof(cudame_split) == sizeof(vp8e_mp_split_t), "sub-block records differ");
SAME_FIELD(cudame_split, mv, vp8e_mp_split_t, mv);
SAME_FIELD(cudame_split, dist, vp8e_mp_split_t, dist);
_Static_assert(sizeof(cudame_intra) == sizeof(vp8e_mp_intra_t), "intra records differ");
SAME_FIELD(cudame_intra, satd16, vp8e_mp_intra_t, satd16);
SAME_FIELD(cudame_intra, cost4, vp8e_mp_intra_t, cost4);
SAME_FIELD(cudame_intra, pending, vp8e_mp_intra_t, pending);
SAME_FIELD(cudame_intra, mode4, vp8e_mp_intra_t, mode4);
_Static_assert(sizeof(cudame_segment) == sizeof(vp8e_mp_segment_t), "segments differ");
SAME_FIELD(cudame_segment, lambda, vp8e_mp_segment_t, lambda);
SAME_FIELD(cudame_segment, breakout, vp8e_mp_segment_t, breakout);
SAME_FIELD(cudame_segment, round, vp8e_mp_segment_t, round);
SAME_FIELD(cudame_segment, dequant, vp8e_mp_segment_t, dequant);
_Static_assert(sizeof(cudame_rates) == sizeof(vp8e_mp_rates_t), "rates differ");
SAME_FIELD(cudame_rates, bmode, vp8e_mp_rates_t, bmode);
SAME_FIELD(cudame_rates, token, vp8e_mp_rates_t, token);
SAME_FIELD(cudame_rates, sign_bias, vp8e_mp_rates_t, sign_bias);
_Static_assert(sizeof(cudame_mb_memory) == sizeof(vp8e_mp_memory_t), "memories differ");
_Static_assert(sizeof(cudame_coded_mb) == sizeof(vp8e_mp_coded_t), "coded macroblocks differ");
SAME_FIELD(cudame_coded_mb, rate, vp8e_mp_coded_t, rate);
SAME_FIELD(cudame_coded_mb, mv, vp8e_mp_coded_t, mv);
SAME_FIELD(cudame_coded_mb, tokens, vp8e_mp_coded_t, tokens);
SAME_FIELD(cudame_coded_mb, first_token, vp8e_mp_coded_t, first_token);
_Static_assert(sizeof(cudame_blocks) == sizeof(vp8e_mp_blocks_t), "blocks differ");
SAME_FIELD(cudame_blocks, split_mode, vp8e_mp_blocks_t, split_mode);
_Static_assert(sizeof(cudame_token) == sizeof(vp8e_mp_token_t) &&
                   CUDAME_TOKEN_AFTER_ZERO == VP8E_MP_TOKEN_AFTER_ZERO &&
                   CUDAME_TOKEN_SHIFT == VP8E_MP_TOKEN_SHIFT &&
                   CUDAME_TOKEN_EXTRA_SHIFT == VP8E_MP_TOKEN_EXTRA_SHIFT,
               "tokens differ");
_Static_assert(sizeof(cudame_whole_frame) == sizeof(vp8e_mp_whole_frame_t), "whole frames differ");
SAME_FIELD(cudame_whole_frame, returned_ref, vp8e_mp_whole_frame_t, returned_ref);
SAME_FIELD(cudame_whole_frame, recon, vp8e_mp_whole_frame_t, recon);
SAME_FIELD(cudame_whole_frame, may_keep_recon, vp8e_mp_whole_frame_t, may_keep_recon);
SAME_FIELD(cudame_whole_frame, segments, vp8e_mp_whole_frame_t, segments);
SAME_FIELD(cudame_whole_frame, key_bmode, vp8e_mp_whole_frame_t, key_bmode);
SAME_FIELD(cudame_whole_frame, denoiser, vp8e_mp_whole_frame_t, denoiser);
SAME_FIELD(cudame_whole_frame, blocks, vp8e_mp_whole_frame_t, blocks);
SAME_FIELD(cudame_whole_frame, tokens, vp8e_mp_whole_frame_t, tokens);
SAME_FIELD(cudame_whole_frame, token_counts, vp8e_mp_whole_frame_t, token_counts);
SAME_FIELD(cudame_whole_frame, new_memory, vp8e_mp_whole_frame_t, new_memory);
SAME_FIELD(cudame_whole_frame, has_recon, vp8e_mp_whole_frame_t, has_recon);
_Static_assert(sizeof(cudame_denoiser) == sizeof(vp8e_mp_denoiser_t), "denoisers differ");
SAME_FIELD(cudame_denoiser, most_error, vp8e_mp_denoiser_t, most_error);
SAME_FIELD(cudame_denoiser, most_length, vp8e_mp_denoiser_t, most_length);
SAME_FIELD(cudame_denoiser, strong_length, vp8e_mp_denoiser_t, strong_length);
SAME_FIELD(cudame_denoiser, strong_frames, vp8e_mp_denoiser_t, strong_frames);
SAME_FIELD(cudame_denoiser, most_strong_error, vp8e_mp_denoiser_t, most_strong_error);
SAME_FIELD(cudame_denoiser, sharpness, vp8e_mp_denoiser_t, sharpness);
SAME_FIELD(cudame_denoiser, skin, vp8e_mp_denoiser_t, skin);
SAME_FIELD(cudame_denoiser, ref, vp8e_mp_denoiser_t, ref);
SAME_FIELD(cudame_denoiser, denoised, vp8e_mp_denoiser_t, denoised);
_Static_assert(sizeof(cudame_frame_filter) == sizeof(vp8e_mp_frame_filter_t), "filters differ");
SAME_FIELD(cudame_frame_filter, sharpness, vp8e_mp_frame_filter_t, sharpness);
SAME_FIELD(cudame_frame_filter, key_frame, vp8e_mp_frame_filter_t, is_key);
SAME_FIELD(cudame_frame_filter, recon, vp8e_mp_frame_filter_t, recon);
SAME_FIELD(cudame_frame_filter, filtered, vp8e_mp_frame_filter_t, filtered);
SAME_FIELD(cudame_frame_filter, partition, vp8e_mp_frame_filter_t, partition);
_Static_assert(sizeof(cudame_partition) == sizeof(vp8e_mp_partition_t), "partitions differ");
SAME_FIELD(cudame_partition, probs, vp8e_mp_partition_t, probs);
SAME_FIELD(cudame_partition, data, vp8e_mp_partition_t, data);
SAME_FIELD(cudame_partition, bits, vp8e_mp_partition_t, bits);
SAME_FIELD(cudame_partition, range, vp8e_mp_partition_t, range);
SAME_FIELD(cudame_frame_filter, modes, vp8e_mp_frame_filter_t, modes);
_Static_assert(sizeof(cudame_modes) == sizeof(vp8e_mp_modes_t), "modes differ");
SAME_FIELD(cudame_modes, skip, vp8e_mp_modes_t, skip);
SAME_FIELD(cudame_modes, intra, vp8e_mp_modes_t, intra);
SAME_FIELD(cudame_modes, bmode, vp8e_mp_modes_t, bmode);
SAME_FIELD(cudame_modes, mv, vp8e_mp_modes_t, mv);
SAME_FIELD(cudame_modes, start_range, vp8e_mp_modes_t, start_range);
SAME_FIELD(cudame_modes, key_bmode, vp8e_mp_modes_t, key_bmode);
SAME_FIELD(cudame_modes, data, vp8e_mp_modes_t, data);
SAME_FIELD(cudame_modes, bits, vp8e_mp_modes_t, bits);
SAME_FIELD(cudame_modes, range, vp8e_mp_modes_t, range);
_Static_assert((int)CUDAME_MB_FULLPEL == VP8E_MP_MB_FULLPEL &&
                   (int)CUDAME_MB_SPLIT == VP8E_MP_MB_SPLIT &&
                   (int)CUDAME_MB_PENDING == VP8E_MP_MB_PENDING &&
                   (int)CUDAME_INTRA_16X16 == VP8E_MP_INTRA_16X16 &&
                   (int)CUDAME_INTRA_4X4 == VP8E_MP_INTRA_4X4,
               "flags differ");
_Static_assert((int)CUDAME_LOOP_FILTER_LEVELS == VP8E_MP_FILTER_LEVELS &&
                   (int)CUDAME_LOOP_FILTER_KINDS == VP8E_MP_FILTER_KINDS &&
                   (int)CUDAME_LOOP_FILTER_INNER == VP8E_MP_FILTER_INNER,
               "loop filters differ");
_Static_assert(CUDAME_REFS == COUNT_OF(((vp8e_mp_frame_t *)0)->ref), "reference slots differ");

/**
 * Store an error until step_down() handles it. Any thread may call it; only the
 * first error is kept.
 * @param where what failed, for the message
 * @return -1, which makes libvpx do the motion search
 */
static int note_error(vp8_provider *p, const char *where, int code) {
    int none = 0;

    if (atomic_compare_exchange_strong(&p->error, &none, code)) p->error_where = where;
    return -1;
}

/**
 * Handle the errors of cudame: log a fallback to the CPU, or leave the motion
 * search to libvpx from now on. Do not call it while libvpx uses rows of a
 * frame.
 */
static void step_down(vp8_provider *p) {
    int code = atomic_exchange(&p->error, 0);

    if (p->cudame && !p->fallen_back && cudame_fell_back(p->cudame)) {
        p->fallen_back = 1;
        stats_fallback(&p->stats, "cuda to cpu", p->reason);
        provider_log(p, VP8_PROVIDER_LOG_WARNING, "CUDA motion estimation failed: %s", p->reason);
    }
    if (!code || p->given_up) return;

    p->given_up = 1;
    provider_log(p, VP8_PROVIDER_LOG_WARNING,
                 "Motion estimation failed (%s: %s, %s): "
                 "libvpx continues with its own search",
                 p->error_where, cudame_error_name(code),
                 p->cudame ? cudame_last_error(p->cudame) : p->reason);
    stats_fallback(&p->stats, "to libvpx", p->cudame ? cudame_last_error(p->cudame) : p->reason);
    provider_drop(p);
}

static int find_ref(const vp8_provider *p, uint64_t id) {
    for (int i = 0; i < p->nb_refs; i++)
        if (p->refs[i] == id) return i;
    return -1;
}

/** Describe a luma plane of libvpx. Its size is that of p->search. */
static cudame_plane luma_plane(const vp8_provider *p, const uint8_t *data, int stride, int border) {
    return (cudame_plane){
        .data = data,
        .stride = stride,
        .width = p->search.width,
        .height = p->search.height,
        /* The size is a multiple of 16 up to 16368 pixels. Beyond that, it is
           limited to CUDAME_MAX_DIMENSION, and libvpx's border does not begin
           at the edge of this plane. */
        .border = p->search.width % 16 || p->search.height % 16 ? 0 : border,
        .persistent = 1, /* the memory stays valid until memory_freed() */
    };
}

/** Pass rows of a reference frame to cudame. */
static int submit_ref(vp8_provider *p, const vp8e_mp_ref_t *ref, int first_row, int rows) {
    cudame_plane plane = luma_plane(p, ref->y, ref->stride, ref->border);
    int64_t start = provider_time_us();
    int code;

    rows = rows < p->search.height - first_row ? rows : p->search.height - first_row;
    if (rows <= 0) return 0;

    if (find_ref(p, ref->id) < 0) {
        if (p->nb_refs == MAX_REFS)
            return note_error(p, "too many references", CUDAME_ERROR_INVALID);
        p->refs[p->nb_refs++] = ref->id;
    }
    code = cudame_submit_reference(p->cudame, ref->id, &plane, first_row, rows);
    p->stats.ref_us += provider_time_us() - start;
    return code < 0 ? note_error(p, "submit reference", code) : 0;
}

/** Create p->cudame, or change its frame size. */
static int fit_size(vp8_provider *p, int width, int height) {
    char err[256];
    int code;

    if (p->cudame && p->search.width == width && p->search.height == height) return 0;

    p->search.width = width;
    p->search.height = height;
    p->nb_refs = 0;
    if (p->cudame) {
        code = cudame_resize(p->cudame, width, height);
        return code < 0 ? note_error(p, "resize", code) : 0;
    }
    code = provider_create(p, err, sizeof(err));
    if (code < 0) {
        provider_log(p, VP8_PROVIDER_LOG_VERBOSE, "cudame: %s", err);
        return note_error(p, "create context", code);
    }
    return 0;
}

/**
 * End cudame's frame if one is open.
 * @return 0 or a CUDAME_ERROR
 */
static int close_frame(vp8_provider *p) {
    int was_open = p->in_frame;

    p->in_frame = 0;
    return was_open ? cudame_end_frame(p->cudame) : 0;
}

void vp8_provider_end_open_frame(vp8_provider *p) {
    int code;

    provider_check_process(p);
    code = close_frame(p);
    if (code < 0) note_error(p, "end frame", code);
}

/**
 * Log that CUDA has taken over, if it searches this frame and did not search
 * the last one.
 */
static void log_takeover(vp8_provider *p, uint64_t frame_id) {
    int device = cudame_device_in_use(p->cudame);

    if (device >= 0 && p->device < 0)
        provider_log(p, VP8_PROVIDER_LOG_VERBOSE,
                     "Motion estimation runs on CUDA from frame "
                     "%" PRIu64 " on",
                     frame_id);
    p->device = device;
}

/**
 * Tell whether only the first reference frame is searched. At the leanest
 * level, the other references would save 1 % of bitrate, but take 5 % of the
 * CPU time or two thirds of the GPU time.
 */
static int searches_one(const vp8_provider *p) {
    return p->search.search == CUDAME_SEARCH_LEAN && p->search.level >= LEANEST;
}

static int frame_begin(void *priv, const vp8e_mp_frame_t *frame) {
    vp8_provider *p = priv;
    cudame_plane device = {0};
    cudame_frame cf = {0};
    int64_t start = provider_time_us();
    int code;

    provider_check_process(p);
    vp8_provider_end_open_frame(p);
    step_down(p);
    if (p->given_up || fit_size(p, vp8_provider_padded(16 * frame->mb_cols),
                                vp8_provider_padded(16 * frame->mb_rows)))
        return -1;

    p->stats.nb_searched = 0;
    for (int i = CUDAME_REF_LAST; i < CUDAME_REFS; i++) {
        const vp8e_mp_ref_t *ref = &frame->ref[i];
        int seen = 0;

        if (!ref->id || !ref->searched) continue;
        if (p->stats.nb_searched && searches_one(p)) break;
        /* libvpx has not announced it, or announced it to a context that has
           been destroyed since. */
        if (find_ref(p, ref->id) < 0 && submit_ref(p, ref, 0, p->search.height)) return -1;
        for (int j = CUDAME_REF_LAST; j < i; j++) seen |= cf.ref_id[j] == ref->id;
        cf.ref_id[i] = ref->id;
        p->stats.nb_searched += !seen;
    }

    cf.source = luma_plane(p, frame->src, frame->src_stride, 0);
    if (p->config.device_source &&
        p->config.device_source(p->config.opaque, frame->mb_cols, frame->mb_rows, &device))
        cf.device_source = &device;
    cf.filter = frame->bilinear ? CUDAME_FILTER_BILINEAR : CUDAME_FILTER_SIXTAP;
    cf.mv_cost[0] = frame->mv_cost[0];
    cf.mv_cost[1] = frame->mv_cost[1];
    cf.sad_per_bit = frame->sad_per_bit;
    cf.bmode_cost = frame->bmode_cost;

    code = cudame_begin_frame(p->cudame, &cf);
    if (code < 0) return note_error(p, "begin frame", code);
    p->in_frame = 1;
    log_takeover(p, p->frames_before + frame->frame_id);
    p->stats.begin_us = provider_time_us() - start;
    return 0;
}

static int row(void *priv, int mb_row, const vp8e_mp_mb_t *rows[4],
               const vp8e_mp_split_t *splits[4]) {
    vp8_provider *p = priv;
    const cudame_mb *found[CUDAME_REFS] = {NULL};
    const cudame_split *found_splits[CUDAME_REFS] = {NULL};
    int code;

    if (!p->in_frame) return -1;
    code = cudame_wait_row(p->cudame, mb_row, found, found_splits);
    if (code < 0) return note_error(p, "wait for row", code);
    for (int i = CUDAME_REF_LAST; i < CUDAME_REFS; i++) {
        rows[i] = (const vp8e_mp_mb_t *)found[i];
        splits[i] = (const vp8e_mp_split_t *)found_splits[i];
    }
    atomic_fetch_add_explicit(&p->stats.rows, 1, memory_order_relaxed);
    return 0;
}

/**
 * Code a whole frame. If the device fails, libvpx codes this frame, and the CPU
 * searches it.
 */
static int code_frame(void *priv, vp8e_mp_whole_frame_t *frame) {
    vp8_provider *p = priv;
    int code;

    if (!p->in_frame || p->no_frames ||
        (p->config.offload == VP8_PROVIDER_OFFLOAD_AUTO && atomic_load(&p->device) < 0))
        return -1;
    if (p->no_filter) frame->may_keep_recon = 0; /* libvpx would make it in each frame */
    code = cudame_code_frame(p->cudame, (cudame_whole_frame *)frame);
    p->stats.is_whole = code >= 0;
    if (code == CUDAME_ERROR_DEVICE_MEM) {
        p->no_frames = 1;
        provider_log(p, VP8_PROVIDER_LOG_WARNING,
                     "Cannot code whole frames on CUDA (%s): libvpx does it, with the same result",
                     cudame_last_error(p->cudame));
    } else if (code < 0 && code != CUDAME_ERROR_UNAVAILABLE && !cudame_fell_back(p->cudame)) {
        note_error(p, "code frame", code);
    }
    return code < 0 ? -1 : 0;
}

/** Filter a whole frame. If the device fails, libvpx filters this frame. */
static int filter_frame(void *priv, const vp8e_mp_frame_filter_t *filter) {
    vp8_provider *p = priv;
    int64_t start = provider_time_us();
    int code;

    if (!p->in_frame) return -1;
    code = cudame_filter_frame(p->cudame, (const cudame_frame_filter *)filter);
    p->stats.filter_us += provider_time_us() - start;
    if (code < 0 && code != CUDAME_ERROR_UNAVAILABLE && code != CUDAME_ERROR_DEVICE_MEM &&
        !cudame_fell_back(p->cudame))
        note_error(p, "filter frame", code);
    return code < 0 ? -1 : 0;
}

static void reference_ready(void *priv, const vp8e_mp_ref_t *ref, int first_row, int rows) {
    vp8_provider *p = priv;

    provider_check_process(p);
    if (!p->cudame || !ref->id) return;
    /* frame_begin() submits buffers of a new size, and buffers whose first rows
       this function did not get. */
    if (vp8_provider_padded(ref->width) != p->search.width ||
        vp8_provider_padded(ref->height) != p->search.height ||
        (first_row && find_ref(p, ref->id) < 0))
        return;
    submit_ref(p, ref, first_row, rows);
}

static int intra_row(void *priv, int mb_row, const vp8e_mp_intra_t **row) {
    vp8_provider *p = priv;
    const cudame_intra *found;
    int code;

    if (!p->in_frame) return -1;
    code = cudame_intra_row(p->cudame, mb_row, &found);
    if (code < 0) return note_error(p, "estimate intra modes", code);
    *row = (const vp8e_mp_intra_t *)found;
    return 0;
}

static int complete_split(void *priv, int mb_row, int mb_col, int ref) {
    vp8_provider *p = priv;
    int code =
        p->in_frame ? cudame_complete_split(p->cudame, mb_row, mb_col, ref) : CUDAME_ERROR_INVALID;

    return code < 0 ? note_error(p, "refine sub-blocks", code) : 0;
}

static int complete_intra(void *priv, int mb_row, int mb_col, int parts) {
    vp8_provider *p = priv;
    int code = p->in_frame ? cudame_complete_intra(p->cudame, mb_row, mb_col, parts)
                           : CUDAME_ERROR_INVALID;

    return code < 0 ? note_error(p, "estimate intra modes", code) : 0;
}

/**
 * Handle an error of cudame's loop-filter level search.
 * @return -1, which makes libvpx do the search
 */
static int filter_failed(vp8_provider *p, int code) {
    if (code == CUDAME_ERROR_DEVICE_MEM) {
        p->no_filter = 1;
        provider_log(p, VP8_PROVIDER_LOG_WARNING,
                     "Cannot search the loop-filter level on CUDA "
                     "(%s): libvpx does it, with the same result",
                     cudame_last_error(p->cudame));
    } else if (code != CUDAME_ERROR_UNAVAILABLE &&
               cudame_backend_in_use(p->cudame) == CUDAME_BACKEND_CUDA) {
        note_error(p, "loop filter", code);
    }
    return -1;
}

/**
 * Start a search for the loop-filter level on the CUDA device. Leave it to
 * libvpx on the CPU backend, and if there are few macroblocks that the device
 * did not code, because libvpx is faster then.
 */
static int filter_begin(void *priv, const vp8e_mp_loop_filter_t *filter) {
    vp8_provider *p = priv;
    cudame_loop_filter cf = {0};
    int rows =
        filter->step ? (filter->mb_rows - 1 - filter->first) / filter->step + 1 : filter->mb_rows;
    int64_t start = provider_time_us();
    int code;

    if (!p->in_frame || p->no_filter || (!filter->rows && rows * filter->mb_cols < MIN_FILTERED) ||
        cudame_backend_in_use(p->cudame) != CUDAME_BACKEND_CUDA ||
        p->search.width != 16 * filter->mb_cols || p->search.height != 16 * filter->mb_rows)
        return -1;

    cf.frame = luma_plane(p, filter->y, filter->stride, filter->border);
    cf.macroblocks = filter->macroblocks;
    cf.level = filter->level;
    cf.first_level = filter->first_level;
    cf.levels = filter->levels;
    cf.sharpness = filter->sharpness;
    cf.key_frame = filter->is_key;
    cf.step = filter->step;
    cf.first = filter->first;
    cf.rows = filter->rows;
    cf.source = filter->source;
    cf.source_stride = filter->source_stride;
    code = cudame_loop_filter_start(p->cudame, &cf);
    p->stats.filter_us += provider_time_us() - start;
    return code < 0 ? filter_failed(p, code) : 0;
}

static int filter_errors(void *priv, uint32_t *errors) {
    vp8_provider *p = priv;
    int64_t start = provider_time_us();
    int code = cudame_loop_filter_errors(p->cudame, errors);

    p->stats.filter_us += provider_time_us() - start;
    return code < 0 ? filter_failed(p, code) : 0;
}

static void frame_counts(void *priv, const vp8e_mp_counts_t *counts) {
    vp8_provider *p = priv;

    p->stats.counts = *counts;
}

static void frame_end(void *priv, uint64_t frame_id, int is_key, const uint64_t live[4]) {
    vp8_provider *p = priv;
    int64_t start = provider_time_us();
    int is_served;

    provider_check_process(p);
    is_served = p->in_frame;
    if (p->cudame) {
        int code = close_frame(p), n = 0;

        if (code >= 0 && is_key) code = cudame_reset(p->cudame);

        for (int i = 0; i < p->nb_refs; i++) {
            uint64_t id = p->refs[i];

            if (id == live[0] || id == live[1] || id == live[2] || id == live[3])
                p->refs[n++] = id;
            else if (code >= 0)
                code = cudame_retire_reference(p->cudame, id);
        }
        p->nb_refs = n;
        if (code < 0) note_error(p, "end frame", code);
    }
    p->stats.end_us = provider_time_us() - start;

    p->nb_frames = p->frames_before + frame_id;
    stats_frame(&p->stats, p->cudame, is_served, p->nb_frames, is_key);

    step_down(p);
}

/** Tell cudame where libvpx's pictures are. A failure costs time only. */
static void memory_ready(void *priv, const void *memory, size_t size) {
    vp8_provider *p = priv;

    provider_check_process(p);
    if (p->cudame) (void)cudame_expect_memory(p->cudame, memory, size);
}

static void memory_freed(void *priv) {
    vp8_provider *p = priv;
    int code;

    provider_check_process(p);
    if (!p->cudame) return;
    code = close_frame(p); /* it is open if libvpx failed to encode it */
    /* libvpx frees the planes of all references. Retire the references, because
       a fallback to another backend would read the planes. */
    for (int i = 0; i < p->nb_refs && code >= 0; i++)
        code = cudame_retire_reference(p->cudame, p->refs[i]);
    p->nb_refs = 0;
    if (code >= 0) code = cudame_forget_memory(p->cudame);
    if (code < 0) note_error(p, "forget memory", code);
}

void provider_set_callbacks(vp8_provider *p) {
    p->callbacks = (vp8e_motion_provider_t){
        .abi_version = VP8E_MP_ABI_VERSION,
        .priv = p,
        .repair_mv_cost = 1,
        .repair_drops = 1,
        .repair_threads = 1,
        .frame_begin = frame_begin,
        .row = row,
        .satd = {cudame_satd(16), cudame_satd(8), cudame_satd(4)},
        .intra_row = intra_row,
        .complete_split = complete_split,
        .complete_intra = complete_intra,
        .reference_ready = reference_ready,
        .code_frame = p->config.offload == VP8_PROVIDER_OFFLOAD_SEARCH ? NULL : code_frame,
        .filter_frame = filter_frame,
        .filter_begin = filter_begin,
        .filter_errors = filter_errors,
        .frame_end = frame_end,
        .memory_freed = memory_freed,
        .memory_ready = memory_ready,
    };
}

void vp8_provider_count(vp8_provider *p, FILE *file) {
    /* Count only if somebody reads the counts: libvpx reads the modes of all macroblocks for
     * them, 0.2 % of instructions at the fastest settings. */
    p->callbacks.frame_counts = frame_counts;
    stats_begin(&p->stats, file, vp8_provider_mode_name(p->search.mode));
}
