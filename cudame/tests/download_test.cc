// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Arguments that the interface of downloads refuses without a device.

#include "cudame/download.h"

#include <gtest/gtest.h>

#include <cstring>

namespace {

TEST(Download, CreateRefusesWithAReason) {
    int context;  // never dereferenced
    const struct {
        int width, height;
        void* context;
        const char* reason;
    } cases[] = {
        {64, 64, nullptr, "no CUDA context given"},
        {0, 64, &context, "a picture of 0x64 pixels, allowed are 1 to 16383"},
        {64, -1, &context, "a picture of 64x-1 pixels, allowed are 1 to 16383"},
        {16384, 64, &context, "a picture of 16384x64 pixels, allowed are 1 to 16383"},
        {64, 16384, &context, "a picture of 64x16384 pixels, allowed are 1 to 16383"},
    };
    for (const auto& c : cases) {
        char err[100] = "x";
        cudame_downloader* d = reinterpret_cast<cudame_downloader*>(&context);
        EXPECT_EQ(cudame_downloader_create(&d, c.context, c.width, c.height, err, sizeof(err)),
                  CUDAME_ERROR_INVALID);
        EXPECT_EQ(d, nullptr);
        EXPECT_STREQ(err, c.reason);
    }
    char err[8];
    EXPECT_EQ(cudame_downloader_create(nullptr, &context, 64, 64, err, sizeof(err)),
              CUDAME_ERROR_INVALID);
    EXPECT_STREQ(err, "no down");
    EXPECT_EQ(cudame_downloader_create(nullptr, &context, 64, 64, nullptr, 0),
              CUDAME_ERROR_INVALID);
}

TEST(Download, WithoutADownloader) {
    cudame_picture picture = {};
    EXPECT_EQ(cudame_download(nullptr, &picture, nullptr), CUDAME_ERROR_INVALID);
    EXPECT_EQ(cudame_download_wait(nullptr, &picture), CUDAME_ERROR_INVALID);
    EXPECT_STREQ(cudame_downloader_last_error(nullptr), "no downloader");
    cudame_downloader_destroy(nullptr);
}

#if !CUDAME_CUDA
TEST(Download, NeedsTheCudaBackend) {
    int context;
    char err[100];
    cudame_downloader* d;
    EXPECT_EQ(cudame_downloader_create(&d, &context, 64, 64, err, sizeof(err)),
              CUDAME_ERROR_UNAVAILABLE);
    EXPECT_STREQ(err, "this library was built without CUDA");
}
#endif

}  // namespace
