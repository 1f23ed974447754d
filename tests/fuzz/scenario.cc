/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "scenario.h"

#include <algorithm>

#include "controls.h"
#include "cudame/cudame.h"
#include "random.h"
#include "vpx/vp8_motion_provider.h"

namespace fuzz {

namespace {

// A bitrate that never limits a frame.
constexpr unsigned kBoundlessKbps = 900000;

class Maker {
  public:
    Maker(Family family, uint64_t seed) : random_(Mix(seed, uint64_t(family))) {
        s_.family = family;
        s_.seed = seed;
    }
    Maker(const uint8_t *bytes, size_t size) : random_(bytes, size), small_(true) {
        static const Family families[] = {Family::kGeneral, Family::kHostile,  Family::kTwoPass,
                                          Family::kDenoise, Family::kGeneral,  Family::kHostile,
                                          Family::kGeneral, Family::kLookahead};
        // Scenarios of errors take ten times as long as others. Choose them for 1 of 32 bytes, so
        // that they take less than half of the time.
        const int n = Below(32);
        s_.family = n == 7 ? Family::kErrors : families[n % 8];
        s_.of_bytes = true;
        stays_ = Is(Family::kErrors) || Percent(50);
    }
    Scenario Make(int frames);

  private:
    int Below(int n) { return random_.Below(n); }
    int Between(int low, int high) { return random_.Between(low, high); }
    bool Percent(int chance) { return random_.Percent(chance); }
    bool Is(Family family) const { return s_.family == family; }
    // The encoder codes frames later than it gets them.
    bool delays() const { return s_.two_passes() || Is(Family::kLookahead); }

    int DefaultFrames();
    int FewFrames();
    void ChooseSize();
    void ChooseSmallSize();
    void ChooseConfig();
    void ChooseRates();
    void ChooseLayers();
    void ChooseSpeed();
    void ChooseControls();
    void ChooseProvider();
    void ChooseLookahead();
    void ChooseScenes(int frames);
    void MakeSteps(int frames);

    Step MakeStep();
    void ChangeConfig(Step *step);
    void ChangeSize();
    void ChangeControls(Step *step);
    void ChangeMaps(Step *step);
    vpx_enc_frame_flags_t Flags();
    // Phases of the family kErrors: a flood of frames of any size, then small frames.
    void BeginFlood(Step *step);
    void BeginCalm(Step *step);

    void SetKbps(unsigned kbps);
    void SetSpeed(vpx_enc_deadline_t deadline);
    Control Set(const ControlKind &kind, int value) { return {&kind, value}; }
    int Tuning() { return Below(2) && (stays_ || !small_); }
    unsigned mb_cols() const { return (config_.g_w + 15) / 16; }
    unsigned mb_rows() const { return (config_.g_h + 15) / 16; }

    Random random_;
    const bool small_ = false;  // few and small frames, for scenarios from bytes
    // The provider stays attached. Scenarios from bytes need this for errors and for SSIM, because
    // of two bugs in libvpx. Without a provider, nobody waits for libvpx's filter thread after an
    // error. It is then one frame ahead, and the header gets the level of another frame. And
    // build_activity_map() makes vp8_optimize_mby() read contexts beyond those of the last column.
    bool stays_ = false;
    Scenario s_{};
    vpx_codec_enc_cfg_t config_{};  // the current configuration
    vpx_enc_deadline_t deadline_ = 0;
    Control speed_{};
    bool attached_ = false, flood_ = false;
    bool less_room_ = false;  // limit the packets of floods
    unsigned room_ = 0;
    bool flags_ = true;  // set flags of frames; they replace most of the encoder's own decisions
};

int Maker::DefaultFrames() {
    switch (s_.family) {
        case Family::kErrors:
            return 14;
        case Family::kLarge:
            return 5;
        case Family::kDenoise:
            return 16;
        case Family::kTwoPass:
        case Family::kLookahead:
            return 30;
        default:
            return 24;
    }
}

// Returns the number of frames that a family needs: for instance a flood and the frames after it,
// or an altref frame.
int Maker::FewFrames() {
    switch (s_.family) {
        case Family::kErrors:
            return Between(5, 7);
        case Family::kTwoPass:
        case Family::kLookahead:
            return Between(3, 9);
        default:
            return Between(2, 4);
    }
}

void Maker::ChooseSmallSize() {
    if (Is(Family::kErrors) && Percent(4)) {
        // A packet buffer has at least 32 KB. Floods that fill it take long, so do this rarely.
        config_.g_w = unsigned(112 + Below(24));
        config_.g_h = unsigned(100 + Below(24));
        return;
    }
    const int most = Percent(25) ? 96 : 48;
    config_.g_w = unsigned(1 + Below(most));
    config_.g_h = unsigned(1 + Below(most));
    less_room_ = Is(Family::kErrors);
}

void Maker::ChooseSize() {
    if (small_) return ChooseSmallSize();
    int width = 16 + Below(200), height = 16 + Below(150);
    if (Percent(5)) width = 1 + Below(16);
    if (Percent(5)) height = 1 + Below(16);
    if (Is(Family::kErrors)) {
        // Wide enough for several row threads to filter rows of a frame that ended with an error.
        width = Percent(70) ? 384 + Below(200) : 100 + Below(284);
        height = 64 + Below(96);
    } else if (Is(Family::kDenoise)) {
        width = 64 + Below(200);
        height = 64 + Below(160);
    } else if (Is(Family::kLarge)) {
        // Cover the larger distances that libvpx keeps between row threads in frames that are at
        // least 640 pixels wide, or wider than 1280.
        width = Percent(20) ? 1281 + Below(100) : 500 + Below(400);
        height = 120 + Below(300);
    }
    config_.g_w = unsigned(width);
    config_.g_h = unsigned(height);
}

void Maker::SetKbps(unsigned kbps) {
    config_.rc_target_bitrate = kbps;
    for (unsigned i = 0; i < config_.ts_number_layers && config_.ts_number_layers > 1; i++) {
        config_.ts_target_bitrate[i] = kbps * (5 + i) / (4 + config_.ts_number_layers) + i;
    }
}

void Maker::ChooseRates() {
    static const vpx_rc_mode usages[] = {VPX_VBR, VPX_VBR, VPX_CBR, VPX_CBR, VPX_CQ, VPX_Q};
    config_.rc_end_usage = random_.Pick(usages);
    if (Is(Family::kLookahead) && config_.rc_end_usage != VPX_CQ) config_.rc_end_usage = VPX_VBR;
    if (Percent(30)) {
        config_.rc_min_quantizer = unsigned(Below(20));
        config_.rc_max_quantizer = config_.rc_min_quantizer + unsigned(Between(1, 43));
    }
    s_.controls.push_back(Set(kCqLevel, int(config_.rc_min_quantizer) + Below(2)));
    config_.rc_undershoot_pct = unsigned(Below(101));
    config_.rc_overshoot_pct = unsigned(Below(101));
    config_.rc_buf_sz = unsigned(200 + Below(2000));
    config_.rc_buf_initial_sz = unsigned(100 + Below(1000));
    config_.rc_buf_optimal_sz = unsigned(100 + Below(1000));
    if (Percent(30)) config_.rc_dropframe_thresh = unsigned(Below(90));
    SetKbps(unsigned(Is(Family::kLarge) && Percent(50) ? 20000 : 20 + Below(1500)));
}

void Maker::ChooseLayers() {
    config_.ts_number_layers = unsigned(Between(2, 3));
    const bool two = config_.ts_number_layers == 2;
    static const unsigned ids[2][4] = {{0, 1, 0, 1}, {0, 2, 1, 2}};
    config_.ts_periodicity = two ? 2 : 4;
    for (int i = 0; i < 4; i++) config_.ts_layer_id[i] = ids[!two][i];
    for (int i = 0; i < 3; i++) config_.ts_rate_decimator[i] = (two ? 2u : 4u) >> i;
    SetKbps(config_.rc_target_bitrate);
}

void Maker::ChooseConfig() {
    vpx_codec_enc_config_default(vpx_codec_vp8_cx(), &config_, 0);
    config_.g_timebase = {1, 25};
    ChooseSize();
    const bool two_passes = Is(Family::kTwoPass) || (Is(Family::kErrors) && Percent(50));
    if (two_passes) {
        config_.g_pass = VPX_RC_LAST_PASS;
        config_.g_lag_in_frames = unsigned(Between(2, Is(Family::kErrors) ? 6 : 25));
    }
    if (Percent(20)) config_.g_profile = unsigned(Below(4));
    if (Percent(30) && !Is(Family::kLookahead)) config_.g_error_resilient = unsigned(Below(4));
    if (Percent(delays() ? 20 : 50)) config_.kf_max_dist = unsigned(1 + Below(20));
    if (Percent(10)) config_.kf_mode = VPX_KF_DISABLED;
    ChooseRates();
    if (!delays() && Percent(15)) ChooseLayers();
    if (Percent(12) && !Is(Family::kErrors) && !Is(Family::kLookahead)) {
        config_.rc_resize_allowed = 1;
        config_.rc_resize_up_thresh = 60;
        config_.rc_resize_down_thresh = unsigned(30 + Below(30));
        s_.scales = true;
    }
}

// Choose only speeds that do not depend on the clock.
void Maker::SetSpeed(vpx_enc_deadline_t deadline) {
    deadline_ = deadline;
    const bool realtime = deadline == VPX_DL_REALTIME;
    speed_ = Set(kCpuUsed, realtime ? -Between(1, Is(Family::kDenoise) ? 8 : 16) : Below(6));
}

void Maker::ChooseSpeed() {
    static const vpx_enc_deadline_t deadlines[] = {VPX_DL_BEST_QUALITY, VPX_DL_GOOD_QUALITY,
                                                   VPX_DL_REALTIME};
    vpx_enc_deadline_t deadline = random_.Pick(deadlines);
    // A lookahead cannot begin at realtime, but the deadline may change to realtime later.
    const bool not_realtime = s_.two_passes() || (Is(Family::kLookahead) && s_.steps.empty());
    if (not_realtime && deadline == VPX_DL_REALTIME) deadline = VPX_DL_GOOD_QUALITY;
    SetSpeed(deadline);
}

void Maker::ChooseControls() {
    std::vector<Control> &c = s_.controls;
    c.push_back(speed_);
    if (Is(Family::kDenoise)) {
        // most often 3, the strongest
        c.push_back(Set(kNoise, Percent(30) ? 3 : Between(1, 6)));
    } else if (Percent(15)) {
        c.push_back(Set(kNoise, Below(7)));
    }
    if (Percent(20)) c.push_back(Set(kPartitions, Below(4)));
    if (Percent(20)) c.push_back(Set(kTuning, Tuning()));
    if (Percent(20)) c.push_back(Set(kScreen, Below(3)));
    if (Percent(20)) c.push_back(Set(kStatic, Below(3000)));
    if (Percent(20)) c.push_back(Set(kSharpness, Below(8)));
    if (Percent(10)) c.push_back(Set(kMaxIntra, 50 + Below(1000)));
    if (delays() && Percent(80)) {
        c.push_back(Set(kAltRef, 1));
        c.push_back(Set(kArnrFrames, Below(16)));
        c.push_back(Set(kArnrStrength, Below(7)));
    }
}

void Maker::ChooseProvider() {
    ProviderPlan &p = s_.provider;
    p.kind = Is(Family::kHostile) ? ProviderKind::kHostile : ProviderKind::kCudame;
    // Guidance needs the SATD of all blocks, which only MODE_FULL gives. DIAMOND is there twice so
    // that seeds and the bytes of the corpora keep their meaning.
    static const cudame_search searches[] = {CUDAME_SEARCH_DIAMOND, CUDAME_SEARCH_ITERATIVE,
                                             CUDAME_SEARCH_DIAMOND};
    p.mode = Percent(80) ? int(CUDAME_MODE_FULL) : Between(1, 3);
    const bool full = p.mode == CUDAME_MODE_FULL;
    p.search = !full || !Percent(70) ? random_.Pick(searches)
               : Percent(70)         ? CUDAME_SEARCH_LEAN
                                     : CUDAME_SEARCH_DIAMOND;
    p.guide = full || p.kind == ProviderKind::kHostile
                  ? Between(VP8E_MP_GUIDE_OFF, VP8E_MP_GUIDE_AUTO)
                  : VP8E_MP_GUIDE_OFF;
    p.filters = Percent(40);
    p.first_pass = Percent(50);
    p.repair_mv_cost = Percent(90);
    p.failing = Percent(p.kind == ProviderKind::kHostile ? 60 : 15) ? Between(2, 10) : 0;
    p.seed = random_.Bits();
    p.attached = attached_ = Percent(95) || stays_;
}

// Comes after all other choices, so that older inputs keep their meaning.
void Maker::ChooseLookahead() {
    ProviderPlan &p = s_.provider;
    if (!delays()) return;
    p.mbtree = Percent(70);
    p.prefilter = Percent(70) ? VP8E_MP_PREFILTER_SHOWN | VP8E_MP_PREFILTER_HIDDEN : Below(3);
    if (!Is(Family::kLookahead)) return;
    p.lookahead = Between(3, small_ ? 6 : 25);
    if (Percent(20)) p.kind = ProviderKind::kHostile;
}

void Maker::ChooseScenes(int frames) {
    for (int drawn = 0; drawn < frames;) {
        Scene scene{};
        scene.picture = Picture(Below(int(Picture::kCount)));
        if (Is(Family::kErrors)) scene.picture = Picture::kNoise;
        if (Is(Family::kDenoise) && Percent(60)) {
            static const Picture denoised[] = {Picture::kStill, Picture::kObject,
                                               Picture::kPanUnderStill};
            scene.picture = random_.Pick(denoised);
        }
        if (Is(Family::kTwoPass)) {
            // Frames that overflow packets belong to kErrors.
            static const Picture predictable[] = {Picture::kStill, Picture::kFade, Picture::kPan,
                                                  Picture::kObject, Picture::kPanUnderStill};
            scene.picture = random_.Pick(predictable);
        }
        scene.frames = delays() ? Between(6, 24) : Between(3, 12);
        // Making a texture takes longer than coding a small frame, so use few seeds: textures are
        // kept.
        scene.seed = uint32_t(small_ ? random_.Below(16) : random_.Bits());
        scene.dx = Between(-11, 11);
        scene.dy = Between(-4, 4);
        if (Percent(60)) scene.grain = Percent(25) && !Is(Family::kTwoPass) ? 40 : Between(1, 6);
        drawn += scene.frames;
        s_.scenes.push_back(scene);
    }
}

vpx_enc_frame_flags_t Maker::Flags() {
    static const vpx_enc_frame_flags_t all[] = {
        VP8_EFLAG_NO_REF_LAST, VP8_EFLAG_NO_REF_GF, VP8_EFLAG_NO_REF_ARF,
        VP8_EFLAG_NO_UPD_LAST, VP8_EFLAG_NO_UPD_GF, VP8_EFLAG_NO_UPD_ARF,
        VP8_EFLAG_FORCE_GF,    VP8_EFLAG_FORCE_ARF, VP8_EFLAG_NO_UPD_ENTROPY};
    vpx_enc_frame_flags_t flags = 0;
    for (vpx_enc_frame_flags_t flag : all) flags |= Percent(30) ? flag : 0;
    // libvpx refuses flags that contradict each other.
    if (flags & VP8_EFLAG_NO_UPD_GF) flags &= ~VP8_EFLAG_FORCE_GF;
    if (flags & VP8_EFLAG_NO_UPD_ARF) flags &= ~VP8_EFLAG_FORCE_ARF;
    // libvpx restores wrong probabilities after it drops a frame with this flag.
    if (config_.rc_dropframe_thresh) flags &= ~VP8_EFLAG_NO_UPD_ENTROPY;
    return flags;
}

// The size never exceeds the first one, because the encoder would refuse it.
void Maker::ChangeSize() {
    const vpx_codec_enc_cfg_t &first = s_.config;
    const bool back = Percent(30);
    config_.g_w = back ? first.g_w : unsigned(Between(1, int(first.g_w)));
    config_.g_h = back ? first.g_h : unsigned(Between(1, int(first.g_h)));
}

void Maker::ChangeConfig(Step *step) {
    if (Percent(50)) SetKbps(unsigned(20 + Below(2000)));
    if (Percent(30)) {
        const int low = int(config_.rc_min_quantizer) + 2;
        config_.rc_max_quantizer = unsigned(Between(std::min(low, 63), 63));
    }
    if (Percent(30) && !delays()) ChangeSize();
    if (Percent(30)) config_.kf_max_dist = unsigned(1 + Below(40));
    if (Percent(20)) config_.rc_dropframe_thresh = unsigned(Below(90));
    if (Percent(20)) config_.g_error_resilient = unsigned(Below(4));
    step->config = config_;
}

void Maker::ChangeControls(Step *step) {
    std::vector<Control> &c = step->controls;
    if (Percent(4)) {
        ChooseSpeed();
        step->deadline = deadline_;
        c.push_back(speed_);
    }
    if (Percent(Is(Family::kDenoise) ? 4 : 2)) c.push_back(Set(kNoise, Below(7)));
    if (Percent(3)) c.push_back(Set(kStatic, Below(3000)));
    if (Percent(3)) c.push_back(Set(kPartitions, Below(4)));
    if (Percent(3)) c.push_back(Set(kSharpness, Below(8)));
    if (Percent(3)) c.push_back(Set(kTuning, Tuning()));
    if (Percent(3)) c.push_back(Set(kScreen, Below(3)));
}

void Maker::ChangeMaps(Step *step) {
    if (Percent(4)) {
        Roi roi{};
        roi.rows = mb_rows();
        roi.cols = mb_cols();
        if (Percent(70)) {
            roi.map.resize(size_t(roi.rows) * roi.cols);
            for (uint8_t &segment : roi.map) segment = uint8_t(Below(4));
        }
        // Set no deltas of the loop-filter level: if the next frame is not filtered, libvpx does
        // not write them, but applies them later.
        for (int i = 0; i < 4; i++) {
            roi.delta_q[i] = Between(-20, 20);
            roi.static_threshold[i] = Percent(50) ? unsigned(Below(2000)) : 0;
        }
        step->roi = roi;
    }
    if (Percent(3)) {
        ActiveMap active{};
        active.rows = mb_rows();
        active.cols = mb_cols();
        if (Percent(60)) {
            active.map.resize(size_t(active.rows) * active.cols);
            for (uint8_t &is_active : active.map) is_active = Percent(75);
        }
        step->active = active;
    }
    if (Percent(1) && !delays()) {
        // The scale takes effect with the next configuration. libvpx does not force the key frame
        // that another size needs, so force it here.
        step->scaling = vpx_scaling_mode_t{VPX_SCALING_MODE(Below(4)), VPX_SCALING_MODE(Below(4))};
        step->config = config_;
        step->flags |= VPX_EFLAG_FORCE_KF;
        s_.scales = true;
    }
}

void Maker::BeginFlood(Step *step) {
    flood_ = true;
    config_.rc_min_quantizer = 0;
    config_.rc_max_quantizer = 4;
    config_.rc_dropframe_thresh = 0;
    if (!s_.two_passes()) config_.g_error_resilient = VPX_ERROR_RESILIENT_PARTITIONS;
    // Noise takes 1.5 bytes per pixel or more. Limit packets to any part of that.
    if (less_room_) room_ = 16 + config_.g_w * config_.g_h * unsigned(Between(1, 255)) / 100;
    SetKbps(kBoundlessKbps);
    step->config = config_;
    step->controls.push_back(Set(kCqLevel, 2));
}

void Maker::BeginCalm(Step *step) {
    flood_ = false;
    room_ = 0;
    config_.rc_min_quantizer = 56;
    config_.rc_max_quantizer = 63;
    SetKbps(300);
    if (!s_.two_passes() && Percent(40)) ChangeSize();
    step->config = config_;
    step->controls.push_back(Set(kCqLevel, 60));
    step->flags = VPX_EFLAG_FORCE_KF;
}

Step Maker::MakeStep() {
    Step step;
    if (Percent(attached_ ? 1 : 20) && !stays_) {
        attached_ = !attached_;
        step.provider = attached_;
    }
    if (Percent(12)) ChangeConfig(&step);
    if (flags_ && Percent(25)) step.flags = Flags();
    if (flags_ && Percent(5)) step.flags |= VPX_EFLAG_FORCE_KF;
    if (Percent(8)) step.threads_of_8 = Between(1, 8);
    ChangeControls(&step);
    ChangeMaps(&step);
    return step;
}

void Maker::MakeSteps(int frames) {
    bool noisy = false;
    for (const Scene &scene : s_.scenes) noisy |= scene.picture == Picture::kNoise;
    for (int t = 0, phase = 0; t < frames; t++) {
        Step step;
        if (!Is(Family::kErrors)) {
            step = MakeStep();
        } else if (t == phase) {
            // A scenario ends with a calm phase, which begins with a key frame.
            if (flood_ || t + 4 >= frames) {
                BeginCalm(&step);
            } else {
                BeginFlood(&step);
            }
            // Often make the flood a single frame, so that the key frame follows at once.
            const int length = flood_ && Percent(40) ? 1 : Between(2, 6);
            phase = std::min(t + length, std::max(t + 1, frames - 4));
            if (t + 4 >= frames) phase = frames;
        } else if (Percent(10)) {
            step.threads_of_8 = Between(1, 8);
        }
        step.may_fail = Is(Family::kErrors) ? flood_ : noisy;
        step.packet_room = room_;
        s_.steps.push_back(step);
    }
}

Scenario Maker::Make(int frames) {
    if (frames <= 0) frames = small_ ? FewFrames() : DefaultFrames();
    ChooseConfig();
    s_.config = config_;
    ChooseSpeed();
    s_.deadline = deadline_;
    ChooseControls();
    ChooseProvider();
    ChooseScenes(frames);
    flags_ = Percent(delays() ? 30 : 80);
    MakeSteps(frames);
    ChooseLookahead();
    return s_;
}

}  // namespace

int Scenario::ReproducibleFrames() const {
    if (provider.kind == ProviderKind::kNone || !provider.attached) return 0;
    if (config.rc_resize_allowed && config.rc_end_usage == VPX_CBR) return 0;
    for (size_t t = 0; t < steps.size(); t++) {
        if (steps[t].provider && !*steps[t].provider) return int(t);
        if (steps[t].scaling) return int(t);
    }
    return int(steps.size());
}

Scenario MakeScenario(Family family, uint64_t seed, int frames) {
    return Maker(family, seed).Make(frames);
}

Scenario MakeScenario(const uint8_t *bytes, size_t size) { return Maker(bytes, size).Make(0); }

}  // namespace fuzz
