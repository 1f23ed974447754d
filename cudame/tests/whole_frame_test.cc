// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The result of cudame_code_frame() and cudame_filter_frame() by the backend under test against
// that of the scalar reference and of definitions, for tables that no encoder makes, such as
// references with a sign bias. tests/provider compares the scalar reference with libvpx.

#include <dlfcn.h>

#include <string>

#include "mode_data.h"
#include "whole_frame_fixture.h"

void WholeFrameTest::ExpectEqual(const cudame_whole_frame& a, const cudame_whole_frame& b) {
    std::vector<uint32_t> counts(96 * 12);
    for (int i = 0; i < a.mb_rows * a.mb_cols; i++) {
        SCOPED_TRACE(::testing::Message()
                     << "macroblock row " << i / a.mb_cols << " column " << i % a.mb_cols);
        const cudame_coded_mb &x = a.coded[i], &y = b.coded[i];
        const cudame_blocks &p = a.blocks[i], &q = b.blocks[i];
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
            ASSERT_EQ(memcmp(p.block.bmode, q.block.bmode, sizeof(p.block.bmode)), 0);
        } else if (x.ref) {
            ASSERT_EQ(memcmp(x.best_mv, y.best_mv, sizeof(x.best_mv)), 0);
            ASSERT_EQ(memcmp(x.mv, y.mv, sizeof(x.mv)), 0);
        }
        if (x.mode == kSplitMv || (x.flags & CUDAME_CODED_STILL)) {
            const size_t parts[] = {2, 2, 4, 16};
            ASSERT_EQ(x.partitioning, y.partitioning);
            ASSERT_EQ(memcmp(p.block.mv, q.block.mv, sizeof(p.block.mv)), 0);
            ASSERT_EQ(memcmp(p.split_mode, q.split_mode, parts[x.partitioning & 3]), 0);
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

template <class Written>
void WholeFrameTest::ExpectEqual(const Written& a, const Written& b) {
    ASSERT_EQ(a.bits, b.bits);
    EXPECT_EQ(a.range, b.range);
    ASSERT_EQ(a.data != nullptr, b.data != nullptr);
    if (!a.data) return;
    EXPECT_TRUE(std::equal(a.data, a.data + (a.bits + 15) / 8, b.data));
}

void WholeFrameTest::CountDenoised(const cudame_planes& source, const cudame_planes& denoised,
                                   int mb_rows, int mb_cols, int* differ, int* same) {
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
            f.may_keep_recon = t % 3 == 1;
            const auto untouched = recon.Pixels();
            ASSERT_EQ(cudame_code_frame(s.ctx, &f), 0) << cudame_last_error(s.ctx);
            ASSERT_EQ(cudame_code_frame(reference.ctx, &e), 0) << cudame_last_error(reference.ctx);
            ASSERT_EQ(cudame_backend_in_use(s.ctx), TestBackend());
            ASSERT_NO_FATAL_FAILURE(ExpectEqual(f, e));
            EXPECT_EQ(f.has_recon, !f.may_keep_recon || TestBackend() == CUDAME_BACKEND_CPU);
            const auto after = f.has_recon ? expected.Pixels() : untouched;
            EXPECT_TRUE(recon.Pixels() == after);
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
                                          writes ? &partition : nullptr,
                                          nullptr};
            std::mt19937 random(static_cast<unsigned>(t));
            cudame_modes modes = mode_data::MakeModes(token_data::Probs::kAny, &random),
                         expected_modes = modes;
            const bool has_splits = std::any_of(e.coded, e.coded + mbs,
                                                [](const auto& mb) { return mb.mode == kSplitMv; });
            const std::vector<uint8_t> key_probs =
                mode_data::MakeKeyProbs(token_data::Probs::kAny, &random);
            if (is_key) modes.key_bmode = expected_modes.key_bmode = key_probs.data();
            const bool writes_modes = !has_splits && t % 7 != 6;
            if (writes_modes) filter.modes = &modes;
            ASSERT_EQ(cudame_filter_frame(s.ctx, &filter), 0) << cudame_last_error(s.ctx);
            EXPECT_TRUE(recon.Pixels() == after) << "the filter changed its input";
            filter.recon = e.recon;
            filter.filtered = expected_filtered.planes();
            filter.partition = &expected_partition;
            if (writes_modes) filter.modes = &expected_modes;
            ASSERT_EQ(cudame_filter_frame(reference.ctx, &filter), 0);
            if (writes) {
                ASSERT_NO_FATAL_FAILURE(ExpectEqual(partition, expected_partition));
                counts->partitions++;
                counts->written += partition.data != nullptr;
            }
            if (writes_modes) {
                ASSERT_NO_FATAL_FAILURE(ExpectEqual(modes, expected_modes));
                counts->asked_modes++;
                counts->written_modes += modes.data != nullptr;
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
    EXPECT_GT(counts.written_modes, 10) << "frames whose modes fit into their room";
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

// A process does not see the frames of others.
TEST_F(WholeFrameTest, CodesInGroupsOfRowsIfProcessesShareTheDevice) {
#if CUDAME_CUDA
    if (TestBackend() != CUDAME_BACKEND_CUDA) GTEST_SKIP() << "needs the CUDA backend";
    void* driver = dlopen("libcuda.so.1", RTLD_LAZY);
    ASSERT_TRUE(driver) << dlerror();
    const auto launches =
        reinterpret_cast<int (*)(const char*)>(dlsym(driver, "emulated_launches"));
    if (!launches) GTEST_SKIP() << "needs the emulated driver";
    const auto rows = [&] {
        return launches("cudame_code_rows") + launches("cudame_code_key_rows");
    };
    const auto groups = [&] { return launches("cudame_code_groups"); };
    const auto compare = [&](bool shared) {
        const int rows_before = rows(), groups_before = groups();
        Counts counts;
        ASSERT_NO_FATAL_FAILURE(Compare({kWidth, kHeight, 4, 4, 4}, &counts));
        EXPECT_EQ(rows() == rows_before, shared);
        EXPECT_EQ(groups() > groups_before, shared);
    };
    compare(false);
    setenv("FAKE_CUDA_MPS", "1", 1);
    compare(true);
    unsetenv("FAKE_CUDA_MPS");
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
        const cudame_frame_filter filter = {levels.mb.data(), t % 8,   is_key, from,
                                            result.planes(),  nullptr, nullptr};
        ASSERT_EQ(cudame_filter_frame(s.ctx, &filter), 0) << cudame_last_error(s.ctx);
        EXPECT_TRUE(recon.Pixels() == expected.Pixels()) << "the filter changed its input";
        NaiveFilter(to, kHeight / 16, kWidth / 16, levels, t % 8, is_key);
        EXPECT_TRUE(result.Pixels() == expected.Pixels());
        filtered += result.Pixels() != recon.Pixels();
        ASSERT_EQ(cudame_end_frame(s.ctx), 0);
    }
    EXPECT_GE(filtered, 8);  // noise has no edges to filter
}
