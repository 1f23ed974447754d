// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The vectors that the C interface returns: they find motion and are legal, they are predicted from
// the fields of the previous frame, and frames may be large.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "frame_fixture.h"

using naive::Content;
using naive::Image;

namespace {

TEST_F(FrameTest, DefaultSearchIsLeanForModeFullAndDiamondForOthers) {
    for (const cudame_mode mode :
         {CUDAME_MODE_FAST, CUDAME_MODE_SPLITMV, CUDAME_MODE_TEX, CUDAME_MODE_FULL}) {
        std::vector<naive::Record> fields[2];
        for (const bool is_default : {false, true}) {
            cudame_config config = MakeConfig(kWidth, kHeight, mode);
            config.search = is_default                 ? CUDAME_SEARCH_DEFAULT
                            : mode == CUDAME_MODE_FULL ? CUDAME_SEARCH_LEAN
                                                       : CUDAME_SEARCH_DIAMOND;
            Session s(config);
            ASSERT_EQ(s.Submit(1, p0_), 0);
            const cudame_frame frame = MakeFrame(p1_, 1);
            ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
            fields[is_default] = s.Field(CUDAME_REF_LAST);
            ASSERT_EQ(cudame_end_frame(s.ctx), 0);
        }
        EXPECT_TRUE(FieldsEqual(fields[1], fields[0], (kWidth + 15) / 16)) << "mode " << mode;
    }
}

TEST_F(FrameTest, PixelsBeyondTheMacroblocksAreNotUsed) {
    // The plane is larger than the frame's 80x64 pixels of whole macroblocks.
    const Image large = naive::MakeImage(Content::kRandom, 120, 90, 0, 4);
    Image whole(80, 64);
    for (int y = 0; y < whole.height; y++)
        for (int x = 0; x < whole.width; x++) whole.at(x, y) = large.at(x, y);
    for (const int border : {0, 40}) {
        Session s(config_);
        const PlaneBuffer cut(whole, 0, false), plane(large, border, false);
        ASSERT_EQ(s.Submit(1, cut), 0);
        ASSERT_EQ(s.Submit(2, plane), 0);
        // The source has the pixels beyond the edge, so vectors that lead there would be good.
        const PlaneBuffer source(large, 0, false);
        cudame_plane shifted = source.plane();
        shifted.data += 14 * shifted.stride + 14;
        shifted.width -= 14;
        shifted.height -= 14;
        cudame_frame frame = MakeFrame(p1_, 1, 2);
        frame.source = shifted;
        ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
        EXPECT_TRUE(FieldsEqual(s.Field(CUDAME_REF_GOLDEN), s.Field(CUDAME_REF_LAST), s.cols))
            << "border " << border;
        ASSERT_EQ(cudame_end_frame(s.ctx), 0);
    }
}

TEST_F(FrameTest, ShiftedContentIsFoundAndNotShiftedFurther) {
    // Even and odd displacements: the code released with grossi-2018 compared wrong rows for odd
    // ones.
    const Image base = naive::MakeImage(Content::kRandom, 128, 128, 0, 2);
    for (const int dx : {-5, -4, 0, 3, 6})
        for (const int dy : {-7, -2, 0, 1, 4}) {
            Image moved(128, 128);
            for (int y = 0; y < 128; y++)
                for (int x = 0; x < 128; x++)
                    moved.at(x, y) = static_cast<uint8_t>(base.clamped(x + dx, y + dy));
            const PlaneBuffer source(moved, 0, false), reference(base, 0, false);
            for (const cudame_mode mode :
                 {CUDAME_MODE_FAST, CUDAME_MODE_SPLITMV, CUDAME_MODE_TEX, CUDAME_MODE_FULL}) {
                Session s(MakeConfig(128, 128, mode, CUDAME_SEARCH_FULL, 8));
                ASSERT_EQ(s.Submit(1, reference), 0);
                const cudame_frame frame = MakeFrame(source, 1);
                ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
                const auto field = s.Field(CUDAME_REF_LAST);
                // Away from the edges all blocks match exactly.
                for (int r = 1; r < 7; r++)
                    for (int c = 1; c < 7; c++)
                        for (int b = 0; b < (mode == CUDAME_MODE_FAST ? 1 : CUDAME_BLOCKS); b++) {
                            const naive::Record& mb = field[static_cast<size_t>(r * 8 + c)];
                            ASSERT_EQ(mb.mv[b].col, 4 * dx) << "mode " << mode << " block " << b;
                            ASSERT_EQ(mb.mv[b].row, 4 * dy) << "mode " << mode << " block " << b;
                            ASSERT_EQ(mb.dist[b], 0);
                        }
            }
        }
}

// Motion as far as the coarse level looks: in all directions, or along a cross with
// CUDAME_MODE_FAST.
TEST_F(FrameTest, ScrollsAreFound) {
    constexpr int kSize = 352, kCols = kSize / 16;
    const Image cells = naive::MakeImage(Content::kRandom, kSize / 4, kSize / 4, 0, 2);
    for (const auto& [dx, dy] :
         {std::pair(0, -128), std::pair(0, 124), std::pair(-128, 0), std::pair(124, 0),
          std::pair(-64, 124), std::pair(124, -32), std::pair(-96, 120)}) {
        Image base(kSize, kSize), moved(kSize, kSize);
        const auto pixel = [&](int x, int y) {
            return static_cast<uint8_t>(cells.clamped(x >> 2, y >> 2));
        };
        for (int y = 0; y < kSize; y++)
            for (int x = 0; x < kSize; x++) {
                base.at(x, y) = pixel(x, y);
                moved.at(x, y) = pixel(x + dx, y + dy);
            }
        const PlaneBuffer source(moved, 0, false), reference(base, 0, false);
        struct Case {
            cudame_mode mode;
            cudame_search search;
        };
        for (const Case c : {Case{CUDAME_MODE_FULL, CUDAME_SEARCH_DIAMOND},
                             Case{CUDAME_MODE_FULL, CUDAME_SEARCH_ITERATIVE},
                             Case{CUDAME_MODE_FULL, CUDAME_SEARCH_FULL},
                             Case{CUDAME_MODE_FAST, CUDAME_SEARCH_DIAMOND},
                             Case{CUDAME_MODE_FAST, CUDAME_SEARCH_ITERATIVE}}) {
            if (c.mode == CUDAME_MODE_FAST && dx == -96) continue;
            Session s(MakeConfig(kSize, kSize, c.mode, c.search, 16));
            ASSERT_EQ(s.Submit(1, reference), 0);
            const cudame_frame frame = MakeFrame(source, 1);
            ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
            const auto field = s.Field(CUDAME_REF_LAST);
            const auto inside = [](int mb, int d) {
                return 16 * mb + d >= 16 && 16 * mb + d <= kSize - 32;
            };
            for (int r = 0; r < kCols; r++)
                for (int col = 0; col < kCols; col++) {
                    if (!inside(r, dy) || !inside(col, dx)) continue;
                    const naive::Record& mb = field[static_cast<size_t>(r * kCols + col)];
                    ASSERT_EQ(mb.mv[0].col, 4 * dx)
                        << "search " << c.search << " at " << r << "," << col;
                    ASSERT_EQ(mb.mv[0].row, 4 * dy)
                        << "search " << c.search << " at " << r << "," << col;
                }
        }
    }
}

TEST_F(FrameTest, VectorsAreLegalAndDistortionsTrue) {
    // The border of the reference is like the source and its inside is not, so that it attracts
    // vectors.
    for (const auto& [width, height] : {std::pair(70, 50), std::pair(16, 176), std::pair(33, 1)}) {
        const Image source = naive::MakeImage(Content::kFlat, width, height, 0, 1);
        Image reference = naive::MakeImage(Content::kRandom, width, height, 0, 1);
        for (int x = 0; x < width; x++) reference.at(x, 0) = reference.at(x, height - 1) = 77;
        for (int y = 0; y < height; y++) reference.at(0, y) = reference.at(width - 1, y) = 77;
        const PlaneBuffer s_plane(source, 0, false), r_plane(reference, 0, false);
        Session s(MakeConfig(width, height, CUDAME_MODE_FULL, CUDAME_SEARCH_FULL, 64));
        ASSERT_EQ(s.Submit(1, r_plane), 0);
        cudame_frame frame = MakeFrame(s_plane, 1);
        frame.mv_cost[0] = frame.mv_cost[1] = nullptr;
        ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
        const auto field = s.Field(CUDAME_REF_LAST);
        for (int r = 0; r < s.rows; r++)
            for (int c = 0; c < s.cols; c++)
                for (const cudame_mv mv : field[static_cast<size_t>(r * s.cols + c)].mv) {
                    EXPECT_GE(mv.col, -4 * (16 * c + 16));
                    EXPECT_LE(mv.col, 4 * (16 * (s.cols - 1 - c) + 16));
                    EXPECT_GE(mv.row, -4 * (16 * r + 16));
                    EXPECT_LE(mv.row, 4 * (16 * (s.rows - 1 - r) + 16));
                }
    }
}

// The stride is too long for the CPU backend's offsets of vectors, so it copies the plane.
TEST_F(FrameTest, RowsFarApartAreTheSameRows) {
    const cudame_plane& narrow = p0_.plane();
    cudame_plane wide = narrow;
    wide.stride = 200000;
    const int rows = wide.height + 2 * wide.border, bytes = wide.width + 2 * wide.border;
    std::vector<uint8_t> store(static_cast<size_t>(wide.stride) * rows);
    for (int y = 0; y < rows; y++)
        memcpy(store.data() + y * wide.stride,
               narrow.data + (y - wide.border) * narrow.stride - wide.border,
               static_cast<size_t>(bytes));
    const auto field_of = [&](const cudame_plane& reference) {
        Session s(MakeConfig(kWidth, kHeight, CUDAME_MODE_FULL, CUDAME_SEARCH_LEAN));
        EXPECT_EQ(cudame_submit_reference(s.ctx, 1, &reference, 0, reference.height), 0);
        const cudame_frame frame = MakeFrame(p1_, 1);
        EXPECT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
        const auto field = s.Field(CUDAME_REF_LAST);
        EXPECT_EQ(cudame_end_frame(s.ctx), 0);
        cudame_stats stats;
        cudame_get_stats(s.ctx, &stats);
        EXPECT_EQ(stats.ref_bytes > 0,
                  TestBackend() == CUDAME_BACKEND_CUDA || reference.stride != narrow.stride);
        return field;
    };
    const auto expected = field_of(narrow);
    const int cols = (kWidth + 15) / 16;
    wide.data = store.data() + wide.border * wide.stride + wide.border;
    EXPECT_TRUE(FieldsEqual(field_of(wide), expected, cols));
    // the same picture, stored from its last row on
    for (int y = 0; y < rows / 2; y++)
        std::swap_ranges(store.data() + y * wide.stride, store.data() + y * wide.stride + bytes,
                         store.data() + (rows - 1 - y) * wide.stride);
    wide.data = store.data() + (rows - 1 - wide.border) * wide.stride + wide.border;
    wide.stride = -wide.stride;
    EXPECT_TRUE(FieldsEqual(field_of(wide), expected, cols));
}

// Each slot is predicted from its own last field, also if slots share a reference for some frames
// or are not searched in some frames.
TEST_F(FrameTest, EachSlotPredictsItself) {
    Session s(config_);
    ASSERT_EQ(s.Submit(1, p0_), 0);
    ASSERT_EQ(s.Submit(2, p1_), 0);
    ASSERT_EQ(s.Submit(3, p2_), 0);
    auto run = [&](const cudame_frame& frame) {
        EXPECT_EQ(cudame_begin_frame(s.ctx, &frame), 0) << cudame_last_error(s.ctx);
        std::vector<std::vector<naive::Record>> fields(CUDAME_REFS);
        for (int slot = 1; slot < CUDAME_REFS; slot++) fields[slot] = s.Field(slot);
        EXPECT_EQ(cudame_end_frame(s.ctx), 0);
        return fields;
    };
    const auto f1 = run(MakeFrame(p1_, 1, 1));  // last and golden are the same
    EXPECT_TRUE(FieldsEqual(f1[1], Expect(1, 0, nullptr), s.cols));
    EXPECT_TRUE(f1[3].empty());
    const auto f2 = run(MakeFrame(p2_, 2, 1, 2));  // they differ; altref is the same as last
    EXPECT_TRUE(FieldsEqual(f2[1], Expect(2, 1, &f1[1]), s.cols));
    EXPECT_TRUE(FieldsEqual(f2[2], Expect(2, 0, &f1[1]), s.cols));
    EXPECT_TRUE(FieldsEqual(f2[3], f2[1], s.cols));
    const auto f3 = run(MakeFrame(p3_, 3, 0, 1));  // golden is not searched
    EXPECT_TRUE(FieldsEqual(f3[1], Expect(3, 2, &f2[1]), s.cols));
    EXPECT_TRUE(FieldsEqual(f3[3], Expect(3, 0, &f2[1]), s.cols));
    const auto f4 = run(MakeFrame(p4_, 3, 1));  // golden has no field of the frame before
    EXPECT_TRUE(FieldsEqual(f4[1], Expect(4, 2, &f3[1]), s.cols));
    EXPECT_TRUE(FieldsEqual(f4[2], Expect(4, 0, nullptr), s.cols));

    ASSERT_EQ(cudame_reset(s.ctx), 0);
    const auto f5 = run(MakeFrame(p4_, 3));
    EXPECT_TRUE(FieldsEqual(f5[1], Expect(4, 2, nullptr), s.cols));

    const cudame_frame bad = MakeFrame(p4_, 42);  // a failure drops predictions too
    EXPECT_NE(cudame_begin_frame(s.ctx, &bad), 0);
    const auto f6 = run(MakeFrame(p4_, 3));
    EXPECT_TRUE(FieldsEqual(f6[1], f5[1], s.cols));

    // A reset while a frame is open affects the next frame.
    const cudame_frame frame = MakeFrame(p4_, 3);
    ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
    ASSERT_EQ(cudame_reset(s.ctx), 0);
    EXPECT_TRUE(FieldsEqual(s.Field(1), Expect(4, 2, &f6[1]), s.cols));
    ASSERT_EQ(cudame_end_frame(s.ctx), 0);
    EXPECT_TRUE(FieldsEqual(run(frame)[1], f5[1], s.cols));
}

TEST_F(FrameTest, FullModePredictsFromQuarterPelVectors) {
    config_.mode = CUDAME_MODE_FULL;
    config_.search = CUDAME_SEARCH_DIAMOND;
    Session s(config_);
    ASSERT_EQ(s.Submit(1, p0_), 0);
    std::vector<naive::Record> previous;
    const PlaneBuffer* const sources[] = {&p1_, &p2_, &p3_};
    for (int i = 0; i < 3; i++) {
        const cudame_frame frame = MakeFrame(*sources[i], 1);
        ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
        const auto expected = Expect(i + 1, 0, i ? &previous : nullptr, CUDAME_MODE_FULL);
        ASSERT_TRUE(FieldsEqual(s.Field(CUDAME_REF_LAST), expected, s.cols)) << "frame " << i;
        ASSERT_EQ(cudame_end_frame(s.ctx), 0);
        previous = expected;
    }
}

// Large frames are uploaded and searched in pieces.
TEST(Large, WideFramesOfEveryHeight) {
    for (const cudame_mode mode : {CUDAME_MODE_FAST, CUDAME_MODE_SPLITMV, CUDAME_MODE_FULL})
        for (int rows = 5; rows <= 16; rows++) {
            const int width = 16 * 300, height = 16 * rows;
            Session s(MakeConfig(width, height, mode));
            const Image a = naive::MakeImage(Content::kFlat, width, height, 0, 1);
            const PlaneBuffer plane(a, 0, false);
            cudame_frame frame = {};
            frame.source = plane.plane();
            ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0) << rows;
            ASSERT_EQ(cudame_end_frame(s.ctx), 0) << rows;
        }
}

TEST(Large, LargestFrameWorks) {
    Session s(MakeConfig(CUDAME_MAX_DIMENSION, 17, CUDAME_MODE_FAST));
    const Image a = naive::MakeImage(Content::kMoving, CUDAME_MAX_DIMENSION, 17, 0, 1);
    const PlaneBuffer plane(a, 0, false);
    ASSERT_EQ(s.Submit(1, plane), 0);
    cudame_frame frame = {};
    frame.source = plane.plane();
    frame.ref_id[CUDAME_REF_GOLDEN] = 1;
    ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
    const auto field = s.Field(CUDAME_REF_GOLDEN);
    EXPECT_EQ(field.size(), 1024u * 2);
    for (const naive::Record& mb : field) EXPECT_EQ(mb.dist_zero, 0);
}

}  // namespace
