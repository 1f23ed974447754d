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
 * What libvpxenc.c calls, in vp8_cudame.c and vp8_cudame_frames.c.
 */

#ifndef AVCODEC_VP8_CUDAME_H
#define AVCODEC_VP8_CUDAME_H

#include "avcodec.h"
#include "codec_internal.h"

struct cudame_downloader;
struct vpx_codec_ctx;

#ifndef CODEC_PIXFMTS /* FFmpeg 7.1 */
#define CODEC_PIXFMTS(...) \
    .p.pix_fmts = (const enum AVPixelFormat[]){ __VA_ARGS__, AV_PIX_FMT_NONE }
#endif

/* The numbers of mode and search are those of cudame.h. */
enum VP8CudaMEMode {
    VP8_CUDAME_MODE_OFF     = 0,
    VP8_CUDAME_MODE_FAST    = 1,
    VP8_CUDAME_MODE_SPLITMV = 2,
    VP8_CUDAME_MODE_TEX     = 3,
    VP8_CUDAME_MODE_FULL    = 4,
    VP8_CUDAME_MODE_NB
};

enum VP8CudaMESearch {
    VP8_CUDAME_SEARCH_DEFAULT      = 0,
    VP8_CUDAME_SEARCH_DIAMOND      = 1,
    VP8_CUDAME_SEARCH_ITERATIVE    = 2,
    VP8_CUDAME_SEARCH_FULL         = 3,
    VP8_CUDAME_SEARCH_LEAN         = 4,
    VP8_CUDAME_SEARCH_NB
};

/* The numbers are those of vp8_motion_provider.h. */
enum VP8CudaMEGuide {
    VP8_CUDAME_GUIDE_OFF        = 0,
    VP8_CUDAME_GUIDE_SAFE       = 1,
    VP8_CUDAME_GUIDE_NORMAL     = 2,
    VP8_CUDAME_GUIDE_AGGRESSIVE = 3,
    VP8_CUDAME_GUIDE_AUTO       = 4,
    VP8_CUDAME_GUIDE_NB
};

enum VP8CudaMEBackend {
    VP8_CUDAME_BACKEND_AUTO,
    VP8_CUDAME_BACKEND_CUDA,
    VP8_CUDAME_BACKEND_CPU,
    VP8_CUDAME_BACKEND_NB
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

/* Not given, while a preset may have another value than libvpxenc.c's default. */
#define VP8_CUDAME_DEADLINE_UNSET INT_MIN
#define VP8_CUDAME_CPU_USED_UNSET (-17)

/* Of the option gpu, as NVENC's; others are numbers of devices. */
#define VP8_CUDAME_GPU_ANY  (-1)
#define VP8_CUDAME_GPU_LIST (-2)

/** The mode when none is chosen. */
#define VP8_CUDAME_MODE_DEFAULT VP8_CUDAME_MODE_FULL

/** Frames made readable for libvpx. */
typedef struct VP8CudaMEFrames {
    AVBufferRef *device;     ///< of CUDA frames, else the one given, else NULL
    void *cu_context;        ///< CUcontext and
    void *cu_stream;         ///< CUstream of it
    struct cudame_downloader *downloader;
    int no_downloader;       ///< it could not be had: libavutil brings CUDA frames

    AVFrame *next;           ///< the frame being encoded, as it came
    AVFrame *i420;           ///< what libvpx gets: planes are another's
    AVFrame *software;       ///< brought by libavutil
    uint8_t *chroma;         ///< of an NV12 frame, de-interleaved
    unsigned chroma_size;

    const uint8_t *luma;     ///< CUdeviceptr of the frame being encoded, or NULL
    int luma_stride;
} VP8CudaMEFrames;

/** What vp8_cudame adds to libvpxenc.c's context. */
typedef struct VP8CudaMEContext {
    /* options */
    int preset;       ///< enum VP8CudaMEPreset
    int deadline;     ///< as given, or VP8_CUDAME_DEADLINE_UNSET; after
                      ///< ff_vp8_cudame_preset() what is used
    int cpu_used;     ///< the same with VP8_CUDAME_CPU_USED_UNSET
    int lag;          ///< lag-in-frames as given, or -1
    int arnr_frames;  ///< arnr-maxframes as given, or -1
    int mode;         ///< enum VP8CudaMEMode
    int backend;      ///< enum VP8CudaMEBackend
    int search;       ///< enum VP8CudaMESearch
    int cuda_after;   ///< ms, or -1
    int first_pass;   ///< enum VP8CudaMEFirstPassBackend
    int gpu;
    int band_rows;
    int guide;        ///< enum VP8CudaMEGuide
    int mb_quantizers; ///< whether libvpx may give macroblocks quantizers of their own
    int filter_source; ///< whether libvpx may take noise out of frames
    char *stats_path;

    struct VP8CudaMEProvider *provider; ///< NULL: libvpx estimates motion
    VP8CudaMEFrames frames;
} VP8CudaMEContext;

/**
 * An option of libvpxenc.c's under its own name. The first of a name is the one that is
 * set, so this tells whether it was given; without flags it is not shown beside the other.
 * The lowest value stands for not given.
 */
#define VP8_CUDAME_GIVEN(name, member, min, max, constants) \
    { name, NULL, OFFSET(cudame.member), AV_OPT_TYPE_INT, {.i64 = min}, min, max, 0, .unit = constants },

/**
 * Our options; OFFSET() and VE are the includer's, "cudame" is the name of
 * the VP8CudaMEContext in its context.
 */
#define VP8_CUDAME_OPTIONS \
    { "preset",     "Speed and quality by one name: what deadline and cpu-used are where they are not given", OFFSET(cudame.preset), AV_OPT_TYPE_INT, {.i64 = VP8_CUDAME_PRESET_NONE}, 0, VP8_CUDAME_PRESET_NB - 1, VE, .unit = "preset" }, \
    { "none",       "deadline and cpu-used as they are",      0, AV_OPT_TYPE_CONST, {.i64 = VP8_CUDAME_PRESET_NONE},      0, 0, VE, .unit = "preset" }, \
    { "best",       "deadline best, 25 frames ahead in one pass", 0, AV_OPT_TYPE_CONST, {.i64 = VP8_CUDAME_PRESET_BEST},      0, 0, VE, .unit = "preset" }, \
    { "slow",       "deadline good, cpu-used 1, 25 frames ahead", 0, AV_OPT_TYPE_CONST, {.i64 = VP8_CUDAME_PRESET_SLOW},      0, 0, VE, .unit = "preset" }, \
    { "medium",     "deadline good, cpu-used 2, 25 frames ahead", 0, AV_OPT_TYPE_CONST, {.i64 = VP8_CUDAME_PRESET_MEDIUM},    0, 0, VE, .unit = "preset" }, \
    { "fast",       "deadline good, cpu-used 5",              0, AV_OPT_TYPE_CONST, {.i64 = VP8_CUDAME_PRESET_FAST},      0, 0, VE, .unit = "preset" }, \
    { "live",       "deadline realtime, cpu-used -8",         0, AV_OPT_TYPE_CONST, {.i64 = VP8_CUDAME_PRESET_LIVE},      0, 0, VE, .unit = "preset" }, \
    { "livefast",   "deadline realtime, cpu-used -16",        0, AV_OPT_TYPE_CONST, {.i64 = VP8_CUDAME_PRESET_LIVEFAST},  0, 0, VE, .unit = "preset" }, \
    { "cuda_me",    "Motion estimation of cudame",            OFFSET(cudame.mode),       AV_OPT_TYPE_INT, {.i64 = VP8_CUDAME_MODE_DEFAULT},   0, VP8_CUDAME_MODE_NB - 1, VE, .unit = "cuda_me" }, \
    { "off",        "None: the same stream as libvpx makes",  0, AV_OPT_TYPE_CONST, {.i64 = VP8_CUDAME_MODE_OFF},         0, 0, VE, .unit = "cuda_me" }, \
    { "fast",       "Whole macroblocks, full pel",            0, AV_OPT_TYPE_CONST, {.i64 = VP8_CUDAME_MODE_FAST},        0, 0, VE, .unit = "cuda_me" }, \
    { "splitmv",    "All partitions, full pel",               0, AV_OPT_TYPE_CONST, {.i64 = VP8_CUDAME_MODE_SPLITMV},     0, 0, VE, .unit = "cuda_me" }, \
    { "tex",        "All partitions, quarter pel of bilinear pixels", 0, AV_OPT_TYPE_CONST, {.i64 = VP8_CUDAME_MODE_TEX}, 0, 0, VE, .unit = "cuda_me" }, \
    { "full",       "All partitions, quarter pel",            0, AV_OPT_TYPE_CONST, {.i64 = VP8_CUDAME_MODE_FULL},        0, 0, VE, .unit = "cuda_me" }, \
    { "me_backend", "Where motion is estimated",              OFFSET(cudame.backend),    AV_OPT_TYPE_INT, {.i64 = VP8_CUDAME_BACKEND_AUTO},   0, VP8_CUDAME_BACKEND_NB - 1, VE, .unit = "me_backend" }, \
    { "auto",       "Begin on the CPU, go over to CUDA when that pays; without CUDA stay there, with a warning", 0, AV_OPT_TYPE_CONST, {.i64 = VP8_CUDAME_BACKEND_AUTO},     0, 0, VE, .unit = "me_backend" }, \
    { "cuda",       "CUDA, else fail",                        0, AV_OPT_TYPE_CONST, {.i64 = VP8_CUDAME_BACKEND_CUDA},     0, 0, VE, .unit = "me_backend" }, \
    { "cpu",        "CPU",                                    0, AV_OPT_TYPE_CONST, {.i64 = VP8_CUDAME_BACKEND_CPU},      0, 0, VE, .unit = "me_backend" }, \
    { "me_cuda_after", "Milliseconds of motion estimation, summed over the CPU's threads, after which me_backend auto starts CUDA, 0: at once, -1: 300", OFFSET(cudame.cuda_after), AV_OPT_TYPE_INT, {.i64 = -1}, -1, INT_MAX, VE }, \
    { "gpu",        "CUDA device for motion estimation",      OFFSET(cudame.gpu),        AV_OPT_TYPE_INT, {.i64 = VP8_CUDAME_GPU_ANY}, VP8_CUDAME_GPU_LIST, INT_MAX, VE, .unit = "gpu" }, \
    { "any",        "That of the frames or the one given, else the least loaded", 0, AV_OPT_TYPE_CONST, {.i64 = VP8_CUDAME_GPU_ANY},  0, 0, VE, .unit = "gpu" }, \
    { "list",       "Print the devices, and end",             0, AV_OPT_TYPE_CONST, {.i64 = VP8_CUDAME_GPU_LIST},         0, 0, VE, .unit = "gpu" }, \
    { "me_search",  "Integer search",                         OFFSET(cudame.search),     AV_OPT_TYPE_INT, {.i64 = VP8_CUDAME_SEARCH_DEFAULT}, 0, VP8_CUDAME_SEARCH_NB - 1, VE, .unit = "me_search" }, \
    { "default",    "lean for full, but full with me_range or guide off; diamond for others", 0, AV_OPT_TYPE_CONST, {.i64 = VP8_CUDAME_SEARCH_DEFAULT}, 0, 0, VE, .unit = "me_search" }, \
    { "diamond",    "One diamond of 127 vectors, refined",    0, AV_OPT_TYPE_CONST, {.i64 = VP8_CUDAME_SEARCH_DIAMOND},   0, 0, VE, .unit = "me_search" }, \
    { "iterative",  "The diamond, moved until it stays",      0, AV_OPT_TYPE_CONST, {.i64 = VP8_CUDAME_SEARCH_ITERATIVE}, 0, 0, VE, .unit = "me_search" }, \
    { "full",       "Every vector within -me_range pixels (1 to 128, default 32)", 0, AV_OPT_TYPE_CONST, {.i64 = VP8_CUDAME_SEARCH_FULL},      0, 0, VE, .unit = "me_search" }, \
    { "lean",       "A descent from vectors around, as much as the deadline allows", 0, AV_OPT_TYPE_CONST, {.i64 = VP8_CUDAME_SEARCH_LEAN},      0, 0, VE, .unit = "me_search" }, \
    { "me_band_rows", "Rows of macroblocks that the device searches at a time, 0: what is best", OFFSET(cudame.band_rows), AV_OPT_TYPE_INT, {.i64 = 0}, 0, 1024, VE }, \
    { "guide",      "Mode decision by the costs of cudame",   OFFSET(cudame.guide),      AV_OPT_TYPE_INT, {.i64 = VP8_CUDAME_GUIDE_AUTO}, 0, VP8_CUDAME_GUIDE_NB - 1, VE, .unit = "guide" }, \
    { "off",        "libvpx evaluates all that it ever does", 0, AV_OPT_TYPE_CONST, {.i64 = VP8_CUDAME_GUIDE_OFF},        0, 0, VE, .unit = "guide" }, \
    { "safe",       "Leave out what is far behind",           0, AV_OPT_TYPE_CONST, {.i64 = VP8_CUDAME_GUIDE_SAFE},       0, 0, VE, .unit = "guide" }, \
    { "normal",     "Evaluate what can win",                  0, AV_OPT_TYPE_CONST, {.i64 = VP8_CUDAME_GUIDE_NORMAL},     0, 0, VE, .unit = "guide" }, \
    { "aggressive", "Evaluate only where some are close",     0, AV_OPT_TYPE_CONST, {.i64 = VP8_CUDAME_GUIDE_AGGRESSIVE}, 0, 0, VE, .unit = "guide" }, \
    { "auto",       "normal at best, at good up to cpu-used 3 and at realtime -3 to -1, else aggressive", 0, AV_OPT_TYPE_CONST, {.i64 = VP8_CUDAME_GUIDE_AUTO}, 0, 0, VE, .unit = "guide" }, \
    { "mb_quantizers", "Quantizers of macroblocks by how much is predicted from them, where frames are known ahead", OFFSET(cudame.mb_quantizers), AV_OPT_TYPE_BOOL, {.i64 = 1}, 0, 1, VE }, \
    { "filter_source", "Take noise out of what others are predicted from, where frames are known ahead", OFFSET(cudame.filter_source), AV_OPT_TYPE_BOOL, {.i64 = 1}, 0, 1, VE }, \
    { "me_first_pass", "Where a first pass, or a lookahead's, runs, to the same statistics", OFFSET(cudame.first_pass), AV_OPT_TYPE_INT, {.i64 = VP8_CUDAME_FIRST_PASS_AUTO}, 0, VP8_CUDAME_FIRST_PASS_NB - 1, VE, .unit = "me_first_pass" }, \
    { "auto",       "CUDA, if the clip is worth starting it, or the search is there", 0, AV_OPT_TYPE_CONST, {.i64 = VP8_CUDAME_FIRST_PASS_AUTO},  0, 0, VE, .unit = "me_first_pass" }, \
    { "cuda",       "CUDA, else fail",                        0, AV_OPT_TYPE_CONST, {.i64 = VP8_CUDAME_FIRST_PASS_CUDA},  0, 0, VE, .unit = "me_first_pass" }, \
    { "cpu",        "CPU",                                    0, AV_OPT_TYPE_CONST, {.i64 = VP8_CUDAME_FIRST_PASS_CPU},   0, 0, VE, .unit = "me_first_pass" }, \
    { "me_stats",   "Write times and counts of every frame to this file, as CSV", OFFSET(cudame.stats_path), AV_OPT_TYPE_STRING, {.str = NULL}, 0, 0, VE }, \
    VP8_CUDAME_GIVEN("deadline", deadline, INT_MIN, INT_MAX, "quality") \
    VP8_CUDAME_GIVEN("quality",  deadline, INT_MIN, INT_MAX, "quality") \
    VP8_CUDAME_GIVEN("cpu-used", cpu_used, VP8_CUDAME_CPU_USED_UNSET, 16, NULL) \
    VP8_CUDAME_GIVEN("speed",    cpu_used, VP8_CUDAME_CPU_USED_UNSET, 16, NULL) \
    VP8_CUDAME_GIVEN("lag-in-frames",   lag,  -1, INT_MAX, NULL) \
    VP8_CUDAME_GIVEN("rc_lookahead",    lag,  -1, INT_MAX, NULL) \
    VP8_CUDAME_GIVEN("arnr_max_frames", arnr_frames, 0, 15, NULL) \
    /* last, so that its lowest value is the default */ \
    VP8_CUDAME_GIVEN("arnr-maxframes",  arnr_frames, -1, INT_MAX, NULL)

/**
 * Decide between preset, defaults and what is given. To be called before anything uses them.
 * @param deadline,cpu_used,lag,arnr_frames libvpxenc.c's, which have their defaults
 */
void ff_vp8_cudame_preset(VP8CudaMEContext *s, int *deadline, int *cpu_used, int *lag,
                          int *arnr_frames);

/**
 * Check the options and, unless cuda_me is off, attach a motion provider.
 * @param encoder the colour encoder, initialized; it must be destroyed before
 *                ff_vp8_cudame_close() is called
 */
int ff_vp8_cudame_init(AVCodecContext *avctx, VP8CudaMEContext *s,
                       struct vpx_codec_ctx *encoder);

/**
 * Get the next frame, and make it readable for libvpx.
 * @param frame becomes the frame, or a view of it where the format needs one, valid until
 *              ff_vp8_cudame_frame_done(); NULL at the end of the stream
 * @return 0, or an AVERROR: EAGAIN if no frame is there yet
 */
int ff_vp8_cudame_frame(AVCodecContext *avctx, VP8CudaMEContext *s,
                        const AVFrame **frame);

/**
 * End the use of the frame, when libvpx has coded it or failed to; also after a
 * failed ff_vp8_cudame_frame().
 */
void ff_vp8_cudame_frame_done(VP8CudaMEContext *s);

/** Free everything; also after a failed or missing ff_vp8_cudame_init(). */
void ff_vp8_cudame_close(VP8CudaMEContext *s);

extern const struct AVCodecHWConfigInternal *const ff_vp8_cudame_hw_configs[];

/* What follows is for vp8_cudame.c. */

/** Check hw_frames_ctx and hw_device_ctx, and find their device. */
int ff_vp8_cudame_frames_init(AVCodecContext *avctx, VP8CudaMEContext *s);

/** Free what frames needed. */
void ff_vp8_cudame_frames_close(VP8CudaMEContext *s);

#endif /* AVCODEC_VP8_CUDAME_H */
