/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// A small VP8 encoder and decoder pair around libvpx's API, and a synthetic
// source, for the tests of the motion provider.

#ifndef TESTS_PROVIDER_CODEC_H
#define TESTS_PROVIDER_CODEC_H

#include <cstdint>
#include <string>
#include <vector>

#include "vpx/vp8_motion_provider.h"
#include "vpx/vp8cx.h"
#include "vpx/vp8dx.h"
#include "vpx/vpx_decoder.h"
#include "vpx/vpx_encoder.h"

namespace provider_test {

struct Settings {
    int width = 176, height = 144;
    unsigned long deadline = VPX_DL_GOOD_QUALITY;
    int cpu_used = 0;
    int threads = 1;
    int lag = 0;
    int kbps = 300;
    int min_q = -1, max_q = -1;  // -1: libvpx's own
    int buffer_ms = 0;           // of a constant bitrate; 0: it is variable
    int buffer_initial_ms = 0;   // 0: what is optimal
    int keyframe_interval = 128;
    int profile = 0;
    int error_resilient = 0;
    int layers = 1;
    int noise_sensitivity = 0;
    int resize_allowed = 0;
    unsigned static_thresh = 0;
    bool arf = false;
    int partitions = 0;  // of tokens, each a packet of its own; 0: one, and whole frames
};

// Bytes of a frame as Encode() takes it: planes one after the other, without padding.
size_t FrameBytes(int width, int height);

// Frame t of a clip: a panning texture, an object that moves against it, noise.
std::vector<uint8_t> MakeFrame(int width, int height, int t);

struct Packet {
    std::vector<uint8_t> data;
    bool key = false, shown = true;
    int64_t pts = 0;
    int parts = 0;  // packets that it came in
};

class Encoder {
  public:
    // pass: 0 one pass, 1 first, 2 last (stats from the first).
    Encoder(const Settings &settings, int pass = 0, std::string stats = "");
    ~Encoder();
    Encoder(const Encoder &) = delete;
    Encoder &operator=(const Encoder &) = delete;

    vpx_codec_err_t SetProvider(const vp8e_motion_provider_t *provider);

    // Encodes one I420 frame, or flushes with nullptr; the packets it gave.
    std::vector<Packet> Encode(const uint8_t *i420, vpx_enc_frame_flags_t flags = 0);

    // The encoder's reconstruction of the frame coded last, I420; empty if that
    // frame is not shown.
    std::vector<uint8_t> Reconstruction();

    void Resize(int width, int height);
    void SetThreads(int threads);
    void SetBitrate(int kbps);
    const std::string &stats() const { return stats_; }
    vpx_codec_ctx_t *ctx() { return &ctx_; }

  private:
    Settings settings_;
    vpx_codec_ctx_t ctx_{};
    vpx_codec_enc_cfg_t cfg_{};
    std::string stats_;
    int64_t pts_ = 0;
};

class Decoder {
  public:
    Decoder();
    ~Decoder();
    Decoder(const Decoder &) = delete;
    Decoder &operator=(const Decoder &) = delete;
    // I420 of the shown frame, or empty.
    std::vector<uint8_t> Decode(const Packet &packet);
    // Whether the last packet changed a reference.
    bool UpdatedReferences();

  private:
    vpx_codec_ctx_t ctx_{};
};

// Packs an image's visible I420 samples.
std::vector<uint8_t> Pack(const vpx_image_t &img);

}  // namespace provider_test

#endif  // TESTS_PROVIDER_CODEC_H
