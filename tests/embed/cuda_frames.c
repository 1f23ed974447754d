/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* Encodes pictures that another library has in CUDA device memory (doc/embedding.md), for example a
 * renderer or a neural network, without copying them. Calls of the CUDA driver stand in for that
 * library. The exit status is 77 if there is no CUDA device. */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <libavcodec/avcodec.h>
#include <libavutil/hwcontext.h>
#include <libavutil/opt.h>

enum { FRAMES = 12, WIDTH = 322, HEIGHT = 242, NO_DEVICE = 77 };

/* ---- the other library ---- */

typedef unsigned long long CUdeviceptr;
static int (*cuInit)(unsigned);
static int (*cuDevicePrimaryCtxRetain)(void **, int);
static int (*cuDevicePrimaryCtxRelease)(int);
static int (*cuCtxPushCurrent)(void *);
static int (*cuMemAllocPitch)(CUdeviceptr *, size_t *, size_t, size_t, unsigned);
static int (*cuMemFree)(CUdeviceptr);
static int (*cuMemcpyHtoD)(CUdeviceptr, const void *, size_t);

static size_t pitch;
static int held; /* number of pictures that the encoder references */

static int other_library(void)
{
    void *driver = dlopen("libcuda.so.1", RTLD_NOW), *context;

    if (!driver)
        return 0;
    *(void **)&cuInit                    = dlsym(driver, "cuInit");
    *(void **)&cuDevicePrimaryCtxRetain  = dlsym(driver, "cuDevicePrimaryCtxRetain");
    *(void **)&cuDevicePrimaryCtxRelease = dlsym(driver, "cuDevicePrimaryCtxRelease_v2");
    if (!cuDevicePrimaryCtxRelease)
        *(void **)&cuDevicePrimaryCtxRelease = dlsym(driver, "cuDevicePrimaryCtxRelease");
    *(void **)&cuCtxPushCurrent = dlsym(driver, "cuCtxPushCurrent_v2");
    *(void **)&cuMemAllocPitch  = dlsym(driver, "cuMemAllocPitch_v2");
    *(void **)&cuMemFree        = dlsym(driver, "cuMemFree_v2");
    *(void **)&cuMemcpyHtoD     = dlsym(driver, "cuMemcpyHtoD_v2");
    /* Use the primary context, as the CUDA runtime and all libraries on top of it do. */
    return !cuInit(0) && !cuDevicePrimaryCtxRetain(&context, 0) && !cuCtxPushCurrent(context);
}

/* Makes an NV12 picture whose chroma plane follows the luma plane. */
static CUdeviceptr picture(int n)
{
    static uint8_t line[WIDTH];
    CUdeviceptr memory;

    if (cuMemAllocPitch(&memory, &pitch, WIDTH, HEIGHT * 3 / 2, 16))
        return 0;
    for (int y = 0; y < HEIGHT * 3 / 2; y++) {
        for (int x = 0; x < WIDTH; x++)
            line[x] = y < HEIGHT ? ((x + 3 * n) * (y + n) >> 5) & 255 : 128;
        if (cuMemcpyHtoD(memory + y * pitch, line, WIDTH))
            return 0;
    }
    return memory;
}

static void give_back(void *opaque, uint8_t *data)
{
    cuMemFree((uintptr_t)data);
    held--;
}

/* ---- the encoder ---- */

/* Creates a hw_frames_ctx in the CUDA context of the other library. That library allocates the
 * frames; the pool of the hw_frames_ctx stays unused. */
static AVBufferRef *frames_context(void)
{
    AVBufferRef *device = NULL, *frames = NULL;
    AVDictionary *options = NULL;
    AVHWFramesContext *f;

    /* Use the current context, whatever flags it was created with. */
    av_dict_set(&options, "current_ctx", "1", 0);
    if (av_hwdevice_ctx_create(&device, AV_HWDEVICE_TYPE_CUDA, "0", options, 0) >= 0 &&
        (frames = av_hwframe_ctx_alloc(device))) {
        f            = (AVHWFramesContext *)frames->data;
        f->format    = AV_PIX_FMT_CUDA;
        f->sw_format = AV_PIX_FMT_NV12;
        f->width     = WIDTH;
        f->height    = HEIGHT;
        if (av_hwframe_ctx_init(frames) < 0)
            av_buffer_unref(&frames);
    }
    av_dict_free(&options);
    av_buffer_unref(&device);
    return frames;
}

static int wrap(AVFrame *frame, AVBufferRef *frames, CUdeviceptr memory)
{
    frame->format        = AV_PIX_FMT_CUDA;
    frame->width         = WIDTH;
    frame->height        = HEIGHT;
    frame->data[0]       = (uint8_t *)(uintptr_t)memory;
    frame->data[1]       = frame->data[0] + HEIGHT * pitch;
    frame->linesize[0]   = frame->linesize[1] = (int)pitch;
    frame->hw_frames_ctx = av_buffer_ref(frames);
    frame->buf[0] = av_buffer_create(frame->data[0], HEIGHT * 3 / 2 * pitch, give_back, NULL, 0);
    held++;
    return frame->hw_frames_ctx && frame->buf[0] ? 0 : AVERROR(ENOMEM);
}

static int encode(AVCodecContext *ctx, AVBufferRef *frames)
{
    AVFrame *frame   = av_frame_alloc();
    AVPacket *packet = av_packet_alloc();
    int packets = 0, ret = frame && packet ? 0 : AVERROR(ENOMEM);

    for (int n = 0; n <= FRAMES && ret >= 0; n++) {
        if (n < FRAMES) {
            CUdeviceptr memory = picture(n);

            if (!memory || (ret = wrap(frame, frames, memory)) < 0)
                break;
            frame->pts = n;
        }
        ret = avcodec_send_frame(ctx, n < FRAMES ? frame : NULL);
        av_frame_unref(frame);
        while (ret >= 0 && (ret = avcodec_receive_packet(ctx, packet)) >= 0) {
            packets++;
            av_packet_unref(packet);
        }
        if (ret == AVERROR(EAGAIN) || ret == AVERROR_EOF)
            ret = 0;
        if (held) {
            fprintf(stderr, "the encoder still references picture %d\n", n);
            ret = -1;
        }
    }
    av_packet_free(&packet);
    av_frame_free(&frame);
    printf("%d pictures, %d packets\n", FRAMES, packets);
    return ret < 0 || packets != FRAMES ? -1 : 0;
}

int main(void)
{
    const AVCodec *codec = avcodec_find_encoder_by_name("vp8_cudame");
    AVCodecContext *ctx;
    AVBufferRef *frames;
    int ret = -1;

    if (!other_library()) {
        fprintf(stderr, "there is no CUDA device\n");
        return NO_DEVICE;
    }
    frames = frames_context();
    ctx    = codec ? avcodec_alloc_context3(codec) : NULL;
    if (frames && ctx) {
        ctx->width         = WIDTH;
        ctx->height        = HEIGHT;
        ctx->pix_fmt       = AV_PIX_FMT_CUDA;
        ctx->time_base     = (AVRational) { 1, 25 };
        ctx->bit_rate      = 300000;
        ctx->hw_frames_ctx = av_buffer_ref(frames);
        if (ctx->hw_frames_ctx && av_opt_set(ctx->priv_data, "preset", "live", 0) >= 0 &&
            avcodec_open2(ctx, codec, NULL) >= 0)
            ret = encode(ctx, frames);
    }
    avcodec_free_context(&ctx);
    av_buffer_unref(&frames);
    cuDevicePrimaryCtxRelease(0);
    return ret < 0;
}
