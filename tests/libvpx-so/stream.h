/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* A VP8 encoder with a decoder behind it, through libvpx's public interface. Each frame is decoded
 * and compared with the encoder's reconstruction. A fault ends the program. */

#ifndef TESTS_LIBVPX_SO_STREAM_H
#define TESTS_LIBVPX_SO_STREAM_H

#include <stddef.h>
#include <stdint.h>
#include <vpx/vp8cx.h>
#include <vpx/vpx_decoder.h>
#include <vpx/vpx_encoder.h>

enum { kWidth = 320, kHeight = 192 };

typedef struct Stream {
    vpx_codec_ctx_t encoder, decoder;
    vpx_codec_enc_cfg_t cfg;
    unsigned long deadline;
    vpx_img_fmt_t format; /* of the pictures */
    int frame;            /* number of the next picture */
    int preview;          /* compare with the encoder's reconstruction */
    int skipped_layers;   /* the packet of the next frame is not decoded */
    uint64_t hash;        /* of all packets */
    size_t bytes;         /* of all packets */
    int packets, keys, shown;
    int last_key; /* number of the last picture that became a key frame */
    unsigned width, height; /* of the last decoded picture */
} Stream;

/* Prints a message and ends the program. */
void Fail(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* The default settings: one pass at realtime, cpu-used -8, one thread, 300 kb/s. */
vpx_codec_enc_cfg_t Config(void);

/* Opens encoder and decoder. The caller may then change deadline, format and controls. */
void Open(Stream *s, const vpx_codec_enc_cfg_t *cfg);
void Control(Stream *s, int id, int value);
/* Gives libvpx the settings of s->cfg. */
void Configure(Stream *s);
/* Encodes the next picture, or with is_end the end of the stream, and decodes its packets. Returns
 * the result of vpx_codec_encode(). */
vpx_codec_err_t TryEncode(Stream *s, vpx_enc_frame_flags_t flags, int is_end);
/* Encodes a number of pictures, which must work. */
void Encode(Stream *s, int frames);
/* Gets the frames that are still queued. */
void Flush(Stream *s);
void Close(Stream *s);

/* Decodes a packet, and adds it to the counts. */
void Decode(Stream *s, const vpx_codec_cx_pkt_t *packet);

/* Draws picture n: a texture that moves, with a square that moves the other way, and grain. The
 * caller frees it by vpx_img_free(). */
vpx_image_t *Draw(unsigned width, unsigned height, vpx_img_fmt_t format, int n);

#endif /* TESTS_LIBVPX_SO_STREAM_H */
