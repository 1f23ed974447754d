// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The C interface of the first pass, and its checks.

#include <memory>
#include <string>

#include "backends.h"
#include "common/error.h"
#include "common/first_pass.h"
#include "common/geometry.h"
#include "common/plane.h"

struct cudame_first_pass {
    std::unique_ptr<cudame::FirstPass> impl;
    cudame::Geometry g;
    char error[cudame::kErrorText] = "";
};

namespace {

using cudame::BarrierOfCall;
using cudame::Invalid;

// libvpx's limits. Within them all products fit 32 bits, also those of the inverse transform.
constexpr int kMaxQuantizer = 1 << 15, kMaxProduct = 1 << 16;

void CheckQuantizer(const cudame_quantizer& q) {
    for (int i = 0; i < 2; i++) {
        if (q.round[i] < 0 || q.round[i] > 1023 || q.quant[i] < 0 || q.quant[i] >= kMaxQuantizer ||
            q.dequant[i] < 0 || q.dequant[i] > 1023 || q.quant[i] * q.dequant[i] > kMaxProduct)
            Invalid("a quantizer is out of range");
    }
}

void CheckWhole(const cudame_plane& plane, const cudame::Geometry& g, const char* what) {
    CheckPlane(plane, g, what);
    if (plane.width < g.width || plane.height < g.height || plane.on_device)
        Invalid(std::string(what) + " must be whole macroblocks in host memory");
}

void CheckFrame(const cudame_first_pass_frame& f, const cudame::Geometry& g) {
    CheckWhole(f.source, g, "the source");
    if (f.breakout) CheckWhole(f.last_source, g, "the last source");
    if (f.last.data) CheckWhole(f.last, g, "the last frame");
    if (f.golden.data) CheckWhole(f.golden, g, "the golden frame");
    if (f.golden.data && !f.last.data) Invalid("a golden frame without a last frame");
    if ((f.last.data && !f.last_id) || (f.golden.data && !f.golden_id) || !f.recon_id)
        Invalid("a reconstruction has no id");
    if (f.recon_id == f.last_id || f.recon_id == f.golden_id)
        Invalid("recon_id is the id of a reference");
    if (!f.recon || f.recon_stride < g.width) Invalid("no memory given for the reconstruction");
    CheckQuantizer(f.y1);
    CheckQuantizer(f.y2);
    for (int i = 0; i < 128; i++) {
        const int cost = f.mv_cost[i / 64][i % 64];
        if (cost < 0 || cost >= 1 << 19) Invalid("a rate is out of range");
    }
    if (f.error_per_bit < 0 || f.error_per_bit > 2047) Invalid("error_per_bit is out of range");
}

}  // namespace

int cudame_first_pass_create(cudame_first_pass** pass, const cudame_first_pass_config* config,
                             char* err, size_t err_size) {
    return cudame::BarrierOfCreate(pass, err, err_size, [&] {
        if (!pass || !config) Invalid("no first pass or config given");
        if (config->size != sizeof(*config))
            Invalid(
                "config.size is that of another version: set it to "
                "sizeof(cudame_first_pass_config)");
        if (config->mb_cols < 1 || config->mb_cols > 1024 || config->mb_rows < 1 ||
            config->mb_rows > 1024)
            Invalid(std::to_string(config->mb_cols) + "x" + std::to_string(config->mb_rows) +
                    " macroblocks, allowed are 1 to 1024");
        auto made = std::make_unique<cudame_first_pass>();
        made->g.width = config->mb_cols * cudame::kMb;
        made->g.height = config->mb_rows * cudame::kMb;
        made->g.mb_cols = config->mb_cols;
        made->g.mb_rows = config->mb_rows;
        made->impl = cudame::CreateFirstPass(*config);
        *pass = made.release();
    });
}

void cudame_first_pass_destroy(cudame_first_pass* pass) { delete pass; }

int cudame_first_pass_run(cudame_first_pass* pass, const cudame_first_pass_frame* frame,
                          cudame_first_pass_counts* counts) {
    return BarrierOfCall(pass, [&] {
        if (!frame || !counts) Invalid("no frame or counts given");
        CheckFrame(*frame, pass->g);
        *counts = pass->impl->Run(*frame);
    });
}

int cudame_first_pass_forget_memory(cudame_first_pass* pass) {
    return BarrierOfCall(pass, [&] { pass->impl->ForgetMemory(); });
}

const char* cudame_first_pass_last_error(const cudame_first_pass* pass) {
    return pass ? pass->error : "no first pass";
}
