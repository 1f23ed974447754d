// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The CUDA backend on a driver that fails when a test tells it to (fake_cuda.c).

#ifndef CUDAME_TESTS_FALLBACK_FIXTURE_H_
#define CUDAME_TESTS_FALLBACK_FIXTURE_H_

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "session.h"

class FallbackTest : public ::testing::Test {
  protected:
    static constexpr int kWidth = 200, kHeight = 150, kFrames = 3;
    enum { kOutOfMemory = 2, kLaunchFailed = 719 };

    void SetUp() override {
        void* lib = dlopen("libcuda.so.1", RTLD_LAZY);
        ASSERT_TRUE(lib) << dlerror();
        fail_ = reinterpret_cast<void (*)(int, int, int)>(dlsym(lib, "fake_cuda_fail"));
        calls_ = reinterpret_cast<int (*)()>(dlsym(lib, "fake_cuda_calls"));
        allocations_ = reinterpret_cast<int (*)()>(dlsym(lib, "fake_cuda_allocations"));
        pending_copies_ = reinterpret_cast<int (*)()>(dlsym(lib, "fake_cuda_pending_copies"));
        ASSERT_TRUE(fail_ && calls_ && allocations_ && pending_copies_)
            << "a real driver was found";
        expected_ = Run(MakeConfig(kWidth, kHeight, CUDAME_MODE_SPLITMV));
        ASSERT_EQ(expected_.fields.size(), 2u * kFrames);
        ASSERT_EQ(expected_.intra.size(), 1u * kFrames);
    }

    struct Log {
        int errors = 0;
        std::string text;
        void Attach(cudame_config* config) {
            config->log_opaque = this;
            config->log = [](void* opaque, int is_error, const char* what) {
                Log* l = static_cast<Log*>(opaque);
                if (!is_error) return;
                l->errors++;
                l->text = what;
            };
        }
    };

    cudame_frame MakeFrame(const cudame_plane& source, int last) const {
        cudame_frame frame = {};
        frame.source = source;
        frame.ref_id[CUDAME_REF_LAST] = static_cast<uint64_t>(last);
        frame.mv_cost[0] = frame.mv_cost[1] = costs_.data() + 1023;
        frame.sad_per_bit = 7;
        frame.bmode_cost = bmode_costs_.data();
        return frame;
    }

    // The fields of last and golden, and the intra estimates, of all frames. Empty if
    // cudame_create() fails.
    struct Result {
        std::vector<std::vector<naive::Record>> fields;
        std::vector<std::vector<cudame_intra>> intra;
    };
    Result Run(cudame_config config, Log* log = nullptr, bool threads = false) {
        if (log) log->Attach(&config);
        Result result;
        cudame_context* ctx;
        char err[256];
        const int code = cudame_create(&ctx, &config, err, sizeof(err));
        if (code) {
            EXPECT_TRUE(code == CUDAME_ERROR_UNAVAILABLE || code == CUDAME_ERROR_DEVICE ||
                        code == CUDAME_ERROR_DEVICE_MEM)
                << code;
            EXPECT_STRNE(err, "");
            EXPECT_EQ(ctx, nullptr);
            return result;
        }
        const int cols = (kWidth + 15) / 16, rows = (kHeight + 15) / 16;
        for (int time = 1; time <= kFrames; time++) {
            EXPECT_EQ(cudame_submit_reference(ctx, time, &planes_[time - 1].plane(), 0, 160), 0)
                << cudame_last_error(ctx);
            cudame_frame frame = MakeFrame(planes_[time].plane(), time);
            frame.ref_id[CUDAME_REF_GOLDEN] = 1;
            EXPECT_EQ(cudame_begin_frame(ctx, &frame), 0) << cudame_last_error(ctx);
            std::vector<naive::Record> out[2];
            for (auto& o : out) o.resize(static_cast<size_t>(cols * rows));
            std::vector<cudame_intra> intra(static_cast<size_t>(cols * rows));
            auto fetch = [&](int from, int step) {
                for (int r = from; r < rows; r += step) {
                    const cudame_mb* row[CUDAME_REFS];
                    const cudame_split* split[CUDAME_REFS];
                    const cudame_intra* intra_row;
                    // Either wait may be the first to see the failure.
                    if (time != 2) {
                        ASSERT_EQ(cudame_intra_row(ctx, r, &intra_row), 0);
                    }
                    ASSERT_EQ(cudame_wait_row(ctx, r, row, split), 0);
                    for (int i = 0; i < 2; i++) {
                        const int slot = i ? CUDAME_REF_GOLDEN : CUDAME_REF_LAST;
                        naive::Join(row[slot], split[slot], cols, out[i].data() + r * cols);
                    }
                    if (time == 2) {
                        ASSERT_EQ(cudame_intra_row(ctx, r, &intra_row), 0);
                    }
                    std::copy_n(intra_row, cols, intra.begin() + r * cols);
                }
            };
            if (threads) {
                std::thread other(fetch, 1, 2);
                fetch(0, 2);
                other.join();
            } else {
                fetch(0, 1);
            }
            EXPECT_EQ(cudame_end_frame(ctx), 0) << cudame_last_error(ctx);
            if (time > 1) {
                EXPECT_EQ(cudame_retire_reference(ctx, time), 0);
            }
            for (auto& o : out) result.fields.push_back(std::move(o));
            result.intra.push_back(std::move(intra));
        }
        cudame_destroy(ctx);
        return result;
    }

    cudame_config CudaConfig(cudame_mode mode = CUDAME_MODE_SPLITMV) {
        cudame_config config = MakeConfig(kWidth, kHeight, mode);
        config.backend = CUDAME_BACKEND_CUDA;
        config.fallback = 1;
        return config;
    }

    void (*fail_)(int, int, int) = nullptr;
    int (*calls_)() = nullptr;
    int (*allocations_)() = nullptr;
    int (*pending_copies_)() = nullptr;
    std::vector<int> costs_ = naive::MakeCosts(5), bmode_costs_ = naive::MakeBmodeCosts(5);
    PlaneBuffer planes_[kFrames + 1] = {
        {naive::MakeImage(naive::Content::kMoving, kWidth, kHeight, 0, 3), 32, true},
        {naive::MakeImage(naive::Content::kMoving, kWidth, kHeight, 1, 3), 0, true},
        {naive::MakeImage(naive::Content::kMoving, kWidth, kHeight, 2, 3), 32, true},
        {naive::MakeImage(naive::Content::kMoving, kWidth, kHeight, 3, 3), 0, true}};
    Result expected_;
};

#endif  // CUDAME_TESTS_FALLBACK_FIXTURE_H_
