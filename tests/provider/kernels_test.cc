/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Our kernels inside libvpx return the same results as libvpx's scalar functions.

#include <gtest/gtest.h>

#include "probes.h"

namespace {

class KernelsOn : public testing::TestWithParam<int> {};

TEST_P(KernelsOn, PredictorsEqualLibvpxs) {
    for (unsigned seed = 1; seed <= 50; seed++) {
        ASSERT_STREQ(ComparePredictors(seed, GetParam()), nullptr) << "seed " << seed;
    }
}

TEST_P(KernelsOn, TransformsEqualLibvpxs) {
    for (unsigned seed = 1; seed <= 2000; seed++) {
        ASSERT_STREQ(CompareTransforms(seed * 733, GetParam()), nullptr) << "seed " << seed;
    }
}

TEST_P(KernelsOn, ResidualsEqualLibvpxs) {
    for (unsigned seed = 1; seed <= 500; seed++) {
        for (int step : {4, 8, 23, 60, 157}) {
            ASSERT_STREQ(CompareResiduals(seed * 977, GetParam(), step, int(seed * 7 % 65)),
                         nullptr)
                << "seed " << seed << ", step " << step;
        }
    }
}

TEST_P(KernelsOn, MacroblockTransformsEqualLibvpxs) {
    for (unsigned seed = 1; seed <= 500; seed++) {
        ASSERT_STREQ(CompareMacroblockTransforms(seed * 839, GetParam()), nullptr)
            << "seed " << seed;
    }
}

TEST(Kernels, ClassesForTheTrellisMatchTheirDefinition) {
    for (int step : {4, 8, 23, 60, 157, 243}) {
        for (int most : {0, 1, 10, 300, 2047, 32767}) {
            for (unsigned seed = 1; seed <= 500; seed++) {
                ASSERT_STREQ(CompareClasses(seed * 4513, step, most), nullptr)
                    << "seed " << seed << ", step " << step << ", coefficients to " << most;
            }
        }
    }
}

TEST(Kernels, QuantizersEqualLibvpxs) {
    for (int q : {0, 3, 12, 40, 77, 127}) {
        for (int wider : {0, 16, 200}) {
            for (int most : {1, 4, 20, 60, 200, 2047}) {
                for (unsigned seed = 1; seed <= 60; seed++) {
                    for (int regular : {0, 1}) {
                        ASSERT_STREQ(CompareQuantizers(seed * 6151, regular, q, wider, most),
                                     nullptr)
                            << (regular ? "regular" : "fast") << ", seed " << seed << ", quantizer "
                            << q << ", dead zone +" << wider << ", coefficients to " << most;
                    }
                }
            }
        }
    }
}

TEST(Kernels, FiltersEqualLibvpxs) {
    for (int variation : {0, 1, 3, 6, 12, 25, 50, 100, 255}) {
        for (unsigned seed = 1; seed <= 300; seed++) {
            ASSERT_STREQ(CompareFilters(seed * 7919, variation), nullptr)
                << "seed " << seed << ", variation " << variation;
        }
    }
}

TEST(Kernels, StreamedPicturesEqualLibvpxs) {
    for (const auto &[width, height] : {std::pair(1, 1),
                                        {2, 2},
                                        {15, 17},
                                        {16, 16},
                                        {33, 5},
                                        {176, 144},
                                        {640, 360},
                                        {641, 359}}) {
        EXPECT_STREQ(CompareStreams(width, height, 1), nullptr) << width << "x" << height;
    }
}

TEST(Kernels, PrefiltersEqualLibvpxs) {
    for (int variation : {0, 1, 3, 8, 20, 40, 255}) {
        for (int frames : {0, 1, 2, 12, 100}) {
            for (unsigned seed = 1; seed <= 200; seed++) {
                ASSERT_STREQ(ComparePrefilters(seed * 4099, variation, frames), nullptr)
                    << "seed " << seed << ", variation " << variation << ", frames " << frames;
            }
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Contrast, KernelsOn, testing::Values(0, 1, 2, 4, 9));

}  // namespace
