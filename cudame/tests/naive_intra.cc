// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Intra estimates, pixel by pixel, after the text of RFC 6386 section 12.

#include <algorithm>
#include <cstdlib>

#include "naive.h"

namespace naive {
namespace {

// Return a pixel of the frame padded to whole macroblocks, or of the pixels around it.
int PixelAt(const Image& image, int x, int y) {
    if (y < 0) return 127;
    if (x < 0) return 129;
    if (x >= (image.width + 15) / 16 * 16) return 127;
    return image.clamped(x, y);
}

int Satd(int d[4][4]) {
    int sum = 0;
    for (int v = 0; v < 4; v++)
        for (int u = 0; u < 4; u++) {
            int c = 0;
            for (int y = 0; y < 4; y++)
                for (int x = 0; x < 4; x++) {
                    static const char signs[4][5] = {"++++", "+-+-", "++--", "+--+"};
                    c += signs[u][x] == signs[v][y] ? d[y][x] : -d[y][x];
                }
            sum += std::abs(c);
        }
    return sum / 2;
}

int Mean16(const Image& image, int mx, int my) {
    int sum = 0, count = 0;
    if (my > 0)
        for (int i = 0; i < 16; i++, count++) sum += PixelAt(image, mx + i, my - 1);
    if (mx > 0)
        for (int i = 0; i < 16; i++, count++) sum += PixelAt(image, mx - 1, my + i);
    return count ? (sum + count / 2) / count : 128;
}

int Clamp(int v) { return std::clamp(v, 0, 255); }

// Compute B[r][c] of section 12.3 from A, L, P and E.
void PredictSubBlock(int mode, const int* A, const int* L, int P, int B[4][4]) {
    const int E[9] = {L[3], L[2], L[1], L[0], P, A[0], A[1], A[2], A[3]};
    auto avg2 = [](int x, int y) { return (x + y + 1) / 2; };
    auto avg3 = [](int x, int y, int z) { return (x + y + y + z + 2) / 4; };
    auto e2 = [&](int i) { return avg2(E[i], E[i + 1]); };
    auto e3 = [&](int i) { return avg3(E[i - 1], E[i], E[i + 1]); };
    auto a2 = [&](int i) { return avg2(A[i], A[i + 1]); };
    auto a3 = [&](int i) { return avg3(A[i], A[i + 1], A[i + 2]); };
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 4; c++) {
            int dc = 4;
            for (int i = 0; i < 4; i++) dc += A[i] + L[i];
            if (mode == 0) B[r][c] = dc / 8;
            if (mode == 1) B[r][c] = Clamp(L[r] + A[c] - P);
            if (mode == 2) B[r][c] = avg3(c ? A[c - 1] : P, A[c], A[c + 1]);
            if (mode == 3) B[r][c] = avg3(r ? L[r - 1] : P, L[r], r < 3 ? L[r + 1] : L[3]);
            if (mode == 4) B[r][c] = r + c < 6 ? a3(r + c) : avg3(A[6], A[7], A[7]);
            if (mode == 5) B[r][c] = e3(4 - r + c);
        }
    if (mode == 6) {
        B[3][0] = e3(2);
        B[2][0] = e3(3);
        B[3][1] = B[1][0] = e3(4);
        B[2][1] = B[0][0] = e2(4);
        B[3][2] = B[1][1] = e3(5);
        B[2][2] = B[0][1] = e2(5);
        B[3][3] = B[1][2] = e3(6);
        B[2][3] = B[0][2] = e2(6);
        B[1][3] = e3(7);
        B[0][3] = e2(7);
    }
    if (mode == 7) {
        B[0][0] = a2(0);
        B[1][0] = a3(0);
        B[2][0] = B[0][1] = a2(1);
        B[1][1] = B[3][0] = a3(1);
        B[2][1] = B[0][2] = a2(2);
        B[3][1] = B[1][2] = a3(2);
        B[2][2] = B[0][3] = a2(3);
        B[3][2] = B[1][3] = a3(3);
        B[2][3] = a3(4);
        B[3][3] = a3(5);
    }
    if (mode == 8) {
        B[3][0] = e2(0);
        B[3][1] = e3(1);
        B[2][0] = B[3][2] = e2(1);
        B[2][1] = B[3][3] = e3(2);
        B[2][2] = B[1][0] = e2(2);
        B[2][3] = B[1][1] = e3(3);
        B[1][2] = B[0][0] = e2(3);
        B[1][3] = B[0][1] = e3(4);
        B[0][2] = e3(5);
        B[0][3] = e3(6);
    }
    if (mode == 9) {
        B[0][0] = avg2(L[0], L[1]);
        B[0][1] = avg3(L[0], L[1], L[2]);
        B[0][2] = B[1][0] = avg2(L[1], L[2]);
        B[0][3] = B[1][1] = avg3(L[1], L[2], L[3]);
        B[1][2] = B[2][0] = avg2(L[2], L[3]);
        B[1][3] = B[2][1] = avg3(L[2], L[3], L[3]);
        B[2][2] = B[2][3] = B[3][0] = B[3][1] = B[3][2] = B[3][3] = L[3];
    }
}

uint16_t Saturate(int v) { return static_cast<uint16_t>(std::min(v, 65535)); }

}  // namespace

std::vector<cudame_intra> AnalyseIntra(const Image& source, const int* bmode_cost,
                                       int sad_per_bit) {
    const int cols = (source.width + 15) / 16, rows = (source.height + 15) / 16;
    std::vector<cudame_intra> field(static_cast<size_t>(cols) * rows);
    for (int mb = 0; mb < cols * rows; mb++) {
        const int mx = mb % cols * 16, my = mb / cols * 16;
        cudame_intra& out = field[static_cast<size_t>(mb)];
        int satd16[4] = {}, cost4 = 0;
        for (int block = 0; block < 16; block++) {
            const int bx = mx + block % 4 * 4, by = my + block / 4 * 4;
            int A[8], L[4], d[4][4];
            const int P = PixelAt(source, bx - 1, by - 1);
            for (int i = 0; i < 4; i++) L[i] = PixelAt(source, bx - 1, by + i);
            for (int i = 0; i < 8; i++)
                A[i] = PixelAt(source, bx + i, bx + i < mx + 16 ? by - 1 : my - 1);

            for (int mode = 0; mode < 4; mode++) {
                for (int y = 0; y < 4; y++)
                    for (int x = 0; x < 4; x++) {
                        const int above = PixelAt(source, bx + x, my - 1);
                        const int left = PixelAt(source, mx - 1, by + y);
                        const int corner = PixelAt(source, mx - 1, my - 1);
                        const int predicted[4] = {Mean16(source, mx, my), above, left,
                                                  Clamp(left + above - corner)};
                        d[y][x] = PixelAt(source, bx + x, by + y) - predicted[mode];
                    }
                satd16[mode] += Satd(d);
            }

            std::vector<std::pair<int, int>> ranking;
            for (int mode = 0; mode < CUDAME_BMODES; mode++) {
                int B[4][4];
                PredictSubBlock(mode, A, L, P, B);
                for (int y = 0; y < 4; y++)
                    for (int x = 0; x < 4; x++) d[y][x] = PixelAt(source, bx + x, by + y) - B[y][x];
                const int64_t bits = std::clamp(bmode_cost[mode], 0, 524287);
                const int64_t rate = std::min<int64_t>(65535, (bits * sad_per_bit + 128) / 256);
                const int cost = std::min(65535, Satd(d) + static_cast<int>(rate));
                ranking.emplace_back(cost, mode);
            }
            std::stable_sort(ranking.begin(), ranking.end(),
                             [](const auto& a, const auto& b) { return a.first < b.first; });
            cost4 += ranking[0].first;
            out.mode4[block] = static_cast<uint8_t>(ranking[0].second + 16 * ranking[1].second);
        }
        for (int mode = 0; mode < 4; mode++) out.satd16[mode] = Saturate(satd16[mode]);
        out.cost4 = Saturate(cost4);
    }
    return field;
}

std::vector<int> MakeBmodeCosts(uint32_t seed) {
    std::mt19937 rng(seed);
    std::vector<int> costs(CUDAME_BMODES);
    for (int& cost : costs) cost = 256 + static_cast<int>(rng() % 1500);
    return costs;
}

}  // namespace naive
