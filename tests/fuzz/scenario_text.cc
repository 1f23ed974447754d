/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include <sstream>

#include "scenario.h"

namespace fuzz {

namespace {

struct Field {
    const char *name;
    unsigned vpx_codec_enc_cfg_t::*value;
};

const Field kFields[] = {
    {"width", &vpx_codec_enc_cfg_t::g_w},
    {"height", &vpx_codec_enc_cfg_t::g_h},
    {"profile", &vpx_codec_enc_cfg_t::g_profile},
    {"error-resilient", &vpx_codec_enc_cfg_t::g_error_resilient},
    {"lag", &vpx_codec_enc_cfg_t::g_lag_in_frames},
    {"drop-threshold", &vpx_codec_enc_cfg_t::rc_dropframe_thresh},
    {"resize-allowed", &vpx_codec_enc_cfg_t::rc_resize_allowed},
    {"kbps", &vpx_codec_enc_cfg_t::rc_target_bitrate},
    {"min-q", &vpx_codec_enc_cfg_t::rc_min_quantizer},
    {"max-q", &vpx_codec_enc_cfg_t::rc_max_quantizer},
    {"undershoot", &vpx_codec_enc_cfg_t::rc_undershoot_pct},
    {"overshoot", &vpx_codec_enc_cfg_t::rc_overshoot_pct},
    {"buffer", &vpx_codec_enc_cfg_t::rc_buf_sz},
    {"keyframe-interval", &vpx_codec_enc_cfg_t::kf_max_dist},
    {"layers", &vpx_codec_enc_cfg_t::ts_number_layers},
};

const char *DeadlineName(vpx_enc_deadline_t deadline) {
    return deadline == VPX_DL_BEST_QUALITY   ? "best"
           : deadline == VPX_DL_GOOD_QUALITY ? "good"
                                             : "realtime";
}

const char *UsageName(vpx_rc_mode usage) {
    static const char *const names[] = {"vbr", "cbr", "cq", "q"};
    return names[int(usage)];
}

const char *ProviderName(ProviderKind kind) {
    static const char *const names[] = {"none", "cudame", "hostile"};
    return names[int(kind)];
}

void PrintControls(std::ostream &out, const std::vector<Control> &controls) {
    for (const Control &c : controls) out << ' ' << c.kind->name << '=' << c.value;
}

void PrintFlags(std::ostream &out, vpx_enc_frame_flags_t flags) {
    static const struct {
        vpx_enc_frame_flags_t flag;
        const char *name;
    } names[] = {{VPX_EFLAG_FORCE_KF, "key"},
                 {VP8_EFLAG_NO_REF_LAST, "no-ref-last"},
                 {VP8_EFLAG_NO_REF_GF, "no-ref-gold"},
                 {VP8_EFLAG_NO_REF_ARF, "no-ref-alt"},
                 {VP8_EFLAG_NO_UPD_LAST, "no-upd-last"},
                 {VP8_EFLAG_NO_UPD_GF, "no-upd-gold"},
                 {VP8_EFLAG_NO_UPD_ARF, "no-upd-alt"},
                 {VP8_EFLAG_FORCE_GF, "force-gold"},
                 {VP8_EFLAG_FORCE_ARF, "force-alt"},
                 {VP8_EFLAG_NO_UPD_ENTROPY, "no-upd-entropy"}};
    for (const auto &n : names) {
        if (flags & n.flag) out << ' ' << n.name;
    }
}

// Prints the fields that differ from another configuration.
void PrintChanges(std::ostream &out, const vpx_codec_enc_cfg_t &now,
                  const vpx_codec_enc_cfg_t &before) {
    for (const Field &f : kFields) {
        if (now.*f.value != before.*f.value) out << ' ' << f.name << '=' << now.*f.value;
    }
}

const vpx_codec_enc_cfg_t &ConfigBefore(const Scenario &s, size_t t) {
    while (t-- > 0) {
        if (s.steps[t].config) return *s.steps[t].config;
    }
    return s.config;
}

}  // namespace

const char *Name(Family family) {
    static const char *const names[] = {"general", "errors",  "twopass",  "denoise",
                                        "large",   "hostile", "lookahead"};
    return names[int(family)];
}

void Print(std::ostream &out, const Scenario &s) {
    out << "scenario " << Name(s.family) << ' ' << s.seed << ": " << s.steps.size() << " frames, "
        << (s.two_passes() ? "two passes, " : "") << DeadlineName(s.deadline) << ", "
        << UsageName(s.config.rc_end_usage)
        << (s.config.kf_mode == VPX_KF_DISABLED ? ", no automatic key frames" : "")
        << "\n  config:";
    for (const Field &f : kFields) out << ' ' << f.name << '=' << s.config.*f.value;
    out << "\n  controls:";
    PrintControls(out, s.controls);
    const ProviderPlan &p = s.provider;
    out << "\n  provider: " << ProviderName(p.kind) << (p.attached ? "" : ", not attached")
        << ", mode " << p.mode << ", search " << p.search << ", guide " << p.guide
        << (p.filters ? ", filters" : "") << (p.first_pass ? ", first pass" : "")
        << (p.mbtree ? ", macroblock tree" : "") << ", prefilter " << p.prefilter
        << (p.repair_mv_cost ? "" : ", vector costs not repaired");
    if (p.lookahead) out << ", " << p.lookahead << " frames of lookahead";
    if (p.failing) out << ", 1 of " << p.failing << " rows fails";
    out << "\n  video:";
    for (const Scene &scene : s.scenes) {
        out << ' ' << scene.frames << 'x' << Name(scene.picture);
        if (scene.dx || scene.dy) out << '(' << scene.dx << ',' << scene.dy << ')';
        if (scene.grain) out << "+grain" << scene.grain;
    }
    out << '\n';
}

void PrintStep(std::ostream &stream, const Scenario &s, size_t t) {
    const Step &step = s.steps[t];
    std::ostringstream out;
    PrintFlags(out, step.flags);
    if (step.deadline) out << " deadline=" << DeadlineName(*step.deadline);
    if (step.config) PrintChanges(out, *step.config, ConfigBefore(s, t));
    PrintControls(out, step.controls);
    if (step.roi) out << " region-of-interest" << (step.roi->map.empty() ? "=off" : "");
    if (step.active) out << " active-map" << (step.active->map.empty() ? "=off" : "");
    if (step.scaling) {
        out << " scaling=" << step.scaling->h_scaling_mode << ',' << step.scaling->v_scaling_mode;
    }
    if (step.provider) out << (*step.provider ? " attach" : " detach");
    if (step.threads_of_8) out << " threads=" << step.threads_of_8 << "/8";
    if (step.may_fail) out << " may-fail";
    if (step.packet_room) out << " packet-room=" << step.packet_room;
    if (!out.str().empty()) stream << "  frame " << t << ':' << out.str() << '\n';
}

}  // namespace fuzz
