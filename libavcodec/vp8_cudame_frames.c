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
 * Conversion of input frames to planar YUV in host memory, which libvpx reads.
 * NV12 is de-interleaved. CUDA frames are downloaded by cudame, which
 * de-interleaves chroma on the device, or by libavutil if cudame cannot.
 */

#include <stddef.h>
#include <string.h>

#include <cudame/cudame.h>
#include <cudame/download.h>
#include <ffnvcodec/dynlink_cuda.h>
#include <vp8provider/vp8provider.h>

#include "avcodec.h"
#include "encode.h"
#include "hwconfig.h"
#include "vp8_cudame.h"
#include "vp8_cudame_error.h"
#include "libavutil/buffer.h"
#include "libavutil/common.h"
#include "libavutil/error.h"
#include "libavutil/frame.h"
#include "libavutil/hwcontext.h"
#include "libavutil/hwcontext_cuda.h"
#include "libavutil/log.h"
#include "libavutil/macros.h"
#include "libavutil/mem.h"
#include "libavutil/pixdesc.h"

#define MAX_SIZE 16383 ///< of VP8, in pixels

const AVCodecHWConfigInternal *const ff_vp8_cudame_hw_configs[] = {
    HW_CONFIG_ENCODER_FRAMES(CUDA, CUDA),
    HW_CONFIG_ENCODER_DEVICE(NONE, CUDA),
    NULL
};

static const char *format_name(enum AVPixelFormat format)
{
    const char *name = av_get_pix_fmt_name(format);

    return name ? name : "unknown";
}

/** Check that the frames of a hw_frames_ctx can be encoded. */
static int check_frames(AVCodecContext *avctx, const AVHWFramesContext *frames)
{
    if (frames->format != AV_PIX_FMT_CUDA) {
        av_log(avctx, AV_LOG_ERROR, "hw_frames_ctx has frames of format %s instead "
               "of cuda\n",
               format_name(frames->format));
        return AVERROR(EINVAL);
    }
    if (frames->sw_format != AV_PIX_FMT_NV12 && frames->sw_format != AV_PIX_FMT_YUV420P) {
        av_log(avctx, AV_LOG_ERROR, "CUDA frames of format %s cannot be encoded, only nv12 and "
               "yuv420p: convert them, for example with scale_cuda=format=nv12\n",
               format_name(frames->sw_format));
        return AVERROR(ENOSYS);
    }
    return 0;
}

av_cold int ff_vp8_cudame_frames_init(AVCodecContext *avctx, VP8CudaMEContext *s)
{
    VP8CudaMEFrames *f = &s->frames;
    AVBufferRef *ref = avctx->hw_device_ctx;
    const AVHWDeviceContext *device;
    const AVCUDADeviceContext *cuda;

    if (avctx->pix_fmt == AV_PIX_FMT_CUDA) {
        const AVHWFramesContext *frames;
        int ret;

        if (!avctx->hw_frames_ctx) {
            av_log(avctx, AV_LOG_ERROR, "Encoding CUDA frames needs hw_frames_ctx: "
                   "set it before opening the encoder\n");
            return AVERROR(EINVAL);
        }
        frames = (AVHWFramesContext *)avctx->hw_frames_ctx->data;
        ret    = check_frames(avctx, frames);
        if (ret < 0)
            return ret;
        ref = frames->device_ref;
    } else if (!ref || s->mode == VP8_CUDAME_MODE_OFF ||
               s->backend == VP8_CUDAME_BACKEND_CPU) {
        return 0;
    }

    device = (AVHWDeviceContext *)ref->data;
    if (device->type != AV_HWDEVICE_TYPE_CUDA) {
        av_log(avctx, AV_LOG_ERROR, "hw_device_ctx is a device of type %s: "
               "set a CUDA device, or none\n",
               av_hwdevice_get_type_name(device->type));
        return AVERROR(EINVAL);
    }
    f->device = av_buffer_ref(ref);
    if (!f->device)
        return AVERROR(ENOMEM);
    cuda          = device->hwctx;
    f->cu_context = cuda->cuda_ctx;
    f->cu_stream  = cuda->stream;
    return 0;
}

/** De-interleave a chroma plane into two planes. */
static void split_chroma(uint8_t *u, uint8_t *v, ptrdiff_t dst_stride,
                         const uint8_t *uv, ptrdiff_t src_stride,
                         int width, int height)
{
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            u[x] = uv[2 * x];
            v[x] = uv[2 * x + 1];
        }
        u  += dst_stride;
        v  += dst_stride;
        uv += src_stride;
    }
}

/** Make f->i420 a view of a frame in host memory. */
static int map_software(AVCodecContext *avctx, VP8CudaMEFrames *f, const AVFrame *src)
{
    int width  = AV_CEIL_RSHIFT(avctx->width,  1);
    int height = AV_CEIL_RSHIFT(avctx->height, 1);
    int stride = FFALIGN(width, 64);

    f->i420->data[0]     = src->data[0];
    f->i420->linesize[0] = src->linesize[0];
    if (src->format == AV_PIX_FMT_YUV420P) {
        for (int i = 1; i < 3; i++) {
            f->i420->data[i]     = src->data[i];
            f->i420->linesize[i] = src->linesize[i];
        }
        return 0;
    }

    av_fast_malloc(&f->chroma, &f->chroma_size, 2 * (size_t)stride * height);
    if (!f->chroma)
        return AVERROR(ENOMEM);
    f->i420->data[1]     = f->chroma;
    f->i420->data[2]     = f->chroma + (size_t)stride * height;
    f->i420->linesize[1] = f->i420->linesize[2] = stride;
    split_chroma(f->i420->data[1], f->i420->data[2], stride,
                 src->data[1], src->linesize[1], width, height);
    return 0;
}

/** Download a CUDA frame with libavutil, and make f->i420 a view of it. */
static int transfer(AVCodecContext *avctx, VP8CudaMEFrames *f, const AVFrame *src)
{
    const AVHWFramesContext *frames = (AVHWFramesContext *)src->hw_frames_ctx->data;
    int height = FFALIGN(src->height, 2);
    AVFrame *even;
    int ret;

    /* If the height is odd, libavutil does not copy the last chroma row. Copy
       one luma row more; reading it is safe if it lies within the buffer. */
    if (src->height != height &&
        (!src->buf[0] || src->data[0] < src->buf[0]->data ||
         src->data[0] + (size_t)src->linesize[0] * height >
         src->buf[0]->data + src->buf[0]->size)) {
        av_log(avctx, AV_LOG_ERROR, "Cannot read these CUDA frames: their height is odd, "
               "and cudame's CUDA backend is not available\n");
        return AVERROR(ENOSYS);
    }

    av_frame_unref(f->software);
    f->software->format = frames->sw_format;
    f->software->width  = src->width;
    f->software->height = height;
    ret = av_frame_get_buffer(f->software, 0);
    if (ret < 0)
        return ret;
    even = av_frame_clone(src);
    if (!even)
        return AVERROR(ENOMEM);
    even->height = height;
    ret = av_hwframe_transfer_data(f->software, even, 0);
    av_frame_free(&even);
    if (ret < 0) {
        av_log(avctx, AV_LOG_ERROR, "Cannot read a CUDA frame: %s\n", av_err2str(ret));
        return ret;
    }
    return map_software(avctx, f, f->software);
}

/**
 * Create f->downloader, or set f->no_downloader if libavutil can download
 * frames instead.
 */
static int create_downloader(AVCodecContext *avctx, VP8CudaMEFrames *f)
{
    char err[256];
    int code = cudame_downloader_create(&f->downloader, f->cu_context,
                                        avctx->width, avctx->height, err, sizeof(err));

    if (code >= 0)
        return 0;
    f->downloader = NULL;
    /* libavutil would fail too, but without a message. */
    if (code == CUDAME_ERROR_DEVICE) {
        av_log(avctx, AV_LOG_ERROR, "Cannot read CUDA frames: %s\n", err);
        return ff_vp8_cudame_averror(code);
    }
    av_log(avctx, AV_LOG_VERBOSE, "CUDA frames are read by libavutil, because "
           "cudame cannot: %s\n", err);
    f->no_downloader = 1;
    return 0;
}

/** Download a CUDA frame, and make f->i420 a view of it. */
static int map_cuda(AVCodecContext *avctx, VP8CudaMEFrames *f, const AVFrame *src)
{
    const AVHWFramesContext *frames;
    const AVCUDADeviceContext *cuda;
    cudame_picture picture = { 0 };
    int ret, code;

    if (!src->hw_frames_ctx) {
        av_log(avctx, AV_LOG_ERROR, "The CUDA frame has no hw_frames_ctx\n");
        return AVERROR(EINVAL);
    }
    frames = (AVHWFramesContext *)src->hw_frames_ctx->data;
    ret    = check_frames(avctx, frames);
    if (ret < 0)
        return ret;
    cuda = frames->device_ctx->hwctx;
    if (cuda->cuda_ctx != f->cu_context) {
        av_log(avctx, AV_LOG_ERROR, "The frame is in another CUDA context than the one that "
               "the encoder was opened with\n");
        return AVERROR(EINVAL);
    }

    if (!f->downloader && !f->no_downloader) {
        ret = create_downloader(avctx, f);
        if (ret < 0)
            return ret;
    }
    if (!f->downloader)
        return transfer(avctx, f, src);

    picture.layout = frames->sw_format == AV_PIX_FMT_NV12 ? CUDAME_LAYOUT_NV12
                                                          : CUDAME_LAYOUT_I420;
    for (int i = 0; i < 3; i++) {
        picture.plane[i]  = src->data[i];
        picture.stride[i] = src->linesize[i];
    }
    code = cudame_download(f->downloader, &picture, cuda->stream);
    if (code >= 0)
        code = cudame_download_wait(f->downloader, &picture);
    if (code < 0) {
        av_log(avctx, AV_LOG_ERROR, "Cannot read a CUDA frame: %s\n",
               cudame_downloader_last_error(f->downloader));
        return ff_vp8_cudame_averror(code);
    }
    for (int i = 0; i < 3; i++) {
        f->i420->data[i]     = (uint8_t *)picture.plane[i];
        f->i420->linesize[i] = picture.stride[i];
    }
    if (cuda->stream == f->cu_stream) {
        f->luma        = src->data[0];
        f->luma_stride = src->linesize[0];
    }
    return 0;
}

/**
 * Compare the size of a frame with the encoder's.
 * @return 0 if it can be coded, 1 if the encoder must get its size first, or an
 *         AVERROR
 */
static int check_size(AVCodecContext *avctx, const VP8CudaMEContext *s,
                      const AVFrame *frame)
{
    if (frame->width == avctx->width && frame->height == avctx->height)
        return 0;
    if (!s->size_changes) {
        /* libvpxenc.c cuts a larger frame. Of a smaller one it would read
           beyond the planes. */
        if (frame->width >= avctx->width && frame->height >= avctx->height)
            return 0;
        av_log(avctx, AV_LOG_ERROR, "The frame has %dx%d pixels, but the encoder was "
               "opened for %dx%d: scale it, or set frame_size_changes\n",
               frame->width, frame->height, avctx->width, avctx->height);
        return AVERROR(EINVAL);
    }
    if (avctx->flags & (AV_CODEC_FLAG_PASS1 | AV_CODEC_FLAG_PASS2)) {
        av_log(avctx, AV_LOG_ERROR, "The frame has %dx%d pixels after frames of %dx%d: the "
               "size cannot change in two passes\n",
               frame->width, frame->height, avctx->width, avctx->height);
        return AVERROR(EINVAL);
    }
    if (frame->width > MAX_SIZE || frame->height > MAX_SIZE) {
        av_log(avctx, AV_LOG_ERROR, "The frame has %dx%d pixels, but VP8 has at most %d in "
               "each direction\n", frame->width, frame->height, MAX_SIZE);
        return AVERROR(EINVAL);
    }
    return 1;
}

int ff_vp8_cudame_frame(AVCodecContext *avctx, VP8CudaMEContext *s,
                        const AVFrame **frame)
{
    VP8CudaMEFrames *f = &s->frames;
    const AVFrame *src;
    int ret;

    *frame = NULL;
    if (!f->next && !(f->next = av_frame_alloc()))
        return AVERROR(ENOMEM);
    if (!f->is_held) {
        ret = ff_encode_get_frame(avctx, f->next);
        if (ret < 0)
            return ret == AVERROR_EOF ? 0 : ret;
    }
    src = f->next;
    f->is_held = 0;
    if ((src->format == AV_PIX_FMT_CUDA) != (avctx->pix_fmt == AV_PIX_FMT_CUDA)) {
        av_log(avctx, AV_LOG_ERROR, "The frame has format %s, but the encoder was "
               "opened for %s\n",
               format_name(src->format), format_name(avctx->pix_fmt));
        return AVERROR(EINVAL);
    }
    ret = check_size(avctx, s, src);
    if (ret < 0)
        return ret;
    if (ret) {
        f->is_held = 1;
        return 0;
    }
    *frame = src;
    if (src->format != AV_PIX_FMT_NV12 && src->format != AV_PIX_FMT_CUDA)
        return 0;

    if (!f->i420     && !(f->i420     = av_frame_alloc()) ||
        !f->software && !(f->software = av_frame_alloc()))
        return AVERROR(ENOMEM);
    av_frame_unref(f->i420);
    ret = av_frame_copy_props(f->i420, src);
    if (ret < 0)
        return ret;
    f->i420->format = AV_PIX_FMT_YUV420P;
    f->i420->width  = src->width;
    f->i420->height = src->height;

    ret = src->format == AV_PIX_FMT_CUDA ? map_cuda(avctx, f, src)
                                         : map_software(avctx, f, src);
    if (ret < 0)
        return ret;
    *frame = f->i420;
    return 0;
}

void ff_vp8_cudame_frame_done(VP8CudaMEContext *s)
{
    s->frames.luma = NULL;
    av_frame_unref(s->frames.i420);
    if (!s->frames.is_held)
        av_frame_unref(s->frames.next);
    if (s->provider)
        vp8_provider_end_open_frame(s->provider);
}

void ff_vp8_cudame_frames_resized(VP8CudaMEContext *s)
{
    VP8CudaMEFrames *f = &s->frames;

    cudame_downloader_destroy(f->downloader);
    f->downloader    = NULL;
    f->no_downloader = 0;
}

void ff_vp8_cudame_frames_flush(VP8CudaMEContext *s)
{
    s->frames.is_held = 0;
    av_frame_unref(s->frames.next);
}

av_cold void ff_vp8_cudame_frames_close(VP8CudaMEContext *s)
{
    VP8CudaMEFrames *f = &s->frames;

    cudame_downloader_destroy(f->downloader);
    f->downloader = NULL;
    av_frame_free(&f->next);
    av_frame_free(&f->i420);
    av_frame_free(&f->software);
    av_freep(&f->chroma);
    f->chroma_size = 0;
    av_buffer_unref(&f->device);
}
