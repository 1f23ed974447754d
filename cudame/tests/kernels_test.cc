// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Every kernel of every instruction set against the scalar reference.

#include "cpu/kernels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "common/mv_cost.h"
#include "kernel_fixture.h"
#include "session.h"

using namespace cudame;

namespace {

class KernelTest : public KernelFixture {};

using Batch = std::vector<uint16_t>;
Batch MakeBatch(size_t blocks) { return Batch(blocks * kBatchStride, 0xABCD); }

void ExpectSame(const uint16_t* a, const uint16_t* b, int blocks, int n) {
    for (int k = 0; k < blocks; k++)
        for (int i = 0; i < n; i++)
            ASSERT_EQ(a[k * kBatchStride + i], b[k * kBatchStride + i])
                << "block " << k << " position " << i << " of " << n;
}

TEST_P(KernelTest, Sad16List) {
    ForPlanes([&](const uint8_t* p, ptrdiff_t stride) {
        std::vector<int32_t> offsets;
        for (int i = 0; i < 100; i++)
            offsets.push_back((static_cast<int>(rng_() % 32) - 16) * static_cast<int>(stride) +
                              static_cast<int>(rng_() % 100) - 50);
        Batch a = MakeBatch(1), b = MakeBatch(1);
        ref_.sad16_list(src_, p, stride, offsets.data(), 100, a.data());
        best_.sad16_list(src_, p, stride, offsets.data(), 100, b.data());
        ExpectSame(b.data(), a.data(), 1, 100);
    });
}

TEST_P(KernelTest, Sad4x4List) {
    ForPlanes([&](const uint8_t* p, ptrdiff_t stride) {
        std::vector<int32_t> offsets;
        for (int i = 0; i < kBatch; i++)
            offsets.push_back((static_cast<int>(rng_() % 32) - 16) * static_cast<int>(stride) +
                              static_cast<int>(rng_() % 100) - 50);
        for (int n : {1, 7, 127, kBatch}) {
            Batch a = MakeBatch(16), b = MakeBatch(16);
            ref_.sad4x4_list(src_, p, stride, offsets.data(), n, a.data());
            best_.sad4x4_list(src_, p, stride, offsets.data(), n, b.data());
            ExpectSame(b.data(), a.data(), 16, n);
        }
    });
}

TEST_P(KernelTest, Sad4x4Span) {
    ForPlanes([&](const uint8_t* p, ptrdiff_t stride) {
        for (int n : {1, 2, 15, 16, 17, 31, 32, 33, 65, 200, kBatch}) {
            // Unaligned targets are usual, because spans are packed one after another.
            const int at = static_cast<int>(rng_() % static_cast<unsigned>(kBatch - n + 1));
            Batch a = MakeBatch(16), b = MakeBatch(16);
            const uint8_t* start = p - 16 * stride - 17;
            ref_.sad4x4_span(src_, start, stride, n, a.data() + at);
            best_.sad4x4_span(src_, start, stride, n, b.data() + at);
            ExpectSame(b.data(), a.data(), 16, at + n);
        }
    });
}

TEST_P(KernelTest, RateSpan) {
    for (int top : {1, 5000, kMaxCost + 1})
        for (int factor : {0, 1, 37, kMaxSadPerBit})
            for (int n : {1, 8, 65, kBatch}) {
                std::vector<int> costs(kBatch);
                for (int& c : costs) c = static_cast<int>(rng_() % static_cast<unsigned>(top));
                costs[0] = top - 1;
                const int row = static_cast<int>(rng_() % static_cast<unsigned>(top));
                Batch a = MakeBatch(1), b = MakeBatch(1);
                ref_.rate_span(costs.data(), row, factor, n, a.data());
                best_.rate_span(costs.data(), row, factor, n, b.data());
                ExpectSame(b.data(), a.data(), 1, n);
            }
}

TEST_P(KernelTest, TreeMin) {
    alignas(64) static uint16_t sads[2][CUDAME_BLOCKS * kBatchStride];
    alignas(64) static uint16_t rates[2][kBatchStride];
    for (int round = 0; round < 400; round++) {
        const int n = round < 80 ? round + 1 : 1 + static_cast<int>(rng_() % kBatch);
        // Small ranges make ties, large ones saturate.
        const unsigned sad_range = round % 3 == 0 ? 4 : round % 3 == 1 ? 600 : 4081;
        const unsigned rate_range = round % 4 == 0 ? 2 : round % 4 == 1 ? 65536 : 900;
        const unsigned cost_range = round % 5 == 0 ? 300 : 65536;
        uint16_t cost[2][CUDAME_BLOCKS];
        int16_t index[2][CUDAME_BLOCKS];
        for (uint16_t& v : sads[0]) v = static_cast<uint16_t>(rng_() % sad_range);
        for (uint16_t& v : rates[0]) v = static_cast<uint16_t>(rng_() % rate_range);
        for (uint16_t& v : cost[0])
            v = round % 5 == 1 ? 65535 : static_cast<uint16_t>(rng_() % cost_range);
        std::fill_n(index[0], CUDAME_BLOCKS, static_cast<int16_t>(-1));
        memcpy(sads[1], sads[0], sizeof(sads[0]));
        memcpy(rates[1], rates[0], sizeof(rates[0]));
        memcpy(cost[1], cost[0], sizeof(cost[0]));
        memcpy(index[1], index[0], sizeof(index[0]));
        ref_.tree_min(sads[0], rates[0], n, cost[0], index[0]);
        best_.tree_min(sads[1], rates[1], n, cost[1], index[1]);
        ExpectSame(sads[1], sads[0], CUDAME_BLOCKS, n);
        for (int b = 0; b < CUDAME_BLOCKS; b++) {
            ASSERT_EQ(cost[1][b], cost[0][b]) << "round " << round << " n " << n << " block " << b;
            ASSERT_EQ(index[1][b], index[0][b])
                << "round " << round << " n " << n << " block " << b;
        }
    }
}

TEST_P(KernelTest, Intra16) {
    for (const Fill pixels : kFills)
        for (const Fill edges : kFills)
            for (int has = 0; has < 4; has++) {
                IntraSource mb;
                FillBytes(pixels, mb.pixels, sizeof(mb.pixels));
                FillBytes(edges, mb.left, sizeof(mb.left));
                FillBytes(edges, mb.above, sizeof(mb.above));
                FillBytes(Fill::kRandom, &mb.above_left, 1);
                mb.has_above = has & 1;
                mb.has_left = has & 2;
                uint16_t a[4], b[4];
                ref_.intra16(mb, a);
                best_.intra16(mb, b);
                for (int mode = 0; mode < 4; mode++)
                    ASSERT_EQ(b[mode], a[mode]) << "mode " << mode << " edges " << has;
            }
}

TEST_P(KernelTest, Metrics) {
    ForPlanes([&](const uint8_t* p, ptrdiff_t stride) {
        for (int m = 0; m < kMetrics; m++)
            for (int s = 0; s < kBlockSizes; s++)
                ASSERT_EQ(best_.metric[m][s](src_, 16, p + 3, stride),
                          ref_.metric[m][s](src_, 16, p + 3, stride))
                    << "metric " << m << " size " << s;
    });
}

// The patterns with the largest coefficients: the signs of one basis function, and of a changed one
// that spreads the energy over all coefficients.
TEST_P(KernelTest, MetricExtremes) {
    alignas(64) uint8_t a[256], b[256];
    for (unsigned pattern = 0; pattern < 65536; pattern += 7) {
        for (int i = 0; i < 256; i++) {
            const bool bit = pattern >> ((i / 16 % 4) * 4 + i % 4) & 1;
            a[i] = bit ? 255 : 0;
            b[i] = static_cast<uint8_t>(255 - a[i]);
        }
        for (int m = 0; m < kMetrics; m++)
            for (int s = 0; s < kBlockSizes; s++)
                ASSERT_EQ(best_.metric[m][s](a, 16, b, 16), ref_.metric[m][s](a, 16, b, 16))
                    << "metric " << m << " size " << s << " pattern " << pattern;
    }
}

TEST_P(KernelTest, Predict) {
    ForPlanes([&](const uint8_t* p, ptrdiff_t stride) {
        for (int filter = 0; filter < 2; filter++)
            for (int size = 0; size < kBlockSizes; size++)
                for (int f = 0; f < 16; f++) {
                    const int w = kSizeWidth[size], h = kSizeHeight[size];
                    alignas(64) uint8_t a[256] = {}, b[256] = {};
                    ref_.predict[filter](p + 5, stride, f % 4, f / 4, w, h, a);
                    best_.predict[filter](p + 5, stride, f % 4, f / 4, w, h, b);
                    for (int y = 0; y < h; y++)
                        for (int x = 0; x < w; x++)
                            ASSERT_EQ(b[16 * y + x], a[16 * y + x])
                                << "filter " << filter << " " << w << "x" << h << " fraction "
                                << f % 4 << "," << f / 4 << " at " << x << "," << y;
                }
    });
}

TEST_P(KernelTest, BilinearPhases) {
    ForPlanes([&](const uint8_t* p, ptrdiff_t stride) {
        for (const auto& [width, height] :
             {std::pair(7, 7), {11, 11}, {11, 19}, {19, 11}, {19, 19}}) {
            alignas(64) static uint8_t a[16 * kPhaseSize], b[16 * kPhaseSize];
            memset(a, 0, sizeof(a));
            memset(b, 0, sizeof(b));
            ref_.bilinear_phases(p + 3, stride, width, height, a);
            best_.bilinear_phases(p + 3, stride, width, height, b);
            for (int phase = 0; phase < 16; phase++)
                for (int y = 0; y < height; y++)
                    for (int x = 0; x < width; x++) {
                        const int at = phase * kPhaseSize + y * kPhaseStride + x;
                        ASSERT_EQ(b[at], a[at]) << width << "x" << height << " phase " << phase
                                                << " at " << x << "," << y;
                    }
        }
    });
}

TEST_P(KernelTest, Intra) {
    for (int round = 0; round < 400; round++) {
        // Lengths that do not fill a vector, and every kind of source, edge and rate.
        const int n = 1 + round % 5;
        IntraSource mbs[5];
        for (IntraSource& mb : mbs) {
            const Fill fill = kFills[rng_() % 5];
            FillBytes(fill, mb.pixels, sizeof(mb.pixels));
            FillBytes(rng_() % 2 ? fill : Fill::kBinary, mb.left, sizeof(mb.left));
            FillBytes(rng_() % 2 ? fill : Fill::kBinary, mb.above, sizeof(mb.above));
            FillBytes(fill, &mb.above_left, 1);
            mb.has_above = rng_() % 2;
            mb.has_left = rng_() % 2;
            if (fill == Fill::kNear)  // content that a mode predicts well
                for (int i = 0; i < 256; i++)
                    mb.pixels[i] =
                        static_cast<uint8_t>(mb.above[(i / 16 + i % 16) % 20] + (rng_() & 7));
        }
        const unsigned top = round % 4 == 0 ? 1 : round % 4 == 1 ? 65536 : 700;
        IntraRates rates;
        for (uint16_t& r : rates) r = static_cast<uint16_t>(round % 20 == 5 ? 65535 : rng_() % top);
        cudame_intra a[6], b[6];
        memset(a, 0xA5, sizeof(a));
        memset(b, 0xA5, sizeof(b));
        ref_.intra(mbs, n, rates, a);
        best_.intra(mbs, n, rates, b);
        for (int i = 0; i < n; i++)
            ASSERT_TRUE(IntraEqual({b[i]}, {a[i]}, 1)) << "round " << round << " of " << n;
        ASSERT_EQ(memcmp(b + n, a + n, sizeof(*a)), 0) << "written beyond the last";
    }
}

INSTANTIATE_TEST_SUITE_P(All, KernelTest, ::testing::ValuesIn(Targets()), TargetName);

}  // namespace
