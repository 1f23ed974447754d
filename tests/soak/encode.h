/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* Opens, uses and closes encoders. */

#ifndef SOAK_ENCODE_H
#define SOAK_ENCODE_H

#include <libavcodec/avcodec.h>

typedef struct Setting {
    const char *name;
    const char *options;        ///< "key=value:key=value"
    int frames;                 ///< number of frames for each encoder
    int key_every;              ///< distance of forced key frames in frames; 0: none
    enum {
        DRAIN,                  ///< flush the encoder before closing it
        CLOSE,                  ///< close it without flushing, while frames are queued
        TWO_PASSES,             ///< encode twice, with the statistics of the first pass
        REFUSE,                 ///< opening must fail
        SHRINK,                 ///< the last frame is smaller, which must fail
    } how;
    enum AVPixelFormat format;
} Setting;

extern const Setting settings[];
extern const int nb_settings;

/** Draws the picture that all input frames show parts of. Call it once before encoding. */
void encode_init(void);

/**
 * Opens an encoder with me_backend set to backend. Returns NULL after an error, which it prints
 * unless the setting is REFUSE.
 */
AVCodecContext *encode_open(const Setting *s, const char *backend, int width, int height,
                            const char *stats_in, int flags);

/** Encodes frame n. Returns the number of packets, or an AVERROR. */
int encode_frame(AVCodecContext *ctx, const Setting *s, int n);

/** Flushes the encoder. Returns the number of packets, or an AVERROR. */
int encode_end(AVCodecContext *ctx);

/**
 * Opens, uses and closes an encoder, or two encoders for two passes. Returns the number of encoded
 * frames, or an AVERROR.
 */
int encode_cycle(const Setting *s, const char *backend, int width, int height);

#endif
