// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "bench/frames.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <thread>

#include "common/diamond_map.h"
#include "common/partition_tree.h"

namespace bench {
namespace {

std::vector<uint8_t> Pad(const naive::Image& image, const cudame::Geometry& g, int border,
                         int stride) {
    std::vector<uint8_t> out(
        static_cast<size_t>(stride) * static_cast<size_t>(g.mb_height() + 2 * border) + 64);
    for (int y = -border; y < g.mb_height() + border; y++)
        for (int x = -border; x < g.mb_width() + border; x++)
            out[static_cast<size_t>((y + border) * stride + x + border)] =
                static_cast<uint8_t>(image.clamped(x, y));
    return out;
}

// Run fn for all macroblock rows, on all cores.
template <class Fn>
void ForRows(int rows, const Fn& fn) {
    std::atomic<int> next{0};
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < std::max(std::thread::hardware_concurrency(), 1u); i++)
        threads.emplace_back([&] {
            for (int row = next++; row < rows; row = next++) fn(row);
        });
    for (std::thread& t : threads) t.join();
}

int Align(int n) { return (n + 127) / 128 * 128; }

}  // namespace

Frames::Frames(int width, int height)
    : g(cudame::MakeGeometry(width, height)),
      source_image(naive::MakeImage(naive::Content::kMoving, width, height, 1, 1)),
      reference_image(naive::MakeImage(naive::Content::kMoving, width, height, 0, 1)),
      source_stride(Align(g.mb_width())),
      reference_stride(Align(g.mb_width() + 2 * CUDAME_REF_BORDER)),
      bare_stride(Align(g.mb_width())),
      quarter_costs(naive::MakeCosts(1)) {
    source = Pad(source_image, g, 0, source_stride);
    reference = Pad(reference_image, g, CUDAME_REF_BORDER, reference_stride);
    bare = Pad(reference_image, g, 0, bare_stride);
    for (int component = 0; component < 2; component++)
        for (int v = -kMaxRange; v <= kMaxRange; v++)
            costs.push_back(quarter_costs[static_cast<size_t>(1023 + 4 * v)]);
}

int Frames::Rate(int x, int y) const {
    const int cost = costs[static_cast<size_t>(kMaxRange + y)] +
                     costs[static_cast<size_t>(3 * kMaxRange + 1 + x)];
    return std::min((cost * sad_per_bit + 128) >> 8, kMaxRate);
}

double Frames::Vectors(int range) const {
    double n = 0;
    for (int row = 0; row < g.mb_rows; row++)
        for (int col = 0; col < g.mb_cols; col++) {
            const cudame::Window w = cudame::LegalWindow(g, row, col);
            n += (std::min(w.x1, range) - std::max(w.x0, -range) + 1) *
                 (std::min(w.y1, range) - std::max(w.y0, -range) + 1);
        }
    return n;
}

std::vector<uint32_t> Frames::SearchFull(int range) const {
    std::vector<uint32_t> keys(static_cast<size_t>(g.mbs()) * CUDAME_BLOCKS, 0xffffffffu);
    ForRows(g.mb_rows, [&](int row) {
        for (int col = 0; col < g.mb_cols; col++) {
            const cudame::Window w = cudame::LegalWindow(g, row, col);
            const uint8_t* src = source.data() + kMbSize * (row * source_stride + col);
            const uint8_t* ref = reference_origin() + kMbSize * (row * reference_stride + col);
            uint32_t* key =
                keys.data() + static_cast<size_t>(row * g.mb_cols + col) * CUDAME_BLOCKS;
            uint32_t order = 0;
            for (int y = std::max(w.y0, -range); y <= std::min(w.y1, range); y++)
                for (int x = std::max(w.x0, -range); x <= std::min(w.x1, range); x++, order++) {
                    int sad[CUDAME_BLOCKS] = {};
                    for (int j = 0; j < 16; j++)
                        for (int i = 0; i < 16; i++)
                            sad[CUDAME_BLOCK_4X4 + 4 * (j / 4) + i / 4] +=
                                abs(src[j * source_stride + i] -
                                    ref[(y + j) * reference_stride + x + i]);
                    cudame::SumPartitionTree(sad);
                    for (int b = 0; b < CUDAME_BLOCKS; b++)
                        key[b] = std::min(
                            key[b],
                            static_cast<uint32_t>(sad[b] + Rate(x, y)) << kOrderBits | order);
                }
        }
    });
    return keys;
}

std::vector<DiamondVector> Frames::SearchDiamond() const {
    std::vector<DiamondVector> out(static_cast<size_t>(g.mbs()));
    ForRows(g.mb_rows, [&](int row) {
        for (int col = 0; col < g.mb_cols; col++) {
            const cudame::Window w = cudame::LegalWindow(g, row, col);
            const uint8_t* src = source.data() + kMbSize * (row * source_stride + col);
            const uint8_t* ref = reference_origin() + kMbSize * (row * reference_stride + col);
            DiamondVector best = {};
            const auto search = [&](const auto& map) {
                const int cx = best.x, cy = best.y;
                best.sad = 0xffffffffu;
                for (const cudame::Step& step : map) {
                    const int x = cx + step.x, y = cy + step.y;
                    if (!w.Contains({x, y})) continue;
                    uint32_t sad = 0;
                    for (int j = 0; j < 16; j++)
                        for (int i = 0; i < 16; i++)
                            sad +=
                                static_cast<uint32_t>(abs(src[j * source_stride + i] -
                                                          ref[(y + j) * reference_stride + x + i]));
                    if (sad < best.sad)
                        best = {static_cast<int16_t>(x), static_cast<int16_t>(y), sad};
                }
            };
            search(cudame::kDiamond);
            search(cudame::kRefinement);
            out[static_cast<size_t>(row * g.mb_cols + col)] = best;
        }
    });
    return out;
}

const Frames& FullHd() {
    static const Frames frames(1920, 1080);
    return frames;
}

}  // namespace bench
