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
 * Opens and closes what vp8_cudame adds to libvpxenc.c's encoder: checks the
 * options, chooses a backend, and attaches the motion provider. What happens with
 * each frame is in vp8_cudame_frames.c, vp8_cudame_provider.c and
 * vp8_cudame_first_pass.c.
 */

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>

#include <cudame/cudame.h>
#include <vpx/vp8cx.h>
#include <vpx/vpx_encoder.h>
#include <vpx/vp8_motion_provider.h>

#include "avcodec.h"
#include "vp8_cudame.h"
#include "vp8_cudame_error.h"
#include "vp8_cudame_provider.h"
#include "libavutil/avstring.h"
#include "libavutil/bprint.h"
#include "libavutil/common.h"
#include "libavutil/error.h"
#include "libavutil/log.h"
#include "libavutil/mem.h"
#include "libavutil/opt.h"
#include "libavutil/pixdesc.h"

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
SAME_VALUE(CUDAME_SEARCH_LEAN);

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

#define FULL_PIXEL_PROFILE 3 ///< whose vectors libvpx searches itself

#define MAX_DEVICES 64 ///< that are listed

#define CUDA_AFTER_MS 300 ///< CPU time that starting CUDA takes

#define LOOKAHEAD       25 ///< frames, the most that libvpx queues
#define LOOKAHEAD_BELOW 4  ///< the cpu-used whose speed it would spoil

static void log_cudame(void *opaque, int is_error, const char *text)
{
    VP8CudaMEProvider *mp = opaque;

    /* What an error leads to is logged, with its text, where it is handled. */
    if (is_error)
        av_strlcpy(mp->reason, text, sizeof(mp->reason));
    av_log(mp->avctx, is_error ? AV_LOG_VERBOSE : AV_LOG_DEBUG, "%s\n", text);
}

/**
 * The search that is meant: by default the lean one, but every vector where libvpx
 * evaluates all candidates, which takes far longer anyway, or a range is given.
 */
static int search_of(AVCodecContext *avctx, const VP8CudaMEContext *s)
{
    if (s->search != VP8_CUDAME_SEARCH_DEFAULT)
        return s->search;
    if (s->mode != VP8_CUDAME_MODE_FULL)
        return VP8_CUDAME_SEARCH_DIAMOND;
    return s->guide == VP8_CUDAME_GUIDE_OFF || avctx->me_range ? VP8_CUDAME_SEARCH_FULL
                                                               : VP8_CUDAME_SEARCH_LEAN;
}

static int check_options(AVCodecContext *avctx, const VP8CudaMEContext *s)
{
    if (avctx->me_range < 0 || avctx->me_range > MAX_RANGE) {
        av_log(avctx, AV_LOG_ERROR, "me_range %d is not within 1 to %d pixels "
               "(0: default)\n", avctx->me_range, MAX_RANGE);
        return AVERROR(EINVAL);
    }
    if (s->search == VP8_CUDAME_SEARCH_LEAN && s->mode != VP8_CUDAME_MODE_FULL) {
        av_log(avctx, AV_LOG_ERROR, "me_search lean is a search of cuda_me full: leave one of "
               "them out\n");
        return AVERROR(EINVAL);
    }
    if (avctx->me_range && search_of(avctx, s) != VP8_CUDAME_SEARCH_FULL) {
        av_log(avctx, AV_LOG_ERROR, "me_range is the range of the full search: "
               "add -me_search full, or leave it out\n");
        return AVERROR(EINVAL);
    }
    if (s->band_rows && s->backend == VP8_CUDAME_BACKEND_CPU) {
        av_log(avctx, AV_LOG_ERROR, "me_band_rows divides the work of a CUDA device, me_backend "
               "cpu uses none: leave one of them out\n");
        return AVERROR(EINVAL);
    }
    if (s->cuda_after >= 0 && s->backend != VP8_CUDAME_BACKEND_AUTO) {
        av_log(avctx, AV_LOG_ERROR, "me_cuda_after says when me_backend auto starts CUDA, "
               "me_backend %s has no such choice: leave one of them out\n",
               s->backend == VP8_CUDAME_BACKEND_CPU ? "cpu" : "cuda");
        return AVERROR(EINVAL);
    }
    if (s->gpu >= 0 && s->backend == VP8_CUDAME_BACKEND_CPU) {
        av_log(avctx, AV_LOG_ERROR, "gpu %d asks for a CUDA device, me_backend cpu "
               "uses none: leave one of them out\n", s->gpu);
        return AVERROR(EINVAL);
    }
    if (s->first_pass == VP8_CUDAME_FIRST_PASS_CUDA && s->backend == VP8_CUDAME_BACKEND_CPU) {
        av_log(avctx, AV_LOG_ERROR, "me_first_pass cuda asks for a CUDA device, me_backend cpu "
               "uses none: leave one of them out\n");
        return AVERROR(EINVAL);
    }
    return 0;
}

/** Print the CUDA devices, as NVENC's encoders do: opening ends with what is no failure. */
static int list_devices(AVCodecContext *avctx)
{
    cudame_device devices[MAX_DEVICES];
    char err[256];
    int nb = cudame_list_devices(devices, MAX_DEVICES, err, sizeof(err));

    if (nb < 0) {
        av_log(avctx, AV_LOG_ERROR, "No CUDA devices to list: %s\n", err);
        return ff_vp8_cudame_averror(nb);
    }
    for (int i = 0; i < FFMIN(nb, MAX_DEVICES); i++)
        av_log(avctx, AV_LOG_INFO, "gpu %d: %s, compute capability %d.%d\n", i, devices[i].name,
               devices[i].compute_major, devices[i].compute_minor);
    return AVERROR_EXIT;
}

/** Name options that were given and do nothing where libvpx searches motion itself. */
static void warn_unused(AVCodecContext *avctx, const VP8CudaMEContext *s, const char *where)
{
    const int is_off = s->mode == VP8_CUDAME_MODE_OFF;
    /* cpu is also what avoids a warning where there is no CUDA, and what profile 3 gets */
    const int backend = is_off || s->backend == VP8_CUDAME_BACKEND_CUDA ?
                        s->backend : VP8_CUDAME_BACKEND_AUTO;
    const struct {
        const char *name;
        int given;
    } options[] = {
        { "cuda_me",       !is_off && s->mode != VP8_CUDAME_MODE_DEFAULT },
        { "me_backend",    backend != VP8_CUDAME_BACKEND_AUTO },
        { "me_cuda_after", s->cuda_after >= 0 },
        { "gpu",           s->gpu >= 0 },
        { "me_band_rows",  s->band_rows },
        { "me_search",     s->search != VP8_CUDAME_SEARCH_DEFAULT },
        { "me_range",      avctx->me_range },
        { "guide",         s->guide != VP8_CUDAME_GUIDE_AUTO },
        { "me_first_pass", is_off && s->first_pass != VP8_CUDAME_FIRST_PASS_AUTO },
        { "me_stats",      is_off && s->stats_path },
    };
    AVBPrint names;
    int nb = 0;

    av_bprint_init(&names, 0, AV_BPRINT_SIZE_AUTOMATIC);
    for (int i = 0; i < FF_ARRAY_ELEMS(options); i++)
        if (options[i].given)
            av_bprintf(&names, "%s%s", nb++ ? ", " : "", options[i].name);
    if (nb)
        av_log(avctx, AV_LOG_WARNING, "%s %s nothing with %s\n", names.str,
               nb > 1 ? "do" : "does", where);
}

/** Create the context on the backend that was asked for. */
static int choose_backend(VP8CudaMEProvider *mp, const VP8CudaMEContext *s)
{
    AVCodecContext *avctx = mp->avctx;
    char err[256];
    int code;

    if (s->backend != VP8_CUDAME_BACKEND_CPU) {
        mp->config.backend = CUDAME_BACKEND_CUDA;
        mp->config.device  = s->gpu;
        code = ff_vp8_cudame_create(mp, err, sizeof(err));
        if (code >= 0)
            return 0;
        /* gpu contradicts the device that was given: the CPU would hide that */
        if (s->backend == VP8_CUDAME_BACKEND_CUDA || code == CUDAME_ERROR_INVALID)
            return ff_vp8_cudame_no_cuda(avctx, "motion estimation", code, err,
                                         s->backend == VP8_CUDAME_BACKEND_CUDA ?
                                         "-me_backend auto or cpu" : "-me_backend cpu");
        av_log(avctx, AV_LOG_WARNING, "No motion estimation with CUDA (%s): "
               "it runs on the CPU%s\n", err, mp->cpu_cost);
        ff_vp8_cudame_stats_fallback(&mp->stats, "cuda to cpu", err);
    }

    mp->config.backend = CUDAME_BACKEND_CPU;
    mp->config.device  = -1;
    code = ff_vp8_cudame_create(mp, err, sizeof(err));
    if (code < 0)
        av_log(avctx, AV_LOG_ERROR, "No motion estimation on the CPU: %s\n", err);
    return ff_vp8_cudame_averror(code);
}

/**
 * Whether libvpx codes each frame in the call that brings it, and unchanged;
 * then what is on the device need not be uploaded again.
 */
static int source_is_frame(AVCodecContext *avctx, const struct vpx_codec_enc_cfg *cfg,
                           int lookahead)
{
    int64_t noise_sensitivity;

    return !lookahead && !cfg->g_lag_in_frames && !cfg->rc_resize_allowed &&
           av_opt_get_int(avctx->priv_data, "noise-sensitivity", 0, &noise_sensitivity) >= 0 &&
           !noise_sensitivity;
}

/** The guide for libvpx: how much of the mode decision cudame's costs decide. */
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

/**
 * How libvpx is to weigh time, as libvpxenc.c's options say. A deadline in microseconds
 * becomes what libvpx makes of it: realtime if it is no longer than a frame.
 */
static void get_speed(AVCodecContext *avctx, int64_t *deadline, int64_t *speed)
{
    AVRational frame = avctx->framerate.num > 0 && avctx->framerate.den > 0 ?
                       av_inv_q(avctx->framerate) : avctx->time_base;

    *deadline = VPX_DL_GOOD_QUALITY;
    *speed    = 0;
    av_opt_get_int(avctx->priv_data, "deadline", 0, deadline);
    av_opt_get_int(avctx->priv_data, "cpu-used", 0, speed);
    if (*deadline != VPX_DL_BEST_QUALITY)
        *deadline = *deadline <= av_rescale_q(1, frame, AV_TIME_BASE_Q) ? VPX_DL_REALTIME
                                                                        : VPX_DL_GOOD_QUALITY;
}

/**
 * The lean search's level that suits what libvpx spends on a decision. At realtime
 * without a negative cpu-used it chooses its speed by the clock, from 4 on.
 */
static int lean_level(AVCodecContext *avctx)
{
    int64_t deadline, speed;

    get_speed(avctx, &deadline, &speed);
    if (deadline == VPX_DL_REALTIME) {
        if (speed <= -12)
            return VP8_CUDAME_LEANEST;
        return speed <= -8 || speed >= 0 ? 3 : speed < -3 ? 2 : 1;
    }
    if (deadline == VPX_DL_BEST_QUALITY || speed < 2)
        return 0;
    return speed < 5 ? 1 : 2;
}

static const char *const search_names[] = {
    "default", "diamond", "iterative", "hierarchical", "full", "lean"
};
_Static_assert(FF_ARRAY_ELEMS(search_names) == VP8_CUDAME_SEARCH_NB, "a search has no name");

/**
 * Write what the search costs on the CPU, for the warning that it runs there. The numbers are
 * those of doc/results.md, of other searches than lean those of doc/experiments.md: CPU time of
 * an encode, times libvpx's at the same setting.
 */
static void note_cpu_cost(VP8CudaMEProvider *mp)
{
    const char *lean, *full = NULL, *hierarchical = NULL, *times = NULL;
    int64_t deadline, speed;
    AVBPrint text;

    get_speed(mp->avctx, &deadline, &speed);
    if (deadline == VPX_DL_BEST_QUALITY) {
        lean         = "0.3";
        hierarchical = "1.1";
        full         = "1.5";
    } else if (deadline == VPX_DL_GOOD_QUALITY) {
        lean = speed < 2 ? "0.5" : speed < 5 ? "0.7" : "1.0";
    } else {
        lean = speed <= -12 ? "1.0" : "1.1";
        if (speed <= -8) {
            hierarchical = "11 or more";
            full         = "17 or more";
        }
    }
    if (mp->config.mode == CUDAME_MODE_FULL)
        times = mp->config.search == CUDAME_SEARCH_LEAN         ? lean :
                mp->config.search == CUDAME_SEARCH_HIERARCHICAL ? hierarchical :
                mp->config.search == CUDAME_SEARCH_FULL         ? full : NULL;
    av_bprint_init_for_buffer(&text, mp->cpu_cost, sizeof(mp->cpu_cost));
    av_bprintf(&text, ", with -me_search %s", search_names[mp->config.search]);
    if (times)
        av_bprintf(&text, " at about %s times libvpx's CPU time", times);
    if (mp->config.mode == CUDAME_MODE_FULL && mp->config.search != CUDAME_SEARCH_LEAN)
        av_bprintf(&text, " (lean: %s)", lean);
    av_bprintf(&text, "; -me_backend cpu avoids this warning");
}

/**
 * Frames that libvpx is to know ahead in one pass, 0: none. Not where a frame is to come out
 * at once, or nothing may be shared out between frames.
 */
static int lookahead(AVCodecContext *avctx, const VP8CudaMEContext *s,
                     const struct vpx_codec_enc_cfg *cfg)
{
    const AVPixFmtDescriptor *desc = av_pix_fmt_desc_get(avctx->pix_fmt);
    int64_t deadline, speed;

    get_speed(avctx, &deadline, &speed);
    if (deadline == VPX_DL_REALTIME || cfg->g_pass != VPX_RC_ONE_PASS ||
        avctx->flags & AV_CODEC_FLAG_LOW_DELAY || cfg->g_error_resilient ||
        cfg->ts_number_layers > 1 || cfg->kf_max_dist <= 1 ||
        cfg->rc_min_quantizer == cfg->rc_max_quantizer ||
        cfg->rc_end_usage != VPX_VBR && cfg->rc_end_usage != VPX_CQ ||
        desc && desc->flags & AV_PIX_FMT_FLAG_ALPHA)
        return 0;
    if (s->lag >= 0)
        return s->lag > 2 ? s->lag : 0;
    return deadline == VPX_DL_BEST_QUALITY || speed < LOOKAHEAD_BELOW ? LOOKAHEAD : 0;
}

/**
 * Have no alt-ref frames in one pass where they could not have a time of their own, between
 * those of two frames.
 */
static void check_alt_ref(AVCodecContext *avctx, struct vpx_codec_ctx *encoder)
{
    int64_t alt_ref = 0;

    av_opt_get_int(avctx->priv_data, "auto-alt-ref", 0, &alt_ref);
    if (alt_ref <= 0 || avctx->framerate.num > 0 && avctx->framerate.den > 0 &&
        av_rescale_q(1, av_inv_q(avctx->framerate), avctx->time_base) >= 2)
        return;
    av_log(avctx, AV_LOG_WARNING, "auto-alt-ref does nothing: frames are a tick of the time base "
           "%d/%d apart, which leaves none for hidden frames (ffmpeg: -enc_time_base 1:1000)\n",
           avctx->time_base.num, avctx->time_base.den);
    vpx_codec_control(encoder, VP8E_SET_ENABLEAUTOALTREF, 0);
}

/** What libvpx makes of guide auto, unless it chooses its speed by the clock. */
static int guide_of(AVCodecContext *avctx, int guide)
{
    int64_t deadline, speed;
    int by_rd;

    get_speed(avctx, &deadline, &speed);
    by_rd = deadline == VPX_DL_BEST_QUALITY ||
            (deadline == VPX_DL_REALTIME ? speed >= -3 : speed <= 3);
    if (guide != VP8_CUDAME_GUIDE_AUTO || deadline == VPX_DL_REALTIME && speed >= 0)
        return guide;
    return by_rd ? VP8_CUDAME_GUIDE_NORMAL : VP8_CUDAME_GUIDE_AGGRESSIVE;
}

/** Log what options, preset and defaults come to. */
static void log_settings(AVCodecContext *avctx, const VP8CudaMEContext *s)
{
    static const char *const guides[] = { "off", "safe", "normal", "aggressive", "auto" };
    const VP8CudaMEProvider *mp = s->provider;
    char deadline[32], level[16] = "", ahead[32] = "";

    _Static_assert(FF_ARRAY_ELEMS(guides) == VP8_CUDAME_GUIDE_NB, "a guide has no name");
    switch (s->deadline) {
    case VPX_DL_BEST_QUALITY: av_strlcpy(deadline, "best",     sizeof(deadline)); break;
    case VPX_DL_GOOD_QUALITY: av_strlcpy(deadline, "good",     sizeof(deadline)); break;
    case VPX_DL_REALTIME:     av_strlcpy(deadline, "realtime", sizeof(deadline)); break;
    default: snprintf(deadline, sizeof(deadline), "%d us", s->deadline);
    }
    if (!mp) {
        av_log(avctx, AV_LOG_VERBOSE, "deadline %s, cpu-used %d, cuda_me off\n", deadline,
               s->cpu_used);
        return;
    }
    if (mp->callbacks.lookahead)
        snprintf(ahead, sizeof(ahead), ", %d frames ahead", mp->callbacks.lookahead);
    if (!mp->cudame) {
        av_log(avctx, AV_LOG_VERBOSE, "deadline %s, cpu-used %d, profile 3 on libvpx's own "
               "search%s, %d threads\n", deadline, s->cpu_used, ahead, mp->config.threads);
        return;
    }
    if (mp->config.search == CUDAME_SEARCH_LEAN)
        snprintf(level, sizeof(level), " level %d", mp->config.level);
    av_log(avctx, AV_LOG_VERBOSE, "deadline %s, cpu-used %d, cuda_me %s on %s%s, "
           "me_search %s%s, guide %s%s, %d threads\n", deadline, s->cpu_used,
           ff_vp8_cudame_mode_names[s->mode], ff_vp8_cudame_backend_name(mp),
           mp->config.backend == CUDAME_BACKEND_CUDA && mp->config.cuda_after_ms ?
           " until cuda pays" : "", search_names[mp->config.search], level,
           guides[guide_of(avctx, mp->callbacks.guide)], ahead, mp->config.threads);
}

av_cold int ff_vp8_cudame_init(AVCodecContext *avctx, VP8CudaMEContext *s,
                               struct vpx_codec_ctx *encoder)
{
    int first_pass = avctx->flags & AV_CODEC_FLAG_PASS1;
    int full_pixel = encoder->config.enc->g_profile == FULL_PIXEL_PROFILE;
    VP8CudaMEProvider *mp;
    int ret, ahead;

    if (s->gpu == VP8_CUDAME_GPU_LIST)
        return list_devices(avctx);
    ret = ff_vp8_cudame_frames_init(avctx, s);
    if (ret < 0)
        return ret;
    if (s->mode == VP8_CUDAME_MODE_OFF) {
        warn_unused(avctx, s, "cuda_me off");
        log_settings(avctx, s);
        return 0;
    }
    ret = check_options(avctx, s);
    if (ret < 0)
        return ret;
    if (full_pixel && !first_pass)
        warn_unused(avctx, s, "profile 3, where libvpx searches motion itself");

    mp = s->provider = av_mallocz(sizeof(*mp));
    if (!mp)
        return AVERROR(ENOMEM);
    mp->avctx        = avctx;
    atomic_init(&mp->error, 0);
    atomic_init(&mp->device, -1);
    atomic_init(&mp->stats.rows, 0);

    cudame_config_default(&mp->config);
    mp->config.size       = sizeof(mp->config);
    mp->config.mode       = s->mode;
    mp->config.search     = search_of(avctx, s);
    mp->config.range      = avctx->me_range;
    mp->config.level      = lean_level(avctx);
    mp->config.width      = ff_vp8_cudame_padded(avctx->width);
    mp->config.height     = ff_vp8_cudame_padded(avctx->height);
    mp->config.threads    = av_clip(encoder->config.enc->g_threads, 1, MAX_THREADS);
    mp->config.log        = log_cudame;
    mp->config.log_opaque = mp;
    mp->config.fallback   = s->backend == VP8_CUDAME_BACKEND_AUTO;
    mp->config.band_rows  = s->band_rows;
    mp->config.cu_context = s->frames.cu_context;
    /* that of frames, or of a device that was given, runs already */
    if (s->backend == VP8_CUDAME_BACKEND_AUTO && !s->frames.cu_context)
        mp->config.cuda_after_ms = s->cuda_after < 0 ? CUDA_AFTER_MS : s->cuda_after;
    mp->config.cu_stream  = s->frames.cu_stream;
    mp->frames            = &s->frames;
    ahead                 = lookahead(avctx, s, encoder->config.enc);
    mp->source_is_frame   = source_is_frame(avctx, encoder->config.enc, ahead);

    /* The first pass, and streams of whole pixels, search nothing with it. */
    if (!first_pass && !full_pixel) {
        note_cpu_cost(mp);
        ret = choose_backend(mp, s);
        if (ret < 0)
            return ret;
        mp->device = cudame_device_in_use(mp->cudame);
    }
    if (!first_pass) {
        ret = ff_vp8_cudame_stats_open(&mp->stats, avctx, s->stats_path,
                                       ff_vp8_cudame_mode_names[s->mode]);
        if (ret < 0)
            return ret;
    }

    ff_vp8_cudame_provide(mp);
    mp->callbacks.guide     = guidance(avctx, s);
    mp->callbacks.lookahead = ahead;
    mp->callbacks.mbtree    = s->mb_quantizers;
    if (s->filter_source)
        mp->callbacks.prefilter = VP8E_MP_PREFILTER_SHOWN |
                                  (s->arnr_frames < 0 ? VP8E_MP_PREFILTER_HIDDEN : 0);
    if (ahead)
        check_alt_ref(avctx, encoder);
    if (first_pass || ahead) {
        ret = ff_vp8_cudame_first_pass_init(mp, s);
        if (ret < 0)
            return ret;
    }
    if (vpx_codec_control(encoder, VP8E_SET_MOTION_PROVIDER, &mp->callbacks) != VPX_CODEC_OK) {
        const char *detail = vpx_codec_error_detail(encoder);

        av_log(avctx, AV_LOG_ERROR, "This libvpx (%s) takes no motion provider of version %d "
               "(%s%s%s): link FFmpeg with the patched one, or use -cuda_me off\n",
               vpx_codec_version_str(), VP8E_MP_ABI_VERSION, vpx_codec_error(encoder),
               detail ? ", " : "", detail ? detail : "");
        return AVERROR_EXTERNAL;
    }
    if (!first_pass)
        log_settings(avctx, s);
    return 0;
}

av_cold void ff_vp8_cudame_close(VP8CudaMEContext *s)
{
    if (s->provider) {
        ff_vp8_cudame_drop(s->provider);
        ff_vp8_cudame_first_pass_close(s->provider);
        ff_vp8_cudame_stats_close(&s->provider->stats);
        av_freep(&s->provider);
    }
    ff_vp8_cudame_frames_close(s);
}
