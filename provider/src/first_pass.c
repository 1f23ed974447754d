/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* First pass on a CUDA device, for two passes and for a lookahead.
 *
 * The result of each frame is identical to that of libvpx, and either of them can process any
 * frame. So libvpx starts the pass if starting CUDA would take longer, and continues it if CUDA
 * fails. */

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "state.h"

/**
 * Number of macroblocks that libvpx processes in the time that CUDA takes to
 * start.
 */
#define MIN_MACROBLOCKS 65536

_Static_assert(COUNT_OF(((cudame_first_pass_frame *)0)->mv_cost[0]) ==
                   COUNT_OF(((vp8e_mp_first_pass_t *)0)->mv_cost[0]),
               "vector costs differ");

static int create(first_pass_state *fp, int mb_cols, int mb_rows, char *err, size_t err_size) {
    int code;

    err[0] = 0;
    fp->config.mb_cols = mb_cols;
    fp->config.mb_rows = mb_rows;
    code = cudame_first_pass_create(&fp->cudame, &fp->config, err, err_size);
    if (code < 0 && !err[0]) snprintf(err, err_size, "%s", cudame_error_name(code));
    return code;
}

static void drop(first_pass_state *fp) {
    cudame_first_pass_destroy(fp->cudame);
    fp->cudame = NULL;
}

static void note_use(vp8_provider *p) {
    if (!p->first_pass.used) provider_log(p, VP8_PROVIDER_LOG_VERBOSE, "First pass runs on CUDA");
    p->first_pass.used = 1;
}

/** Leave the rest of the pass to libvpx after an error of the device. */
static void give_up(vp8_provider *p, const char *reason) {
    provider_log(p, VP8_PROVIDER_LOG_WARNING,
                 "First pass on CUDA failed: %s: libvpx continues "
                 "with the same statistics",
                 reason);
    p->first_pass.given_up = 1;
    drop(&p->first_pass);
}

/**
 * Leave the pass to libvpx because CUDA cannot be started. The user did not ask
 * for CUDA.
 */
static void do_without(vp8_provider *p, const char *reason) {
    provider_log(p, VP8_PROVIDER_LOG_VERBOSE,
                 "Cannot run the first pass on CUDA (%s): "
                 "libvpx runs it",
                 reason);
    p->first_pass.given_up = 1;
}

static cudame_plane plane(const vp8e_mp_first_pass_t *frame, const uint8_t *data, int stride) {
    return (cudame_plane){
        .data = data,
        .stride = stride,
        .width = 16 * frame->mb_cols,
        .height = 16 * frame->mb_rows,
        .persistent = 1, /* the memory stays valid until first_pass_freed() */
    };
}

static cudame_quantizer quantizer(const vp8e_mp_quantizer_t *from) {
    cudame_quantizer to;

    for (int i = 0; i < 2; i++) {
        to.round[i] = from->round[i];
        to.quant[i] = from->quant[i];
        to.dequant[i] = from->dequant[i];
    }
    return to;
}

/**
 * Create fp->cudame for frames of this size, unless it exists.
 * @return 0, or -1 if libvpx is to process this frame
 */
static int start(vp8_provider *p, int mb_cols, int mb_rows) {
    first_pass_state *fp = &p->first_pass;
    char err[256];

    if (fp->given_up) return -1;
    if (fp->follows) {
        /* The motion search decides when CUDA starts, and on which device. */
        int device = atomic_load(&p->device);

        if (device < 0) return -1;
        fp->config.device = device;
    }
    if (fp->cudame && (fp->config.mb_cols != mb_cols || fp->config.mb_rows != mb_rows)) drop(fp);
    if (fp->cudame) return 0;
    if (fp->wait > 0) {
        fp->wait -= mb_cols * mb_rows;
        return -1;
    }
    if (create(fp, mb_cols, mb_rows, err, sizeof(err)) >= 0) {
        note_use(p);
        return 0;
    }
    if (fp->used)
        give_up(p, err);
    else
        do_without(p, err);
    return -1;
}

static int first_pass(void *priv, const vp8e_mp_first_pass_t *frame,
                      vp8e_mp_first_pass_counts_t *to) {
    vp8_provider *p = priv;
    first_pass_state *fp = &p->first_pass;
    cudame_first_pass_frame cf = {0};
    cudame_first_pass_counts counts;

    provider_check_process(p);
    if (start(p, frame->mb_cols, frame->mb_rows)) return -1;

    cf.source = plane(frame, frame->source.y, frame->source.stride);
    cf.last_source = plane(frame, frame->last_source.y, frame->last_source.stride);
    cf.breakout = frame->breakout;
    cf.last = plane(frame, frame->last.y, frame->last.stride);
    cf.golden = plane(frame, frame->golden.y, frame->golden.stride);
    cf.last_id = frame->last.id;
    cf.golden_id = frame->golden.id;
    cf.recon = frame->recon;
    cf.recon_stride = frame->recon_stride;
    cf.recon_id = frame->recon_id;
    cf.recon_persistent = 1;
    cf.y1 = quantizer(&frame->y1);
    cf.y2 = quantizer(&frame->y2);
    memcpy(cf.mv_cost, frame->mv_cost, sizeof(cf.mv_cost));
    cf.error_per_bit = frame->error_per_bit;

    if (cudame_first_pass_run(fp->cudame, &cf, &counts) < 0) {
        give_up(p, cudame_first_pass_last_error(fp->cudame));
        return -1;
    }

    *to = (vp8e_mp_first_pass_counts_t){
        .intra_error = counts.intra_error,
        .coded_error = counts.coded_error,
        .inter = counts.inter,
        .second_ref = counts.second_ref,
        .neutral = counts.neutral,
        .moving = counts.moving,
        .new_mv = counts.new_mv,
        .inwards = counts.inwards,
        .mv_row = counts.mv_row,
        .mv_col = counts.mv_col,
        .mv_row_abs = counts.mv_row_abs,
        .mv_col_abs = counts.mv_col_abs,
        .mv_row_squares = counts.mv_row_squares,
        .mv_col_squares = counts.mv_col_squares,
    };
    return 0;
}

static void first_pass_freed(void *priv) {
    vp8_provider *p = priv;
    first_pass_state *fp = &p->first_pass;

    provider_check_process(p);
    if (fp->cudame && cudame_first_pass_forget_memory(fp->cudame) < 0)
        give_up(p, cudame_first_pass_last_error(fp->cudame));
}

int vp8_provider_open_first_pass(vp8_provider *p, int must, vp8_provider_failure *failure) {
    first_pass_state *fp = &p->first_pass;
    char err[sizeof(failure->reason)];
    int code;

    memset(failure, 0, sizeof(*failure));
    if (!must &&
        (p->config.backend == VP8_PROVIDER_CPU || !cudame_has_backend(CUDAME_BACKEND_CUDA)))
        return 0;

    fp->config.size = sizeof(fp->config);
    fp->config.backend = CUDAME_BACKEND_CUDA;
    fp->config.device = p->device >= 0 ? p->device : p->config.device;
    fp->config.cu_context = p->search.cu_context;
    fp->follows = p->callbacks.lookahead && !must;
    fp->wait = fp->follows ? 0 : MIN_MACROBLOCKS;
    p->callbacks.first_pass = first_pass;
    p->callbacks.first_pass_freed = first_pass_freed;
    if (fp->follows || (!must && !p->search.cu_context)) return 0;

    /* The user asks for CUDA, or brings a context: start it at once. */
    fp->wait = 0;
    code = create(fp, (p->search.width + 15) / 16, (p->search.height + 15) / 16, err, sizeof(err));
    if (code >= 0) {
        note_use(p);
        return 0;
    }
    if (must || code == CUDAME_ERROR_INVALID) {
        failure->code = code;
        failure->backend = CUDAME_BACKEND_CUDA;
        memcpy(failure->reason, err, sizeof(err));
        return code;
    }
    do_without(p, err);
    return 0;
}

void provider_first_pass_close(vp8_provider *p) { drop(&p->first_pass); }

void provider_first_pass_abandon(vp8_provider *p) {
    p->first_pass.cudame = NULL;
    p->first_pass.given_up = 1;
}
