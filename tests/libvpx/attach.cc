/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Attaches cudame's CPU backend as the motion provider of each VP8 encoder that libvpx's tests
// open, if MOTION_PROVIDER is a guide. At the end it prints the numbers of encoders, of frames, and
// of frames of first passes.

#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <string>

#include "../fuzz/cudame_provider.h"
#include "gtest/gtest.h"
#include "vpx/vp8cx.h"
#include "vpx/vpx_encoder.h"

namespace {

int Guide() {
    const char *text = getenv("MOTION_PROVIDER");
    std::string name = text ? text : "off";
    // These tests compare the quantizers with those of libvpxrc, which knows libvpx's targets only.
    const auto *test = testing::UnitTest::GetInstance()->current_test_info();
    if (test && strstr(test->test_suite_name(), "RcInterface")) name = "off";
    const std::map<std::string, int> guides = {{"off", VP8E_MP_GUIDE_OFF},
                                               {"safe", VP8E_MP_GUIDE_SAFE},
                                               {"normal", VP8E_MP_GUIDE_NORMAL},
                                               {"aggressive", VP8E_MP_GUIDE_AGGRESSIVE},
                                               {"auto", VP8E_MP_GUIDE_AUTO}};
    const auto guide = guides.find(name);
    if (guide == guides.end()) {
        fprintf(stderr, "MOTION_PROVIDER=%s: not a guide\n", text);
        exit(2);
    }
    return guide->second;
}

int encoders, frames, first_pass_frames;

// The settings of vp8_cudame's presets medium and live, except that the CPU backend also does the
// first of two passes.
fuzz::ProviderPlan Plan(bool first_pass) {
    fuzz::ProviderPlan plan{};
    plan.kind = fuzz::ProviderKind::kCudame;
    plan.guide = first_pass ? int(VP8E_MP_GUIDE_OFF) : Guide();
    plan.mode = CUDAME_MODE_FULL;
    plan.search = CUDAME_SEARCH_LEAN;
    plan.first_pass = true;
    plan.repair_mv_cost = true;
    plan.attached = true;
    plan.seed = 1;  // chooses the level of the lean search
    return plan;
}

class Attached {
  public:
    explicit Attached(const vpx_codec_enc_cfg_t &config)
        : provider_(Plan(config.g_pass == VPX_RC_FIRST_PASS),
                    config.g_threads ? int(config.g_threads) : 1),
          counting_(*provider_.get()) {
        counting_.frame_begin = [](void *p, const vp8e_mp_frame_t *frame) {
            const int code = real_.frame_begin(p, frame);
            frames += !code;
            return code;
        };
        counting_.first_pass = [](void *p, const vp8e_mp_first_pass_t *frame,
                                  vp8e_mp_first_pass_counts_t *counts) {
            const int code = real_.first_pass(p, frame, counts);
            first_pass_frames += !code;
            return code;
        };
        real_ = *provider_.get();
    }
    ~Attached() { EXPECT_EQ(provider_.error(), ""); }
    const vp8e_motion_provider_t *get() const { return &counting_; }

  private:
    fuzz::CudameProvider provider_;
    vp8e_motion_provider_t counting_;
    static vp8e_motion_provider_t real_;  // its callbacks are the same for all encoders
};
vp8e_motion_provider_t Attached::real_;

// By the encoder's context. If a test does not destroy its encoder, the provider is freed when the
// next encoder has the same address.
std::map<const vpx_codec_ctx_t *, std::unique_ptr<Attached>> attached;

class Printer : public testing::EmptyTestEventListener {
    void OnTestProgramEnd(const testing::UnitTest &) override {
        printf("PROVIDER %d %d %d\n", encoders, frames, first_pass_frames);
    }
};

// Runs before main(), because main() is libvpx's.
const bool installed = [] {
    testing::UnitTest::GetInstance()->listeners().Append(new Printer);
    return true;
}();

}  // namespace

extern "C" {

vpx_codec_err_t __real_vpx_codec_enc_init_ver(vpx_codec_ctx_t *codec, vpx_codec_iface_t *iface,
                                              const vpx_codec_enc_cfg_t *config,
                                              vpx_codec_flags_t flags, int version);
vpx_codec_err_t __wrap_vpx_codec_enc_init_ver(vpx_codec_ctx_t *codec, vpx_codec_iface_t *iface,
                                              const vpx_codec_enc_cfg_t *config,
                                              vpx_codec_flags_t flags, int version) {
    const vpx_codec_err_t code =
        __real_vpx_codec_enc_init_ver(codec, iface, config, flags, version);
    if (code || iface != vpx_codec_vp8_cx() || Guide() == VP8E_MP_GUIDE_OFF) return code;
    auto provider = std::make_unique<Attached>(*config);
    EXPECT_EQ(vpx_codec_control(codec, VP8E_SET_MOTION_PROVIDER, provider->get()), VPX_CODEC_OK);
    attached[codec] = std::move(provider);
    encoders++;
    return code;
}

// Free the provider after the encoder, which may call it to the end.
vpx_codec_err_t __real_vpx_codec_destroy(vpx_codec_ctx_t *codec);
vpx_codec_err_t __wrap_vpx_codec_destroy(vpx_codec_ctx_t *codec) {
    const vpx_codec_err_t code = __real_vpx_codec_destroy(codec);
    attached.erase(codec);
    return code;
}

}  // extern "C"
