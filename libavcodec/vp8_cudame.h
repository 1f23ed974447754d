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
 * Interface of the encoder vp8_cudame to libvpxenc.c. The functions are in
 * vp8_cudame.c, vp8_cudame_change.c, vp8_cudame_check.c, vp8_cudame_frames.c,
 * vp8_cudame_preset.c and vp8_cudame_resize.c.
 */

#ifndef AVCODEC_VP8_CUDAME_H
#define AVCODEC_VP8_CUDAME_H

#include <limits.h>
#include <stdint.h>
#include <stdio.h>

#include <cudame/cudame.h>
#include <vpx/vp8_motion_provider.h>
#include <vpx/vpx_encoder.h>

#include "avcodec.h"
#include "codec_internal.h"

struct cudame_downloader;
struct vp8_provider;
struct vpx_codec_ctx;

#ifndef CODEC_PIXFMTS /* FFmpeg 7.1 */
#define CODEC_PIXFMTS(...) \
    .p.pix_fmts = (const enum AVPixelFormat[]){ __VA_ARGS__, AV_PIX_FMT_NONE }
#endif

/** Value of the option cuda_me besides cudame.h's CUDAME_MODE_*. */
#define VP8_CUDAME_MODE_OFF     0
#define VP8_CUDAME_MODE_DEFAULT CUDAME_MODE_FULL

enum VP8CudaMEBackend {
    VP8_CUDAME_BACKEND_AUTO,
    VP8_CUDAME_BACKEND_CUDA,
    VP8_CUDAME_BACKEND_CPU,
    VP8_CUDAME_BACKEND_NB
};


/** Values of me_offload. */
enum VP8CudaMEOffload {
    VP8_CUDAME_OFFLOAD_AUTO,
    VP8_CUDAME_OFFLOAD_FRAME,
    VP8_CUDAME_OFFLOAD_SEARCH,
    VP8_CUDAME_OFFLOAD_NB
};
enum VP8CudaMEFirstPassBackend {
    VP8_CUDAME_FIRST_PASS_AUTO,
    VP8_CUDAME_FIRST_PASS_CUDA,
    VP8_CUDAME_FIRST_PASS_CPU,
    VP8_CUDAME_FIRST_PASS_NB
};

enum VP8CudaMEPreset {
    VP8_CUDAME_PRESET_NONE,
    VP8_CUDAME_PRESET_BEST,
    VP8_CUDAME_PRESET_SLOW,
    VP8_CUDAME_PRESET_MEDIUM,
    VP8_CUDAME_PRESET_FAST,
    VP8_CUDAME_PRESET_LIVE,
    VP8_CUDAME_PRESET_LIVEFAST,
    VP8_CUDAME_PRESET_NB
};

/** Timestamps of hidden altref frames. */
enum VP8CudaMEAltRefDTS {
    VP8_CUDAME_ALT_REF_DTS_BETWEEN, ///< between those of two frames
    VP8_CUDAME_ALT_REF_DTS_NEXT,    ///< that of the next frame is allowed, too
    VP8_CUDAME_ALT_REF_DTS_NB
};

/** Maximum of lag-in-frames, as in libvpx. */
#define VP8_CUDAME_LOOKAHEAD 25

/* Values that mean "not given". A preset replaces only options that are not
   given, and libvpxenc.c's defaults cannot be told from given values. */
#define VP8_CUDAME_DEADLINE_UNSET INT_MIN
#define VP8_CUDAME_CPU_USED_UNSET (-17)

/* Special values of the option gpu, the same as in NVENC's encoders. Other
   values are device numbers. */
#define VP8_CUDAME_GPU_ANY  (-1)
#define VP8_CUDAME_GPU_LIST (-2)

/** Conversion of input frames to planes in host memory. */
typedef struct VP8CudaMEFrames {
    AVBufferRef *device;     ///< device of the CUDA frames, else the device that
                             ///< the user set, else NULL
    void *cu_context;        ///< CUcontext of the device
    void *cu_stream;         ///< CUstream of the device
    struct cudame_downloader *downloader;
    int no_downloader;       ///< creating the downloader failed: libavutil
                             ///< downloads CUDA frames

    AVFrame *next;           ///< input frame that is being encoded
    int is_held;             ///< next has another size, and waits until libvpx
                             ///< has coded all frames before it
    AVFrame *i420;           ///< view of the input frame for libvpx; the planes
                             ///< belong to other buffers
    AVFrame *software;       ///< frame that libavutil downloaded
    uint8_t *chroma;         ///< de-interleaved chroma planes of an NV12 frame
    unsigned chroma_size;    ///< allocated size of chroma in bytes

    const uint8_t *luma;     ///< CUdeviceptr of the input frame's luma, or NULL
    int luma_stride;
} VP8CudaMEFrames;

/** Fields of the AVCodecContext that may change while the encoder runs. */
typedef struct VP8CudaMESettings {
    int64_t bit_rate, min_rate, max_rate;
    int buffer_size;
    int qmin, qmax;
    int gop_size, keyint_min;
    AVRational framerate;
} VP8CudaMESettings;

/** The settings that libvpx has, and those that it was opened with. */
typedef struct VP8CudaMEChange {
    VP8CudaMESettings last;  ///< those that libvpx has
    int64_t opened_rate;     ///< bit_rate when libvpx was first opened
    int opened_width;        ///< libvpx takes frames of at most this size
    int opened_height;
    unsigned layer_rates[VPX_TS_MAX_LAYERS]; ///< ts_target_bitrate at opened_rate
    int warned_pass;         ///< warned that rates cannot change in two passes
    int warned_kind;         ///< warned that the kind of rate control cannot change
} VP8CudaMEChange;

/** The part of libvpxenc.c's private context that belongs to vp8_cudame. */
typedef struct VP8CudaMEContext {
    /* options, see vp8_cudame_options.c */
    int preset;       ///< enum VP8CudaMEPreset
    int deadline;     ///< deadline as given, or VP8_CUDAME_DEADLINE_UNSET;
                      ///< ff_vp8_cudame_preset() stores the used value here
    int cpu_used;     ///< cpu-used as given, or VP8_CUDAME_CPU_USED_UNSET;
                      ///< ff_vp8_cudame_preset() stores the used value here
    int lag;          ///< lag-in-frames as given, or -1
    int arnr_frames;  ///< arnr-maxframes as given, or -1
    int mode;         ///< VP8_CUDAME_MODE_OFF or CUDAME_MODE_*
    int backend;      ///< enum VP8CudaMEBackend
    int search;       ///< CUDAME_SEARCH_*
    int cuda_after;   ///< search time in ms after which CUDA starts, or -1
    int offload;      ///< enum VP8CudaMEOffload
    int first_pass;   ///< enum VP8CudaMEFirstPassBackend
    int gpu;          ///< device number, or VP8_CUDAME_GPU_*
    int band_rows;    ///< macroblock rows of a CUDA launch; 0: automatic
    int guide;        ///< VP8E_MP_GUIDE_*
    int mb_quantizers; ///< enable the macroblock tree
    int filter_source; ///< enable the temporal prefilter
    int alt_ref_dts;  ///< enum VP8CudaMEAltRefDTS
    int size_changes; ///< allow frames of another size
    char *stats_path; ///< file name of me_stats, or NULL

    AVCodecContext *avctx;
    struct vp8_provider *provider; ///< NULL if libvpx searches motion
    int source_is_frame; ///< libvpx encodes each frame unchanged, in the call
                         ///< that passes it
    FILE *stats_file; ///< me_stats file, or NULL
    VP8CudaMEFrames frames;
    VP8CudaMEChange change;
    int error;        ///< AVERROR of opening libvpx again, after which nothing works
} VP8CudaMEContext;

/**
 * Set deadline, cpu-used, lag-in-frames and arnr-maxframes: a given option wins
 * over the preset, and the preset wins over libvpxenc.c's default. Call it
 * before any of these options is read.
 * @param deadline,cpu_used,lag,arnr_frames libvpxenc.c's fields, with their
 *                                          defaults
 */
void ff_vp8_cudame_preset(VP8CudaMEContext *s, int *deadline, int *cpu_used,
                          int *lag, int *arnr_frames);

/**
 * Check options that libvpx would refuse without a clear message. Call it after
 * ff_vp8_cudame_preset(), and before libvpx is opened.
 * @return 0 or an AVERROR
 */
int ff_vp8_cudame_check(AVCodecContext *avctx, const VP8CudaMEContext *s);

/**
 * Check the options and, unless cuda_me is off, attach a motion provider.
 * @param encoder initialized libvpx encoder of the color planes; destroy it
 *                before you call ff_vp8_cudame_close()
 * @return 0 or an AVERROR
 */
int ff_vp8_cudame_init(AVCodecContext *avctx, VP8CudaMEContext *s,
                       struct vpx_codec_ctx *encoder);

/**
 * Attach the provider again, after libvpx was closed and opened.
 * @return 0 or an AVERROR
 */
int ff_vp8_cudame_reopened(AVCodecContext *avctx, VP8CudaMEContext *s,
                           struct vpx_codec_ctx *encoder);

/**
 * Get the next input frame in a form that libvpx can read.
 * @param frame set to the frame, or to a view of it if libvpx cannot read its
 *              format; valid until ff_vp8_cudame_frame_done(). NULL at the end
 *              of the stream, and if s->frames.is_held: then get all packets of
 *              libvpx, and call ff_vp8_cudame_resize().
 * @return 0 or an AVERROR; AVERROR(EAGAIN) if there is no frame yet
 */
int ff_vp8_cudame_frame(AVCodecContext *avctx, VP8CudaMEContext *s,
                        const AVFrame **frame);

/**
 * Give libvpx the rates, quantizers, gop_size and framerate of avctx if they have
 * changed. Call it before each call of vpx_codec_encode().
 * @param alpha encoder of the alpha plane, or NULL
 * @return 0 or an AVERROR; libvpx then keeps its settings
 */
int ff_vp8_cudame_change(AVCodecContext *avctx, VP8CudaMEContext *s,
                         struct vpx_codec_ctx *encoder, struct vpx_codec_ctx *alpha);

/**
 * Give the encoder the size of the frame that is held.
 * @return 1 if libvpx has the size, 0 if it must be closed and opened again, or
 *         an AVERROR
 */
int ff_vp8_cudame_resize(AVCodecContext *avctx, VP8CudaMEContext *s,
                         struct vpx_codec_ctx *encoder, struct vpx_codec_ctx *alpha);

/** Drop the frame that is held, if any. */
void ff_vp8_cudame_frames_flush(VP8CudaMEContext *s);

/**
 * Release the frame after libvpx has encoded it or failed to encode it. Call it
 * after a failed ff_vp8_cudame_frame() too.
 */
void ff_vp8_cudame_frame_done(VP8CudaMEContext *s);

/**
 * Free everything. It is safe to call it after ff_vp8_cudame_init() failed or
 * was not called.
 */
void ff_vp8_cudame_close(VP8CudaMEContext *s);

extern const struct AVCodecHWConfigInternal *const ff_vp8_cudame_hw_configs[];

/* The rest of this header is not for libvpxenc.c. */

/**
 * Check hw_frames_ctx and hw_device_ctx, and store the CUDA device that they
 * refer to.
 * @return 0 or an AVERROR
 */
int ff_vp8_cudame_frames_init(AVCodecContext *avctx, VP8CudaMEContext *s);

/** Store the settings that the encoder is opened with. */
void ff_vp8_cudame_change_init(AVCodecContext *avctx, VP8CudaMEContext *s,
                               const struct vpx_codec_ctx *encoder);

/** Free what depends on the size of frames. */
void ff_vp8_cudame_frames_resized(VP8CudaMEContext *s);

/** Free s->frames. */
void ff_vp8_cudame_frames_close(VP8CudaMEContext *s);

#endif /* AVCODEC_VP8_CUDAME_H */
