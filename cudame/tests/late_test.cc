// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// A device that is late: rows come from it or from the CPU, and each must equal that of a context
// without a device. The emulated driver holds its work back when it is told to. The fake driver
// finds nothing, so that a row that is not made in time never comes.

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <thread>

#include "fake_driver.h"
#include "session.h"

using naive::Content;

namespace {

enum { kLaunchFailed = 719 };

// The rows of a frame that the context returned, and copies of them.
struct Rows {
    std::vector<naive::Record> fields[CUDAME_REFS];
    std::vector<cudame_intra> intra;
};

class CudaLateTest : public FakeDriverTest {
  protected:
    static constexpr int kImages = 8;

    void SetUp() override {
        ASSERT_NO_FATAL_FAILURE(FakeDriverTest::SetUp());
        Find("fake_cuda_hold", &hold_);
        Find("fake_cuda_run", &run_);
        if (!hold_) GTEST_SKIP() << "this driver is not late when it is told to";
    }
    void TearDown() override {
        cpu_.reset();
        gpu_.reset();
        if (hold_) hold_(-1);
        FakeDriverTest::TearDown();
    }

    // Skip unless the driver runs kernels.
#define NEEDS_KERNELS() \
    if (!finds_) GTEST_SKIP() << "this driver finds nothing"

    void Create(int level = 3, int threads = 1, int band_rows = 0, int width = 96,
                int height = 144) {
        cudame_config config =
            MakeConfig(width, height, CUDAME_MODE_FULL, CUDAME_SEARCH_LEAN, 0, threads);
        config.level = level;
        config.band_rows = band_rows;
        config.backend = CUDAME_BACKEND_CPU;
        cpu_ = std::make_unique<Session>(config);
        config.backend = CUDAME_BACKEND_CUDA;
        config.fallback = 1;
        config.log_opaque = this;
        config.log = [](void* opaque, int is_error, const char*) {
            static_cast<CudaLateTest*>(opaque)->errors_ += is_error;
        };
        gpu_ = std::make_unique<Session>(config);
        MakeImages(width, height);
    }
    void MakeImages(int width, int height) {
        for (int i = 0; i < kImages; i++)
            images_[i] = std::make_unique<PlaneBuffer>(
                naive::MakeImage(Content::kMoving, width, height, i, 3), i % 3 ? 32 : 0, true);
    }

    uint64_t LateRows() const {
        cudame_stats stats;
        cudame_get_stats(gpu_->ctx, &stats);
        return stats.late_rows;
    }
    bool OnCuda() const { return cudame_backend_in_use(gpu_->ctx) == CUDAME_BACKEND_CUDA; }

    // Copy a row; complete its pending records.
    static void Fetch(Session* s, int row, bool intra_first, Rows* out) {
        const cudame_mb* mbs[CUDAME_REFS] = {};
        const cudame_split* splits[CUDAME_REFS] = {};
        const cudame_intra* intra = nullptr;
        for (int turn = 0; turn < 2; turn++) {
            if ((turn == 0) == intra_first) {
                ASSERT_EQ(cudame_intra_row(s->ctx, row, &intra), 0) << cudame_last_error(s->ctx);
            } else {
                ASSERT_EQ(cudame_wait_row(s->ctx, row, mbs, splits), 0)
                    << cudame_last_error(s->ctx);
            }
        }
        for (int c = 0; c < s->cols; c++) {
            if (intra[c].pending) {
                ASSERT_EQ(cudame_complete_intra(s->ctx, row, c, c % 2 ? 3 : CUDAME_INTRA_16X16), 0);
                ASSERT_EQ(cudame_complete_intra(s->ctx, row, c, 3), 0);
            }
            ASSERT_EQ(intra[c].pending, 0u);
        }
        std::copy_n(intra, s->cols, out->intra.begin() + row * s->cols);
        for (int slot = CUDAME_REF_LAST; slot < CUDAME_REFS; slot++) {
            if (!mbs[slot]) continue;
            for (int c = 0; c < s->cols; c++) {
                if (mbs[slot][c].flags & CUDAME_MB_PENDING) {
                    ASSERT_EQ(cudame_complete_split(s->ctx, row, c, slot), 0);
                }
                ASSERT_FALSE(mbs[slot][c].flags & CUDAME_MB_PENDING);
            }
            naive::Join(mbs[slot], splits[slot], s->cols, out->fields[slot].data() + row * s->cols);
        }
    }
    Rows Empty() const {
        Rows rows;
        const size_t mbs = static_cast<size_t>(cpu_->cols * cpu_->rows);
        for (auto& field : rows.fields) field.resize(mbs);
        rows.intra.resize(mbs);
        return rows;
    }

    // Search the next frame in both contexts. before(row) is called before each row of the device's
    // context, in the given order.
    void Frame(const std::function<void(int)>& before = nullptr, std::vector<int> order = {},
               int threads = 1) {
        const uint64_t last = ++time_;
        if (!golden_) golden_ = last;
        cudame_frame frame = {};
        frame.source = images_[time_ % kImages]->plane();
        frame.ref_id[CUDAME_REF_LAST] = last;
        frame.ref_id[CUDAME_REF_GOLDEN] = golden_;
        frame.ref_id[CUDAME_REF_ALTREF] = last % 3 ? golden_ : last;
        frame.mv_cost[0] = frame.mv_cost[1] = costs_.data() + 1023;
        frame.sad_per_bit = 7;
        frame.bmode_cost = bmode_costs_.data();
        for (Session* s : {cpu_.get(), gpu_.get()}) {
            ASSERT_EQ(s->Submit(last, *images_[(time_ - 1) % kImages]), 0)
                << cudame_last_error(s->ctx);
            ASSERT_EQ(cudame_begin_frame(s->ctx, &frame), 0) << cudame_last_error(s->ctx);
        }
        Rows expected = Empty(), found = Empty();
        for (int r = 0; r < cpu_->rows; r++) Fetch(cpu_.get(), r, false, &expected);
        if (order.empty())
            for (int r = 0; r < cpu_->rows; r++) order.push_back(r);
        const auto fetch = [&](size_t from) {
            for (size_t i = from; i < order.size(); i += static_cast<size_t>(threads)) {
                if (before) before(order[i]);
                Fetch(gpu_.get(), order[i], order[i] % 2, &found);
            }
        };
        std::vector<std::thread> others;
        for (int i = 1; i < threads; i++) others.emplace_back(fetch, static_cast<size_t>(i));
        fetch(0);
        for (auto& t : others) t.join();
        for (Session* s : {cpu_.get(), gpu_.get()}) {
            ASSERT_EQ(cudame_end_frame(s->ctx), 0) << cudame_last_error(s->ctx);
            if (last != golden_) cudame_retire_reference(s->ctx, last);
        }
        for (int slot = CUDAME_REF_LAST; slot < CUDAME_REFS; slot++)
            ASSERT_TRUE(FieldsEqual(found.fields[slot], expected.fields[slot], cpu_->cols))
                << "frame " << time_ << " slot " << slot;
        ASSERT_TRUE(IntraEqual(found.intra, expected.intra, cpu_->cols)) << "frame " << time_;
    }

    void (*hold_)(int) = nullptr;
    int (*run_)(int) = nullptr;
    std::vector<int> costs_ = naive::MakeCosts(5), bmode_costs_ = naive::MakeBmodeCosts(5);
    std::unique_ptr<PlaneBuffer> images_[kImages];
    std::unique_ptr<Session> cpu_, gpu_;
    uint64_t time_ = 0, golden_ = 0;
    int errors_ = 0;
};

TEST_F(CudaLateTest, EveryRow) {
    NEEDS_KERNELS();
    for (int level = 0; level < 4; level++) {
        SCOPED_TRACE(level);
        Create(level);
        hold_(1);
        for (int i = 1; i <= 3; i++) {
            ASSERT_NO_FATAL_FAILURE(Frame());
            EXPECT_TRUE(OnCuda());
            EXPECT_EQ(LateRows(), static_cast<uint64_t>(i * cpu_->rows));
        }
        hold_(-1);
        golden_ = 0;
    }
    EXPECT_EQ(errors_, 0);
}

// With bands of one row the device has some rows when a row is asked for.
TEST_F(CudaLateTest, SomeRows) {
    NEEDS_KERNELS();
    std::mt19937 random(1);
    for (const bool shuffled : {false, true}) {
        Create(2, 1, 1);
        uint64_t rows = 0;
        for (int i = 0; i < 24; i++) {
            SCOPED_TRACE(i);
            hold_(1);
            std::vector<int> order(static_cast<size_t>(cpu_->rows));
            for (int r = 0; r < cpu_->rows; r++) order[static_cast<size_t>(r)] = r;
            if (shuffled) std::shuffle(order.begin(), order.end(), random);
            // The device catches up in the middle, so that it need not rest.
            int n = 0;
            ASSERT_NO_FATAL_FAILURE(Frame(
                [&](int) {
                    if (++n > cpu_->rows / 2)
                        hold_(-1);
                    else
                        run_(static_cast<int>(random() % 10));
                },
                order));
            EXPECT_TRUE(OnCuda());
            rows += static_cast<uint64_t>(cpu_->rows);
        }
        EXPECT_GT(LateRows(), rows / 10);
        EXPECT_LT(LateRows(), rows * 6 / 10);
        hold_(-1);
        golden_ = 0;
    }
    EXPECT_EQ(errors_, 0);
}

// The frame is large enough for two pieces, and the device has done the first.
TEST_F(CudaLateTest, AllButThePieceAtTheTop) {
    NEEDS_KERNELS();
    Create(3, 1, 0, 800, 480);
    for (int i = 1; i <= 3; i++) {
        hold_(1000);
        ASSERT_NO_FATAL_FAILURE(Frame([&](int row) {
            if (!row) run_(run_(0) - 4);
            if (row == cpu_->rows - 1) hold_(1);
        }));
        // Of the device's first eight rows, seven are done: a pass needs the row below.
        EXPECT_EQ(LateRows(), static_cast<uint64_t>(i * (cpu_->rows - 7)));
    }
}

TEST_F(CudaLateTest, EveryOtherFrame) {
    NEEDS_KERNELS();
    Create();
    uint64_t late = 0;
    for (int i = 0; i < 10; i++) {
        hold_(i % 2 ? 1 : -1);
        const uint64_t before = LateRows();
        ASSERT_NO_FATAL_FAILURE(Frame());
        EXPECT_TRUE(OnCuda());
        late += LateRows() - before;
        if (i % 2) {
            EXPECT_EQ(LateRows() - before, static_cast<uint64_t>(cpu_->rows));
        } else {
            EXPECT_EQ(LateRows(), before);
        }
    }
}

// Several threads wait, and some of their rows come from the device if it finds any. Else the
// device fails while the CPU makes some rows.
TEST_F(CudaLateTest, Threads) {
    std::mt19937 random(2);
    for (int turn = 0; turn < (finds_ ? 1 : 10); turn++) {
        Create(3, 3, 1);
        for (int i = 0; i < (finds_ ? 30 : 2); i++) {
            hold_(2);
            std::atomic<int> n{0};
            const int caught_up = static_cast<int>(random() % static_cast<unsigned>(cpu_->rows));
            ASSERT_NO_FATAL_FAILURE(Frame(
                [&](int) {
                    if (++n > caught_up)
                        hold_(-1);
                    else
                        run_(5);
                },
                {}, 3));
        }
        EXPECT_GT(LateRows(), finds_ ? 20u : 0u);
        golden_ = 0;
    }
    EXPECT_EQ(errors_, finds_ ? 0 : 10);
}

// A device that is late in several frames in a row rests, and gets frames again later.
TEST_F(CudaLateTest, IsLeftAlone) {
    NEEDS_KERNELS();
    Create();
    hold_(1);
    int on_cuda = 0, turns = 0;
    bool before = true;
    for (int i = 0; i < 80; i++) {
        ASSERT_NO_FATAL_FAILURE(Frame());
        on_cuda += OnCuda();
        turns += OnCuda() != before;
        before = OnCuda();
    }
    EXPECT_GE(turns, 4);
    EXPECT_GE(on_cuda, 6);
    EXPECT_LE(on_cuda, 20);
    EXPECT_FALSE(cudame_fell_back(gpu_->ctx));
    EXPECT_EQ(errors_, 0);
    hold_(-1);  // the device is in time again
    for (int i = 0; i < 70; i++) ASSERT_NO_FATAL_FAILURE(Frame());
    EXPECT_TRUE(OnCuda());
    cudame_stats stats;
    cudame_get_stats(gpu_->ctx, &stats);
    EXPECT_LT(stats.search_ns, uint64_t{60} * 1000000000);
}

TEST_F(CudaLateTest, SizeMayChangeMeanwhile) {
    NEEDS_KERNELS();
    for (const int frames : {2, 10}) {  // late rows; the device rests
        Create();
        hold_(1);
        for (int i = 0; i < frames; i++) ASSERT_NO_FATAL_FAILURE(Frame());
        EXPECT_EQ(OnCuda(), frames == 2);
        const uint64_t late = LateRows();
        EXPECT_GT(late, 0u);
        for (Session* s : {cpu_.get(), gpu_.get()}) {
            ASSERT_EQ(cudame_resize(s->ctx, 64, 112), 0) << cudame_last_error(s->ctx);
            s->cols = 4;
            s->rows = 7;
        }
        golden_ = 0;
        MakeImages(64, 112);
        ASSERT_NO_FATAL_FAILURE(Frame());
        EXPECT_TRUE(OnCuda());
        EXPECT_EQ(LateRows(), late + 7);
        for (Session* s : {cpu_.get(), gpu_.get()}) ASSERT_EQ(cudame_forget_memory(s->ctx), 0);
        ASSERT_NO_FATAL_FAILURE(Frame());
        hold_(-1);
        golden_ = 0;
    }
    EXPECT_EQ(errors_, 0);
}

// The device fails while the CPU makes late rows, after that, or while it rests.
TEST_F(CudaLateTest, Fails) {
    NEEDS_KERNELS();
    int fell_back = 0;
    for (int call = 0; call < 40; call++)
        for (const int frames : {1, 8}) {
            SCOPED_TRACE(::testing::Message() << "call " << call << " frames " << frames);
            const int threads = call / 2 % 2 ? 3 : 1;
            Create(3, threads, 1, 64, 64);
            errors_ = 0;
            hold_(1);
            for (int i = 0; i < frames; i++) ASSERT_NO_FATAL_FAILURE(Frame());
            int n = 0;
            for (int i = 0; i < 2; i++)
                ASSERT_NO_FATAL_FAILURE(Frame([&](int) {
                    if (++n == 2) fail_(call / 2, kLaunchFailed, call % 2);
                }));
            fell_back += cudame_fell_back(gpu_->ctx);
            EXPECT_EQ(errors_, cudame_fell_back(gpu_->ctx));
            fail_(-1, 0, 0);
            for (int i = 0; i < 14; i++) ASSERT_NO_FATAL_FAILURE(Frame());
            hold_(-1);
            golden_ = 0;
            gpu_.reset();
            ASSERT_EQ(allocations_(), 0) << "device or pinned memory leaks";
        }
    EXPECT_GT(fell_back, 10);
}

// Without fallback all rows come from the device.
TEST_F(CudaLateTest, OnlyWithFallback) {
    NEEDS_KERNELS();
    Create();
    cudame_config config = MakeConfig(96, 144, CUDAME_MODE_FULL, CUDAME_SEARCH_LEAN);
    config.level = 3;
    config.backend = CUDAME_BACKEND_CUDA;
    gpu_ = std::make_unique<Session>(config);
    hold_(1);
    for (int i = 0; i < 6; i++) ASSERT_NO_FATAL_FAILURE(Frame());
    EXPECT_EQ(LateRows(), 0u);
    EXPECT_TRUE(OnCuda());
}

}  // namespace
