// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The first pass: the CUDA kernels give the same result as the scalar definition. A test of the
// provider shows that libvpx gives it too.

#include "cudame/first_pass.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "session.h"

using naive::Content;

namespace {

struct Buffer {
    std::vector<uint8_t> pixels;
    uint64_t id = 0;
};

// Codes frames one after the other, as libvpx does.
class Encoder {
  public:
    Encoder(cudame_backend backend, int width, int height)
        : cols_((width + 15) / 16), rows_((height + 15) / 16) {
        cudame_first_pass_config config = {};
        config.size = sizeof(config);
        config.backend = backend;
        config.mb_cols = cols_;
        config.mb_rows = rows_;
        config.device = -1;
        char error[256];
        EXPECT_EQ(0, cudame_first_pass_create(&pass, &config, error, sizeof(error))) << error;
        for (Buffer& b : buffers_) b.pixels.resize(static_cast<size_t>(cols_) * rows_ * 256);
    }
    ~Encoder() { cudame_first_pass_destroy(pass); }
    Encoder(const Encoder&) = delete;
    Encoder& operator=(const Encoder&) = delete;

    cudame_first_pass_counts Code(const cudame_plane& source) {
        cudame_first_pass_frame f = Frame(source);
        cudame_first_pass_counts counts = {};
        EXPECT_EQ(0, cudame_first_pass_run(pass, &f, &counts))
            << cudame_first_pass_last_error(pass);
        buffers_[2].id = f.recon_id;
        std::swap(buffers_[0], buffers_[2]);
        if (!frames_++) CopyToGolden();
        last_source_ = source;
        return counts;
    }

    cudame_first_pass_frame Frame(const cudame_plane& source) {
        cudame_first_pass_frame f = {};
        f.source = source;
        f.last_source = last_source_;
        f.breakout = frames_ ? breakout : 0;
        if (frames_) f.last = Plane(buffers_[0]);
        if (frames_ > 1) f.golden = Plane(buffers_[1]);
        f.last_id = buffers_[0].id;
        f.golden_id = buffers_[1].id;
        f.recon = buffers_[2].pixels.data();
        f.recon_stride = 16 * cols_;
        f.recon_id = ++ids_;
        f.y1 = {{20, 22}, {65536 / 26, 65536 / 30}, {26, 30}};
        f.y2 = {{30, 33}, {65536 / 52, 65536 / 46}, {52, 46}};
        for (int i = 0; i < 128; i++) f.mv_cost[i / 64][i % 64] = 300 + 37 * (i % 64) + i / 64;
        f.error_per_bit = 90;
        return f;
    }

    void CopyToGolden() { buffers_[1] = buffers_[0]; }
    // Give the buffers new ids, as if libvpx had made them.
    void Rename() {
        for (Buffer& b : buffers_) b.id = ++ids_;
    }
    const std::vector<uint8_t>& last() const { return buffers_[0].pixels; }

    unsigned breakout = 0;
    cudame_first_pass* pass = nullptr;

  private:
    cudame_plane Plane(const Buffer& b) const {
        cudame_plane plane = {};
        plane.data = b.pixels.data();
        plane.stride = 16 * cols_;
        plane.width = 16 * cols_;
        plane.height = 16 * rows_;
        return plane;
    }

    int cols_, rows_, frames_ = 0;
    Buffer buffers_[3];  // last, golden, the next
    uint64_t ids_ = 0;
    cudame_plane last_source_ = {};
};

std::vector<int64_t> Values(const cudame_first_pass_counts& c) {
    return {c.intra_error, c.coded_error, c.inter,          c.second_ref,    c.neutral,
            c.moving,      c.new_mv,      c.inwards,        c.mv_row,        c.mv_col,
            c.mv_row_abs,  c.mv_col_abs,  c.mv_row_squares, c.mv_col_squares};
}

class CudaFirstPassTest : public ::testing::Test {
  protected:
    static void Compare(Content content, int width, int height, int frames, unsigned breakout) {
        SCOPED_TRACE(::testing::Message() << width << "x" << height << " " << naive::Name(content)
                                          << " breakout " << breakout);
        Encoder cpu(CUDAME_BACKEND_CPU, width, height), cuda(CUDAME_BACKEND_CUDA, width, height);
        cpu.breakout = cuda.breakout = breakout;
        ASSERT_TRUE(cuda.pass);
        std::vector<std::unique_ptr<PlaneBuffer>> sources;
        for (int time = 0; time < frames; time++) {
            SCOPED_TRACE(time);
            // Content moves, returns, and changes completely.
            sources.push_back(std::make_unique<PlaneBuffer>(
                naive::MakeImage(time == 4 ? Content::kRandom : content, width, height,
                                 time == 3 ? 1 : time, 11),
                32, true));
            const cudame_plane& source = sources.back()->plane();
            ASSERT_EQ(Values(cpu.Code(source)), Values(cuda.Code(source)));
            ASSERT_EQ(cpu.last(), cuda.last());
            if (time == 2) {
                cpu.CopyToGolden();
                cuda.CopyToGolden();
            }
            if (time == 3) cuda.Rename();
        }
    }
};

TEST_F(CudaFirstPassTest, EqualsTheDefinition) {
    for (const Content content : naive::kContents)
        for (const unsigned breakout : {0u, 3000u}) Compare(content, 176, 144, 6, breakout);
}

TEST_F(CudaFirstPassTest, EqualsTheDefinitionAtOddSizes) {
    for (const auto& [width, height] :
         {std::pair{1, 1}, {17, 33}, {16, 100}, {100, 16}, {333, 47}, {64, 64}})
        Compare(Content::kMoving, width, height, 5, 0);
}

TEST(FirstPassTest, StillFramesAreInterWithoutMotion) {
    Encoder encoder(TestBackend(), 160, 96);
    ASSERT_TRUE(encoder.pass);
    const PlaneBuffer source(naive::MakeImage(Content::kMoving, 160, 96, 0, 3), 32, true);
    encoder.Code(source.plane());
    const cudame_first_pass_counts counts = encoder.Code(source.plane());
    EXPECT_EQ(60, counts.inter);
    EXPECT_EQ(0, counts.moving);
    EXPECT_LT(counts.coded_error, counts.intra_error);
}

TEST(FirstPassTest, TheFirstFrameIsIntra) {
    Encoder encoder(TestBackend(), 160, 96);
    ASSERT_TRUE(encoder.pass);
    const PlaneBuffer source(naive::MakeImage(Content::kRandom, 160, 96, 0, 3), 32, true);
    const cudame_first_pass_counts counts = encoder.Code(source.plane());
    EXPECT_EQ(0, counts.inter);
    EXPECT_EQ(counts.coded_error, counts.intra_error);
    EXPECT_GT(counts.intra_error, 60 * 256);
}

// A texture that moves by (row 5, column -3) each frame.
TEST(FirstPassTest, FindsAShift) {
    const int width = 320, height = 192;
    Encoder encoder(TestBackend(), width, height);
    ASSERT_TRUE(encoder.pass);
    cudame_first_pass_counts counts = {};
    std::vector<std::vector<uint8_t>> frames(2, std::vector<uint8_t>(width * height));
    for (int time = 0; time < 2; time++) {
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                const int u = x + 3 * time, v = y - 5 * time;
                frames[time][y * width + x] = static_cast<uint8_t>(
                    128 + 60 * ((u / 7 + v / 5) % 3 - 1) + 20 * ((u / 13 * 3 + v / 11 * 5) % 4));
            }
        cudame_plane plane = {};
        plane.data = frames[time].data();
        plane.stride = plane.width = width;
        plane.height = height;
        counts = encoder.Code(plane);
    }
    EXPECT_GT(counts.inter, 200);
    // Vectors point to where the content came from.
    EXPECT_LT(counts.mv_row, counts.moving * -30);
    EXPECT_GT(counts.mv_col, counts.moving * 18);
    EXPECT_LT(counts.new_mv, counts.moving / 2);
}

TEST(FirstPassTest, RefusesNonsense) {
    Encoder encoder(TestBackend(), 64, 48);
    ASSERT_TRUE(encoder.pass);
    const PlaneBuffer source(naive::MakeImage(Content::kRandom, 64, 48, 0, 3), 0, true);
    cudame_first_pass_counts counts;
    const auto refused = [&](const char* why, auto change) {
        cudame_first_pass_frame f = encoder.Frame(source.plane());
        change(f);
        EXPECT_EQ(CUDAME_ERROR_INVALID, cudame_first_pass_run(encoder.pass, &f, &counts)) << why;
        EXPECT_STRNE("", cudame_first_pass_last_error(encoder.pass)) << why;
    };
    refused("no source", [](auto& f) { f.source.data = nullptr; });
    refused("a small source", [](auto& f) { f.source.width = 63; });
    refused("a source on a device", [](auto& f) { f.source.on_device = 1; });
    refused("no last source", [](auto& f) { f.breakout = 1; });
    refused("no reconstruction", [](auto& f) { f.recon = nullptr; });
    refused("a narrow reconstruction", [](auto& f) { f.recon_stride = 63; });
    refused("no id", [](auto& f) { f.recon_id = 0; });
    refused("golden alone", [&](auto& f) {
        f.golden = source.plane();
        f.golden_id = 99;
    });
    refused("an id twice", [&](auto& f) {
        f.last = source.plane();
        f.last_id = f.recon_id;
    });
    refused("a negative rounding", [](auto& f) { f.y1.round[1] = -1; });
    refused("a quantizer of 32768", [](auto& f) { f.y2.quant[0] = 32768; });
    refused("a quantizer that magnifies",
            [](auto& f) { f.y1.dequant[1] = 65536 / f.y1.quant[1] + 1; });
    refused("a negative rate", [](auto& f) { f.mv_cost[1][63] = -1; });
    refused("an absurd error", [](auto& f) { f.error_per_bit = 2048; });
    EXPECT_EQ(CUDAME_ERROR_INVALID, cudame_first_pass_run(encoder.pass, nullptr, &counts));
    EXPECT_EQ(CUDAME_ERROR_INVALID, cudame_first_pass_run(nullptr, nullptr, nullptr));

    char error[256];
    cudame_first_pass* none;
    cudame_first_pass_config config = {};
    EXPECT_EQ(CUDAME_ERROR_INVALID, cudame_first_pass_create(&none, &config, error, sizeof(error)));
    config.size = sizeof(config);
    EXPECT_EQ(CUDAME_ERROR_INVALID, cudame_first_pass_create(&none, &config, error, sizeof(error)));
    config.mb_cols = 1025;
    config.mb_rows = 1;
    EXPECT_EQ(CUDAME_ERROR_INVALID, cudame_first_pass_create(&none, &config, error, sizeof(error)));
    EXPECT_EQ(nullptr, none);
    EXPECT_STRNE("", error);
}

}  // namespace
