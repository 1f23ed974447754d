// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Planes, geometry and search maps.

#include "common/plane.h"

#include <gtest/gtest.h>

#include <set>

#include "common/diamond_map.h"
#include "common/error.h"
#include "common/mv_cost.h"
#include "common/partition_tree.h"
#include "cpu/padded_plane.h"
#include "session.h"

using namespace cudame;
using naive::Content;
using naive::Image;

namespace {

constexpr int kSizes[][2] = {{1, 1}, {16, 16}, {17, 15}, {33, 48}, {5, 100}, {64, 2}};

TEST(PaddedPlane, ReplicatesEdges) {
    for (const auto& size : kSizes)
        for (const bool aligned : {false, true})
            for (const int step : {1, 7, 1000}) {
                SCOPED_TRACE(::testing::Message() << size[0] << "x" << size[1] << " aligned "
                                                  << aligned << " rows at once " << step);
                const Image image = naive::MakeImage(Content::kRandom, size[0], size[1], 0, 3);
                const PlaneBuffer buffer(image, 0, aligned, step == 7);
                const Geometry g = MakeGeometry(size[0], size[1]);
                PaddedPlane padded(g);
                const int height = buffer.plane().height;
                for (int y = 0; y < height; y += step)
                    padded.CopyRows(buffer.plane(), y, std::min(step, height - y));
                const PlaneView v = padded.view();
                for (int y = -CUDAME_REF_BORDER; y < g.mb_height() + CUDAME_REF_BORDER; y++)
                    for (int x = -CUDAME_REF_BORDER; x < g.mb_width() + CUDAME_REF_BORDER; x++)
                        ASSERT_EQ(v.data[y * v.stride + x], image.clamped(x, y))
                            << "at " << x << "," << y;
            }
}

TEST(Plane, FetchMacroblockReplicatesEdges) {
    for (const auto& size : kSizes) {
        const Image image = naive::MakeImage(Content::kRandom, size[0], size[1], 0, 4);
        const PlaneBuffer buffer(image, 0, false, size[0] % 2);
        const Geometry g = MakeGeometry(size[0], size[1]);
        for (int r = 0; r < g.mb_rows; r++)
            for (int c = 0; c < g.mb_cols; c++) {
                uint8_t mb[256];
                FetchMacroblock(buffer.plane(), r, c, mb);
                for (int y = 0; y < 16; y++)
                    for (int x = 0; x < 16; x++)
                        ASSERT_EQ(mb[16 * y + x], image.clamped(16 * c + x, 16 * r + y))
                            << size[0] << "x" << size[1] << " row " << r << " column " << c
                            << " at " << x << "," << y;
            }
    }
}

TEST(Plane, UsableInPlaceNeedsTheWholeBorder) {
    const Geometry g = MakeGeometry(30, 40);  // 32x48 in whole macroblocks
    const Image image(30, 40);
    EXPECT_TRUE(UsableInPlace(PlaneBuffer(image, 32, true).plane(), g));
    EXPECT_FALSE(UsableInPlace(PlaneBuffer(image, 31, true).plane(), g));
    EXPECT_TRUE(UsableInPlace(PlaneBuffer(image, 40, false).plane(), g));
    EXPECT_FALSE(UsableInPlace(PlaneBuffer(image, 39, false).plane(), g));
    EXPECT_FALSE(UsableInPlace(PlaneBuffer(image, 0, true).plane(), g));
    // The plane is wider than the frame, so that other pixels lie where the border would be.
    EXPECT_FALSE(UsableInPlace(PlaneBuffer(Image(33, 40), 40, false).plane(), g));
    EXPECT_FALSE(UsableInPlace(PlaneBuffer(Image(30, 49), 40, false).plane(), g));
}

TEST(Plane, CheckNamesTheFault) {
    const Geometry g = MakeGeometry(30, 40);
    const Image image(30, 40);
    const PlaneBuffer buffer(image, 0, false);
    auto text = [&](auto change) {
        cudame_plane plane = buffer.plane();
        change(plane);
        try {
            CheckPlane(plane, g, "source");
        } catch (const Error& e) {
            return std::string(e.what());
        }
        return std::string();
    };
    EXPECT_EQ(text([](cudame_plane&) {}), "");
    EXPECT_EQ(text([](cudame_plane& p) { p.data = nullptr; }), "source: no data");
    EXPECT_EQ(text([](cudame_plane& p) { p.width = 29; }),
              "source has 29x40 pixels, the frame 30x40");
    EXPECT_EQ(text([](cudame_plane& p) { p.stride = 29; }),
              "source: stride 29 is less than width and borders");
    EXPECT_EQ(text([](cudame_plane& p) { p.border = -1; }), "source: negative border");
}

TEST(Geometry, LegalWindowIs16PixelsBeyondTheFrame) {
    const Geometry g = MakeGeometry(33, 16);
    const Window w = LegalWindow(g, 0, 1);
    EXPECT_EQ(w.x0, -32);
    EXPECT_EQ(w.x1, 32);
    EXPECT_EQ(w.y0, -16);
    EXPECT_EQ(w.y1, 16);
    EXPECT_TRUE(w.ContainsQuarter(-64, 128));
    EXPECT_FALSE(w.ContainsQuarter(-65, 0));
    EXPECT_FALSE(w.ContainsQuarter(0, 129));

    const Geometry largest = MakeGeometry(CUDAME_MAX_DIMENSION, CUDAME_MAX_DIMENSION);
    for (const Window v : {LegalWindow(largest, 0, 1023), LegalWindow(largest, 1023, 0)})
        for (const Vec corner : {Vec{v.x0, v.y0}, Vec{v.x1, v.y1}}) {
            EXPECT_EQ(ToQuarter(corner).col, 4 * corner.x);
            EXPECT_EQ(ToQuarter(corner).row, 4 * corner.y);
        }
}

TEST(DiamondMap, IsAsThePaperDescribesIt) {
    std::set<std::pair<int, int>> seen;
    int min_x = 0, max_x = 0, min_y = 0, max_y = 0;
    for (const Step s : kDiamond) {
        EXPECT_TRUE(seen.insert({s.y, s.x}).second) << "twice: " << +s.x << "," << +s.y;
        min_x = std::min<int>(min_x, s.x);
        max_x = std::max<int>(max_x, s.x);
        min_y = std::min<int>(min_y, s.y);
        max_y = std::max<int>(max_y, s.y);
    }
    EXPECT_EQ(seen.size(), 127u);
    EXPECT_TRUE(seen.count({0, 0}));
    EXPECT_EQ(min_x, -16);
    EXPECT_EQ(max_x, 16);
    EXPECT_EQ(min_y, -12);
    EXPECT_EQ(max_y, 12);
    for (const auto& [y, x] : seen) {
        EXPECT_TRUE(seen.count({-y, x}) && seen.count({y, -x})) << x << "," << y;
        for (const auto& [v, u] : seen)
            if (v != y || u != x) {
                EXPECT_GE((v - y) * (v - y) + (u - x) * (u - x), 4)
                    << x << "," << y << " and " << u << "," << v;
            }
    }
    EXPECT_TRUE(std::is_sorted(kDiamond.begin(), kDiamond.end(), [](Step a, Step b) {
        return std::make_pair(a.y, a.x) < std::make_pair(b.y, b.x);
    }));
    EXPECT_EQ(kRefinement.size(), 15u);
}

TEST(DiamondMap, RefinementReachesEveryPixelInside) {
    std::set<std::pair<int, int>> reached;
    for (const Step s : kDiamond)
        for (const Step r : kRefinement) reached.insert({s.x + r.x, s.y + r.y});
    for (int y = -12; y <= 12; y++)
        for (int x = -16; x <= 16; x++)
            if (3 * std::abs(x) + 4 * std::abs(y) <= 48) {
                EXPECT_TRUE(reached.count({x, y})) << x << "," << y;
            }
}

TEST(PartitionTree, BlocksCoverTheirParts) {
    int coverage[kBlockSizes][16][16] = {};
    for (int b = 0; b < CUDAME_BLOCKS; b++) {
        const Block block = BlockAt(b);
        for (int y = 0; y < block.height(); y++)
            for (int x = 0; x < block.width(); x++)
                coverage[block.size][block.y + y][block.x + x]++;
    }
    for (const auto& size : coverage)
        for (const auto& row : size)
            for (const int n : row) EXPECT_EQ(n, 1);
}

TEST(MvCost, RatesClampAndSaturate) {
    const std::vector<int> costs = naive::MakeCosts(1);
    CostTables tables;
    const int* const mv_cost[2] = {costs.data() + 1023, nullptr};
    tables.Set(mv_cost, 256);
    const MvRate rate = {&tables, {8, -8}};
    EXPECT_EQ(rate.At(8, 0), costs[1023]);
    EXPECT_EQ(rate.At(-1015, 0), costs[0]);
    EXPECT_EQ(rate.At(-3000, 0), costs[0]);
    EXPECT_EQ(rate.At(3000, 0), costs[2046]);
    EXPECT_EQ(ScaleRate(2 * kMaxCost, kMaxSadPerBit), kMaxRate);

    const std::vector<int> wild(2047, -5);
    const int* const negative[2] = {wild.data() + 1023, nullptr};
    tables.Set(negative, 100);
    EXPECT_EQ(rate.At(0, 0), 0);
}

}  // namespace
