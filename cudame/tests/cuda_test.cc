// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The CUDA backend against the CPU's, through the C interface, on frames that are too large for the
// naive implementation. Needs a device.

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <tuple>

#include "session.h"

using naive::Content;
using naive::Image;

namespace {

struct Case {
    cudame_mode mode;
    cudame_search search;
    int range;
    int level = 0;
};

std::string Name(const Case& c) {
    if (c.search == CUDAME_SEARCH_LEAN) return "FullLean" + std::to_string(c.level);
    static const char* const names[5][4] = {{},
                                            {"", "FastDiamond", "FastIterative", "FastFull"},
                                            {"", "SplitDiamond", "SplitIterative", "SplitFull"},
                                            {"", "TexDiamond", "TexIterative", "TexFull"},
                                            {"", "FullDiamond", "FullIterative", "FullFull"}};
    return names[c.mode][c.search];
}

class CudaTest : public ::testing::TestWithParam<Case> {
  protected:
    // Search four frames with up to three references: the frame before, one from long ago, and
    // sometimes one id in two slots.
    void Compare(Content content, int width, int height, int range, cudame_filter filter,
                 int band_rows = 0) {
        SCOPED_TRACE(::testing::Message()
                     << width << "x" << height << " range " << range << " filter " << filter
                     << " bands " << band_rows << " " << naive::Name(content));
        const std::vector<int> costs = naive::MakeCosts(4);
        cudame_config config = MakeConfig(width, height, GetParam().mode, GetParam().search, range);
        config.level = GetParam().level;
        config.backend = CUDAME_BACKEND_CPU;
        config.threads = 8;
        Session cpu(config);
        config.backend = CUDAME_BACKEND_CUDA;
        config.band_rows = band_rows;
        Session cuda(config);
        ASSERT_TRUE(cuda.ctx);

        std::vector<std::unique_ptr<PlaneBuffer>> planes;
        for (int time = 0; time < 5; time++)
            planes.push_back(std::make_unique<PlaneBuffer>(
                naive::MakeImage(content, width, height, time, 11), time % 2 ? 32 : 0, true));
        for (int time = 1; time < 5; time++) {
            cudame_frame frame = {};
            frame.source = planes[time]->plane();
            frame.ref_id[CUDAME_REF_LAST] = time;
            frame.ref_id[CUDAME_REF_GOLDEN] = time == 2 ? 2 : 1;
            frame.ref_id[CUDAME_REF_ALTREF] = time == 4 ? 2 : 0;
            frame.filter = filter;
            frame.mv_cost[0] = frame.mv_cost[1] = costs.data() + 1023;
            frame.sad_per_bit = 3 * time;
            for (Session* s : {&cpu, &cuda}) {
                ASSERT_EQ(s->Submit(time, *planes[time - 1]), 0) << cudame_last_error(s->ctx);
                ASSERT_EQ(cudame_begin_frame(s->ctx, &frame), 0) << cudame_last_error(s->ctx);
            }
            for (int slot = CUDAME_REF_LAST; slot < CUDAME_REFS; slot++)
                ASSERT_TRUE(FieldsEqual(cuda.Field(slot), cpu.Field(slot), cpu.cols))
                    << "frame " << time << " slot " << slot;
            for (Session* s : {&cpu, &cuda}) ASSERT_EQ(cudame_end_frame(s->ctx), 0);
        }
    }
};

TEST_P(CudaTest, EqualsCpu) {
    const int range = GetParam().range;
    for (const Content content : naive::kContents) {
        Compare(content, 17, 33, range, CUDAME_FILTER_SIXTAP);
        Compare(content, 352, 288, range, CUDAME_FILTER_SIXTAP);
        Compare(content, 333, 211, range, CUDAME_FILTER_BILINEAR, 3);
    }
}

TEST_P(CudaTest, EqualsCpuOnLargeFrames) {
    Compare(Content::kMoving, 1366, 768, GetParam().range, CUDAME_FILTER_SIXTAP);
    Compare(Content::kMoving, 1918, 1078, GetParam().range, CUDAME_FILTER_SIXTAP, 2);
}

TEST_P(CudaTest, EqualsCpuAtAllRanges) {
    if (GetParam().search != CUDAME_SEARCH_FULL) {
        Compare(Content::kMoving, 16383, 16, 0, CUDAME_FILTER_SIXTAP);
        return;
    }
    for (int range : {1, 2, 3, 15, 63, 90, 127, 128})
        Compare(Content::kMoving, 300, 200, range, CUDAME_FILTER_SIXTAP);
}

// Intra estimates with and without a search, in several frames, with both orders of waits.
TEST(CudaIntra, EqualsCpu) {
    constexpr int kSizes[][2] = {{1, 1},     {17, 33},    {333, 211}, {352, 288},
                                 {16383, 9}, {1366, 768}, {3, 16383}, {1918, 1078}};
    const std::vector<int> costs = naive::MakeBmodeCosts(6);
    for (const auto& [width, height] : kSizes)
        for (const Content content : naive::kContents) {
            SCOPED_TRACE(::testing::Message()
                         << width << "x" << height << " " << naive::Name(content));
            cudame_config config = MakeConfig(width, height, CUDAME_MODE_FAST);
            config.backend = CUDAME_BACKEND_CPU;
            config.threads = 8;
            Session cpu(config);
            config.backend = CUDAME_BACKEND_CUDA;
            Session cuda(config);
            ASSERT_TRUE(cuda.ctx);
            const PlaneBuffer reference(naive::MakeImage(content, width, height, 3, 8), 32, true);
            ASSERT_EQ(cuda.Submit(1, reference), 0);
            for (int time = 0; time < 4; time++) {
                const PlaneBuffer source(naive::MakeImage(content, width, height, time, 8), 0,
                                         time % 2, time == 2);
                cudame_frame frame = {};
                frame.source = source.plane();
                frame.bmode_cost = costs.data();
                frame.sad_per_bit = 10 * time;
                ASSERT_EQ(cudame_begin_frame(cpu.ctx, &frame), 0);
                frame.ref_id[CUDAME_REF_LAST] = time > 1;
                ASSERT_EQ(cudame_begin_frame(cuda.ctx, &frame), 0);
                if (time == 3) cuda.Field(CUDAME_REF_LAST);
                ASSERT_TRUE(IntraEqual(cuda.Intra(), cpu.Intra(), cpu.cols)) << "frame " << time;
                for (Session* s : {&cpu, &cuda}) ASSERT_EQ(cudame_end_frame(s->ctx), 0);
            }
        }
}

INSTANTIATE_TEST_SUITE_P(Cuda, CudaTest,
                         ::testing::Values(Case{CUDAME_MODE_FAST, CUDAME_SEARCH_DIAMOND, 0},
                                           Case{CUDAME_MODE_FAST, CUDAME_SEARCH_ITERATIVE, 0},
                                           Case{CUDAME_MODE_FAST, CUDAME_SEARCH_FULL, 16},
                                           Case{CUDAME_MODE_SPLITMV, CUDAME_SEARCH_DIAMOND, 0},
                                           Case{CUDAME_MODE_SPLITMV, CUDAME_SEARCH_ITERATIVE, 0},
                                           Case{CUDAME_MODE_SPLITMV, CUDAME_SEARCH_FULL, 32},
                                           Case{CUDAME_MODE_TEX, CUDAME_SEARCH_DIAMOND, 0},
                                           Case{CUDAME_MODE_TEX, CUDAME_SEARCH_ITERATIVE, 0},
                                           Case{CUDAME_MODE_TEX, CUDAME_SEARCH_FULL, 32},
                                           Case{CUDAME_MODE_FULL, CUDAME_SEARCH_DIAMOND, 0},
                                           Case{CUDAME_MODE_FULL, CUDAME_SEARCH_ITERATIVE, 0},
                                           Case{CUDAME_MODE_FULL, CUDAME_SEARCH_FULL, 32},
                                           Case{CUDAME_MODE_FULL, CUDAME_SEARCH_LEAN, 0, 0},
                                           Case{CUDAME_MODE_FULL, CUDAME_SEARCH_LEAN, 0, 1},
                                           Case{CUDAME_MODE_FULL, CUDAME_SEARCH_LEAN, 0, 2},
                                           Case{CUDAME_MODE_FULL, CUDAME_SEARCH_LEAN, 0, 3},
                                           Case{CUDAME_MODE_FULL, CUDAME_SEARCH_LEAN, 0, 4}),
                         [](const auto& info) { return Name(info.param); });

// Persistent buffers that change, as an encoder's do, are read in place.
TEST(CudaMemoryTest, PersistentPlanesAreReadAnew) {
    constexpr int kWidth = 640, kHeight = 352;
    cudame_config config = MakeConfig(kWidth, kHeight, CUDAME_MODE_SPLITMV);
    config.backend = CUDAME_BACKEND_CPU;
    Session cpu(config);
    config.backend = CUDAME_BACKEND_CUDA;
    Session cuda(config);
    for (int round = 0; round < 2; round++) {
        constexpr int kBuffers = 3;
        std::vector<std::unique_ptr<PlaneBuffer>> buffers;
        for (int i = 0; i < kBuffers; i++)
            buffers.push_back(std::make_unique<PlaneBuffer>(Image(kWidth, kHeight), 32, true));
        for (int time = 0; time < 20; time++) {
            PlaneBuffer& now = *buffers[time % kBuffers];
            const PlaneBuffer fresh(
                naive::MakeImage(Content::kMoving, kWidth, kHeight, time, round), 32, true);
            const size_t size = (kWidth + 64) * (kHeight + 64);
            std::copy_n(fresh.plane().data - 32 * (fresh.plane().stride + 1), size, now.data());
            const uint64_t id = static_cast<uint64_t>(100 * round + time + 1);
            for (Session* s : {&cpu, &cuda}) {
                cudame_plane plane = now.plane();
                plane.persistent = 1;
                if (time) {
                    cudame_frame frame = {};
                    frame.source = plane;
                    frame.ref_id[CUDAME_REF_LAST] = id - 1;
                    ASSERT_EQ(cudame_begin_frame(s->ctx, &frame), 0) << cudame_last_error(s->ctx);
                }
            }
            if (time) {
                ASSERT_TRUE(
                    FieldsEqual(cuda.Field(CUDAME_REF_LAST), cpu.Field(CUDAME_REF_LAST), cpu.cols))
                    << "frame " << time;
            }
            for (Session* s : {&cpu, &cuda}) {
                cudame_plane plane = now.plane();
                plane.persistent = 1;
                if (time) {
                    ASSERT_EQ(cudame_end_frame(s->ctx), 0);
                    ASSERT_EQ(cudame_retire_reference(s->ctx, id - 1), 0);
                }
                ASSERT_EQ(cudame_submit_reference(s->ctx, id, &plane, 0, kHeight), 0);
            }
        }
        for (Session* s : {&cpu, &cuda}) {
            ASSERT_EQ(cudame_retire_reference(s->ctx, static_cast<uint64_t>(100 * round + 20)), 0);
            ASSERT_EQ(cudame_forget_memory(s->ctx), 0);
        }
    }
}

// A frame that failed leaves neither its counters nor its costs on the device. Needs a driver that
// fails.
TEST(CudaFailureTest, FrameThatCouldNotBeginLeavesNothing) {
    void* lib = dlopen("libcuda.so.1", RTLD_LAZY);
    const auto fail =
        reinterpret_cast<void (*)(int, int, int)>(lib ? dlsym(lib, "fake_cuda_fail") : nullptr);
    if (!fail) GTEST_SKIP() << "only the emulated driver fails when it is told to";
    constexpr int kWidth = 40, kHeight = 34, kLaunchFailed = 719;
    const PlaneBuffer reference(naive::MakeImage(Content::kRandom, kWidth, kHeight, 0, 3), 32,
                                true),
        source(naive::MakeImage(Content::kRandom, kWidth, kHeight, 1, 5), 0, false);
    const std::vector<int> costs = naive::MakeCosts(4), bmode_costs = naive::MakeBmodeCosts(4);
    const std::vector<int> no_costs(costs.size());
    cudame_config config = MakeConfig(kWidth, kHeight, CUDAME_MODE_FULL, CUDAME_SEARCH_LEAN);
    config.backend = CUDAME_BACKEND_CPU;
    Session cpu(config);
    config.backend = CUDAME_BACKEND_CUDA;
    config.band_rows = 2;
    Session cuda(config);
    ASSERT_TRUE(cuda.ctx);
    cudame_frame frame = {};
    frame.source = source.plane();
    frame.ref_id[CUDAME_REF_LAST] = 1;
    frame.mv_cost[0] = frame.mv_cost[1] = costs.data() + 1023;
    frame.sad_per_bit = 200;
    frame.bmode_cost = bmode_costs.data();
    cudame_frame other = {};
    other.source = source.plane();
    other.mv_cost[0] = other.mv_cost[1] = no_costs.data() + 1023;
    other.sad_per_bit = 200;
    for (Session* s : {&cpu, &cuda}) ASSERT_EQ(s->Submit(1, reference), 0);
    ASSERT_EQ(cudame_begin_frame(cpu.ctx, &frame), 0);
    const auto field = cpu.Field(CUDAME_REF_LAST);
    const auto intra = cpu.Intra();
    int call = 0;
    for (bool failed = true; failed; call++) {
        SCOPED_TRACE(call);
        ASSERT_EQ(cudame_begin_frame(cuda.ctx, &other), 0);
        ASSERT_EQ(cudame_end_frame(cuda.ctx), 0);
        fail(call, kLaunchFailed, 0);
        failed = cudame_begin_frame(cuda.ctx, &frame) != 0;
        fail(-1, 0, 0);
        if (failed) {
            ASSERT_EQ(cudame_begin_frame(cuda.ctx, &frame), 0) << cudame_last_error(cuda.ctx);
        }
        ASSERT_TRUE(FieldsEqual(cuda.Field(CUDAME_REF_LAST), field, cuda.cols));
        ASSERT_TRUE(IntraEqual(cuda.Intra(), intra, cuda.cols));
        ASSERT_EQ(cudame_end_frame(cuda.ctx), 0);
        ASSERT_EQ(cudame_reset(cuda.ctx), 0);
    }
    EXPECT_GT(call, 20);
}

}  // namespace
