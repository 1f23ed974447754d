// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The errors of the loop filter against an implementation that follows the text of RFC 6386 section
// 15: signed pixels, one edge of the frame after the other. A test of the provider shows that
// libvpx agrees.

#include "cudame/loop_filter.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

#include "session.h"

using naive::Content;

namespace {

constexpr int kLevels = CUDAME_LOOP_FILTER_LEVELS;

struct Case {
    int width, height;
    Content content = Content::kMoving;
    int sharpness = 0, key_frame = 0, step = 0, first = 0, first_level = 0, levels = kLevels;
    int part = 0;  // not 0: number of rows
};

// Make a picture like a reconstruction: the source, with steps at the edges of blocks.
naive::Image MakeBlocky(const naive::Image& source, uint32_t seed) {
    naive::Image image((source.width + 15) / 16 * 16, (source.height + 15) / 16 * 16);
    uint32_t state = seed;
    std::vector<int> offset(static_cast<size_t>(image.width / 4) * (image.height / 4));
    for (int& o : offset) {
        state = state * 1664525 + 1013904223;
        const int range = 1 << (state >> 29);  // 1 to 128, so that every level filters something
        o = static_cast<int>(state >> 8 & 0xffff) % (2 * range) - range;
    }
    for (int y = 0; y < image.height; y++)
        for (int x = 0; x < image.width; x++) {
            const int v = source.clamped(x, y) + offset[y / 4 * (image.width / 4) + x / 4];
            image.at(x, y) = static_cast<uint8_t>(v < 0 ? 0 : v > 255 ? 255 : v);
        }
    return image;
}

struct Kinds {
    std::vector<uint8_t> macroblocks;
    uint8_t level[kLevels][CUDAME_LOOP_FILTER_KINDS];

    Kinds(int mbs, uint32_t seed) {
        uint32_t state = seed;
        const auto next = [&state] { return (state = state * 1664525 + 1013904223) >> 16; };
        for (int i = 0; i < mbs; i++) macroblocks.push_back(next() & 127);
        for (int l = 0; l < kLevels; l++)
            for (int k = 0; k < CUDAME_LOOP_FILTER_KINDS; k++) {
                // The frame's level, some levels near it, and some of 0, which filter nothing.
                const int v = k % 4 == 3 && next() % 4 == 0 ? 0 : l + (k - 32) / 4;
                level[l][k] = static_cast<uint8_t>(k < 32 ? l : v < 0 ? 0 : v > 63 ? 63 : v);
            }
    }
};

namespace rfc {

int Signed(int pixel) { return pixel - 128; }
int Clamp(int v) { return v < -128 ? -128 : v > 127 ? 127 : v; }
uint8_t Pixel(int v) { return static_cast<uint8_t>(Clamp(v) + 128); }

struct Thresholds {
    int interior, hev, edge;
};

// common_adjust() of section 15.3. Return the amount that it took from the pixel after the edge.
int Adjust(bool use_outer, uint8_t* p, ptrdiff_t s) {
    const int p1 = Signed(p[-2 * s]), p0 = Signed(p[-s]), q0 = Signed(p[0]), q1 = Signed(p[s]);
    const int a = Clamp((use_outer ? Clamp(p1 - q1) : 0) + 3 * (q0 - p0));
    const int b = Clamp(a + 3) >> 3, c = Clamp(a + 4) >> 3;
    p[0] = Pixel(q0 - c);
    p[-s] = Pixel(p0 + b);
    return c;
}

bool Filters(const Thresholds& t, const uint8_t* p, ptrdiff_t s) {
    for (int i = -4; i < 3; i++)
        if (i != -1 && abs(p[i * s] - p[(i + 1) * s]) > t.interior) return false;
    return abs(p[-s] - p[0]) * 2 + abs(p[-2 * s] - p[s]) / 2 <= t.edge;
}

void Place(bool mb_edge, const Thresholds& t, uint8_t* p, ptrdiff_t s) {
    if (!Filters(t, p, s)) return;
    const bool hev = abs(p[-2 * s] - p[-s]) > t.hev || abs(p[s] - p[0]) > t.hev;
    if (!mb_edge) {
        const int a = (Adjust(hev, p, s) + 1) >> 1;
        if (hev) return;
        p[s] = Pixel(Signed(p[s]) - a);
        p[-2 * s] = Pixel(Signed(p[-2 * s]) + a);
    } else if (hev) {
        Adjust(true, p, s);
    } else {
        const int p1 = Signed(p[-2 * s]), p0 = Signed(p[-s]), q0 = Signed(p[0]), q1 = Signed(p[s]);
        const int w = Clamp(Clamp(p1 - q1) + 3 * (q0 - p0));
        for (int i = 0; i < 3; i++) {
            const int a = Clamp(((27 - 9 * i) * w + 63) >> 7);
            p[i * s] = Pixel(Signed(p[i * s]) - a);
            p[-(i + 1) * s] = Pixel(Signed(p[-(i + 1) * s]) + a);
        }
    }
}

void FilterMb(int level, const Case& c, bool left, bool top, bool inner, uint8_t* p, ptrdiff_t s) {
    int interior = level;
    if (c.sharpness) {
        interior >>= c.sharpness > 4 ? 2 : 1;
        if (interior > 9 - c.sharpness) interior = 9 - c.sharpness;
    }
    if (!interior) interior = 1;
    int hev = 0;
    if (c.key_frame)
        hev = level >= 40 ? 2 : level >= 15 ? 1 : 0;
    else
        hev = level >= 40 ? 3 : level >= 20 ? 2 : level >= 15 ? 1 : 0;
    const Thresholds mb = {interior, hev, (level + 2) * 2 + interior};
    const Thresholds sub = {interior, hev, level * 2 + interior};
    for (int vertical = 1; vertical >= 0; vertical--) {
        const ptrdiff_t across = vertical ? 1 : s, along = vertical ? s : 1;
        for (int edge = 0; edge < 16; edge += 4) {
            if (edge ? !inner : !(vertical ? left : top)) continue;
            for (int i = 0; i < 16; i++)
                Place(!edge, edge ? sub : mb, p + edge * across + i * along, across);
        }
    }
}

uint32_t Error(const Case& c, const naive::Image& source, const naive::Image& frame,
               const Kinds& kinds, int level) {
    const int cols = frame.width / 16, rows = c.part ? c.first + c.part : frame.height / 16;
    naive::Image out = frame;
    uint32_t error = 0;
    for (int row = c.first; row < rows; row += c.step ? c.step : 1) {
        if (c.step) out = frame;
        for (int col = 0; col < cols; col++) {
            const int mb = kinds.macroblocks[static_cast<size_t>(row) * cols + col];
            const int own = kinds.level[level][mb % 64];
            if (own)
                FilterMb(own, c, col > 0, row > 0, mb >= 64, &out.at(16 * col, 16 * row),
                         out.width);
        }
        const bool all = !c.step && row == rows - 1;
        if (!c.step && !all) continue;
        for (int y = 16 * (all ? c.first : row); y < 16 * row + 16; y++)
            for (int x = 0; x < out.width; x++) {
                const int d = source.clamped(x, y) - out.at(x, y);
                error += static_cast<uint32_t>(d * d);
            }
    }
    return error;
}

}  // namespace rfc

// A session with an open frame, so that levels can be tried.
class LoopFilterSession : public Session {
  public:
    explicit LoopFilterSession(const cudame_config& config) : Session(config) {}
    void Begin(const PlaneBuffer& source) {
        cudame_frame frame = {};
        frame.source = source.plane();
        frame.sad_per_bit = 10;
        ASSERT_EQ(cudame_begin_frame(ctx, &frame), 0) << cudame_last_error(ctx);
    }
    int Errors(const cudame_loop_filter& f, std::vector<uint32_t>* errors) {
        const int code = cudame_loop_filter_start(ctx, &f);
        return code ? code : cudame_loop_filter_errors(ctx, errors->data());
    }
    void End() { ASSERT_EQ(cudame_end_frame(ctx), 0) << cudame_last_error(ctx); }
};

cudame_loop_filter Describe(const Case& c, const PlaneBuffer& frame, const Kinds& kinds) {
    cudame_loop_filter f = {};
    f.frame = frame.plane();
    f.macroblocks = kinds.macroblocks.data();
    f.level = kinds.level;
    f.first_level = c.first_level;
    f.levels = c.levels;
    f.sharpness = c.sharpness;
    f.key_frame = c.key_frame;
    f.step = c.step;
    f.first = c.first;
    f.rows = c.part;
    return f;
}

void Compare(const std::vector<Case>& cases) {
    std::unique_ptr<LoopFilterSession> s;
    int width = 0, height = 0;
    uint32_t seed = 5;
    for (const Case& c : cases) {
        SCOPED_TRACE(::testing::Message()
                     << c.width << "x" << c.height << " " << naive::Name(c.content) << " sharpness "
                     << c.sharpness << " key " << c.key_frame << " step " << c.step << " part "
                     << c.part);
        // One context for all sizes.
        if (!s) {
            s = std::make_unique<LoopFilterSession>(
                MakeConfig(c.width, c.height, CUDAME_MODE_FAST, CUDAME_SEARCH_DIAMOND));
        } else if (c.width != width || c.height != height) {
            ASSERT_EQ(cudame_resize(s->ctx, c.width, c.height), 0);
        }
        width = c.width;
        height = c.height;
        const naive::Image image = naive::MakeImage(c.content, width, height, 0, ++seed);
        const naive::Image blocky = MakeBlocky(image, ++seed);
        const Kinds kinds(blocky.width / 16 * (blocky.height / 16), ++seed);
        const PlaneBuffer source(image, 0, false), frame(blocky, 32, true);
        ASSERT_NO_FATAL_FAILURE(s->Begin(source));
        const cudame_loop_filter f = Describe(c, frame, kinds);
        std::vector<uint32_t> errors(static_cast<size_t>(c.levels), 1), expected;
        ASSERT_EQ(s->Errors(f, &errors), 0) << cudame_last_error(s->ctx);
        for (int level = 0; level < c.levels; level++)
            expected.push_back(rfc::Error(c, image, blocky, kinds, c.first_level + level));
        EXPECT_EQ(expected, errors);
        if (c.content == Content::kMoving && width > 16) {
            EXPECT_NE(expected.front(), expected.back());
        }
        ASSERT_NO_FATAL_FAILURE(s->End());
    }
}

TEST(LoopFilterTest, EqualsTheWordsOfTheRfc) {
    std::vector<Case> cases;
    for (const Content content : naive::kContents)
        for (int sharpness = 0; sharpness < 8; sharpness += sharpness ? 3 : 1)
            for (int key = 0; key < 2; key++)
                cases.push_back({80, 64, content, sharpness, key, 0, 0});
    Compare(cases);
}

TEST(LoopFilterTest, EqualsTheWordsOfTheRfcAtOddSizes) {
    Compare({{1, 1}, {17, 33}, {16, 100}, {100, 16}, {333, 47}, {200, 190}});
}

TEST(LoopFilterTest, SamplesRowsAsIfTheyWereAlone) {
    std::vector<Case> cases;
    for (const int height : {16, 48, 176, 208})
        for (const int first : {0, 2})
            if (first * 16 < height)
                cases.push_back({160, height, Content::kMoving, 0, 0, 4, first});
    cases.push_back({160, 208, Content::kMoving, 0, 0, 0, 0});
    cases.push_back({160, 208, Content::kRandom, 3, 1, 1, 0});
    Compare(cases);
}

TEST(LoopFilterTest, FiltersAPartOfTheFrame) {
    std::vector<Case> cases;
    for (const auto& [first, rows] : {std::pair{0, 1}, {0, 13}, {1, 1}, {6, 1}, {6, 3}, {5, 8}}) {
        Case c = {160, 208, Content::kMoving};
        c.first = first;
        c.part = rows;
        cases.push_back(c);
        c.content = Content::kRandom;
        c.key_frame = 1;
        cases.push_back(c);
    }
    Compare(cases);
}

TEST(LoopFilterTest, TriesSomeLevels) {
    Case c = {160, 96};
    std::vector<Case> cases;
    for (const auto& [first, levels] : {std::pair{0, 8}, {56, 8}, {16, 32}, {8, 56}, {0, 64}}) {
        c.first_level = first;
        c.levels = levels;
        cases.push_back(c);
    }
    Compare(cases);
}

TEST(LoopFilterTest, RefusesNonsense) {
    const Case c = {64, 48};
    const naive::Image image = naive::MakeImage(Content::kMoving, 64, 48, 0, 3);
    const PlaneBuffer source(image, 0, true);
    Kinds kinds(12, 1);
    LoopFilterSession s(MakeConfig(64, 48, CUDAME_MODE_FAST));
    std::vector<uint32_t> errors(kLevels);
    cudame_loop_filter good = Describe(c, source, kinds);
    EXPECT_EQ(CUDAME_ERROR_INVALID, cudame_loop_filter_start(s.ctx, &good)) << "no frame is open";
    ASSERT_NO_FATAL_FAILURE(s.Begin(source));
    const auto refused = [&](const char* why, auto change) {
        cudame_loop_filter f = good;
        change(f);
        EXPECT_EQ(CUDAME_ERROR_INVALID, cudame_loop_filter_start(s.ctx, &f)) << why;
    };
    refused("no frame", [](auto& f) { f.frame.data = nullptr; });
    refused("a narrow frame", [](auto& f) { f.frame.width = 63; });
    refused("a frame on a device", [](auto& f) { f.frame.on_device = 1; });
    refused("no macroblocks", [](auto& f) { f.macroblocks = nullptr; });
    refused("no levels", [](auto& f) { f.level = nullptr; });
    refused("sharpness", [](auto& f) { f.sharpness = 8; });
    refused("negative sharpness", [](auto& f) { f.sharpness = -1; });
    refused("no level", [](auto& f) { f.levels = 0; });
    refused("a level above 63", [](auto& f) { f.first_level = 8; });
    refused("a negative level", [](auto& f) { f.first_level = -8; });
    refused("an odd first level", [](auto& f) {
        f.first_level = 4;
        f.levels = 8;
    });
    refused("levels that overflow", [](auto& f) { f.first_level = f.levels = 0x7ffffff8; });
    refused("an odd number of levels", [](auto& f) { f.levels = 12; });
    refused("a negative step", [](auto& f) { f.step = -1; });
    refused("a first row below the frame", [](auto& f) {
        f.step = 4;
        f.first = 3;
    });
    refused("a negative number of rows", [](auto& f) { f.rows = -1; });
    refused("rows below the frame", [](auto& f) {
        f.first = 2;
        f.rows = 2;
    });
    refused("rows and a step", [](auto& f) { f.step = f.rows = 1; });
    EXPECT_EQ(CUDAME_ERROR_INVALID, cudame_loop_filter_start(s.ctx, nullptr));
    EXPECT_EQ(CUDAME_ERROR_INVALID, cudame_loop_filter_start(nullptr, &good));
    EXPECT_EQ(CUDAME_ERROR_INVALID, cudame_loop_filter_errors(nullptr, errors.data()));
    EXPECT_EQ(CUDAME_ERROR_INVALID, cudame_loop_filter_errors(s.ctx, errors.data()))
        << "nothing was started";
    kinds.macroblocks[5] = 128;
    refused("a kind", [](auto&) {});
    kinds.macroblocks[5] = 127;
    kinds.level[63][63] = 64;
    refused("a level", [](auto&) {});
    kinds.level[63][63] = 63;
    EXPECT_EQ(0, cudame_loop_filter_start(s.ctx, &good));
    EXPECT_EQ(CUDAME_ERROR_INVALID, cudame_loop_filter_errors(s.ctx, nullptr));
    EXPECT_EQ(CUDAME_ERROR_INVALID, cudame_loop_filter_start(s.ctx, &good)) << "twice";
    EXPECT_EQ(0, cudame_loop_filter_errors(s.ctx, errors.data()));
    // A trial that nobody waits for ends with its frame.
    EXPECT_EQ(0, cudame_loop_filter_start(s.ctx, &good));
    ASSERT_NO_FATAL_FAILURE(s.End());
    EXPECT_EQ(CUDAME_ERROR_INVALID, cudame_loop_filter_errors(s.ctx, errors.data()));
    ASSERT_NO_FATAL_FAILURE(s.Begin(source));
    EXPECT_EQ(0, cudame_loop_filter_start(s.ctx, &good));
    ASSERT_NO_FATAL_FAILURE(s.End());
}

}  // namespace
