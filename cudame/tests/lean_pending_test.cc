// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The records that the lean search makes on demand: smaller blocks and intra estimates.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <thread>

#include "common/lean.h"
#include "lean_comparison.h"

using namespace lean;
using naive::Content;
using naive::Image;

namespace {

constexpr int kAllParts = CUDAME_INTRA_16X16 | CUDAME_INTRA_4X4;

class LeanPendingTest : public ::testing::TestWithParam<int> {
  protected:
    static std::vector<Image> Moving() {
        return MakeImages(Content::kMoving, 150, 101, kThreeReferences.size() + 1);
    }
};

struct Row {
    const cudame_mb* mbs[CUDAME_REFS] = {};
    const cudame_split* splits[CUDAME_REFS] = {};
};

std::vector<Row> WaitForRows(Session* s) {
    std::vector<Row> rows(static_cast<size_t>(s->rows));
    for (int r = 0; r < s->rows; r++) {
        Row& row = rows[static_cast<size_t>(r)];
        EXPECT_EQ(cudame_wait_row(s->ctx, r, row.mbs, row.splits), 0) << cudame_last_error(s->ctx);
    }
    return rows;
}

// All bytes of the records of both searches of kThreeReferences[1].
using Bytes = std::vector<std::string>;
Bytes Snapshot(const std::vector<Row>& rows, int cols) {
    Bytes all;
    for (const int slot : {CUDAME_REF_GOLDEN, CUDAME_REF_ALTREF})
        for (const Row& row : rows)
            for (int c = 0; c < cols; c++)
                all.push_back(std::string(reinterpret_cast<const char*>(row.mbs[slot] + c),
                                          sizeof(cudame_mb)) +
                              std::string(reinterpret_cast<const char*>(row.splits[slot] + c),
                                          sizeof(cudame_split)));
    return all;
}

bool IsPending(const std::vector<Row>& rows, int slot, int r, int c) {
    return rows[static_cast<size_t>(r)].mbs[slot][c].flags & CUDAME_MB_PENDING;
}

// Only the CPU leaves records pending. The rest of the test holds for every backend.
TEST_P(LeanPendingTest, PendingRecordsAreCompletedOneByOne) {
    Settings settings;
    settings.level = GetParam();
    Comparison both(settings, Moving());
    Session& s = both.session();
    ASSERT_NO_FATAL_FAILURE(both.Begin(0, kThreeReferences[0]));
    both.Expected();
    ASSERT_NO_FATAL_FAILURE(both.End());
    ASSERT_NO_FATAL_FAILURE(both.Begin(1, kThreeReferences[1]));
    const Fields expected = both.Expected();
    const std::vector<Row> rows = WaitForRows(&s);
    // These two slots share one search.
    EXPECT_EQ(rows[0].mbs[CUDAME_REF_LAST], rows[0].mbs[CUDAME_REF_GOLDEN]);

    int pending = 0, incomplete = 0;
    for (const int slot : {CUDAME_REF_GOLDEN, CUDAME_REF_ALTREF})
        for (int i = 0; i < s.rows * s.cols; i++) {
            const int r = i / s.cols, c = i % s.cols;
            const size_t index = static_cast<size_t>(i);
            const Row& row = rows[static_cast<size_t>(r)];
            naive::Record before, after;
            const Bytes all_before = Snapshot(rows, s.cols);
            const bool was_pending = IsPending(rows, slot, r, c);
            naive::Join(row.mbs[slot] + c, row.splits[slot] + c, 1, &before);
            pending += was_pending;
            if (was_pending) {
                EXPECT_EQ(before.flags, CUDAME_MB_SPLIT | CUDAME_MB_PENDING);
                before.flags = CUDAME_MB_SPLIT;
                incomplete += !FieldsEqual({before}, {expected.at(slot)[index]}, 1);
            }

            ASSERT_EQ(cudame_complete_split(s.ctx, r, c, slot), 0) << cudame_last_error(s.ctx);
            naive::Join(row.mbs[slot] + c, row.splits[slot] + c, 1, &after);
            EXPECT_TRUE(FieldsEqual({after}, {expected.at(slot)[index]}, 1))
                << "row " << r << " column " << c;
            const Bytes all_after = Snapshot(rows, s.cols);
            const size_t own = index + (slot == CUDAME_REF_ALTREF ? all_after.size() / 2 : 0);
            for (size_t other = 0; other < all_after.size(); other++)
                if (other != own || !was_pending) {
                    EXPECT_TRUE(all_after[other] == all_before[other])
                        << "record " << other << " changed with " << own;
                }

            ASSERT_EQ(cudame_complete_split(s.ctx, r, c, slot), 0);
            EXPECT_TRUE(Snapshot(rows, s.cols) == all_after) << "the second time";
        }
    if (TestBackend() == CUDAME_BACKEND_CPU && cudame::kLeanLevel[GetParam()].split) {
        EXPECT_GT(pending, 0);
        EXPECT_GT(incomplete, 0);
    } else {
        EXPECT_EQ(pending, 0);
    }
    // The other slot has the same records.
    for (int i = 0; i < s.rows * s.cols; i++)
        EXPECT_FALSE(IsPending(rows, CUDAME_REF_LAST, i / s.cols, i % s.cols));
    ASSERT_NO_FATAL_FAILURE(both.End());
}

TEST_P(LeanPendingTest, WhatStaysPendingDoesNotChangeTheNextFrame) {
    Settings settings;
    settings.level = GetParam();
    Comparison completed(settings, Moving()), left(settings, Moving());
    for (size_t n = 0; n < kThreeReferences.size(); n++) {
        ASSERT_NO_FATAL_FAILURE(completed.Begin(n, kThreeReferences[n]));
        ASSERT_NO_FATAL_FAILURE(left.Begin(n, kThreeReferences[n]));
        const Fields fields = completed.Found();
        if (n + 1 == kThreeReferences.size()) {
            for (const auto& [slot, field] : left.Found())
                EXPECT_TRUE(FieldsEqual(field, fields.at(slot), left.session().cols));
        } else if (n) {
            WaitForRows(&left.session());
        }
        ASSERT_NO_FATAL_FAILURE(completed.End());
        ASSERT_NO_FATAL_FAILURE(left.End());
    }
}

TEST_P(LeanPendingTest, RowsAreCompletedConcurrently) {
    Settings settings;
    settings.level = GetParam();
    const std::vector<int> costs = naive::MakeBmodeCosts(1);
    Comparison one(settings, Moving()), many(settings, Moving(), 4);
    ASSERT_NO_FATAL_FAILURE(one.Begin(0, kThreeReferences[0], costs.data()));
    ASSERT_NO_FATAL_FAILURE(many.Begin(0, kThreeReferences[0], costs.data()));
    Session& s = many.session();
    constexpr int kSlot = CUDAME_REF_LAST;
    std::vector<naive::Record> field(static_cast<size_t>(s.rows * s.cols));
    std::vector<cudame_intra> intra(field.size());
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; t++)
        threads.emplace_back([&, t] {
            for (int r = s.rows - 1 - t; r >= 0; r -= 3) {
                Row row;
                const cudame_intra* estimates = nullptr;
                if (cudame_wait_row(s.ctx, r, row.mbs, row.splits) ||
                    cudame_intra_row(s.ctx, r, &estimates))
                    return;
                for (int c = 0; c < s.cols; c++) {
                    cudame_complete_split(s.ctx, r, c, kSlot);
                    cudame_complete_intra(s.ctx, r, c, kAllParts);
                }
                const int first = r * s.cols;
                naive::Join(row.mbs[kSlot], row.splits[kSlot], s.cols, field.data() + first);
                std::copy(estimates, estimates + s.cols, intra.begin() + first);
            }
        });
    for (auto& thread : threads) thread.join();
    EXPECT_TRUE(FieldsEqual(field, one.Found().at(kSlot), s.cols));
    EXPECT_TRUE(IntraEqual(intra, one.session().Intra(), s.cols));
    ASSERT_NO_FATAL_FAILURE(one.End());
    ASSERT_NO_FATAL_FAILURE(many.End());
}

// ---- intra estimates --------------------------------------------------------

TEST_P(LeanPendingTest, IntraEstimatesMatchNaive) {
    const std::vector<int> costs = naive::MakeBmodeCosts(1);
    const std::vector<Image> images = Moving();
    Settings settings;
    settings.level = GetParam();
    Comparison c(settings, images);
    Session& s = c.session();
    size_t n = 0;
    for (const Slots& slots : {kThreeReferences[0], Slots(), kThreeReferences[1]}) {
        ASSERT_NO_FATAL_FAILURE(c.Begin(n, slots, costs.data()));
        const cudame_intra* row = nullptr;
        ASSERT_EQ(cudame_intra_row(s.ctx, s.rows - 1, &row), 0) << cudame_last_error(s.ctx);
        for (int col = 0; col < s.cols; col++)
            EXPECT_EQ(row[col].pending != 0, TestBackend() == CUDAME_BACKEND_CPU);
        const auto expected =
            naive::AnalyseIntra(images[n + 1], costs.data(), settings.sad_per_bit);
        for (int col = 0; col < s.cols; col++) {  // one part of some records
            const size_t mb = static_cast<size_t>((s.rows - 1) * s.cols + col);
            ASSERT_EQ(cudame_complete_intra(s.ctx, s.rows - 1, col, CUDAME_INTRA_16X16), 0);
            EXPECT_EQ(row[col].pending & CUDAME_INTRA_16X16, 0u);
            for (int i = 0; i < 4; i++) EXPECT_EQ(row[col].satd16[i], expected[mb].satd16[i]);
        }
        const auto field = s.Intra();
        EXPECT_TRUE(IntraEqual(field, expected, s.cols)) << "frame " << n;
        // A complete record stays as it is.
        ASSERT_EQ(cudame_complete_intra(s.ctx, s.rows - 1, 0, kAllParts), 0);
        EXPECT_TRUE(IntraEqual(s.Intra(), field, s.cols));
        ASSERT_NO_FATAL_FAILURE(c.End());
        n++;
    }
}

INSTANTIATE_TEST_SUITE_P(All, LeanPendingTest, ::testing::Range(0, kLeanLevels),
                         [](const auto& info) { return "Level" + std::to_string(info.param); });

// ---- errors -----------------------------------------------------------------

class LeanApi : public ::testing::Test {
  protected:
    LeanApi() : c_(Settings(), MakeImages(Content::kMoving, 40, 20, 3)), ctx_(c_.session().ctx) {}

    void ExpectError(int result, const char* text) {
        EXPECT_EQ(result, CUDAME_ERROR_INVALID);
        EXPECT_NE(std::string(cudame_last_error(ctx_)).find(text), std::string::npos)
            << cudame_last_error(ctx_);
    }

    Comparison c_;
    cudame_context* const ctx_;
    const std::vector<int> costs_ = naive::MakeBmodeCosts(1);
};

TEST_F(LeanApi, CompleteSplitChecksItsArguments) {
    EXPECT_EQ(cudame_complete_split(nullptr, 0, 0, CUDAME_REF_LAST), CUDAME_ERROR_INVALID);
    ExpectError(cudame_complete_split(ctx_, 0, 0, CUDAME_REF_LAST), "no frame was begun");
    ASSERT_NO_FATAL_FAILURE(c_.Begin(0, {{0, 1, 0, 0}}));
    WaitForRows(&c_.session());
    const int rows = c_.session().rows, cols = c_.session().cols;
    for (const int row : {-1, rows})
        ExpectError(cudame_complete_split(ctx_, row, 0, CUDAME_REF_LAST), "mb_row");
    for (const int col : {-1, cols})
        ExpectError(cudame_complete_split(ctx_, 0, col, CUDAME_REF_LAST), "mb_col");
    for (const int slot : {-1, 0, static_cast<int>(CUDAME_REFS)})
        ExpectError(cudame_complete_split(ctx_, 0, 0, slot), "slot");
    ExpectError(cudame_complete_split(ctx_, 0, 0, CUDAME_REF_GOLDEN), "not searched");
    EXPECT_EQ(cudame_complete_split(ctx_, rows - 1, cols - 1, CUDAME_REF_LAST), 0);
    ASSERT_NO_FATAL_FAILURE(c_.End());
    ExpectError(cudame_complete_split(ctx_, 0, 0, CUDAME_REF_LAST), "no frame was begun");
}

TEST_F(LeanApi, CompleteIntraChecksItsArguments) {
    EXPECT_EQ(cudame_complete_intra(nullptr, 0, 0, kAllParts), CUDAME_ERROR_INVALID);
    ExpectError(cudame_complete_intra(ctx_, 0, 0, kAllParts), "no frame was begun");
    ASSERT_NO_FATAL_FAILURE(c_.Begin(0, {{0, 1, 0, 0}}));
    ExpectError(cudame_complete_intra(ctx_, 0, 0, kAllParts), "bmode_cost");
    ASSERT_NO_FATAL_FAILURE(c_.End());
    ASSERT_NO_FATAL_FAILURE(c_.Begin(1, {{0, 2, 0, 0}}, costs_.data()));
    const int rows = c_.session().rows, cols = c_.session().cols;
    const cudame_intra* row = nullptr;
    ASSERT_EQ(cudame_intra_row(ctx_, rows - 1, &row), 0);
    for (const int bad : {-1, rows})
        ExpectError(cudame_complete_intra(ctx_, bad, 0, kAllParts), "mb_row");
    for (const int bad : {-1, cols})
        ExpectError(cudame_complete_intra(ctx_, 0, bad, kAllParts), "mb_col");
    for (const int bad : {-1, kAllParts + 1})
        ExpectError(cudame_complete_intra(ctx_, 0, 0, bad), "parts");
    EXPECT_EQ(cudame_complete_intra(ctx_, rows - 1, cols - 1, kAllParts), 0);
    ASSERT_NO_FATAL_FAILURE(c_.End());
    ExpectError(cudame_complete_intra(ctx_, 0, 0, kAllParts), "no frame was begun");
}

TEST_F(LeanApi, ConfigIsChecked) {
    const auto create = [](cudame_config config) {
        cudame_context* ctx = nullptr;
        const int result = cudame_create(&ctx, &config, nullptr, 0);
        cudame_destroy(ctx);
        return result;
    };
    for (const int level : {-1, kLeanLevels})
        EXPECT_EQ(create(LeanConfig(level, 40, 20)), CUDAME_ERROR_INVALID);
    for (const cudame_mode mode : {CUDAME_MODE_FAST, CUDAME_MODE_SPLITMV, CUDAME_MODE_TEX})
        EXPECT_EQ(create(MakeConfig(40, 20, mode, CUDAME_SEARCH_LEAN)), CUDAME_ERROR_INVALID);
}

}  // namespace
