/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* Encoders that are opened, used and closed. */

#ifndef SOAK_ENCODE_H
#define SOAK_ENCODE_H

#include <libavcodec/avcodec.h>

typedef struct Setting {
    const char *name;
    const char *options;        ///< "key=value:key=value"
    int frames;                 ///< of one encoder
    int key_every;              ///< frames from one forced key frame to the next; 0: none
    enum { DRAIN, CLOSE, TWO_PASSES, REFUSE, SHRINK } how;
    enum AVPixelFormat format;
} Setting;

/*
 * CLOSE: without an end of the stream, so that frames are still queued; REFUSE: opening has to
 * fail; SHRINK: a frame is too small, and refused.
 */
extern const Setting settings[];
extern const int nb_settings;

/** Draws what all encoders get. */
void encode_init(void);

/** Opens an encoder, or says why not; NULL then. me_backend is the backend. */
AVCodecContext *encode_open(const Setting *s, const char *backend, int width, int height,
                            const char *stats_in, int flags);

/** Encodes frame n of a moving picture. Returns the number of packets, or an error. */
int encode_frame(AVCodecContext *ctx, const Setting *s, int n);

/** Ends the stream. Returns as encode_frame(). */
int encode_end(AVCodecContext *ctx);

/** Opens, uses and closes one encoder, or two for two passes. Returns frames, or an error. */
int encode_cycle(const Setting *s, const char *backend, int width, int height);

#endif
