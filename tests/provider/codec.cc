/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "codec.h"

#include <stdexcept>

namespace provider_test {

namespace {

uint32_t Hash(uint32_t a, uint32_t b, uint32_t c) {
    uint32_t h = a * 0x9E3779B1u ^ b * 0x85EBCA77u ^ c * 0xC2B2AE3Du;
    h ^= h >> 15;
    h *= 0x2C1B3C6Du;
    return h ^ (h >> 13);
}

// A smooth texture: random values at every eighth pixel, interpolated linearly.
int Texture(int x, int y, uint32_t seed) {
    const int cx = x >> 3, cy = y >> 3, fx = x & 7, fy = y & 7;
    auto v = [&](int i, int j) { return int(Hash(cx + i, cy + j, seed) & 255); };
    const int top = v(0, 0) * (8 - fx) + v(1, 0) * fx;
    const int bottom = v(0, 1) * (8 - fx) + v(1, 1) * fx;
    return (top * (8 - fy) + bottom * fy) >> 6;
}

void Check(vpx_codec_err_t err, vpx_codec_ctx_t *ctx, const char *what) {
    if (err == VPX_CODEC_OK) return;
    const char *detail = ctx ? vpx_codec_error_detail(ctx) : nullptr;
    throw std::runtime_error(std::string(what) + ": " + vpx_codec_err_to_string(err) +
                             (detail ? std::string(": ") + detail : ""));
}

}  // namespace

size_t FrameBytes(int width, int height) {
    return size_t(width) * height + 2 * size_t((width + 1) / 2) * ((height + 1) / 2);
}

std::vector<uint8_t> MakeFrame(int width, int height, int t) {
    const int cw = (width + 1) / 2, ch = (height + 1) / 2;
    std::vector<uint8_t> f(FrameBytes(width, height));
    const int ox = width / 4 + 5 * t, oy = height / 3 - 2 * t;  // position of the object
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            const bool object = x >= ox && x < ox + 40 && y >= oy && y < oy + 36;
            int v = object ? Texture(x - ox, y - oy, 7) : Texture(x + 3 * t, y + t, 1);
            v += int(Hash(x, y, 1000 + t) % 7) - 3;
            f[size_t(y) * width + x] = uint8_t(v < 0 ? 0 : v > 255 ? 255 : v);
        }
    }
    uint8_t *c = f.data() + size_t(width) * height;
    for (int plane = 0; plane < 2; plane++) {
        for (int y = 0; y < ch; y++) {
            for (int x = 0; x < cw; x++) {
                *c++ = uint8_t(96 + Texture(x + (3 * t) / 2, y + t / 2, 20 + plane) / 4);
            }
        }
    }
    return f;
}

std::vector<uint8_t> Pack(const vpx_image_t &img) {
    std::vector<uint8_t> out;
    for (int plane = 0; plane < 3; plane++) {
        const int w = plane ? (int(img.d_w) + 1) / 2 : int(img.d_w);
        const int h = plane ? (int(img.d_h) + 1) / 2 : int(img.d_h);
        for (int y = 0; y < h; y++) {
            const uint8_t *row = img.planes[plane] + ptrdiff_t(y) * img.stride[plane];
            out.insert(out.end(), row, row + w);
        }
    }
    return out;
}

Encoder::Encoder(const Settings &s, int pass, std::string stats)
    : settings_(s), stats_(std::move(stats)) {
    Check(vpx_codec_enc_config_default(vpx_codec_vp8_cx(), &cfg_, 0), nullptr, "config");
    cfg_.g_w = s.width;
    cfg_.g_h = s.height;
    cfg_.g_timebase = {1, 25};
    cfg_.g_threads = s.threads;
    cfg_.g_lag_in_frames = s.lag;
    cfg_.g_profile = s.profile;
    cfg_.g_error_resilient = s.error_resilient;
    cfg_.rc_target_bitrate = s.kbps;
    if (s.min_q >= 0) cfg_.rc_min_quantizer = static_cast<unsigned>(s.min_q);
    if (s.max_q >= 0) cfg_.rc_max_quantizer = static_cast<unsigned>(s.max_q);
    if (s.buffer_ms) {
        cfg_.rc_end_usage = VPX_CBR;
        cfg_.rc_buf_sz = unsigned(s.buffer_ms);
        cfg_.rc_buf_optimal_sz = cfg_.rc_buf_sz * 5 / 6;
        cfg_.rc_buf_initial_sz =
            s.buffer_initial_ms ? unsigned(s.buffer_initial_ms) : cfg_.rc_buf_optimal_sz;
    }
    cfg_.rc_resize_allowed = s.resize_allowed;
    cfg_.kf_max_dist = s.keyframe_interval;
    cfg_.g_pass = pass == 0 ? VPX_RC_ONE_PASS : pass == 1 ? VPX_RC_FIRST_PASS : VPX_RC_LAST_PASS;
    if (pass == 2) {
        cfg_.rc_twopass_stats_in.buf = &stats_[0];
        cfg_.rc_twopass_stats_in.sz = stats_.size();
    }
    if (s.layers == 2) {
        cfg_.ts_number_layers = 2;
        cfg_.ts_target_bitrate[0] = s.kbps * 6 / 10;
        cfg_.ts_target_bitrate[1] = s.kbps;
        cfg_.ts_rate_decimator[0] = 2;
        cfg_.ts_rate_decimator[1] = 1;
        cfg_.ts_periodicity = 2;
        cfg_.ts_layer_id[0] = 0;
        cfg_.ts_layer_id[1] = 1;
        cfg_.rc_end_usage = VPX_CBR;
    }
    const vpx_codec_flags_t flags = s.partitions ? VPX_CODEC_USE_OUTPUT_PARTITION : 0;
    Check(vpx_codec_enc_init(&ctx_, vpx_codec_vp8_cx(), &cfg_, flags), &ctx_, "init");
    Check(vpx_codec_control(&ctx_, VP8E_SET_CPUUSED, s.cpu_used), &ctx_, "cpu-used");
    Check(vpx_codec_control(&ctx_, VP8E_SET_NOISE_SENSITIVITY, unsigned(s.noise_sensitivity)),
          &ctx_, "noise-sensitivity");
    Check(vpx_codec_control(&ctx_, VP8E_SET_STATIC_THRESHOLD, s.static_thresh), &ctx_,
          "static-thresh");
    Check(vpx_codec_control(&ctx_, VP8E_SET_ENABLEAUTOALTREF, unsigned(s.arf)), &ctx_, "arf");
    int log2 = 0;
    while (2 << log2 <= s.partitions) log2++;
    Check(vpx_codec_control(&ctx_, VP8E_SET_TOKEN_PARTITIONS, log2), &ctx_, "partitions");
}

Encoder::~Encoder() { vpx_codec_destroy(&ctx_); }

vpx_codec_err_t Encoder::SetProvider(const vp8e_motion_provider_t *provider) {
    return vpx_codec_control(&ctx_, VP8E_SET_MOTION_PROVIDER, provider);
}

std::vector<Packet> Encoder::Encode(const uint8_t *i420, vpx_enc_frame_flags_t flags) {
    std::vector<Packet> packets;
    vpx_image_t img;
    if (i420) {
        vpx_img_wrap(&img, VPX_IMG_FMT_I420, settings_.width, settings_.height, 1,
                     const_cast<uint8_t *>(i420));
        // vpx_img_wrap() rounds odd sizes up; our planes have no padding.
        const int cw = (settings_.width + 1) / 2, ch = (settings_.height + 1) / 2;
        img.planes[1] = const_cast<uint8_t *>(i420) + size_t(settings_.width) * settings_.height;
        img.planes[2] = img.planes[1] + size_t(cw) * ch;
        img.stride[0] = settings_.width;
        img.stride[1] = img.stride[2] = cw;
    }
    Check(vpx_codec_encode(&ctx_, i420 ? &img : nullptr, pts_, 1, flags, settings_.deadline), &ctx_,
          "encode");
    pts_++;
    vpx_codec_iter_t iter = nullptr;
    bool is_fragment = false;  // the last packet was not the end of its frame
    while (const vpx_codec_cx_pkt_t *pkt = vpx_codec_get_cx_data(&ctx_, &iter)) {
        if (pkt->kind == VPX_CODEC_STATS_PKT) {
            stats_.append(static_cast<const char *>(pkt->data.twopass_stats.buf),
                          pkt->data.twopass_stats.sz);
        } else if (pkt->kind == VPX_CODEC_CX_FRAME_PKT) {
            if (!is_fragment) packets.emplace_back();
            Packet &p = packets.back();
            const uint8_t *d = static_cast<const uint8_t *>(pkt->data.frame.buf);
            p.data.insert(p.data.end(), d, d + pkt->data.frame.sz);
            p.parts++;
            is_fragment = pkt->data.frame.flags & VPX_FRAME_IS_FRAGMENT;
            p.key = pkt->data.frame.flags & VPX_FRAME_IS_KEY;
            p.shown = !(pkt->data.frame.flags & VPX_FRAME_IS_INVISIBLE);
            p.pts = pkt->data.frame.pts;
        }
    }
    return packets;
}

std::vector<uint8_t> Encoder::Reconstruction() {
    const vpx_image_t *img = vpx_codec_get_preview_frame(&ctx_);
    return img ? Pack(*img) : std::vector<uint8_t>();
}

void Encoder::Resize(int width, int height) {
    settings_.width = width;
    settings_.height = height;
    cfg_.g_w = width;
    cfg_.g_h = height;
    Check(vpx_codec_enc_config_set(&ctx_, &cfg_), &ctx_, "resize");
}

void Encoder::SetThreads(int threads) {
    cfg_.g_threads = unsigned(threads);
    Check(vpx_codec_enc_config_set(&ctx_, &cfg_), &ctx_, "threads");
}

void Encoder::SetBitrate(int kbps) {
    cfg_.rc_target_bitrate = unsigned(kbps);
    Check(vpx_codec_enc_config_set(&ctx_, &cfg_), &ctx_, "bitrate");
}

void Encoder::SetBuffer(int ms, int percent) {
    cfg_.rc_buf_sz = unsigned(ms);
    cfg_.rc_2pass_vbr_maxsection_pct = unsigned(percent);
    Check(vpx_codec_enc_config_set(&ctx_, &cfg_), &ctx_, "buffer");
}

Decoder::Decoder() {
    Check(vpx_codec_dec_init(&ctx_, vpx_codec_vp8_dx(), nullptr, 0), &ctx_, "decoder");
}

Decoder::~Decoder() { vpx_codec_destroy(&ctx_); }

std::vector<uint8_t> Decoder::Decode(const Packet &packet) {
    Check(vpx_codec_decode(&ctx_, packet.data.data(), unsigned(packet.data.size()), nullptr, 0),
          &ctx_, "decode");
    vpx_codec_iter_t iter = nullptr;
    const vpx_image_t *img = vpx_codec_get_frame(&ctx_, &iter);
    return img ? Pack(*img) : std::vector<uint8_t>();
}

int Decoder::Updates() {
    int updates = 0;
    Check(vpx_codec_control(&ctx_, VP8D_GET_LAST_REF_UPDATES, &updates), &ctx_, "updates");
    return updates;
}

}  // namespace provider_test
