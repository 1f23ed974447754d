// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "naive.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace naive {

const Rect kBlocks[CUDAME_BLOCKS] = {
    {0, 0, 16, 16}, {0, 0, 16, 8}, {0, 8, 16, 8}, {0, 0, 8, 16}, {8, 0, 8, 16},
    {0, 0, 8, 8},   {8, 0, 8, 8},  {0, 8, 8, 8},  {8, 8, 8, 8},  {0, 0, 4, 4},
    {4, 0, 4, 4},   {8, 0, 4, 4},  {12, 0, 4, 4}, {0, 4, 4, 4},  {4, 4, 4, 4},
    {8, 4, 4, 4},   {12, 4, 4, 4}, {0, 8, 4, 4},  {4, 8, 4, 4},  {8, 8, 4, 4},
    {12, 8, 4, 4},  {0, 12, 4, 4}, {4, 12, 4, 4}, {8, 12, 4, 4}, {12, 12, 4, 4}};

namespace {

int Round(int v) { return std::clamp((v + 64) / 128 - (v + 64 < 0 && (v + 64) % 128), 0, 255); }

int Filter(cudame_filter filter, int fraction, const int p[6]) {
    static const int six[4][6] = {{0, 0, 128, 0, 0, 0},
                                  {2, -11, 108, 36, -8, 1},
                                  {3, -16, 77, 77, -16, 3},
                                  {1, -8, 36, 108, -11, 2}};
    int sum = 0;
    if (filter == CUDAME_FILTER_SIXTAP)
        for (int k = 0; k < 6; k++) sum += six[fraction][k] * p[k];
    else
        sum = (4 - fraction) * 32 * p[2] + fraction * 32 * p[3];
    return Round(sum);
}

// Return the bilinear pixel at a position in quarter pixels.
int BetweenFour(const Image& image, int qx, int qy) {
    const int x = (qx + 65536) / 4 - 16384, y = (qy + 65536) / 4 - 16384;
    const int right = qx - 4 * x, down = qy - 4 * y;
    double sum = 0.5;
    for (int j = 0; j < 2; j++)
        for (int i = 0; i < 2; i++)
            sum += (i ? right : 4 - right) / 4.0 * ((j ? down : 4 - down) / 4.0) *
                   image.clamped(x + i, y + j);
    return static_cast<int>(sum);
}

// The search of one macroblock.
struct Searcher {
    const Params& params;
    const Image& source;
    const Image& reference;
    int mx, my;  // position of the macroblock, pixels
    cudame_mv prediction;
    LegalBox legal;

    int Rate(int qx, int qy) const { return naive::Rate(params, prediction, qx, qy); }
    bool Legal(int qx, int qy) const {
        if (params.cross && (qx < 4 * -16 || qx > 4 * 15) && (qy < 4 * -8 || qy > 4 * 7))
            return false;
        return legal.Has(qx, qy);
    }
    int Difference(const Rect& r, int x, int y, int qx, int qy) const {
        const int sx = mx + r.x + x, sy = my + r.y + y;
        const int predicted =
            qx % 4 == 0 && qy % 4 == 0
                ? reference.clamped(sx + qx / 4, sy + qy / 4)
                : PredictPixel(reference, params.filter, 4 * sx + qx, 4 * sy + qy);
        return source.clamped(sx, sy) - predicted;
    }
    int Sad(const Rect& r, int qx, int qy) const {
        int sum = 0;
        for (int y = 0; y < r.h; y++)
            for (int x = 0; x < r.w; x++) sum += std::abs(Difference(r, x, y, qx, qy));
        return sum;
    }
    int BetweenFourSad(const Rect& r, int qx, int qy) const {
        int sum = 0;
        for (int y = my + r.y; y < my + r.y + r.h; y++)
            for (int x = mx + r.x; x < mx + r.x + r.w; x++)
                sum +=
                    std::abs(source.clamped(x, y) - BetweenFour(reference, 4 * x + qx, 4 * y + qy));
        return sum;
    }
    int Satd(const Rect& r, int qx, int qy) const {
        int sum = 0;
        for (int by = 0; by < r.h; by += 4)
            for (int bx = 0; bx < r.w; bx += 4) {
                int d[4][4];
                for (int y = 0; y < 4; y++)
                    for (int x = 0; x < 4; x++) d[y][x] = Difference(r, bx + x, by + y, qx, qy);
                sum += Satd4x4(d);
            }
        return sum;
    }
};

// The frame or a shrunk one, with everything known before its macroblocks are searched.
struct Level {
    const Params& params;
    const Image& source;
    const Image& reference;
    const std::vector<Record>* previous;  // the last field, or NULL
    std::vector<Record> coarse;           // found at a quarter of the size
    int cols = (source.width + 15) / 16, rows = (source.height + 15) / 16;
    bool is_frame = params.scale == 1;

    size_t Index(int r, int c) const { return static_cast<size_t>(r) * cols + c; }
    cudame_mv CoLocated(int r, int c) const {
        return previous ? (*previous)[Index(r, c)].mv[0] : cudame_mv{0, 0};
    }
    // Return the record of the coarse macroblock that contains macroblock (r, c).
    const Record& Coarse(int r, int c) const {
        return coarse[static_cast<size_t>(r / 4) * ((cols + 3) / 4) + c / 4];
    }
};

// Step 1, the coarse level: the frame at a quarter of its size.
void SearchCoarse(const Image& source, const Image& reference, Level* level) {
    const Params& params = level->params;
    Params p = {CUDAME_MODE_SPLITMV, CUDAME_SEARCH_FULL, 32, params.filter, {}, 0};
    p.scale = 4;
    p.cross = params.mode == CUDAME_MODE_FAST;
    level->coarse = Analyse(p, Shrink(source, 4), Shrink(reference, 4), nullptr);
}

Searcher MakeSearcher(const Level& level, int r, int c) {
    const cudame_mv against = level.CoLocated(r, c);
    Searcher s{level.params,
               level.source,
               level.reference,
               16 * c,
               16 * r,
               against,
               LegalVectors(level.rows, level.cols, r, c)};
    if (level.params.scale == 4) {  // at most 64x64 vectors
        s.legal.low_x = std::max(s.legal.low_x, -4 * 32);
        s.legal.high_x = std::min(s.legal.high_x, 4 * 31);
        s.legal.low_y = std::max(s.legal.low_y, -4 * 32);
        s.legal.high_y = std::min(s.legal.high_y, 4 * 31);
    }
    return s;
}

// Steps 2 to 4 for one macroblock. x and y are whole pixels, qx and qy quarters.
class MacroblockSearch {
  public:
    MacroblockSearch(const Level& level, int r, int c)
        : level_(level),
          p_(level.params),
          r_(r),
          c_(c),
          blocks_(p_.mode == CUDAME_MODE_FAST ? 1 : 25),
          co_located_(level.CoLocated(r, c)),
          s_(MakeSearcher(level, r, c)) {}

    // Step 2, seeds: zero, the co-located vector, and boxes around those of larger areas.
    void TrySeeds() {
        TryAll(0, 0);
        TryAll(CoLocatedX(), CoLocatedY());
        start_x_ = X(), start_y_ = Y();
        if (p_.search != CUDAME_SEARCH_FULL) TryBox(start_x_, start_y_, 2, 2);
        if (level_.is_frame) TryCoarseSeeds();
    }

    // Step 3, integer search.
    void SearchIntegers() {
        switch (p_.search) {
            case CUDAME_SEARCH_FULL:
                SearchRange(p_.range);
                TryBox(X(), Y(), 2, 1);
                break;
            case CUDAME_SEARCH_DIAMOND:
                TryDiamond();
                TryBox(X(), Y(), 2, 1);
                break;
            default:
                MoveDiamond();
        }
        for (int b = 1; b < blocks_; b++) {  // the eight vectors around each block's own
            const int x = X(b), y = Y(b);
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) TryBlock(b, x + dx, y + dy);
        }
    }

    // Step 4, sub-pel.
    void Refine() {
        for (int b = 0; b < blocks_; b++) {
            if (p_.mode == CUDAME_MODE_FULL) RefineBySatd(b);
            if (p_.mode == CUDAME_MODE_TEX) RefineByMap(b);
        }
    }

    Record Result() const {
        Record out = {};
        for (int b = 0; b < blocks_; b++) {
            out.mv[b] = Vector(b);
            out.dist[b] = static_cast<uint16_t>(std::min(best_[b].dist, 65535));
        }
        out.dist_zero = static_cast<uint16_t>(s_.Sad(kBlocks[0], 0, 0));
        if (p_.mode == CUDAME_MODE_FAST || p_.mode == CUDAME_MODE_SPLITMV)
            out.flags |= CUDAME_MB_FULLPEL;
        if (blocks_ > 1) out.flags |= CUDAME_MB_SPLIT;
        return out;
    }

  private:
    struct Best {
        int qx = 0, qy = 0, cost = 1 << 30, dist = 0;
    };

    int X(int b = 0) const { return best_[b].qx / 4; }
    int Y(int b = 0) const { return best_[b].qy / 4; }
    cudame_mv Vector(int b) const {
        return {static_cast<int16_t>(best_[b].qy), static_cast<int16_t>(best_[b].qx)};
    }

    // The co-located vector in whole pixels, clamped to the window.
    int CoLocatedX() const {
        return std::clamp(ToWhole(co_located_.col), s_.legal.low_x / 4, s_.legal.high_x / 4);
    }
    int CoLocatedY() const {
        return std::clamp(ToWhole(co_located_.row), s_.legal.low_y / 4, s_.legal.high_y / 4);
    }

    void Keep(int b, const Best& tried) {
        if (tried.cost < best_[b].cost) best_[b] = tried;
    }
    void TryBlock(int b, int x, int y) {
        if (!s_.Legal(4 * x, 4 * y)) return;
        const int sad = s_.Sad(kBlocks[b], 4 * x, 4 * y);
        Keep(b, {4 * x, 4 * y, std::min(65535, sad + s_.Rate(4 * x, 4 * y)), sad});
    }
    void TryAll(int x, int y) {
        for (int b = 0; b < blocks_; b++) TryBlock(b, x, y);
    }
    void TryBox(int cx, int cy, int range_x, int range_y) {
        for (int y = cy - range_y; y <= cy + range_y; y++)
            for (int x = cx - range_x; x <= cx + range_x; x++) TryAll(x, y);
    }

    void TryCoarseSeeds() {
        // The vectors of the 64x64, 32x32 and 16x16 pixels around this macroblock.
        const Record& m = level_.Coarse(r_, c_);
        for (int b : {0, 5 + r_ % 4 / 2 * 2 + c_ % 4 / 2, 9 + r_ % 4 * 4 + c_ % 4})
            TryBox(m.mv[b].col, m.mv[b].row, 2, 2);
    }

    // Try all vectors around the start of the seeds, and around the best vector if that is out of
    // range.
    void SearchRange(int range) {
        const int x = X(), y = Y();
        TryBox(start_x_, start_y_, range, range);
        if (std::abs(x - start_x_) > range || std::abs(y - start_y_) > range)
            TryBox(x, y, range, range);
    }
    void TryDiamond() {
        static const int half[7] = {16, 15, 12, 9, 6, 5, 2};
        const int cx = X(), cy = Y();
        for (int j = -6; j <= 6; j++)
            for (int x = -half[std::abs(j)]; x <= half[std::abs(j)]; x += 2)
                TryAll(cx + x, cy + 2 * j);
    }
    // Try the vectors whose components add up to this distance.
    void TryRing(int cx, int cy, int distance) {
        for (int y = -distance; y <= distance; y++)
            for (int x = -distance; x <= distance; x++)
                if (std::abs(x) + std::abs(y) == distance) TryAll(cx + x, cy + y);
    }
    void MoveDiamond() {
        for (int i = 0; i < 32; i++) {
            const int x = X(), y = Y();
            TryRing(x, y, 2);
            if (X() == x && Y() == y) break;
        }
        TryRing(X(), Y(), 1);
    }

    void RefineBySatd(int b) {
        const auto try_quarter = [&](int qx, int qy) {
            if (!s_.Legal(qx, qy)) return;
            const int satd = s_.Satd(kBlocks[b], qx, qy);
            Keep(b, {qx, qy, satd + s_.Rate(qx, qy), satd});
        };
        best_[b].cost = 1 << 30;
        try_quarter(best_[b].qx, best_[b].qy);
        for (int step = 2; step; step--) {
            const int qx = best_[b].qx, qy = best_[b].qy;
            for (int y = -1; y <= 1; y++)
                for (int x = -1; x <= 1; x++) try_quarter(qx + step * x, qy + step * y);
        }
    }
    void RefineByMap(int b) {
        // For each row from the middle one on, the columns of one side.
        static const char* const map[8] = {"######.#", "######.#", "####....", "####.#..",
                                           "##......", "##.#....", "........", "##......"};
        const auto try_quarter = [&](int qx, int qy) {
            if (!s_.Legal(qx, qy)) return;
            const int sad = s_.BetweenFourSad(kBlocks[b], qx, qy);
            Keep(b, {qx, qy, std::min(65535, sad + s_.Rate(qx, qy)), sad});
        };
        const int qx = best_[b].qx, qy = best_[b].qy;
        best_[b].cost = 1 << 30;
        try_quarter(qx, qy);
        for (int y = -7; y <= 7; y++)
            for (int x = -7; x <= 7; x++)
                if (map[std::abs(y)][std::abs(x)] == '#') try_quarter(qx + x, qy + y);
    }

    const Level& level_;
    const Params& p_;
    const int r_, c_, blocks_;
    const cudame_mv co_located_;
    Searcher s_;
    int start_x_ = 0, start_y_ = 0;  // the better of zero and the co-located vector
    Best best_[25];
};

}  // namespace

cudame_mv MedianOfFive(const std::vector<Record>& field, int rows, int cols, int r, int c) {
    std::vector<int> x, y;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) {
            if (dy && dx) continue;
            const bool out = r + dy < 0 || r + dy >= rows || c + dx < 0 || c + dx >= cols;
            const int at = out ? r * cols + c : (r + dy) * cols + c + dx;
            const cudame_mv v = field[static_cast<size_t>(at)].mv[0];
            x.push_back(v.col);
            y.push_back(v.row);
        }
    std::sort(x.begin(), x.end());
    std::sort(y.begin(), y.end());
    return {static_cast<int16_t>(y[2]), static_cast<int16_t>(x[2])};
}

cudame_mv NearestOfThree(cudame_mv co_located, const std::vector<cudame_mv>& whole, int cols, int r,
                         int c) {
    int least = 1 << 30;
    cudame_mv nearest = co_located;
    for (int i = 1; i <= 3; i++) {  // above, left, both
        const int dy = i & 1, dx = i >> 1;
        if (r < dy || c < dx) continue;
        const cudame_mv v = whole[static_cast<size_t>((r - dy) * cols + c - dx)];
        const int distance = std::abs(v.row - co_located.row) + std::abs(v.col - co_located.col);
        if (distance >= least) continue;
        least = distance;
        nearest = v;
    }
    return nearest;
}

int ToWhole(int v) { return (v + 2 + 4096 * 16) / 4 - 1024 * 16; }

LegalBox LegalVectors(int rows, int cols, int r, int c) {
    return {-4 * (16 * c + 16), 4 * (16 * (cols - 1 - c) + 16), -4 * (16 * r + 16),
            4 * (16 * (rows - 1 - r) + 16)};
}

int Rate(const Params& params, cudame_mv prediction, int qx, int qy) {
    if (!params.mv_cost[0]) return 0;
    const int64_t bits =
        static_cast<int64_t>(params.mv_cost[0][std::clamp(qy - prediction.row, -1023, 1023)]) +
        params.mv_cost[1][std::clamp(qx - prediction.col, -1023, 1023)];
    return static_cast<int>(std::min<int64_t>(65535, (bits * params.sad_per_bit + 128) / 256));
}

int Satd4x4(const int d[4][4]) {
    static const int h[4][4] = {{1, 1, 1, 1}, {1, 1, -1, -1}, {1, -1, -1, 1}, {1, -1, 1, -1}};
    int sum = 0, t[4][4];
    for (int y = 0; y < 4; y++)
        for (int u = 0; u < 4; u++) {
            t[y][u] = 0;
            for (int x = 0; x < 4; x++) t[y][u] += d[y][x] * h[u][x];
        }
    for (int v = 0; v < 4; v++)
        for (int u = 0; u < 4; u++) {
            int c = 0;
            for (int y = 0; y < 4; y++) c += t[y][u] * h[v][y];
            sum += std::abs(c);
        }
    return sum / 2;
}

int Image::clamped(int x, int y) const {
    return at(std::clamp(x, 0, width - 1), std::clamp(y, 0, height - 1));
}

int PredictPixel(const Image& image, cudame_filter filter, int qx, int qy) {
    const int x = qx >= 0 ? qx / 4 : -((3 - qx) / 4), y = qy >= 0 ? qy / 4 : -((3 - qy) / 4);
    int column[6];
    for (int j = 0; j < 6; j++) {
        int row[6];
        for (int i = 0; i < 6; i++) row[i] = image.clamped(x + i - 2, y + j - 2);
        column[j] = Filter(filter, qx - 4 * x, row);
    }
    return Filter(filter, qy - 4 * y, column);
}

// Each pixel is the rounded mean of scale x scale pixels of the frame padded to whole macroblocks.
Image Shrink(const Image& image, int scale) {
    Image small((image.width + 15) / 16 * 16 / scale, (image.height + 15) / 16 * 16 / scale);
    for (int y = 0; y < small.height; y++)
        for (int x = 0; x < small.width; x++) {
            int sum = scale * scale / 2;
            for (int j = 0; j < scale; j++)
                for (int i = 0; i < scale; i++) sum += image.clamped(scale * x + i, scale * y + j);
            small.at(x, y) = static_cast<uint8_t>(sum / (scale * scale));
        }
    return small;
}

std::vector<Record> Analyse(const Params& params, const Image& source, const Image& reference,
                            const std::vector<Record>* previous) {
    Level level{params, source, reference, previous, {}};
    if (level.is_frame) SearchCoarse(source, reference, &level);  // step 1
    std::vector<Record> field;
    for (int r = 0; r < level.rows; r++)
        for (int c = 0; c < level.cols; c++) {
            MacroblockSearch mb(level, r, c);
            mb.TrySeeds();        // step 2
            mb.SearchIntegers();  // step 3
            mb.Refine();          // step 4
            field.push_back(mb.Result());
        }
    return field;
}

void Join(const cudame_mb* mbs, const cudame_split* splits, int cols, Record* out) {
    for (int col = 0; col < cols; col++) {
        out[col] = {{mbs[col].mv}, {mbs[col].dist}, mbs[col].dist_zero, mbs[col].flags};
        const bool split = splits && mbs[col].flags & CUDAME_MB_SPLIT;
        for (int b = 1; split && b < CUDAME_BLOCKS; b++) {
            out[col].mv[b] = splits[col].mv[b - 1];
            out[col].dist[b] = splits[col].dist[b - 1];
        }
    }
}

const char* Name(Content content) {
    static const char* const names[] = {"random", "moving", "flat", "extreme", "stripes"};
    return names[static_cast<int>(content)];
}

Image MakeImage(Content content, int width, int height, int time, uint32_t seed) {
    Image image(width, height);
    std::mt19937 rng(seed * 977 + static_cast<uint32_t>(time));
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            int v = 0;
            switch (content) {
                case Content::kRandom:
                    v = static_cast<int>(rng() & 255);
                    break;
                case Content::kMoving: {
                    // A texture that moves by a fraction of a pixel, and an object with another
                    // motion, under noise.
                    const bool object = (x - 3 * time + 1000) % 48 < 20 && (y + time) % 40 < 24;
                    const int u = object ? 4 * x - 13 * time : 4 * x + 5 * time;
                    const int w = object ? 4 * y + 7 * time : 4 * y - 3 * time;
                    v = 128 + (u * 37 / 16 + w * 11 / 16) % 61 - (u * w / 97) % 41 +
                        static_cast<int>(rng() % 9);
                    break;
                }
                case Content::kFlat:
                    v = 77;
                    break;
                case Content::kExtreme:
                    v = rng() & 1 ? 255 : 0;
                    break;
                case Content::kStripes:
                    v = (x + time) % 2 ? 255 : 0;
                    break;
            }
            image.at(x, y) = static_cast<uint8_t>(std::clamp(v, 0, 255));
        }
    // One frame in three is white, and one is black: they give the largest distortions.
    if (content == Content::kExtreme && time % 3 == 2)
        std::fill(image.pixels.begin(), image.pixels.end(), static_cast<uint8_t>(0));
    if (content == Content::kExtreme && time % 3 == 1)
        std::fill(image.pixels.begin(), image.pixels.end(), static_cast<uint8_t>(255));
    return image;
}

std::vector<int> MakeCosts(uint32_t seed) {
    std::vector<int> costs(2047);
    std::mt19937 rng(seed);
    for (int d = -1023; d <= 1023; d++) {
        int bits = 0;
        while ((std::abs(d) >> bits) > 0) bits++;
        costs[static_cast<size_t>(d + 1023)] =
            256 * (2 * bits + 1) + (d < 0 ? 60 : 0) + static_cast<int>(rng() % 16);
    }
    return costs;
}

}  // namespace naive
