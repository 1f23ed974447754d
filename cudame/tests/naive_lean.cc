// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The lean search, pixel by pixel, written after the comments of the library's headers. It uses
// only the table of levels of the library.

#include <algorithm>
#include <cstdlib>

#include "common/lean.h"
#include "naive.h"

namespace naive {
namespace {

using cudame::LeanLevel;

constexpr int kWholeBlocks = 9;  // a 4x4 block uses the vector of its quarter

// A vector in whole pixels.
struct Vector {
    int x, y;
    bool operator==(const Vector& o) const { return x == o.x && y == o.y; }
};

struct Best {
    Vector v = {0, 0};
    int cost = 1 << 30, sad = 0;
};

// The whole-pixel vectors of a macroblock or of a coarse macroblock.
class WholeSearch {
  public:
    // Without params there is no rate.
    WholeSearch(const Params* params, cudame_mv prediction, const Image& source,
                const Image& reference, int rows, int cols, int r, int c)
        : params_(params),
          prediction_(prediction),
          source_(source),
          reference_(reference),
          mx_(16 * c),
          my_(16 * r),
          legal_(LegalVectors(rows, cols, r, c)) {}

    const Best& best(int b) const { return best_[b]; }

    void Try(Vector v) {
        for (int b = 0; b < kWholeBlocks; b++) TryBlock(b, v);
    }
    Vector Clamped(Vector v) const {
        return {std::clamp(v.x, legal_.low_x / 4, legal_.high_x / 4),
                std::clamp(v.y, legal_.low_y / 4, legal_.high_y / 4)};
    }
    void TryAround(Vector v, int step) {
        for (const Vector n : Neighbours(v, step)) Try(n);
    }

    // Search a macroblock of the frame. Some vectors are tried twice; the second time changes
    // nothing.
    void Search(const LeanLevel& level, const std::vector<Vector>& candidates, int still,
                bool descends, bool looks_far) {
        Try({0, 0});
        sad_zero_ = best_[0].sad;
        if (best_[0].sad * 2 <= still) return;
        for (const Vector v : candidates) Try(Clamped(v));
        if (best_[0].sad <= still || !descends) return;
        if (level.box) {
            TryAround({0, 0}, 1);
            for (const Vector v : candidates) TryAround(Clamped(v), 1);
        }
        if (looks_far && best_[0].sad > 256 * level.poor) {
            Vector at = best_[0].v;
            for (int x = -32; x <= 32; x++) Try({at.x + x, at.y});
            for (int y = -32; y <= 32; y++) Try({at.x, at.y + y});
            at = best_[0].v;
            for (int ring = 1; ring <= level.rings; ring++)
                for (const Vector v : {Vector{4, 0},
                                       {4, 2},
                                       {3, 3},
                                       {2, 4},
                                       {0, 4},
                                       {-2, 4},
                                       {-3, 3},
                                       {-4, 2},
                                       {-4, 0},
                                       {-4, -2},
                                       {-3, -3},
                                       {-2, -4},
                                       {0, -4},
                                       {2, -4},
                                       {3, -3},
                                       {4, -2}})
                    Try({at.x + ring * v.x, at.y + ring * v.y});
        }
        Descend();
    }

    // Try the vectors of the macroblocks around.
    void Spread(const LeanLevel& level, const std::vector<Vector>& around) {
        const Vector own = best_[0].v;
        std::vector<Vector> others;
        for (const Vector v : around)
            if (!(Clamped(v) == own)) others.push_back(Clamped(v));
        for (const Vector v : others) Try(v);
        for (const Vector v : others)
            if (level.pass_box) TryAround(v, 1);
        if (!(best_[0].v == own)) Descend();
    }
    int sad_zero() const { return sad_zero_; }
    bool poor() const {
        return best_[5].sad + best_[6].sad + best_[7].sad + best_[8].sad > 8 * 256;
    }
    // Return whether a quarter of its pixels, without the first column, equal their left neighbour.
    bool drawn() const {
        int equal = 0;
        for (int y = my_; y < my_ + 16; y++)
            for (int x = mx_ + 1; x < mx_ + 16; x++)
                equal += source_.clamped(x, y) == source_.clamped(x - 1, y);
        return 4 * equal >= 15 * 16;
    }
    void TryAll(int range) {
        for (int y = -range; y <= range; y++)
            for (int x = -range; x <= range; x++) Try({x, y});
    }

  private:
    void Descend() {
        Vector from;
        int moves = 0;
        do {
            from = best_[0].v;
            TryAround(from, 1);
            moves++;
        } while (!(best_[0].v == from) && moves < 4);
    }
    static std::vector<Vector> Neighbours(Vector v, int step) {
        std::vector<Vector> all;
        for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++)
                if (x || y) all.push_back({v.x + step * x, v.y + step * y});
        return all;
    }
    void TryBlock(int b, Vector v) {
        if (!legal_.Has(4 * v.x, 4 * v.y)) return;
        const Rect& r = kBlocks[b];
        int sad = 0;
        for (int y = my_ + r.y; y < my_ + r.y + r.h; y++)
            for (int x = mx_ + r.x; x < mx_ + r.x + r.w; x++)
                sad += std::abs(source_.clamped(x, y) - reference_.clamped(x + v.x, y + v.y));
        const int rate = params_ ? Rate(*params_, prediction_, 4 * v.x, 4 * v.y) : 0;
        const int cost = std::min(sad + rate, 65535);
        if (cost < best_[b].cost) best_[b] = {v, cost, sad};
    }

    const Params* const params_;
    const cudame_mv prediction_;
    const Image& source_;
    const Image& reference_;
    const int mx_, my_;
    const LegalBox legal_;
    Best best_[kWholeBlocks];
    int sad_zero_ = 0;
};

// Vectors of 64x64 pixels and of the four quarters, in coarse pixels.
struct CoarseVectors {
    Vector v[5];
};

std::vector<CoarseVectors> SearchCoarse(const LeanLevel& level, const Image& source,
                                        const Image& reference, int still) {
    const int cols = (source.width + 15) / 16, rows = (source.height + 15) / 16;
    constexpr int kBlock[5] = {0, 5, 6, 7, 8};
    std::vector<CoarseVectors> found;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++) {
            WholeSearch mb(nullptr, {0, 0}, source, reference, rows, cols, r, c);
            mb.Try({0, 0});
            if (mb.best(0).sad <= still) {
                found.push_back({});
                continue;
            }
            for (int x = -32; x < 32; x++) mb.Try({x, 0});
            for (int y = -32; y < 32; y++) mb.Try({0, y});
            for (int y = -level.grid; y <= level.grid; y += 8)
                for (int x = -level.grid; x <= level.grid; x += 8) mb.Try({x, y});
            CoarseVectors at;
            for (int step = 8; step > 0; step /= 2) {
                if (step < 8)
                    for (const Vector v : at.v) mb.TryAround(v, step);
                for (int i = 0; i < 5; i++) at.v[i] = mb.best(kBlock[i]).v;
            }
            found.push_back(at);
        }
    return found;
}

// The pixels of a reference at whole and half positions, as far as legal vectors reach.
class HalfPixels {
  public:
    HalfPixels(const Image& image, cudame_filter filter, int rows, int cols)
        : width_(2 * (16 * cols + 2 * kMargin)) {
        for (int y = 0; y < 2 * (16 * rows + 2 * kMargin); y++)
            for (int x = 0; x < width_; x++)
                pixels_.push_back(
                    PredictPixel(image, filter, 2 * (x - 2 * kMargin), 2 * (y - 2 * kMargin)));
    }

    // Return the pixel at a position in quarter pixels: at a whole or half position the pixel
    // itself, else the mean of the two pixels that it lies between; between four pixels, of the two
    // that are half-pel in one direction.
    int Near(int qx, int qy) const {
        const int x = qx >> 1, y = qy >> 1;
        if (qx % 2 && qy % 2) {
            int sum = 1;
            for (int j = 0; j < 2; j++)
                for (int i = 0; i < 2; i++)
                    if ((x + i + y + j) % 2) sum += At(x + i, y + j);
            return sum / 2;
        }
        return (At(x, y) + At(x + (qx % 2 != 0), y + (qy % 2 != 0)) + 1) / 2;
    }

  private:
    static constexpr int kMargin = 18;
    int At(int hx, int hy) const {
        return pixels_.at(static_cast<size_t>((hy + 2 * kMargin) * width_ + hx + 2 * kMargin));
    }

    const int width_;
    std::vector<int> pixels_;
};

// The whole-pixel results of a macroblock in one search; without a search, the zero vector.
struct Found {
    Found() {
        for (Best& b : best) b = {{0, 0}, 65535, 65535};
    }
    bool searched = false, alone = false;
    Best best[kWholeBlocks];
    int sad_zero = 65535;
};

cudame_mv ToQuarters(Vector v) {
    return {static_cast<int16_t>(4 * v.y), static_cast<int16_t>(4 * v.x)};
}

class LeanFrame {
  public:
    LeanFrame(const Params& params, const LeanLevel& level, const Image& source,
              const std::vector<LeanReference>& references)
        : params_(params),
          level_(level),
          source_(source),
          refs_(references),
          still_(level.still * params.sad_per_bit) {}

    std::vector<std::vector<Record>> Run() {
        const Image small = Shrink(source_, 4);
        for (size_t i = 0; i < refs_.size(); i++) {
            coarse_.push_back(
                i && !level_.others
                    ? coarse_[0]
                    : SearchCoarse(level_, small, Shrink(*refs_[i].image, 4), still_));
            std::vector<WholeSearch> mbs;
            found_.emplace_back();
            for (int r = 0; r < rows_; r++)
                for (int c = 0; c < cols_; c++) found_[i].push_back(SearchWhole(i, r, c, &mbs));
            for (int pass = 0; i == 0 && pass < level_.passes; pass++) SpreadAll(&mbs);
            for (size_t mb = 0; mb < mbs.size(); mb++) {
                if (!i) looks_everywhere_.push_back(mbs[mb].poor() && mbs[mb].drawn());
                if (!found_[i][mb].searched || !looks_everywhere_[mb] || !mbs[mb].poor()) continue;
                mbs[mb].TryAll(level_.drawn);
                Note(mbs[mb], &found_[i][mb]);
            }
        }
        std::vector<std::vector<Record>> fields(refs_.size());
        for (size_t i = 0; i < refs_.size(); i++) {
            const HalfPixels pixels(*refs_[i].image, params_.filter, rows_, cols_);
            for (int r = 0; r < rows_; r++)
                for (int c = 0; c < cols_; c++) fields[i].push_back(Refine(i, pixels, r, c));
        }
        return fields;
    }

  private:
    size_t Index(int r, int c) const { return static_cast<size_t>(r) * cols_ + c; }

    // Return the co-located vector and those above, left, right and below.
    std::vector<Vector> PreviousVectors(const std::vector<Record>& field, int r, int c) const {
        std::vector<Vector> all;
        for (const Vector d : {Vector{0, 0}, {0, -1}, {-1, 0}, {1, 0}, {0, 1}}) {
            const int y = r + d.y, x = c + d.x;
            const bool out = y < 0 || x < 0 || y >= rows_ || x >= cols_;
            const cudame_mv v = field[out ? Index(r, c) : Index(y, x)].mv[0];
            all.push_back({ToWhole(v.col), ToWhole(v.row)});
        }
        return all;
    }

    static void Note(const WholeSearch& mb, Found* out) {
        for (int b = 0; b < kWholeBlocks; b++) out->best[b] = mb.best(b);
    }

    Found SearchWhole(size_t i, int r, int c, std::vector<WholeSearch>* mbs) const {
        Found out;
        const CoarseVectors& coarse =
            coarse_[i][static_cast<size_t>(r / 4) * ((cols_ + 3) / 4) + c / 4];
        const int quarter = 1 + r % 4 / 2 * 2 + c % 4 / 2;
        const Vector seed = {4 * coarse.v[quarter].x, 4 * coarse.v[quarter].y};
        cudame_mv prediction = ToQuarters(seed);
        std::vector<Vector> candidates;
        if (const std::vector<Record>* previous = refs_[i].previous) {
            prediction = MedianOfFive(*previous, rows_, cols_, r, c);
            candidates = PreviousVectors(*previous, r, c);
        }
        const bool descends = i == 0 || level_.others;
        if (descends) {
            candidates.push_back(seed);
            candidates.push_back({4 * coarse.v[0].x, 4 * coarse.v[0].y});
        } else {
            candidates.resize(std::min<size_t>(candidates.size(), 1));
        }
        mbs->emplace_back(&params_, prediction, source_, *refs_[i].image, rows_, cols_, r, c);
        if (i && found_[0][Index(r, c)].alone) return out;
        WholeSearch& mb = mbs->back();
        mb.Search(level_, candidates, still_, descends, i == 0 && r % 2 == 0 && c % 2 == 0);
        out.searched = true;
        out.alone = mb.best(0).sad <= level_.alone * params_.sad_per_bit;
        out.sad_zero = mb.sad_zero();
        Note(mb, &out);
        return out;
    }

    // One pass of the first search: every macroblock tries the vectors that its neighbours had
    // before the pass.
    void SpreadAll(std::vector<WholeSearch>* mbs) {
        const std::vector<Found> before = found_[0];
        for (int r = 0; r < rows_; r++)
            for (int c = 0; c < cols_; c++) {
                Found& now = found_[0][Index(r, c)];
                if (now.best[0].sad <= still_) continue;
                std::vector<Vector> around;
                for (int y = std::max(r - 1, 0); y <= std::min(r + 1, rows_ - 1); y++)
                    for (int x = std::max(c - 1, 0); x <= std::min(c + 1, cols_ - 1); x++)
                        if (y != r || x != c) around.push_back(before[Index(y, x)].best[0].v);
                WholeSearch& mb = (*mbs)[Index(r, c)];
                mb.Spread(level_, around);
                Note(mb, &now);
            }
    }

    bool MayMove(size_t i, int r, int c) const {
        const Best& mine = found_[i][Index(r, c)].best[0];
        const Best& first = found_[0][Index(r, c)].best[0];
        if (mine.sad <= still_) return false;
        if (i) return int64_t{1000} * mine.cost <= int64_t{first.cost} * level_.refs;
        for (const auto& search : found_)  // unless another search's cost is below two thirds
            if (10 * mine.cost > 15 * search[Index(r, c)].best[0].cost) return false;
        return true;
    }
    bool MaySplit(const Found& found) const {
        int low = 1 << 30;
        const auto add = [&](int first, int count) {
            int total = 0;
            for (int b = first; b < first + count; b++) total += found.best[b].sad;
            low = std::min(low, total);
        };
        add(CUDAME_BLOCK_16X8, 2);
        add(CUDAME_BLOCK_8X16, 2);
        add(CUDAME_BLOCK_8X8, 4);
        return level_.split > 0 && 1000 * low <= found.best[0].sad * level_.split &&
               found.best[0].sad >= low + level_.split_bits * params_.sad_per_bit;
    }

    template <class Pixel>  // (x, y) is in quarter pixels of the frame
    int Satd(const Rect& block, int r, int c, cudame_mv v, Pixel pixel) const {
        int sum = 0;
        for (int top = 16 * r + block.y; top < 16 * r + block.y + block.h; top += 4)
            for (int left = 16 * c + block.x; left < 16 * c + block.x + block.w; left += 4) {
                int d[4][4];
                for (int y = 0; y < 4; y++)
                    for (int x = 0; x < 4; x++)
                        d[y][x] = source_.clamped(left + x, top + y) -
                                  pixel(4 * (left + x) + v.col, 4 * (top + y) + v.row);
                sum += Satd4x4(d);
            }
        return sum;
    }

    // Return the best of a vector, its half-pel neighbours and then quarter-pel ones.
    cudame_mv RefineBlock(const HalfPixels& pixels, cudame_mv prediction, int b, int r, int c,
                          Vector whole, int* dist) const {
        const LegalBox legal = LegalVectors(rows_, cols_, r, c);
        cudame_mv best = ToQuarters(whole);
        constexpr int kIllegal = 1 << 30;
        int least = kIllegal;
        const auto try_quarter = [&](int qx, int qy) {  // returns its cost
            if (!legal.Has(qx, qy)) return kIllegal;
            const cudame_mv v = {static_cast<int16_t>(qy), static_cast<int16_t>(qx)};
            const int satd =
                Satd(kBlocks[b], r, c, v, [&](int x, int y) { return pixels.Near(x, y); });
            const int cost = satd + Rate(params_, prediction, qx, qy);
            if (cost >= least) return cost;
            least = cost;
            best = v;
            *dist = satd;
            return cost;
        };
        const cudame_mv start = best;
        try_quarter(start.col, start.row);
        int cost[5][5];  // of half-pel vectors, with a frame around them
        for (int y = -1; y <= 1; y++)
            for (int x = -1; x <= 1; x++)
                cost[y + 2][x + 2] = try_quarter(start.col + 2 * x, start.row + 2 * y);
        // Between two half-pel vectors, try the quarter-pel vectors on the side of the cheaper one;
        // at the end of a row or column on both sides.
        const int hx = (best.col - start.col) / 2 + 2, hy = (best.row - start.row) / 2 + 2;
        const bool left = hx != 2 || cost[hy][1] < cost[hy][3], right = hx != 2 || !left;
        const bool up = hy != 2 || cost[1][hx] < cost[3][hx], down = hy != 2 || !up;
        const cudame_mv from = best;
        if (b == CUDAME_BLOCK_16X16 && *dist < level_.quarter * params_.sad_per_bit) return best;
        for (int y = -up; y <= down; y++)
            for (int x = -left; x <= right; x++) try_quarter(from.col + x, from.row + y);
        return best;
    }

    Record Refine(size_t i, const HalfPixels& pixels, int r, int c) const {
        const Found& found = found_[i][Index(r, c)];
        Record out = {};
        out.dist_zero = static_cast<uint16_t>(found.sad_zero);
        out.dist[0] = 65535;
        if (!found.searched) return out;
        const std::vector<Record>* previous = refs_[i].previous;
        const cudame_mv co_located = previous ? (*previous)[Index(r, c)].mv[0] : cudame_mv{0, 0};
        std::vector<cudame_mv> whole;
        for (const Found& f : found_[i]) whole.push_back(ToQuarters(f.best[0].v));
        const cudame_mv prediction = NearestOfThree(co_located, whole, cols_, r, c);
        const bool moves = MayMove(i, r, c);
        int dist = 0;
        const auto keep = [&](int b, cudame_mv v) {
            out.mv[b] = v;
            out.dist[b] = static_cast<uint16_t>(std::min(dist, 65535));
        };

        cudame_mv mv = ToQuarters(found.best[0].v);
        if (moves) mv = RefineBlock(pixels, prediction, 0, r, c, found.best[0].v, &dist);
        dist = Satd(kBlocks[0], r, c, mv, [&](int x, int y) {
            return PredictPixel(*refs_[i].image, params_.filter, x, y);
        });
        keep(0, mv);
        if (!moves || !MaySplit(found)) return out;

        out.flags = CUDAME_MB_SPLIT;
        for (int b = 1; b < CUDAME_BLOCKS; b++) {
            int from = b;
            if (b >= CUDAME_BLOCK_4X4)
                from = CUDAME_BLOCK_8X8 + kBlocks[b].y / 8 * 2 + kBlocks[b].x / 8;
            const Vector v = found.best[from].v;
            dist = 65535;
            if (b >= CUDAME_BLOCK_4X4)
                keep(b, ToQuarters(v));
            else
                keep(b, RefineBlock(pixels, prediction, b, r, c, v, &dist));
        }
        return out;
    }

    const Params& params_;
    const LeanLevel& level_;
    const Image& source_;
    const std::vector<LeanReference>& refs_;
    const int still_;  // SAD
    const int cols_ = (source_.width + 15) / 16, rows_ = (source_.height + 15) / 16;
    std::vector<std::vector<CoarseVectors>> coarse_;  // by search and coarse macroblock
    std::vector<std::vector<Found>> found_;           // by search and macroblock
    std::vector<bool> looks_everywhere_;              // by macroblock
};

}  // namespace

std::vector<std::vector<Record>> AnalyseLean(const Params& params, int level, const Image& source,
                                             const std::vector<LeanReference>& references) {
    return LeanFrame(params, cudame::kLeanLevel[level], source, references).Run();
}

}  // namespace naive
