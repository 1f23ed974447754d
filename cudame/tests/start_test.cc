// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Contexts that start on the CPU and switch to CUDA. Every field of every frame must equal that of
// a context that stays on the CPU. Runs on a device, on the emulated driver, and on the fake one,
// which finds nothing, so that the frame that switched falls back.

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "fake_driver.h"
#include "session.h"

using naive::Content;

namespace {

using Clock = std::chrono::steady_clock;
constexpr int kPatience = 30;  // seconds
enum { kNoDevice = 100, kOutOfMemory = 2, kLaunchFailed = 719 };

void Sleep(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

// A context that stays on the CPU and one that switches to CUDA. Both get the same calls.
class Pair {
  public:
    Pair(cudame_config config, int after_ms) : config_(config) {
        config_.backend = CUDAME_BACKEND_CPU;
        cpu_ = std::make_unique<Session>(config_);
        config_.backend = CUDAME_BACKEND_CUDA;
        config_.fallback = 1;
        config_.cuda_after_ms = after_ms;
        config_.log_opaque = this;
        config_.log = [](void* opaque, int is_error, const char* text) {
            Pair* pair = static_cast<Pair*>(opaque);
            if (!is_error) return;
            pair->errors++;
            pair->error = text;
        };
        both_ = std::make_unique<Session>(config_);
        MakeImages();
    }

    // Search the next frame, with the one before, one from long ago and one from in between as
    // references.
    void Frame() {
        const uint64_t last = ++time_;
        const PlaneBuffer& source = *images_[time_ % kImages];
        if (!golden_) golden_ = last;
        const uint64_t old_altref = altref_;
        if (!altref_ || last % 5 == 0) altref_ = last;
        cudame_frame frame = {};
        frame.source = source.plane();
        frame.ref_id[CUDAME_REF_LAST] = last;
        frame.ref_id[CUDAME_REF_GOLDEN] = golden_;
        frame.ref_id[CUDAME_REF_ALTREF] = altref_;
        frame.mv_cost[0] = frame.mv_cost[1] = costs_.data() + 1023;
        frame.sad_per_bit = 7;
        frame.bmode_cost = bmode_costs_.data();
        cudame_stats before, after;
        cudame_get_stats(both_->ctx, &before);
        for (Session* s : {cpu_.get(), both_.get()}) {
            ASSERT_EQ(s->Submit(last, *images_[(time_ - 1) % kImages]), 0)
                << cudame_last_error(s->ctx);
            ASSERT_EQ(cudame_begin_frame(s->ctx, &frame), 0) << cudame_last_error(s->ctx);
        }
        on_cuda = cudame_backend_in_use(both_->ctx) == CUDAME_BACKEND_CUDA;
        went_over |= on_cuda;
        for (int slot = CUDAME_REF_LAST; slot < CUDAME_REFS; slot++)
            ASSERT_TRUE(FieldsEqual(both_->Field(slot), cpu_->Field(slot), cpu_->cols))
                << "frame " << time_ << " slot " << slot << (on_cuda ? " on CUDA" : "");
        ASSERT_TRUE(IntraEqual(both_->Intra(), cpu_->Intra(), cpu_->cols)) << "frame " << time_;
        for (Session* s : {cpu_.get(), both_.get()}) {
            ASSERT_EQ(cudame_end_frame(s->ctx), 0) << cudame_last_error(s->ctx);
            for (const uint64_t id : {last, old_altref})
                if (id != golden_ && id != altref_) cudame_retire_reference(s->ctx, id);
        }
        cudame_get_stats(both_->ctx, &after);
        EXPECT_GE(after.search_ns, before.search_ns);
        EXPECT_GE(after.source_bytes, before.source_bytes);
        if (on_cuda) {
            EXPECT_GT(after.source_bytes, before.source_bytes);
        }
    }

    // Search frames until done(); fails after kPatience.
    template <class Fn>
    void Until(Fn done) {
        const auto end = Clock::now() + std::chrono::seconds(kPatience);
        while (!done()) {
            ASSERT_LT(Clock::now(), end);
            ASSERT_NO_FATAL_FAILURE(Frame());
            Sleep(1);
        }
    }
    void UntilOnCuda() {
        Until([this] { return went_over; });
    }

    void Reset() {
        for (Session* s : {cpu_.get(), both_.get()}) ASSERT_EQ(cudame_reset(s->ctx), 0);
    }
    void Resize(int width, int height) {
        config_.width = width;
        config_.height = height;
        for (Session* s : {cpu_.get(), both_.get()}) {
            ASSERT_EQ(cudame_resize(s->ctx, width, height), 0) << cudame_last_error(s->ctx);
            s->cols = (width + 15) / 16;
            s->rows = (height + 15) / 16;
        }
        golden_ = altref_ = 0;
        MakeImages();
    }
    bool fell_back() const { return cudame_fell_back(both_->ctx); }
    cudame_backend in_use() const { return cudame_backend_in_use(both_->ctx); }

    bool on_cuda = false;  // when the last frame began
    bool went_over = false;
    int errors = 0;  // number of logged errors
    std::string error;

  private:
    static constexpr int kImages = 12;

    void MakeImages() {
        for (int i = 0; i < kImages; i++)
            images_[i] = std::make_unique<PlaneBuffer>(
                naive::MakeImage(Content::kMoving, config_.width, config_.height, i, 3),
                i % 3 ? 32 : 0, true);
    }

    cudame_config config_;
    std::vector<int> costs_ = naive::MakeCosts(5), bmode_costs_ = naive::MakeBmodeCosts(5);
    std::unique_ptr<PlaneBuffer> images_[kImages];
    std::unique_ptr<Session> cpu_, both_;  // last: they use the members above
    uint64_t time_ = 0, golden_ = 0, altref_ = 0;
};

class CudaStartTest : public FakeDriverTest {
  protected:
    void SetUp() override {
        ASSERT_NO_FATAL_FAILURE(FakeDriverTest::SetUp());
        Find("fake_cuda_delay", &delay_);
        Find("fake_cuda_calls", &calls_);
    }
    void TearDown() override {
        if (delay_) delay_(0);
        FakeDriverTest::TearDown();
    }
    // Skip unless the driver can be told to fail and to take time.
#define NEEDS_FAKE_DRIVER() \
    if (!fail_) GTEST_SKIP() << "only the fake and the emulated driver do as they are told"

    static cudame_config Config(cudame_mode mode = CUDAME_MODE_SPLITMV, int threads = 1) {
        return MakeConfig(80, 60, mode, CUDAME_SEARCH_DEFAULT, 0, threads);
    }
    // Search frames until CUDA is being started. From then on its start takes ms.
    void UntilStarting(Pair* pair, int ms) {
        delay_(ms);
        pair->Until([this] { return calls_() > 0; });
    }

    void (*delay_)(int) = nullptr;
    int (*calls_)() = nullptr;
};

TEST_F(CudaStartTest, FieldsAreThoseOfTheCpu) {
    struct {
        cudame_mode mode;
        cudame_search search;
        int level, threads;
    } const cases[] = {
        {CUDAME_MODE_FAST, CUDAME_SEARCH_DIAMOND, 0, 1},
        {CUDAME_MODE_SPLITMV, CUDAME_SEARCH_ITERATIVE, 0, 3},
        {CUDAME_MODE_TEX, CUDAME_SEARCH_DIAMOND, 0, 1},
        {CUDAME_MODE_FULL, CUDAME_SEARCH_FULL, 0, 3},
        {CUDAME_MODE_FULL, CUDAME_SEARCH_ITERATIVE, 0, 1},
        {CUDAME_MODE_FULL, CUDAME_SEARCH_LEAN, 0, 1},
        {CUDAME_MODE_FULL, CUDAME_SEARCH_LEAN, 3, 3},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(::testing::Message() << "mode " << c.mode << " search " << c.search
                                          << " level " << c.level << " threads " << c.threads);
        cudame_config config = Config(c.mode, c.threads);
        config.search = c.search;
        config.level = c.level;
        config.range = c.search == CUDAME_SEARCH_FULL ? 16 : 0;
        Pair pair(config, 1);
        ASSERT_NO_FATAL_FAILURE(pair.Frame());
        EXPECT_FALSE(pair.on_cuda);
        EXPECT_FALSE(pair.fell_back());
        ASSERT_NO_FATAL_FAILURE(pair.UntilOnCuda());
        for (int i = 0; i < 3; i++) ASSERT_NO_FATAL_FAILURE(pair.Frame());
        EXPECT_EQ(pair.in_use(), finds_ ? CUDAME_BACKEND_CUDA : CUDAME_BACKEND_CPU);
        EXPECT_EQ(pair.fell_back(), !finds_);
        EXPECT_EQ(pair.errors, !finds_) << pair.error;
    }
}

TEST_F(CudaStartTest, DoesNotStartBeforeItPays) {
    NEEDS_FAKE_DRIVER();
    Pair pair(Config(), 1000000);
    for (int i = 0; i < 20; i++) ASSERT_NO_FATAL_FAILURE(pair.Frame());
    EXPECT_EQ(calls_(), 0);
    EXPECT_EQ(pair.in_use(), CUDAME_BACKEND_CPU);
    EXPECT_FALSE(pair.fell_back());
}

// Before CUDA starts, while it does, when it is ready, and when it is in use.
TEST_F(CudaStartTest, SizeMayChange) {
    NEEDS_FAKE_DRIVER();
    for (int when = 0; when < 4; when++)
        for (const int size : {40, 120}) {
            SCOPED_TRACE(::testing::Message() << "case " << when << " size " << size);
            Tell(-1, 0, 0);
            Pair pair(Config(), 1);
            if (when == 1 || when == 2) {
                ASSERT_NO_FATAL_FAILURE(UntilStarting(&pair, when == 1 ? 50 : 20));
                if (when == 2) Sleep(100);
                ASSERT_FALSE(pair.went_over);
            } else if (when == 3) {
                delay_(0);
                ASSERT_NO_FATAL_FAILURE(pair.UntilOnCuda());
            }
            ASSERT_NO_FATAL_FAILURE(pair.Resize(size, 200 - size));
            ASSERT_NO_FATAL_FAILURE(pair.Frame());
            ASSERT_NO_FATAL_FAILURE(pair.Frame());
            if (when == 2) {
                EXPECT_TRUE(pair.went_over);
            }
            ASSERT_NO_FATAL_FAILURE(pair.UntilOnCuda());
            ASSERT_NO_FATAL_FAILURE(pair.Frame());
            EXPECT_EQ(pair.fell_back(), !finds_);
        }
}

TEST_F(CudaStartTest, ResetForgetsWhatWouldPredict) {
    NEEDS_FAKE_DRIVER();
    Pair pair(Config(), 1);
    ASSERT_NO_FATAL_FAILURE(UntilStarting(&pair, 20));
    Sleep(100);
    ASSERT_FALSE(pair.on_cuda);
    pair.Reset();
    ASSERT_NO_FATAL_FAILURE(pair.Frame());
    EXPECT_TRUE(pair.on_cuda);
    ASSERT_NO_FATAL_FAILURE(pair.Frame());
}

TEST_F(CudaStartTest, FailureIsLoggedOnceAndFinal) {
    NEEDS_FAKE_DRIVER();
    Tell(0, kNoDevice, 0);
    Pair pair(Config(), 1);
    ASSERT_NO_FATAL_FAILURE(pair.Until([&] { return pair.errors > 0; }));
    EXPECT_EQ(pair.error, "cuInit: fault of the fake driver: the CPU backend continues");
    EXPECT_TRUE(pair.fell_back());
    const int calls = calls_();
    for (int i = 0; i < 5; i++) ASSERT_NO_FATAL_FAILURE(pair.Frame());
    Sleep(20);
    ASSERT_NO_FATAL_FAILURE(pair.Frame());
    EXPECT_EQ(calls_(), calls);
    EXPECT_EQ(pair.errors, 1);
    EXPECT_FALSE(pair.on_cuda);
}

// While CUDA starts, while a frame switches to it, and after.
TEST_F(CudaStartTest, EveryCallMayFail) {
    NEEDS_FAKE_DRIVER();
    int all = 1, before = 0, after = 0;
    for (int call = -1; call < all; call += 1 + call / 20) {
        const int code = call % 2 ? kLaunchFailed : kOutOfMemory;
        SCOPED_TRACE(::testing::Message() << "call " << call << " code " << code);
        Tell(call, code, call % 3 == 0);
        {
            Pair pair(Config(), 1);
            ASSERT_NO_FATAL_FAILURE(pair.Until([&] { return pair.went_over || pair.errors > 0; }));
            (pair.went_over ? after : before)++;
            for (int i = 0; i < 2; i++) ASSERT_NO_FATAL_FAILURE(pair.Frame());
            if (call < 0) all = calls_();
            EXPECT_LE(pair.errors, 1) << pair.error;
            EXPECT_EQ(pair.fell_back(), pair.errors > 0);
        }
        Tell(-1, 0, 0);
        ASSERT_EQ(allocations_(), 0) << "device or pinned memory leaks";
    }
    EXPECT_GT(before, 20);
    EXPECT_GT(after, 5);
}

TEST_F(CudaStartTest, FallsBackAfterwards) {
    NEEDS_FAKE_DRIVER();
    if (!finds_) GTEST_SKIP() << "this driver finds nothing";
    Pair pair(Config(CUDAME_MODE_FULL), 1);
    ASSERT_NO_FATAL_FAILURE(pair.UntilOnCuda());
    ASSERT_NO_FATAL_FAILURE(pair.Frame());
    EXPECT_FALSE(pair.fell_back());
    Tell(5, kLaunchFailed, 1);
    for (int i = 0; i < 4; i++) ASSERT_NO_FATAL_FAILURE(pair.Frame());
    EXPECT_TRUE(pair.fell_back());
    EXPECT_EQ(pair.in_use(), CUDAME_BACKEND_CPU);
    EXPECT_EQ(pair.errors, 1) << pair.error;
}

TEST_F(CudaStartTest, LeavesTheEnvironmentAlone) {
    NEEDS_FAKE_DRIVER();
    constexpr const char* kVariable = "CUDA_DEVICE_MAX_CONNECTIONS";
    const auto queues = reinterpret_cast<int (*)()>(dlsym(lib_, "fake_cuda_queues"));
    ASSERT_TRUE(queues);
    unsetenv(kVariable);
    for (const int after_ms : {0, 1}) {
        cudame_config config = Config(CUDAME_MODE_FULL);
        config.search = CUDAME_SEARCH_LEAN;
        Tell(-1, 0, 0);
        Pair pair(config, after_ms);
        ASSERT_NO_FATAL_FAILURE(pair.Until([this] { return calls_() > 1; }));
        EXPECT_EQ(queues(), 0);
        EXPECT_EQ(getenv(kVariable), nullptr);
    }
}

TEST_F(CudaStartTest, ContextEndsWhileCudaStarts) {
    NEEDS_FAKE_DRIVER();
    for (const int ms : {0, 1, 50}) {
        Tell(-1, 0, 0);
        Pair pair(Config(), 1);
        ASSERT_NO_FATAL_FAILURE(UntilStarting(&pair, ms));
    }
}

}  // namespace
