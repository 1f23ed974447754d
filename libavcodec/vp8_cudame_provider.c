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
 * The motion provider: callbacks that libvpx's VP8 encoder calls to get motion
 * vectors, implemented with the library cudame.
 *
 * A failure of cudame never stops the encoder. With me_backend auto, cudame
 * continues on the CPU if CUDA fails; the stream stays the same. If cudame
 * fails altogether, libvpx does the motion search. Each of these steps is
 * logged once.
 */

#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cudame/cudame.h>
#include <cudame/loop_filter.h>
#include <cudame/whole_frame.h>
#include <vpx/vp8_motion_provider.h>

#include "avcodec.h"
#include "vp8_cudame.h"
#include "vp8_cudame_provider.h"
#include "libavutil/common.h"
#include "libavutil/frame.h"
#include "libavutil/log.h"
#include "libavutil/macros.h"
#include "libavutil/time.h"

/** With fewer macroblocks, libvpx searches the loop-filter level faster than a
    CUDA device does. */
#define MIN_FILTERED 256

/* The callbacks pass cudame's records to libvpx without conversion: both
   definitions must have the same layout. */
#define SAME_FIELD(a, am, b, bm) \
    _Static_assert(offsetof(a, am) == offsetof(b, bm) && \
                   sizeof(((a *)0)->am) == sizeof(((b *)0)->bm), \
                   #a "." #am " and " #b "." #bm " differ")

_Static_assert(sizeof(cudame_mv) == sizeof(vp8e_mp_mv_t), "motion vectors differ");
SAME_FIELD(cudame_mv, row,       vp8e_mp_mv_t, row);
SAME_FIELD(cudame_mv, col,       vp8e_mp_mv_t, col);
_Static_assert(sizeof(cudame_mb) == sizeof(vp8e_mp_mb_t), "macroblock records differ");
SAME_FIELD(cudame_mb, mv,        vp8e_mp_mb_t, mv);
SAME_FIELD(cudame_mb, dist,      vp8e_mp_mb_t, dist);
SAME_FIELD(cudame_mb, dist_zero, vp8e_mp_mb_t, reserved0); /* libvpx ignores it */
SAME_FIELD(cudame_mb, flags,     vp8e_mp_mb_t, flags);
SAME_FIELD(cudame_mb, reserved,  vp8e_mp_mb_t, reserved);
_Static_assert(sizeof(cudame_split) == sizeof(vp8e_mp_split_t), "sub-block records differ");
SAME_FIELD(cudame_split, mv,     vp8e_mp_split_t, mv);
SAME_FIELD(cudame_split, dist,   vp8e_mp_split_t, dist);
_Static_assert(sizeof(cudame_intra) == sizeof(vp8e_mp_intra_t), "intra records differ");
SAME_FIELD(cudame_intra, satd16,   vp8e_mp_intra_t, satd16);
SAME_FIELD(cudame_intra, cost4,    vp8e_mp_intra_t, cost4);
SAME_FIELD(cudame_intra, pending,  vp8e_mp_intra_t, pending);
SAME_FIELD(cudame_intra, mode4,    vp8e_mp_intra_t, mode4);
_Static_assert(sizeof(cudame_segment) == sizeof(vp8e_mp_segment_t), "segments differ");
SAME_FIELD(cudame_segment, lambda,   vp8e_mp_segment_t, lambda);
SAME_FIELD(cudame_segment, breakout, vp8e_mp_segment_t, breakout);
SAME_FIELD(cudame_segment, round,    vp8e_mp_segment_t, round);
SAME_FIELD(cudame_segment, dequant,  vp8e_mp_segment_t, dequant);
_Static_assert(sizeof(cudame_rates) == sizeof(vp8e_mp_rates_t), "rates differ");
SAME_FIELD(cudame_rates, bmode,     vp8e_mp_rates_t, bmode);
SAME_FIELD(cudame_rates, token,     vp8e_mp_rates_t, token);
SAME_FIELD(cudame_rates, sign_bias, vp8e_mp_rates_t, sign_bias);
_Static_assert(sizeof(cudame_mb_memory) == sizeof(vp8e_mp_memory_t), "memories differ");
_Static_assert(sizeof(cudame_coded_mb) == sizeof(vp8e_mp_coded_t), "coded macroblocks differ");
SAME_FIELD(cudame_coded_mb, rate,        vp8e_mp_coded_t, rate);
SAME_FIELD(cudame_coded_mb, block,       vp8e_mp_coded_t, block);
SAME_FIELD(cudame_coded_mb, eob,         vp8e_mp_coded_t, eob);
SAME_FIELD(cudame_coded_mb, first_block, vp8e_mp_coded_t, first_block);
_Static_assert(sizeof(cudame_whole_frame) == sizeof(vp8e_mp_whole_frame_t), "whole frames differ");
SAME_FIELD(cudame_whole_frame, recon,      vp8e_mp_whole_frame_t, recon);
SAME_FIELD(cudame_whole_frame, segments,   vp8e_mp_whole_frame_t, segments);
SAME_FIELD(cudame_whole_frame, new_memory, vp8e_mp_whole_frame_t, new_memory);
_Static_assert((int)CUDAME_MB_FULLPEL == VP8E_MP_MB_FULLPEL &&
               (int)CUDAME_MB_SPLIT   == VP8E_MP_MB_SPLIT   &&
               (int)CUDAME_MB_PENDING == VP8E_MP_MB_PENDING &&
               (int)CUDAME_INTRA_16X16 == VP8E_MP_INTRA_16X16 &&
               (int)CUDAME_INTRA_4X4   == VP8E_MP_INTRA_4X4, "flags differ");
_Static_assert((int)CUDAME_LOOP_FILTER_LEVELS == VP8E_MP_FILTER_LEVELS &&
               (int)CUDAME_LOOP_FILTER_KINDS  == VP8E_MP_FILTER_KINDS  &&
               (int)CUDAME_LOOP_FILTER_INNER  == VP8E_MP_FILTER_INNER, "loop filters differ");
_Static_assert(CUDAME_REFS == FF_ARRAY_ELEMS(((vp8e_mp_frame_t *)0)->ref),
               "reference slots differ");

const char *const ff_vp8_cudame_mode_names[VP8_CUDAME_MODES] = {
    [VP8_CUDAME_MODE_OFF] = "off",
    [CUDAME_MODE_FAST]    = "fast",
    [CUDAME_MODE_SPLITMV] = "splitmv",
    [CUDAME_MODE_TEX]     = "tex",
    [CUDAME_MODE_FULL]    = "full",
};

void ff_vp8_cudame_drop(VP8CudaMEProvider *mp)
{
    cudame_destroy(mp->cudame);
    mp->cudame   = NULL;
    mp->device   = -1;
    mp->in_frame = 0;
    mp->nb_refs  = 0;
    memset(&mp->stats.last, 0, sizeof(mp->stats.last));
}

int ff_vp8_cudame_create(VP8CudaMEProvider *mp, char *err, size_t err_size)
{
    int code;

    err[0] = 0;
    if (!cudame_has_backend(mp->config.backend)) {
        snprintf(err, err_size, "libcudame was built without this backend");
        return CUDAME_ERROR_UNAVAILABLE;
    }
#if !defined(_WIN32)
    /* Most of the time that a CUDA context takes to start, it makes queues for launches: eight
     * by default, and one process after the other. The lean search uses two. The driver has no
     * other way to ask for fewer, and reads this once. It is the program's to set first. */
    if (mp->config.backend == CUDAME_BACKEND_CUDA && mp->config.search == CUDAME_SEARCH_LEAN)
        setenv("CUDA_DEVICE_MAX_CONNECTIONS", "2", 0);
#endif
    code = cudame_create(&mp->cudame, &mp->config, err, err_size);
    if (code < 0) {
        mp->cudame = NULL;
        if (!err[0])
            snprintf(err, err_size, "%s", cudame_error_name(code));
    }
    return code;
}

/**
 * Store an error until step_down() handles it. Any thread may call it; only the
 * first error is kept.
 * @param where what failed, for the message
 * @return -1, which makes libvpx do the motion search
 */
static int note_error(VP8CudaMEProvider *mp, const char *where, int code)
{
    int none = 0;

    if (atomic_compare_exchange_strong(&mp->error, &none, code))
        mp->error_where = where;
    return -1;
}

/**
 * Handle the errors of cudame: log a fallback to the CPU, or leave the motion
 * search to libvpx from now on. Do not call it while libvpx uses rows of a
 * frame.
 */
static void step_down(VP8CudaMEProvider *mp)
{
    int code = atomic_exchange(&mp->error, 0);

    if (mp->cudame && !mp->fallen_back && cudame_fell_back(mp->cudame)) {
        mp->fallen_back = 1;
        ff_vp8_cudame_stats_fallback(&mp->stats, "cuda to cpu", mp->reason);
        av_log(mp->avctx, AV_LOG_WARNING, "CUDA motion estimation failed: %s\n",
               mp->reason);
    }
    if (!code || mp->given_up)
        return;

    mp->given_up = 1;
    av_log(mp->avctx, AV_LOG_WARNING, "Motion estimation failed (%s: %s, %s): "
           "libvpx continues with its own search\n", mp->error_where,
           cudame_error_name(code),
           mp->cudame ? cudame_last_error(mp->cudame) : mp->reason);
    ff_vp8_cudame_stats_fallback(&mp->stats, "to libvpx",
                                 mp->cudame ? cudame_last_error(mp->cudame) : mp->reason);
    ff_vp8_cudame_drop(mp);
}

static int find_ref(const VP8CudaMEProvider *mp, uint64_t id)
{
    for (int i = 0; i < mp->nb_refs; i++)
        if (mp->refs[i] == id)
            return i;
    return -1;
}

int ff_vp8_cudame_padded(int pixels)
{
    return FFMIN(FFALIGN(pixels, 16), CUDAME_MAX_DIMENSION);
}

/** Describe a luma plane of libvpx. Its size is that of mp->config. */
static cudame_plane luma_plane(const VP8CudaMEProvider *mp, const uint8_t *data,
                               int stride, int border)
{
    return (cudame_plane) {
        .data   = data,
        .stride = stride,
        .width  = mp->config.width,
        .height = mp->config.height,
        /* The size is a multiple of 16 up to 16368 pixels. Beyond that, it is
           limited to CUDAME_MAX_DIMENSION, and libvpx's border does not begin
           at the edge of this plane. */
        .border = mp->config.width  % 16 || mp->config.height % 16 ? 0 : border,
        .persistent = 1, /* the memory stays valid until memory_freed() */
    };
}

/** Pass rows of a reference frame to cudame. */
static int submit_ref(VP8CudaMEProvider *mp, const vp8e_mp_ref_t *ref,
                      int first_row, int rows)
{
    cudame_plane plane = luma_plane(mp, ref->y, ref->stride, ref->border);
    int64_t start = av_gettime_relative();
    int code;

    rows = FFMIN(rows, mp->config.height - first_row);
    if (rows <= 0)
        return 0;

    if (find_ref(mp, ref->id) < 0) {
        if (mp->nb_refs == VP8_CUDAME_MAX_REFS)
            return note_error(mp, "too many references", CUDAME_ERROR_INVALID);
        mp->refs[mp->nb_refs++] = ref->id;
    }
    code = cudame_submit_reference(mp->cudame, ref->id, &plane, first_row, rows);
    mp->stats.ref_us += av_gettime_relative() - start;
    return code < 0 ? note_error(mp, "submit reference", code) : 0;
}

/** Create mp->cudame, or change its frame size. */
static int fit_size(VP8CudaMEProvider *mp, int width, int height)
{
    char err[256];
    int code;

    if (mp->cudame && mp->config.width == width && mp->config.height == height)
        return 0;

    mp->config.width  = width;
    mp->config.height = height;
    mp->nb_refs       = 0;
    if (mp->cudame) {
        code = cudame_resize(mp->cudame, width, height);
        return code < 0 ? note_error(mp, "resize", code) : 0;
    }
    code = ff_vp8_cudame_create(mp, err, sizeof(err));
    if (code < 0) {
        av_log(mp->avctx, AV_LOG_VERBOSE, "cudame: %s\n", err);
        return note_error(mp, "create context", code);
    }
    return 0;
}

/**
 * End cudame's frame if one is open.
 * @return 0 or a CUDAME_ERROR
 */
static int close_frame(VP8CudaMEProvider *mp)
{
    int was_open = mp->in_frame;

    mp->in_frame = 0;
    return was_open ? cudame_end_frame(mp->cudame) : 0;
}

void ff_vp8_cudame_end_open_frame(VP8CudaMEProvider *mp)
{
    int code = close_frame(mp);

    if (code < 0)
        note_error(mp, "end frame", code);
}

/**
 * Log that CUDA has taken over, if it searches this frame and did not search
 * the last one.
 */
static void log_takeover(VP8CudaMEProvider *mp, uint64_t frame_id)
{
    int device = cudame_device_in_use(mp->cudame);

    if (device >= 0 && mp->device < 0)
        av_log(mp->avctx, AV_LOG_VERBOSE, "Motion estimation runs on CUDA from frame "
               "%"PRIu64" on\n", frame_id);
    mp->device = device;
}

/**
 * Tell whether only the first reference frame is searched. At the leanest
 * level, the other references would save 1 % of bitrate, but take 5 % of the
 * CPU time or two thirds of the GPU time.
 */
static int searches_one(const VP8CudaMEProvider *mp)
{
    return mp->config.search == CUDAME_SEARCH_LEAN &&
           mp->config.level >= VP8_CUDAME_LEANEST;
}

static int frame_begin(void *priv, const vp8e_mp_frame_t *frame)
{
    VP8CudaMEProvider *mp = priv;
    AVCodecContext *avctx = mp->avctx;
    cudame_plane device;
    cudame_frame cf = { 0 };
    int64_t start = av_gettime_relative();
    int code;

    ff_vp8_cudame_end_open_frame(mp);
    step_down(mp);
    if (mp->given_up ||
        fit_size(mp, ff_vp8_cudame_padded(16 * frame->mb_cols),
                 ff_vp8_cudame_padded(16 * frame->mb_rows)))
        return -1;

    mp->stats.nb_searched = 0;
    for (int i = CUDAME_REF_LAST; i < CUDAME_REFS; i++) {
        const vp8e_mp_ref_t *ref = &frame->ref[i];
        int seen = 0;

        if (!ref->id || !ref->searched)
            continue;
        if (mp->stats.nb_searched && searches_one(mp))
            break;
        /* libvpx has not announced it, or announced it to a context that has
           been destroyed since. */
        if (find_ref(mp, ref->id) < 0 &&
            submit_ref(mp, ref, 0, mp->config.height))
            return -1;
        for (int j = CUDAME_REF_LAST; j < i; j++)
            seen |= cf.ref_id[j] == ref->id;
        cf.ref_id[i]     = ref->id;
        mp->stats.nb_searched += !seen;
    }

    cf.source      = luma_plane(mp, frame->src, frame->src_stride, 0);
    if (mp->source_is_frame && mp->frames->luma &&
        frame->mb_cols == FFALIGN(avctx->width,  16) / 16 &&
        frame->mb_rows == FFALIGN(avctx->height, 16) / 16) {
        device = (cudame_plane) {
            .data      = mp->frames->luma,
            .stride    = mp->frames->luma_stride,
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

    code = cudame_begin_frame(mp->cudame, &cf);
    if (code < 0)
        return note_error(mp, "begin frame", code);
    mp->in_frame = 1;
    log_takeover(mp, mp->frames_before + frame->frame_id);
    mp->stats.begin_us = av_gettime_relative() - start;
    return 0;
}

static int row(void *priv, int mb_row, const vp8e_mp_mb_t *rows[4],
               const vp8e_mp_split_t *splits[4])
{
    VP8CudaMEProvider *mp = priv;
    const cudame_mb    *found[CUDAME_REFS] = { NULL };
    const cudame_split *found_splits[CUDAME_REFS] = { NULL };
    int code;

    if (!mp->in_frame)
        return -1;
    code = cudame_wait_row(mp->cudame, mb_row, found, found_splits);
    if (code < 0)
        return note_error(mp, "wait for row", code);
    for (int i = CUDAME_REF_LAST; i < CUDAME_REFS; i++) {
        rows[i]   = (const vp8e_mp_mb_t *)found[i];
        splits[i] = (const vp8e_mp_split_t *)found_splits[i];
    }
    atomic_fetch_add_explicit(&mp->stats.rows, 1, memory_order_relaxed);
    return 0;
}

/**
 * Code a whole frame. If the device fails, libvpx codes this frame, and the CPU
 * searches it.
 */
static int code_frame(void *priv, vp8e_mp_whole_frame_t *frame)
{
    VP8CudaMEProvider *mp = priv;
    int code;

    if (!mp->in_frame || mp->no_frames ||
        mp->offload == VP8_CUDAME_OFFLOAD_AUTO && atomic_load(&mp->device) < 0)
        return -1;
    code = cudame_code_frame(mp->cudame, (cudame_whole_frame *)frame);
    if (code == CUDAME_ERROR_DEVICE_MEM) {
        mp->no_frames = 1;
        av_log(mp->avctx, AV_LOG_WARNING, "Cannot code whole frames on CUDA (%s): "
               "libvpx does it, with the same result\n", cudame_last_error(mp->cudame));
    } else if (code < 0 && !cudame_fell_back(mp->cudame)) {
        note_error(mp, "code frame", code);
    }
    return code < 0 ? -1 : 0;
}

static void reference_ready(void *priv, const vp8e_mp_ref_t *ref,
                            int first_row, int rows)
{
    VP8CudaMEProvider *mp = priv;

    if (!mp->cudame || !ref->id)
        return;
    /* frame_begin() submits buffers of a new size, and buffers whose first rows
       this function did not get. */
    if (ff_vp8_cudame_padded(ref->width)  != mp->config.width  ||
        ff_vp8_cudame_padded(ref->height) != mp->config.height ||
        first_row && find_ref(mp, ref->id) < 0)
        return;
    submit_ref(mp, ref, first_row, rows);
}

static int intra_row(void *priv, int mb_row, const vp8e_mp_intra_t **row)
{
    VP8CudaMEProvider *mp = priv;
    const cudame_intra *found;
    int code;

    if (!mp->in_frame)
        return -1;
    code = cudame_intra_row(mp->cudame, mb_row, &found);
    if (code < 0)
        return note_error(mp, "estimate intra modes", code);
    *row = (const vp8e_mp_intra_t *)found;
    return 0;
}

static int complete_split(void *priv, int mb_row, int mb_col, int ref)
{
    VP8CudaMEProvider *mp = priv;
    int code = mp->in_frame ? cudame_complete_split(mp->cudame, mb_row, mb_col, ref)
                            : CUDAME_ERROR_INVALID;

    return code < 0 ? note_error(mp, "refine sub-blocks", code) : 0;
}

static int complete_intra(void *priv, int mb_row, int mb_col, int parts)
{
    VP8CudaMEProvider *mp = priv;
    int code = mp->in_frame ? cudame_complete_intra(mp->cudame, mb_row, mb_col, parts)
                            : CUDAME_ERROR_INVALID;

    return code < 0 ? note_error(mp, "estimate intra modes", code) : 0;
}

/**
 * Handle an error of cudame's loop-filter level search.
 * @return -1, which makes libvpx do the search
 */
static int filter_failed(VP8CudaMEProvider *mp, int code)
{
    if (code == CUDAME_ERROR_DEVICE_MEM) {
        mp->no_filter = 1;
        av_log(mp->avctx, AV_LOG_WARNING, "Cannot search the loop-filter level on CUDA "
               "(%s): libvpx does it, with the same result\n",
               cudame_last_error(mp->cudame));
    } else if (cudame_backend_in_use(mp->cudame) == CUDAME_BACKEND_CUDA) {
        note_error(mp, "loop filter", code);
    }
    return -1;
}

/**
 * Start a search for the loop-filter level on the CUDA device. Leave it to
 * libvpx on the CPU backend and if there are few macroblocks, because libvpx is
 * faster then.
 */
static int filter_begin(void *priv, const vp8e_mp_loop_filter_t *filter)
{
    VP8CudaMEProvider *mp = priv;
    cudame_loop_filter cf = { 0 };
    int rows = filter->step ? (filter->mb_rows - 1 - filter->first) / filter->step + 1
                            : filter->mb_rows;
    int64_t start = av_gettime_relative();
    int code;

    if (!mp->in_frame || mp->no_filter || rows * filter->mb_cols < MIN_FILTERED ||
        cudame_backend_in_use(mp->cudame) != CUDAME_BACKEND_CUDA ||
        mp->config.width  != 16 * filter->mb_cols ||
        mp->config.height != 16 * filter->mb_rows)
        return -1;

    cf.frame       = luma_plane(mp, filter->y, filter->stride, filter->border);
    cf.macroblocks = filter->macroblocks;
    cf.level       = filter->level;
    cf.first_level = filter->first_level;
    cf.levels      = filter->levels;
    cf.sharpness   = filter->sharpness;
    cf.key_frame   = filter->is_key;
    cf.step        = filter->step;
    cf.first       = filter->first;
    code = cudame_loop_filter_start(mp->cudame, &cf);
    mp->stats.filter_us += av_gettime_relative() - start;
    return code < 0 ? filter_failed(mp, code) : 0;
}

static int filter_errors(void *priv, uint32_t *errors)
{
    VP8CudaMEProvider *mp = priv;
    int64_t start = av_gettime_relative();
    int code = cudame_loop_filter_errors(mp->cudame, errors);

    mp->stats.filter_us += av_gettime_relative() - start;
    return code < 0 ? filter_failed(mp, code) : 0;
}

static void frame_counts(void *priv, const vp8e_mp_counts_t *counts)
{
    VP8CudaMEProvider *mp = priv;

    mp->stats.counts = *counts;
}

static void frame_end(void *priv, uint64_t frame_id, int is_key,
                      const uint64_t live[4])
{
    VP8CudaMEProvider *mp = priv;
    int64_t start = av_gettime_relative();
    int is_served = mp->in_frame;

    if (mp->cudame) {
        int code = close_frame(mp), n = 0;

        if (code >= 0 && is_key)
            code = cudame_reset(mp->cudame);

        for (int i = 0; i < mp->nb_refs; i++) {
            uint64_t id = mp->refs[i];

            if (id == live[0] || id == live[1] || id == live[2] || id == live[3])
                mp->refs[n++] = id;
            else if (code >= 0)
                code = cudame_retire_reference(mp->cudame, id);
        }
        mp->nb_refs = n;
        if (code < 0)
            note_error(mp, "end frame", code);
    }
    mp->stats.end_us = av_gettime_relative() - start;

    mp->nb_frames = mp->frames_before + frame_id;
    ff_vp8_cudame_stats_frame(&mp->stats, mp->cudame, is_served, mp->nb_frames, is_key);

    step_down(mp);
}

static void memory_freed(void *priv)
{
    VP8CudaMEProvider *mp = priv;
    int code;

    if (!mp->cudame)
        return;
    code = close_frame(mp); /* it is open if libvpx failed to encode it */
    /* libvpx frees the planes of all references. Retire the references, because
       a fallback to another backend would read the planes. */
    for (int i = 0; i < mp->nb_refs && code >= 0; i++)
        code = cudame_retire_reference(mp->cudame, mp->refs[i]);
    mp->nb_refs = 0;
    if (code >= 0)
        code = cudame_forget_memory(mp->cudame);
    if (code < 0)
        note_error(mp, "forget memory", code);
}

void ff_vp8_cudame_provide(VP8CudaMEProvider *mp)
{
    mp->callbacks = (vp8e_motion_provider_t) {
        .abi_version     = VP8E_MP_ABI_VERSION,
        .priv            = mp,
        .repair_mv_cost  = 1,
        .repair_drops    = 1,
        .repair_threads  = 1,
        .frame_begin     = frame_begin,
        .row             = row,
        .satd            = { cudame_satd(16), cudame_satd(8), cudame_satd(4) },
        .intra_row       = intra_row,
        .complete_split  = complete_split,
        .complete_intra  = complete_intra,
        .reference_ready = reference_ready,
        .code_frame      = mp->offload == VP8_CUDAME_OFFLOAD_SEARCH ? NULL : code_frame,
        .filter_begin    = filter_begin,
        .filter_errors   = filter_errors,
        .frame_counts    = mp->stats.is_counting ? frame_counts : NULL,
        .frame_end       = frame_end,
        .memory_freed    = memory_freed,
    };
}
