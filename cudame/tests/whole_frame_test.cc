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
#include <random>
#include <string>

#include "many_frames.h"
#include "session.h"

using naive::Content;

namespace {

enum { kBPred = 4, kSplitMv = 9 };

// A picture in whole macroblocks.
class Picture {
  public:
    Picture(Content content, int width, int height, int time, int border = 0)
        : y_(naive::MakeImage(content, width, height, time, 9), border, false),
          u_(naive::MakeImage(content, width / 2, height / 2, time, 10), border / 2, false),
          v_(naive::MakeImage(content, width / 2, height / 2, time, 11), border / 2, false) {}

    cudame_planes planes(uint64_t id = 0) const {
        cudame_planes p = {};
        const PlaneBuffer* const planes[] = {&y_, &u_, &v_};
        for (int i = 0; i < 3; i++) p.plane[i] = const_cast<uint8_t*>(planes[i]->plane().data);
        p.stride = static_cast<int>(y_.plane().stride);
        p.uv_stride = static_cast<int>(u_.plane().stride);
        p.id = id;
        return p;
    }
    const PlaneBuffer& luma() const { return y_; }
    // Without borders.
    std::vector<uint8_t> Pixels() const {
        std::vector<uint8_t> pixels;
        for (const PlaneBuffer* buffer : {&y_, &u_, &v_}) {
            const cudame_plane& p = buffer->plane();
            for (int y = 0; y < p.height; y++)
                pixels.insert(pixels.end(), p.data + y * p.stride, p.data + y * p.stride + p.width);
        }
        return pixels;
    }

  private:
    PlaneBuffer y_, u_, v_;
};

// The rates of coefficients, the same in all frames.
std::vector<int16_t> MakeValueCosts() {
    std::vector<int16_t> costs;
    for (int i = -2048; i < 2048; i++)
        costs.push_back(static_cast<int16_t>(256 + std::min(std::abs(i) * 16, 2500) + (i < 0)));
    return costs;
}

// The other tables of a frame, at random.
struct Tables {
    cudame_segment segments[4] = {};
    cudame_rates rates = {};
    std::vector<int> key_bmode;  // of a key frame
    std::vector<uint8_t> map, still;
    std::vector<cudame_mb_memory> memory;

    Tables(unsigned seed, int mbs) {
        std::mt19937 rng(seed);
        const auto in = [&](int low, int high) {
            return low + static_cast<int>(rng() % static_cast<unsigned>(high - low + 1));
        };
        for (cudame_segment& s : segments) {
            s.level = {in(1000, 5000),  in(1000, 1300), in(1, 6),      in(900, 1300),
                       in(1000, 1300),  in(900, 1500),  in(900, 1200), in(1000, 1200),
                       in(0, 1) * 1000, in(0, 2)};
            s.lambda = in(2, 80);
            s.breakout = in(0, 1) ? 0 : in(0, 1) ? 500 : 20000;
            for (int p = 0; p < CUDAME_PLANES; p++) {
                for (int i = 0; i < 2; i++) {
                    s.dequant[p][i] = static_cast<int16_t>(in(4, in(0, 1) ? 20 : 157));
                    s.quant[p][i] = static_cast<int16_t>(65536 / s.dequant[p][i]);
                }
                for (int i = 0; i < 16; i++)
                    s.round[p][i] = static_cast<int16_t>(s.dequant[p][i > 0] * in(30, 64) / 128);
            }
            // As libvpx does it, so that costs do not overflow.
            const int step = s.dequant[CUDAME_PLANE_Y][1], rdmult = 28 * step * step / 10;
            s.rdmult = rdmult > 1000 ? rdmult / 100 : rdmult;
            s.rddiv = rdmult > 1000 ? 1 : 100;
        }
        const auto fill = [&](auto* at, int low, int high) {
            int* const first = reinterpret_cast<int*>(at);
            for (size_t i = 0; i < sizeof(*at) / sizeof(int); i++) first[i] = in(low, high);
        };
        fill(&rates.ref, 50, 1500);
        fill(&rates.mode, 100, 1500);
        fill(&rates.uv_mode, 100, 1500);
        fill(&rates.bmode, 100, 1500);
        for (int i = 0; i < 10 * 10 * 10; i++) key_bmode.push_back(in(100, 1500));
        fill(&rates.near_mode, 20, 1500);
        fill(&rates.partitioning, 100, 1500);
        fill(&rates.token, 20, 1500);
        fill(&rates.skip, 50, 1500);
        rates.intra_penalty = in(0, 1000);
        rates.min_mv_difference = -in(0, 1) * 1023;
        for (int ref = CUDAME_REF_GOLDEN; ref < CUDAME_REFS; ref++) rates.sign_bias[ref] = in(0, 1);
        for (int i = 0; i < mbs; i++) {
            map.push_back(static_cast<uint8_t>(in(0, 3)));
            still.push_back(static_cast<uint8_t>(in(0, 1) ? in(0, 3) : 255));
            cudame_mb_memory m = {};
            const auto below = [&](int n) { return static_cast<uint32_t>(in(0, n - 1)); };
            m.recalled = {below(4000), below(8000), below(8)};
            m.dropped = {below(2000), below(20)};
            memory.push_back(m);
        }
    }
};

// Levels of the loop filter, a third of them 0, with and without inner edges.
struct Levels {
    std::vector<uint8_t> mb;
    Levels(unsigned seed, int mbs) {
        std::mt19937 rng(seed);
        for (int i = 0; i < mbs; i++)
            mb.push_back(static_cast<uint8_t>((rng() % 3 ? rng() % 64 : 0) |
                                              (rng() % 2 ? CUDAME_LOOP_FILTER_INNER : 0)));
    }
};

// The samples of a plane, with the filter of RFC 6386 section 15, written from its text: macroblock
// by macroblock, the edges of each in the order left, inner columns, top, inner rows.
class NaiveFilter {
  public:
    NaiveFilter(const cudame_planes& picture, int mb_rows, int mb_cols, const Levels& levels,
                int sharpness, bool is_key)
        : is_key_(is_key) {
        for (int row = 0; row < mb_rows; row++)
            for (int col = 0; col < mb_cols; col++) {
                const uint8_t mb = levels.mb[static_cast<size_t>(row * mb_cols + col)];
                Set(mb & 63, sharpness);
                if (!level_) continue;
                for (int p = 0; p < 3; p++) {
                    const int size = p ? 8 : 16;
                    const ptrdiff_t stride = p ? picture.uv_stride : picture.stride;
                    uint8_t* at = picture.plane[p] + size * row * stride + size * col;
                    if (col) Edge(at, 1, stride, size, true);
                    for (int x = 4; mb >= 64 && x < size; x += 4)
                        Edge(at + x, 1, stride, size, false);
                    if (row) Edge(at, stride, 1, size, true);
                    for (int y = 4; mb >= 64 && y < size; y += 4)
                        Edge(at + y * stride, stride, 1, size, false);
                }
            }
    }

  private:
    static int S(uint8_t u) { return u - 128; }  // u2s()
    static uint8_t U(int s) { return static_cast<uint8_t>(C(s) + 128); }
    static int C(int v) { return std::clamp(v, -128, 127); }

    void Set(int level, int sharpness) {
        level_ = level;
        interior_ = level;
        if (sharpness) {
            interior_ >>= sharpness > 4 ? 2 : 1;
            interior_ = std::min(interior_, 9 - sharpness);
        }
        interior_ = std::max(interior_, 1);
        hev_ = is_key_ ? (level >= 40   ? 2
                          : level >= 15 ? 1
                                        : 0)
                       : (level >= 40   ? 3
                          : level >= 20 ? 2
                          : level >= 15 ? 1
                                        : 0);
    }

    // Filters `count` positions along an edge. step: across the edge; next: along it.
    void Edge(uint8_t* at, ptrdiff_t step, ptrdiff_t next, int count, bool is_mb) const {
        for (int i = 0; i < count; i++, at += next) {
            uint8_t *const P = at - step, *const Q = at;
            const auto p = [&](int k) { return S(P[-k * step]); };
            const auto q = [&](int k) { return S(Q[k * step]); };
            const int limit = (is_mb ? (level_ + 2) * 2 : level_ * 2) + interior_;
            if (std::abs(p(0) - q(0)) * 2 + std::abs(p(1) - q(1)) / 2 > limit) continue;
            bool flat = true;
            for (int k = 0; k < 3; k++)
                flat = flat && std::abs(p(k + 1) - p(k)) <= interior_ &&
                       std::abs(q(k + 1) - q(k)) <= interior_;
            if (!flat) continue;
            const bool hev = std::abs(p(1) - p(0)) > hev_ || std::abs(q(1) - q(0)) > hev_;
            const int p0 = p(0), p1 = p(1), p2 = p(2), q0 = q(0), q1 = q(1), q2 = q(2);
            if (is_mb && !hev) {
                const int w = C(C(p1 - q1) + 3 * (q0 - p0));
                int a = C((27 * w + 63) >> 7);
                Q[0] = U(q0 - a), P[0] = U(p0 + a);
                a = C((18 * w + 63) >> 7);
                Q[step] = U(q1 - a), P[-step] = U(p1 + a);
                a = C((9 * w + 63) >> 7);
                Q[2 * step] = U(q2 - a), P[-2 * step] = U(p2 + a);
                continue;
            }
            const int a = C((is_mb || hev ? C(p1 - q1) : 0) + 3 * (q0 - p0));
            const int f = C(a + 4) >> 3, g = C(a + 3) >> 3;
            Q[0] = U(q0 - f), P[0] = U(p0 + g);
            if (is_mb || hev) continue;
            const int outer = (f + 1) >> 1;
            Q[step] = U(q1 - outer), P[-step] = U(p1 + outer);
        }
    }

    const bool is_key_;
    int level_ = 0, interior_ = 0, hev_ = 0;
};

class WholeFrameTest : public ::testing::Test {
  protected:
    static constexpr int kWidth = 80, kHeight = 112, kMbs = 5 * 7;

    static cudame_config Config(bool cpu = false) {
        cudame_config config = MakeConfig(kWidth, kHeight, CUDAME_MODE_FULL, CUDAME_SEARCH_LEAN);
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
        f.mb_cols = kWidth / 16;
        f.mb_rows = kHeight / 16;
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

    // Codes and filters frames by the backend under test and by the scalar reference.
    void CompareWithScalarReference();

    const std::vector<int> costs_ = naive::MakeCosts(3), bmode_costs_ = naive::MakeBmodeCosts(1);
    const std::vector<int16_t> value_costs_ = MakeValueCosts();
};

// Fails at the first macroblock that differs.
void ExpectEqual(const cudame_whole_frame& a, const cudame_whole_frame& b) {
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
        ASSERT_EQ(memcmp(x.eob, y.eob, sizeof(x.eob)), 0);
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
        const auto blocks = std::count_if(x.eob, x.eob + 25, [](uint8_t eob) { return eob > 0; });
        const bool skips = x.flags & CUDAME_CODED_SKIP;
        ASSERT_TRUE(skips || std::equal(a.coefficients + 16 * x.first_block,
                                        a.coefficients + 16 * (x.first_block + blocks),
                                        b.coefficients + 16 * y.first_block));
        ASSERT_EQ(memcmp(&a.new_memory[i], &b.new_memory[i], sizeof(*a.new_memory)), 0);
    }
}

void WholeFrameTest::CompareWithScalarReference() {
    cudame_config config = Config();
    config.device = 0;
    Session s(config), reference(Config(true));
    std::vector<std::unique_ptr<Picture>> pictures;
    int modes[10] = {}, refs[CUDAME_REFS] = {}, key_modes[kBPred + 1] = {};
    for (const Content content : {Content::kMoving, Content::kRandom, Content::kStripes}) {
        const int first = static_cast<int>(pictures.size());
        for (int t = 0; t < 14; t++) {
            SCOPED_TRACE(::testing::Message() << naive::Name(content) << " frame " << t);
            pictures.push_back(std::make_unique<Picture>(content, kWidth, kHeight, t, 32));
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
            const Picture source(content, kWidth, kHeight, t + 1);
            const Picture recon(Content::kFlat, kWidth, kHeight, 0),
                expected(Content::kRandom, kWidth, kHeight, 0);
            const Tables tables(static_cast<unsigned>(pictures.size()), kMbs);
            cudame_whole_frame f = Whole(source, recon, tables);
            if (t % 4 == 3) f.segment = nullptr;
            if (is_key) f.key_bmode = tables.key_bmode.data();
            for (int ref = CUDAME_REF_LAST; ref < CUDAME_REFS; ref++)
                if (ids[ref]) f.ref[ref] = pictures[ids[ref] - 1]->planes(ids[ref]);
            cudame_whole_frame e = f;
            e.recon = expected.planes();
            const cudame_frame frame = Frame(source, ids);
            ASSERT_EQ(cudame_begin_frame(s.ctx, &frame), 0) << cudame_last_error(s.ctx);
            ASSERT_EQ(cudame_begin_frame(reference.ctx, &frame), 0);
            ASSERT_EQ(cudame_code_frame(s.ctx, &f), 0) << cudame_last_error(s.ctx);
            ASSERT_EQ(cudame_code_frame(reference.ctx, &e), 0) << cudame_last_error(reference.ctx);
            ASSERT_EQ(cudame_backend_in_use(s.ctx), TestBackend());
            ASSERT_NO_FATAL_FAILURE(ExpectEqual(f, e));
            EXPECT_TRUE(recon.Pixels() == expected.Pixels());
            const Levels levels(static_cast<unsigned>(t), kMbs);
            cudame_frame_filter filter = {levels.mb.data(), t % 8, is_key, f.recon};
            ASSERT_EQ(cudame_filter_frame(s.ctx, &filter), 0) << cudame_last_error(s.ctx);
            filter.recon = e.recon;
            ASSERT_EQ(cudame_filter_frame(reference.ctx, &filter), 0);
            EXPECT_TRUE(recon.Pixels() == expected.Pixels()) << "filtered";
            for (int i = 0; i < kMbs; i++) {
                if (is_key) {
                    ASSERT_LE(f.coded[i].mode, kBPred);
                    key_modes[f.coded[i].mode]++;
                    continue;
                }
                modes[f.coded[i].mode]++;
                refs[f.coded[i].ref]++;
            }
            ASSERT_EQ(cudame_end_frame(s.ctx), 0);
            ASSERT_EQ(cudame_end_frame(reference.ctx), 0);
        }
    }
    for (int i = 0; i < 10; i++) EXPECT_GT(modes[i], 0) << "mode " << i;
    for (int i = 0; i <= kBPred; i++) EXPECT_GT(key_modes[i], 0) << "mode of a key frame " << i;
    for (int i = 0; i < CUDAME_REFS; i++) EXPECT_GT(refs[i], 0) << "reference " << i;
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

TEST_F(WholeFrameTest, FilterEqualsTheDefinition) {
    Session s(Config());
    int filtered = 0;
    for (int t = 0; t < 12; t++) {
        SCOPED_TRACE(::testing::Message() << "frame " << t);
        const Content content = t % 3 ? Content::kMoving : Content::kRandom;
        const Picture last(content, kWidth, kHeight, t, 32),
            source(content, kWidth, kHeight, t + 1), recon(Content::kFlat, kWidth, kHeight, 0),
            expected(Content::kFlat, kWidth, kHeight, 0);
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
        const cudame_frame_filter filter = {levels.mb.data(), t % 8, is_key, from};
        ASSERT_EQ(cudame_filter_frame(s.ctx, &filter), 0) << cudame_last_error(s.ctx);
        filtered += recon.Pixels() != expected.Pixels();
        NaiveFilter(to, kHeight / 16, kWidth / 16, levels, t % 8, is_key);
        EXPECT_TRUE(recon.Pixels() == expected.Pixels());
        ASSERT_EQ(cudame_end_frame(s.ctx), 0);
    }
    EXPECT_GE(filtered, 8);  // noise has no edges to filter
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
    EXPECT_TRUE(good.coded && good.coefficients && good.new_memory);

    const Levels levels(1, kMbs);
    const cudame_frame_filter filter = {levels.mb.data(), 0, 0, good.recon};
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
TEST_F(WholeFrameTest, RestsAfterLateFrames) {
    void (*hold)(int) = nullptr;
    int (*run)(int) = nullptr;
    if (void* const driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD)) {
        hold = reinterpret_cast<decltype(hold)>(dlsym(driver, "fake_cuda_hold"));
        run = reinterpret_cast<decltype(run)>(dlsym(driver, "fake_cuda_run"));
    }
    if (TestBackend() == CUDAME_BACKEND_CPU || !hold || !run)
        GTEST_SKIP() << "this driver is not late when it is told to";
    Session s(Config());
    OneFrame one;
    cudame_whole_frame whole;
    ASSERT_NO_FATAL_FAILURE(Begin(&s, one, &whole));
    hold(1 << 30);
    for (int i = 0; i < 2 + 256; i++) {
        SCOPED_TRACE(i);
        ASSERT_EQ(cudame_code_frame(s.ctx, &whole), CUDAME_ERROR_UNAVAILABLE);
        const std::string text = cudame_last_error(s.ctx);
        EXPECT_EQ(text == "the device was late with the last frames that it coded", i >= 2) << text;
    }
    hold(-1);
    run(1 << 30);
    EXPECT_EQ(cudame_code_frame(s.ctx, &whole), 0) << cudame_last_error(s.ctx);
    EXPECT_EQ(cudame_backend_in_use(s.ctx), TestBackend());
    EXPECT_EQ(cudame_end_frame(s.ctx), 0);
}

}  // namespace
