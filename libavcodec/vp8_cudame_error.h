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

#ifndef AVCODEC_VP8_CUDAME_ERROR_H
#define AVCODEC_VP8_CUDAME_ERROR_H

#include "avcodec.h"

/** Convert a CUDAME_ERROR to an AVERROR, and 0 to 0. */
int ff_vp8_cudame_averror(int code);

/**
 * Log that something cannot run on CUDA, and what the user can do about it.
 * @param what    what cannot run, for example "motion estimation"
 * @param code    CUDAME_ERROR of the function that failed
 * @param reason  text of the error
 * @param instead option that avoids CUDA, for example "-me_backend cpu"
 * @return code as an AVERROR
 */
int ff_vp8_cudame_no_cuda(AVCodecContext *avctx, const char *what, int code,
                          const char *reason, const char *instead);

#endif /* AVCODEC_VP8_CUDAME_ERROR_H */
