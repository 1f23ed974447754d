// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The lean search: whole fields against the naive implementation.

#include "common/lean.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <string>
#include <tuple>
#include <utility>

#include "lean_comparison.h"

using namespace lean;
using naive::Content;
using naive::Image;

namespace {

void Compare(const Settings& settings, const std::vector<Image>& images,
             const std::vector<Slots>& sequence, std::vector<Fields>* results = nullptr) {
    SCOPED_TRACE(::testing::Message()
                 << images[0].width << "x" << images[0].height << " filter " << settings.filter
                 << " sad_per_bit " << settings.sad_per_bit << " costs " << settings.with_costs);
    Comparison both(settings, images);
    for (size_t n = 0; n < sequence.size(); n++) {
        ASSERT_NO_FATAL_FAILURE(both.Begin(n, sequence[n]));
        const Fields found = both.Found();
        ASSERT_NO_FATAL_FAILURE(both.End());
        for (const auto& [slot, field] : both.Expected())
            ASSERT_TRUE(FieldsEqual(found.at(slot), field, both.session().cols))
                << "frame " << n << " slot " << slot;
        if (results) results->push_back(found);
    }
}

class LeanTest : public ::testing::TestWithParam<std::tuple<int, Content>> {
  protected:
    int level() const { return std::get<0>(GetParam()); }

    void Compare(int width, int height, cudame_filter filter, int sad_per_bit, bool with_costs,
                 const std::vector<Slots>& sequence = kOneReference) {
        ::Compare({level(), filter, sad_per_bit, with_costs},
                  MakeImages(std::get<1>(GetParam()), width, height, sequence.size() + 1),
                  sequence);
    }
};

TEST_P(LeanTest, MatchesNaive) {
    Compare(48, 48, CUDAME_FILTER_SIXTAP, 12, true);
    Compare(53, 35, CUDAME_FILTER_BILINEAR, 30, true);
}

TEST_P(LeanTest, MatchesNaiveAtOddSizes) {
    Compare(1, 1, CUDAME_FILTER_SIXTAP, 4, true);
    Compare(17, 16, CUDAME_FILTER_SIXTAP, 0, true);
    Compare(31, 3, CUDAME_FILTER_SIXTAP, 2047, true);
    Compare(2, 47, CUDAME_FILTER_BILINEAR, 5, false);
    Compare(80, 16, CUDAME_FILTER_SIXTAP, 6, true);
}

TEST_P(LeanTest, MatchesNaiveOfThreeReferences) {
    Compare(66, 40, CUDAME_FILTER_SIXTAP, 12, true, kThreeReferences);
    Compare(40, 20, CUDAME_FILTER_BILINEAR, 3, false, kThreeReferences);
}

TEST_P(LeanTest, CpuMatchesNaiveOnEveryTarget) {
    OnEveryTarget([&] {
        Compare(50, 34, CUDAME_FILTER_SIXTAP, 9, true, kThreeReferences);
        Compare(34, 18, CUDAME_FILTER_BILINEAR, 9, true);
    });
}

INSTANTIATE_TEST_SUITE_P(All, LeanTest,
                         ::testing::Combine(::testing::Range(0, kLeanLevels),
                                            ::testing::ValuesIn(naive::kContents)),
                         [](const auto& info) {
                             return "Level" + std::to_string(std::get<0>(info.param)) + "_" +
                                    naive::Name(std::get<1>(info.param));
                         });

class LeanLevelTest : public ::testing::TestWithParam<int> {};

// Return a part of a smooth scene. Its shrunk version looks like the scene at every phase.
Image View(int x0, int y0, int width, int height) {
    constexpr int kCell = 16;
    static const Image knots = naive::MakeImage(Content::kRandom, 20, 16, 0, 5);
    Image out(width, height);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int sum = 0;
            for (int j = 0; j < 2; j++)
                for (int i = 0; i < 2; i++) {
                    const int u = (x0 + x) % kCell, v = (y0 + y) % kCell;
                    sum += (i ? u : kCell - u) * (j ? v : kCell - v) *
                           knots.at((x0 + x) / kCell + i, (y0 + y) / kCell + j);
                }
            out.at(x, y) = static_cast<uint8_t>(sum / (kCell * kCell));
        }
    return out;
}

// Motion that only the coarse level can find. In the second frame the last field's vectors mislead.
TEST_P(LeanLevelTest, MatchesNaiveOfFastMotion) {
    constexpr int kAt[3][2] = {{64, 64}, {104, 40}, {56, 70}};
    std::vector<Image> images;
    for (const auto& at : kAt) images.push_back(View(at[0], at[1], 112, 80));
    std::vector<Fields> results;
    ASSERT_NO_FATAL_FAILURE(
        Compare({GetParam()}, images, {{{0, 1, 0, 0}}, {{0, 2, 0, 0}}}, &results));
    // The motion is (40, -24) pixels, then (-48, 30). Some macroblocks find the first.
    int found = 0;
    for (const naive::Record& r : results[0][CUDAME_REF_LAST])
        found += r.mv[0].col == 4 * 40 && r.mv[0].row == 4 * -24;
    EXPECT_GE(found, 3);
}

// A macroblock that moved further along a slope than a descent may go.
TEST_P(LeanLevelTest, MatchesNaiveWhereTheDescentStops) {
    Image reference(128, 48), source(128, 48);
    for (int y = 0; y < 48; y++)
        for (int x = 0; x < 128; x++) {
            reference.at(x, y) = static_cast<uint8_t>(2 * x);
            source.at(x, y) = static_cast<uint8_t>(2 * (x / 16 == 1 && y < 16 ? x + 80 : x));
        }
    std::vector<Fields> results;
    ASSERT_NO_FATAL_FAILURE(Compare({GetParam(), CUDAME_FILTER_SIXTAP, 0, false},
                                    {reference, source}, {{{0, 1, 0, 0}}}, &results));
    const int furthest = cudame::kLeanMoves + cudame::kLeanLevel[GetParam()].box;
    const int col = results[0][CUDAME_REF_LAST][1].mv[0].col;
    EXPECT_GE(col, 4 * furthest);
    EXPECT_LT(col, 4 * furthest + 4);
}

// Rows that a device searches in bands wait for the rows below in every pass.
TEST_P(LeanLevelTest, MatchesNaiveInBands) {
    for (const int band_rows : {1, 2, 3}) {
        Settings settings;
        settings.level = GetParam();
        settings.band_rows = band_rows;
        Compare(settings, MakeImages(Content::kMoving, 40, 100, kThreeReferences.size() + 1),
                kThreeReferences);
    }
}

// Noise that moved by half a coarse pixel, so that the shrunk frames do not match.
TEST_P(LeanLevelTest, MatchesNaiveWhereVectorsSpread) {
    const struct {
        int x, y;
        bool on_cross;
    } kMotions[] = {{0, 30, true}, {-26, 0, true}, {12, 12, false}};
    for (const auto& v : kMotions) {
        const Image reference = naive::MakeImage(Content::kRandom, 80, 80, 0, 5);
        Image source(80, 80);
        for (int y = 0; y < 80; y++)
            for (int x = 0; x < 80; x++) source.at(x, y) = reference.clamped(x + v.x, y + v.y);
        std::vector<Fields> results;
        ASSERT_NO_FATAL_FAILURE(
            Compare({GetParam()}, {reference, source}, {{{0, 1, 0, 0}}}, &results));
        // Counts of macroblocks whose pixels are in the reference: those with the right vector, and
        // all.
        int here = 0, all = 0;
        for (int row = 0; row < 5; row++)
            for (int col = 0; col < 5; col++) {
                const int x = 16 * col + v.x, y = 16 * row + v.y;
                if (x < 0 || y < 0 || x > 64 || y > 64) continue;
                const cudame_mv mv =
                    results[0][CUDAME_REF_LAST][static_cast<size_t>(5 * row + col)].mv[0];
                here += mv.row == 4 * v.y && mv.col == 4 * v.x;
                all++;
            }
        if (v.on_cross) {
            EXPECT_GT(2 * here, all) << v.x << ", " << v.y;
        } else {
            EXPECT_GT(here, 0) << v.x << ", " << v.y;
        }
    }
}

// Macroblocks that come from anywhere, so that no vector leads there. Drawn ones are found in the
// whole box, up to its corners; noise is not found.
TEST_P(LeanLevelTest, MatchesNaiveWhereDrawnMacroblocksComeFromAnywhere) {
    constexpr int kSide = 112, kMbs = kSide / 16;
    const int range = cudame::kLeanLevel[GetParam()].drawn;
    for (const bool drawn : {true, false}) {
        SCOPED_TRACE(drawn ? "drawn" : "noise");
        const Image noise =
            naive::MakeImage(drawn ? Content::kExtreme : Content::kRandom, kSide, kSide, 0, 5);
        Image reference(kSide, kSide), source(kSide, kSide);
        for (int y = 0; y < kSide; y++)
            for (int x = 0; x < kSide; x++)
                reference.at(x, y) = drawn ? noise.at(x / 3, y / 3) : noise.at(x, y);
        const auto from = [&](int row, int col) {
            if (row == 0 && col == 0) return std::pair(range, range);
            if (row == kMbs - 1 && col == kMbs - 1) return std::pair(-range, -range);
            return std::pair((row * 37 + col * 23) % 97 - 16 * col,
                             (row * 29 + col * 41) % 97 - 16 * row);
        };
        for (int y = 0; y < kSide; y++)
            for (int x = 0; x < kSide; x++) {
                const auto [dx, dy] = from(y / 16, x / 16);
                source.at(x, y) = reference.at(x + dx, y + dy);
            }
        std::vector<Fields> results;
        ASSERT_NO_FATAL_FAILURE(Compare({GetParam()}, {reference, source, noise},
                                        {{{0, 1, 0, 0}}, {{0, 2, 1, 0}}}, &results));
        int found = 0, all = 0;
        for (int row = 0; row < kMbs; row++)
            for (int col = 0; col < kMbs; col++) {
                const auto [dx, dy] = from(row, col);
                if (std::max(std::abs(dx), std::abs(dy)) > range) continue;
                const cudame_mv mv =
                    results[0][CUDAME_REF_LAST][static_cast<size_t>(kMbs * row + col)].mv[0];
                found += mv.col == 4 * dx && mv.row == 4 * dy;
                all++;
            }
        if (!range) continue;
        EXPECT_GT(all, 4);
        if (drawn) {
            EXPECT_EQ(found, all);
        } else {
            EXPECT_LT(found, all);
        }
    }
}

// The arms of the cross of the coarse level differ in length.
TEST_P(LeanLevelTest, MatchesNaiveAtTheEndsOfTheCross) {
    const bool grid_is_as_large = GetParam() < 2;
    for (const bool across : {true, false}) {
        const int width = across ? 192 : 16, height = across ? 16 : 192;
        const Image reference = naive::MakeImage(Content::kRandom, width, height, 0, 5);
        // Content before column 64 moved by 128 pixels; content from column 128 on by -128.
        Image source(width, height);
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++) {
                const int at = across ? x : y, from = at < 128 ? (at + 128) % 192 : at - 128;
                source.at(x, y) = across ? reference.at(from, y) : reference.at(x, from);
            }
        std::vector<Fields> results;
        ASSERT_NO_FATAL_FAILURE(
            Compare({GetParam()}, {reference, source}, {{{0, 1, 0, 0}}}, &results));
        const auto& field = results[0][CUDAME_REF_LAST];
        const auto along = [&](size_t mb) {
            return across ? field[mb].mv[0].col : field[mb].mv[0].row;
        };
        EXPECT_EQ(along(0) == 4 * 128, grid_is_as_large) << along(0);
        EXPECT_EQ(along(11), 4 * -128);
    }
}

// One reference does not match. The other matches so well that its search ends early: nearly at
// once, or after the candidates.
TEST_P(LeanLevelTest, MatchesNaiveWhereTheSecondReferenceIsStill) {
    Settings settings;
    settings.level = GetParam();
    settings.sad_per_bit = 40;
    settings.with_costs = false;
    Image other(64, 16), reference(64, 16), source(64, 16);
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 64; x++) {  // slopes that moved by a pixel
            other.at(x, y) = 255;
            reference.at(x, y) = static_cast<uint8_t>(x < 32 ? x : 2 * x);
            source.at(x, y) = static_cast<uint8_t>(x < 32 ? x + 1 : 2 * x + 2);
        }
    std::vector<Fields> results;
    ASSERT_NO_FATAL_FAILURE(
        Compare(settings, {other, reference, source}, {{}, {{0, 1, 2, 0}}}, &results));
    const auto& field = results[1][CUDAME_REF_GOLDEN];
    EXPECT_EQ(field[0].dist_zero, 256);
    EXPECT_EQ(field[2].dist_zero, 512);
    for (const size_t mb : {0, 2})
        EXPECT_EQ(field[mb].mv[0].col, cudame::kLeanLevel[GetParam()].still ? 0 : 4) << mb;
}

// The first reference matches so well that another, better one does not count, not even for the
// decision whether the first one's vector gets sub-pel neighbours.
TEST_P(LeanLevelTest, MatchesNaiveWhereTheFirstReferenceIsAlone) {
    const cudame::LeanLevel& level = cudame::kLeanLevel[GetParam()];
    Settings settings;
    settings.level = GetParam();
    settings.sad_per_bit = 4;
    settings.with_costs = false;
    Image half_a_pixel_off(64, 16), source(64, 16);
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 64; x++) {
            source.at(x, y) = static_cast<uint8_t>(2 * x + 40);
            half_a_pixel_off.at(x, y) = static_cast<uint8_t>(2 * x + 41);
        }
    std::vector<Fields> results;
    ASSERT_NO_FATAL_FAILURE(
        Compare(settings, {half_a_pixel_off, source, source}, {{}, {{0, 1, 2, 0}}}, &results));
    constexpr int kSad = 256;
    const bool alone = kSad <= level.alone * 4, still = kSad <= level.still * 4;
    EXPECT_EQ(results[1][CUDAME_REF_LAST][1].mv[0].col, alone && !still ? -2 : 0);
}

// Motion of a quarter pixel, which a level does not try if it accepts the present distortion.
TEST_P(LeanLevelTest, MatchesNaiveWhereAQuarterPelFits) {
    Settings settings;
    settings.level = GetParam();
    settings.with_costs = false;
    Image reference(64, 16), source(64, 16);
    for (int y = 0; y < 16; y++)
        for (int x = 0; x < 64; x++) {
            source.at(x, y) = static_cast<uint8_t>(4 * x);
            reference.at(x, y) = static_cast<uint8_t>(4 * x + 1);
        }
    constexpr int kSatd = 128;
    const int quarter = cudame::kLeanLevel[GetParam()].quarter;
    for (const int sad_per_bit : {0, 1}) {
        SCOPED_TRACE(sad_per_bit);
        settings.sad_per_bit = sad_per_bit;
        std::vector<Fields> results;
        ASSERT_NO_FATAL_FAILURE(Compare(settings, {reference, source}, {{{0, 1, 0, 0}}}, &results));
        EXPECT_EQ(results[0][CUDAME_REF_LAST][1].mv[0].col, kSatd < quarter * sad_per_bit ? 0 : -1);
    }
}

// The compared frames have macroblocks of every case.
TEST_P(LeanLevelTest, MatchesNaiveInEveryCase) {
    Settings settings;
    settings.level = GetParam();
    std::vector<Image> images = MakeImages(Content::kMoving, 96, 64, 3);
    // A part does not change.
    for (int y = 16; y < 48; y++)
        for (int x = 0; x < 48; x++)
            for (size_t n = 1; n < images.size(); n++) images[n].at(x, y) = images[0].at(x, y);
    std::vector<Fields> results;
    ASSERT_NO_FATAL_FAILURE(Compare(settings, images, {{{0, 1, 0, 0}}, {{0, 2, 1, 0}}}, &results));
    std::map<std::string, int> cases;
    for (const auto& result : results)
        for (const auto& [slot, field] : result)
            for (const naive::Record& r : field) {
                cases["split"] += r.flags == CUDAME_MB_SPLIT;
                cases["not split"] += r.flags == 0;
                cases["half"] += (r.mv[0].row % 4 == 2 || r.mv[0].col % 4 == 2);
                cases["quarter"] += (r.mv[0].row % 2 || r.mv[0].col % 2);
                cases["not searched"] += slot != CUDAME_REF_LAST && r.dist_zero == 65535;
                cases["searched"] += slot != CUDAME_REF_LAST && r.dist_zero != 65535;
            }
    for (const char* what : {"not split", "half", "quarter", "not searched", "searched"})
        EXPECT_GT(cases[what], 0) << what;
    EXPECT_EQ(cases["split"] > 0, cudame::kLeanLevel[GetParam()].split > 0) << cases["split"];
}

TEST_P(LeanLevelTest, ThreadsDoNotChangeTheResult) {
    Settings settings;
    settings.level = GetParam();
    const std::vector<Image> images =
        MakeImages(Content::kMoving, 150, 101, kThreeReferences.size() + 1);
    std::vector<Fields> first;
    for (const int threads : {1, 3, 8}) {
        Comparison c(settings, images, threads);
        for (size_t n = 0; n < kThreeReferences.size(); n++) {
            ASSERT_NO_FATAL_FAILURE(c.Begin(n, kThreeReferences[n]));
            const Fields fields = c.Found();
            ASSERT_NO_FATAL_FAILURE(c.End());
            if (threads == 1) {
                first.push_back(fields);
                continue;
            }
            for (const auto& [slot, field] : first[n])
                EXPECT_TRUE(FieldsEqual(fields.at(slot), field, c.session().cols))
                    << threads << " threads, frame " << n << " slot " << slot;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(All, LeanLevelTest, ::testing::Range(0, kLeanLevels),
                         [](const auto& info) { return "Level" + std::to_string(info.param); });

}  // namespace
