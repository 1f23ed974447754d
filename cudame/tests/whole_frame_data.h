// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Pictures in 4:2:0 and tables to code whole frames from, and a loop filter by the text of RFC
// 6386.

#ifndef CUDAME_TESTS_WHOLE_FRAME_DATA_H_
#define CUDAME_TESTS_WHOLE_FRAME_DATA_H_

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

#include "cudame/whole_frame.h"
#include "session.h"

namespace whole_frame {

using naive::Content;

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
    // Adds up to +-most to each pixel, and `more` to all.
    void AddNoise(unsigned seed, int most, int more) const {
        std::mt19937 rng(seed);
        for (const PlaneBuffer* buffer : {&y_, &u_, &v_}) {
            const cudame_plane& p = buffer->plane();
            for (int y = 0; y < p.height; y++)
                for (int x = 0; x < p.width; x++) {
                    uint8_t* const at = const_cast<uint8_t*>(p.data) + y * p.stride + x;
                    const int noise = static_cast<int>(rng() % static_cast<unsigned>(2 * most + 1));
                    *at = static_cast<uint8_t>(std::clamp(*at + noise - most + more, 0, 255));
                }
        }
    }
    // Replicates the edges into the borders.
    void Extend() const {
        for (const PlaneBuffer* buffer : {&y_, &u_, &v_}) {
            const cudame_plane& p = buffer->plane();
            for (int y = -p.border; y < p.height + p.border; y++)
                for (int x = -p.border; x < p.width + p.border; x++)
                    const_cast<uint8_t*>(p.data)[y * p.stride + x] =
                        p.data[std::clamp(y, 0, p.height - 1) * p.stride +
                               std::clamp(x, 0, p.width - 1)];
        }
    }

  private:
    PlaneBuffer y_, u_, v_;
};

// The rates of coefficients, the same in all frames.
inline std::vector<int16_t> MakeValueCosts() {
    std::vector<int16_t> costs;
    for (int i = -2048; i < 2048; i++)
        costs.push_back(static_cast<int16_t>(256 + std::min(std::abs(i) * 16, 2500) + (i < 0)));
    return costs;
}

// Probabilities of the token tree.
inline std::vector<uint8_t> MakeTokenProbs(unsigned seed) {
    std::mt19937 rng(seed);
    std::vector<uint8_t> probs(96 * 11);
    for (uint8_t& p : probs) p = static_cast<uint8_t>(1 + rng() % 255);
    return probs;
}

// The other tables of a frame, at random. least_step: of the quantizers.
struct Tables {
    cudame_segment segments[4] = {};
    cudame_rates rates = {};
    std::vector<int> key_bmode;  // of a key frame
    std::vector<uint8_t> map, still;
    std::vector<cudame_mb_memory> memory;

    Tables(unsigned seed, int mbs, int least_step = 4) {
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
                    s.dequant[p][i] =
                        static_cast<int16_t>(in(least_step, in(0, 1) ? least_step + 16 : 157));
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

// A denoiser with random limits, without pictures. Its maps stay here.
struct DenoiserTables {
    std::vector<uint8_t> skin, near_still;
    cudame_denoiser denoiser = {};

    DenoiserTables(unsigned seed, int mbs) {
        std::mt19937 rng(seed);
        const auto one_of = [&](std::initializer_list<int> values) {
            return values.begin()[rng() % values.size()];
        };
        for (int i = 0; i < mbs; i++) {
            skin.push_back(rng() % 4 == 0);
            near_still.push_back(static_cast<uint8_t>(rng() % 4));
        }
        cudame_denoiser& d = denoiser;
        d.has_chroma = one_of({0, 1, 1});
        d.zero_percent = one_of({60, 95});
        d.most_error = one_of({10240, 20480, 1 << 28});
        d.most_strong_error = 2 * d.most_error;
        d.most_length = one_of({8 * 625, 16 * 625});
        d.strong_length = one_of({0, 625});
        d.strong_frames = one_of({20, INT32_MAX});
        d.closest_ref = one_of({CUDAME_REF_LAST, CUDAME_REF_GOLDEN, CUDAME_REF_ALTREF});
        d.sharpness = one_of({0, 3, 7});
        d.skin = one_of({0, 1}) ? skin.data() : nullptr;
        d.near_still_frames = near_still.data();
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

}  // namespace whole_frame

#endif  // CUDAME_TESTS_WHOLE_FRAME_DATA_H_
