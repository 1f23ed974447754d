// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The C interface: errors, call order, references, history, threads.

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "session.h"

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

// As a C caller may.
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
              "cuda_after_ms begins on the CPU backend: it wants fallback");
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

// In Cpu* suites: what does not hold, or says nothing, on another backend.
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

class FrameTest : public ::testing::Test {
  protected:
    static constexpr int kWidth = 70, kHeight = 50;

    Image Make(int time) { return naive::MakeImage(Content::kMoving, kWidth, kHeight, time, 9); }
    cudame_frame MakeFrame(const PlaneBuffer& source, uint64_t last, uint64_t golden = 0,
                           uint64_t altref = 0) {
        cudame_frame frame = {};
        frame.source = source.plane();
        frame.ref_id[CUDAME_REF_LAST] = last;
        frame.ref_id[CUDAME_REF_GOLDEN] = golden;
        frame.ref_id[CUDAME_REF_ALTREF] = altref;
        frame.mv_cost[0] = frame.mv_cost[1] = costs_.data() + 1023;
        frame.sad_per_bit = 10;
        return frame;
    }
    std::vector<naive::Record> Expect(int source, int reference,
                                      const std::vector<naive::Record>* previous,
                                      cudame_mode mode = CUDAME_MODE_SPLITMV) {
        const int* costs = costs_.data() + 1023;
        return naive::Analyse(
            {mode, CUDAME_SEARCH_DIAMOND, 0, CUDAME_FILTER_SIXTAP, {costs, costs}, 10},
            Make(source), Make(reference), previous);
    }

    std::vector<int> costs_ = naive::MakeCosts(3);
    PlaneBuffer p0_{Make(0), 32, true}, p1_{Make(1), 0, false}, p2_{Make(2), 0, true},
        p3_{Make(3), 0, false}, p4_{Make(4), 0, false};
    cudame_config config_ = MakeConfig(kWidth, kHeight, CUDAME_MODE_SPLITMV);
};

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
    // One thread, which searches while it waits.
    if (TestBackend() == CUDAME_BACKEND_CPU) {
        EXPECT_GE(stats.wait_ns, stats.search_ns);
    }
}

TEST_F(FrameTest, AlignedPlaneWithBorderIsNotCopied) {
    Session s(config_);
    ASSERT_EQ(s.Submit(1, p0_), 0);
    cudame_stats stats;
    cudame_get_stats(s.ctx, &stats);
    const uint64_t padded = (80 + 64) * (64 + 64);  // goes to the device as it is
    EXPECT_EQ(stats.ref_bytes, TestBackend() == CUDAME_BACKEND_CUDA ? padded : 0);
}

// Further than the CPU backend's offsets of vectors reach: it copies such a plane.
TEST_F(FrameTest, RowsFarApartAreTheSameRows) {
    const cudame_plane& narrow = p0_.plane();
    cudame_plane wide = narrow;
    wide.stride = 200000;
    const int rows = wide.height + 2 * wide.border, bytes = wide.width + 2 * wide.border;
    std::vector<uint8_t> store(static_cast<size_t>(wide.stride) * rows);
    for (int y = 0; y < rows; y++)
        memcpy(store.data() + y * wide.stride,
               narrow.data + (y - wide.border) * narrow.stride - wide.border,
               static_cast<size_t>(bytes));
    const auto field_of = [&](const cudame_plane& reference) {
        Session s(MakeConfig(kWidth, kHeight, CUDAME_MODE_FULL, CUDAME_SEARCH_LEAN));
        EXPECT_EQ(cudame_submit_reference(s.ctx, 1, &reference, 0, reference.height), 0);
        const cudame_frame frame = MakeFrame(p1_, 1);
        EXPECT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
        const auto field = s.Field(CUDAME_REF_LAST);
        EXPECT_EQ(cudame_end_frame(s.ctx), 0);
        cudame_stats stats;
        cudame_get_stats(s.ctx, &stats);
        EXPECT_EQ(stats.ref_bytes > 0,
                  TestBackend() == CUDAME_BACKEND_CUDA || reference.stride != narrow.stride);
        return field;
    };
    const auto expected = field_of(narrow);
    const int cols = (kWidth + 15) / 16;
    wide.data = store.data() + wide.border * wide.stride + wide.border;
    EXPECT_TRUE(FieldsEqual(field_of(wide), expected, cols));
    // the same picture, stored from its last row on
    for (int y = 0; y < rows / 2; y++)
        std::swap_ranges(store.data() + y * wide.stride, store.data() + y * wide.stride + bytes,
                         store.data() + (rows - 1 - y) * wide.stride);
    wide.data = store.data() + (rows - 1 - wide.border) * wide.stride + wide.border;
    wide.stride = -wide.stride;
    EXPECT_TRUE(FieldsEqual(field_of(wide), expected, cols));
}

TEST_F(FrameTest, PixelsBeyondTheMacroblocksAreNotUsed) {
    // Of a plane that is larger than the frame's 80x64 pixels of whole macroblocks.
    const Image large = naive::MakeImage(Content::kRandom, 120, 90, 0, 4);
    Image whole(80, 64);
    for (int y = 0; y < whole.height; y++)
        for (int x = 0; x < whole.width; x++) whole.at(x, y) = large.at(x, y);
    for (const int border : {0, 40}) {
        Session s(config_);
        const PlaneBuffer cut(whole, 0, false), plane(large, border, false);
        ASSERT_EQ(s.Submit(1, cut), 0);
        ASSERT_EQ(s.Submit(2, plane), 0);
        // Its pixels are those beyond the edge: vectors that lead there are good.
        const PlaneBuffer source(large, 0, false);
        cudame_plane shifted = source.plane();
        shifted.data += 14 * shifted.stride + 14;
        shifted.width -= 14;
        shifted.height -= 14;
        cudame_frame frame = MakeFrame(p1_, 1, 2);
        frame.source = shifted;
        ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
        EXPECT_TRUE(FieldsEqual(s.Field(CUDAME_REF_GOLDEN), s.Field(CUDAME_REF_LAST), s.cols))
            << "border " << border;
        ASSERT_EQ(cudame_end_frame(s.ctx), 0);
    }
}

TEST_F(FrameTest, ShiftedContentIsFoundAndNotShiftedFurther) {
    // Even and odd displacements: the predecessor compared other rows for odd ones.
    const Image base = naive::MakeImage(Content::kRandom, 128, 128, 0, 2);
    for (const int dx : {-5, -4, 0, 3, 6})
        for (const int dy : {-7, -2, 0, 1, 4}) {
            Image moved(128, 128);
            for (int y = 0; y < 128; y++)
                for (int x = 0; x < 128; x++)
                    moved.at(x, y) = static_cast<uint8_t>(base.clamped(x + dx, y + dy));
            const PlaneBuffer source(moved, 0, false), reference(base, 0, false);
            for (const cudame_mode mode :
                 {CUDAME_MODE_FAST, CUDAME_MODE_SPLITMV, CUDAME_MODE_TEX, CUDAME_MODE_FULL}) {
                Session s(MakeConfig(128, 128, mode, CUDAME_SEARCH_FULL, 8));
                ASSERT_EQ(s.Submit(1, reference), 0);
                const cudame_frame frame = MakeFrame(source, 1);
                ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
                const auto field = s.Field(CUDAME_REF_LAST);
                // Away from the edges all blocks match exactly.
                for (int r = 1; r < 7; r++)
                    for (int c = 1; c < 7; c++)
                        for (int b = 0; b < (mode == CUDAME_MODE_FAST ? 1 : CUDAME_BLOCKS); b++) {
                            const naive::Record& mb = field[static_cast<size_t>(r * 8 + c)];
                            ASSERT_EQ(mb.mv[b].col, 4 * dx) << "mode " << mode << " block " << b;
                            ASSERT_EQ(mb.mv[b].row, 4 * dy) << "mode " << mode << " block " << b;
                            ASSERT_EQ(mb.dist[b], 0);
                        }
            }
        }
}

// As far as the coarse level looks: in all directions, or with `fast` along a cross.
TEST_F(FrameTest, ScrollsAreFound) {
    constexpr int kSize = 352, kCols = kSize / 16;
    const Image cells = naive::MakeImage(Content::kRandom, kSize / 4, kSize / 4, 0, 2);
    for (const auto& [dx, dy] :
         {std::pair(0, -128), std::pair(0, 124), std::pair(-128, 0), std::pair(124, 0),
          std::pair(-64, 124), std::pair(124, -32), std::pair(-96, 120)}) {
        Image base(kSize, kSize), moved(kSize, kSize);
        const auto pixel = [&](int x, int y) {
            return static_cast<uint8_t>(cells.clamped(x >> 2, y >> 2));
        };
        for (int y = 0; y < kSize; y++)
            for (int x = 0; x < kSize; x++) {
                base.at(x, y) = pixel(x, y);
                moved.at(x, y) = pixel(x + dx, y + dy);
            }
        const PlaneBuffer source(moved, 0, false), reference(base, 0, false);
        struct Case {
            cudame_mode mode;
            cudame_search search;
        };
        for (const Case c : {Case{CUDAME_MODE_FULL, CUDAME_SEARCH_DIAMOND},
                             Case{CUDAME_MODE_FULL, CUDAME_SEARCH_ITERATIVE},
                             Case{CUDAME_MODE_FULL, CUDAME_SEARCH_FULL},
                             Case{CUDAME_MODE_FAST, CUDAME_SEARCH_DIAMOND},
                             Case{CUDAME_MODE_FAST, CUDAME_SEARCH_ITERATIVE}}) {
            if (c.mode == CUDAME_MODE_FAST && dx == -96) continue;
            Session s(MakeConfig(kSize, kSize, c.mode, c.search, 16));
            ASSERT_EQ(s.Submit(1, reference), 0);
            const cudame_frame frame = MakeFrame(source, 1);
            ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
            const auto field = s.Field(CUDAME_REF_LAST);
            const auto inside = [](int mb, int d) {
                return 16 * mb + d >= 16 && 16 * mb + d <= kSize - 32;
            };
            for (int r = 0; r < kCols; r++)
                for (int col = 0; col < kCols; col++) {
                    if (!inside(r, dy) || !inside(col, dx)) continue;
                    const naive::Record& mb = field[static_cast<size_t>(r * kCols + col)];
                    ASSERT_EQ(mb.mv[0].col, 4 * dx)
                        << "search " << c.search << " at " << r << "," << col;
                    ASSERT_EQ(mb.mv[0].row, 4 * dy)
                        << "search " << c.search << " at " << r << "," << col;
                }
        }
    }
}

TEST_F(FrameTest, VectorsAreLegalAndDistortionsTrue) {
    // A reference whose border is unlike the frame pulls vectors outwards.
    for (const auto& [width, height] : {std::pair(70, 50), std::pair(16, 176), std::pair(33, 1)}) {
        const Image source = naive::MakeImage(Content::kFlat, width, height, 0, 1);
        Image reference = naive::MakeImage(Content::kRandom, width, height, 0, 1);
        for (int x = 0; x < width; x++) reference.at(x, 0) = reference.at(x, height - 1) = 77;
        for (int y = 0; y < height; y++) reference.at(0, y) = reference.at(width - 1, y) = 77;
        const PlaneBuffer s_plane(source, 0, false), r_plane(reference, 0, false);
        Session s(MakeConfig(width, height, CUDAME_MODE_FULL, CUDAME_SEARCH_FULL, 64));
        ASSERT_EQ(s.Submit(1, r_plane), 0);
        cudame_frame frame = MakeFrame(s_plane, 1);
        frame.mv_cost[0] = frame.mv_cost[1] = nullptr;
        ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
        const auto field = s.Field(CUDAME_REF_LAST);
        for (int r = 0; r < s.rows; r++)
            for (int c = 0; c < s.cols; c++)
                for (const cudame_mv mv : field[static_cast<size_t>(r * s.cols + c)].mv) {
                    EXPECT_GE(mv.col, -4 * (16 * c + 16));
                    EXPECT_LE(mv.col, 4 * (16 * (s.cols - 1 - c) + 16));
                    EXPECT_GE(mv.row, -4 * (16 * r + 16));
                    EXPECT_LE(mv.row, 4 * (16 * (s.rows - 1 - r) + 16));
                }
    }
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

// Which field predicts, in a sequence where slots share, part and pause.
TEST_F(FrameTest, EachSlotPredictsItself) {
    Session s(config_);
    ASSERT_EQ(s.Submit(1, p0_), 0);
    ASSERT_EQ(s.Submit(2, p1_), 0);
    ASSERT_EQ(s.Submit(3, p2_), 0);
    auto run = [&](const cudame_frame& frame) {
        EXPECT_EQ(cudame_begin_frame(s.ctx, &frame), 0) << cudame_last_error(s.ctx);
        std::vector<std::vector<naive::Record>> fields(CUDAME_REFS);
        for (int slot = 1; slot < CUDAME_REFS; slot++) fields[slot] = s.Field(slot);
        EXPECT_EQ(cudame_end_frame(s.ctx), 0);
        return fields;
    };
    const auto f1 = run(MakeFrame(p1_, 1, 1));  // last and golden are the same
    EXPECT_TRUE(FieldsEqual(f1[1], Expect(1, 0, nullptr), s.cols));
    EXPECT_TRUE(f1[3].empty());
    const auto f2 = run(MakeFrame(p2_, 2, 1, 2));  // they part; altref joins last
    EXPECT_TRUE(FieldsEqual(f2[1], Expect(2, 1, &f1[1]), s.cols));
    EXPECT_TRUE(FieldsEqual(f2[2], Expect(2, 0, &f1[1]), s.cols));
    EXPECT_TRUE(FieldsEqual(f2[3], f2[1], s.cols));
    const auto f3 = run(MakeFrame(p3_, 3, 0, 1));  // golden pauses
    EXPECT_TRUE(FieldsEqual(f3[1], Expect(3, 2, &f2[1]), s.cols));
    EXPECT_TRUE(FieldsEqual(f3[3], Expect(3, 0, &f2[1]), s.cols));
    const auto f4 = run(MakeFrame(p4_, 3, 1));  // and has no history then
    EXPECT_TRUE(FieldsEqual(f4[1], Expect(4, 2, &f3[1]), s.cols));
    EXPECT_TRUE(FieldsEqual(f4[2], Expect(4, 0, nullptr), s.cols));

    ASSERT_EQ(cudame_reset(s.ctx), 0);
    const auto f5 = run(MakeFrame(p4_, 3));
    EXPECT_TRUE(FieldsEqual(f5[1], Expect(4, 2, nullptr), s.cols));

    const cudame_frame bad = MakeFrame(p4_, 42);  // a failure forgets as well
    EXPECT_NE(cudame_begin_frame(s.ctx, &bad), 0);
    const auto f6 = run(MakeFrame(p4_, 3));
    EXPECT_TRUE(FieldsEqual(f6[1], f5[1], s.cols));

    // A reset while a frame is open counts for the next one.
    const cudame_frame frame = MakeFrame(p4_, 3);
    ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
    ASSERT_EQ(cudame_reset(s.ctx), 0);
    EXPECT_TRUE(FieldsEqual(s.Field(1), Expect(4, 2, &f6[1]), s.cols));
    ASSERT_EQ(cudame_end_frame(s.ctx), 0);
    EXPECT_TRUE(FieldsEqual(run(frame)[1], f5[1], s.cols));
}

TEST_F(FrameTest, FullModePredictsFromQuarterPelVectors) {
    config_.mode = CUDAME_MODE_FULL;
    config_.search = CUDAME_SEARCH_DIAMOND;
    Session s(config_);
    ASSERT_EQ(s.Submit(1, p0_), 0);
    std::vector<naive::Record> previous;
    const PlaneBuffer* const sources[] = {&p1_, &p2_, &p3_};
    for (int i = 0; i < 3; i++) {
        const cudame_frame frame = MakeFrame(*sources[i], 1);
        ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
        const auto expected = Expect(i + 1, 0, i ? &previous : nullptr, CUDAME_MODE_FULL);
        ASSERT_TRUE(FieldsEqual(s.Field(CUDAME_REF_LAST), expected, s.cols)) << "frame " << i;
        ASSERT_EQ(cudame_end_frame(s.ctx), 0);
        previous = expected;
    }
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

// Any number of threads, callers and row orders, with rows that nobody asks
// for: the same fields, also in the frame predicted from them.
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

// Large frames are uploaded and searched in pieces.
TEST(Large, WideFramesOfEveryHeight) {
    for (const cudame_mode mode : {CUDAME_MODE_FAST, CUDAME_MODE_SPLITMV, CUDAME_MODE_FULL})
        for (int rows = 5; rows <= 16; rows++) {
            const int width = 16 * 300, height = 16 * rows;
            Session s(MakeConfig(width, height, mode));
            const Image a = naive::MakeImage(Content::kFlat, width, height, 0, 1);
            const PlaneBuffer plane(a, 0, false);
            cudame_frame frame = {};
            frame.source = plane.plane();
            ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0) << rows;
            ASSERT_EQ(cudame_end_frame(s.ctx), 0) << rows;
        }
}

TEST(Large, LargestFrameWorks) {
    Session s(MakeConfig(CUDAME_MAX_DIMENSION, 17, CUDAME_MODE_FAST));
    const Image a = naive::MakeImage(Content::kMoving, CUDAME_MAX_DIMENSION, 17, 0, 1);
    const PlaneBuffer plane(a, 0, false);
    ASSERT_EQ(s.Submit(1, plane), 0);
    cudame_frame frame = {};
    frame.source = plane.plane();
    frame.ref_id[CUDAME_REF_GOLDEN] = 1;
    ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
    const auto field = s.Field(CUDAME_REF_GOLDEN);
    EXPECT_EQ(field.size(), 1024u * 2);
    for (const naive::Record& mb : field) EXPECT_EQ(mb.dist_zero, 0);
}

}  // namespace
