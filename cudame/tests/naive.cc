// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "naive.h"

#include <algorithm>
#include <cstdlib>

namespace naive {
namespace {

struct Rect {
    int x, y, w, h;
};

const Rect kBlocks[25] = {
    {0, 0, 16, 16}, {0, 0, 16, 8}, {0, 8, 16, 8}, {0, 0, 8, 16}, {8, 0, 8, 16},
    {0, 0, 8, 8},   {8, 0, 8, 8},  {0, 8, 8, 8},  {8, 8, 8, 8},  {0, 0, 4, 4},
    {4, 0, 4, 4},   {8, 0, 4, 4},  {12, 0, 4, 4}, {0, 4, 4, 4},  {4, 4, 4, 4},
    {8, 4, 4, 4},   {12, 4, 4, 4}, {0, 8, 4, 4},  {4, 8, 4, 4},  {8, 8, 4, 4},
    {12, 8, 4, 4},  {0, 12, 4, 4}, {4, 12, 4, 4}, {8, 12, 4, 4}, {12, 12, 4, 4}};

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

// A quarter pixel between four pixels.
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

// State of one macroblock's search.
struct Searcher {
    const Params& params;
    const Image& source;
    const Image& reference;
    int mx, my;                        // macroblock, pixels
    int px, py;                        // prediction, quarter pixels
    int low_x, high_x, low_y, high_y;  // legal, quarter pixels

    int Rate(int qx, int qy) const {
        if (!params.mv_cost[0]) return 0;
        const int64_t bits =
            static_cast<int64_t>(params.mv_cost[0][std::clamp(qy - py, -1023, 1023)]) +
            params.mv_cost[1][std::clamp(qx - px, -1023, 1023)];
        return static_cast<int>(std::min<int64_t>(65535, (bits * params.sad_per_bit + 128) / 256));
    }
    bool Legal(int qx, int qy) const {
        if (params.cross && (qx < 4 * -16 || qx > 4 * 15) && (qy < 4 * -8 || qy > 4 * 7))
            return false;
        return qx >= low_x && qx <= high_x && qy >= low_y && qy <= high_y;
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
        static const int h[4][4] = {{1, 1, 1, 1}, {1, 1, -1, -1}, {1, -1, -1, 1}, {1, -1, 1, -1}};
        int sum = 0;
        for (int by = 0; by < r.h; by += 4)
            for (int bx = 0; bx < r.w; bx += 4) {
                int d[4][4], t[4][4];
                for (int y = 0; y < 4; y++)
                    for (int x = 0; x < 4; x++) d[y][x] = Difference(r, bx + x, by + y, qx, qy);
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
            }
        return sum / 2;
    }
};

struct Best {
    int qx = 0, qy = 0, cost = 1 << 30, dist = 0;
};

}  // namespace

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

// Every pixel the mean of as many of the frame padded to whole macroblocks.
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
                            const std::vector<Record>* previous, std::vector<Record> upper) {
    const int cols = (source.width + 15) / 16, rows = (source.height + 15) / 16;
    const int coarse_cols = (cols + 3) / 4, upper_cols = (cols + 1) / 2;
    const bool hierarchical = params.search == CUDAME_SEARCH_HIERARCHICAL;
    std::vector<Record> coarse;
    if (params.scale == 1) {
        Params p = {CUDAME_MODE_SPLITMV, CUDAME_SEARCH_FULL, 32, params.filter, {}, 0};
        p.scale = 4;
        p.cross = params.mode == CUDAME_MODE_FAST;
        coarse = Analyse(p, Shrink(source, 4), Shrink(reference, 4), nullptr);
        if (hierarchical) {
            p = params;
            p.mode = CUDAME_MODE_SPLITMV;
            p.sad_per_bit = (params.sad_per_bit + 2) / 4;
            p.scale = 2;
            upper = Analyse(p, Shrink(source, 2), Shrink(reference, 2), nullptr, coarse);
        }
    }
    std::vector<Record> field(static_cast<size_t>(cols) * rows);
    std::vector<cudame_mv> whole(static_cast<size_t>(cols) * rows);
    const bool split = params.mode != CUDAME_MODE_FAST;
    const int blocks = split ? 25 : 1;

    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++) {
            const size_t mb = static_cast<size_t>(r) * cols + c;
            const cudame_mv p = previous ? (*previous)[mb].mv[0] : cudame_mv{0, 0};
            cudame_mv against = p;
            if (hierarchical && !previous && params.scale == 1) {
                const cudame_mv v = upper[static_cast<size_t>(r / 2) * upper_cols + c / 2]
                                        .mv[5 + r % 2 * 2 + c % 2];
                against = {static_cast<int16_t>(std::clamp(2 * v.row, -32764, 32764)),
                           static_cast<int16_t>(std::clamp(2 * v.col, -32764, 32764))};
            }
            if (hierarchical && previous) {
                std::vector<int> x, y;
                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++) {
                        if (dy && dx) continue;
                        const bool out =
                            r + dy < 0 || r + dy >= rows || c + dx < 0 || c + dx >= cols;
                        const cudame_mv v = (*previous)[out ? mb : mb + dy * cols + dx].mv[0];
                        x.push_back(v.col);
                        y.push_back(v.row);
                    }
                std::sort(x.begin(), x.end());
                std::sort(y.begin(), y.end());
                against = {static_cast<int16_t>(y[2]), static_cast<int16_t>(x[2])};
            }
            Searcher s{params,
                       source,
                       reference,
                       16 * c,
                       16 * r,
                       against.col,
                       against.row,
                       -4 * (16 * c + 16),
                       4 * (16 * (cols - 1 - c) + 16),
                       -4 * (16 * r + 16),
                       4 * (16 * (rows - 1 - r) + 16)};
            if (params.scale == 4) {  // no more than 64 x 64 vectors
                s.low_x = std::max(s.low_x, -4 * 32);
                s.high_x = std::min(s.high_x, 4 * 31);
                s.low_y = std::max(s.low_y, -4 * 32);
                s.high_y = std::min(s.high_y, 4 * 31);
            }
            Best best[25];
            auto try_block = [&](int b, int x, int y) {
                if (!s.Legal(4 * x, 4 * y)) return;
                const int sad = s.Sad(kBlocks[b], 4 * x, 4 * y);
                const int cost = std::min(65535, sad + s.Rate(4 * x, 4 * y));
                if (cost < best[b].cost) best[b] = {4 * x, 4 * y, cost, sad};
            };
            auto try_all = [&](int x, int y) {
                for (int b = 0; b < blocks; b++) try_block(b, x, y);
            };

            try_all(0, 0);
            // floor((p + 2) / 4), then into the window
            auto round = [](int v) { return (v + 2 + 4096 * 16) / 4 - 1024 * 16; };
            try_all(std::clamp(round(p.col), s.low_x / 4, s.high_x / 4),
                    std::clamp(round(p.row), s.low_y / 4, s.high_y / 4));
            const int start_x = best[0].qx / 4, start_y = best[0].qy / 4;
            auto try_box = [&](int cx, int cy, int range_x, int range_y) {
                for (int y = cy - range_y; y <= cy + range_y; y++)
                    for (int x = cx - range_x; x <= cx + range_x; x++) try_all(x, y);
            };
            if (hierarchical) {
                try_box(0, 0, 1, 1);
                try_box(std::clamp(round(p.col), s.low_x / 4, s.high_x / 4),
                        std::clamp(round(p.row), s.low_y / 4, s.high_y / 4), 1, 1);
                const Record& m = upper[static_cast<size_t>(r / 2) * upper_cols + c / 2];
                const int corner = 9 + r % 2 * 8 + c % 2 * 2;
                // Whole pixels there are two of this level, and 4 in its unit.
                for (int b : {0, 5 + r % 2 * 2 + c % 2, corner, corner + 1, corner + 4, corner + 5})
                    try_box(m.mv[b].col / 2, m.mv[b].row / 2, 1, 1);
            } else if (params.search != CUDAME_SEARCH_FULL) {
                try_box(start_x, start_y, 2, 2);
            }
            if (params.scale == 1) {
                // The vectors of 64x64, 32x32 and 16x16 pixels around here.
                const Record& m = coarse[static_cast<size_t>(r / 4) * coarse_cols + c / 4];
                const int size = hierarchical ? 1 : 2;
                for (int b : {0, 5 + r % 4 / 2 * 2 + c % 4 / 2, 9 + r % 4 * 4 + c % 4})
                    if (b || !hierarchical) try_box(m.mv[b].col, m.mv[b].row, size, size);
            }

            int x0 = best[0].qx / 4, y0 = best[0].qy / 4;
            if (params.search == CUDAME_SEARCH_FULL) {
                try_box(start_x, start_y, params.range, params.range);
                if (std::abs(x0 - start_x) > params.range || std::abs(y0 - start_y) > params.range)
                    try_box(x0, y0, params.range, params.range);
            } else if (hierarchical) {
                auto try_patch = [&](int cx, int cy) {
                    for (int y = cy - 5; y <= cy + 4; y++)
                        for (int x = cx - 7; x <= cx + 7; x++) try_all(x, y);
                };
                if (params.scale == 2) try_patch(0, 0);
                try_patch(best[0].qx / 4, best[0].qy / 4);
                if (params.scale == 1 && best[0].cost > 4096) {
                    x0 = best[0].qx / 4, y0 = best[0].qy / 4;
                    try_box(start_x, start_y, 32, 32);
                    if (std::abs(x0 - start_x) > 32 || std::abs(y0 - start_y) > 32)
                        try_box(x0, y0, 32, 32);
                }
            } else if (params.search == CUDAME_SEARCH_DIAMOND) {
                static const int half[7] = {16, 15, 12, 9, 6, 5, 2};
                for (int j = -6; j <= 6; j++)
                    for (int x = -half[std::abs(j)]; x <= half[std::abs(j)]; x += 2)
                        try_all(x0 + x, y0 + 2 * j);
            } else {
                for (int i = 0; i < 32; i++) {
                    x0 = best[0].qx / 4, y0 = best[0].qy / 4;
                    for (int y = -2; y <= 2; y++)
                        for (int x = -2; x <= 2; x++)
                            if (std::abs(x) + std::abs(y) == 2) try_all(x0 + x, y0 + y);
                    if (best[0].qx == 4 * x0 && best[0].qy == 4 * y0) break;
                }
                x0 = best[0].qx / 4, y0 = best[0].qy / 4;
                for (int y = -1; y <= 1; y++)
                    for (int x = -1; x <= 1; x++)
                        if (std::abs(x) + std::abs(y) == 1) try_all(x0 + x, y0 + y);
            }
            if (params.search == CUDAME_SEARCH_DIAMOND || params.search == CUDAME_SEARCH_FULL)
                try_box(best[0].qx / 4, best[0].qy / 4, 2, 1);
            for (int b = 1; b < blocks && !hierarchical; b++) {
                x0 = best[b].qx / 4, y0 = best[b].qy / 4;
                for (int y = -1; y <= 1; y++)
                    for (int x = -1; x <= 1; x++) try_block(b, x0 + x, y0 + y);
            }

            whole[mb] = {static_cast<int16_t>(best[0].qy), static_cast<int16_t>(best[0].qx)};
            if (hierarchical) {
                int least = 1 << 30;
                s.px = p.col, s.py = p.row;
                for (int i = 1; i <= 3; i++) {  // above, left, both
                    const int dy = i & 1, dx = i >> 1;
                    if (r < dy || c < dx) continue;
                    const cudame_mv v = whole[mb - dy * cols - dx];
                    const int distance = std::abs(v.row - p.row) + std::abs(v.col - p.col);
                    if (distance >= least) continue;
                    least = distance;
                    s.px = v.col, s.py = v.row;
                }
            }

            if (params.mode == CUDAME_MODE_FULL)
                for (int b = 0; b < blocks; b++) {
                    auto try_quarter = [&](int qx, int qy) {
                        if (!s.Legal(qx, qy)) return;
                        const int satd = s.Satd(kBlocks[b], qx, qy);
                        const int cost = satd + s.Rate(qx, qy);
                        if (cost < best[b].cost) best[b] = {qx, qy, cost, satd};
                    };
                    best[b].cost = 1 << 30;
                    try_quarter(best[b].qx, best[b].qy);
                    for (int step = 2; step; step--) {
                        const int qx = best[b].qx, qy = best[b].qy;
                        for (int y = -1; y <= 1; y++)
                            for (int x = -1; x <= 1; x++) try_quarter(qx + step * x, qy + step * y);
                    }
                }

            if (params.mode == CUDAME_MODE_TEX)
                for (int b = 0; b < blocks; b++) {
                    // Of every row from the middle one on, the columns on one side.
                    static const char* const map[8] = {"######.#", "######.#", "####....",
                                                       "####.#..", "##......", "##.#....",
                                                       "........", "##......"};
                    auto try_quarter = [&](int qx, int qy) {
                        if (!s.Legal(qx, qy)) return;
                        const int sad = s.BetweenFourSad(kBlocks[b], qx, qy);
                        const int cost = std::min(65535, sad + s.Rate(qx, qy));
                        if (cost < best[b].cost) best[b] = {qx, qy, cost, sad};
                    };
                    x0 = best[b].qx, y0 = best[b].qy;
                    best[b].cost = 1 << 30;
                    try_quarter(x0, y0);
                    for (int y = -7; y <= 7; y++)
                        for (int x = -7; x <= 7; x++)
                            if (map[std::abs(y)][std::abs(x)] == '#') try_quarter(x0 + x, y0 + y);
                }

            Record& out = field[mb];
            out = {};
            for (int b = 0; b < blocks; b++) {
                out.mv[b] = {static_cast<int16_t>(best[b].qy), static_cast<int16_t>(best[b].qx)};
                out.dist[b] = static_cast<uint16_t>(std::min(best[b].dist, 65535));
            }
            out.dist_zero = static_cast<uint16_t>(s.Sad(kBlocks[0], 0, 0));
            if (params.mode == CUDAME_MODE_FAST || params.mode == CUDAME_MODE_SPLITMV)
                out.flags |= CUDAME_MB_FULLPEL;
            if (split) out.flags |= CUDAME_MB_SPLIT;
        }
    return field;
}

void Join(const cudame_mb* mbs, const cudame_split* splits, int cols, Record* out) {
    for (int col = 0; col < cols; col++) {
        out[col] = {{mbs[col].mv}, {mbs[col].dist}, mbs[col].dist_zero, mbs[col].flags};
        for (int b = 1; splits && b < CUDAME_BLOCKS; b++) {
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
                    // A texture that moves by a fraction of a pixel, and an
                    // object that moves elsewhere, under noise.
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
    // Opposite frames give the largest distortions.
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
