/*
 * Motion provider of the encoder vp8_cudame
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
 * The motion provider of an encoder: made by the library vp8provider, with the
 * options of this encoder. This file has its messages, its me_stats file, and
 * the source of CUDA frames.
 */

#ifndef AVCODEC_VP8_CUDAME_PROVIDER_H
#define AVCODEC_VP8_CUDAME_PROVIDER_H

#include <cudame/cudame.h>
#include <vp8provider/vp8provider.h>
#include <vpx/vpx_encoder.h>

#include "avcodec.h"
#include "vp8_cudame.h"

/**
 * Allocate s->provider.
 * @param search motion search, as vp8_provider_config describes it
 * @return 0 or an AVERROR
 */
int ff_vp8_cudame_provider_alloc(AVCodecContext *avctx, VP8CudaMEContext *s,
                                 const cudame_config *search);

/**
 * Start the motion search on the backend that the options select.
 * @return 0 or an AVERROR
 */
int ff_vp8_cudame_provider_open(AVCodecContext *avctx, VP8CudaMEContext *s);

/**
 * Let CUDA run the first pass if the options allow that. Set lookahead in the
 * callbacks before.
 * @return 0 or an AVERROR
 */
int ff_vp8_cudame_first_pass_open(AVCodecContext *avctx, VP8CudaMEContext *s);

/**
 * Open the me_stats file, if there is one. Frames are counted if there is a
 * file, or if the log level is verbose.
 * @return 0 or an AVERROR
 */
int ff_vp8_cudame_stats_open(AVCodecContext *avctx, VP8CudaMEContext *s);

/**
 * Attach the provider to libvpx.
 * @return 0 or an AVERROR
 */
int ff_vp8_cudame_provider_attach(AVCodecContext *avctx, VP8CudaMEContext *s,
                                  struct vpx_codec_ctx *encoder);

/** Free s->provider, if there is one, and close the me_stats file. */
void ff_vp8_cudame_provider_close(VP8CudaMEContext *s);

#endif /* AVCODEC_VP8_CUDAME_PROVIDER_H */
