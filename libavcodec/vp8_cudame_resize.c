/*
 * Frames of another size in vp8_cudame
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
 * Changes of the frame size. libvpx takes frames of up to the size that it was
 * opened with, if none is queued. For others, it is closed and opened again;
 * the provider and its CUDA context stay.
 */

#include <stdint.h>

#include <vp8provider/vp8provider.h>
#include <vpx/vpx_encoder.h>

#include "avcodec.h"
#include "vp8_cudame.h"
#include "libavutil/frame.h"
#include "libavutil/log.h"
#include "libavutil/opt.h"

/**
 * Tell whether libvpx takes the new size as it is. It refuses that with a queue.
 * Its denoiser keeps the buffers of the first size.
 */
static int fits(AVCodecContext *avctx, const VP8CudaMEContext *s,
                const struct vpx_codec_enc_cfg *cfg)
{
    int64_t noise_sensitivity = 0;

    av_opt_get_int(avctx->priv_data, "noise-sensitivity", 0, &noise_sensitivity);
    return avctx->width  <= s->change.opened_width  &&
           avctx->height <= s->change.opened_height &&
           cfg->g_lag_in_frames <= 1 && !noise_sensitivity &&
           !(s->provider && vp8_provider_callbacks(s->provider)->lookahead);
}

static int set_size(AVCodecContext *avctx, struct vpx_codec_ctx *encoder)
{
    struct vpx_codec_enc_cfg cfg = *encoder->config.enc;

    cfg.g_w = avctx->width;
    cfg.g_h = avctx->height;
    return vpx_codec_enc_config_set(encoder, &cfg) == VPX_CODEC_OK;
}

int ff_vp8_cudame_resize(AVCodecContext *avctx, VP8CudaMEContext *s,
                         struct vpx_codec_ctx *encoder, struct vpx_codec_ctx *alpha)
{
    int done;

    avctx->width  = s->frames.next->width;
    avctx->height = s->frames.next->height;
    ff_vp8_cudame_frames_resized(s);
    done = fits(avctx, s, encoder->config.enc) && set_size(avctx, encoder) &&
           (!alpha || set_size(avctx, alpha));
    av_log(avctx, AV_LOG_VERBOSE, "Frames of %dx%d pixels from now on%s\n",
           avctx->width, avctx->height, done ? "" : ", with a new encoder");
    return done;
}
