/*
 * Presets of vp8_cudame
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
 * What a preset stands for: deadline and cpu-used, which the defaults of search
 * and guide follow; and the line of the log that says what came of them.
 */

#include <stdio.h>

#include <vpx/vpx_encoder.h>

#include "avcodec.h"
#include "vp8_cudame.h"
#include "vp8_cudame_provider.h"
#include "libavutil/avstring.h"
#include "libavutil/log.h"
#include "libavutil/macros.h"

static const struct {
    int deadline;
    int cpu_used;
} presets[] = {
    [VP8_CUDAME_PRESET_BEST]     = { VPX_DL_BEST_QUALITY,   1 },
    [VP8_CUDAME_PRESET_SLOW]     = { VPX_DL_GOOD_QUALITY,   1 },
    [VP8_CUDAME_PRESET_MEDIUM]   = { VPX_DL_GOOD_QUALITY,   2 },
    [VP8_CUDAME_PRESET_FAST]     = { VPX_DL_GOOD_QUALITY,   5 },
    [VP8_CUDAME_PRESET_LIVE]     = { VPX_DL_REALTIME,      -8 },
    [VP8_CUDAME_PRESET_LIVEFAST] = { VPX_DL_REALTIME,     -16 },
};

_Static_assert(FF_ARRAY_ELEMS(presets) == VP8_CUDAME_PRESET_NB, "a preset stands for nothing");

av_cold void ff_vp8_cudame_preset(VP8CudaMEContext *s, int *deadline, int *cpu_used)
{
    int own_deadline = s->deadline == VP8_CUDAME_DEADLINE_UNSET;

    if (s->preset != VP8_CUDAME_PRESET_NONE) {
        /* A speed is one of its deadline: 2 is slow at good, and by the clock at realtime. */
        if (own_deadline || s->deadline == presets[s->preset].deadline)
            *cpu_used = presets[s->preset].cpu_used;
        *deadline = presets[s->preset].deadline;
    }
    if (!own_deadline)
        *deadline = s->deadline;
    if (s->cpu_used != VP8_CUDAME_CPU_USED_UNSET)
        *cpu_used = s->cpu_used;
    /* who reads the options by name reads these */
    s->deadline = *deadline;
    s->cpu_used = *cpu_used;
}

static const char *const search_names[] = {
    "default", "diamond", "iterative", "hierarchical", "full", "lean"
};
_Static_assert(FF_ARRAY_ELEMS(search_names) == VP8_CUDAME_SEARCH_NB, "a search has no name");

static const char *const guide_names[] = { "off", "safe", "normal", "aggressive", "auto" };
_Static_assert(FF_ARRAY_ELEMS(guide_names) == VP8_CUDAME_GUIDE_NB, "a guide has no name");

/** What libvpx makes of guide auto, unless it chooses its speed by the clock. */
static int guide_of(int guide, int deadline, int cpu_used)
{
    int by_rd = deadline == VPX_DL_BEST_QUALITY ||
                (deadline == VPX_DL_REALTIME ? cpu_used >= -3 : cpu_used <= 3);

    if (guide != VP8_CUDAME_GUIDE_AUTO || deadline == VPX_DL_REALTIME && cpu_used > 0)
        return guide;
    return by_rd ? VP8_CUDAME_GUIDE_NORMAL : VP8_CUDAME_GUIDE_AGGRESSIVE;
}

av_cold void ff_vp8_cudame_log_settings(AVCodecContext *avctx, const VP8CudaMEContext *s)
{
    const VP8CudaMEProvider *mp = s->provider;
    char deadline[32], level[16] = "";
    int search;

    switch (s->deadline) {
    case VPX_DL_BEST_QUALITY: av_strlcpy(deadline, "best",     sizeof(deadline)); break;
    case VPX_DL_GOOD_QUALITY: av_strlcpy(deadline, "good",     sizeof(deadline)); break;
    case VPX_DL_REALTIME:     av_strlcpy(deadline, "realtime", sizeof(deadline)); break;
    default: snprintf(deadline, sizeof(deadline), "%d us", s->deadline);
    }
    if (!mp) {
        av_log(avctx, AV_LOG_VERBOSE, "deadline %s, cpu-used %d, cuda_me off\n", deadline, s->cpu_used);
        return;
    }
    search = mp->config.search;
    if (search == VP8_CUDAME_SEARCH_DEFAULT)
        search = s->mode == VP8_CUDAME_MODE_FULL ? VP8_CUDAME_SEARCH_FULL : VP8_CUDAME_SEARCH_DIAMOND;
    if (search == VP8_CUDAME_SEARCH_LEAN)
        snprintf(level, sizeof(level), " level %d", mp->config.level);
    av_log(avctx, AV_LOG_VERBOSE, "deadline %s, cpu-used %d, cuda_me %s on %s%s, "
           "me_search %s%s, guide %s, %d threads\n", deadline, s->cpu_used,
           ff_vp8_cudame_mode_names[s->mode], ff_vp8_cudame_backend_name(mp),
           mp->config.backend == CUDAME_BACKEND_CUDA && mp->config.cuda_after_ms ?
           " until cuda pays" : "", search_names[search], level,
           guide_names[guide_of(mp->callbacks.guide, s->deadline, s->cpu_used)],
           mp->config.threads);
}
