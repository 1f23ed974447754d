// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Small frames of a moving picture, for tests through the C interface.

#ifndef CUDAME_TESTS_FRAME_FIXTURE_H_
#define CUDAME_TESTS_FRAME_FIXTURE_H_

#include <gtest/gtest.h>

#include <vector>

#include "naive.h"
#include "session.h"

class FrameTest : public ::testing::Test {
  protected:
    static constexpr int kWidth = 70, kHeight = 50;

    naive::Image Make(int time) {
        return naive::MakeImage(naive::Content::kMoving, kWidth, kHeight, time, 9);
    }
    cudame_frame MakeFrame(const PlaneBuffer& source, uint64_t last, uint64_t golden = 0,
                           uint64_t altref = 0) {
        cudame_frame frame = {};
        frame.source = source.plane();
        frame.ref_id[CUDAME_REF_LAST] = last;
        frame.ref_id[CUDAME_REF_GOLDEN] = golden;
        frame.ref_id[CUDAME_REF_ALTREF] = altref;
        frame.mv_cost[0] = frame.mv_cost[1] = costs_.data() + 1023;
        frame.sad_per_bit = 10;
        return frame;
    }
    std::vector<naive::Record> Expect(int source, int reference,
                                      const std::vector<naive::Record>* previous,
                                      cudame_mode mode = CUDAME_MODE_SPLITMV) {
        const int* costs = costs_.data() + 1023;
        return naive::Analyse(
            {mode, CUDAME_SEARCH_DIAMOND, 0, CUDAME_FILTER_SIXTAP, {costs, costs}, 10},
            Make(source), Make(reference), previous);
    }

    std::vector<int> costs_ = naive::MakeCosts(3);
    PlaneBuffer p0_{Make(0), 32, true}, p1_{Make(1), 0, false}, p2_{Make(2), 0, true},
        p3_{Make(3), 0, false}, p4_{Make(4), 0, false};
    cudame_config config_ = MakeConfig(kWidth, kHeight, CUDAME_MODE_SPLITMV);
};

#endif  // CUDAME_TESTS_FRAME_FIXTURE_H_
