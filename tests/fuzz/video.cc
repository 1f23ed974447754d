/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "video.h"

#include <algorithm>
#include <cstddef>
#include <map>

#include "random.h"

namespace fuzz {

namespace {

// A plane of random bytes, rough or smooth, that repeats in all directions.
class Tile {
  public:
    explicit Tile(uint64_t seed) : pixels_(kSize * kSize) {
        Random random(seed);
        for (uint8_t &pixel : pixels_) pixel = uint8_t(random.Bits());
    }
    // Interpolates linearly between every eighth pixel.
    void Smooth() {
        const std::vector<uint8_t> from = pixels_;
        auto node = [&](int x, int y) {
            return int(from[size_t((y & ~7) % kSize) * kSize + size_t((x & ~7) % kSize)]);
        };
        for (int y = 0; y < kSize; y++) {
            for (int x = 0; x < kSize; x++) {
                const int fx = x & 7, fy = y & 7;
                const int top = node(x, y) * (8 - fx) + node(x + 8, y) * fx;
                const int bottom = node(x, y + 8) * (8 - fx) + node(x + 8, y + 8) * fx;
                pixels_[size_t(y) * kSize + x] = uint8_t((top * (8 - fy) + bottom * fy) >> 6);
            }
        }
    }
    int At(int x, int y) const { return pixels_[size_t(y & kMask) * kSize + (x & kMask)]; }

  private:
    static constexpr int kSize = 256, kMask = kSize - 1;
    std::vector<uint8_t> pixels_;
};

struct Tiles {
    explicit Tiles(uint32_t seed) : texture(seed), rough(Mix(seed, 1)) { texture.Smooth(); }
    Tile texture, rough;
};

// Keeps up to 33 textures, because a fuzzer's process uses the same seeds again and again.
const Tiles &TilesOf(uint32_t seed) {
    static std::map<uint32_t, Tiles> kept;
    if (kept.size() > 32 && !kept.count(seed)) kept.clear();
    return kept.try_emplace(seed, seed).first->second;
}

int Luma(const Scene &scene, const Tile &texture, const Tile &rough, int width, int height, int x,
         int y, int t) {
    const int moved_x = x + scene.dx * t, moved_y = y + scene.dy * t;
    switch (scene.picture) {
        case Picture::kFlat:
            return int(scene.seed & 255);
        case Picture::kStill:
            return texture.At(x, y);
        case Picture::kFade:
            return texture.At(x, y) / 2 + 6 * t;
        case Picture::kPan:
            return texture.At(moved_x, moved_y);
        case Picture::kObject: {
            const int left = (width / 4 + 5 * t) % width, top = height / 3;
            const bool inside = x >= left && x < left + 40 && y >= top && y < top + 36;
            return inside ? texture.At(x - left + 128, y - top) : texture.At(moved_x, moved_y);
        }
        case Picture::kPanUnderStill:
            return y < height / 3 ? texture.At(x, y) : texture.At(moved_x, moved_y);
        case Picture::kStripes:
            return (moved_x >> (scene.seed % 4) ^ moved_y >> 2) & 1 ? 250 : 4;
        default: {
            // Repeat four frames, so that a frame can be predicted from an earlier one.
            const int shift = 61 * (t & 3);
            return rough.At((x >> (scene.seed & 1)) + shift, y - shift) & 1 ? 255 : 0;
        }
    }
}

int Chroma(const Scene &scene, const Tile &texture, const Tile &rough, int plane, int x, int y,
           int t) {
    switch (scene.picture) {
        case Picture::kFlat:
            return 128;
        case Picture::kNoise:
            return rough.At(x + 17 * t, y + 97 * plane) & 2 ? 255 : 0;
        default:
            return 96 + texture.At(x + scene.dx * t / 2 + 64 * plane, y + scene.dy * t / 2) / 4;
    }
}

}  // namespace

const char *Name(Picture picture) {
    static const char *const names[] = {"flat",   "still",           "fade",    "pan",
                                        "object", "pan-under-still", "stripes", "noise"};
    return names[int(picture)];
}

std::vector<uint8_t> Draw(const std::vector<Scene> &scenes, int width, int height, int t) {
    size_t number = 0;
    while (number + 1 < scenes.size() && t >= scenes[number].frames) t -= scenes[number++].frames;
    const Scene &scene = scenes[number];
    const auto &[texture, rough] = TilesOf(scene.seed);
    const int grain_x = int(Mix(scene.seed, uint64_t(t), 2) & 255);
    const int grain_y = int(Mix(scene.seed, uint64_t(t), 3) & 255);

    const int chroma_width = (width + 1) / 2, chroma_height = (height + 1) / 2;
    std::vector<uint8_t> frame;
    frame.reserve(size_t(width) * height + 2 * size_t(chroma_width) * chroma_height);
    for (int y = 0; y < height; y++) {
        for (int x = 0; x < width; x++) {
            int v = Luma(scene, texture, rough, width, height, x, y, t);
            if (scene.grain) {
                v += rough.At(x + grain_x, y + grain_y) % (2 * scene.grain + 1) - scene.grain;
            }
            frame.push_back(uint8_t(std::clamp(v, 0, 255)));
        }
    }
    for (int plane = 1; plane < 3; plane++) {
        for (int y = 0; y < chroma_height; y++) {
            for (int x = 0; x < chroma_width; x++) {
                frame.push_back(uint8_t(Chroma(scene, texture, rough, plane, x, y, t)));
            }
        }
    }
    return frame;
}

}  // namespace fuzz
