/*
 * VP8 motion provider
 *
 * This file is part of FFmpeg.
 *
 * FFmpeg is free software; you can redistribute it and/or
 * modify it under the terms of the GNU Lesser General Public
 * License as published by the Free Software Foundation; either
 * version 2.1 of the License, or (at your option) any later version.
 *
 * FFmpeg is distributed in the hope that it will be useful,
 * but WITHOUT ANY WARRANTY; without even the implied warranty of
 * MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE.  See the GNU
 * Lesser General Public License for more details.
 *
 * You should have received a copy of the GNU Lesser General Public
 * License along with FFmpeg; if not, write to the Free Software
 * Foundation, Inc., 51 Franklin Street, Fifth Floor, Boston, MA 02110-1301 USA
 */

/**
 * @file
 * The motion provider that libvpx's VP8 encoder asks for vectors, implemented
 * with the library cudame.
 *
 * A failure of cudame while encoding never stops the encoder: cudame replaces
 * the CUDA backend by the CPU's where me_backend allows it, to the same stream,
 * and where nothing is left libvpx searches for itself. Each such step is
 * logged once.
 */

#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cudame/cudame.h>
#include <cudame/loop_filter.h>
#include <vpx/vp8_motion_provider.h>

#include "avcodec.h"
#include "vp8_cudame.h"
#include "vp8_cudame_provider.h"
#include "libavutil/common.h"
#include "libavutil/frame.h"
#include "libavutil/log.h"
#include "libavutil/macros.h"
#include "libavutil/time.h"

/** Macroblocks that libvpx filters at some levels in the time that a device takes. */
#define MIN_FILTERED 256

/* Records travel from cudame to libvpx as they are. */
#define SAME_FIELD(a, am, b, bm) \
    _Static_assert(offsetof(a, am) == offsetof(b, bm) && \
                   sizeof(((a *)0)->am) == sizeof(((b *)0)->bm), \
                   #a "." #am " and " #b "." #bm " differ")

_Static_assert(sizeof(cudame_mv) == sizeof(vp8e_mp_mv_t), "vectors differ");
SAME_FIELD(cudame_mv, row,       vp8e_mp_mv_t, row);
SAME_FIELD(cudame_mv, col,       vp8e_mp_mv_t, col);
_Static_assert(sizeof(cudame_mb) == sizeof(vp8e_mp_mb_t), "records differ");
SAME_FIELD(cudame_mb, mv,        vp8e_mp_mb_t, mv);
SAME_FIELD(cudame_mb, dist,      vp8e_mp_mb_t, dist);
SAME_FIELD(cudame_mb, dist_zero, vp8e_mp_mb_t, dist_zero);
SAME_FIELD(cudame_mb, flags,     vp8e_mp_mb_t, flags);
SAME_FIELD(cudame_mb, reserved,  vp8e_mp_mb_t, reserved);
_Static_assert(sizeof(cudame_split) == sizeof(vp8e_mp_split_t), "records of smaller blocks differ");
SAME_FIELD(cudame_split, mv,     vp8e_mp_split_t, mv);
SAME_FIELD(cudame_split, dist,   vp8e_mp_split_t, dist);
_Static_assert(sizeof(cudame_intra) == sizeof(vp8e_mp_intra_t), "intra records differ");
SAME_FIELD(cudame_intra, satd16,   vp8e_mp_intra_t, satd16);
SAME_FIELD(cudame_intra, cost4,    vp8e_mp_intra_t, cost4);
SAME_FIELD(cudame_intra, variance, vp8e_mp_intra_t, variance);
SAME_FIELD(cudame_intra, mode4,    vp8e_mp_intra_t, mode4);
_Static_assert((int)CUDAME_MB_NONE    == VP8E_MP_MB_NONE    &&
               (int)CUDAME_MB_FULLPEL == VP8E_MP_MB_FULLPEL &&
               (int)CUDAME_MB_SPLIT   == VP8E_MP_MB_SPLIT, "flags differ");
_Static_assert((int)CUDAME_LOOP_FILTER_LEVELS == VP8E_MP_FILTER_LEVELS &&
               (int)CUDAME_LOOP_FILTER_KINDS  == VP8E_MP_FILTER_KINDS  &&
               (int)CUDAME_LOOP_FILTER_INNER  == VP8E_MP_FILTER_INNER, "loop filters differ");
_Static_assert(CUDAME_REFS == FF_ARRAY_ELEMS(((vp8e_mp_frame_t *)0)->ref),
               "reference slots differ");

const char *const ff_vp8_cudame_mode_names[VP8_CUDAME_MODE_NB] = {
    "off", "fast", "splitmv", "tex", "full"
};

const char *ff_vp8_cudame_backend_name(const VP8CudaME *me)
{
    if (!me->cudame)
        return "none";
    return cudame_backend_in_use(me->cudame) == CUDAME_BACKEND_CUDA ? "cuda" : "cpu";
}

void ff_vp8_cudame_drop(VP8CudaME *me)
{
    cudame_destroy(me->cudame);
    me->cudame   = NULL;
    me->in_frame = 0;
    me->nb_refs  = 0;
    memset(&me->last, 0, sizeof(me->last));
}

int ff_vp8_cudame_create(VP8CudaME *me, char *err, size_t err_size)
{
    int code;

    err[0] = 0;
    if (!cudame_has_backend(me->config.backend)) {
        snprintf(err, err_size, "libcudame was built without it");
        return CUDAME_ERROR_UNAVAILABLE;
    }
    code = cudame_create(&me->cudame, &me->config, err, err_size);
    if (code < 0) {
        me->cudame = NULL;
        if (!err[0])
            snprintf(err, err_size, "%s", cudame_error_name(code));
    }
    return code;
}

/** Note an error; thread-safe. The frame goes on with libvpx's own search. */
static int note_error(VP8CudaME *me, const char *where, int code)
{
    int none = 0;

    if (atomic_compare_exchange_strong(&me->error, &none, code))
        me->error_where = where;
    return -1;
}

/**
 * Act on what failed in cudame: say that it fell back to the CPU, or give up.
 * Never called while rows of a frame are in use.
 */
static void step_down(VP8CudaME *me)
{
    int code = atomic_exchange(&me->error, 0);

    if (me->cudame && !me->fallen_back &&
        me->config.backend == CUDAME_BACKEND_CUDA &&
        cudame_backend_in_use(me->cudame) == CUDAME_BACKEND_CPU) {
        me->fallen_back = 1;
        av_log(me->avctx, AV_LOG_WARNING, "CUDA motion estimation failed: %s\n",
               me->reason);
    }
    if (!code || me->given_up)
        return;

    me->given_up = 1;
    av_log(me->avctx, AV_LOG_WARNING, "Motion estimation failed (%s: %s, %s): "
           "libvpx continues with its own search\n", me->error_where,
           cudame_error_name(code),
           me->cudame ? cudame_last_error(me->cudame) : me->reason);
    ff_vp8_cudame_drop(me);
}

static int find_ref(const VP8CudaME *me, uint64_t id)
{
    for (int i = 0; i < me->nb_refs; i++)
        if (me->refs[i] == id)
            return i;
    return -1;
}

int ff_vp8_cudame_padded(int pixels)
{
    return FFMIN(FFALIGN(pixels, 16), CUDAME_MAX_DIMENSION);
}

/** A plane of the size that the context has. */
static cudame_plane luma_plane(const VP8CudaME *me, const uint8_t *data,
                               int stride, int border)
{
    return (cudame_plane) {
        .data   = data,
        .stride = stride,
        .width  = me->config.width,
        .height = me->config.height,
        /* false only beyond 16368 pixels, where the last column or row of the
           padded frame is more than cudame can have */
        .border = me->config.width  % 16 || me->config.height % 16 ? 0 : border,
        .persistent = 1, /* until memory_freed() */
    };
}

static int submit_ref(VP8CudaME *me, const vp8e_mp_ref_t *ref,
                      int first_row, int rows)
{
    cudame_plane plane = luma_plane(me, ref->y, ref->stride, ref->border);
    int64_t start = av_gettime_relative();
    int code;

    rows = FFMIN(rows, me->config.height - first_row);
    if (rows <= 0)
        return 0;

    if (find_ref(me, ref->id) < 0) {
        if (me->nb_refs == VP8_CUDAME_MAX_REFS)
            return note_error(me, "references", CUDAME_ERROR_INVALID);
        me->refs[me->nb_refs++] = ref->id;
    }
    code = cudame_submit_reference(me->cudame, ref->id, &plane, first_row, rows);
    me->ref_us += av_gettime_relative() - start;
    return code < 0 ? note_error(me, "reference", code) : 0;
}

/** Make the context one of this size. */
static int fit_size(VP8CudaME *me, int width, int height)
{
    char err[256];
    int code;

    if (me->cudame && me->config.width == width && me->config.height == height)
        return 0;

    me->config.width  = width;
    me->config.height = height;
    me->nb_refs       = 0;
    if (me->cudame) {
        code = cudame_resize(me->cudame, width, height);
        return code < 0 ? note_error(me, "resize", code) : 0;
    }
    code = ff_vp8_cudame_create(me, err, sizeof(err));
    if (code < 0) {
        av_log(me->avctx, AV_LOG_VERBOSE, "cudame: %s\n", err);
        return note_error(me, "create", code);
    }
    return 0;
}

/** libvpx leaves a frame that it fails to code without ending it. */
static void end_open_frame(VP8CudaME *me)
{
    int code;

    if (me->in_frame && (code = cudame_end_frame(me->cudame)) < 0)
        note_error(me, "end of frame", code);
    me->in_frame = 0;
}

void ff_vp8_cudame_frame_done(VP8CudaMEContext *s)
{
    s->frames.luma = NULL;
    av_frame_unref(s->frames.i420);
    if (s->me)
        end_open_frame(s->me);
}

static int frame_begin(void *priv, const vp8e_mp_frame_t *frame)
{
    VP8CudaME *me = priv;
    AVCodecContext *avctx = me->avctx;
    cudame_plane device;
    cudame_frame cf = { 0 };
    int64_t start = av_gettime_relative();
    int code;

    end_open_frame(me);
    step_down(me);
    if (me->given_up ||
        fit_size(me, ff_vp8_cudame_padded(16 * frame->mb_cols), ff_vp8_cudame_padded(16 * frame->mb_rows)))
        return -1;

    me->nb_searched = 0;
    for (int i = CUDAME_REF_LAST; i < CUDAME_REFS; i++) {
        const vp8e_mp_ref_t *ref = &frame->ref[i];
        int seen = 0;

        if (!ref->id || !ref->searched)
            continue;
        /* not announced, or announced to a context that is gone */
        if (find_ref(me, ref->id) < 0 &&
            submit_ref(me, ref, 0, me->config.height))
            return -1;
        for (int j = CUDAME_REF_LAST; j < i; j++)
            seen |= cf.ref_id[j] == ref->id;
        cf.ref_id[i]     = ref->id;
        me->nb_searched += !seen;
    }

    cf.source      = luma_plane(me, frame->src, frame->src_stride, 0);
    if (me->source_is_frame && me->frames->luma &&
        frame->mb_cols == FFALIGN(avctx->width,  16) / 16 &&
        frame->mb_rows == FFALIGN(avctx->height, 16) / 16) {
        device = (cudame_plane) {
            .data      = me->frames->luma,
            .stride    = me->frames->luma_stride,
            .width     = avctx->width,
            .height    = avctx->height,
            .on_device = 1,
        };
        cf.device_source = &device;
    }
    cf.filter      = frame->bilinear ? CUDAME_FILTER_BILINEAR : CUDAME_FILTER_SIXTAP;
    cf.mv_cost[0]  = frame->mv_cost[0];
    cf.mv_cost[1]  = frame->mv_cost[1];
    cf.sad_per_bit = frame->sad_per_bit;
    cf.bmode_cost  = frame->bmode_cost;

    code = cudame_begin_frame(me->cudame, &cf);
    if (code < 0)
        return note_error(me, "frame", code);
    me->in_frame = 1;
    me->begin_us = av_gettime_relative() - start;
    return 0;
}

static int row(void *priv, int mb_row, const vp8e_mp_mb_t *rows[4],
               const vp8e_mp_split_t *splits[4])
{
    VP8CudaME *me = priv;
    const cudame_mb    *found[CUDAME_REFS] = { NULL };
    const cudame_split *found_splits[CUDAME_REFS] = { NULL };
    int code;

    if (!me->in_frame)
        return -1;
    code = cudame_wait_row(me->cudame, mb_row, found, found_splits);
    if (code < 0)
        return note_error(me, "row", code);
    for (int i = CUDAME_REF_LAST; i < CUDAME_REFS; i++) {
        rows[i]   = (const vp8e_mp_mb_t *)found[i];
        splits[i] = (const vp8e_mp_split_t *)found_splits[i];
    }
    atomic_fetch_add_explicit(&me->rows, 1, memory_order_relaxed);
    return 0;
}

static void reference_ready(void *priv, const vp8e_mp_ref_t *ref,
                            int first_row, int rows)
{
    VP8CudaME *me = priv;

    if (!me->cudame || !ref->id)
        return;
    /* A buffer of a new size, or one whose first rows we did not get, is
       brought by frame_begin(). */
    if (ff_vp8_cudame_padded(ref->width)  != me->config.width  ||
        ff_vp8_cudame_padded(ref->height) != me->config.height ||
        first_row && find_ref(me, ref->id) < 0)
        return;
    submit_ref(me, ref, first_row, rows);
}

static int intra_row(void *priv, int mb_row, const vp8e_mp_intra_t **row)
{
    VP8CudaME *me = priv;
    const cudame_intra *found;
    int code;

    if (!me->in_frame)
        return -1;
    code = cudame_intra_row(me->cudame, mb_row, &found);
    if (code < 0)
        return note_error(me, "intra estimates", code);
    *row = (const vp8e_mp_intra_t *)found;
    return 0;
}

/** What failed is cudame's; libvpx tries levels itself. */
static int filter_failed(VP8CudaME *me, int code)
{
    if (code == CUDAME_ERROR_DEVICE_MEM) {
        me->no_filter = 1;
        av_log(me->avctx, AV_LOG_WARNING, "No search for the loop filter's level with CUDA: %s: "
               "libvpx does it, to the same level\n", cudame_last_error(me->cudame));
    } else if (cudame_backend_in_use(me->cudame) == CUDAME_BACKEND_CUDA) {
        note_error(me, "loop filter", code);
    }
    return -1;
}

/** Not where it is not worth a device's time. */
static int filter_begin(void *priv, const vp8e_mp_loop_filter_t *filter)
{
    VP8CudaME *me = priv;
    cudame_loop_filter cf = { 0 };
    int rows = filter->step ? (filter->mb_rows - 1 - filter->first) / filter->step + 1
                            : filter->mb_rows;
    int64_t start = av_gettime_relative();
    int code;

    if (!me->in_frame || me->no_filter || rows * filter->mb_cols < MIN_FILTERED ||
        cudame_backend_in_use(me->cudame) != CUDAME_BACKEND_CUDA ||
        me->config.width != 16 * filter->mb_cols || me->config.height != 16 * filter->mb_rows)
        return -1;

    cf.frame       = luma_plane(me, filter->y, filter->stride, filter->border);
    cf.macroblocks = filter->macroblocks;
    cf.level       = filter->level;
    cf.first_level = filter->first_level;
    cf.levels      = filter->levels;
    cf.sharpness   = filter->sharpness;
    cf.key_frame   = filter->is_key;
    cf.step        = filter->step;
    cf.first       = filter->first;
    code = cudame_loop_filter_start(me->cudame, &cf);
    me->filter_us += av_gettime_relative() - start;
    return code < 0 ? filter_failed(me, code) : 0;
}

static int filter_errors(void *priv, uint32_t *errors)
{
    VP8CudaME *me = priv;
    int64_t start = av_gettime_relative();
    int code = cudame_loop_filter_errors(me->cudame, errors);

    me->filter_us += av_gettime_relative() - start;
    return code < 0 ? filter_failed(me, code) : 0;
}

static void write_stats(VP8CudaME *me, uint64_t frame_id, int is_key)
{
    cudame_stats now = { 0 };

    if (me->cudame)
        cudame_get_stats(me->cudame, &now);
    fprintf(me->stats, "%"PRIu64",%s,%s,%d,%d,%d,%"PRId64",%"PRId64",%"PRIu64",%"PRIu64
            ",%"PRId64",%"PRId64",%"PRIu64",%"PRIu64"\n",
            frame_id, ff_vp8_cudame_backend_name(me), ff_vp8_cudame_mode_names[me->config.mode], !!is_key,
            me->nb_searched, atomic_load(&me->rows), me->begin_us, me->ref_us,
            (now.wait_ns   - me->last.wait_ns)   / 1000,
            (now.search_ns - me->last.search_ns) / 1000, me->filter_us, me->end_us,
            now.ref_bytes    - me->last.ref_bytes,
            now.source_bytes - me->last.source_bytes);
    me->last = now;
}

static void frame_end(void *priv, uint64_t frame_id, int is_key,
                      const uint64_t live[4])
{
    VP8CudaME *me = priv;
    int64_t start = av_gettime_relative();

    if (me->cudame) {
        int code = 0, n = 0;

        if (me->in_frame)
            code = cudame_end_frame(me->cudame);
        me->in_frame = 0;
        if (code >= 0 && is_key)
            code = cudame_reset(me->cudame);

        for (int i = 0; i < me->nb_refs; i++) {
            uint64_t id = me->refs[i];

            if (id == live[0] || id == live[1] || id == live[2] || id == live[3])
                me->refs[n++] = id;
            else if (code >= 0)
                code = cudame_retire_reference(me->cudame, id);
        }
        me->nb_refs = n;
        if (code < 0)
            note_error(me, "end of frame", code);
    }
    me->end_us = av_gettime_relative() - start;

    if (me->stats)
        write_stats(me, frame_id, is_key);
    me->begin_us = me->ref_us = me->filter_us = me->end_us = 0;
    me->nb_searched = 0;
    atomic_store(&me->rows, 0);

    step_down(me);
}

static void memory_freed(void *priv)
{
    VP8CudaME *me = priv;
    int code = 0;

    ff_vp8_cudame_first_pass_forget(me);
    if (!me->cudame)
        return;
    /* a frame that libvpx failed to code */
    if (me->in_frame)
        code = cudame_end_frame(me->cudame);
    me->in_frame = 0;
    if (code >= 0)
        code = cudame_forget_memory(me->cudame);
    if (code < 0)
        note_error(me, "memory", code);
}

void ff_vp8_cudame_provide(VP8CudaME *me)
{
    me->provider = (vp8e_motion_provider_t) {
        .abi_version     = VP8E_MP_ABI_VERSION,
        .priv            = me,
        .repair_mv_cost  = 1,
        .repair_threads  = 1,
        .frame_begin     = frame_begin,
        .row             = row,
        .satd            = { cudame_satd(16), cudame_satd(8), cudame_satd(4) },
        .intra_row       = intra_row,
        .reference_ready = reference_ready,
        .filter_begin    = filter_begin,
        .filter_errors   = filter_errors,
        .frame_end       = frame_end,
        .memory_freed    = memory_freed,
    };
}
