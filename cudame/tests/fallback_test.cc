// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The CUDA backend on a driver that fails at every call in turn: fields must
// be those of the CPU backend, or cudame_create() must fail cleanly. Linked so
// that it finds fake_cuda.c as libcuda.so.1.

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <new>
#include <random>
#include <thread>

#include "cudame/download.h"
#include "cudame/loop_filter.h"
#include "session.h"

using naive::Content;

namespace {
std::atomic<int> allocations_left{-1};  // until one fails; negative: none does
}

void* operator new(size_t size) {
    if (allocations_left >= 0 && !allocations_left--) throw std::bad_alloc();
    if (void* p = malloc(size ? size : 1)) return p;
    throw std::bad_alloc();
}
void operator delete(void* p) noexcept { free(p); }
void operator delete(void* p, size_t) noexcept { free(p); }

namespace {

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

    // Of last and golden of all frames; empty if create fails.
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
        {naive::MakeImage(Content::kMoving, kWidth, kHeight, 0, 3), 32, true},
        {naive::MakeImage(Content::kMoving, kWidth, kHeight, 1, 3), 0, true},
        {naive::MakeImage(Content::kMoving, kWidth, kHeight, 2, 3), 32, true},
        {naive::MakeImage(Content::kMoving, kWidth, kHeight, 3, 3), 0, true}};
    Result expected_;
};

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

// Any allocation may fail too while the CPU takes over. What a row has then, if it does not fail,
// is what it should have.
TEST_F(FallbackTest, NoMemoryToFallBack) {
    cudame_config config = CudaConfig();
    config.threads = 2;
    const int cols = (kWidth + 15) / 16, rows = (kHeight + 15) / 16;
    std::vector<naive::Record> found(static_cast<size_t>(cols));
    int failures = 0;
    // The device fails in the first frame, at its end or between the rows.
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

// Those modes launch a second kernel for each band.
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

// The caller searches for itself, and all else goes on as ever.
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
                // Nothing else is asked of a device without memory.
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

// Without fallback an error is the caller's, and does not hang or crash.
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

// Persistent memory is registered when it is used again and again, which may
// fail, and not after it is forgotten.
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
        // The context comes and goes for CreateReference(), comes for AddRows().
        fail_(failing ? 3 : -1, kOutOfMemory, 0);
        for (int i = 0; i < 5; i++) upload();
        EXPECT_EQ(allocations_(), before + !failing);
        fail_(-1, 0, 0);
        ASSERT_EQ(cudame_forget_memory(s.ctx), 0);
        EXPECT_EQ(allocations_(), before);
        for (int i = 0; i < 5; i++) upload();
        EXPECT_EQ(allocations_(), before + 1);
        EXPECT_EQ(cudame_backend_in_use(s.ctx), CUDAME_BACKEND_CUDA);
    }
    EXPECT_EQ(allocations_(), 0);
}

// Memory that is not registered too is read by nothing once it is forgotten.
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

// A source in device memory too: after a fallback the host's is searched.
TEST_F(FallbackTest, DeviceSourceFallsBackToTheHosts) {
    fail_(-1, 0, 0);
    {
        Session s(CudaConfig());
        ASSERT_EQ(s.Submit(1, planes_[0]), 0);
        cudame_plane device = planes_[1].plane();  // the fake device's memory is the host's
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

// What is in device memory alone is lost with the device: every call says so, and the
// next frame goes on.
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
        if (bad == 3) p.stride[1] = kCols;            // 19 pairs
        if (bad == 4) p.layout = CUDAME_LAYOUT_I420;  // and no third plane
        EXPECT_EQ(cudame_download(d, &p, nullptr), CUDAME_ERROR_INVALID) << bad;
        EXPECT_STRNE(cudame_downloader_last_error(d), "");
    }
    ASSERT_EQ(cudame_download(d, &picture_, nullptr), 0) << cudame_downloader_last_error(d);
    EXPECT_EQ(cudame_download(d, &picture_, nullptr), CUDAME_ERROR_INVALID);
    EXPECT_STREQ(cudame_downloader_last_error(d), "the download before was not waited for");
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
    EXPECT_GT(results[1], 10);  // while downloading
    EXPECT_GT(results[2], 10);  // at creation
}

}  // namespace
