/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Our kernels inside libvpx return what its scalar functions do.

#include <gtest/gtest.h>

#include "internals.h"

namespace {

class Kernels : public testing::TestWithParam<int> {};

TEST_P(Kernels, PredictorsAreLibvpxs) {
    for (unsigned seed = 1; seed <= 50; seed++) {
        ASSERT_STREQ(ComparePredictors(seed, GetParam()), nullptr) << "seed " << seed;
    }
}

TEST_P(Kernels, ResidualsAreLibvpxs) {
    for (unsigned seed = 1; seed <= 500; seed++) {
        for (int step : {4, 8, 23, 60, 157}) {
            ASSERT_STREQ(CompareResiduals(seed * 977, GetParam(), step, int(seed * 7 % 65)), nullptr)
                << "seed " << seed << ", step " << step;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Contrast, Kernels, testing::Values(0, 1, 2, 4, 9));

}  // namespace
