// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Downloads on a driver that fails at every call in turn: each call returns its error or the
// picture, and nothing leaks.

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "cudame/download.h"
#include "fallback_fixture.h"

namespace {

class DownloadTest : public FallbackTest {
  protected:
    static constexpr int kCols = 37, kRows = 11;

    DownloadTest() {
        std::mt19937 random(1);
        for (auto* plane : {&y_, &uv_})
            for (auto& p : *plane) p = static_cast<uint8_t>(random());
        picture_.layout = CUDAME_LAYOUT_NV12;
        picture_.plane[0] = y_;
        picture_.plane[1] = uv_;
        picture_.stride[0] = picture_.stride[1] = 40;
    }
    int Create(cudame_downloader** d) {
        return cudame_downloader_create(d, this, kCols, kRows, err_, sizeof(err_));
    }
    void ExpectPicture(const cudame_picture& host) {
        for (int y = 0; y < kRows; y++)
            for (int x = 0; x < kCols; x++)
                ASSERT_EQ(host.plane[0][y * host.stride[0] + x], y_[y * 40 + x]);
        for (int y = 0; y < (kRows + 1) / 2; y++)
            for (int x = 0; x < kCols + 1; x++)
                ASSERT_EQ(host.plane[1 + x % 2][y * host.stride[1] + x / 2], uv_[y * 40 + x]);
    }

    uint8_t y_[40 * kRows], uv_[40 * kRows];
    cudame_picture picture_ = {}, host_ = {};
    char err_[100];
};

TEST_F(DownloadTest, ArgumentsAndOrderAreChecked) {
    fail_(-1, 0, 0);
    cudame_downloader* d;
    ASSERT_EQ(Create(&d), 0) << err_;
    EXPECT_EQ(cudame_download_wait(d, &host_), CUDAME_ERROR_INVALID);
    EXPECT_STREQ(cudame_downloader_last_error(d), "no download was started");
    EXPECT_EQ(cudame_download(d, nullptr, nullptr), CUDAME_ERROR_INVALID);
    for (int bad = 0; bad < 5; bad++) {
        cudame_picture p = picture_;
        if (bad == 0) memset(&p.layout, 2, 1);
        if (bad == 1) p.plane[1] = nullptr;
        if (bad == 2) p.stride[0] = kCols - 1;
        if (bad == 3) p.stride[1] = kCols;            // 19 pairs need 38 bytes
        if (bad == 4) p.layout = CUDAME_LAYOUT_I420;  // without a third plane
        EXPECT_EQ(cudame_download(d, &p, nullptr), CUDAME_ERROR_INVALID) << bad;
        EXPECT_STRNE(cudame_downloader_last_error(d), "");
    }
    ASSERT_EQ(cudame_download(d, &picture_, nullptr), 0) << cudame_downloader_last_error(d);
    EXPECT_EQ(cudame_download(d, &picture_, nullptr), CUDAME_ERROR_INVALID);
    EXPECT_STREQ(cudame_downloader_last_error(d), "the last download was not waited for");
    EXPECT_EQ(cudame_download_wait(d, nullptr), CUDAME_ERROR_INVALID);
    ASSERT_EQ(cudame_download_wait(d, &host_), 0);
    ExpectPicture(host_);
    cudame_downloader_destroy(d);
    EXPECT_EQ(allocations_(), 0);
}

TEST_F(DownloadTest, EveryCallInTurn) {
    const auto run = [&] {
        cudame_downloader* d;
        if (Create(&d)) {
            EXPECT_STRNE(err_, "");
            EXPECT_EQ(d, nullptr);
            return 2;
        }
        int failed = 0;
        for (int i = 0; i < 2; i++) {
            if (cudame_download(d, &picture_, nullptr) || cudame_download_wait(d, &host_)) {
                EXPECT_NE(strstr(cudame_downloader_last_error(d), "fault of the fake driver"),
                          nullptr);
                failed = 1;
            } else {
                ExpectPicture(host_);
            }
        }
        cudame_downloader_destroy(d);
        return failed;
    };
    fail_(-1, 0, 0);
    ASSERT_EQ(run(), 0);
    const int all = calls_();
    int results[3] = {};
    for (const bool for_good : {false, true}) {
        for (int call = 0; call < all; call++) {
            SCOPED_TRACE(call);
            fail_(call, kLaunchFailed, for_good);
            results[run()]++;
            fail_(-1, 0, 0);
            ASSERT_EQ(allocations_(), 0);
        }
    }
    EXPECT_GT(results[1], 10);  // failures of downloads
    EXPECT_GT(results[2], 10);  // failures of creation
}

}  // namespace
