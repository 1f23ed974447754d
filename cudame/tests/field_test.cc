// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Whole fields against the naive implementation.

#include <gtest/gtest.h>

#include <tuple>

#include "session.h"

using naive::Content;
using naive::Image;

namespace {

constexpr cudame_mode kModes[] = {CUDAME_MODE_FAST, CUDAME_MODE_SPLITMV, CUDAME_MODE_TEX,
                                  CUDAME_MODE_FULL};
constexpr cudame_search kSearches[] = {CUDAME_SEARCH_DIAMOND, CUDAME_SEARCH_ITERATIVE,
                                       CUDAME_SEARCH_FULL};

class FieldTest : public ::testing::TestWithParam<std::tuple<cudame_mode, cudame_search, Content>> {
  protected:
    cudame_mode mode() const { return std::get<0>(GetParam()); }
    cudame_search search() const { return std::get<1>(GetParam()); }
    Content content() const { return std::get<2>(GetParam()); }

    // Search three frames, each predicted by the one before, with another kind of plane each time.
    void Compare(int width, int height, int range, cudame_filter filter, int sad_per_bit,
                 bool with_costs) {
        SCOPED_TRACE(::testing::Message()
                     << width << "x" << height << " range " << range << " filter " << filter
                     << " sad_per_bit " << sad_per_bit << " costs " << with_costs);
        const std::vector<int> row_costs = naive::MakeCosts(1), col_costs = naive::MakeCosts(2);
        naive::Params params = {mode(), search(), range, filter, {nullptr, nullptr}, sad_per_bit};
        if (with_costs) {
            params.mv_cost[0] = row_costs.data() + 1023;
            params.mv_cost[1] = col_costs.data() + 1023;
        }
        Session s(MakeConfig(width, height, mode(), search(), range));
        std::vector<naive::Record> previous;
        for (int time = 1; time <= 3; time++) {
            const Image source = naive::MakeImage(content(), width, height, time, 5);
            const Image reference = naive::MakeImage(content(), width, height, time - 1, 5);
            const PlaneBuffer source_plane(source, time == 2 ? 3 : 0, time == 3, time == 1);
            // copied; in place; copied from an aligned plane upside down
            const PlaneBuffer ref_plane(reference, time == 2 ? 32 : 0, time != 1, time == 3);
            ASSERT_EQ(s.Submit(static_cast<uint64_t>(time), ref_plane), 0);

            cudame_frame frame = {};
            frame.source = source_plane.plane();
            frame.ref_id[CUDAME_REF_LAST] = static_cast<uint64_t>(time);
            frame.filter = filter;
            frame.sad_per_bit = sad_per_bit;
            frame.mv_cost[0] = params.mv_cost[0];
            frame.mv_cost[1] = params.mv_cost[1];
            ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0) << cudame_last_error(s.ctx);
            const auto field = s.Field(CUDAME_REF_LAST);
            ASSERT_EQ(cudame_end_frame(s.ctx), 0);
            ASSERT_EQ(cudame_retire_reference(s.ctx, static_cast<uint64_t>(time)), 0);

            const auto expected =
                naive::Analyse(params, source, reference, time > 1 ? &previous : nullptr);
            ASSERT_TRUE(FieldsEqual(field, expected, s.cols)) << "frame " << time;
            previous = expected;
        }
    }
};

TEST_P(FieldTest, MatchesNaive) {
    Compare(48, 48, 7, CUDAME_FILTER_SIXTAP, 12, true);
    Compare(53, 35, 5, CUDAME_FILTER_BILINEAR, 30, true);
}

TEST_P(FieldTest, MatchesNaiveAtOddSizes) {
    Compare(1, 1, 16, CUDAME_FILTER_SIXTAP, 4, true);
    Compare(17, 16, 9, CUDAME_FILTER_SIXTAP, 0, true);
    Compare(31, 3, 12, CUDAME_FILTER_SIXTAP, 2047, true);
    Compare(2, 47, 3, CUDAME_FILTER_BILINEAR, 5, false);
}

TEST_P(FieldTest, MatchesNaiveAtLargeRange) {
    Compare(80, 16, search() == CUDAME_SEARCH_FULL ? 128 : 0, CUDAME_FILTER_SIXTAP, 6, true);
}

TEST_P(FieldTest, CpuMatchesNaiveOnEveryTarget) {
    OnEveryTarget([&] { Compare(50, 34, 6, CUDAME_FILTER_SIXTAP, 9, true); });
}

std::string ParamName(const ::testing::TestParamInfo<FieldTest::ParamType>& info) {
    static const char* const modes[] = {"", "Fast", "Splitmv", "Tex", "Full"};
    static const char* const searches[] = {"", "Diamond", "Iterative", "Full"};
    return std::string(modes[std::get<0>(info.param)]) + searches[std::get<1>(info.param)] + "_" +
           naive::Name(std::get<2>(info.param));
}

INSTANTIATE_TEST_SUITE_P(All, FieldTest,
                         ::testing::Combine(::testing::ValuesIn(kModes),
                                            ::testing::ValuesIn(kSearches),
                                            ::testing::ValuesIn(naive::kContents)),
                         ParamName);

}  // namespace
