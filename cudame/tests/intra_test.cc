// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Intra estimates against the naive implementation, and their interface.

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "session.h"

using naive::Content;
using naive::Image;

namespace {

constexpr int kSizes[][2] = {{1, 1},   {16, 16}, {17, 33}, {33, 17}, {2, 47},
                             {50, 34}, {64, 48}, {15, 80}, {113, 5}};

cudame_frame IntraFrame(const PlaneBuffer& source, const std::vector<int>& costs, int sad_per_bit) {
    cudame_frame frame = {};
    frame.source = source.plane();
    frame.bmode_cost = costs.data();
    frame.sad_per_bit = sad_per_bit;
    return frame;
}

class IntraTest : public ::testing::TestWithParam<Content> {
  protected:
    void Compare(int width, int height, const std::vector<int>& costs, int sad_per_bit,
                 int variant = 0) {
        SCOPED_TRACE(::testing::Message()
                     << width << "x" << height << " sad_per_bit " << sad_per_bit);
        const Image image = naive::MakeImage(GetParam(), width, height, 0, 5);
        const PlaneBuffer source(image, variant == 1 ? 3 : 0, variant == 2, variant == 3);
        Session s(MakeConfig(width, height, CUDAME_MODE_FAST));
        const cudame_frame frame = IntraFrame(source, costs, sad_per_bit);
        ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0) << cudame_last_error(s.ctx);
        const auto field = s.Intra();
        ASSERT_EQ(cudame_end_frame(s.ctx), 0);
        EXPECT_TRUE(
            IntraEqual(field, naive::AnalyseIntra(image, costs.data(), sad_per_bit), s.cols));
    }
    const std::vector<int> costs_ = naive::MakeBmodeCosts(1);
};

TEST_P(IntraTest, MatchesNaive) {
    int variant = 0;
    for (const auto& [width, height] : kSizes) Compare(width, height, costs_, 20, variant++ % 4);
}

TEST_P(IntraTest, MatchesNaiveAtAllRates) {
    for (const int sad_per_bit : {0, 1, 300, 2047}) Compare(40, 40, costs_, sad_per_bit);
    // Costs out of range; all equal; so high that every cost saturates.
    std::vector<int> costs = costs_;
    costs[0] = -5;
    costs[3] = 600000;
    Compare(40, 40, costs, 9);
    Compare(40, 40, std::vector<int>(CUDAME_BMODES, 700), 2047);
    Compare(40, 40, std::vector<int>(CUDAME_BMODES, 1 << 30), 2047);
}

TEST_P(IntraTest, CpuMatchesNaiveOnEveryTarget) {
    OnEveryTarget([&] {
        Compare(50, 34, costs_, 20);
        Compare(70, 50, costs_, 2);
    });
}

INSTANTIATE_TEST_SUITE_P(All, IntraTest, ::testing::ValuesIn(naive::kContents),
                         [](const auto& info) { return std::string(naive::Name(info.param)); });

// Content that a mode predicts without error gets that mode.
TEST(IntraModes, PerfectPredictionWins) {
    const std::vector<int> costs(CUDAME_BMODES, 256);
    // Stripes of one direction. All modes match flat areas, and the first wins.
    const struct { int dx, dy, mode; } cases[] = {{0, 1, 2}, {1, 0, 3}, {0, 0, 0}};
    for (const auto& c : cases) {
        Image image(64, 64);
        for (int y = 0; y < 64; y++)
            for (int x = 0; x < 64; x++)
                image.at(x, y) = static_cast<uint8_t>(100 + 2 * (c.dy * x + c.dx * y));
        const PlaneBuffer source(image, 0, false);
        Session s(MakeConfig(64, 64, CUDAME_MODE_FAST));
        const cudame_frame frame = IntraFrame(source, costs, 4);
        ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
        const auto field = s.Intra();
        const cudame_intra& mb = field[5];
        EXPECT_EQ(mb.satd16[3], 0) << "TM_PRED continues a ramp";
        if (c.mode) {
            EXPECT_GT(mb.satd16[0], 0);
            EXPECT_EQ(mb.satd16[c.mode - 1], 0);
            EXPECT_GT(mb.satd16[4 - c.mode], 0);
        }
        EXPECT_EQ(mb.cost4, 16 * 4);
        // TM_PRED is exact on ramps and comes before the mode itself.
        for (const uint8_t mode : mb.mode4)
            EXPECT_EQ(mode, c.mode ? 0x01 + (c.mode << 4) : 0x10) << c.mode;
    }
}

class IntraApi : public ::testing::Test {
  protected:
    static constexpr int kWidth = 150, kHeight = 101;
    const std::vector<int> costs_ = naive::MakeBmodeCosts(2), mv_costs_ = naive::MakeCosts(2);
    const Image image_ = naive::MakeImage(Content::kMoving, kWidth, kHeight, 1, 9);
    const Image before_ = naive::MakeImage(Content::kMoving, kWidth, kHeight, 0, 9);
    const PlaneBuffer source_{image_, 0, false}, reference_{before_, 32, true};
    const std::vector<cudame_intra> expected_ = naive::AnalyseIntra(image_, costs_.data(), 11);

    cudame_frame Frame(uint64_t last) const {
        cudame_frame frame = IntraFrame(source_, costs_, 11);
        frame.ref_id[CUDAME_REF_LAST] = last;
        frame.mv_cost[0] = frame.mv_cost[1] = mv_costs_.data() + 1023;
        return frame;
    }
};

TEST_F(IntraApi, ArgumentsAndCallOrderAreChecked) {
    Session s(MakeConfig(kWidth, kHeight, CUDAME_MODE_FAST));
    const cudame_intra* row = nullptr;
    EXPECT_EQ(cudame_intra_row(nullptr, 0, &row), CUDAME_ERROR_INVALID);
    EXPECT_EQ(cudame_intra_row(s.ctx, 0, &row), CUDAME_ERROR_INVALID);
    EXPECT_STREQ(cudame_last_error(s.ctx), "no frame was begun");

    cudame_frame frame = Frame(0);
    frame.bmode_cost = nullptr;
    ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
    EXPECT_EQ(cudame_intra_row(s.ctx, 0, &row), CUDAME_ERROR_INVALID);
    EXPECT_STREQ(cudame_last_error(s.ctx), "the frame has no intra estimates: bmode_cost is NULL");
    ASSERT_EQ(cudame_end_frame(s.ctx), 0);

    frame = Frame(0);
    ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
    EXPECT_EQ(cudame_intra_row(s.ctx, 0, nullptr), CUDAME_ERROR_INVALID);
    EXPECT_STREQ(cudame_last_error(s.ctx), "no row given");
    EXPECT_EQ(cudame_intra_row(s.ctx, -1, &row), CUDAME_ERROR_INVALID);
    EXPECT_EQ(cudame_intra_row(s.ctx, s.rows, &row), CUDAME_ERROR_INVALID);
    EXPECT_EQ(row, nullptr);
    EXPECT_EQ(cudame_intra_row(s.ctx, s.rows - 1, &row), 0);
    EXPECT_NE(row, nullptr);
    ASSERT_EQ(cudame_end_frame(s.ctx), 0);
    EXPECT_EQ(cudame_intra_row(s.ctx, 0, &row), CUDAME_ERROR_INVALID);
}

TEST_F(IntraApi, BesideASearchAndWithCopiedCosts) {
    for (const cudame_mode mode : {CUDAME_MODE_FAST, CUDAME_MODE_FULL}) {
        Session s(MakeConfig(kWidth, kHeight, mode, CUDAME_SEARCH_FULL, 8));
        ASSERT_EQ(s.Submit(1, reference_), 0);
        std::vector<naive::Record> plain;
        for (const bool intra : {false, true, true, false}) {
            ASSERT_EQ(cudame_reset(s.ctx), 0);
            cudame_frame frame = Frame(1);
            std::vector<int> costs = costs_;
            frame.bmode_cost = intra ? costs.data() : nullptr;
            ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
            std::fill(costs.begin(), costs.end(), 0);
            // After cudame_wait_row(), before it, and again.
            if (intra) {
                EXPECT_TRUE(IntraEqual(s.Intra(), expected_, s.cols));
            }
            const auto field = s.Field(CUDAME_REF_LAST);
            if (plain.empty()) plain = field;
            EXPECT_TRUE(FieldsEqual(field, plain, s.cols));
            if (intra) {
                const cudame_intra *row, *again;
                ASSERT_EQ(cudame_intra_row(s.ctx, 2, &row), 0);
                ASSERT_EQ(cudame_intra_row(s.ctx, 2, &again), 0);
                EXPECT_EQ(row, again);
                EXPECT_TRUE(IntraEqual(s.Intra(), expected_, s.cols));
            }
            ASSERT_EQ(cudame_end_frame(s.ctx), 0);
        }
    }
}

TEST_F(IntraApi, AfterResize) {
    Session s(MakeConfig(16, 300, CUDAME_MODE_FAST));
    const PlaneBuffer tall(naive::MakeImage(Content::kMoving, 16, 300, 0, 1), 0, false);
    cudame_frame frame = Frame(0);
    frame.source = tall.plane();
    ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
    ASSERT_EQ(cudame_end_frame(s.ctx), 0);
    ASSERT_EQ(cudame_resize(s.ctx, kWidth, kHeight), 0);
    s.cols = (kWidth + 15) / 16;
    s.rows = (kHeight + 15) / 16;
    frame = Frame(0);
    ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
    EXPECT_TRUE(IntraEqual(s.Intra(), expected_, s.cols));
}

TEST_F(IntraApi, ThreadsMixBothWaits) {
    for (const int threads : {1, 3}) {
        Session s(
            MakeConfig(kWidth, kHeight, CUDAME_MODE_SPLITMV, CUDAME_SEARCH_DEFAULT, 0, threads));
        ASSERT_EQ(s.Submit(1, reference_), 0);
        const cudame_frame frame = Frame(1);
        for (int time = 0; time < 3; time++) {
            ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
            std::atomic<int> errors{0};
            std::vector<cudame_intra> field(expected_.size());
            std::vector<std::thread> pool;
            for (int t = 0; t < 3; t++)
                pool.emplace_back([&, t] {
                    for (int r = t; r < s.rows; r += 3) {
                        const cudame_mb* rows[CUDAME_REFS];
                        const cudame_intra* row = nullptr;
                        if (t != 1 && cudame_wait_row(s.ctx, s.rows - 1 - r, rows, nullptr))
                            errors++;
                        if (cudame_intra_row(s.ctx, r, &row)) errors++;
                        if (row) std::copy_n(row, s.cols, field.begin() + r * s.cols);
                    }
                });
            for (std::thread& t : pool) t.join();
            EXPECT_EQ(errors, 0);
            EXPECT_TRUE(IntraEqual(field, expected_, s.cols));
            ASSERT_EQ(cudame_end_frame(s.ctx), 0);
        }
    }
}

}  // namespace
