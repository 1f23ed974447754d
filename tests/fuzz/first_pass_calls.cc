/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "first_pass_calls.h"

#include <algorithm>
#include <climits>
#include <cstring>
#include <memory>
#include <vector>

#include "cudame/first_pass.h"
#include "cudame_session.h"

namespace fuzz {

namespace {

void Refuse(int code, const char *call) {
    if (code != CUDAME_ERROR_INVALID) Fail(call, "not refused");
}

cudame_quantizer Quantizer(Random *in) {
    cudame_quantizer q{};
    for (int i = 0; i < 2; i++) {
        q.round[i] = in->Below(1024);
        q.quant[i] = in->Below(1 << 15);
        q.dequant[i] = in->Below(q.quant[i] ? std::min((1 << 16) / q.quant[i] + 1, 1024) : 1024);
    }
    return q;
}

void RefuseConfig(Random *in, cudame_first_pass_config config) {
    const cudame_first_pass_config *given = &config;
    switch (in->Below(5)) {
        case 0:
            config.size--;
            break;
        case 1:
            config.mb_cols = in->Percent(50) ? 0 : 1025;
            break;
        case 2:
            config.mb_rows = in->Percent(50) ? INT_MIN : INT_MAX;
            break;
        case 3:
            given = nullptr;
            break;
        default:
            return Refuse(cudame_first_pass_create(nullptr, &config, nullptr, 0),
                          "cudame_first_pass_create");
    }
    cudame_first_pass *pass;
    char text[32];
    Refuse(cudame_first_pass_create(&pass, given, text, sizeof(text)), "cudame_first_pass_create");
    if (pass || !memchr(text, 0, sizeof(text))) {
        Fail("cudame_first_pass_create", "a context or an unterminated message after a refusal");
    }
}

// Makes one field of the frame invalid. The call must be refused.
void RefuseFrame(Random *in, cudame_first_pass *pass, cudame_first_pass_frame frame) {
    cudame_first_pass_counts counts;
    const cudame_first_pass_frame *given = &frame;
    cudame_first_pass_counts *where = &counts;
    const int width = frame.source.width, height = frame.source.height;
    const int bad = in->Percent(50) ? -1 : 1 << 20;
    switch (in->Below(10)) {
        case 0:
            frame.source = Spoiled(in, frame.source, width, height);
            break;
        case 1:
            frame.breakout = 1;
            frame.last_source = Spoiled(in, frame.source, width, height);
            break;
        case 2:
            frame.recon_id = in->Percent(50) ? 0 : frame.last_id;
            break;
        case 3:
            frame.recon = nullptr;
            break;
        case 4:
            frame.recon_stride = width - 1;
            break;
        case 5:
            (in->Percent(50) ? frame.y1.quant : frame.y2.dequant)[in->Below(2)] = bad;
            if (in->Percent(50)) frame.y1.quant[0] = 128, frame.y1.dequant[0] = 513;
            break;
        case 6:
            frame.mv_cost[in->Below(2)][in->Below(64)] = bad;
            break;
        case 7:
            frame.error_per_bit = bad;
            break;
        case 8:
            given = nullptr;
            break;
        default:
            where = nullptr;
    }
    Refuse(cudame_first_pass_run(pass, given, where), "cudame_first_pass_run");
    if (!*cudame_first_pass_last_error(pass)) {
        Fail("cudame_first_pass_run", "refused without a message");
    }
}

}  // namespace

void CallFirstPass(Random in) {
    cudame_first_pass_config config{};
    config.size = sizeof(config);
    config.mb_cols = in.Between(1, 5);
    config.mb_rows = in.Between(1, 5);
    if (in.Percent(10)) RefuseConfig(&in, config);
    cudame_first_pass *pass = nullptr;
    if (cudame_first_pass_create(&pass, &config, nullptr, 0)) {
        Fail("cudame_first_pass_create", "refused");
    }
    const int width = 16 * config.mb_cols, height = 16 * config.mb_rows;

    // Keep the planes, because later frames are predicted from them. Memory ends with each plane,
    // so that a sanitizer reports writes beyond its rows.
    struct Frame {
        std::unique_ptr<Plane> source;
        std::unique_ptr<Plane> recon;
    };
    std::vector<Frame> frames;
    for (int n = 0; n < 8 && (n == 0 || in.more()); n++) {
        const Pattern pattern = ChoosePattern(&in);
        const bool upwards = in.Percent(20);
        frames.push_back(
            {std::make_unique<Plane>(pattern, width, height, in.Below(2) * 32, in.Below(20),
                                     upwards, 0xA5),
             std::make_unique<Plane>(Pattern{}, width, height, 0, in.Below(20), false, 0)});
        cudame_first_pass_frame f{};
        f.source = frames.back().source->get();
        f.recon = const_cast<uint8_t *>(frames.back().recon->get().data);
        f.recon_stride = frames.back().recon->get().stride;
        f.recon_id = uint64_t(n) + 1;
        if (n && in.Percent(85)) {
            const int golden = in.Below(n);
            f.last = frames[size_t(n) - 1].recon->get();
            f.last_id = uint64_t(n);
            if (in.Percent(70)) f.golden = frames[size_t(golden)].recon->get();
            if (f.golden.data) f.golden_id = uint64_t(golden) + 1;
            f.last_source = frames[size_t(n) - 1].source->get();
            f.breakout = in.Percent(50) ? 0 : unsigned(in.Below(1 << 16)) << in.Below(17);
        }
        f.y1 = Quantizer(&in);
        f.y2 = Quantizer(&in);
        const int scale = in.Below(8192);
        for (int i = 0; i < 128; i++) f.mv_cost[i / 64][i % 64] = i % 64 * scale;
        f.error_per_bit = in.Below(2048);
        if (in.Percent(20)) RefuseFrame(&in, pass, f);
        cudame_first_pass_counts counts;
        if (cudame_first_pass_run(pass, &f, &counts)) {
            Fail("cudame_first_pass_run", "refused: ", cudame_first_pass_last_error(pass));
        }
        const int mbs = config.mb_cols * config.mb_rows;
        if (counts.inter < 0 || counts.inter > mbs || (!f.last.data && counts.inter) ||
            counts.moving > counts.inter || counts.new_mv > counts.moving) {
            Fail("cudame_first_pass_run", "impossible counts");
        }
        if (in.Percent(10) && cudame_first_pass_forget_memory(pass)) {
            Fail("cudame_first_pass_forget_memory", "refused");
        }
    }
    cudame_first_pass_destroy(pass);
    cudame_first_pass_destroy(nullptr);
}

}  // namespace fuzz
