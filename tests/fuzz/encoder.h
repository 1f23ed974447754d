/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// libvpx's encoder for scenarios. A call that fails says why.

#ifndef TESTS_FUZZ_ENCODER_H
#define TESTS_FUZZ_ENCODER_H

#include <cstdint>
#include <string>
#include <vector>

#include "../provider/codec.h"
#include "scenario.h"
#include "vpx/vp8_motion_provider.h"

namespace fuzz {

using provider_test::Packet;

class Encoder {
  public:
    Encoder() = default;
    ~Encoder() { vpx_codec_destroy(&context_); }
    Encoder(const Encoder &) = delete;
    Encoder &operator=(const Encoder &) = delete;

    // These return an empty string, or what failed and why.
    std::string Open(const vpx_codec_enc_cfg_t &config);
    std::string Configure(const vpx_codec_enc_cfg_t &config);
    std::string Set(const Control &control);
    std::string Set(const Roi &roi);
    std::string Set(const ActiveMap &active);
    std::string Set(const vpx_scaling_mode_t &scaling);
    std::string SetProvider(const vp8e_motion_provider_t *provider);
    // frame: I420 of the configured size; empty: flush.
    std::string Encode(const std::vector<uint8_t> &frame, vpx_enc_frame_flags_t flags,
                       vpx_enc_deadline_t deadline);

    // The packets of the last call of Encode().
    std::vector<Packet> packets;
    // The statistics of the first of two passes, so far.
    std::string statistics;

    // Returns the encoder's reconstruction of the shown frame coded last, I420, or nothing.
    std::vector<uint8_t> Preview();

  private:
    std::string Result(vpx_codec_err_t code, const char *call);

    vpx_codec_ctx_t context_{};
    int width_ = 0, height_ = 0;
    int64_t pts_ = 0;
};

}  // namespace fuzz

#endif  // TESTS_FUZZ_ENCODER_H
