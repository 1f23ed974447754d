/*
 * VP8 encoding with libvpx and motion estimation by cudame
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
 * with the library cudame; see libvpxenc.c for the encoder itself.
 *
 * A failure of cudame while encoding never stops the encoder: cudame replaces
 * the CUDA backend by the CPU's where me_backend allows it, to the same stream,
 * and where nothing is left libvpx searches for itself. Each such step is
 * logged once.
 */

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cudame/cudame.h>
#include <vpx/vpx_encoder.h>
#include <vpx/vp8_motion_provider.h>

#include "avcodec.h"
#include "vp8_cudame.h"
#include "libavutil/avstring.h"
#include "libavutil/common.h"
#include "libavutil/error.h"
#include "libavutil/file_open.h"
#include "libavutil/frame.h"
#include "libavutil/log.h"
#include "libavutil/macros.h"
#include "libavutil/mem.h"
#include "libavutil/opt.h"
#include "libavutil/time.h"

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
_Static_assert(sizeof(cudame_intra) == sizeof(vp8e_mp_intra_t), "intra records differ");
SAME_FIELD(cudame_intra, satd16,   vp8e_mp_intra_t, satd16);
SAME_FIELD(cudame_intra, cost4,    vp8e_mp_intra_t, cost4);
SAME_FIELD(cudame_intra, variance, vp8e_mp_intra_t, variance);
SAME_FIELD(cudame_intra, mode4,    vp8e_mp_intra_t, mode4);
_Static_assert((int)CUDAME_MB_NONE    == VP8E_MP_MB_NONE    &&
               (int)CUDAME_MB_FULLPEL == VP8E_MP_MB_FULLPEL &&
               (int)CUDAME_MB_SPLIT   == VP8E_MP_MB_SPLIT, "flags differ");
_Static_assert(CUDAME_REFS == FF_ARRAY_ELEMS(((vp8e_mp_frame_t *)0)->ref),
               "reference slots differ");

/* The option table in vp8_cudame.h does without cudame.h. */
#define SAME_VALUE(name) \
    _Static_assert((int)VP8_ ## name == (int)name, #name " differs")

SAME_VALUE(CUDAME_MODE_FAST);
SAME_VALUE(CUDAME_MODE_SPLITMV);
SAME_VALUE(CUDAME_MODE_TEX);
SAME_VALUE(CUDAME_MODE_FULL);
SAME_VALUE(CUDAME_SEARCH_DEFAULT);
SAME_VALUE(CUDAME_SEARCH_DIAMOND);
SAME_VALUE(CUDAME_SEARCH_ITERATIVE);
SAME_VALUE(CUDAME_SEARCH_HIERARCHICAL);
SAME_VALUE(CUDAME_SEARCH_FULL);

#define SAME_GUIDE(name) \
    _Static_assert((int)VP8_CUDAME_GUIDE_ ## name == (int)VP8E_MP_GUIDE_ ## name, \
                   "guide " #name " differs")

SAME_GUIDE(OFF);
SAME_GUIDE(SAFE);
SAME_GUIDE(NORMAL);
SAME_GUIDE(AGGRESSIVE);
SAME_GUIDE(AUTO);

#define MAX_THREADS 64  ///< of cudame_config.threads
#define MAX_RANGE   128 ///< of cudame_config.range
#define MAX_REFS    8   ///< libvpx has four buffers

typedef struct VP8CudaME {
    AVCodecContext *avctx;
    vp8e_motion_provider_t provider;

    cudame_context *cudame;  ///< NULL: not created, or failed
    cudame_config config;
    char reason[256];        ///< last error that cudame logged
    int fallen_back;         ///< from CUDA to the CPU, and said so
    int given_up;            ///< libvpx searches for itself from now on
    const VP8CudaMEFrames *frames;
    int source_is_frame;     ///< libvpx codes each frame as it gets it, at once

    /* Set by any thread, handled by step_down() between frames. */
    atomic_int error;        ///< first CUDAME_ERROR_* since, or 0
    const char *error_where;

    int in_frame;            ///< cudame_begin_frame() succeeded
    uint64_t refs[MAX_REFS]; ///< ids that cudame knows
    int nb_refs;

    FILE *stats;
    cudame_stats last;       ///< at the end of the frame before
    atomic_int rows;         ///< row calls of this frame
    int nb_searched;         ///< distinct references of this frame
    int64_t begin_us, ref_us, end_us;
} VP8CudaME;

static const char *const mode_names[VP8_CUDAME_MODE_NB] = {
    "off", "fast", "splitmv", "tex", "full"
};

int ff_vp8_cudame_averror(int code)
{
    switch (code) {
    case 0:                         return 0;
    case CUDAME_ERROR_INVALID:      return AVERROR(EINVAL);
    case CUDAME_ERROR_MEMORY:
    case CUDAME_ERROR_DEVICE_MEM:   return AVERROR(ENOMEM);
    case CUDAME_ERROR_UNAVAILABLE:  return AVERROR(ENOSYS);
    default:                        return AVERROR_EXTERNAL;
    }
}

static void log_cudame(void *opaque, int is_error, const char *text)
{
    VP8CudaME *me = opaque;

    /* What an error leads to is logged, with its text, where it is handled. */
    if (is_error)
        av_strlcpy(me->reason, text, sizeof(me->reason));
    av_log(me->avctx, is_error ? AV_LOG_VERBOSE : AV_LOG_DEBUG, "%s\n", text);
}

static const char *backend_name(const VP8CudaME *me)
{
    if (!me->cudame)
        return "none";
    return cudame_backend_in_use(me->cudame) == CUDAME_BACKEND_CUDA ? "cuda" : "cpu";
}

static void drop_cudame(VP8CudaME *me)
{
    cudame_destroy(me->cudame);
    me->cudame   = NULL;
    me->in_frame = 0;
    me->nb_refs  = 0;
    memset(&me->last, 0, sizeof(me->last));
}

/** Create me->cudame; err gets the reason of a failure. */
static int create_cudame(VP8CudaME *me, char *err, size_t err_size)
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
    drop_cudame(me);
}

static int find_ref(const VP8CudaME *me, uint64_t id)
{
    for (int i = 0; i < me->nb_refs; i++)
        if (me->refs[i] == id)
            return i;
    return -1;
}

/** The size of a frame, in whole macroblocks, that cudame can have. */
static int padded(int pixels)
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
        if (me->nb_refs == MAX_REFS)
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
    code = create_cudame(me, err, sizeof(err));
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
        fit_size(me, padded(16 * frame->mb_cols), padded(16 * frame->mb_rows)))
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

static int row(void *priv, int mb_row, const vp8e_mp_mb_t *rows[4])
{
    VP8CudaME *me = priv;
    const cudame_mb *found[CUDAME_REFS] = { NULL };
    int code;

    if (!me->in_frame)
        return -1;
    code = cudame_wait_row(me->cudame, mb_row, found);
    if (code < 0)
        return note_error(me, "row", code);
    for (int i = CUDAME_REF_LAST; i < CUDAME_REFS; i++)
        rows[i] = (const vp8e_mp_mb_t *)found[i];
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
    if (padded(ref->width)  != me->config.width  ||
        padded(ref->height) != me->config.height ||
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

static void write_stats(VP8CudaME *me, uint64_t frame_id, int is_key)
{
    cudame_stats now = { 0 };

    if (me->cudame)
        cudame_get_stats(me->cudame, &now);
    fprintf(me->stats, "%"PRIu64",%s,%s,%d,%d,%d,%"PRId64",%"PRId64",%"PRIu64",%"PRIu64
            ",%"PRId64",%"PRIu64",%"PRIu64"\n",
            frame_id, backend_name(me), mode_names[me->config.mode], !!is_key,
            me->nb_searched, atomic_load(&me->rows), me->begin_us, me->ref_us,
            (now.wait_ns   - me->last.wait_ns)   / 1000,
            (now.search_ns - me->last.search_ns) / 1000, me->end_us,
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
    me->begin_us = me->ref_us = me->end_us = 0;
    me->nb_searched = 0;
    atomic_store(&me->rows, 0);

    step_down(me);
}

static void memory_freed(void *priv)
{
    VP8CudaME *me = priv;
    int code = 0;

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

static int check_options(AVCodecContext *avctx, const VP8CudaMEContext *s)
{
    int full = s->search == VP8_CUDAME_SEARCH_FULL ||
               s->search == VP8_CUDAME_SEARCH_DEFAULT && s->mode == VP8_CUDAME_MODE_FULL;

    if (avctx->me_range < 0 || avctx->me_range > MAX_RANGE) {
        av_log(avctx, AV_LOG_ERROR, "me_range %d is not within 1 to %d pixels "
               "(0: default)\n", avctx->me_range, MAX_RANGE);
        return AVERROR(EINVAL);
    }
    if (avctx->me_range && !full) {
        av_log(avctx, AV_LOG_ERROR, "me_range is the range of the full search: "
               "add -me_search full, or leave it out\n");
        return AVERROR(EINVAL);
    }
    if (s->band_rows && s->backend == VP8_CUDAME_BACKEND_CPU) {
        av_log(avctx, AV_LOG_ERROR, "me_band_rows divides the work of a CUDA device, me_backend "
               "cpu uses none: leave one of them out\n");
        return AVERROR(EINVAL);
    }
    if (s->gpu >= 0 && s->backend == VP8_CUDAME_BACKEND_CPU) {
        av_log(avctx, AV_LOG_ERROR, "gpu %d asks for a CUDA device, me_backend cpu "
               "uses none: leave one of them out\n", s->gpu);
        return AVERROR(EINVAL);
    }
    return 0;
}

/** Create the context on the backend that was asked for. */
static int choose_backend(VP8CudaME *me, const VP8CudaMEContext *s)
{
    AVCodecContext *avctx = me->avctx;
    char err[256];
    int code;

    if (s->backend != VP8_CUDAME_BACKEND_CPU) {
        me->config.backend = CUDAME_BACKEND_CUDA;
        me->config.device  = s->gpu;
        code = create_cudame(me, err, sizeof(err));
        if (code >= 0)
            return 0;
        if (code == CUDAME_ERROR_INVALID) {
            av_log(avctx, AV_LOG_ERROR, "No motion estimation with CUDA: %s: leave the option "
                   "gpu out, or let it name the device that was given\n", err);
            return ff_vp8_cudame_averror(code);
        }
        if (s->backend == VP8_CUDAME_BACKEND_CUDA) {
            av_log(avctx, AV_LOG_ERROR, "No motion estimation with CUDA: %s. %s, or use "
                   "-me_backend auto or cpu\n", err,
                   cudame_has_backend(CUDAME_BACKEND_CUDA) ?
                   "Check the driver and the option gpu" :
                   "Rebuild it with nvcc (the CUDA toolkit)");
            return ff_vp8_cudame_averror(code);
        }
        av_log(avctx, AV_LOG_WARNING, "No motion estimation with CUDA (%s): "
               "it runs on the CPU\n", err);
    }

    me->config.backend = CUDAME_BACKEND_CPU;
    me->config.device  = -1;
    code = create_cudame(me, err, sizeof(err));
    if (code < 0)
        av_log(avctx, AV_LOG_ERROR, "No motion estimation on the CPU: %s\n", err);
    return ff_vp8_cudame_averror(code);
}

/**
 * Whether libvpx codes each frame in the call that brings it, and unchanged;
 * then what is on the device need not be uploaded again.
 */
static int source_is_frame(AVCodecContext *avctx, const struct vpx_codec_enc_cfg *cfg)
{
    int64_t noise_sensitivity;

    return !cfg->g_lag_in_frames && !cfg->rc_resize_allowed &&
           av_opt_get_int(avctx->priv_data, "noise-sensitivity", 0, &noise_sensitivity) >= 0 &&
           !noise_sensitivity;
}

/** How much of the mode decision is guided. */
static int guidance(AVCodecContext *avctx, const VP8CudaMEContext *s)
{
    if (avctx->flags & AV_CODEC_FLAG_PASS1)
        return VP8E_MP_GUIDE_OFF;
    /* only full has the SATD of all blocks */
    if (s->mode == VP8_CUDAME_MODE_FULL)
        return s->guide;
    if (s->guide != VP8_CUDAME_GUIDE_AUTO && s->guide != VP8_CUDAME_GUIDE_OFF)
        av_log(avctx, AV_LOG_WARNING, "guide does nothing without cuda_me full\n");
    return VP8E_MP_GUIDE_OFF;
}

av_cold int ff_vp8_cudame_init(AVCodecContext *avctx, VP8CudaMEContext *s,
                               struct vpx_codec_ctx *encoder)
{
    int first_pass = avctx->flags & AV_CODEC_FLAG_PASS1;
    VP8CudaME *me;
    int ret;

    ret = ff_vp8_cudame_frames_init(avctx, s);
    if (ret < 0)
        return ret;
    if (s->mode == VP8_CUDAME_MODE_OFF) {
        if (s->stats_path)
            av_log(avctx, AV_LOG_WARNING, "me_stats does nothing with cuda_me off\n");
        return 0;
    }
    ret = check_options(avctx, s);
    if (ret < 0)
        return ret;

    me = s->me = av_mallocz(sizeof(*me));
    if (!me)
        return AVERROR(ENOMEM);
    me->avctx        = avctx;
    atomic_init(&me->error, 0);
    atomic_init(&me->rows, 0);

    cudame_config_default(&me->config);
    me->config.size       = sizeof(me->config);
    me->config.mode       = s->mode;
    me->config.search     = s->search;
    me->config.range      = avctx->me_range;
    me->config.width      = padded(avctx->width);
    me->config.height     = padded(avctx->height);
    me->config.threads    = av_clip(encoder->config.enc->g_threads, 1, MAX_THREADS);
    me->config.log        = log_cudame;
    me->config.log_opaque = me;
    me->config.fallback   = s->backend == VP8_CUDAME_BACKEND_AUTO;
    me->config.band_rows  = s->band_rows;
    me->config.cu_context = s->frames.cu_context;
    me->config.cu_stream  = s->frames.cu_stream;
    me->frames            = &s->frames;
    me->source_is_frame   = source_is_frame(avctx, encoder->config.enc);

    /* The first pass searches nothing with it: its statistics are libvpx's own. */
    if (!first_pass) {
        ret = choose_backend(me, s);
        if (ret < 0)
            return ret;
    }
    if (s->stats_path && !first_pass) {
        me->stats = avpriv_fopen_utf8(s->stats_path, "w");
        if (!me->stats) {
            ret = AVERROR(errno);
            av_log(avctx, AV_LOG_ERROR, "Could not open me_stats file '%s': %s\n",
                   s->stats_path, av_err2str(ret));
            return ret;
        }
        fprintf(me->stats, "frame,backend,mode,key,refs,rows,begin_us,ref_us,wait_us,"
                "search_us,end_us,ref_bytes,source_bytes\n");
    }

    me->provider = (vp8e_motion_provider_t) {
        .abi_version     = VP8E_MP_ABI_VERSION,
        .priv            = me,
        .repair_mv_cost  = 1,
        .repair_threads  = 1,
        .frame_begin     = frame_begin,
        .row             = row,
        .guide           = guidance(avctx, s),
        .satd            = { cudame_satd(16), cudame_satd(8), cudame_satd(4) },
        .intra_row       = intra_row,
        .reference_ready = reference_ready,
        .frame_end       = frame_end,
        .memory_freed    = memory_freed,
    };
    if (vpx_codec_control(encoder, VP8E_SET_MOTION_PROVIDER, &me->provider) != VPX_CODEC_OK) {
        const char *detail = vpx_codec_error_detail(encoder);

        av_log(avctx, AV_LOG_ERROR, "This libvpx (%s) takes no motion provider of version %d "
               "(%s%s%s): link FFmpeg with the patched one, or use -cuda_me off\n",
               vpx_codec_version_str(), VP8E_MP_ABI_VERSION, vpx_codec_error(encoder),
               detail ? ", " : "", detail ? detail : "");
        return AVERROR_EXTERNAL;
    }
    if (!first_pass)
        av_log(avctx, AV_LOG_VERBOSE, "cuda_me %s on %s, %d threads\n",
               mode_names[s->mode], backend_name(me), me->config.threads);
    return 0;
}

av_cold void ff_vp8_cudame_close(VP8CudaMEContext *s)
{
    if (s->me) {
        drop_cudame(s->me);
        if (s->me->stats)
            fclose(s->me->stats);
        av_freep(&s->me);
    }
    ff_vp8_cudame_frames_close(s);
}
