/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// After each of libvpx's tests, prints a hash of all packets of its encoders. libvpx's clock stands
// still, because at realtime libvpx chooses its speed by the clock, so that streams would differ
// from run to run.

#include <ctime>

#include "gtest/gtest.h"
#include "vpx/vpx_encoder.h"

namespace {

// FNV-1a hash.
class Hash {
  public:
    void Add(const void *data, size_t size) {
        const unsigned char *bytes = static_cast<const unsigned char *>(data);
        for (size_t i = 0; i < size; i++) value_ = (value_ ^ bytes[i]) * 0x100000001B3u;
    }
    uint64_t value() const { return value_; }

  private:
    uint64_t value_ = 0xCBF29CE484222325u;
};

Hash hash;
int packets;

class Printer : public testing::EmptyTestEventListener {
    void OnTestStart(const testing::TestInfo &) override {
        hash = Hash();
        packets = 0;
    }
    void OnTestEnd(const testing::TestInfo &test) override {
        if (!packets) return;
        printf("STREAM %s.%s %016llx\n", test.test_suite_name(), test.name(),
               static_cast<unsigned long long>(hash.value()));
    }
};

// Runs before main(), because main() is libvpx's.
const bool installed = [] {
    testing::UnitTest::GetInstance()->listeners().Append(new Printer);
    return true;
}();

}  // namespace

extern "C" {

const vpx_codec_cx_pkt_t *__real_vpx_codec_get_cx_data(vpx_codec_ctx_t *codec,
                                                       vpx_codec_iter_t *iter);
const vpx_codec_cx_pkt_t *__wrap_vpx_codec_get_cx_data(vpx_codec_ctx_t *codec,
                                                       vpx_codec_iter_t *iter) {
    const vpx_codec_cx_pkt_t *packet = __real_vpx_codec_get_cx_data(codec, iter);
    if (!packet) return packet;
    if (packet->kind == VPX_CODEC_CX_FRAME_PKT) {
        const auto &frame = packet->data.frame;
        hash.Add(&frame.pts, sizeof(frame.pts));
        hash.Add(&frame.flags, sizeof(frame.flags));
        hash.Add(frame.buf, frame.sz);
    } else if (packet->kind == VPX_CODEC_STATS_PKT) {
        hash.Add(packet->data.twopass_stats.buf, packet->data.twopass_stats.sz);
    }
    packets++;
    return packet;
}

int __wrap_clock_gettime(clockid_t, timespec *time);
int __wrap_clock_gettime(clockid_t, timespec *time) {
    *time = {};
    return 0;
}

}  // extern "C"
