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

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>

#include <cudame/cudame.h>
#include <vp8provider/vp8provider.h>
#include <vpx/vp8_motion_provider.h>
#include <vpx/vpx_encoder.h>

#include "avcodec.h"
#include "vp8_cudame.h"
#include "vp8_cudame_error.h"
#include "vp8_cudame_provider.h"
#include "libavutil/common.h"
#include "libavutil/error.h"
#include "libavutil/file_open.h"
#include "libavutil/log.h"

static void log_provider(void *opaque, enum vp8_provider_log_level level, const char *text)
{
    static const int levels[] = {
        [VP8_PROVIDER_LOG_ERROR]   = AV_LOG_ERROR,
        [VP8_PROVIDER_LOG_WARNING] = AV_LOG_WARNING,
        [VP8_PROVIDER_LOG_INFO]    = AV_LOG_INFO,
        [VP8_PROVIDER_LOG_VERBOSE] = AV_LOG_VERBOSE,
        [VP8_PROVIDER_LOG_DEBUG]   = AV_LOG_DEBUG,
    };
    const VP8CudaMEContext *s = opaque;

    av_log(s->avctx, levels[level], "%s\n", text);
}

/** Give the provider the luma of a CUDA frame, which it can read in place. */
static int device_source(void *opaque, int mb_cols, int mb_rows, cudame_plane *plane)
{
    const VP8CudaMEContext *s = opaque;
    const AVCodecContext *avctx = s->avctx;

    if (!s->source_is_frame || !s->frames.luma ||
        mb_cols != FFALIGN(avctx->width,  16) / 16 ||
        mb_rows != FFALIGN(avctx->height, 16) / 16)
        return 0;
    *plane = (cudame_plane) {
        .data      = s->frames.luma,
        .stride    = s->frames.luma_stride,
        .width     = avctx->width,
        .height    = avctx->height,
        .on_device = 1,
    };
    return 1;
}

av_cold int ff_vp8_cudame_provider_alloc(AVCodecContext *avctx, VP8CudaMEContext *s,
                                         const cudame_config *search)
{
    static const enum vp8_provider_backend backends[] = {
        [VP8_CUDAME_BACKEND_AUTO] = VP8_PROVIDER_AUTO,
        [VP8_CUDAME_BACKEND_CUDA] = VP8_PROVIDER_CUDA,
        [VP8_CUDAME_BACKEND_CPU]  = VP8_PROVIDER_CPU,
    };
    static const enum vp8_provider_offload offloads[] = {
        [VP8_CUDAME_OFFLOAD_AUTO]   = VP8_PROVIDER_OFFLOAD_AUTO,
        [VP8_CUDAME_OFFLOAD_FRAME]  = VP8_PROVIDER_OFFLOAD_FRAME,
        [VP8_CUDAME_OFFLOAD_SEARCH] = VP8_PROVIDER_OFFLOAD_SEARCH,
    };
    const vp8_provider_config config = {
        .size                = sizeof(config),
        .search              = *search,
        .backend             = backends[s->backend],
        .offload             = offloads[s->offload],
        .device              = s->gpu,
        .may_set_environment = 1,
        .device_source       = device_source,
        .log                 = log_provider,
        .opaque              = s,
    };

    s->avctx    = avctx;
    s->provider = vp8_provider_alloc(&config);
    return s->provider ? 0 : AVERROR(ENOMEM);
}

/**
 * Log that the motion search runs on the CPU, because CUDA could not be started.
 * Many machines have no driver, and need none: if no option asks for CUDA, say
 * that once in a process, and not as a warning.
 */
static void log_no_cuda(AVCodecContext *avctx, const VP8CudaMEContext *s, int code,
                        const char *reason)
{
    static atomic_int said;

    if (code != CUDAME_ERROR_UNAVAILABLE || s->gpu >= 0 || s->cuda_after >= 0 ||
        s->frames.cu_context)
        av_log(avctx, AV_LOG_WARNING, "Cannot run motion estimation on CUDA (%s): "
               "running it on the CPU. Use -me_backend cpu to avoid this warning\n", reason);
    else if (!atomic_exchange(&said, 1))
        av_log(avctx, AV_LOG_INFO, "Motion estimation runs on the CPU, without CUDA: %s\n",
               reason);
}

av_cold int ff_vp8_cudame_provider_open(AVCodecContext *avctx, VP8CudaMEContext *s)
{
    vp8_provider_failure failure;
    int code = vp8_provider_open(s->provider, &failure);

    if (code < 0 && failure.backend == CUDAME_BACKEND_CUDA)
        return ff_vp8_cudame_no_cuda(avctx, "motion estimation", code, failure.reason,
                                     s->backend == VP8_CUDAME_BACKEND_CUDA ?
                                     "-me_backend auto or cpu" : "-me_backend cpu");
    if (code < 0)
        av_log(avctx, AV_LOG_ERROR, "Cannot run motion estimation on the CPU: %s\n",
               failure.reason);
    else if (failure.code)
        log_no_cuda(avctx, s, failure.code, failure.reason);
    return ff_vp8_cudame_averror(code);
}

av_cold int ff_vp8_cudame_first_pass_open(AVCodecContext *avctx, VP8CudaMEContext *s)
{
    const int must = s->first_pass == VP8_CUDAME_FIRST_PASS_CUDA;
    vp8_provider_failure failure;
    int code;

    if (s->first_pass == VP8_CUDAME_FIRST_PASS_CPU)
        return 0;
    code = vp8_provider_open_first_pass(s->provider, must, &failure);
    return code >= 0 ? 0 :
           ff_vp8_cudame_no_cuda(avctx, "the first pass", code, failure.reason,
                                 must ? "-me_first_pass auto or cpu" : "-me_first_pass cpu");
}

av_cold int ff_vp8_cudame_stats_open(AVCodecContext *avctx, VP8CudaMEContext *s)
{
    if (s->stats_path) {
        s->stats_file = avpriv_fopen_utf8(s->stats_path, "w");
        if (!s->stats_file) {
            int ret = AVERROR(errno);

            av_log(avctx, AV_LOG_ERROR, "Could not open me_stats file '%s': %s\n",
                   s->stats_path, av_err2str(ret));
            return ret;
        }
    }
    if (s->stats_file || av_log_get_level() >= AV_LOG_VERBOSE)
        vp8_provider_count(s->provider, s->stats_file);
    return 0;
}

int ff_vp8_cudame_provider_attach(AVCodecContext *avctx, VP8CudaMEContext *s,
                                  struct vpx_codec_ctx *encoder)
{
    const char *detail;

    if (vpx_codec_control(encoder, VP8E_SET_MOTION_PROVIDER,
                          vp8_provider_callbacks(s->provider)) == VPX_CODEC_OK)
        return 0;
    detail = vpx_codec_error_detail(encoder);
    av_log(avctx, AV_LOG_ERROR, "This libvpx (%s) does not accept motion provider "
           "version %d (%s%s%s): link FFmpeg with the patched libvpx, or use -cuda_me off\n",
           vpx_codec_version_str(), VP8E_MP_ABI_VERSION, vpx_codec_error(encoder),
           detail ? ", " : "", detail ? detail : "");
    return AVERROR_EXTERNAL;
}

static av_cold void close_stats(VP8CudaMEContext *s)
{
    int failed;

    if (!s->stats_file)
        return;
    /* Check for write errors, as ffmpeg does for its own statistics files. */
    failed = ferror(s->stats_file);
    errno  = 0;
    if (fclose(s->stats_file) || failed)
        av_log(s->avctx, AV_LOG_ERROR, "Could not write all of me_stats file '%s'%s%s\n",
               s->stats_path, errno ? ": " : "", errno ? av_err2str(AVERROR(errno)) : "");
    s->stats_file = NULL;
}

av_cold void ff_vp8_cudame_provider_close(VP8CudaMEContext *s)
{
    vp8_provider_free(s->provider);
    s->provider = NULL;
    close_stats(s);
}
