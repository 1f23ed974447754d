// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The kernels of the lean search of every instruction set against the scalar reference.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "cpu/kernels.h"
#include "kernel_fixture.h"

using namespace cudame;

namespace {

constexpr int kQuarterBlocks = 9;

class LeanKernelTest : public KernelFixture {
  protected:
    // Compare the SATDs of both tables around all centres, for a source of every alignment.
    void ExpectSameSatds(const HalfPlanes& planes) {
        uint32_t a[10], b[10];
        const auto same = [&](const char* what, int centre) {
            for (int n = 0; n < 10; n++)
                ASSERT_EQ(b[n], a[n]) << what << " centre " << centre << " neighbour " << n;
        };
        std::fill_n(a, 10, 0xA5A5A5A5);
        std::fill_n(b, 10, 0xA5A5A5A5);
        ref_.satd_half16(src_, planes, a);
        best_.satd_half16(src_, planes, b);
        same("half", 4);
        for (int centre = 0; centre < 9; centre++)
            for (unsigned wanted :
                 {0x1FFu, 0x1B0u, 0x01Bu, 0x1C7u, static_cast<unsigned>(rng_() & 0x1FF)}) {
                ref_.satd_quarter16(src_, planes, centre, wanted, a);
                best_.satd_quarter16(src_, planes, centre, wanted, b);
                for (int n = 0; n < 9; n++)  // may be undefined
                    if (!(wanted & 1u << n)) b[n] = a[n];
                same("quarter", centre);
            }

        for (int quarter = 0; quarter < 4; quarter++) {
            // The memory ends here, so that a sanitizer reports reads beyond the end.
            const std::vector<uint8_t> source(src_, src_ + sizeof(src_));
            const uint8_t* src = source.data() + quarter / 2 * 128 + quarter % 2 * 8;
            ref_.satd_half8(src, planes, a);
            best_.satd_half8(src, planes, b);
            same("half of 8x8", 4);
            for (int centre = 0; centre < 9; centre++) {
                ref_.satd_quarter8(src, planes, centre, a);
                best_.satd_quarter8(src, planes, centre, b);
                same("quarter of 8x8", centre);
            }
        }
    }
};

TEST_P(LeanKernelTest, Sad8x8List) {
    ForPlanes([&](const uint8_t* p, ptrdiff_t stride) {
        int32_t offsets[kQuarterStride];
        for (int32_t& offset : offsets)
            offset = (static_cast<int>(rng_() % 32) - 16) * static_cast<int>(stride) +
                     static_cast<int>(rng_() % 100) - 50;
        for (int n = 0; n <= kQuarterStride; n++) {
            std::vector<uint16_t> a(4 * kQuarterStride, 0xABCD), b = a;
            ref_.sad8x8_list(src_, p, stride, offsets, n, a.data());
            best_.sad8x8_list(src_, p, stride, offsets, n, b.data());
            for (size_t i = 0; i < a.size(); i++) {  // undefined entries
                const int at = static_cast<int>(i) % kQuarterStride;
                if (at >= n && at < (n + 7) / 8 * 8) b[i] = a[i];
            }
            ASSERT_EQ(b, a) << n << " positions";
        }
    });
}

TEST_P(LeanKernelTest, Shrink4) {
    ForPlanes([&](const uint8_t* p, ptrdiff_t stride) {
        for (int n = 0; n <= 20; n++) {
            // The memory ends here, so that a sanitizer reports reads beyond the end.
            std::vector<uint8_t> store[4], a(24, 0xAB), b = a;
            const uint8_t* rows[4];
            for (int y = 0; y < 4; y++) {
                store[y].assign(p + y * stride, p + y * stride + 4 * n);
                rows[y] = store[y].data();
            }
            ref_.shrink4(rows, 0, n, a.data());
            best_.shrink4(rows, 0, n, b.data());
            ASSERT_EQ(b, a) << n << " pixels";
        }
    });
}

TEST_P(LeanKernelTest, QuarterMin) {
    for (int round = 0; round < 4000; round++) {
        const int n = round % 2 ? 1 + round / 2 % 8 : round / 2 % (kQuarterStride + 1);
        const int padded = (n + 7) / 8 * 8;
        // Small ranges make ties, large ones saturate.
        const unsigned sad_range = round % 3 == 0 ? 3 : round % 3 == 1 ? 600 : 16321;
        const unsigned rate_range = round % 7 < 2 ? 2 : round % 7 == 2 ? 65536 : 900;
        const unsigned cost_range = round % 5 == 0 ? 12 : 65536;
        std::vector<uint16_t> quarters(static_cast<size_t>(3 * kQuarterStride + padded));
        std::vector<uint16_t> rates(static_cast<size_t>(padded));
        for (uint16_t& v : quarters) v = static_cast<uint16_t>(rng_() % sad_range);
        for (uint16_t& v : rates) v = static_cast<uint16_t>(rng_() % rate_range);
        for (int i = n; i < padded; i++) {  // entries that must not win
            if (round % 4 == 0) rates[static_cast<size_t>(i)] = 0;
            for (size_t q = 0; q < 4; q++)
                if (round % 4 < 2) quarters[q * kQuarterStride + static_cast<size_t>(i)] = 0;
        }
        struct Best {
            uint16_t cost[kQuarterBlocks + 1], sad[kQuarterBlocks + 1];
            int8_t index[kQuarterBlocks + 1];
        } a, b;
        for (int k = 0; k <= kQuarterBlocks; k++) {
            a.cost[k] = round % 5 == 1 ? 65535 : static_cast<uint16_t>(rng_() % cost_range);
            a.sad[k] = static_cast<uint16_t>(rng_());
            a.index[k] = -1;
        }
        b = a;
        ref_.quarter_min(quarters.data(), rates.data(), n, a.cost, a.sad, a.index);
        best_.quarter_min(quarters.data(), rates.data(), n, b.cost, b.sad, b.index);
        for (int k = 0; k <= kQuarterBlocks; k++) {
            ASSERT_EQ(b.cost[k], a.cost[k]) << "round " << round << " n " << n << " block " << k;
            ASSERT_EQ(b.sad[k], a.sad[k]) << "round " << round << " n " << n << " block " << k;
            ASSERT_EQ(b.index[k], a.index[k]) << "round " << round << " n " << n << " block " << k;
        }
    }
}

TEST_P(LeanKernelTest, KnownNeighbours) {
    const int16_t near = 3,
                  far[] = {0, 15, 16, 17, 127, 128, 129, 255, 256, 8191, -8191, -17, -128};
    for (int round = 0; round < 40000; round++) {
        const auto any = [&](int range) {
            return static_cast<int16_t>(static_cast<int>(rng_() % (2 * range + 1)) - range);
        };
        const LeanVec centre = {any(round % 2 ? 8191 : 20), any(round % 2 ? 8191 : 20)};
        const auto around = [&](int at) {
            const int v = round % 3 ? at + any(near) : at + far[rng_() % 13] + any(1);
            return static_cast<int16_t>(std::clamp(v, -8191, 8191));
        };
        TriedVectors tried;
        const int count = static_cast<int>(rng_() % (TriedVectors::kMost + 1));
        for (int i = 0; i < TriedVectors::kMost; i++) {
            tried.x[i] = i < count ? around(centre.x) : TriedVectors::kNone;
            tried.y[i] = i < count ? around(centre.y) : TriedVectors::kNone;
        }
        tried.boxed = static_cast<int>(rng_() % static_cast<unsigned>(count + 1));
        ASSERT_EQ(best_.known_neighbours(tried, centre), ref_.known_neighbours(tried, centre))
            << "round " << round;
    }
}

TEST_P(LeanKernelTest, ListNeighbours) {
    for (int round = 0; round < 2560; round++) {
        int costs[2][2 * 4 + 1 + NeighbourRates::kReadBeyond];
        for (auto& table : costs)
            for (int& v : table) v = static_cast<int>(rng_() % (round % 5 ? 5000 : 1u << 19));
        const NeighbourRates rates = {costs[0] + 4, costs[1] + 4, round % 7 ? 4 : 0,
                                      static_cast<int>(rng_() % (round % 3 ? 100 : 2048))};
        const LeanVec centre = {static_cast<int16_t>(static_cast<int>(rng_() % 16383) - 8191),
                                static_cast<int16_t>(static_cast<int>(rng_() % 16383) - 8191)};
        const int stride =
            (static_cast<int>(rng_() % 2) * 2 - 1) * static_cast<int>(rng_() % 65536);
        const int distance = 1 << rng_() % 3;
        const unsigned wanted = static_cast<unsigned>(round) % 256;
        struct Lists {
            LeanVec mv[9];
            int32_t offsets[9];
            uint16_t rates[9];
        } a, b;
        memset(&a, 0xA5, sizeof(a));
        memset(&b, 0xA5, sizeof(b));
        const int n = ref_.list_neighbours(centre, distance, wanted, stride, rates,
                                           {a.mv, a.offsets, a.rates});
        ASSERT_EQ(best_.list_neighbours(centre, distance, wanted, stride, rates,
                                        {b.mv, b.offsets, b.rates}),
                  n);
        for (int i = 0; i < 9; i++) {
            if (i >= n && i < 8) continue;  // may be undefined
            ASSERT_EQ(b.mv[i].x, a.mv[i].x) << "wanted " << wanted << " i " << i;
            ASSERT_EQ(b.mv[i].y, a.mv[i].y) << "wanted " << wanted << " i " << i;
            ASSERT_EQ(b.offsets[i], a.offsets[i]) << "wanted " << wanted << " i " << i;
            ASSERT_EQ(b.rates[i], a.rates[i]) << "wanted " << wanted << " i " << i;
        }
    }
}

TEST_P(LeanKernelTest, NeighbourMin) {
    for (int round = 0; round < 4000; round++) {
        // Small ranges make ties.
        const unsigned dist_range = round % 3 == 0 ? 3 : round % 3 == 1 ? 600 : 130561;
        const unsigned cost_range = round % 5 == 0 ? 2 : round % 5 == 1 ? 1u << 19 : 2000;
        const int step = 1 << round % 3;
        int costs[2][2 * 4 + 1 + NeighbourRates::kReadBeyond];
        for (auto& table : costs)
            for (int& v : table) v = static_cast<int>(rng_() % cost_range);
        const NeighbourRates rates = {costs[0] + 4, costs[1] + 4, step,
                                      static_cast<int>(rng_() % (round % 7 ? 100 : 2048))};
        uint32_t first[9], second[9], a[10];
        for (uint32_t& v : first) v = static_cast<uint32_t>(rng_() % dist_range);
        for (uint32_t& v : second) v = round % 2 ? static_cast<uint32_t>(rng_() % dist_range) : 0;
        std::fill_n(a, 10, 0xA5A5A5A5);
        a[4] = round % 4 ? static_cast<uint32_t>(rng_() % (2 * dist_range)) : kMaxNeighbourCost;
        const unsigned wanted = round % 8 ? static_cast<unsigned>(rng_() & 0x1EF) : 0x1FF;
        uint32_t b[10];
        std::copy_n(a, 10, b);
        const int low = ref_.neighbour_min(rates, first, second, wanted, a);
        ASSERT_EQ(best_.neighbour_min(rates, first, second, wanted, b), low) << "round " << round;
        for (int n = 0; n < 10; n++) ASSERT_EQ(b[n], a[n]) << "round " << round << " n " << n;
    }
}

TEST_P(LeanKernelTest, HalfPlanes) {
    ForPlanes([&](const uint8_t* p, ptrdiff_t stride) {
        for (int filter = 0; filter < 2; filter++)
            for (int size : {16, 8})
                for (int x = 0; x < 16; x++) {
                    const uint8_t* ref = p + (x % 5 - 2) * stride + x;
                    HalfPlanes a, b[3];
                    memset(b, 0xA5, sizeof(b));
                    ref_.half_planes[filter](ref, stride, size, &a);
                    best_.half_planes[filter](ref, stride, size, &b[1]);
                    for (int k = 0; k < 4; k++)
                        for (int row = -1; row < size + 1 - k / 2; row++)
                            for (int col = -1; col < size + 1 - k % 2; col++) {
                                const int at = kHalfOrigin + row * kHalfStride + col;
                                ASSERT_EQ(b[1].plane[k][at], a.plane[k][at])
                                    << "filter " << filter << " size " << size << " plane " << k
                                    << " row " << row << " column " << col;
                            }
                    for (int i : {0, 2})
                        for (const auto& plane : b[i].plane)
                            for (uint8_t v : plane) ASSERT_EQ(v, 0xA5) << "written outside";
                }
    });
}

TEST_P(LeanKernelTest, Satds) {
    ForPlanes([&](const uint8_t* p, ptrdiff_t stride) {
        HalfPlanes planes;
        memset(&planes, 0xA5, sizeof(planes));
        for (int filter = 0; filter < 2; filter++)
            for (int size : {16, 8}) {
                ref_.half_planes[filter](p, stride, size, &planes);
                ExpectSameSatds(planes);
            }
    });
}

// Half-pel planes of pixels that no interpolation filter would produce.
TEST_P(LeanKernelTest, SatdsOfAnyPixels) {
    for (int round = 0; round < 100; round++) {
        HalfPlanes planes;
        FillBytes(kFills[round / 5 % 5], src_, sizeof(src_));
        for (auto& plane : planes.plane) FillBytes(kFills[round % 5], plane, sizeof(plane));
        ExpectSameSatds(planes);
    }
}

// Blocks of the signs of a basis function have the largest coefficients.
TEST_P(LeanKernelTest, SatdExtremes) {
    for (unsigned pattern = 0; pattern < 65536; pattern += 97) {
        HalfPlanes planes;
        const auto bit = [&](int i) { return pattern >> (i / 16 % 4 * 4 + i % 4) & 1; };
        for (int i = 0; i < 256; i++) src_[i] = bit(i) ? 255 : 0;
        for (auto& plane : planes.plane)
            for (int y = -1; y < 17; y++)
                for (int x = -1; x < 17; x++)
                    plane[kHalfOrigin + y * kHalfStride + x] = bit((y + 4) * 16 + x + 4) ? 0 : 255;
        ExpectSameSatds(planes);
    }
}

INSTANTIATE_TEST_SUITE_P(All, LeanKernelTest, ::testing::ValuesIn(Targets()), TargetName);

}  // namespace
