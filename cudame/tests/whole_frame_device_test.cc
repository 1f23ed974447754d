// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Whole frames: the device's pictures, the loop filter's levels, refusals, and late frames.

#include <dlfcn.h>

#include <functional>
#include <string>

#include "common/plane.h"
#include "cpu/loop_filter_errors.h"
#include "cudame/loop_filter.h"
#include "whole_frame_fixture.h"

namespace {

// Trials of sixteen levels in two rows.
struct LevelTrial {
    std::vector<uint8_t> macroblocks = std::vector<uint8_t>(64, CUDAME_LOOP_FILTER_INNER);
    uint8_t level[CUDAME_LOOP_FILTER_LEVELS][CUDAME_LOOP_FILTER_KINDS];
    cudame_loop_filter filter = {};

    LevelTrial() {
        for (int i = 0; i < CUDAME_LOOP_FILTER_LEVELS; i++)
            std::fill_n(level[i], static_cast<int>(CUDAME_LOOP_FILTER_KINDS),
                        static_cast<uint8_t>(i));
        filter.macroblocks = macroblocks.data();
        filter.level = level;
        filter.first_level = 8;
        filter.levels = 16;
        filter.first = 3;
        filter.rows = 2;
    }
    // Expects the errors of the definition against a source.
    void Compare(cudame_context* ctx, const cudame_plane& source) const {
        uint32_t errors[16], expected[16];
        ASSERT_EQ(cudame_loop_filter_start(ctx, &filter), 0) << cudame_last_error(ctx);
        ASSERT_EQ(cudame_loop_filter_errors(ctx, errors), 0) << cudame_last_error(ctx);
        cudame::LoopFilterErrors(filter, cudame::MakeGeometry(source.width, source.height), source,
                                 expected);
        for (int i = 0; i < 16; i++) EXPECT_EQ(errors[i], expected[i]) << i;
        EXPECT_NE(errors[0], errors[15]);
    }
};

// A picture in one piece of memory, as libvpx has it. The memory is larger, so that it is
// registered.
struct OnePiece {
    std::vector<uint8_t> memory = std::vector<uint8_t>(1 << 18, 0xa5);
    cudame_planes planes = {};
    const int width, height;

    OnePiece(cudame_context* ctx, int w, int h) : width(w), height(h) {
        const int border = CUDAME_REF_BORDER;
        planes.stride = w + 2 * border;
        planes.uv_stride = planes.stride / 2;
        planes.plane[0] = memory.data() + border * (planes.stride + 1);
        planes.plane[1] =
            memory.data() + (h + 2 * border) * planes.stride + border / 2 * (planes.uv_stride + 1);
        planes.plane[2] = planes.plane[1] + (h / 2 + border) * planes.uv_stride;
        EXPECT_EQ(cudame_expect_memory(ctx, memory.data(), memory.size()), 0);
    }
    void Set(const std::vector<uint8_t>& pixels) const {
        auto from = pixels.begin();
        ForRows([&](uint8_t* row, int n) {
            std::copy_n(from, n, row);
            from += n;
        });
    }
    std::vector<uint8_t> Pixels() const {
        std::vector<uint8_t> pixels;
        ForRows([&](const uint8_t* row, int n) { pixels.insert(pixels.end(), row, row + n); });
        return pixels;
    }
    template <class Fn>
    void ForRows(Fn fn) const {
        for (int p = 0; p < 3; p++)
            for (int y = 0; y < (p ? height / 2 : height); y++)
                fn(planes.plane[p] + y * (p ? planes.uv_stride : planes.stride),
                   p ? width / 2 : width);
    }
};

// One copy then has U and V.
TEST_F(WholeFrameTest, CopiesPicturesInOnePieceOfMemory) {
    const OneFrame one;
    const Picture filtered(Content::kFlat, kWidth, kHeight, 1);
    const std::vector<uint8_t> levels(kMbs, 20 + CUDAME_LOOP_FILTER_INNER);
    Session apart(Config()), s(Config());
    const OnePiece source(s.ctx, kWidth, kHeight), recon(s.ctx, kWidth, kHeight),
        to(s.ctx, kWidth, kHeight);
    source.Set(one.source.Pixels());
    cudame_whole_frame expected, whole;
    ASSERT_NO_FATAL_FAILURE(Begin(&apart, one, &expected));
    ASSERT_NO_FATAL_FAILURE(Begin(&s, one, &whole));
    whole.source = source.planes;
    whole.recon = recon.planes;
    ASSERT_EQ(cudame_code_frame(apart.ctx, &expected), 0) << cudame_last_error(apart.ctx);
    ASSERT_EQ(cudame_code_frame(s.ctx, &whole), 0) << cudame_last_error(s.ctx);
    EXPECT_TRUE(recon.Pixels() == one.recon.Pixels());
    cudame_frame_filter filter = {levels.data(),     0,       0,      expected.recon,
                                  filtered.planes(), nullptr, nullptr};
    ASSERT_EQ(cudame_filter_frame(apart.ctx, &filter), 0) << cudame_last_error(apart.ctx);
    filter.recon = whole.recon;
    filter.filtered = to.planes;
    ASSERT_EQ(cudame_filter_frame(s.ctx, &filter), 0) << cudame_last_error(s.ctx);
    EXPECT_TRUE(to.Pixels() == filtered.Pixels());
    ASSERT_EQ(cudame_end_frame(s.ctx), 0);
    ASSERT_EQ(cudame_forget_memory(s.ctx), 0);
    ASSERT_EQ(cudame_end_frame(apart.ctx), 0);
}

// The device measures levels on the reconstruction that it has. In the next frame, which it has not
// coded, it reads the planes.
TEST_F(WholeFrameTest, MeasuresLevelsOfTheReconstruction) {
    Session s(Config());
    const OneFrame one;
    LevelTrial trial;
    trial.filter.frame = one.recon.luma().plane();
    const cudame_plane source = one.source.luma().plane();
    cudame_whole_frame whole;
    ASSERT_NO_FATAL_FAILURE(Begin(&s, one, &whole));
    ASSERT_EQ(cudame_code_frame(s.ctx, &whole), 0) << cudame_last_error(s.ctx);
    ASSERT_NO_FATAL_FAILURE(trial.Compare(s.ctx, source));
    ASSERT_EQ(cudame_end_frame(s.ctx), 0);

    const cudame_planes planes = one.recon.planes();
    for (int y = 0; y < kHeight; y++)
        for (int x = 0; x < kWidth; x++)
            planes.plane[0][y * planes.stride + x] ^= static_cast<uint8_t>(x / 4 * 3 & 15);
    const cudame_frame frame = Frame(one.source, {0, 1, 0, 0});
    ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
    ASSERT_NO_FATAL_FAILURE(trial.Compare(s.ctx, source));
    ASSERT_EQ(cudame_end_frame(s.ctx), 0);
}

// It compares to the denoised picture that it has. A caller that has another one tries levels
// itself.
TEST_F(WholeFrameTest, MeasuresLevelsAgainstTheDenoisedPicture) {
    Session s(Config());
    const OneFrame one;
    LevelTrial trial;
    trial.filter.frame = one.recon.luma().plane();
    DenoiserTables tables(5, kMbs);
    Picture before(Content::kMoving, kWidth, kHeight, 1);
    before.AddNoise(1, 9, 0);
    const Picture denoised(Content::kFlat, kWidth, kHeight, 0);
    tables.denoiser.ref[CUDAME_REF_LAST] = before.planes(1);
    tables.denoiser.denoised = denoised.planes(2);
    const cudame_frame frame = Frame(one.source, {0, 1, 0, 0});
    for (const bool denoises : {true, false}) {
        SCOPED_TRACE(denoises);
        cudame_whole_frame whole = Whole(one.source, one.recon, one.tables);
        whole.ref[CUDAME_REF_LAST] = one.last.planes(1);
        if (denoises) {
            ASSERT_NO_FATAL_FAILURE(Begin(&s, one, &whole));
            whole.denoiser = &tables.denoiser;
        } else {
            ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
        }
        ASSERT_EQ(cudame_code_frame(s.ctx, &whole), 0) << cudame_last_error(s.ctx);
        const cudame_planes made = denoised.planes(), other = before.planes();
        trial.filter.source_stride = made.stride;
        for (const uint8_t* source : {made.plane[0], other.plane[0]}) {
            trial.filter.source = source;
            if (TestBackend() == CUDAME_BACKEND_CUDA && (!denoises || source != made.plane[0])) {
                EXPECT_EQ(cudame_loop_filter_start(s.ctx, &trial.filter), CUDAME_ERROR_UNAVAILABLE);
                continue;
            }
            cudame_plane plane = one.source.luma().plane();
            plane.data = source;
            plane.stride = made.stride;
            ASSERT_NO_FATAL_FAILURE(trial.Compare(s.ctx, plane));
        }
        ASSERT_EQ(cudame_end_frame(s.ctx), 0);
    }
    EXPECT_FALSE(denoised.Pixels() == one.source.Pixels());
    trial.filter.rows = 0;
    ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
    EXPECT_EQ(cudame_loop_filter_start(s.ctx, &trial.filter), CUDAME_ERROR_INVALID);
    ASSERT_EQ(cudame_end_frame(s.ctx), 0);
}

// Each frame is predicted from the filtered picture of the one before, which the device has, and
// from the first picture, which it does not have.
TEST_F(WholeFrameTest, ReferencesAreFilteredPictures) {
    Session s(Config()), reference(Config(true));
    const Picture first(Content::kMoving, kWidth, kHeight, 0, 32);
    std::vector<std::unique_ptr<Picture>> pictures, expected;
    for (Session* session : {&s, &reference}) ASSERT_EQ(session->Submit(1, first.luma()), 0);
    const auto uploaded = [&] {
        cudame_stats stats = {};
        cudame_get_stats(s.ctx, &stats);
        return stats.ref_bytes;
    };
    const uint64_t before = uploaded();
    for (uint64_t t = 1; t < 8; t++) {
        SCOPED_TRACE(::testing::Message() << "frame " << t);
        const int time = static_cast<int>(t);
        const Picture source(Content::kMoving, kWidth, kHeight, time),
            recon(Content::kFlat, kWidth, kHeight, 0);
        for (auto* made : {&pictures, &expected})
            made->push_back(std::make_unique<Picture>(Content::kFlat, kWidth, kHeight, time, 32));
        const Tables tables(static_cast<unsigned>(t), kMbs);
        const Levels levels(static_cast<unsigned>(t), kMbs);
        cudame_whole_frame f[2];
        for (const int i : {0, 1}) {
            cudame_context* ctx = i ? reference.ctx : s.ctx;
            const auto& made = i ? expected : pictures;
            f[i] = Whole(source, recon, tables);
            f[i].ref[CUDAME_REF_LAST] = t > 1 ? made[t - 2]->planes(t) : first.planes(1);
            if (t % 3) f[i].ref[CUDAME_REF_GOLDEN] = first.planes(1);
            const cudame_frame frame = Frame(source, {0, t, uint64_t{t % 3 ? 1u : 0u}, 0});
            ASSERT_EQ(cudame_begin_frame(ctx, &frame), 0) << cudame_last_error(ctx);
            ASSERT_EQ(cudame_code_frame(ctx, &f[i]), 0) << cudame_last_error(ctx);
            const cudame_frame_filter filter = {
                levels.mb.data(),           0,       0,      recon.planes(),
                made[t - 1]->planes(t + 1), nullptr, nullptr};
            ASSERT_EQ(cudame_filter_frame(ctx, &filter), 0) << cudame_last_error(ctx);
            made[t - 1]->Extend();
        }
        ASSERT_NO_FATAL_FAILURE(ExpectEqual(f[0], f[1]));
        EXPECT_TRUE(pictures.back()->Pixels() == expected.back()->Pixels());
        ASSERT_EQ(cudame_end_frame(s.ctx), 0);
        ASSERT_EQ(cudame_end_frame(reference.ctx), 0);
        ASSERT_EQ(s.Submit(t + 1, pictures.back()->luma()), 0);
        ASSERT_EQ(reference.Submit(t + 1, expected.back()->luma()), 0);
    }
    // The CPU searches references in place.
    EXPECT_EQ(uploaded(), before);
}

// The caller's next encoder, in new memory, may give the identity to another picture.
TEST_F(WholeFrameTest, ForgetsTheFilteredPictureWithTheMemory) {
    Session s(Config()), reference(Config(true));
    const OneFrame one;
    const Picture filtered(Content::kFlat, kWidth, kHeight, 0, 32),
        other(Content::kStripes, kWidth, kHeight, 3, 32);
    const Levels levels(1, kMbs);
    cudame_whole_frame f[2];
    for (const int i : {0, 1}) {
        Session& session = i ? reference : s;
        ASSERT_NO_FATAL_FAILURE(Begin(&session, one, &f[i]));
        ASSERT_EQ(cudame_code_frame(session.ctx, &f[i]), 0) << cudame_last_error(session.ctx);
        const cudame_frame_filter filter = {levels.mb.data(),   0,       0,      one.recon.planes(),
                                            filtered.planes(2), nullptr, nullptr};
        ASSERT_EQ(cudame_filter_frame(session.ctx, &filter), 0) << cudame_last_error(session.ctx);
        ASSERT_EQ(cudame_end_frame(session.ctx), 0);
        cudame_forget_memory(session.ctx);
        ASSERT_EQ(session.Submit(2, other.luma()), 0);
        f[i] = Whole(one.source, one.recon, one.tables);
        f[i].ref[CUDAME_REF_LAST] = other.planes(2);
        const cudame_frame frame = Frame(one.source, {0, 2, 0, 0});
        ASSERT_EQ(cudame_begin_frame(session.ctx, &frame), 0);
        ASSERT_EQ(cudame_code_frame(session.ctx, &f[i]), 0) << cudame_last_error(session.ctx);
    }
    ExpectEqual(f[0], f[1]);
    for (Session* session : {&s, &reference}) ASSERT_EQ(cudame_end_frame(session->ctx), 0);
}

// Likewise denoised pictures.
TEST_F(WholeFrameTest, ForgetsDenoisedPicturesWithTheMemory) {
    Session s(Config()), reference(Config(true));
    const OneFrame one;
    DenoiserTables tables(1, kMbs);
    cudame_denoiser& d = tables.denoiser;
    d.most_error = d.most_strong_error = 1 << 28;
    d.skin = nullptr;
    const Picture noisy[2] = {Picture(Content::kMoving, kWidth, kHeight, 1),
                              Picture(Content::kMoving, kWidth, kHeight, 1)};
    for (const int i : {0, 1}) noisy[i].AddNoise(static_cast<unsigned>(i), 9, 0);
    const Picture denoised[2] = {Picture(Content::kFlat, kWidth, kHeight, 0),
                                 Picture(Content::kFlat, kWidth, kHeight, 0)};
    int differ = 0, same = 0;
    for (const int time : {0, 1}) {
        for (const int i : {0, 1}) {
            Session& session = i ? reference : s;
            cudame_whole_frame f;
            ASSERT_NO_FATAL_FAILURE(Begin(&session, one, &f));
            d.ref[CUDAME_REF_LAST] = noisy[time].planes(5);
            d.denoised = denoised[i].planes(static_cast<uint64_t>(6 + time));
            f.denoiser = &d;
            ASSERT_EQ(cudame_code_frame(session.ctx, &f), 0) << cudame_last_error(session.ctx);
            CountDenoised(f.source, d.denoised, f.mb_rows, f.mb_cols, &differ, &same);
            ASSERT_EQ(cudame_end_frame(session.ctx), 0);
            cudame_forget_memory(session.ctx);
            ASSERT_EQ(cudame_retire_reference(session.ctx, 1), 0);
        }
        EXPECT_TRUE(denoised[0].Pixels() == denoised[1].Pixels()) << "frame " << time;
    }
    EXPECT_GT(differ, 0);
}

// A reference that serves the denoiser alone must be on the device.
TEST_F(WholeFrameTest, NeedsTheReferencesOfTheDenoiser) {
    Session s(Config());
    const OneFrame one;
    DenoiserTables tables(1, kMbs);
    const Picture noisy(Content::kMoving, kWidth, kHeight, 1),
        denoised(Content::kFlat, kWidth, kHeight, 0);
    cudame_whole_frame f;
    ASSERT_NO_FATAL_FAILURE(Begin(&s, one, &f));
    cudame_denoiser& d = tables.denoiser;
    d.ref[CUDAME_REF_LAST] = d.ref[CUDAME_REF_GOLDEN] = noisy.planes(5);
    d.denoised = denoised.planes(6);
    f.denoiser = &d;
    const bool is_device = TestBackend() != CUDAME_BACKEND_CPU;
    for (const uint64_t id : {77, 1}) {  // the second one was submitted
        f.ref[CUDAME_REF_GOLDEN] = one.last.planes(id);
        EXPECT_EQ(cudame_code_frame(s.ctx, &f),
                  is_device && id == 77 ? CUDAME_ERROR_UNAVAILABLE : 0)
            << cudame_last_error(s.ctx);
    }
    EXPECT_EQ(cudame_end_frame(s.ctx), 0);

    // The last frame is not one of them.
    const cudame_frame frame = Frame(one.source, {0, 0, 1, 0});
    ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
    f.ref[CUDAME_REF_LAST] = one.last.planes(1);
    EXPECT_EQ(cudame_code_frame(s.ctx, &f), is_device ? CUDAME_ERROR_INVALID : 0);
    EXPECT_EQ(cudame_end_frame(s.ctx), 0);
}

TEST_F(WholeFrameTest, RefusesWithAReason) {
    Session s(Config());
    const Picture last(Content::kMoving, kWidth, kHeight, 0, 32),
        source(Content::kMoving, kWidth, kHeight, 1), recon(Content::kFlat, kWidth, kHeight, 0);
    const Tables tables(1, kMbs);
    cudame_whole_frame good = Whole(source, recon, tables);
    good.ref[CUDAME_REF_LAST] = last.planes(1);
    const auto refused = [&](const cudame_whole_frame* given) {
        cudame_whole_frame frame = given ? *given : good;
        EXPECT_EQ(cudame_code_frame(s.ctx, given ? &frame : nullptr), CUDAME_ERROR_INVALID);
        return std::string(cudame_last_error(s.ctx));
    };
    const auto changed = [&](const std::function<void(cudame_whole_frame*)>& change) {
        cudame_whole_frame frame = good;
        change(&frame);
        return refused(&frame);
    };
    EXPECT_EQ(refused(&good), "no frame was begun");

    ASSERT_EQ(s.Submit(1, last.luma()), 0);
    cudame_frame frame = Frame(source, {0, 1, 0, 0});
    frame.bmode_cost = nullptr;
    ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
    EXPECT_EQ(refused(&good), "the frame has no intra estimates: bmode_cost is NULL");
    ASSERT_EQ(cudame_end_frame(s.ctx), 0);

    frame.bmode_cost = bmode_costs_.data();
    ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
    EXPECT_EQ(refused(nullptr), "no frame to code given");
    const std::string size = "the frame to code has another size than the context";
    EXPECT_EQ(changed([](cudame_whole_frame* f) { f->mb_rows--; }), size);
    EXPECT_EQ(changed([](cudame_whole_frame* f) { f->mb_cols++; }), size);
    for (int p = 0; p < 3; p++) {
        EXPECT_EQ(changed([p](cudame_whole_frame* f) { f->source.plane[p] = nullptr; }),
                  "source: a plane is missing");
        EXPECT_EQ(changed([p](cudame_whole_frame* f) { f->recon.plane[p] = nullptr; }),
                  "recon: a plane is missing");
        if (!p) continue;  // without luma there is no reference
        EXPECT_EQ(changed([p](cudame_whole_frame* f) { f->ref[1].plane[p] = nullptr; }),
                  "ref: a plane is missing");
    }
    for (const int returned : {-1, static_cast<int>(CUDAME_REFS)})
        EXPECT_EQ(changed([=](cudame_whole_frame* f) { f->returned_ref = returned; }),
                  "the returned reference is not a slot");
    const Picture denoised(Content::kFlat, kWidth, kHeight, 0);
    const auto with_denoiser = [&](const std::function<void(cudame_denoiser*)>& change) {
        DenoiserTables tables_of_denoiser(1, kMbs);
        cudame_denoiser& d = tables_of_denoiser.denoiser;
        d.ref[CUDAME_REF_LAST] = last.planes(1);
        d.denoised = denoised.planes(2);
        change(&d);
        return changed([&](cudame_whole_frame* f) { f->denoiser = &d; });
    };
    EXPECT_EQ(with_denoiser([](cudame_denoiser* d) { d->denoised.plane[1] = nullptr; }),
              "denoised: a plane is missing");
    EXPECT_EQ(with_denoiser([](cudame_denoiser* d) { d->ref[1].plane[2] = nullptr; }),
              "denoised ref: a plane is missing");
    EXPECT_EQ(with_denoiser([](cudame_denoiser* d) { d->near_still_frames = nullptr; }),
              "the denoiser lacks a table");
    for (const int sharpness : {-1, 8})
        EXPECT_EQ(with_denoiser([=](cudame_denoiser* d) { d->sharpness = sharpness; }),
                  "the denoiser's sharpness is not 0 to 7");
    const std::string table = "the frame to code lacks a table";
    EXPECT_EQ(changed([](cudame_whole_frame* f) { f->segments = nullptr; }), table);
    EXPECT_EQ(changed([](cudame_whole_frame* f) { f->rates = nullptr; }), table);
    EXPECT_EQ(changed([](cudame_whole_frame* f) { f->mv_cost[0] = nullptr; }), table);
    EXPECT_EQ(changed([](cudame_whole_frame* f) { f->mv_cost[1] = nullptr; }), table);
    EXPECT_EQ(changed([](cudame_whole_frame* f) { f->value_cost = nullptr; }), table);
    EXPECT_EQ(changed([](cudame_whole_frame* f) { f->still_frames = nullptr; }), table);
    EXPECT_EQ(changed([](cudame_whole_frame* f) { f->memory = nullptr; }), table);

    // The frame is still open, and its backend still in use.
    EXPECT_EQ(cudame_backend_in_use(s.ctx), TestBackend());
    EXPECT_EQ(s.Field(CUDAME_REF_LAST).size(), static_cast<size_t>(kMbs));
    EXPECT_EQ(cudame_code_frame(s.ctx, &good), 0) << cudame_last_error(s.ctx);
    EXPECT_TRUE(good.coded && good.tokens && good.new_memory);

    const Levels levels(1, kMbs);
    const Picture filtered(Content::kFlat, kWidth, kHeight, 0);
    cudame_partition partition = {};
    const cudame_frame_filter filter = {levels.mb.data(),  0,       0,      good.recon,
                                        filtered.planes(), nullptr, nullptr};
    const auto not_filtered = [&](const std::function<void(cudame_frame_filter*)>& change) {
        cudame_frame_filter f = filter;
        change(&f);
        EXPECT_EQ(cudame_filter_frame(s.ctx, &f), CUDAME_ERROR_INVALID);
        return std::string(cudame_last_error(s.ctx));
    };
    EXPECT_EQ(cudame_filter_frame(s.ctx, nullptr), CUDAME_ERROR_INVALID);
    EXPECT_STREQ(cudame_last_error(s.ctx), "no filter given");
    EXPECT_EQ(not_filtered([](cudame_frame_filter* f) { f->macroblocks = nullptr; }),
              "the macroblocks' levels are missing");
    EXPECT_EQ(not_filtered([](cudame_frame_filter* f) { f->recon.plane[2] = nullptr; }),
              "recon: a plane is missing");
    EXPECT_EQ(not_filtered([](cudame_frame_filter* f) { f->filtered.plane[0] = nullptr; }),
              "filtered: a plane is missing");
    EXPECT_EQ(not_filtered([&](cudame_frame_filter* f) { f->partition = &partition; }),
              "the partition's probabilities are missing");
    cudame_modes modes = {};
    for (const uint32_t range : {0u, 127u, 256u}) {
        modes.start_range = range;
        EXPECT_EQ(not_filtered([&](cudame_frame_filter* f) { f->modes = &modes; }),
                  "the range of the modes' encoder is not 128 to 255");
    }
    const std::vector<uint8_t> probs(900, 128);
    modes.key_bmode = probs.data();
    EXPECT_EQ(not_filtered([&](cudame_frame_filter* f) { f->modes = &modes; }),
              "the modes are those of a key frame, and the frame is not");
    modes.key_bmode = nullptr;
    for (int sharpness : {-1, 8})
        EXPECT_EQ(not_filtered([&](cudame_frame_filter* f) { f->sharpness = sharpness; }),
                  "the sharpness is not 0 to 7");
    EXPECT_EQ(cudame_filter_frame(s.ctx, &filter), 0) << cudame_last_error(s.ctx);
    EXPECT_EQ(not_filtered([](cudame_frame_filter*) {}), "no frame was coded");  // a second time
    cudame_whole_frame key = good;
    key.key_bmode = tables.key_bmode.data();
    EXPECT_EQ(cudame_code_frame(s.ctx, &key), 0) << cudame_last_error(s.ctx);
    modes.start_range = 200;
    EXPECT_EQ(not_filtered([&](cudame_frame_filter* f) { f->modes = &modes; }),
              "the probabilities of the key frame's sub-block modes are missing");
    EXPECT_EQ(cudame_code_frame(s.ctx, &good), 0) << cudame_last_error(s.ctx);
    EXPECT_EQ(cudame_end_frame(s.ctx), 0);
    EXPECT_EQ(not_filtered([](cudame_frame_filter*) {}), "no frame was coded");
    EXPECT_EQ(refused(&good), "no frame was begun");
}

// The frame stays open, and the device in use.
TEST_F(WholeFrameTest, NeedsTheLeanSearchOnADevice) {
    Session s(MakeConfig(kWidth, kHeight, CUDAME_MODE_FULL, CUDAME_SEARCH_DIAMOND));
    OneFrame one;
    cudame_whole_frame whole;
    ASSERT_NO_FATAL_FAILURE(Begin(&s, one, &whole));
    if (TestBackend() == CUDAME_BACKEND_CPU) {
        EXPECT_EQ(cudame_code_frame(s.ctx, &whole), 0) << cudame_last_error(s.ctx);
    } else {
        EXPECT_EQ(cudame_code_frame(s.ctx, &whole), CUDAME_ERROR_UNAVAILABLE);
        EXPECT_STREQ(cudame_last_error(s.ctx), "only the lean search codes whole frames");
    }
    EXPECT_EQ(cudame_backend_in_use(s.ctx), TestBackend());
    EXPECT_EQ(s.Field(CUDAME_REF_LAST).size(), static_cast<size_t>(kMbs));
    EXPECT_EQ(cudame_end_frame(s.ctx), 0);
}

// Two frames in a row are late: the device need not code the next 256 frames. After that it is
// asked again.
// A driver that may be told to be late.
struct LateDriver {
    void (*hold)(int) = nullptr;  // holds work until it was asked for this often; -1: does not
    int (*run)(int) = nullptr;    // runs this number of pieces of held work

    LateDriver() {
        if (void* const driver = dlopen("libcuda.so.1", RTLD_LAZY)) {
            hold = reinterpret_cast<decltype(hold)>(dlsym(driver, "fake_cuda_hold"));
            run = reinterpret_cast<decltype(run)>(dlsym(driver, "fake_cuda_run"));
        }
    }
    bool works() const { return TestBackend() != CUDAME_BACKEND_CPU && hold && run; }
};

// Without a result from the device, libvpx denoises a frame. The device then gets that picture, and
// those that a late frame has uploaded once more.
TEST_F(WholeFrameTest, LateFramesLeaveDenoisedPicturesAsTheyAre) {
    const LateDriver driver;
    if (!driver.works()) GTEST_SKIP() << "this driver is not late when it is told to";
    Session s(Config()), reference(Config(true));
    const OneFrame one;
    DenoiserTables tables(1, kMbs);
    cudame_denoiser& d = tables.denoiser;
    d.most_error = d.most_strong_error = 1 << 28;
    std::vector<std::unique_ptr<Picture>> pictures;  // by identity
    const auto add = [&](unsigned noise) {
        pictures.push_back(std::make_unique<Picture>(Content::kMoving, kWidth, kHeight, 1));
        pictures.back()->AddNoise(noise, 9, 0);
    };
    for (unsigned i = 0; i < 6; i++) add(i);
    const Picture result(Content::kFlat, kWidth, kHeight, 0);
    for (size_t time = 0; time < 3; time++) {
        SCOPED_TRACE(time);
        const bool is_late = time == 1;
        const auto picture = [&](size_t id) { return pictures[id]->planes(id); };
        d.ref[CUDAME_REF_LAST] = picture(time + 2);
        d.ref[CUDAME_REF_GOLDEN] = picture(time ? 1 : 2);
        for (Session* session : {&s, &reference}) {
            cudame_whole_frame f;
            ASSERT_NO_FATAL_FAILURE(Begin(session, one, &f));
            f.ref[CUDAME_REF_GOLDEN] = f.ref[CUDAME_REF_LAST];
            f.denoiser = &d;
            d.denoised = session == &s ? result.planes(10 + time) : picture(time + 3);
            // The host's picture has another identity if libvpx has made it.
            if (session == &s && !is_late) d.denoised.id = time + 3;
            if (session == &s && is_late) driver.hold(1 << 30);
            const int code = cudame_code_frame(session->ctx, &f);
            EXPECT_EQ(code, session == &s && is_late ? CUDAME_ERROR_UNAVAILABLE : 0)
                << cudame_last_error(session->ctx);
            if (session == &s && is_late) {
                driver.hold(-1);
                driver.run(1 << 30);
            }
            ASSERT_EQ(cudame_end_frame(session->ctx), 0);
            ASSERT_EQ(cudame_retire_reference(session->ctx, 1), 0);
        }
        if (!is_late) {
            EXPECT_TRUE(result.Pixels() == pictures[time + 3]->Pixels());
        }
    }
}

TEST_F(WholeFrameTest, RestsAfterLateFrames) {
    const LateDriver driver;
    if (!driver.works()) GTEST_SKIP() << "this driver is not late when it is told to";
    Session s(Config());
    OneFrame one;
    cudame_whole_frame whole;
    ASSERT_NO_FATAL_FAILURE(Begin(&s, one, &whole));
    driver.hold(1 << 30);
    for (int i = 0; i < 2 + 256; i++) {
        SCOPED_TRACE(i);
        ASSERT_EQ(cudame_code_frame(s.ctx, &whole), CUDAME_ERROR_UNAVAILABLE);
        const std::string text = cudame_last_error(s.ctx);
        EXPECT_EQ(text == "the device was late with the last frames that it coded", i >= 2) << text;
    }
    driver.hold(-1);
    driver.run(1 << 30);
    EXPECT_EQ(cudame_code_frame(s.ctx, &whole), 0) << cudame_last_error(s.ctx);
    EXPECT_EQ(cudame_backend_in_use(s.ctx), TestBackend());
    EXPECT_EQ(cudame_end_frame(s.ctx), 0);
}

}  // namespace
