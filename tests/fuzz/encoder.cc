/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "encoder.h"

#include <algorithm>

namespace fuzz {

std::string Encoder::Result(vpx_codec_err_t code, const char *call) {
    packets.clear();
    if (code == VPX_CODEC_OK) return "";
    const char *detail = vpx_codec_error_detail(&context_);
    return std::string(call) + ": " + vpx_codec_err_to_string(code) +
           (detail ? std::string(" (") + detail + ")" : "");
}

std::string Encoder::Open(const vpx_codec_enc_cfg_t &config) {
    width_ = int(config.g_w);
    height_ = int(config.g_h);
    return Result(vpx_codec_enc_init(&context_, vpx_codec_vp8_cx(), &config, 0), "open");
}

std::string Encoder::Configure(const vpx_codec_enc_cfg_t &config) {
    width_ = int(config.g_w);
    height_ = int(config.g_h);
    return Result(vpx_codec_enc_config_set(&context_, &config), "configure");
}

std::string Encoder::Set(const Control &control) {
    return Result(vpx_codec_control_(&context_, control.kind->id, control.value),
                  control.kind->name);
}

std::string Encoder::Set(const Roi &roi) {
    vpx_roi_map_t map{};
    map.enabled = 1;
    map.rows = roi.rows;
    map.cols = roi.cols;
    map.roi_map = roi.map.empty() ? nullptr : const_cast<uint8_t *>(roi.map.data());
    std::copy_n(roi.delta_q, 4, map.delta_q);
    std::copy_n(roi.static_threshold, 4, map.static_threshold);
    return Result(vpx_codec_control(&context_, VP8E_SET_ROI_MAP, &map), "region of interest");
}

std::string Encoder::Set(const ActiveMap &active) {
    vpx_active_map_t map{};
    map.rows = active.rows;
    map.cols = active.cols;
    map.active_map = active.map.empty() ? nullptr : const_cast<uint8_t *>(active.map.data());
    return Result(vpx_codec_control(&context_, VP8E_SET_ACTIVEMAP, &map), "active map");
}

std::string Encoder::Set(const vpx_scaling_mode_t &scaling) {
    vpx_scaling_mode_t mode = scaling;
    return Result(vpx_codec_control(&context_, VP8E_SET_SCALEMODE, &mode), "scaling");
}

std::string Encoder::SetProvider(const vp8e_motion_provider_t *provider) {
    return Result(vpx_codec_control(&context_, VP8E_SET_MOTION_PROVIDER, provider), "provider");
}

std::string Encoder::Encode(const std::vector<uint8_t> &frame, vpx_enc_frame_flags_t flags,
                            vpx_enc_deadline_t deadline) {
    vpx_image_t image{};
    if (!frame.empty()) {
        uint8_t *pixels = const_cast<uint8_t *>(frame.data());
        vpx_img_wrap(&image, VPX_IMG_FMT_I420, unsigned(width_), unsigned(height_), 1, pixels);
        // With an odd width the image's chroma is wider than ours.
        const int chroma_width = (width_ + 1) / 2, chroma_height = (height_ + 1) / 2;
        image.planes[1] = pixels + size_t(width_) * height_;
        image.planes[2] = image.planes[1] + size_t(chroma_width) * chroma_height;
        image.stride[0] = width_;
        image.stride[1] = image.stride[2] = chroma_width;
    }
    const std::string failure = Result(
        vpx_codec_encode(&context_, frame.empty() ? nullptr : &image, pts_++, 1, flags, deadline),
        "encode");
    if (!failure.empty()) return failure;

    vpx_codec_iter_t iter = nullptr;
    while (const vpx_codec_cx_pkt_t *packet = vpx_codec_get_cx_data(&context_, &iter)) {
        if (packet->kind == VPX_CODEC_STATS_PKT) {
            const auto &stats = packet->data.twopass_stats;
            statistics.append(static_cast<const char *>(stats.buf), stats.sz);
        } else if (packet->kind == VPX_CODEC_CX_FRAME_PKT) {
            const auto &coded = packet->data.frame;
            const uint8_t *data = static_cast<const uint8_t *>(coded.buf);
            Packet p;
            p.data.assign(data, data + coded.sz);
            p.key = coded.flags & VPX_FRAME_IS_KEY;
            p.shown = !(coded.flags & VPX_FRAME_IS_INVISIBLE);
            p.pts = coded.pts;
            packets.push_back(std::move(p));
        }
    }
    return "";
}

std::vector<uint8_t> Encoder::Preview() {
    const vpx_image_t *image = vpx_codec_get_preview_frame(&context_);
    return image ? provider_test::Pack(*image) : std::vector<uint8_t>();
}

}  // namespace fuzz
