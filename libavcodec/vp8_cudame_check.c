/*
 * Checks of the options of the encoder vp8_cudame
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
 * Checks of options before libvpx is opened. libvpx refuses the same values, but
 * libvpxenc.c then logs 50 lines of settings, with the reason among them.
 */

#include <inttypes.h>

#include <vpx/vp8cx.h>
#include <vpx/vpx_encoder.h>

#include "avcodec.h"
#include "vp8_cudame.h"
#include "libavutil/error.h"
#include "libavutil/log.h"
#include "libavutil/macros.h"
#include "libavutil/opt.h"

#define MAX_SIZE 16383 ///< maximum width and height in VP8

static int check_ranges(AVCodecContext *avctx)
{
    static const struct {
        const char *name;
        int min, max;
        int unset; ///< value that means "not given"
    } ranges[] = {
        { "qmin",           0,  63, -1 },
        { "qmax",           0,  63, -1 },
        { "profile",        0,   3, AV_PROFILE_UNKNOWN },
        { "drop-threshold", 0, 100,  0 },
        { "overshoot-pct",  0, 100, -1 },
    };
    vpx_codec_enc_cfg_t cfg;
    int qmin, qmax;

    if (vpx_codec_enc_config_default(vpx_codec_vp8_cx(), &cfg, 0) != VPX_CODEC_OK)
        return AVERROR_EXTERNAL;

    for (int i = 0; i < FF_ARRAY_ELEMS(ranges); i++) {
        int64_t value;

        if (av_opt_get_int(avctx, ranges[i].name, AV_OPT_SEARCH_CHILDREN, &value) < 0 ||
            value == ranges[i].unset)
            continue;
        if (value < ranges[i].min || value > ranges[i].max) {
            av_log(avctx, AV_LOG_ERROR, "%s %"PRId64" is not within %d to %d\n",
                   ranges[i].name, value, ranges[i].min, ranges[i].max);
            return AVERROR(EINVAL);
        }
    }
    if (!(avctx->qcompress >= 0 && avctx->qcompress <= 1)) {
        av_log(avctx, AV_LOG_ERROR, "qcomp %g is not within 0 to 1\n", avctx->qcompress);
        return AVERROR(EINVAL);
    }
    qmin = avctx->qmin >= 0 ? avctx->qmin : cfg.rc_min_quantizer;
    qmax = avctx->qmax >= 0 ? avctx->qmax : cfg.rc_max_quantizer;
    if (qmin > qmax) {
        av_log(avctx, AV_LOG_ERROR, "qmin %d%s is larger than qmax %d\n", qmin,
               avctx->qmin < 0 ? ", the default," : "", qmax);
        return AVERROR(EINVAL);
    }
    if (avctx->width > MAX_SIZE || avctx->height > MAX_SIZE) {
        av_log(avctx, AV_LOG_ERROR, "VP8 does not support %dx%d pixels, only up to "
               "%dx%d\n", avctx->width, avctx->height, MAX_SIZE, MAX_SIZE);
        return AVERROR(EINVAL);
    }
    return 0;
}

/** At realtime libvpx's first pass makes no statistics, without an error. */
static int check_passes(AVCodecContext *avctx, const VP8CudaMEContext *s)
{
    if (avctx->flags & AV_CODEC_FLAG_PASS1 && s->deadline == VPX_DL_REALTIME) {
        av_log(avctx, AV_LOG_ERROR, "The first of two passes makes no statistics with "
               "deadline realtime (presets live and livefast): use another deadline or "
               "preset, or one pass\n");
        return AVERROR(EINVAL);
    }
    if (avctx->flags & AV_CODEC_FLAG_PASS2 && avctx->stats_in && !*avctx->stats_in) {
        av_log(avctx, AV_LOG_ERROR, "The statistics of the first pass are empty: run it "
               "again, to its end\n");
        return AVERROR(EINVAL);
    }
    return 0;
}

av_cold int ff_vp8_cudame_check(AVCodecContext *avctx, const VP8CudaMEContext *s)
{
    int ret = check_ranges(avctx);

    return ret < 0 ? ret : check_passes(avctx, s);
}
