// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The CUDA backend on a driver that fails at every call in turn. Fields must equal those of the CPU
// backend, or cudame_create() must fail cleanly. The program is linked so that it finds fake_cuda.c
// as libcuda.so.1.

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <new>
#include <thread>

#include "cudame/loop_filter.h"
#include "fallback_fixture.h"

using naive::Content;

namespace {
std::atomic<int> allocations_left{-1};  // number until one fails; negative: none fails
}

void* operator new(size_t size) {
    if (allocations_left >= 0 && !allocations_left--) throw std::bad_alloc();
    if (void* p = malloc(size ? size : 1)) return p;
    throw std::bad_alloc();
}
void operator delete(void* p) noexcept { free(p); }
void operator delete(void* p, size_t) noexcept { free(p); }

namespace {

TEST_F(FallbackTest, EveryCallInTurn) {
    int created = 0, refused = 0;
    fail_(-1, 0, 0);
    Run(CudaConfig());
    const int all = calls_();
    ASSERT_GT(all, 50);
    for (const int code : {int(kOutOfMemory), int(kLaunchFailed)}) {
        for (const bool for_good : {false, true}) {
            for (int call = 0; call < all; call++) {
                SCOPED_TRACE(::testing::Message()
                             << "call " << call << " code " << code << " for good " << for_good);
                fail_(call, code, for_good);
                Log log;
                const Result result = Run(CudaConfig(), &log, call % 2);
                fail_(-1, 0, 0);
                ASSERT_EQ(allocations_(), 0) << "device or pinned memory leaks";
                if (result.fields.empty()) {
                    refused++;
                    continue;
                }
                created++;
                EXPECT_EQ(log.errors, 1) << log.text;
                EXPECT_NE(log.text.find("the CPU backend continues"), std::string::npos);
                for (size_t i = 0; i < result.fields.size(); i++)
                    ASSERT_TRUE(FieldsEqual(result.fields[i], expected_.fields[i], 13))
                        << "field " << i;
                for (size_t i = 0; i < result.intra.size(); i++)
                    ASSERT_TRUE(IntraEqual(result.intra[i], expected_.intra[i], 13))
                        << "frame " << i;
            }
        }
    }
    EXPECT_GT(created, 20);
    EXPECT_GT(refused, 20);
}

// Any allocation may fail while the CPU takes over. A row that does not fail must be correct.
TEST_F(FallbackTest, NoMemoryToFallBack) {
    cudame_config config = CudaConfig();
    config.threads = 2;
    const int cols = (kWidth + 15) / 16, rows = (kHeight + 15) / 16;
    std::vector<naive::Record> found(static_cast<size_t>(cols));
    int failures = 0;
    // The device fails in the first frame, at its end or before one of its rows.
    for (int before : {0, 1, 5, rows}) {
        for (int n = 0, reached = 1; reached; n++) {
            cudame_context* ctx;
            fail_(-1, 0, 0);
            ASSERT_EQ(cudame_create(&ctx, &config, nullptr, 0), 0);
            ASSERT_EQ(cudame_submit_reference(ctx, 1, &planes_[0].plane(), 0, 160), 0);
            const cudame_frame frame = MakeFrame(planes_[1].plane(), 1);
            ASSERT_EQ(cudame_begin_frame(ctx, &frame), 0);
            int failed = 0;
            for (int r = 0; r <= rows; r++) {
                if (r == before) {
                    fail_(0, kLaunchFailed, 1);
                    allocations_left = n;
                }
                if (r == rows) {
                    failed |= cudame_end_frame(ctx);
                    break;
                }
                const cudame_mb* row[CUDAME_REFS];
                const cudame_split* split[CUDAME_REFS];
                const cudame_intra* intra;
                const size_t first = static_cast<size_t>(r * cols), count = found.size();
                if (int code = cudame_wait_row(ctx, r, row, split)) {
                    failed = code;
                } else {
                    naive::Join(row[CUDAME_REF_LAST], split[CUDAME_REF_LAST], cols, found.data());
                    EXPECT_EQ(
                        memcmp(found.data(), &expected_.fields[0][first], count * sizeof(found[0])),
                        0);
                }
                if (int code = cudame_intra_row(ctx, r, &intra))
                    failed = code;
                else
                    EXPECT_EQ(memcmp(intra, &expected_.intra[0][first], count * sizeof(*intra)), 0);
            }
            reached = allocations_left < 0;
            allocations_left = -1;
            EXPECT_TRUE(reached || !failed) << n;
            failures += failed != 0;
            cudame_backend_in_use(ctx);
            cudame_destroy(ctx);
        }
    }
    EXPECT_GT(failures, 20);
}

// These modes launch a second kernel for each band.
TEST_F(FallbackTest, SubpelModes) {
    for (const cudame_mode mode : {CUDAME_MODE_TEX, CUDAME_MODE_FULL}) {
        const Result expected = Run(MakeConfig(kWidth, kHeight, mode));
        fail_(-1, 0, 0);
        Run(CudaConfig(mode));
        const int all = calls_();
        int created = 0;
        for (int call = 3; call < all; call += 7) {
            SCOPED_TRACE(::testing::Message() << "mode " << mode << " call " << call);
            fail_(call, kLaunchFailed, call % 2);
            Log log;
            const Result result = Run(CudaConfig(mode), &log);
            fail_(-1, 0, 0);
            ASSERT_EQ(allocations_(), 0) << "device or pinned memory leaks";
            if (result.fields.empty()) continue;
            created++;
            EXPECT_EQ(log.errors, 1) << log.text;
            for (size_t i = 0; i < result.fields.size(); i++)
                ASSERT_TRUE(FieldsEqual(result.fields[i], expected.fields[i], 13)) << "field " << i;
        }
        EXPECT_GT(created, 5);
    }
}

// The caller gets the error and can search for itself. The context continues.
TEST_F(FallbackTest, LoopFilterErrorsAreTold) {
    const std::vector<uint8_t> macroblocks(130, CUDAME_LOOP_FILTER_INNER);
    uint8_t level[CUDAME_LOOP_FILTER_LEVELS][CUDAME_LOOP_FILTER_KINDS];
    for (int l = 0; l < CUDAME_LOOP_FILTER_LEVELS; l++) memset(level[l], l, sizeof(level[l]));
    cudame_loop_filter filter = {};
    filter.frame = planes_[0].plane();
    filter.macroblocks = macroblocks.data();
    filter.level = level;
    filter.levels = CUDAME_LOOP_FILTER_LEVELS;
    cudame_frame frame = {};
    frame.source = planes_[1].plane();
    uint32_t errors[CUDAME_LOOP_FILTER_LEVELS], expected[CUDAME_LOOP_FILTER_LEVELS];
    {
        Session cpu(MakeConfig(kWidth, kHeight, CUDAME_MODE_SPLITMV));
        ASSERT_EQ(cudame_begin_frame(cpu.ctx, &frame), 0);
        ASSERT_EQ(cudame_loop_filter_start(cpu.ctx, &filter), 0);
        ASSERT_EQ(cudame_loop_filter_errors(cpu.ctx, expected), 0);
        ASSERT_EQ(cudame_end_frame(cpu.ctx), 0);
    }
    for (const int code : {int(kOutOfMemory), int(kLaunchFailed)}) {
        int call = 0;
        for (bool failed = true; failed; call++) {
            SCOPED_TRACE(::testing::Message() << "call " << call << " code " << code);
            fail_(-1, 0, 0);
            Log log;
            cudame_config config = CudaConfig();
            log.Attach(&config);
            {
                Session s(config);
                ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
                fail_(call, code, 0);
                int result = cudame_loop_filter_start(s.ctx, &filter);
                if (!result) result = cudame_loop_filter_errors(s.ctx, errors);
                failed = result != 0;
                // A lack of device memory stops the loop filter only, not the search.
                const bool stays = !failed || result == CUDAME_ERROR_DEVICE_MEM;
                EXPECT_EQ(result == CUDAME_ERROR_DEVICE_MEM, failed && code == kOutOfMemory);
                EXPECT_EQ(cudame_backend_in_use(s.ctx),
                          stays ? CUDAME_BACKEND_CUDA : CUDAME_BACKEND_CPU);
                EXPECT_EQ(log.errors, failed ? stays ? 1 : 2 : 0);
                fail_(-1, 0, 0);
                ASSERT_EQ(cudame_loop_filter_start(s.ctx, &filter), 0);
                ASSERT_EQ(cudame_loop_filter_errors(s.ctx, errors), 0);
                if (!stays) {
                    EXPECT_EQ(memcmp(errors, expected, sizeof(errors)), 0);
                }
                ASSERT_EQ(cudame_end_frame(s.ctx), 0);
            }
            ASSERT_EQ(allocations_(), 0) << "device or pinned memory leaks";
        }
        EXPECT_GT(call, 12);
    }
}

// Without fallback the caller gets the error, and nothing hangs or crashes.
TEST_F(FallbackTest, WithoutFallbackErrorsAreReturned) {
    cudame_config config = CudaConfig();
    config.fallback = 0;
    fail_(-1, 0, 0);
    {
        Session s(config);
        ASSERT_EQ(s.Submit(1, planes_[0]), 0);
        cudame_frame frame = {};
        frame.source = planes_[1].plane();
        frame.ref_id[CUDAME_REF_LAST] = 1;
        ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
        const cudame_mb* rows[CUDAME_REFS];
        EXPECT_EQ(cudame_wait_row(s.ctx, 0, rows, nullptr), CUDAME_ERROR_DEVICE);
        EXPECT_STREQ(cudame_last_error(s.ctx), "the device finished without a result");
        EXPECT_EQ(cudame_backend_in_use(s.ctx), CUDAME_BACKEND_CUDA);
    }
    EXPECT_EQ(allocations_(), 0);
}

// Persistent memory is registered after several uses, until it is forgotten. Registering may fail.
TEST_F(FallbackTest, PersistentMemoryIsRegisteredUntilForgotten) {
    const PlaneBuffer buffer(naive::MakeImage(Content::kMoving, 320, 240, 0, 3), 32, true);
    cudame_plane plane = buffer.plane();
    plane.persistent = 1;
    cudame_config config = CudaConfig();
    config.width = 320;
    config.height = 240;
    for (const int failing : {0, 1}) {
        fail_(-1, 0, 0);
        Session s(config);
        uint64_t id = 0;
        auto upload = [&] {
            ASSERT_EQ(cudame_submit_reference(s.ctx, ++id, &plane, 0, 240), 0);
            ASSERT_EQ(cudame_retire_reference(s.ctx, id), 0);
        };
        for (int i = 0; i < 3; i++) upload();
        const int before = allocations_();
        // Call 3 registers the memory: CreateReference() makes two calls for the context, AddRows()
        // one.
        fail_(failing ? 3 : -1, kOutOfMemory, 0);
        for (int i = 0; i < 5; i++) upload();
        EXPECT_EQ(allocations_(), before + !failing);
        fail_(-1, 0, 0);
        ASSERT_EQ(cudame_forget_memory(s.ctx), 0);
        EXPECT_EQ(allocations_(), before);
        std::this_thread::sleep_for(std::chrono::milliseconds(10));  // registrations are 2 ms apart
        for (int i = 0; i < 5; i++) upload();
        EXPECT_EQ(allocations_(), before + 1);
        EXPECT_EQ(cudame_backend_in_use(s.ctx), CUDAME_BACKEND_CUDA);
    }
    EXPECT_EQ(allocations_(), 0);
}

// Announced memory is registered at once, as a whole, until it is forgotten. If that fails, planes
// in it are registered after several uses.
TEST_F(FallbackTest, ExpectedMemoryIsRegisteredAtOnce) {
    const PlaneBuffer buffer(naive::MakeImage(Content::kMoving, 320, 240, 0, 3), 32, true);
    cudame_plane plane = buffer.plane();
    plane.persistent = 1;
    const uint8_t* memory = plane.data - plane.border * (plane.stride + 1);
    const size_t size = static_cast<size_t>(plane.stride) * (240 + 2 * 32);
    cudame_config config = CudaConfig();
    config.width = 320;
    config.height = 240;
    for (const int whole : {0, 1})
        for (const int failing : {0, 1}) {
            SCOPED_TRACE(::testing::Message() << "whole " << whole << " failing " << failing);
            fail_(-1, 0, 0);
            config.whole_frames = whole;
            Session s(config);
            uint64_t id = 0;
            const int before = allocations_();
            const int expected = before + (whole && !failing);
            // Call 1 registers the memory, after the one that makes the context current.
            fail_(failing ? 1 : -1, kOutOfMemory, 0);
            ASSERT_EQ(cudame_expect_memory(s.ctx, memory, size), 0) << cudame_last_error(s.ctx);
            EXPECT_EQ(allocations_(), expected);
            fail_(-1, 0, 0);
            const auto upload = [&] {
                ASSERT_EQ(cudame_submit_reference(s.ctx, ++id, &plane, 0, 240), 0);
                ASSERT_EQ(cudame_retire_reference(s.ctx, id), 0);
            };
            upload();
            const int with_plane = allocations_();
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            for (int i = 0; i < 5; i++) upload();
            EXPECT_EQ(allocations_(), with_plane + !(whole && !failing));
            ASSERT_EQ(cudame_forget_memory(s.ctx), 0);
            EXPECT_EQ(allocations_(), with_plane - (whole && !failing));
        }
    fail_(-1, 0, 0);
    Session s(config);
    EXPECT_EQ(cudame_expect_memory(s.ctx, nullptr, size), CUDAME_ERROR_INVALID);
    EXPECT_STREQ(cudame_last_error(s.ctx), "no memory to expect");
    EXPECT_EQ(cudame_expect_memory(s.ctx, memory, 0), CUDAME_ERROR_INVALID);
    EXPECT_EQ(cudame_expect_memory(nullptr, memory, size), CUDAME_ERROR_INVALID);
}

// After cudame_forget_memory() nothing reads the memory, also if it is not registered.
TEST_F(FallbackTest, NoUploadOutlivesForgottenMemory) {
    fail_(-1, 0, 0);
    {
        Session s(CudaConfig());
        ASSERT_EQ(s.Submit(1, planes_[0]), 0);
        EXPECT_GT(pending_copies_(), 0);
        ASSERT_EQ(cudame_forget_memory(s.ctx), 0);
        EXPECT_EQ(pending_copies_(), 0);
    }
    EXPECT_EQ(allocations_(), 0);
}

// The source is also in device memory. After a fallback the host's copy is searched.
TEST_F(FallbackTest, DeviceSourceFallsBackToTheHosts) {
    fail_(-1, 0, 0);
    {
        Session s(CudaConfig());
        ASSERT_EQ(s.Submit(1, planes_[0]), 0);
        cudame_plane device = planes_[1].plane();  // the fake device's memory is host memory
        device.on_device = 1;
        device.border = 0;
        cudame_frame frame = {};
        frame.source = planes_[1].plane();
        frame.device_source = &device;
        frame.ref_id[CUDAME_REF_LAST] = 1;
        frame.mv_cost[0] = frame.mv_cost[1] = costs_.data() + 1023;
        frame.sad_per_bit = 7;
        ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0) << cudame_last_error(s.ctx);
        EXPECT_TRUE(FieldsEqual(s.Field(CUDAME_REF_LAST), expected_.fields[0], 13));
        EXPECT_EQ(cudame_end_frame(s.ctx), 0);
        EXPECT_EQ(cudame_backend_in_use(s.ctx), CUDAME_BACKEND_CPU);

        for (int bad = 0; bad < 4; bad++) {
            cudame_plane p = device;
            if (bad == 0) p.data = nullptr;
            if (bad == 1) p.on_device = 0;
            if (bad == 2) p.height = 0;
            if (bad == 3) p.stride = p.width - 1;
            frame.device_source = &p;
            EXPECT_EQ(cudame_begin_frame(s.ctx, &frame), CUDAME_ERROR_INVALID) << bad;
        }
    }
    EXPECT_EQ(allocations_(), 0);
}

// A frame in device memory only is lost with the device. Every call says so, and the next frame
// works.
TEST_F(FallbackTest, FrameInDeviceMemoryIsLost) {
    for (const bool lost_reference : {false, true}) {
        SCOPED_TRACE(lost_reference);
        fail_(-1, 0, 0);
        {
            Session s(CudaConfig());
            cudame_plane reference = planes_[0].plane(), source = planes_[1].plane();
            (lost_reference ? reference : source).on_device = 1;
            ASSERT_EQ(cudame_submit_reference(s.ctx, 1, &reference, 0, reference.height), 0);
            cudame_frame frame = MakeFrame(source, 1);
            ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0) << cudame_last_error(s.ctx);
            const cudame_mb* rows[CUDAME_REFS];
            const cudame_intra* intra;
            EXPECT_EQ(cudame_wait_row(s.ctx, 1, rows, nullptr), CUDAME_ERROR_INVALID);
            EXPECT_EQ(cudame_wait_row(s.ctx, 2, rows, nullptr), CUDAME_ERROR_DEVICE);
            EXPECT_STREQ(cudame_last_error(s.ctx),
                         "the frame was lost with the device that failed");
            EXPECT_EQ(cudame_intra_row(s.ctx, 1, &intra), CUDAME_ERROR_DEVICE);
            const std::vector<uint8_t> macroblocks(130);
            static const uint8_t level[CUDAME_LOOP_FILTER_LEVELS][CUDAME_LOOP_FILTER_KINDS] = {};
            cudame_loop_filter filter = {};
            filter.frame = planes_[0].plane();
            filter.macroblocks = macroblocks.data();
            filter.level = level;
            filter.levels = CUDAME_LOOP_FILTER_GROUP;
            EXPECT_EQ(cudame_loop_filter_start(s.ctx, &filter), CUDAME_ERROR_DEVICE);
            EXPECT_EQ(cudame_end_frame(s.ctx), 0);

            ASSERT_EQ(s.Submit(2, planes_[0]), 0);
            frame = MakeFrame(planes_[1].plane(), 2);
            ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0) << cudame_last_error(s.ctx);
            EXPECT_TRUE(FieldsEqual(s.Field(CUDAME_REF_LAST), expected_.fields[0], 13));
            EXPECT_TRUE(IntraEqual(s.Intra(), expected_.intra[0], 13));
            EXPECT_EQ(cudame_end_frame(s.ctx), 0);
        }
        EXPECT_EQ(allocations_(), 0);
    }
}

// Buffers of two sizes are not mixed.
TEST_F(FallbackTest, NoFrameAfterAFailedResize) {
    cudame_config config = CudaConfig();
    config.fallback = 0;
    int failed = 0;
    for (int call = 0; call < 60; call++) {
        SCOPED_TRACE(call);
        fail_(-1, 0, 0);
        {
            Session s(config);
            cudame_frame frame = {};
            frame.source = planes_[1].plane();
            fail_(call, kOutOfMemory, 0);
            if (cudame_resize(s.ctx, 180, 140)) {
                failed++;
                EXPECT_EQ(cudame_begin_frame(s.ctx, &frame), CUDAME_ERROR_INVALID);
                EXPECT_STREQ(cudame_last_error(s.ctx), "the last cudame_resize() failed");
            }
            fail_(-1, 0, 0);
            ASSERT_EQ(cudame_resize(s.ctx, 180, 140), 0);
            ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0) << cudame_last_error(s.ctx);
            EXPECT_EQ(cudame_end_frame(s.ctx), 0);
        }
        ASSERT_EQ(allocations_(), 0);
    }
    EXPECT_GT(failed, 10);
}

}  // namespace
