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
 * The presets, and the choice between a preset, given options and defaults.
 */

#include <vpx/vpx_encoder.h>

#include "avcodec.h"
#include "vp8_cudame.h"
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

_Static_assert(FF_ARRAY_ELEMS(presets) == VP8_CUDAME_PRESET_NB, "a preset has no entry");

av_cold void ff_vp8_cudame_preset(VP8CudaMEContext *s, int *deadline, int *cpu_used,
                                  int *lag, int *arnr_frames)
{
    int is_unset = s->deadline == VP8_CUDAME_DEADLINE_UNSET;

    if (s->preset != VP8_CUDAME_PRESET_NONE) {
        /* Use the preset's cpu-used only with the preset's deadline, because
           its meaning depends on the deadline: 2 is slow at good, but adapts to
           the clock at realtime. */
        if (is_unset || s->deadline == presets[s->preset].deadline)
            *cpu_used = presets[s->preset].cpu_used;
        *deadline = presets[s->preset].deadline;
    }
    if (!is_unset)
        *deadline = s->deadline;
    if (s->cpu_used != VP8_CUDAME_CPU_USED_UNSET)
        *cpu_used = s->cpu_used;
    if (s->lag >= 0)
        *lag = s->lag;
    if (s->arnr_frames >= 0)
        *arnr_frames = s->arnr_frames;
    /* av_opt_get() finds our copies of these two options first. */
    s->deadline = *deadline;
    s->cpu_used = *cpu_used;
}
