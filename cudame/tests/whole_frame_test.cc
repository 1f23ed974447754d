// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// cudame_code_frame(): its errors, and the result of the backend under test against that of the
// scalar reference for tables that no encoder makes, such as references with a sign bias.
// tests/provider compares the scalar reference with libvpx.

#include "cudame/whole_frame.h"

#include <dlfcn.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "many_frames.h"
#include "session.h"
#include "whole_frame_data.h"

using namespace whole_frame;

namespace {

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
        int partitions = 0, written = 0;     // asked for; those that fit into their room
        int denoised = 0, not_denoised = 0;  // macroblocks of frames with a denoiser
    };
    void Compare(const Sequence& sequence, Counts* counts);
    // Expects all modes and references, too.
    void CompareWithScalarReference();

    const std::vector<int> costs_ = naive::MakeCosts(3), bmode_costs_ = naive::MakeBmodeCosts(1);
    const std::vector<int16_t> value_costs_ = MakeValueCosts();
};

// Fails at the first macroblock that differs. Counts the tokens again.
void ExpectEqual(const cudame_whole_frame& a, const cudame_whole_frame& b) {
    std::vector<uint32_t> counts(96 * 12);
    for (int i = 0; i < a.mb_rows * a.mb_cols; i++) {
        SCOPED_TRACE(::testing::Message()
                     << "macroblock row " << i / a.mb_cols << " column " << i % a.mb_cols);
        const cudame_coded_mb &x = a.coded[i], &y = b.coded[i];
        ASSERT_EQ(x.mode, y.mode);
        ASSERT_EQ(x.ref, y.ref);
        if (!x.ref) {
            ASSERT_EQ(x.uv_mode, y.uv_mode);
        }
        ASSERT_EQ(x.flags, y.flags);
        ASSERT_EQ(x.evaluated, y.evaluated);
        ASSERT_EQ(x.rate, y.rate);
        ASSERT_EQ(x.distortion, y.distortion);
        ASSERT_EQ(x.intra_error, y.intra_error);
        if (x.mode == kBPred) {
            ASSERT_EQ(memcmp(x.block.bmode, y.block.bmode, sizeof(x.block.bmode)), 0);
        } else if (x.ref) {
            ASSERT_EQ(memcmp(x.best_mv, y.best_mv, sizeof(x.best_mv)), 0);
            ASSERT_EQ(memcmp(x.block.mv, y.block.mv, sizeof(x.block.mv)), 0);
        }
        if (x.mode == kSplitMv) {
            const size_t parts[] = {2, 2, 4, 16};
            ASSERT_EQ(x.partitioning, y.partitioning);
            ASSERT_EQ(memcmp(x.split_mode, y.split_mode, parts[x.partitioning & 3]), 0);
        }
        ASSERT_EQ(x.tokens, y.tokens);
        ASSERT_TRUE(std::equal(a.tokens + x.first_token, a.tokens + x.first_token + x.tokens,
                               b.tokens + y.first_token));
        for (int n = 0; n < x.tokens; n++) {
            const cudame_token t = a.tokens[x.first_token + static_cast<uint32_t>(n)];
            counts[(t & 127) * 12 + (t >> CUDAME_TOKEN_SHIFT & 15)]++;
        }
        ASSERT_EQ(memcmp(&a.new_memory[i], &b.new_memory[i], sizeof(*a.new_memory)), 0);
    }
    for (const cudame_whole_frame* f : {&a, &b})
        EXPECT_TRUE(std::equal(counts.begin(), counts.end(), f->token_counts));
}

void ExpectEqual(const cudame_partition& a, const cudame_partition& b) {
    ASSERT_EQ(a.bits, b.bits);
    EXPECT_EQ(a.range, b.range);
    ASSERT_EQ(a.data != nullptr, b.data != nullptr);
    if (!a.data) return;
    EXPECT_TRUE(std::equal(a.data, a.data + (a.bits + 15) / 8, b.data));
}

// Counts macroblocks whose luma differs from the source.
void CountDenoised(const cudame_planes& source, const cudame_planes& denoised, int mb_rows,
                   int mb_cols, int* differ, int* same) {
    for (int i = 0; i < mb_rows * mb_cols; i++) {
        bool equal = true;
        for (int y = 0; y < 16; y++) {
            const auto at = [&](const cudame_planes& p) {
                return p.plane[0] + (16 * (i / mb_cols) + y) * p.stride + 16 * (i % mb_cols);
            };
            equal = equal && !memcmp(at(source), at(denoised), 16);
        }
        ++*(equal ? same : differ);
    }
}

void WholeFrameTest::Compare(const Sequence& sequence, Counts* counts) {
    const int width = sequence.width, height = sequence.height, mbs = width / 16 * (height / 16);
    cudame_config config = Config(false, width, height);
    config.device = 0;
    cudame_config cpu = Config(true, width, height);
    config.level = cpu.level = sequence.level;
    Session s(config), reference(cpu);
    std::vector<std::unique_ptr<Picture>> pictures;
    std::vector<std::unique_ptr<Picture>> denoised;  // pictures and results of denoisers
    for (const Content content : {Content::kMoving, Content::kRandom, Content::kStripes}) {
        const int first = static_cast<int>(pictures.size());
        for (int t = 0; t < sequence.frames; t++) {
            SCOPED_TRACE(::testing::Message() << naive::Name(content) << " frame " << t);
            pictures.push_back(std::make_unique<Picture>(content, width, height, t, 32));
            const uint64_t last = pictures.size();
            for (Session* session : {&s, &reference})
                ASSERT_EQ(session->Submit(last, pictures.back()->luma()), 0);
            // One to three references, some of which are the same.
            const auto before = [&](int n) {
                return static_cast<uint64_t>(std::max(first + 1, int(last) - n));
            };
            const bool is_key = t % 6 == 2;
            uint64_t ids[CUDAME_REFS] = {0, t % 5 == 4 ? 0 : last, t % 2 ? before(2) : 0,
                                         t % 3        ? before(4)
                                         : t % 5 == 4 ? last
                                                      : 0};
            if (is_key) std::fill(std::begin(ids), std::end(ids), uint64_t{0});
            const Picture source(content, width, height, t + 1);
            const Picture recon(Content::kFlat, width, height, 0),
                expected(Content::kRandom, width, height, 0);
            const Tables tables(static_cast<unsigned>(pictures.size()), mbs, sequence.least_step);
            cudame_whole_frame f = Whole(source, recon, tables);
            if (t % 4 == 3) f.segment = nullptr;
            if (is_key) f.key_bmode = tables.key_bmode.data();
            for (int ref = CUDAME_REF_LAST; ref < CUDAME_REFS; ref++)
                if (ids[ref]) f.ref[ref] = pictures[ids[ref] - 1]->planes(ids[ref]);
            if (t % 3 == 1) f.returned_ref = CUDAME_REF_ALTREF;
            cudame_whole_frame e = f;
            e.recon = expected.planes();
            // Denoised pictures are made for the test, or results of frames before.
            DenoiserTables tables_of_denoiser(static_cast<unsigned>(t) + 77, mbs);
            cudame_denoiser &denoiser = tables_of_denoiser.denoiser, expected_denoiser;
            const Picture expected_denoised(Content::kFlat, width, height, 0);
            const auto id_of = [&](size_t i) { return static_cast<uint64_t>(i + 1); };
            if (t % 5 != 3 && !is_key) {
                if (t % 2 == 0 || denoised.empty()) {
                    denoised.push_back(std::make_unique<Picture>(content, width, height, t + 1));
                    denoised.back()->AddNoise(static_cast<unsigned>(t), 1 + t % 13, t % 3);
                }
                const size_t newest = denoised.size() - 1, older = newest - newest % 3;
                denoiser.ref[CUDAME_REF_LAST] = denoised[newest]->planes(id_of(newest));
                denoiser.ref[CUDAME_REF_GOLDEN] =
                    denoised[older]->planes(t % 7 == 1 ? 0 : id_of(older));
                if (t % 4) denoiser.ref[CUDAME_REF_ALTREF] = denoiser.ref[CUDAME_REF_LAST];
                denoised.push_back(std::make_unique<Picture>(Content::kFlat, width, height, 0));
                denoiser.denoised = denoised.back()->planes(id_of(newest + 1));
                expected_denoiser = denoiser;
                expected_denoiser.denoised = expected_denoised.planes();
                f.denoiser = &denoiser;
                e.denoiser = &expected_denoiser;
                // A reference that is not searched serves the denoiser alone.
                if (!ids[CUDAME_REF_GOLDEN])
                    f.ref[CUDAME_REF_GOLDEN] = e.ref[CUDAME_REF_GOLDEN] =
                        pictures[last - 1]->planes(last);
            }
            const cudame_frame frame = Frame(source, ids);
            ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0) << cudame_last_error(s.ctx);
            ASSERT_EQ(cudame_begin_frame(reference.ctx, &frame), 0);
            ASSERT_EQ(cudame_code_frame(s.ctx, &f), 0) << cudame_last_error(s.ctx);
            ASSERT_EQ(cudame_code_frame(reference.ctx, &e), 0) << cudame_last_error(reference.ctx);
            ASSERT_EQ(cudame_backend_in_use(s.ctx), TestBackend());
            ASSERT_NO_FATAL_FAILURE(ExpectEqual(f, e));
            EXPECT_TRUE(recon.Pixels() == expected.Pixels());
            if (f.denoiser) {
                EXPECT_TRUE(denoised.back()->Pixels() == expected_denoised.Pixels()) << "denoised";
                CountDenoised(f.source, denoiser.denoised, f.mb_rows, f.mb_cols, &counts->denoised,
                              &counts->not_denoised);
            }
            const Levels levels(static_cast<unsigned>(t), mbs);
            const Picture filtered(Content::kFlat, width, height, 1),
                expected_filtered(Content::kRandom, width, height, 1);
            const bool writes = t % 5 != 4;
            const std::vector<uint8_t> probs = MakeTokenProbs(static_cast<unsigned>(t));
            cudame_partition partition = {probs.data(), nullptr, 0, 0},
                             expected_partition = partition;
            cudame_frame_filter filter = {levels.mb.data(),
                                          t % 8,
                                          is_key,
                                          f.recon,
                                          filtered.planes(),
                                          writes ? &partition : nullptr};
            ASSERT_EQ(cudame_filter_frame(s.ctx, &filter), 0) << cudame_last_error(s.ctx);
            EXPECT_TRUE(recon.Pixels() == expected.Pixels()) << "the filter changed its input";
            filter.recon = e.recon;
            filter.filtered = expected_filtered.planes();
            filter.partition = &expected_partition;
            ASSERT_EQ(cudame_filter_frame(reference.ctx, &filter), 0);
            if (writes) {
                ASSERT_NO_FATAL_FAILURE(ExpectEqual(partition, expected_partition));
                counts->partitions++;
                counts->written += partition.data != nullptr;
            }
            EXPECT_TRUE(filtered.Pixels() == expected_filtered.Pixels()) << "filtered";
            for (int i = 0; i < mbs; i++) {
                if (is_key) {
                    ASSERT_LE(f.coded[i].mode, kBPred);
                    counts->key_modes[f.coded[i].mode]++;
                    continue;
                }
                counts->modes[f.coded[i].mode]++;
                counts->refs[f.coded[i].ref]++;
            }
            ASSERT_EQ(cudame_end_frame(s.ctx), 0);
            ASSERT_EQ(cudame_end_frame(reference.ctx), 0);
        }
    }
}

void WholeFrameTest::CompareWithScalarReference() {
    Counts counts;
    ASSERT_NO_FATAL_FAILURE(Compare({kWidth, kHeight, 14, 4}, &counts));
    EXPECT_GT(counts.written, 10) << "frames whose tokens fit into a partition";
    EXPECT_GT(counts.denoised, 50);
    EXPECT_GT(counts.not_denoised, 50);
    for (int i = 0; i < 10; i++) EXPECT_GT(counts.modes[i], 0) << "mode " << i;
    for (int i = 0; i <= kBPred; i++)
        EXPECT_GT(counts.key_modes[i], 0) << "mode of a key frame " << i;
    for (int i = 0; i < CUDAME_REFS; i++) EXPECT_GT(counts.refs[i], 0) << "reference " << i;
}

TEST_F(WholeFrameTest, EqualsTheScalarReference) { CompareWithScalarReference(); }

TEST_F(WholeFrameTest, EqualsTheScalarReferenceWithManyFrames) {
#if CUDAME_CUDA
    if (TestBackend() != CUDAME_BACKEND_CUDA) GTEST_SKIP() << "needs the CUDA backend";
    const ManyFrames many;
    CompareWithScalarReference();
#else
    GTEST_SKIP() << "needs the CUDA backend";
#endif
}

// Levels from 3 on search no smaller blocks. The device then has other code for many frames.
TEST_F(WholeFrameTest, EqualsTheScalarReferenceWithManyFramesWithoutSmallBlocks) {
#if CUDAME_CUDA
    if (TestBackend() != CUDAME_BACKEND_CUDA) GTEST_SKIP() << "needs the CUDA backend";
    const ManyFrames many;
    for (const int level : {3, 4}) {
        Counts counts;
        ASSERT_NO_FATAL_FAILURE(Compare({kWidth, kHeight, 14, 4, level}, &counts)) << level;
        for (int i = 0; i < kSplitMv; i++) EXPECT_GT(counts.modes[i], 0) << "mode " << i;
        EXPECT_EQ(counts.modes[kSplitMv], 0);
    }
#else
    GTEST_SKIP() << "needs the CUDA backend";
#endif
}

// 37 rows are three groups of 13 on a device with 227 KB of shared memory for a thread block, and
// seven of six on one with 48 KB. There are fewer thread blocks than groups.
TEST_F(WholeFrameTest, EqualsTheScalarReferenceInSeveralGroupsOfRows) {
#if CUDAME_CUDA
    if (TestBackend() != CUDAME_BACKEND_CUDA) GTEST_SKIP() << "needs the CUDA backend";
    const auto compare = [&] {
        const ManyFrames many;
        for (const Sequence& sequence : {Sequence{48, 592, 3, 4, 4}, Sequence{208, 320, 2, 4, 0}}) {
            Counts counts;
            ASSERT_NO_FATAL_FAILURE(Compare(sequence, &counts)) << sequence.width;
            EXPECT_GT(counts.refs[CUDAME_REF_LAST], 0);
        }
    };
    compare();
    setenv("FAKE_CUDA_SHARED", "49152", 1);
    compare();
    unsetenv("FAKE_CUDA_SHARED");
#else
    GTEST_SKIP() << "needs the CUDA backend";
#endif
}

// Pieces of a row that are written at the same time have several macroblocks. Here and in the next
// test, only the tokens of noise do not fit.
TEST_F(WholeFrameTest, EqualsTheScalarReferenceInWideFrames) {
    Counts counts;
    ASSERT_NO_FATAL_FAILURE(Compare({1104, 32, 5, 60}, &counts));
    EXPECT_EQ(counts.partitions, 12);
    EXPECT_GE(counts.written, 8) << "frames whose tokens fit into a partition";
}

TEST_F(WholeFrameTest, EqualsTheScalarReferenceInFramesOfOneColumn) {
    Counts counts;
    for (const int height : {16, 128})
        ASSERT_NO_FATAL_FAILURE(Compare({16, height, 8, 60}, &counts)) << height;
    EXPECT_EQ(counts.partitions, 42);
    EXPECT_GE(counts.written, 28) << "frames whose tokens fit into a partition";
}

TEST_F(WholeFrameTest, FilterEqualsTheDefinition) {
    Session s(Config());
    int filtered = 0;
    for (int t = 0; t < 12; t++) {
        SCOPED_TRACE(::testing::Message() << "frame " << t);
        const Content content = t % 3 ? Content::kMoving : Content::kRandom;
        const Picture last(content, kWidth, kHeight, t, 32),
            source(content, kWidth, kHeight, t + 1), recon(Content::kFlat, kWidth, kHeight, 0),
            expected(Content::kFlat, kWidth, kHeight, 0),
            result(Content::kRandom, kWidth, kHeight, 0);
        const Tables tables(static_cast<unsigned>(t), kMbs);
        const uint64_t id = static_cast<uint64_t>(t) + 1;
        ASSERT_EQ(s.Submit(id, last.luma()), 0);
        const cudame_frame frame = Frame(source, {0, id, 0, 0});
        ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0);
        cudame_whole_frame whole = Whole(source, recon, tables);
        whole.ref[CUDAME_REF_LAST] = last.planes(id);
        ASSERT_EQ(cudame_code_frame(s.ctx, &whole), 0) << cudame_last_error(s.ctx);
        const cudame_planes from = recon.planes(), to = expected.planes();
        for (int p = 0; p < 3; p++) {
            const int width = p ? kWidth / 2 : kWidth, height = p ? kHeight / 2 : kHeight;
            const ptrdiff_t stride = p ? from.uv_stride : from.stride;
            for (int y = 0; y < height; y++)
                std::copy_n(from.plane[p] + y * stride, width, to.plane[p] + y * stride);
        }
        const Levels levels(static_cast<unsigned>(t), kMbs);
        const bool is_key = t % 4 == 1;
        const cudame_frame_filter filter = {levels.mb.data(), t % 8,  is_key, from,
                                            result.planes(),  nullptr};
        ASSERT_EQ(cudame_filter_frame(s.ctx, &filter), 0) << cudame_last_error(s.ctx);
        EXPECT_TRUE(recon.Pixels() == expected.Pixels()) << "the filter changed its input";
        NaiveFilter(to, kHeight / 16, kWidth / 16, levels, t % 8, is_key);
        EXPECT_TRUE(result.Pixels() == expected.Pixels());
        filtered += result.Pixels() != recon.Pixels();
        ASSERT_EQ(cudame_end_frame(s.ctx), 0);
    }
    EXPECT_GE(filtered, 8);  // noise has no edges to filter
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
                levels.mb.data(), 0, 0, recon.planes(), made[t - 1]->planes(t + 1), nullptr};
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
        const cudame_frame_filter filter = {levels.mb.data(),   0,      0, one.recon.planes(),
                                            filtered.planes(2), nullptr};
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
    const cudame_frame_filter filter = {levels.mb.data(),  0,      0, good.recon,
                                        filtered.planes(), nullptr};
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
    for (int sharpness : {-1, 8})
        EXPECT_EQ(not_filtered([&](cudame_frame_filter* f) { f->sharpness = sharpness; }),
                  "the sharpness is not 0 to 7");
    EXPECT_EQ(cudame_filter_frame(s.ctx, &filter), 0) << cudame_last_error(s.ctx);
    EXPECT_EQ(not_filtered([](cudame_frame_filter*) {}), "no frame was coded");  // a second time
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
