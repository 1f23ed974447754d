/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// A VP8 encoder and decoder by libvpx's API, and a synthetic source, for the tests of the motion
// provider.

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
    int min_q = -1, max_q = -1;  // quantizers 0 to 63; -1: libvpx's default
    int buffer_ms = 0;           // buffer size at a constant bitrate; 0: variable bitrate
    int buffer_initial_ms = 0;   // level of the buffer at the start; 0: the optimal level
    int keyframe_interval = 128;
    int profile = 0;
    int error_resilient = 0;
    int layers = 1;
    int noise_sensitivity = 0;
    int resize_allowed = 0;
    unsigned static_thresh = 0;
    bool arf = false;
    int partitions = 0;  // token partitions, each in a packet of its own; 0: one, in whole frames
};

// Size in bytes of a frame for Encode(): I420 planes in one piece, without padding.
size_t FrameBytes(int width, int height);

// Returns frame t of a clip: a texture that pans, an object that moves in another direction, and
// noise.
std::vector<uint8_t> MakeFrame(int width, int height, int t);

struct Packet {
    std::vector<uint8_t> data;
    bool key = false, shown = true;
    int64_t pts = 0;
    int parts = 0;  // number of libvpx's packets that the frame came in
};

class Encoder {
  public:
    // pass: 0: one pass; 1: first of two; 2: last of two, with the stats of the first.
    Encoder(const Settings &settings, int pass = 0, std::string stats = "");
    ~Encoder();
    Encoder(const Encoder &) = delete;
    Encoder &operator=(const Encoder &) = delete;

    vpx_codec_err_t SetProvider(const vp8e_motion_provider_t *provider);

    // Encodes one I420 frame, or flushes if i420 is nullptr. Returns the packets.
    std::vector<Packet> Encode(const uint8_t *i420, vpx_enc_frame_flags_t flags = 0);

    // Returns the encoder's reconstruction of the frame coded last, I420; empty if that frame is
    // not shown.
    std::vector<uint8_t> Reconstruction();

    void Resize(int width, int height);
    void SetThreads(int threads);
    void SetBitrate(int kbps);
    // A buffer of that many milliseconds of the bitrate, filled at that percentage of the bitrate.
    void SetBuffer(int ms, int percent);
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
    // Returns the shown frame, I420, or nothing if the packet shows none.
    std::vector<uint8_t> Decode(const Packet &packet);
    // Returns the references that the last packet changed: VP8_LAST_FRAME, VP8_GOLD_FRAME,
    // VP8_ALTR_FRAME.
    int Updates();

  private:
    vpx_codec_ctx_t ctx_{};
};

// Returns an image's visible samples, I420.
std::vector<uint8_t> Pack(const vpx_image_t &img);

}  // namespace provider_test

#endif  // TESTS_PROVIDER_CODEC_H
