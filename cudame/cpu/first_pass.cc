// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cpu/first_pass.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>

#include "common/geometry.h"
#include "common/transform.h"
#include "cpu/block_transform.h"

namespace cudame {
namespace {

constexpr int kPixels = kMb * kMb;

struct Found {
    Vec mv;
    int error = INT_MAX;
};

class RowCoder {
  public:
    RowCoder(const cudame_first_pass_frame& f, int mb_cols, int mb_rows, int row)
        : f_(f), cols_(mb_cols), rows_(mb_rows), row_(row) {}

    FirstPassRow Run() {
        for (int col = 0; col < cols_; col++) Code(col);
        return counts_;
    }

  private:
    uint8_t* recon(int x, int y) const {
        return f_.recon + (kMb * row_ + y) * f_.recon_stride + kMb * col_ + x;
    }

    // Fetch the prediction of the macroblock by a vector. The edges of the frame are replicated.
    void Fetch(const cudame_plane& from, Vec v, uint8_t* to) const {
        const int at_x = kMb * col_ + v.x, last_x = kMb * cols_ - 1;
        const int left = std::clamp(-at_x, 0, kMb);  // pixels left of the frame
        // end of the pixels inside the frame
        const int in = std::clamp(last_x + 1 - at_x, left, kMb);
        for (int y = 0; y < kMb; y++) {
            const int at_y = std::clamp(kMb * row_ + v.y + y, 0, kMb * rows_ - 1);
            const uint8_t* const row = from.data + at_y * from.stride;
            to = std::fill_n(to, left, row[0]);
            to = std::copy_n(row + at_x + left, in - left, to);
            to = std::fill_n(to, kMb - in, row[last_x]);
        }
    }

    int Sad(const cudame_plane& from, Vec v) const {
        uint8_t ref[kPixels];
        Fetch(from, v, ref);
        int sad = 0;
        for (int i = 0; i < kPixels; i++) sad += std::abs(source_[i] - ref[i]);
        return sad;
    }

    int SquaredError(const cudame_plane& from, Vec v) const {
        uint8_t ref[kPixels];
        Fetch(from, v, ref);
        int sum = 0;
        for (int i = 0; i < kPixels; i++) {
            const int d = source_[i] - ref[i];
            sum += d * d;
        }
        return sum;
    }

    int Cost(Vec v, Vec predicted) const {
        const int rate = f_.mv_cost[0][std::max(v.y - predicted.y, 0)] +
                         f_.mv_cost[1][std::max(v.x - predicted.x, 0)];
        return (rate * f_.error_per_bit + 128) >> 8;
    }

    // Move to the best of eight sites one step away, if it is better. Sites on the edge of the
    // window are not tried.
    void Step(const cudame_plane& from, int step, Vec* at, int* sad) const {
        static const Vec kSites[8] = {{0, -1},  {0, 1},  {-1, 0}, {1, 0},
                                      {-1, -1}, {1, -1}, {-1, 1}, {1, 1}};
        const Vec middle = *at;
        for (const Vec& site : kSites) {
            const Vec v = {middle.x + step * site.x, middle.y + step * site.y};
            if (v.x <= window_.x0 || v.x >= window_.x1 || v.y <= window_.y0 || v.y >= window_.y1)
                continue;
            const int site_sad = Sad(from, v);
            if (site_sad >= *sad) continue;
            *sad = site_sad;
            *at = v;
        }
    }

    // Search around a predicted vector. Replace *best if a vector has a lower error.
    void Search(const cudame_plane& from, Vec predicted, Found* best) const {
        const Vec centre = {std::clamp(predicted.x, window_.x0, window_.x1),
                            std::clamp(predicted.y, window_.y0, window_.y1)};
        const int centre_sad = Sad(from, centre);
        for (int run = 0; run < kFirstPassRuns; run++) {
            Vec v = centre;
            int sad = centre_sad;
            for (int step = kFirstPassStep >> run; step; step >>= 1) Step(from, step, &v, &sad);
            const int error = SquaredError(from, v) + Cost(v, predicted) + kFirstPassPenalty;
            if (error < best->error) *best = {v, error};
        }
    }

    // Code the macroblock intra. Return the error of its prediction.
    int CodeIntra() {
        const bool one_edge = !row_ != !col_;
        if (one_edge) {
            int sum = kMb / 2;
            for (int i = 0; i < kMb; i++) sum += row_ ? *recon(i, -1) : *recon(-1, i);
            uint8_t prediction[kPixels];
            memset(prediction, sum / kMb, sizeof(prediction));
            CodeWhole(prediction);
            int error = 0;
            for (int i = 0; i < kPixels; i++) {
                const int d = source_[i] - prediction[i];
                error += d * d;
            }
            return error;
        }
        int error = 0;
        for (int block = 0; block < 16; block++) {
            const int x = block % 4 * 4, y = block / 4 * 4;
            int sum = 4;
            // The macroblock in the corner of the frame has neither row above nor column to the
            // left (RFC 6386 section 12.3).
            for (int i = 0; i < 4; i++) {
                sum += y || row_ ? *recon(x + i, y - 1) : 127;
                sum += x || col_ ? *recon(x - 1, y + i) : 129;
            }
            const int prediction = sum / 8;
            int residual[16], coefficients[16];
            for (int i = 0; i < 16; i++) {
                residual[i] = source_[kMb * (y + i / 4) + x + i % 4] - prediction;
                error += residual[i] * residual[i];
            }
            ForwardDct(residual, coefficients);
            for (int i = 0; i < 16; i++)
                coefficients[i] = Requantize(f_.y1, coefficients[i], i > 0);
            InverseDct(coefficients, residual);
            for (int i = 0; i < 16; i++)
                *recon(x + i % 4, y + i / 4) = ClampPixel(prediction + residual[i]);
        }
        return error;
    }

    // Code the macroblock from a prediction of all of it, with the second-order transform.
    void CodeWhole(const uint8_t prediction[kPixels]) {
        int coefficients[16][16], first[16], second[16];
        for (int block = 0; block < 16; block++) {
            int residual[16];
            for (int i = 0; i < 16; i++) {
                const int at = kMb * (block / 4 * 4 + i / 4) + block % 4 * 4 + i % 4;
                residual[i] = source_[at] - prediction[at];
            }
            ForwardDct(residual, coefficients[block]);
            first[block] = coefficients[block][0];
        }
        ForwardWalsh(first, second);
        for (int i = 0; i < 16; i++) second[i] = Requantize(f_.y2, second[i], i > 0);
        InverseWalsh(second, first);
        for (int block = 0; block < 16; block++) {
            int residual[16];
            coefficients[block][0] = first[block];
            for (int i = 1; i < 16; i++)
                coefficients[block][i] = Requantize(f_.y1, coefficients[block][i], true);
            InverseDct(coefficients[block], residual);
            for (int i = 0; i < 16; i++) {
                const int x = block % 4 * 4 + i % 4, y = block / 4 * 4 + i / 4;
                *recon(x, y) = ClampPixel(prediction[kMb * y + x] + residual[i]);
            }
        }
    }

    void Code(int col) {
        col_ = col;
        window_ = {-kMb * col_ - kMb, -kMb * row_ - kMb, kMb * (cols_ - 1 - col_) + kMb,
                   kMb * (rows_ - 1 - row_) + kMb};
        for (int y = 0; y < kMb; y++)
            memcpy(source_ + kMb * y,
                   f_.source.data + (kMb * row_ + y) * f_.source.stride + kMb * col_, kMb);

        const int intra = CodeIntra() + kFirstPassPenalty;
        counts_.intra_error += intra;
        if (!f_.last.data) {
            counts_.coded_error += intra;
            return;
        }

        Found best = {{}, SquaredError(f_.last, {})};
        if (!f_.breakout ||
            static_cast<unsigned>(SquaredError(f_.last_source, {})) >= f_.breakout) {
            Search(f_.last, left_, &best);
            if (left_ != Vec{}) Search(f_.last, {}, &best);
            if (f_.golden.data) {
                Found golden;
                Search(f_.golden, {}, &golden);
                counts_.second_ref += golden.error < std::min(best.error, intra);
            }
        }
        left_ = {};
        if (best.error > intra) {
            counts_.coded_error += intra;
            return;
        }
        counts_.coded_error += best.error;
        counts_.neutral +=
            (intra - kFirstPassPenalty) * 9 <= best.error * 10 && intra < 2 * kFirstPassPenalty;
        uint8_t prediction[kPixels];
        Fetch(f_.last, best.mv, prediction);
        CodeWhole(prediction);
        left_ = best.mv;
        counts_.Count(best.mv.x, best.mv.y, col_, row_, cols_, rows_);
    }

    const cudame_first_pass_frame& f_;
    const int cols_, rows_, row_;
    int col_ = 0;
    Window window_ = {};
    Vec left_;  // vector of the macroblock to the left; zero if it is intra
    uint8_t source_[kPixels];
    FirstPassRow counts_ = {};
};

}  // namespace

cudame_first_pass_counts ScalarFirstPass::Run(const cudame_first_pass_frame& frame) {
    FirstPassSum sum;
    for (int row = 0; row < mb_rows_; row++)
        sum.Add(RowCoder(frame, mb_cols_, mb_rows_, row).Run());
    return sum.counts();
}

}  // namespace cudame
