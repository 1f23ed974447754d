/*
 * Changes of the running encoder vp8_cudame
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
 * Rates, quantizers and the distance of key frames may change while the encoder
 * runs. The fields of the AVCodecContext are compared with those of the frame
 * before, and given to libvpx if they differ. No change makes a key frame.
 */

#include <limits.h>
#include <stdint.h>

#include <vpx/vp8cx.h>
#include <vpx/vpx_encoder.h>

#include "avcodec.h"
#include "vp8_cudame.h"
#include "libavutil/common.h"
#include "libavutil/error.h"
#include "libavutil/log.h"
#include "libavutil/mathematics.h"
#include "libavutil/opt.h"

#define MAX_QUANTIZER 63
/** libvpx counts in kb/s. At 0 kb/s it would drop all frames. */
#define MIN_BIT_RATE 500

static VP8CudaMESettings get_settings(const AVCodecContext *avctx)
{
    return (VP8CudaMESettings) {
        .bit_rate    = avctx->bit_rate,
        .min_rate    = avctx->rc_min_rate,
        .max_rate    = avctx->rc_max_rate,
        .buffer_size = avctx->rc_buffer_size,
        .qmin        = avctx->qmin,
        .qmax        = avctx->qmax,
        .gop_size    = avctx->gop_size,
        .keyint_min  = avctx->keyint_min,
        .framerate   = avctx->framerate,
    };
}

static int same_rates(const VP8CudaMESettings *a, const VP8CudaMESettings *b)
{
    return a->bit_rate == b->bit_rate && a->min_rate == b->min_rate &&
           a->max_rate == b->max_rate && a->buffer_size == b->buffer_size;
}

static int same_key_frames(const VP8CudaMESettings *a, const VP8CudaMESettings *b)
{
    return a->gop_size == b->gop_size && a->keyint_min == b->keyint_min;
}

static int same_quantizers(const VP8CudaMESettings *a, const VP8CudaMESettings *b)
{
    return a->qmin == b->qmin && a->qmax == b->qmax;
}

static int same_framerate(const VP8CudaMESettings *a, const VP8CudaMESettings *b)
{
    return a->framerate.num == b->framerate.num && a->framerate.den == b->framerate.den;
}

static int check_rates(AVCodecContext *avctx, const VP8CudaMESettings *now)
{
    if (now->bit_rate < MIN_BIT_RATE) {
        av_log(avctx, AV_LOG_ERROR, "bit_rate %"PRId64" is below %d bits per second\n",
               now->bit_rate, MIN_BIT_RATE);
        return AVERROR(EINVAL);
    }
    if (now->min_rate < 0 || now->max_rate < 0 || now->buffer_size < 0) {
        av_log(avctx, AV_LOG_ERROR, "rc_min_rate %"PRId64", rc_max_rate %"PRId64" or "
               "rc_buffer_size %d is negative\n",
               now->min_rate, now->max_rate, now->buffer_size);
        return AVERROR(EINVAL);
    }
    if (now->max_rate && now->min_rate > now->max_rate) {
        av_log(avctx, AV_LOG_ERROR, "rc_min_rate %"PRId64" is above rc_max_rate %"PRId64"\n",
               now->min_rate, now->max_rate);
        return AVERROR(EINVAL);
    }
    return 0;
}

/** Check the quantizers that result from the context's fields. */
static int check_quantizers(AVCodecContext *avctx, const struct vpx_codec_enc_cfg *cfg)
{
    int64_t crf;

    if (avctx->qmin > MAX_QUANTIZER || avctx->qmax > MAX_QUANTIZER ||
        cfg->rc_min_quantizer > cfg->rc_max_quantizer) {
        av_log(avctx, AV_LOG_ERROR, "qmin %d and qmax %d are no range within 0 to %d\n",
               (int)cfg->rc_min_quantizer, (int)cfg->rc_max_quantizer, MAX_QUANTIZER);
        return AVERROR(EINVAL);
    }
    if (cfg->rc_end_usage == VPX_CQ &&
        av_opt_get_int(avctx->priv_data, "crf", 0, &crf) >= 0 &&
        (crf < cfg->rc_min_quantizer || crf > cfg->rc_max_quantizer)) {
        av_log(avctx, AV_LOG_ERROR, "crf %d is not within qmin %d and qmax %d\n",
               (int)crf, (int)cfg->rc_min_quantizer, (int)cfg->rc_max_quantizer);
        return AVERROR(EINVAL);
    }
    return 0;
}

static int check_framerate(AVCodecContext *avctx, const VP8CudaMESettings *now)
{
    const AVRational rate = now->framerate;

    /* 0/1 means unknown. libvpx refuses frames that last less than a tick. */
    if (rate.num >= 0 && rate.den > 0 &&
        (!rate.num || av_rescale_q(1, av_inv_q(rate), avctx->time_base) > 0))
        return 0;
    av_log(avctx, AV_LOG_ERROR, "framerate %d/%d is not valid with the time base %d/%d\n",
           rate.num, rate.den, avctx->time_base.num, avctx->time_base.den);
    return AVERROR(EINVAL);
}

static unsigned int scaled(int64_t value, int64_t factor, int64_t divisor)
{
    return av_clip64(av_rescale_rnd(value, factor, divisor, AV_ROUND_ZERO), 0, INT_MAX);
}

/** Log a warning, but only the first time. */
static void warn_once(AVCodecContext *avctx, int *warned, const char *text)
{
    if (!*warned)
        av_log(avctx, AV_LOG_WARNING, "%s\n", text);
    *warned = 1;
}

/**
 * A stream keeps its kind of rate control. At a constant bitrate, minimum and
 * maximum follow the bitrate.
 */
static void keep_kind(AVCodecContext *avctx, VP8CudaMEChange *change,
                      const struct vpx_codec_enc_cfg *cfg, VP8CudaMESettings *now)
{
    const VP8CudaMESettings *last = &change->last;

    if (cfg->rc_end_usage == VPX_CBR) {
        if (now->min_rate != now->bit_rate && now->min_rate != last->min_rate ||
            now->max_rate != now->bit_rate && now->max_rate != last->max_rate)
            warn_once(avctx, &change->warned_kind, "The stream keeps its constant bitrate: "
                      "rc_min_rate and rc_max_rate follow bit_rate");
        avctx->rc_min_rate = now->min_rate = now->bit_rate;
        avctx->rc_max_rate = now->max_rate = now->bit_rate;
    } else if (now->min_rate == now->bit_rate && now->max_rate == now->bit_rate) {
        warn_once(avctx, &change->warned_kind, "The stream keeps its variable bitrate: "
                  "only an encoder that is opened with rc_min_rate and rc_max_rate equal "
                  "to bit_rate has a constant one");
    }
}

static void set_rates(const VP8CudaMEChange *change, const VP8CudaMESettings *now,
                      const struct vpx_codec_enc_cfg *defaults,
                      struct vpx_codec_enc_cfg *cfg)
{
    cfg->rc_target_bitrate = FFMIN(av_rescale(now->bit_rate, 1, 1000), INT_MAX);
    cfg->rc_2pass_vbr_minsection_pct = scaled(now->min_rate, 100, now->bit_rate);
    cfg->rc_2pass_vbr_maxsection_pct =
        now->max_rate ? scaled(now->max_rate, 100, now->bit_rate)
                      : defaults->rc_2pass_vbr_maxsection_pct;
    cfg->rc_buf_sz = now->buffer_size ? scaled(now->buffer_size, 1000, now->bit_rate)
                                      : defaults->rc_buf_sz;
    cfg->rc_buf_optimal_sz = scaled(cfg->rc_buf_sz, 5, 6);
    /* The layers keep their parts of the bitrate. */
    if (cfg->ts_number_layers > 1)
        for (int i = 0; i < cfg->ts_number_layers; i++)
            cfg->ts_target_bitrate[i] = scaled(change->layer_rates[i], now->bit_rate,
                                               change->opened_rate);
}

static void set_key_frames(const VP8CudaMESettings *now, struct vpx_codec_enc_cfg *cfg)
{
    if (now->gop_size < 0)
        return;
    cfg->kf_max_dist = now->gop_size;
    /* libvpx has no other minimum: equal distances mean a fixed one. */
    cfg->kf_min_dist = now->keyint_min == now->gop_size ? now->gop_size : 0;
}

/** Give libvpx the configuration. */
static int set_config(AVCodecContext *avctx, struct vpx_codec_ctx *encoder,
                      const struct vpx_codec_enc_cfg *cfg)
{
    const char *detail;

    if (vpx_codec_enc_config_set(encoder, cfg) == VPX_CODEC_OK)
        return 0;
    detail = vpx_codec_error_detail(encoder);
    av_log(avctx, AV_LOG_ERROR, "libvpx does not accept the changed settings: %s%s%s\n",
           vpx_codec_error(encoder), detail ? ", " : "", detail ? detail : "");
    return AVERROR(EINVAL);
}

av_cold void ff_vp8_cudame_change_init(AVCodecContext *avctx, VP8CudaMEContext *s,
                                       const struct vpx_codec_ctx *encoder)
{
    const struct vpx_codec_enc_cfg *cfg = encoder->config.enc;
    VP8CudaMEChange *change = &s->change;

    change->last          = get_settings(avctx);
    change->opened_width  = cfg->g_w;
    change->opened_height = cfg->g_h;
    if (!change->opened_rate) {
        change->opened_rate = avctx->bit_rate;
        for (int i = 0; i < VPX_TS_MAX_LAYERS; i++)
            change->layer_rates[i] = cfg->ts_target_bitrate[i];
    }
    /* The options have the layers' rates at the first bit_rate. */
    if (cfg->ts_number_layers > 1)
        change->last.bit_rate = change->opened_rate;
}

int ff_vp8_cudame_change(AVCodecContext *avctx, VP8CudaMEContext *s,
                         struct vpx_codec_ctx *encoder, struct vpx_codec_ctx *alpha)
{
    VP8CudaMEChange *change = &s->change;
    const VP8CudaMESettings *last = &change->last;
    VP8CudaMESettings now = get_settings(avctx);
    struct vpx_codec_enc_cfg cfg, defaults;
    int rates = !same_rates(&now, last), ret;

    if (!rates && same_quantizers(&now, last) && same_key_frames(&now, last) &&
        same_framerate(&now, last))
        return 0;

    cfg = *encoder->config.enc;
    if (rates && cfg.g_pass != VPX_RC_ONE_PASS) {
        /* The first pass does not depend on rates. */
        if (cfg.g_pass == VPX_RC_LAST_PASS)
            warn_once(avctx, &change->warned_pass, "Rates cannot change in two passes: the "
                      "first pass has planned the whole stream");
        rates = 0;
    }
    if (rates) {
        if (vpx_codec_enc_config_default(encoder->iface, &defaults, 0) != VPX_CODEC_OK)
            return AVERROR_EXTERNAL;
        keep_kind(avctx, change, &cfg, &now);
        if ((ret = check_rates(avctx, &now)) < 0)
            return ret;
        set_rates(change, &now, &defaults, &cfg);
    }
    if (now.qmin >= 0)
        cfg.rc_min_quantizer = now.qmin;
    if (now.qmax >= 0)
        cfg.rc_max_quantizer = now.qmax;
    if (!same_key_frames(&now, last))
        set_key_frames(&now, &cfg);
    /* The frame rate is not part of libvpx's configuration: it follows the
       durations that libvpxenc.c computes from it. */
    if ((ret = check_quantizers(avctx, &cfg)) < 0 ||
        (ret = check_framerate(avctx, &now)) < 0 ||
        (ret = set_config(avctx, encoder, &cfg)) < 0)
        return ret;
    if (alpha) {
        cfg.g_profile = alpha->config.enc->g_profile;
        ret = set_config(avctx, alpha, &cfg);
        if (ret < 0)
            return ret;
    }
    av_log(avctx, AV_LOG_VERBOSE, "From now on %u kb/s, quantizers %u to %u, a key frame "
           "after at most %u frames\n", cfg.rc_target_bitrate, cfg.rc_min_quantizer,
           cfg.rc_max_quantizer, cfg.kf_max_dist);
    change->last = now;
    return 0;
}
