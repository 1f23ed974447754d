// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The C interface: errors, call order, references, threads.

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "frame_fixture.h"

using naive::Content;
using naive::Image;

namespace {

std::string CreateError(const cudame_config& config, int code) {
    cudame_context* ctx = reinterpret_cast<cudame_context*>(1);
    char err[256];
    EXPECT_EQ(cudame_create(&ctx, &config, err, sizeof(err)), code);
    EXPECT_EQ(ctx, nullptr);
    return err;
}

// Store any number in an enum, as a C caller may.
template <class E>
void SetEnum(E* e, int value) {
    memcpy(e, &value, sizeof(value));
}

TEST(Create, RefusesWithAReason) {
    const cudame_config good = MakeConfig(64, 48, CUDAME_MODE_FULL);
    auto error = [&](auto change, int code = CUDAME_ERROR_INVALID) {
        cudame_config config = good;
        change(config);
        return CreateError(config, code);
    };
    EXPECT_EQ(error([](cudame_config& c) { c.width = 0; }), "width is 0, allowed are 1 to 16383");
    EXPECT_EQ(error([](cudame_config& c) { c.height = 16384; }),
              "height is 16384, allowed are 1 to 16383");
    EXPECT_EQ(error([](cudame_config& c) { c.threads = 65; }),
              "threads is 65, allowed are 1 to 64");
    EXPECT_EQ(error([](cudame_config& c) { c.range = 129; }), "range is 129, allowed are 0 to 128");
    EXPECT_NE(error([](cudame_config& c) { c.size = 8; }).find("config.size is 8"),
              std::string::npos);
    EXPECT_EQ(error([](cudame_config& c) { c.cuda_after_ms = -1; }),
              "cuda_after_ms is -1, allowed are 0 to 2147483647");
    EXPECT_EQ(error([](cudame_config& c) {
                  c.backend = CUDAME_BACKEND_CUDA;
                  c.cuda_after_ms = 1;
              }),
              "cuda_after_ms needs fallback, because it starts on the CPU backend");
    EXPECT_NE(error([](cudame_config& c) { SetEnum(&c.mode, 5); }), "");
    EXPECT_NE(error([](cudame_config& c) { SetEnum(&c.search, 9); }), "");
    EXPECT_NE(error([](cudame_config& c) { SetEnum(&c.backend, -7); }), "");
    EXPECT_TRUE(cudame_has_backend(CUDAME_BACKEND_CPU));

    cudame_context* ctx;
    EXPECT_EQ(cudame_create(nullptr, &good, nullptr, 0), CUDAME_ERROR_INVALID);
    EXPECT_EQ(cudame_create(&ctx, nullptr, nullptr, 0), CUDAME_ERROR_INVALID);
    char tiny[4];
    cudame_config bad = good;
    bad.width = -1;
    EXPECT_EQ(cudame_create(&ctx, &bad, tiny, sizeof(tiny)), CUDAME_ERROR_INVALID);
    EXPECT_STREQ(tiny, "wid");
    cudame_destroy(nullptr);
}

// Suites Cpu* have the tests that do not hold, or show nothing, on another backend.
TEST(CpuOnly, CudaIsRefusedWithAReasonWhereThereIsNone) {
    cudame_config config = MakeConfig(64, 48, CUDAME_MODE_FULL);
    config.backend = CUDAME_BACKEND_CUDA;
    config.fallback = 1;
    void* lib = dlopen("libcuda.so.1", RTLD_LAZY);
    for (const int after_ms : {0, 1000}) {
        config.cuda_after_ms = after_ms;
        cudame_context* ctx;
        char err[256];
        const int code = cudame_create(&ctx, &config, err, sizeof(err));
        if (!cudame_has_backend(CUDAME_BACKEND_CUDA)) {
            EXPECT_EQ(code, CUDAME_ERROR_UNAVAILABLE);
            EXPECT_STREQ(err, "this library was built without CUDA");
        } else if (code) {  // no driver, or no device, which is found later
            EXPECT_EQ(code, CUDAME_ERROR_UNAVAILABLE);
            EXPECT_STRNE(err, "");
            EXPECT_EQ(ctx, nullptr);
        } else {
            EXPECT_NE(lib, nullptr) << "without a driver";
        }
        cudame_destroy(ctx);
    }
    if (lib) dlclose(lib);
}

TEST(CpuOnly, DevicesAreListedOrTheReasonIsTold) {
    cudame_device device;
    char err[256];
    EXPECT_EQ(cudame_list_devices(nullptr, 1, err, sizeof(err)), CUDAME_ERROR_INVALID);
    EXPECT_STREQ(err, "no room for devices given");
    EXPECT_EQ(cudame_list_devices(&device, -1, nullptr, 0), CUDAME_ERROR_INVALID);
    const int devices = cudame_list_devices(&device, 1, err, sizeof(err));
    EXPECT_EQ(cudame_list_devices(nullptr, 0, nullptr, 0), devices);
    if (!cudame_has_backend(CUDAME_BACKEND_CUDA)) {
        EXPECT_STREQ(err, "this library was built without CUDA");
    }
    if (devices < 0) {
        EXPECT_EQ(devices, CUDAME_ERROR_UNAVAILABLE);
        EXPECT_STRNE(err, "");
    } else {
        EXPECT_GT(devices, 0);
        EXPECT_STREQ(err, "");
        EXPECT_STRNE(device.name, "");
    }
}

TEST(CpuOnly, RefusesDeviceMemory) {
    cudame_config config = MakeConfig(64, 48, CUDAME_MODE_FULL);
    config.backend = CUDAME_BACKEND_CPU;
    Session s(config);
    const PlaneBuffer buffer(naive::MakeImage(Content::kFlat, 64, 48, 0, 1), 0, false);
    cudame_plane plane = buffer.plane();
    plane.on_device = 1;
    EXPECT_EQ(cudame_submit_reference(s.ctx, 1, &plane, 0, 48), CUDAME_ERROR_INVALID);
    EXPECT_STREQ(cudame_last_error(s.ctx), "reference 1: device memory needs the CUDA backend");
    cudame_frame frame = {};
    frame.source = plane;
    EXPECT_EQ(cudame_begin_frame(s.ctx, &frame), CUDAME_ERROR_INVALID);
    EXPECT_STREQ(cudame_last_error(s.ctx), "source: device memory needs the CUDA backend");
}

TEST(Create, LogsBackendAndErrors) {
    struct Seen {
        std::string info, error;
    } seen;
    cudame_config config = MakeConfig(16, 16, CUDAME_MODE_FAST);
    config.log_opaque = &seen;
    config.log = [](void* opaque, int is_error, const char* text) {
        (is_error ? static_cast<Seen*>(opaque)->error : static_cast<Seen*>(opaque)->info) = text;
    };
    Session s(config);
    EXPECT_NE(seen.info.find(TestBackend() == CUDAME_BACKEND_CUDA ? "CUDA backend" : "CPU backend"),
              std::string::npos)
        << seen.info;
    EXPECT_EQ(cudame_backend_in_use(s.ctx), TestBackend());
    EXPECT_EQ(cudame_device_in_use(s.ctx) >= 0, TestBackend() == CUDAME_BACKEND_CUDA);
    EXPECT_EQ(cudame_end_frame(s.ctx), CUDAME_ERROR_INVALID);
    EXPECT_EQ(seen.error, cudame_last_error(s.ctx));
}

TEST_F(FrameTest, CallOrderIsChecked) {
    Session s(config_);
    const cudame_mb* rows[CUDAME_REFS];
    EXPECT_EQ(cudame_wait_row(s.ctx, 0, rows, nullptr), CUDAME_ERROR_INVALID);
    EXPECT_STREQ(cudame_last_error(s.ctx), "no frame was begun");
    EXPECT_EQ(cudame_end_frame(s.ctx), CUDAME_ERROR_INVALID);

    cudame_frame frame = MakeFrame(p1_, 7);
    EXPECT_EQ(cudame_begin_frame(s.ctx, &frame), CUDAME_ERROR_INVALID);
    EXPECT_STREQ(cudame_last_error(s.ctx), "reference 7 was not submitted, or is retired");
    EXPECT_EQ(cudame_begin_frame(s.ctx, nullptr), CUDAME_ERROR_INVALID);
    EXPECT_EQ(s.Submit(0, p0_), CUDAME_ERROR_INVALID);
    EXPECT_EQ(cudame_submit_reference(s.ctx, 1, nullptr, 0, 1), CUDAME_ERROR_INVALID);

    ASSERT_EQ(s.Submit(7, p0_), 0);
    ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
    EXPECT_EQ(cudame_begin_frame(s.ctx, &frame), CUDAME_ERROR_INVALID);
    EXPECT_EQ(cudame_resize(s.ctx, 16, 16), CUDAME_ERROR_INVALID);
    EXPECT_EQ(cudame_wait_row(s.ctx, -1, rows, nullptr), CUDAME_ERROR_INVALID);
    EXPECT_EQ(cudame_wait_row(s.ctx, s.rows, rows, nullptr), CUDAME_ERROR_INVALID);
    EXPECT_EQ(cudame_wait_row(s.ctx, 0, nullptr, nullptr), CUDAME_ERROR_INVALID);
    EXPECT_EQ(cudame_wait_row(s.ctx, s.rows - 1, rows, nullptr), 0);
    EXPECT_EQ(rows[0], nullptr);
    EXPECT_NE(rows[CUDAME_REF_LAST], nullptr);
    EXPECT_EQ(rows[CUDAME_REF_GOLDEN], nullptr);
    EXPECT_EQ(cudame_end_frame(s.ctx), 0);
    EXPECT_EQ(cudame_wait_row(s.ctx, 0, rows, nullptr), CUDAME_ERROR_INVALID);

    ASSERT_EQ(cudame_retire_reference(s.ctx, 7), 0);
    EXPECT_EQ(cudame_retire_reference(s.ctx, 99), 0);
    EXPECT_EQ(cudame_begin_frame(s.ctx, &frame), CUDAME_ERROR_INVALID);
    frame.sad_per_bit = 4000;
    EXPECT_EQ(cudame_begin_frame(s.ctx, &frame), CUDAME_ERROR_INVALID);
    EXPECT_EQ(cudame_begin_frame(nullptr, &frame), CUDAME_ERROR_INVALID);
    EXPECT_STREQ(cudame_error_name(CUDAME_ERROR_INVALID), "invalid argument or call order");
}

TEST_F(FrameTest, DestroyWithAnOpenFrame) {
    config_.threads = 3;
    Session s(config_);
    ASSERT_EQ(s.Submit(1, p0_), 0);
    const cudame_frame frame = MakeFrame(p1_, 1);
    ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
}

TEST_F(FrameTest, ReferenceRowsArriveInOrder) {
    Session s(config_);
    const cudame_plane& plane = p1_.plane();
    const cudame_frame frame = MakeFrame(p2_, 1);
    EXPECT_EQ(cudame_submit_reference(s.ctx, 1, &plane, 5, 3), CUDAME_ERROR_INVALID);
    EXPECT_EQ(cudame_submit_reference(s.ctx, 1, &plane, 0, 51), CUDAME_ERROR_INVALID);
    ASSERT_EQ(cudame_submit_reference(s.ctx, 1, &plane, 0, 16), 0);
    EXPECT_EQ(cudame_submit_reference(s.ctx, 1, &plane, 17, 3), CUDAME_ERROR_INVALID);
    EXPECT_EQ(cudame_submit_reference(s.ctx, 1, &p3_.plane(), 16, 3), CUDAME_ERROR_INVALID);
    ASSERT_EQ(cudame_submit_reference(s.ctx, 1, &plane, 16, 33), 0);
    EXPECT_EQ(cudame_begin_frame(s.ctx, &frame), CUDAME_ERROR_INVALID);
    EXPECT_STREQ(cudame_last_error(s.ctx), "reference 1 has 49 of 50 rows");
    ASSERT_EQ(cudame_submit_reference(s.ctx, 1, &plane, 49, 1), 0);
    EXPECT_EQ(s.Submit(1, p1_), CUDAME_ERROR_INVALID);  // ids are not reused

    ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
    EXPECT_TRUE(FieldsEqual(s.Field(CUDAME_REF_LAST), Expect(2, 1, nullptr), s.cols));
    ASSERT_EQ(cudame_end_frame(s.ctx), 0);
    cudame_stats stats;
    cudame_get_stats(s.ctx, &stats);
    EXPECT_EQ(stats.ref_bytes, static_cast<uint64_t>(kWidth) * kHeight);
    EXPECT_GT(stats.search_ns, 0u);
    // There is one thread, which searches while it waits.
    if (TestBackend() == CUDAME_BACKEND_CPU) {
        EXPECT_GE(stats.wait_ns, stats.search_ns);
    }
}

TEST_F(FrameTest, AlignedPlaneWithBorderIsNotCopied) {
    Session s(config_);
    ASSERT_EQ(s.Submit(1, p0_), 0);
    cudame_stats stats;
    cudame_get_stats(s.ctx, &stats);
    const uint64_t padded = (80 + 64) * (64 + 64);  // uploaded with its border
    EXPECT_EQ(stats.ref_bytes, TestBackend() == CUDAME_BACKEND_CUDA ? padded : 0);
}

TEST_F(FrameTest, EqualIdsShareOneSearch) {
    Session s(config_);
    ASSERT_EQ(s.Submit(1, p0_), 0);
    ASSERT_EQ(s.Submit(2, p1_), 0);
    const cudame_frame frame = MakeFrame(p2_, 2, 1, 2);
    ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
    const cudame_mb* rows[CUDAME_REFS];
    ASSERT_EQ(cudame_wait_row(s.ctx, 1, rows, nullptr), 0);
    EXPECT_EQ(rows[CUDAME_REF_LAST], rows[CUDAME_REF_ALTREF]);
    EXPECT_NE(rows[CUDAME_REF_LAST], rows[CUDAME_REF_GOLDEN]);
    EXPECT_TRUE(FieldsEqual(s.Field(CUDAME_REF_LAST), Expect(2, 1, nullptr), s.cols));
    EXPECT_TRUE(FieldsEqual(s.Field(CUDAME_REF_GOLDEN), Expect(2, 0, nullptr), s.cols));
}

TEST_F(FrameTest, ResizeForgetsReferencesAndVectors) {
    Session s(config_);
    ASSERT_EQ(s.Submit(1, p0_), 0);
    cudame_frame frame = MakeFrame(p1_, 1);
    ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
    ASSERT_EQ(cudame_end_frame(s.ctx), 0);
    EXPECT_EQ(cudame_resize(s.ctx, 0, 5), CUDAME_ERROR_INVALID);

    const Image small = naive::MakeImage(Content::kMoving, 20, 90, 0, 1);
    const PlaneBuffer plane(small, 0, false);
    ASSERT_EQ(cudame_resize(s.ctx, 20, 90), 0);
    s.cols = 2;
    s.rows = 6;
    frame.source = plane.plane();
    EXPECT_EQ(cudame_begin_frame(s.ctx, &frame), CUDAME_ERROR_INVALID);
    ASSERT_EQ(s.Submit(1, plane), 0);
    ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
    for (const naive::Record& mb : s.Field(CUDAME_REF_LAST)) {
        EXPECT_EQ(mb.dist[0], 0);
        EXPECT_EQ(mb.mv[0].col, 0);
        EXPECT_EQ(mb.mv[0].row, 0);
    }
}

TEST_F(FrameTest, RowsAreImmutableAndRepeatable) {
    Session s(config_);
    ASSERT_EQ(s.Submit(1, p0_), 0);
    const cudame_frame frame = MakeFrame(p1_, 1);
    ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
    const cudame_mb* first[CUDAME_REFS];
    const cudame_split* first_split[CUDAME_REFS];
    ASSERT_EQ(cudame_wait_row(s.ctx, 2, first, first_split), 0);
    const std::vector<cudame_mb> copy(first[1], first[1] + s.cols);
    const std::vector<cudame_split> split_copy(first_split[1], first_split[1] + s.cols);
    cudame_stats before, after;
    s.Field(CUDAME_REF_LAST);
    cudame_get_stats(s.ctx, &before);
    for (int recode = 0; recode < 3; recode++) s.Field(CUDAME_REF_LAST);
    cudame_get_stats(s.ctx, &after);
    EXPECT_EQ(before.search_ns, after.search_ns);  // not searched again
    const cudame_mb* again[CUDAME_REFS];
    const cudame_split* again_split[CUDAME_REFS];
    ASSERT_EQ(cudame_wait_row(s.ctx, 2, again, again_split), 0);
    EXPECT_EQ(again[1], first[1]);
    EXPECT_EQ(again_split[1], first_split[1]);
    EXPECT_EQ(memcmp(copy.data(), again[1], copy.size() * sizeof(cudame_mb)), 0);
    EXPECT_EQ(memcmp(split_copy.data(), again_split[1], split_copy.size() * sizeof(cudame_split)),
              0);
}

// With any number of threads and callers, any order of rows, and rows that nobody asks for, the
// fields are the same, also in the frame that they predict.
TEST_F(FrameTest, ThreadsDoNotChangeTheResult) {
    constexpr int kW = 200, kH = 210;
    const Image images[4] = {naive::MakeImage(Content::kMoving, kW, kH, 0, 1),
                             naive::MakeImage(Content::kMoving, kW, kH, 1, 1),
                             naive::MakeImage(Content::kMoving, kW, kH, 2, 1),
                             naive::MakeImage(Content::kMoving, kW, kH, 3, 1)};
    std::vector<naive::Record> expected[4];
    for (const int threads : {1, 2, 5}) {
        for (const int callers : {0, 1, 4}) {
            Session s(MakeConfig(kW, kH, CUDAME_MODE_FULL, CUDAME_SEARCH_FULL, 8, threads));
            for (int time = 1; time < 4; time++) {
                const PlaneBuffer source(images[time], 0, false);
                const PlaneBuffer reference(images[time - 1], time == 2 ? 32 : 0, true);
                ASSERT_EQ(s.Submit(static_cast<uint64_t>(time), reference), 0);
                const cudame_frame frame = MakeFrame(source, static_cast<uint64_t>(time));
                ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
                std::atomic<int> errors{0};
                std::vector<std::thread> pool;
                for (int t = 0; t < callers; t++)
                    pool.emplace_back([&, t] {
                        const cudame_mb* rows[CUDAME_REFS];
                        for (int i = 0; i < s.rows; i++) {
                            const int row = t % 2 ? s.rows - 1 - i : (i * 5 + t) % s.rows;
                            if (cudame_wait_row(s.ctx, row, rows, nullptr)) errors++;
                        }
                    });
                for (std::thread& t : pool) t.join();
                EXPECT_EQ(errors, 0);
                if (time == 3) {
                    const auto field = s.Field(CUDAME_REF_LAST);
                    if (expected[time].empty()) expected[time] = field;
                    ASSERT_TRUE(FieldsEqual(field, expected[time], s.cols))
                        << "threads " << threads << " callers " << callers;
                }
                ASSERT_EQ(cudame_end_frame(s.ctx), 0);
                ASSERT_EQ(cudame_retire_reference(s.ctx, static_cast<uint64_t>(time)), 0);
            }
        }
    }
}

TEST_F(FrameTest, ContextsAreIndependent) {
    const auto expected = Expect(1, 0, nullptr);
    std::vector<std::thread> pool;
    std::atomic<int> differ{0};
    for (int t = 0; t < 4; t++)
        pool.emplace_back([&] {
            Session s(config_);
            s.Submit(1, p0_);
            const cudame_frame frame = MakeFrame(p1_, 1);
            cudame_begin_frame(s.ctx, &frame);
            if (!FieldsEqual(s.Field(CUDAME_REF_LAST), expected, s.cols)) differ++;
            cudame_end_frame(s.ctx);
        });
    for (std::thread& t : pool) t.join();
    EXPECT_EQ(differ, 0);
}

TEST_F(FrameTest, FrameWithoutReferences) {
    Session s(config_);
    const cudame_frame frame = MakeFrame(p1_, 0);
    ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
    const cudame_mb* rows[CUDAME_REFS];
    const cudame_split* splits[CUDAME_REFS];
    ASSERT_EQ(cudame_wait_row(s.ctx, 0, rows, splits), 0);
    for (const cudame_mb* row : rows) EXPECT_EQ(row, nullptr);
    for (const cudame_split* row : splits) EXPECT_EQ(row, nullptr);
    ASSERT_EQ(cudame_end_frame(s.ctx), 0);
}

}  // namespace
