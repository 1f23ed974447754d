/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* Streams of one encoder, with what programs change in mid-stream. */

#include <string.h>
#include <vpx/vp8dx.h>

#include "cases.h"
#include "stream.h"

/* vpx/vp8_motion_provider.h, which other programs do not have. */
#define VP8E_SET_MOTION_PROVIDER 1000

static uint64_t Finish(Stream *s, int shown) {
    Flush(s);
    if (s->shown != shown) Fail("%d frames of %d", s->shown, shown);
    Close(s);
    return s->hash;
}

static uint64_t Plain(const vpx_codec_enc_cfg_t *cfg, unsigned long deadline, int cpu_used,
                      vpx_img_fmt_t format, int frames) {
    Stream s;

    Open(&s, cfg);
    s.deadline = deadline;
    s.format = format;
    Control(&s, VP8E_SET_CPUUSED, cpu_used);
    Encode(&s, frames);
    return Finish(&s, frames);
}

uint64_t Realtime(void) {
    const vpx_codec_enc_cfg_t cfg = Config();

    return Plain(&cfg, VPX_DL_REALTIME, -8, VPX_IMG_FMT_I420, 40);
}

uint64_t Good(void) {
    const vpx_codec_enc_cfg_t cfg = Config();

    return Plain(&cfg, VPX_DL_GOOD_QUALITY, 2, VPX_IMG_FMT_I420, 30);
}

uint64_t Best(void) {
    const vpx_codec_enc_cfg_t cfg = Config();

    return Plain(&cfg, VPX_DL_BEST_QUALITY, 0, VPX_IMG_FMT_I420, 20);
}

uint64_t Lookahead(void) {
    vpx_codec_enc_cfg_t cfg = Config();

    cfg.g_lag_in_frames = 16;
    return Plain(&cfg, VPX_DL_GOOD_QUALITY, 2, VPX_IMG_FMT_I420, 40);
}

/* A key frame on demand with a lookahead and hidden frames: it is the picture that was asked for. */
uint64_t ForcedKey(void) {
    static const unsigned lags[] = {3, 15, 25};
    uint64_t hash = 0;

    for (int i = 0; i < 3; i++) {
        const int forced = (int)lags[i] - 1;
        vpx_codec_enc_cfg_t cfg = Config();
        Stream s;

        cfg.g_lag_in_frames = lags[i];
        Open(&s, &cfg);
        s.deadline = VPX_DL_GOOD_QUALITY;
        Control(&s, VP8E_SET_CPUUSED, 2);
        Control(&s, VP8E_SET_ENABLEAUTOALTREF, 1);
        Encode(&s, forced);
        if (TryEncode(&s, VPX_EFLAG_FORCE_KF, 0)) Fail("encode");
        Encode(&s, 30 - forced - 1);
        Flush(&s);
        if (s.keys != 2 || s.last_key != forced)
            Fail("%d key frames, the last one is picture %d, not %d", s.keys, s.last_key, forced);
        hash = hash * 31 + Finish(&s, 30);
    }
    return hash;
}

uint64_t Threads4(void) {
    vpx_codec_enc_cfg_t cfg = Config();

    cfg.g_threads = 4;
    return Plain(&cfg, VPX_DL_REALTIME, -8, VPX_IMG_FMT_I420, 40);
}

uint64_t Yv12(void) {
    const vpx_codec_enc_cfg_t cfg = Config();

    return Plain(&cfg, VPX_DL_REALTIME, -8, VPX_IMG_FMT_YV12, 40);
}

/* libvpx 1.17 takes NV12, others refuse it. The encoder must work after that. */
uint64_t Nv12(void) {
    const vpx_codec_enc_cfg_t cfg = Config();
    Stream s;

    Open(&s, &cfg);
    s.format = VPX_IMG_FMT_NV12;
    while (s.frame < 10 && !TryEncode(&s, 0, 0)) continue;
    s.format = VPX_IMG_FMT_I420;
    Encode(&s, 10);
    return Finish(&s, s.frame);
}

uint64_t OddSize(void) {
    vpx_codec_enc_cfg_t cfg = Config();

    cfg.g_w = 173;
    cfg.g_h = 95;
    return Plain(&cfg, VPX_DL_REALTIME, -8, VPX_IMG_FMT_I420, 20);
}

static void SetCbr(vpx_codec_enc_cfg_t *cfg) {
    cfg->rc_end_usage = VPX_CBR;
    cfg->rc_buf_sz = 1000;
    cfg->rc_buf_initial_sz = 500;
    cfg->rc_buf_optimal_sz = 600;
    cfg->kf_max_dist = 9999;
}

uint64_t Bitrate(void) {
    vpx_codec_enc_cfg_t cfg = Config();
    Stream s;
    size_t before, high, low;

    SetCbr(&cfg);
    cfg.rc_target_bitrate = 600;
    Open(&s, &cfg);
    Encode(&s, 30);
    before = s.bytes;
    Encode(&s, 30);
    high = s.bytes - before;
    s.cfg.rc_target_bitrate = 150;
    Configure(&s);
    Encode(&s, 30); /* until the rate control has followed */
    before = s.bytes;
    Encode(&s, 30);
    low = s.bytes - before;
    if (2 * low > high) Fail("%zu bytes a second after %zu, at a quarter of the rate", low, high);
    if (s.keys != 1) Fail("%d key frames", s.keys);
    /* A key frame on demand. */
    if (TryEncode(&s, VPX_EFLAG_FORCE_KF, 0) || s.keys != 2) Fail("no key frame on demand");
    return Finish(&s, 121);
}

uint64_t Size(void) {
    static const unsigned sizes[][2] = {{kWidth / 2, kHeight / 2},
                                        {kWidth, kHeight},
                                        {200, 120},
                                        {202, 118},
                                        {16, 16},
                                        {kWidth, 64}};
    vpx_codec_enc_cfg_t cfg = Config();
    Stream s;

    SetCbr(&cfg);
    Open(&s, &cfg);
    Encode(&s, 8);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        s.cfg.g_w = sizes[i][0];
        s.cfg.g_h = sizes[i][1];
        Configure(&s);
        Encode(&s, 6);
        if (s.width != sizes[i][0] || s.height != sizes[i][1])
            Fail("%ux%u decoded instead of %ux%u", s.width, s.height, sizes[i][0], sizes[i][1]);
    }
    /* More than at first: libvpx refuses it, and goes on. */
    s.cfg.g_w = 2 * kWidth;
    if (!vpx_codec_enc_config_set(&s.encoder, &s.cfg)) Fail("a larger size was taken");
    s.cfg.g_w = kWidth;
    Encode(&s, 4);
    return Finish(&s, 48);
}

/* The search depends on deadline and cpu-used. */
uint64_t Speeds(void) {
    static const struct {
        unsigned long deadline;
        int cpu_used;
    } speeds[] = {{VPX_DL_REALTIME, -16},   {VPX_DL_REALTIME, -5},
                  {VPX_DL_GOOD_QUALITY, 0}, {VPX_DL_GOOD_QUALITY, 5},
                  {VPX_DL_BEST_QUALITY, 0}, {20000, -3},
                  {VPX_DL_REALTIME, -12},   {50000, -8}};
    const vpx_codec_enc_cfg_t cfg = Config();
    Stream s;

    Open(&s, &cfg);
    for (size_t i = 0; i < sizeof(speeds) / sizeof(speeds[0]); i++) {
        s.deadline = speeds[i].deadline;
        Control(&s, VP8E_SET_CPUUSED, speeds[i].cpu_used);
        Encode(&s, 4);
    }
    return Finish(&s, 32);
}

static void SetMaps(Stream *s, int is_on) {
    unsigned char map[(kWidth / 16) * (kHeight / 16)];
    vpx_roi_map_t roi;
    vpx_active_map_t active;

    for (size_t i = 0; i < sizeof(map); i++) map[i] = i % 3 == 0;
    memset(&roi, 0, sizeof(roi));
    roi.roi_map = is_on ? map : NULL;
    roi.rows = active.rows = kHeight / 16;
    roi.cols = active.cols = kWidth / 16;
    roi.delta_q[1] = is_on ? -10 : 0;
    if (vpx_codec_control(&s->encoder, VP8E_SET_ROI_MAP, &roi)) Fail("region of interest");
    Encode(s, 4);
    active.active_map = is_on ? map : NULL;
    if (vpx_codec_control(&s->encoder, VP8E_SET_ACTIVEMAP, &active)) Fail("active map");
    Encode(s, 4);
}

static void SwapReference(Stream *s) {
    vpx_image_t *const image = Draw(kWidth, kHeight, VPX_IMG_FMT_I420, 500);
    vpx_ref_frame_t ref;

    ref.frame_type = VP8_GOLD_FRAME;
    ref.img = *image;
    if (vpx_codec_control(&s->encoder, VP8_SET_REFERENCE, &ref) ||
        vpx_codec_control(&s->decoder, VP8_SET_REFERENCE, &ref))
        Fail("set a reference");
    Encode(s, 3);
    ref.frame_type = VP8_LAST_FRAME;
    if (vpx_codec_control(&s->encoder, VP8_COPY_REFERENCE, &ref)) Fail("copy a reference");
    vpx_img_free(image);
}

uint64_t Controls(void) {
    static const struct {
        int id, value;
    } controls[] = {{VP8E_SET_TOKEN_PARTITIONS, VP8_FOUR_TOKENPARTITION},
                    {VP8E_SET_SHARPNESS, 3},
                    {VP8E_SET_STATIC_THRESHOLD, 200},
                    {VP8E_SET_TUNING, VP8_TUNE_SSIM},
                    {VP8E_SET_MAX_INTRA_BITRATE_PCT, 300},
                    {VP8E_SET_GF_CBR_BOOST_PCT, 20},
                    {VP8E_SET_SCREEN_CONTENT_MODE, 1},
                    {VP8E_SET_SCREEN_CONTENT_MODE, 0},
                    {VP8E_SET_NOISE_SENSITIVITY, 4},
                    {VP8E_SET_NOISE_SENSITIVITY, 0},
                    {VP8E_SET_ARNR_MAXFRAMES, 5},
                    {VP8E_SET_ARNR_STRENGTH, 4},
                    {VP8E_SET_ENABLEAUTOALTREF, 1},
                    {VP8E_SET_CQ_LEVEL, 20},
                    {VP8E_SET_FRAME_FLAGS, VP8_EFLAG_NO_UPD_LAST}};
    vpx_scaling_mode_t scale = {VP8E_FOURFIVE, VP8E_ONETWO};
    vpx_codec_enc_cfg_t cfg = Config();
    Stream s;
    int quantizer = -1, frames;

    SetCbr(&cfg);
    Open(&s, &cfg);
    for (size_t i = 0; i < sizeof(controls) / sizeof(controls[0]); i++) {
        Control(&s, controls[i].id, controls[i].value);
        Encode(&s, 3);
    }
    if (vpx_codec_control(&s.encoder, VP8E_GET_LAST_QUANTIZER, &quantizer) || quantizer < 0 ||
        quantizer > 127)
        Fail("last quantizer %d", quantizer);
    SetMaps(&s, 1);
    SetMaps(&s, 0);
    SwapReference(&s);
    /* The encoder scales the source; the preview has another size than the picture. */
    if (vpx_codec_control(&s.encoder, VP8E_SET_SCALEMODE, &scale)) Fail("scale");
    Encode(&s, 5);
    scale.h_scaling_mode = scale.v_scaling_mode = VP8E_NORMAL;
    if (vpx_codec_control(&s.encoder, VP8E_SET_SCALEMODE, &scale)) Fail("scale back");
    Encode(&s, 5);
    frames = s.frame;
    return Finish(&s, frames);
}

/* Three temporal layers, as WebRTC programs make them; the highest is not decoded. */
uint64_t Layers(void) {
    static const int layer[] = {0, 2, 1, 2};
    static const int flags[] = {
        VP8_EFLAG_NO_REF_GF | VP8_EFLAG_NO_REF_ARF | VP8_EFLAG_NO_UPD_GF | VP8_EFLAG_NO_UPD_ARF,
        VP8_EFLAG_NO_REF_ARF | VP8_EFLAG_NO_UPD_LAST | VP8_EFLAG_NO_UPD_GF | VP8_EFLAG_NO_UPD_ARF |
            VP8_EFLAG_NO_UPD_ENTROPY,
        VP8_EFLAG_NO_REF_ARF | VP8_EFLAG_NO_UPD_LAST | VP8_EFLAG_NO_UPD_ARF,
        VP8_EFLAG_NO_REF_ARF | VP8_EFLAG_NO_UPD_LAST | VP8_EFLAG_NO_UPD_GF | VP8_EFLAG_NO_UPD_ARF |
            VP8_EFLAG_NO_UPD_ENTROPY};
    static const unsigned rates[] = {150, 225, 300}, decimators[] = {4, 2, 1};
    vpx_codec_enc_cfg_t cfg = Config();
    Stream s;

    SetCbr(&cfg);
    cfg.g_error_resilient = VPX_ERROR_RESILIENT_DEFAULT;
    cfg.ts_number_layers = 3;
    cfg.ts_periodicity = 4;
    for (int i = 0; i < 3; i++) {
        cfg.ts_target_bitrate[i] = cfg.layer_target_bitrate[i] = rates[i];
        cfg.ts_rate_decimator[i] = decimators[i];
    }
    for (int i = 0; i < 4; i++) cfg.ts_layer_id[i] = (unsigned)layer[i];
    Open(&s, &cfg);
    s.preview = 0;
    for (int i = 0; i < 40; i++) {
        if (i == 20) {
            s.cfg.rc_target_bitrate /= 2;
            for (int j = 0; j < 3; j++) {
                s.cfg.ts_target_bitrate[j] /= 2;
                s.cfg.layer_target_bitrate[j] /= 2;
            }
            Configure(&s);
        }
        s.skipped_layers = layer[i % 4] == 2;
        Control(&s, VP8E_SET_TEMPORAL_LAYER_ID, layer[i % 4]);
        if (TryEncode(&s, i ? flags[i % 4] : 0, 0)) Fail("encode layer %d", layer[i % 4]);
    }
    s.skipped_layers = 0;
    return Finish(&s, 20);
}

uint64_t Flags(void) {
    static const vpx_enc_frame_flags_t flags[] = {
        0,
        VP8_EFLAG_NO_REF_LAST,
        VP8_EFLAG_NO_REF_GF | VP8_EFLAG_NO_REF_ARF,
        VPX_EFLAG_FORCE_KF,
        VP8_EFLAG_FORCE_GF,
        VP8_EFLAG_FORCE_ARF,
        VP8_EFLAG_NO_UPD_ENTROPY,
        VP8_EFLAG_NO_UPD_LAST,
        VP8_EFLAG_NO_REF_LAST | VP8_EFLAG_NO_REF_GF | VP8_EFLAG_NO_REF_ARF};
    const vpx_codec_enc_cfg_t cfg = Config();
    Stream s;

    Open(&s, &cfg);
    for (int i = 0; i < 36; i++)
        if (TryEncode(&s, flags[i % 9], 0)) Fail("encode with flags 0x%lx", (long)flags[i % 9]);
    /* Invalid ones: the encoder must work after that. */
    if (!TryEncode(&s, VP8_EFLAG_NO_UPD_GF | VP8_EFLAG_FORCE_GF, 0)) Fail("flags in conflict");
    Encode(&s, 2);
    return Finish(&s, 38);
}

/* One encoder for each of three sizes, which share motion. */
uint64_t Resolutions(void) {
    enum { kNumber = 3 };
    static vpx_rational_t factors[kNumber] = {{2, 1}, {2, 1}, {1, 1}};
    vpx_codec_ctx_t encoders[kNumber];
    vpx_codec_enc_cfg_t cfgs[kNumber];
    Stream streams[kNumber];
    uint64_t hash = 0;

    for (int i = 0; i < kNumber; i++) {
        cfgs[i] = Config();
        SetCbr(&cfgs[i]);
        cfgs[i].g_w = (unsigned)kWidth >> i;
        cfgs[i].g_h = (unsigned)kHeight >> i;
        cfgs[i].rc_target_bitrate = 400u >> i;
        memset(&streams[i], 0, sizeof(streams[i]));
        if (vpx_codec_dec_init(&streams[i].decoder, vpx_codec_vp8_dx(), NULL, 0)) Fail("decoder");
    }
    if (vpx_codec_enc_init_multi(encoders, vpx_codec_vp8_cx(), cfgs, kNumber, 0, factors))
        Fail("open three resolutions: %s", vpx_codec_error(&encoders[0]));
    for (int i = 0; i < kNumber; i++)
        if (vpx_codec_control(&encoders[i], VP8E_SET_CPUUSED, -8)) Fail("cpu-used");
    for (int n = 0; n < 30; n++) {
        vpx_image_t images[kNumber], *drawn[kNumber];

        for (int i = 0; i < kNumber; i++) {
            drawn[i] = Draw(cfgs[i].g_w, cfgs[i].g_h, VPX_IMG_FMT_I420, n);
            images[i] = *drawn[i];
        }
        if (vpx_codec_encode(encoders, images, n * 3000, 3000, 0, VPX_DL_REALTIME))
            Fail("encode three resolutions: %s", vpx_codec_error(&encoders[0]));
        for (int i = 0; i < kNumber; i++) {
            vpx_codec_iter_t iter = NULL;
            const vpx_codec_cx_pkt_t *packet;

            while ((packet = vpx_codec_get_cx_data(&encoders[i], &iter)))
                if (packet->kind == VPX_CODEC_CX_FRAME_PKT) Decode(&streams[i], packet);
            vpx_img_free(drawn[i]);
        }
    }
    for (int i = 0; i < kNumber; i++) {
        if (streams[i].shown != 30) Fail("%d frames of resolution %d", streams[i].shown, i);
        if (vpx_codec_destroy(&encoders[i])) Fail("close");
        vpx_codec_destroy(&streams[i].decoder);
        hash = hash * 31 + streams[i].hash;
    }
    return hash;
}

/* Each partition of a frame in a packet of its own, and PSNR packets. */
uint64_t Partitions(void) {
    const vpx_codec_enc_cfg_t cfg = Config();
    vpx_codec_ctx_t encoder;
    uint64_t hash = 0;
    int psnrs = 0;

    if (vpx_codec_enc_init(&encoder, vpx_codec_vp8_cx(), &cfg,
                           VPX_CODEC_USE_PSNR | VPX_CODEC_USE_OUTPUT_PARTITION))
        Fail("open");
    vpx_codec_control(&encoder, VP8E_SET_TOKEN_PARTITIONS, VP8_FOUR_TOKENPARTITION);
    vpx_codec_control(&encoder, VP8E_SET_CPUUSED, -8);
    for (int n = 0; n < 20; n++) {
        vpx_image_t *const image = Draw(kWidth, kHeight, VPX_IMG_FMT_I420, n);
        vpx_codec_iter_t iter = NULL;
        const vpx_codec_cx_pkt_t *packet;
        int parts = 0;

        if (vpx_codec_encode(&encoder, image, n * 3000, 3000, 0, VPX_DL_REALTIME)) Fail("encode");
        vpx_img_free(image);
        while ((packet = vpx_codec_get_cx_data(&encoder, &iter))) {
            psnrs += packet->kind == VPX_CODEC_PSNR_PKT;
            if (packet->kind != VPX_CODEC_CX_FRAME_PKT) continue;
            parts++;
            hash = hash * 31 + packet->data.frame.sz;
        }
        if (parts != 5) Fail("%d partitions", parts);
    }
    if (psnrs != 20) Fail("%d PSNR packets", psnrs);
    vpx_codec_destroy(&encoder);
    return hash;
}

uint64_t Profiles(void) {
    uint64_t hash = 0;

    for (unsigned profile = 0; profile < 4; profile++) {
        vpx_codec_enc_cfg_t cfg = Config();

        cfg.g_profile = profile;
        hash = hash * 31 + Plain(&cfg, VPX_DL_GOOD_QUALITY, 3, VPX_IMG_FMT_I420, 10);
    }
    return hash;
}

/* A program that takes no provider: the stream is stock's. Stock has no such control. */
uint64_t Detached(void) {
    const vpx_codec_enc_cfg_t cfg = Config();
    Stream s;

    Open(&s, &cfg);
    vpx_codec_control_(&s.encoder, VP8E_SET_MOTION_PROVIDER, NULL);
    Encode(&s, 20);
    return Finish(&s, 20);
}

uint64_t DetachedLater(void) {
    const vpx_codec_enc_cfg_t cfg = Config();
    Stream s;

    Open(&s, &cfg);
    Encode(&s, 10);
    vpx_codec_control_(&s.encoder, VP8E_SET_MOTION_PROVIDER, NULL);
    Encode(&s, 10);
    return Finish(&s, 20);
}

/* A provider of ABI version 1 is refused, and ours stays. Its other fields would be taken: settings
 * of 1, and pointers that are not NULL. */
uint64_t Refused(void) {
    const vpx_codec_enc_cfg_t cfg = Config();
    int other_version[256];
    Stream s;

    for (int i = 0; i < 256; i++) other_version[i] = 1;
    Open(&s, &cfg);
    for (int i = 0; i < 2; i++) {
        if (vpx_codec_control_(&s.encoder, VP8E_SET_MOTION_PROVIDER, other_version) == VPX_CODEC_OK)
            Fail("a provider of another ABI version was taken");
        Encode(&s, 10);
    }
    return Finish(&s, 20);
}
