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
 * Opening and closing of the encoder vp8_cudame: check the options, and make a
 * motion provider of them. The work for each frame is in vp8_cudame_frames.c and
 * in the library vp8provider.
 */

#include <stdio.h>
#include <string.h>

#include <cudame/cudame.h>
#include <vp8provider/vp8provider.h>
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
#include "libavutil/opt.h"
#include "libavutil/pixdesc.h"

#define MAX_THREADS 64  ///< maximum of cudame_config.threads
#define MAX_RANGE   128 ///< maximum of cudame_config.range, in pixels

#define FULL_PIXEL_PROFILE 3 ///< libvpx does the motion search in this profile

#define MAX_DEVICES 64 ///< maximum number of devices that -gpu list prints

/** Default of me_cuda_after: starting CUDA takes about this much CPU time. */
#define CUDA_AFTER_MS 300

/** Deadline good has no lookahead by default from this cpu-used on: the
    lookahead would take too large a share of the time. */
#define LOOKAHEAD_BELOW 4

/**
 * Resolve me_search default. cuda_me full gets the lean search, with two
 * exceptions: guide off, because libvpx then evaluates every candidate, which
 * takes far longer than a full search, and me_range, because only the full
 * search has a range.
 */
static int get_search(AVCodecContext *avctx, const VP8CudaMEContext *s)
{
    if (s->search != CUDAME_SEARCH_DEFAULT)
        return s->search;
    if (s->mode != CUDAME_MODE_FULL)
        return CUDAME_SEARCH_DIAMOND;
    return s->guide == VP8E_MP_GUIDE_OFF || avctx->me_range ? CUDAME_SEARCH_FULL
                                                            : CUDAME_SEARCH_LEAN;
}

static int check_options(AVCodecContext *avctx, const VP8CudaMEContext *s)
{
    if (avctx->me_range < 0 || avctx->me_range > MAX_RANGE) {
        av_log(avctx, AV_LOG_ERROR, "me_range %d is not within 1 to %d pixels "
               "(0: default)\n", avctx->me_range, MAX_RANGE);
        return AVERROR(EINVAL);
    }
    if (s->search == CUDAME_SEARCH_LEAN && s->mode != CUDAME_MODE_FULL) {
        av_log(avctx, AV_LOG_ERROR, "me_search lean needs cuda_me full: "
               "remove me_search or cuda_me\n");
        return AVERROR(EINVAL);
    }
    if (avctx->me_range && get_search(avctx, s) != CUDAME_SEARCH_FULL) {
        av_log(avctx, AV_LOG_ERROR, "me_range applies only to the full search: "
               "add -me_search full, or remove me_range\n");
        return AVERROR(EINVAL);
    }
    if (s->band_rows && s->backend == VP8_CUDAME_BACKEND_CPU) {
        av_log(avctx, AV_LOG_ERROR, "me_band_rows applies only to CUDA, but "
               "me_backend is cpu: remove one of them\n");
        return AVERROR(EINVAL);
    }
    if (s->cuda_after >= 0 && s->backend != VP8_CUDAME_BACKEND_AUTO) {
        av_log(avctx, AV_LOG_ERROR, "me_cuda_after applies only to me_backend auto, "
               "but me_backend is %s: remove one of them\n",
               s->backend == VP8_CUDAME_BACKEND_CPU ? "cpu" : "cuda");
        return AVERROR(EINVAL);
    }
    if (s->gpu >= 0 && s->backend == VP8_CUDAME_BACKEND_CPU) {
        av_log(avctx, AV_LOG_ERROR, "gpu %d selects a CUDA device, but me_backend is "
               "cpu: remove one of them\n", s->gpu);
        return AVERROR(EINVAL);
    }
    if (s->first_pass == VP8_CUDAME_FIRST_PASS_CUDA &&
        s->backend == VP8_CUDAME_BACKEND_CPU) {
        av_log(avctx, AV_LOG_ERROR, "me_first_pass cuda needs a CUDA device, but "
               "me_backend is cpu: remove one of them\n");
        return AVERROR(EINVAL);
    }
    return 0;
}

/**
 * Print the CUDA devices, as the encoders of NVENC do.
 * @return AVERROR_EXIT if that worked, so that opening the encoder ends here
 */
static int list_devices(AVCodecContext *avctx)
{
    cudame_device devices[MAX_DEVICES];
    char err[256];
    int nb = cudame_list_devices(devices, MAX_DEVICES, err, sizeof(err));

    if (nb < 0) {
        av_log(avctx, AV_LOG_ERROR, "Cannot list the CUDA devices: %s\n", err);
        return ff_vp8_cudame_averror(nb);
    }
    for (int i = 0; i < FFMIN(nb, MAX_DEVICES); i++)
        av_log(avctx, AV_LOG_INFO, "gpu %d: %s, compute capability %d.%d\n", i,
               devices[i].name, devices[i].compute_major, devices[i].compute_minor);
    return AVERROR_EXIT;
}

/**
 * Warn about given options that have no effect because libvpx does the motion
 * search.
 * @param cause why libvpx does it, for the message
 */
static void warn_unused(AVCodecContext *avctx, const VP8CudaMEContext *s, const char *cause)
{
    const int is_off = s->mode == VP8_CUDAME_MODE_OFF;
    const int is_one_pass = !(avctx->flags & (AV_CODEC_FLAG_PASS1 | AV_CODEC_FLAG_PASS2));
    /* Accept me_backend cpu with profile 3: users set it to avoid the warning
       about missing CUDA, and the search does run on the CPU. */
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
        { "me_search",     s->search != CUDAME_SEARCH_DEFAULT },
        { "me_range",      avctx->me_range },
        { "guide",         s->guide != VP8E_MP_GUIDE_AUTO },
        { "me_offload",    s->offload != VP8_CUDAME_OFFLOAD_AUTO },
        { "me_first_pass", is_off && s->first_pass != VP8_CUDAME_FIRST_PASS_AUTO },
        { "me_stats",      is_off && s->stats_path },
        { "lag-in-frames", is_off && is_one_pass && s->lag > 2 },
    };
    AVBPrint names;
    int nb = 0;

    av_bprint_init(&names, 0, AV_BPRINT_SIZE_AUTOMATIC);
    for (int i = 0; i < FF_ARRAY_ELEMS(options); i++)
        if (options[i].given)
            av_bprintf(&names, "%s%s", nb++ ? ", " : "", options[i].name);
    if (nb)
        av_log(avctx, AV_LOG_WARNING, "%s %s no effect with %s\n", names.str,
               nb > 1 ? "have" : "has", cause);
}

/**
 * Tell whether libvpx encodes each frame unchanged, in the call that passes it.
 * Then the motion search can read a CUDA frame in place, without an upload.
 */
static int source_is_frame(AVCodecContext *avctx, const struct vpx_codec_enc_cfg *cfg,
                           int lookahead)
{
    int64_t noise_sensitivity;

    return !lookahead && !cfg->g_lag_in_frames && !cfg->rc_resize_allowed &&
           av_opt_get_int(avctx->priv_data, "noise-sensitivity", 0,
                          &noise_sensitivity) >= 0 &&
           !noise_sensitivity;
}

/** Get the VP8E_MP_GUIDE_* for libvpx. */
static int get_guide(AVCodecContext *avctx, const VP8CudaMEContext *s)
{
    if (avctx->flags & AV_CODEC_FLAG_PASS1)
        return VP8E_MP_GUIDE_OFF;
    /* The guide needs the SATD of all blocks, which only this mode computes. */
    if (s->mode == CUDAME_MODE_FULL)
        return s->guide;
    if (s->guide != VP8E_MP_GUIDE_AUTO && s->guide != VP8E_MP_GUIDE_OFF)
        av_log(avctx, AV_LOG_WARNING, "guide has no effect without cuda_me full\n");
    return VP8E_MP_GUIDE_OFF;
}

/**
 * Get libvpxenc.c's options deadline and cpu-used. A deadline in microseconds
 * is converted as libvpx does it: realtime if it is at most the duration of a
 * frame, else good.
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
        *deadline = *deadline <= av_rescale_q(1, frame, AV_TIME_BASE_Q) ?
                    VPX_DL_REALTIME : VPX_DL_GOOD_QUALITY;
}

/**
 * Get the option that rules out a lookahead in one pass, for a message, or NULL
 * if none does.
 *
 * There is no lookahead if frames must come out at once (realtime, low delay,
 * error resilience, temporal layers), if bits cannot be distributed among
 * frames (key frames only, a single quantizer, CBR), or with alpha.
 *
 * libvpx repeats some of these checks before it queues the first frame. It
 * cannot make them for us: it learns the deadline as an argument of
 * vpx_codec_encode(), but set_alt_ref(), source_is_frame() and
 * ff_vp8_cudame_first_pass_init() need the result when the encoder is opened.
 */
static const char *no_lookahead(AVCodecContext *avctx, const struct vpx_codec_enc_cfg *cfg)
{
    const AVPixFmtDescriptor *desc = av_pix_fmt_desc_get(avctx->pix_fmt);
    int64_t deadline, speed;

    get_speed(avctx, &deadline, &speed);
    if (deadline == VPX_DL_REALTIME)
        return "deadline realtime";
    if (avctx->flags & AV_CODEC_FLAG_LOW_DELAY)
        return "flags low_delay";
    if (cfg->g_error_resilient)
        return "error-resilient";
    if (cfg->ts_number_layers > 1)
        return "temporal layers";
    if (cfg->kf_max_dist <= 1)
        return "key frames alone";
    if (cfg->rc_min_quantizer == cfg->rc_max_quantizer)
        return "qmin equal to qmax";
    if (cfg->rc_end_usage != VPX_VBR && cfg->rc_end_usage != VPX_CQ)
        return "a constant bitrate";
    if (desc && desc->flags & AV_PIX_FMT_FLAG_ALPHA)
        return "transparency";
    return NULL;
}

/** Tell whether the program asked for FFmpeg's encoder libvpx. */
static int is_libvpx(const AVCodecContext *avctx)
{
    return !strcmp(avctx->codec->name, "libvpx");
}

/** Tell whether a lookahead is the default at the speed of the encoder. */
static int is_lookahead_default(AVCodecContext *avctx)
{
    int64_t deadline, speed;

    get_speed(avctx, &deadline, &speed);
    return deadline == VPX_DL_BEST_QUALITY || speed < LOOKAHEAD_BELOW;
}

/** Get the number of frames of lookahead in one pass, or 0 if there is none. */
static int get_lookahead(AVCodecContext *avctx, const VP8CudaMEContext *s,
                         const struct vpx_codec_enc_cfg *cfg)
{
    const char *obstacle;

    if (cfg->g_pass != VPX_RC_ONE_PASS)
        return 0;
    obstacle = no_lookahead(avctx, cfg);
    if (obstacle) {
        if (s->lag > 2)
            av_log(avctx, AV_LOG_WARNING, "lag-in-frames has no effect with %s\n", obstacle);
        return 0;
    }
    if (s->lag >= 0)
        return s->lag > 2 ? s->lag : 0;
    /* Programs that use libvpx may wait for the packet of each frame. */
    if (is_libvpx(avctx) && s->preset == VP8_CUDAME_PRESET_NONE)
        return 0;
    return is_lookahead_default(avctx) ? VP8_CUDAME_LOOKAHEAD : 0;
}

/** Tell whether the time base has a timestamp between those of two frames. */
static int has_time_between(const AVCodecContext *avctx)
{
    return avctx->framerate.num > 0 && avctx->framerate.den > 0 &&
           av_rescale_q(1, av_inv_q(avctx->framerate), avctx->time_base) >= 2;
}

/**
 * Enable or disable hidden alternate reference frames in one pass. They are the
 * default at speeds at which a lookahead is, if there is a timestamp for them:
 * one between those of two frames, or the next frame's. At higher speeds they
 * gain 1 % of bitrate in the mean, but lose up to 8 %.
 */
static void set_alt_ref(AVCodecContext *avctx, const VP8CudaMEContext *s,
                        struct vpx_codec_ctx *encoder)
{
    int64_t alt_ref = -1;
    int has_time = s->alt_ref_dts == VP8_CUDAME_ALT_REF_DTS_NEXT ||
                   has_time_between(avctx);

    av_opt_get_int(avctx->priv_data, "auto-alt-ref", 0, &alt_ref);
    if (alt_ref < 0)
        alt_ref = has_time && is_lookahead_default(avctx);
    if (alt_ref && !has_time)
        av_log(avctx, AV_LOG_WARNING, "auto-alt-ref has no effect: with the time base %d/%d "
               "there is no timestamp between two frames for a hidden frame. Use a finer "
               "time base (ffmpeg: -enc_time_base 1:1000), or alt_ref_dts next if packets may "
               "have equal timestamps\n", avctx->time_base.num, avctx->time_base.den);
    vpx_codec_control(encoder, VP8E_SET_ENABLEAUTOALTREF, alt_ref && has_time);
}

/** Log the values that options, preset and defaults result in. */
static void log_settings(AVCodecContext *avctx, const VP8CudaMEContext *s)
{
    static const char *const searches[] = {
        [CUDAME_SEARCH_DEFAULT]   = "default",
        [CUDAME_SEARCH_DIAMOND]   = "diamond",
        [CUDAME_SEARCH_ITERATIVE] = "iterative",
        [CUDAME_SEARCH_FULL]      = "full",
        [CUDAME_SEARCH_LEAN]      = "lean",
    };
    static const char *const guides[] = {
        [VP8E_MP_GUIDE_OFF]        = "off",
        [VP8E_MP_GUIDE_SAFE]       = "safe",
        [VP8E_MP_GUIDE_NORMAL]     = "normal",
        [VP8E_MP_GUIDE_AGGRESSIVE] = "aggressive",
        [VP8E_MP_GUIDE_AUTO]       = "auto",
    };
    const vp8e_motion_provider_t *callbacks;
    const cudame_config *search;
    char deadline[32], level[16] = "", after[32] = "", ahead[48] = "";

    switch (s->deadline) {
    case VPX_DL_BEST_QUALITY: av_strlcpy(deadline, "best",     sizeof(deadline)); break;
    case VPX_DL_GOOD_QUALITY: av_strlcpy(deadline, "good",     sizeof(deadline)); break;
    case VPX_DL_REALTIME:     av_strlcpy(deadline, "realtime", sizeof(deadline)); break;
    default: snprintf(deadline, sizeof(deadline), "%d us", s->deadline);
    }
    if (!s->provider) {
        av_log(avctx, AV_LOG_VERBOSE, "deadline %s, cpu-used %d, cuda_me off\n", deadline,
               s->cpu_used);
        return;
    }
    callbacks = vp8_provider_callbacks(s->provider);
    search    = vp8_provider_search(s->provider);
    if (callbacks->lookahead)
        snprintf(ahead, sizeof(ahead), ", %d frames of lookahead", callbacks->lookahead);
    if (!vp8_provider_is_open(s->provider)) {
        av_log(avctx, AV_LOG_VERBOSE, "deadline %s, cpu-used %d, profile 3 with the motion "
               "search of libvpx%s, %d threads\n", deadline, s->cpu_used, ahead,
               search->threads);
        return;
    }
    if (search->search == CUDAME_SEARCH_LEAN)
        snprintf(level, sizeof(level), " level %d", search->level);
    if (search->backend == CUDAME_BACKEND_CUDA && search->cuda_after_ms)
        snprintf(after, sizeof(after), " (cuda after %d ms)", search->cuda_after_ms);
    av_log(avctx, AV_LOG_VERBOSE, "deadline %s, cpu-used %d, cuda_me %s on %s%s, "
           "me_search %s%s, guide %s%s, %d threads\n", deadline, s->cpu_used,
           vp8_provider_mode_name(s->mode), vp8_provider_backend_name(s->provider), after,
           searches[search->search], level, guides[callbacks->guide], ahead,
           search->threads);
}

/** Allocate s->provider for the motion search that the options ask for. */
static int alloc_provider(AVCodecContext *avctx, VP8CudaMEContext *s,
                          const struct vpx_codec_enc_cfg *cfg)
{
    cudame_config search;
    int64_t deadline, speed;

    get_speed(avctx, &deadline, &speed);
    cudame_config_default(&search);
    search.mode       = s->mode;
    search.search     = get_search(avctx, s);
    search.range      = avctx->me_range;
    search.level      = vp8_provider_level(deadline, speed);
    search.width      = vp8_provider_padded(avctx->width);
    search.height     = vp8_provider_padded(avctx->height);
    search.threads    = av_clip(cfg->g_threads, 1, MAX_THREADS);
    search.band_rows  = s->band_rows;
    search.cu_context = s->frames.cu_context;
    search.cu_stream  = s->frames.cu_stream;
    /* A context that the user brings is running already: use CUDA at once. */
    if (s->backend == VP8_CUDAME_BACKEND_AUTO && !s->frames.cu_context)
        search.cuda_after_ms = s->cuda_after < 0 ? CUDA_AFTER_MS : s->cuda_after;
    return ff_vp8_cudame_provider_alloc(avctx, s, &search);
}

/** Create what the provider needs for this pass, and set its callbacks. */
static int init_provider(AVCodecContext *avctx, VP8CudaMEContext *s,
                         struct vpx_codec_ctx *encoder)
{
    const struct vpx_codec_enc_cfg *cfg = encoder->config.enc;
    vp8e_motion_provider_t *callbacks = vp8_provider_callbacks(s->provider);
    int is_first_pass = avctx->flags & AV_CODEC_FLAG_PASS1;
    int lookahead     = get_lookahead(avctx, s, cfg);
    int ret;

    s->source_is_frame = source_is_frame(avctx, cfg, lookahead);

    /* The first pass and profile 3 do not use cudame's motion search. */
    if (!is_first_pass && cfg->g_profile != FULL_PIXEL_PROFILE) {
        ret = ff_vp8_cudame_provider_open(avctx, s);
        if (ret < 0)
            return ret;
    }
    if (!is_first_pass) {
        ret = ff_vp8_cudame_stats_open(avctx, s);
        if (ret < 0)
            return ret;
    }

    callbacks->guide     = get_guide(avctx, s);
    callbacks->lookahead = lookahead;
    callbacks->mbtree    = s->mb_quantizers;
    if (s->filter_source)
        callbacks->prefilter = VP8E_MP_PREFILTER_SHOWN |
                               (s->arnr_frames < 0 ? VP8E_MP_PREFILTER_HIDDEN : 0);
    if (lookahead)
        set_alt_ref(avctx, s, encoder);
    return is_first_pass || lookahead ? ff_vp8_cudame_first_pass_open(avctx, s) : 0;
}

av_cold int ff_vp8_cudame_init(AVCodecContext *avctx, VP8CudaMEContext *s,
                               struct vpx_codec_ctx *encoder)
{
    const struct vpx_codec_enc_cfg *cfg = encoder->config.enc;
    int is_first_pass = avctx->flags & AV_CODEC_FLAG_PASS1;
    int ret;

    if (s->gpu == VP8_CUDAME_GPU_LIST)
        return list_devices(avctx);
    ff_vp8_cudame_change_init(avctx, s, encoder);
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
    if (is_first_pass && s->stats_path)
        av_log(avctx, AV_LOG_WARNING, "me_stats has no effect in the first of two passes\n");
    if (cfg->g_profile == FULL_PIXEL_PROFILE && !is_first_pass)
        warn_unused(avctx, s, "profile 3, because libvpx does its motion search");

    if ((ret = alloc_provider(avctx, s, cfg)) < 0 ||
        (ret = init_provider(avctx, s, encoder)) < 0 ||
        (ret = ff_vp8_cudame_provider_attach(avctx, s, encoder)) < 0)
        return ret;
    if (!is_first_pass)
        log_settings(avctx, s);
    return 0;
}

int ff_vp8_cudame_reopened(AVCodecContext *avctx, VP8CudaMEContext *s,
                           struct vpx_codec_ctx *encoder)
{
    ff_vp8_cudame_change_init(avctx, s, encoder);
    if (!s->provider)
        return 0;
    vp8_provider_reopened(s->provider);
    if (vp8_provider_callbacks(s->provider)->lookahead)
        set_alt_ref(avctx, s, encoder);
    return ff_vp8_cudame_provider_attach(avctx, s, encoder);
}

av_cold void ff_vp8_cudame_close(VP8CudaMEContext *s)
{
    ff_vp8_cudame_provider_close(s);
    ff_vp8_cudame_frames_close(s);
}
