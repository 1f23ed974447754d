/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "first_pass_server.h"

#include <gtest/gtest.h>

#include <cstring>

#include "fake_provider.h"
#include "to_cudame.h"

namespace provider_test {

namespace {

std::vector<uint8_t> Copy(const vp8e_mp_first_pass_t &f, const uint8_t *y, int stride) {
    return CopyPlane(y, stride, f.mb_cols * 16, f.mb_rows * 16);
}

}  // namespace

FirstPassServer::FirstPassServer(std::function<bool(int n)> serves) : serves_(std::move(serves)) {
    callbacks_.abi_version = VP8E_MP_ABI_VERSION;
    callbacks_.priv = this;
    callbacks_.repair_mv_cost = 1;
    callbacks_.repair_drops = 1;
    callbacks_.repair_threads = 1;
    callbacks_.frame_begin = [](void *, const vp8e_mp_frame_t *) {
        ADD_FAILURE() << "frame_begin was called in the first pass";
        return -1;
    };
    callbacks_.row = [](void *, int, const vp8e_mp_mb_t *[4], const vp8e_mp_split_t *[4]) { return -1; };
    callbacks_.first_pass = [](void *p, const vp8e_mp_first_pass_t *frame,
                               vp8e_mp_first_pass_counts_t *counts) {
        return static_cast<FirstPassServer *>(p)->FirstPass(*frame, counts);
    };
    callbacks_.first_pass_freed = [](void *p) { static_cast<FirstPassServer *>(p)->freed++; };
}

FirstPassServer::~FirstPassServer() { cudame_first_pass_destroy(pass_); }

void FirstPassServer::CheckContent(const vp8e_mp_first_pass_t &f, const vp8e_mp_plane_t &plane) {
    EXPECT_NE(plane.id, 0u);
    const std::vector<uint8_t> now = Copy(f, plane.y, plane.stride);
    const auto known = content_.find(plane.id);
    if (known == content_.end()) {
        content_[plane.id] = now;
    } else {
        EXPECT_EQ(known->second, now) << "the content of " << plane.id << " changed";
    }
}

void FirstPassServer::CheckFrame(const vp8e_mp_first_pass_t &f) {
    EXPECT_GT(f.error_per_bit, 0);
    EXPECT_NE(f.source.y, nullptr);
    EXPECT_EQ(f.last_source.y != nullptr, f.breakout > 0);
    EXPECT_TRUE(f.last.y || !f.golden.y);
    EXPECT_EQ(content_.count(f.recon_id), 0u) << "an id of a reconstruction was used twice";
    if (f.last.y) CheckContent(f, f.last);
    if (!f.golden.y) return;
    CheckContent(f, f.golden);
    golden_changes += golden_ && golden_ != f.golden.id;
    golden_ = f.golden.id;
}

int FirstPassServer::FirstPass(const vp8e_mp_first_pass_t &f, vp8e_mp_first_pass_counts_t *counts) {
    CheckFrame(f);
    breakouts += f.breakout > 0;
    if (!serves_(asked++)) {
        memset(counts, 0x55, sizeof(*counts));
        for (int y = 0; y < f.mb_rows * 16; y++) {
            memset(f.recon + ptrdiff_t(y) * f.recon_stride, 0x55, size_t(f.mb_cols) * 16);
        }
        content_[f.recon_id];
        return -1;
    }
    served++;
    if (!pass_) {
        cudame_first_pass_config config{};
        config.size = sizeof(config);
        config.backend = CUDAME_BACKEND_CPU;
        config.mb_cols = f.mb_cols;
        config.mb_rows = f.mb_rows;
        char err[256];
        EXPECT_EQ(cudame_first_pass_create(&pass_, &config, err, sizeof(err)), 0) << err;
    }

    const cudame_first_pass_frame frame = ToCudame(f);
    cudame_first_pass_counts c{};
    EXPECT_EQ(cudame_first_pass_run(pass_, &frame, &c), 0) << cudame_first_pass_last_error(pass_);
    content_[f.recon_id] = Copy(f, f.recon, f.recon_stride);
    *counts = FromCudame(c);
    return 0;
}

}  // namespace provider_test
