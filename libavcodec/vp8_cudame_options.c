/*
 * Options of the encoder vp8_cudame
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
 * The options of vp8_cudame, without those of libvpx that libvpxenc.c adds.
 * libvpxenc.c includes this file into the option table, because an AVClass has
 * only one table. OFFSET() and VE are those of libvpxenc.c.
 */

    { "preset",   "Set deadline and cpu-used by one name, unless they are given",  OFFSET(cudame.preset), AV_OPT_TYPE_INT,   { .i64 = VP8_CUDAME_PRESET_NONE }, 0, VP8_CUDAME_PRESET_NB - 1, VE, .unit = "preset" },
    { "none",     "Leave deadline and cpu-used as they are",                       0,                     AV_OPT_TYPE_CONST, { .i64 = VP8_CUDAME_PRESET_NONE }, 0, 0, VE, .unit = "preset" },
    { "best",     "deadline best, 25 frames of lookahead in one pass",             0,                     AV_OPT_TYPE_CONST, { .i64 = VP8_CUDAME_PRESET_BEST }, 0, 0, VE, .unit = "preset" },
    { "slow",     "deadline good, cpu-used 1, 25 frames of lookahead in one pass", 0,                     AV_OPT_TYPE_CONST, { .i64 = VP8_CUDAME_PRESET_SLOW }, 0, 0, VE, .unit = "preset" },
    { "medium",   "deadline good, cpu-used 2, 25 frames of lookahead in one pass", 0,                     AV_OPT_TYPE_CONST, { .i64 = VP8_CUDAME_PRESET_MEDIUM }, 0, 0, VE, .unit = "preset" },
    { "fast",     "deadline good, cpu-used 5",                                     0,                     AV_OPT_TYPE_CONST, { .i64 = VP8_CUDAME_PRESET_FAST }, 0, 0, VE, .unit = "preset" },
    { "live",     "deadline realtime, cpu-used -8",                                0,                     AV_OPT_TYPE_CONST, { .i64 = VP8_CUDAME_PRESET_LIVE }, 0, 0, VE, .unit = "preset" },
    { "livefast", "deadline realtime, cpu-used -16",                               0,                     AV_OPT_TYPE_CONST, { .i64 = VP8_CUDAME_PRESET_LIVEFAST }, 0, 0, VE, .unit = "preset" },

    { "cuda_me", "Select which blocks cudame searches, and how precisely",  OFFSET(cudame.mode), AV_OPT_TYPE_INT,   { .i64 = VP8_CUDAME_MODE_DEFAULT }, VP8_CUDAME_MODE_OFF, CUDAME_MODE_FULL, VE, .unit = "cuda_me" },
    { "off",     "Nothing: encode the same stream as libvpx",               0,                   AV_OPT_TYPE_CONST, { .i64 = VP8_CUDAME_MODE_OFF }, 0, 0, VE, .unit = "cuda_me" },
    { "fast",    "Whole macroblocks, full pel",                             0,                   AV_OPT_TYPE_CONST, { .i64 = CUDAME_MODE_FAST }, 0, 0, VE, .unit = "cuda_me" },
    { "splitmv", "All partitions, full pel",                                0,                   AV_OPT_TYPE_CONST, { .i64 = CUDAME_MODE_SPLITMV }, 0, 0, VE, .unit = "cuda_me" },
    { "tex",     "All partitions, quarter pel with bilinear interpolation", 0,                   AV_OPT_TYPE_CONST, { .i64 = CUDAME_MODE_TEX }, 0, 0, VE, .unit = "cuda_me" },
    { "full",    "All partitions, quarter pel with the filters of VP8",     0,                   AV_OPT_TYPE_CONST, { .i64 = CUDAME_MODE_FULL }, 0, 0, VE, .unit = "cuda_me" },

    { "me_backend", "Select the device of the motion search",                                                                OFFSET(cudame.backend), AV_OPT_TYPE_INT,   { .i64 = VP8_CUDAME_BACKEND_AUTO }, 0, VP8_CUDAME_BACKEND_NB - 1, VE, .unit = "me_backend" },
    { "auto",       "Start on the CPU and move to CUDA after me_cuda_after; stay on the CPU if CUDA is missing or fails", 0,                      AV_OPT_TYPE_CONST, { .i64 = VP8_CUDAME_BACKEND_AUTO }, 0, 0, VE, .unit = "me_backend" },
    { "cuda",       "Use CUDA; fail if it is not available",                                                                 0,                      AV_OPT_TYPE_CONST, { .i64 = VP8_CUDAME_BACKEND_CUDA }, 0, 0, VE, .unit = "me_backend" },
    { "cpu",        "Use the CPU",                                                                                           0,                      AV_OPT_TYPE_CONST, { .i64 = VP8_CUDAME_BACKEND_CPU }, 0, 0, VE, .unit = "me_backend" },

    { "me_cuda_after", "Set the time in ms of motion search, summed over CPU threads, after which me_backend auto starts CUDA (0: at once, -1: 300)", OFFSET(cudame.cuda_after), AV_OPT_TYPE_INT, { .i64 = -1 }, -1, INT_MAX, VE },

    { "gpu",  "Select the CUDA device of the motion search",                                   OFFSET(cudame.gpu), AV_OPT_TYPE_INT,   { .i64 = VP8_CUDAME_GPU_ANY }, VP8_CUDAME_GPU_LIST, INT_MAX, VE, .unit = "gpu" },
    { "any",  "Use the device of the input frames, or the given one, or the least loaded one", 0,                  AV_OPT_TYPE_CONST, { .i64 = VP8_CUDAME_GPU_ANY }, 0, 0, VE, .unit = "gpu" },
    { "list", "List the devices and exit",                                                     0,                  AV_OPT_TYPE_CONST, { .i64 = VP8_CUDAME_GPU_LIST }, 0, 0, VE, .unit = "gpu" },

    { "me_search", "Select the full-pel search",                                                                       OFFSET(cudame.search), AV_OPT_TYPE_INT,   { .i64 = CUDAME_SEARCH_DEFAULT }, 0, CUDAME_SEARCH_LEAN, VE, .unit = "me_search" },
    { "default",   "lean with cuda_me full, or full if me_range is given or guide is off; diamond with other cuda_me", 0,                     AV_OPT_TYPE_CONST, { .i64 = CUDAME_SEARCH_DEFAULT }, 0, 0, VE, .unit = "me_search" },
    { "diamond",   "One diamond of 127 vectors, then 15 vectors around the best",                                      0,                     AV_OPT_TYPE_CONST, { .i64 = CUDAME_SEARCH_DIAMOND }, 0, 0, VE, .unit = "me_search" },
    { "iterative", "The diamond, moved to its best vector until that is the center",                                   0,                     AV_OPT_TYPE_CONST, { .i64 = CUDAME_SEARCH_ITERATIVE }, 0, 0, VE, .unit = "me_search" },
    { "full",      "Every vector within me_range pixels (1 to 128, default 32)",                                       0,                     AV_OPT_TYPE_CONST, { .i64 = CUDAME_SEARCH_FULL }, 0, 0, VE, .unit = "me_search" },
    { "lean",      "A descent from predicted vectors, with an effort that follows deadline and cpu-used",              0,                     AV_OPT_TYPE_CONST, { .i64 = CUDAME_SEARCH_LEAN }, 0, 0, VE, .unit = "me_search" },

    { "me_band_rows", "Set how many macroblock rows the CUDA device searches at once (0: automatic)", OFFSET(cudame.band_rows), AV_OPT_TYPE_INT, { .i64 = 0 }, 0, 1024, VE },

    { "guide",      "Set how much of the mode decision follows the costs of the motion search",                               OFFSET(cudame.guide), AV_OPT_TYPE_INT,   { .i64 = VP8E_MP_GUIDE_AUTO }, VP8E_MP_GUIDE_OFF, VP8E_MP_GUIDE_AUTO, VE, .unit = "guide" },
    { "off",        "Evaluate every candidate that libvpx evaluates",                                                         0,                    AV_OPT_TYPE_CONST, { .i64 = VP8E_MP_GUIDE_OFF }, 0, 0, VE, .unit = "guide" },
    { "safe",       "Skip candidates that are far more expensive than the best",                                              0,                    AV_OPT_TYPE_CONST, { .i64 = VP8E_MP_GUIDE_SAFE }, 0, 0, VE, .unit = "guide" },
    { "normal",     "Evaluate only candidates that can win",                                                                  0,                    AV_OPT_TYPE_CONST, { .i64 = VP8E_MP_GUIDE_NORMAL }, 0, 0, VE, .unit = "guide" },
    { "aggressive", "Evaluate only if the costs of two or more candidates are close",                                         0,                    AV_OPT_TYPE_CONST, { .i64 = VP8E_MP_GUIDE_AGGRESSIVE }, 0, 0, VE, .unit = "guide" },
    { "auto",       "normal with deadline best, with good up to cpu-used 3 and with realtime from -3 to -1; else aggressive", 0,                    AV_OPT_TYPE_CONST, { .i64 = VP8E_MP_GUIDE_AUTO }, 0, 0, VE, .unit = "guide" },

    { "mb_quantizers", "Set macroblock quantizers by the macroblock tree, in two passes or with a lookahead", OFFSET(cudame.mb_quantizers), AV_OPT_TYPE_BOOL, { .i64 = 1 }, 0, 1, VE },
    { "filter_source", "Filter noise from key, golden and altref frames, in two passes or with a lookahead", OFFSET(cudame.filter_source), AV_OPT_TYPE_BOOL, { .i64 = 1 }, 0, 1, VE },

    { "me_offload", "Select what the provider does at a realtime deadline; the stream is the same", OFFSET(cudame.offload), AV_OPT_TYPE_INT,   { .i64 = VP8_CUDAME_OFFLOAD_AUTO }, 0, VP8_CUDAME_OFFLOAD_NB - 1, VE, .unit = "me_offload" },
    { "auto",       "Whole frames on CUDA, only the motion search on the CPU",                      0,                        AV_OPT_TYPE_CONST, { .i64 = VP8_CUDAME_OFFLOAD_AUTO }, 0, 0, VE, .unit = "me_offload" },
    { "frame",      "Whole frames; on the CPU this is a slow reference",                            0,                        AV_OPT_TYPE_CONST, { .i64 = VP8_CUDAME_OFFLOAD_FRAME }, 0, 0, VE, .unit = "me_offload" },
    { "search",     "Only the motion search",                                                       0,                        AV_OPT_TYPE_CONST, { .i64 = VP8_CUDAME_OFFLOAD_SEARCH }, 0, 0, VE, .unit = "me_offload" },

    { "me_first_pass", "Select the device of the first pass or of the lookahead; the statistics are the same", OFFSET(cudame.first_pass), AV_OPT_TYPE_INT,   { .i64 = VP8_CUDAME_FIRST_PASS_AUTO }, 0, VP8_CUDAME_FIRST_PASS_NB - 1, VE, .unit = "me_first_pass" },
    { "auto",          "Use CUDA if the clip is long enough, or if the motion search runs there",              0,                         AV_OPT_TYPE_CONST, { .i64 = VP8_CUDAME_FIRST_PASS_AUTO }, 0, 0, VE, .unit = "me_first_pass" },
    { "cuda",          "Use CUDA; fail if it is not available",                                                0,                         AV_OPT_TYPE_CONST, { .i64 = VP8_CUDAME_FIRST_PASS_CUDA }, 0, 0, VE, .unit = "me_first_pass" },
    { "cpu",           "Use the CPU",                                                                          0,                         AV_OPT_TYPE_CONST, { .i64 = VP8_CUDAME_FIRST_PASS_CPU }, 0, 0, VE, .unit = "me_first_pass" },

    { "alt_ref_dts", "Select which timestamps hidden alternate reference frames may have (ffmpeg selects it by the output format)", OFFSET(cudame.alt_ref_dts), AV_OPT_TYPE_INT, { .i64 = VP8_CUDAME_ALT_REF_DTS_BETWEEN }, 0, VP8_CUDAME_ALT_REF_DTS_NB - 1, VE, .unit = "alt_ref_dts" },
    { "between",     "Timestamps between those of two frames; if the time base has none, there are no hidden frames by default",   0,                          AV_OPT_TYPE_CONST, { .i64 = VP8_CUDAME_ALT_REF_DTS_BETWEEN }, 0, 0, VE, .unit = "alt_ref_dts" },
    { "next",        "Also the timestamp of the next frame, for output formats that take equal timestamps",                         0,                          AV_OPT_TYPE_CONST, { .i64 = VP8_CUDAME_ALT_REF_DTS_NEXT }, 0, 0, VE, .unit = "alt_ref_dts" },

    { "frame_size_changes", "Code frames of another size at their size, with a key frame; otherwise smaller ones are an error and larger ones are cut", OFFSET(cudame.size_changes), AV_OPT_TYPE_BOOL, { .i64 = 0 }, 0, 1, VE },

    { "me_stats", "Write times and counts of every frame to this file, as CSV", OFFSET(cudame.stats_path), AV_OPT_TYPE_STRING, { .str = NULL }, 0, 0, VE },

    /* Options of libvpx whose text or default differs here. */
    { "lag-in-frames", "Set the number of frames of lookahead, at least 3 (-1: 25; in one pass 0 at realtime, at good from cpu-used 4 on, and under the name libvpx)", OFFSET(cudame.lag),     AV_OPT_TYPE_INT, { .i64 = -1 }, -1, VP8_CUDAME_LOOKAHEAD, VE },
    { "auto-alt-ref",  "Enable hidden alternate reference frames, in two passes or with a lookahead (-1: with a lookahead in one pass, if timestamps allow)",                OFFSET(auto_alt_ref),   AV_OPT_TYPE_INT, { .i64 = -1 }, -1, 2, VE },

    /* Copies of libvpx's options that record whether the user set them:
       AVOption finds the first option of a name, and the lowest value means
       "not given". They are no encoding options, so that only libvpx's are
       shown. They have a flag, because ffmpeg ignores options without one. */
    { "deadline",        NULL, OFFSET(cudame.deadline),    AV_OPT_TYPE_INT, { .i64 = VP8_CUDAME_DEADLINE_UNSET }, VP8_CUDAME_DEADLINE_UNSET, INT_MAX, AV_OPT_FLAG_VIDEO_PARAM, .unit = "quality" },
    { "quality",         NULL, OFFSET(cudame.deadline),    AV_OPT_TYPE_INT, { .i64 = VP8_CUDAME_DEADLINE_UNSET }, VP8_CUDAME_DEADLINE_UNSET, INT_MAX, AV_OPT_FLAG_VIDEO_PARAM, .unit = "quality" },
    { "cpu-used",        NULL, OFFSET(cudame.cpu_used),    AV_OPT_TYPE_INT, { .i64 = VP8_CUDAME_CPU_USED_UNSET }, VP8_CUDAME_CPU_USED_UNSET, 16, AV_OPT_FLAG_VIDEO_PARAM },
    { "speed",           NULL, OFFSET(cudame.cpu_used),    AV_OPT_TYPE_INT, { .i64 = VP8_CUDAME_CPU_USED_UNSET }, VP8_CUDAME_CPU_USED_UNSET, 16, AV_OPT_FLAG_VIDEO_PARAM },
    { "rc_lookahead",    NULL, OFFSET(cudame.lag),         AV_OPT_TYPE_INT, { .i64 = -1 }, -1, VP8_CUDAME_LOOKAHEAD, AV_OPT_FLAG_VIDEO_PARAM },
    { "arnr_max_frames", NULL, OFFSET(cudame.arnr_frames), AV_OPT_TYPE_INT, { .i64 = 0 }, 0, 15, AV_OPT_FLAG_VIDEO_PARAM },
    /* The last of the two that share arnr_frames, so that -1 is the default. */
    { "arnr-maxframes",  NULL, OFFSET(cudame.arnr_frames), AV_OPT_TYPE_INT, { .i64 = -1 }, -1, INT_MAX, AV_OPT_FLAG_VIDEO_PARAM },

    /* libvpx's options that its own table does not share with other encoders. */
    { "cpu-used",            "Set the speed: a higher number is faster and has less quality", OFFSET(cpu_used),            AV_OPT_TYPE_INT, { .i64 = 1 }, -16, 16, VE },
    { "screen-content-mode", "Set the mode for screen content (0: off, 1: on, 2: on, with a stricter rate control)", OFFSET(screen_content_mode), AV_OPT_TYPE_INT, { .i64 = -1 }, -1, 2, VE },
