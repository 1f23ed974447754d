// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The fixture of tests of cudame_code_frame().

#ifndef CUDAME_TESTS_WHOLE_FRAME_FIXTURE_H_
#define CUDAME_TESTS_WHOLE_FRAME_FIXTURE_H_

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "cudame/whole_frame.h"
#include "many_frames.h"
#include "session.h"
#include "whole_frame_data.h"

using namespace whole_frame;

class WholeFrameTest : public ::testing::Test {
  protected:
    static constexpr int kWidth = 80, kHeight = 112, kMbs = 5 * 7;

    static void SetUpTestSuite() {
#if CUDAME_CUDA
        SetPatience();
#endif
    }
    static cudame_config Config(bool cpu = false, int width = kWidth, int height = kHeight) {
        cudame_config config = MakeConfig(width, height, CUDAME_MODE_FULL, CUDAME_SEARCH_LEAN);
        if (cpu) config.backend = CUDAME_BACKEND_CPU;
        return config;
    }
    // The pictures and tables of a frame with one reference. The session reads them until the frame
    // ends.
    struct OneFrame {
        const Picture last{Content::kMoving, kWidth, kHeight, 0, 32};
        const Picture source{Content::kMoving, kWidth, kHeight, 1};
        const Picture recon{Content::kFlat, kWidth, kHeight, 0};
        const Tables tables{1, kMbs};
    };
    void Begin(Session* s, const OneFrame& one, cudame_whole_frame* whole) const {
        *whole = Whole(one.source, one.recon, one.tables);
        whole->ref[CUDAME_REF_LAST] = one.last.planes(1);
        ASSERT_EQ(s->Submit(1, one.last.luma()), 0);
        const cudame_frame frame = Frame(one.source, {0, 1, 0, 0});
        ASSERT_EQ(cudame_begin_frame(s->ctx, &frame), 0);
    }
    cudame_frame Frame(const Picture& source, const uint64_t (&ids)[CUDAME_REFS]) const {
        cudame_frame frame = {};
        frame.source = source.luma().plane();
        std::copy_n(ids, static_cast<int>(CUDAME_REFS), frame.ref_id);
        frame.mv_cost[0] = frame.mv_cost[1] = costs_.data() + 1023;
        frame.sad_per_bit = 10;
        frame.bmode_cost = bmode_costs_.data();
        return frame;
    }
    cudame_whole_frame Whole(const Picture& source, const Picture& recon,
                             const Tables& tables) const {
        cudame_whole_frame f = {};
        f.frame_id = 1;
        f.mb_cols = source.luma().plane().width / 16;
        f.mb_rows = source.luma().plane().height / 16;
        f.source = source.planes();
        f.recon = recon.planes();
        f.segments = tables.segments;
        f.rates = &tables.rates;
        f.mv_cost[0] = f.mv_cost[1] = costs_.data() + 1023;
        f.value_cost = value_costs_.data() + 2048;
        f.segment = tables.map.data();
        f.still_frames = tables.still.data();
        f.memory = tables.memory.data();
        return f;
    }

    // Codes and filters frames of each content by the backend under test and by the scalar
    // reference. least_step: of the quantizers. level: of the search.
    struct Sequence {
        int width, height, frames, least_step, level = 0;
    };
    struct Counts {
        int modes[10] = {}, refs[CUDAME_REFS] = {}, key_modes[kBPred + 1] = {};
        int partitions = 0, written = 0;         // asked for; those that fit into their room
        int asked_modes = 0, written_modes = 0;  // likewise
        int denoised = 0, not_denoised = 0;      // macroblocks of frames with a denoiser
    };
    // Fails at the first macroblock that differs. Counts the tokens again.
    static void ExpectEqual(const cudame_whole_frame& a, const cudame_whole_frame& b);
    // a, b: cudame_partition or cudame_modes.
    template <class Written>
    static void ExpectEqual(const Written& a, const Written& b);
    // Counts macroblocks whose luma differs from the source.
    static void CountDenoised(const cudame_planes& source, const cudame_planes& denoised,
                              int mb_rows, int mb_cols, int* differ, int* same);
    void Compare(const Sequence& sequence, Counts* counts);
    // Expects all modes and references, too.
    void CompareWithScalarReference();

    const std::vector<int> costs_ = naive::MakeCosts(3), bmode_costs_ = naive::MakeBmodeCosts(1);
    const std::vector<int16_t> value_costs_ = MakeValueCosts();
};

#endif  // CUDAME_TESTS_WHOLE_FRAME_FIXTURE_H_
