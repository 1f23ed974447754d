/*
 * Errors of cudame, for the encoder vp8_cudame
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

#include <cudame/cudame.h>

#include "vp8_cudame_error.h"
#include "libavutil/error.h"
#include "libavutil/log.h"

int ff_vp8_cudame_averror(int code)
{
    switch (code) {
    case 0:                         return 0;
    case CUDAME_ERROR_INVALID:      return AVERROR(EINVAL);
    case CUDAME_ERROR_MEMORY:
    case CUDAME_ERROR_DEVICE_MEM:   return AVERROR(ENOMEM);
    case CUDAME_ERROR_UNAVAILABLE:  return AVERROR(ENOSYS);
    default:                        return AVERROR_EXTERNAL;
    }
}

int ff_vp8_cudame_no_cuda(AVCodecContext *avctx, const char *what, int code,
                          const char *reason, const char *instead)
{
    const char *advice = "Check the driver and the option gpu";

    if (code == CUDAME_ERROR_INVALID)
        advice = "Remove the option gpu, or set it to the device of that context";
    else if (code == CUDAME_ERROR_DEVICE_MEM)
        advice = "Free memory of the device, or select another one with the option gpu";
    else if (!cudame_has_backend(CUDAME_BACKEND_CUDA))
        advice = "Rebuild libcudame with nvcc (CUDA toolkit) or clang";
    av_log(avctx, AV_LOG_ERROR, "Cannot run %s on CUDA: %s. %s, or use %s\n",
           what, reason, advice, instead);
    return ff_vp8_cudame_averror(code);
}
