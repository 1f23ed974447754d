/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Planes for cudame whose memory ends at their last byte, and planes that it must refuse.

#ifndef TESTS_FUZZ_PLANES_H
#define TESTS_FUZZ_PLANES_H

#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "cudame/cudame.h"
#include "random.h"

namespace fuzz {

struct Pattern {
    int kind, seed, dx, dy;

    uint8_t At(int x, int y) const {
        x += dx;
        y += dy;
        switch (kind) {
            case 0:
                return uint8_t(seed);
            case 1:
                return uint8_t(x * 3 + y * 5 + seed);
            case 2:
                return ((x >> seed % 4) ^ (y >> seed / 4 % 4)) & 1 ? 255 : 0;
            case 3:
                return uint8_t(
                    Random(uint64_t(seed) << 40 ^ uint64_t(y) << 20 ^ uint64_t(x)).Bits());
            default:  // squares of 6x6 pixels, each with a pattern
                return uint8_t((x / 6 * 37 + y / 6 * 91 + seed) ^ (x * y & 3));
        }
    }
};

inline Pattern ChoosePattern(Random *in) {
    Pattern p{};
    p.kind = in->Below(5);
    p.seed = in->Below(256);
    p.dx = in->Between(-12, 12);
    p.dy = in->Between(-12, 12);
    return p;
}

class Plane {
  public:
    Plane(const Pattern &pattern, int width, int height, int border, int padding, bool upwards,
          uint8_t filler) {
        const int columns = width + 2 * border, rows = height + 2 * border;
        const ptrdiff_t stride = columns + padding;
        const size_t size = size_t(stride) * size_t(rows - 1) + size_t(columns);
        memory_.reset(new uint8_t[size]);
        std::fill_n(memory_.get(), size, filler);
        plane_.stride = upwards ? -stride : stride;
        plane_.data = memory_.get() + border + stride * (upwards ? rows - 1 - border : border);
        plane_.width = width;
        plane_.height = height;
        plane_.border = border;
        for (int y = -border; y < height + border; y++) {
            uint8_t *row = const_cast<uint8_t *>(plane_.data) + y * plane_.stride;
            for (int x = -border; x < width + border; x++) {
                row[x] = pattern.At(std::clamp(x, 0, width - 1), std::clamp(y, 0, height - 1));
            }
        }
    }
    const cudame_plane &get() const { return plane_; }
    void SetPersistent() { plane_.persistent = 1; }

  private:
    std::unique_ptr<uint8_t[]> memory_;
    cudame_plane plane_{};
};

// Returns the plane with one field that the CPU backend must refuse.
inline cudame_plane Spoiled(Random *in, cudame_plane p, int width, int height) {
    static const int sizes[] = {0, -1, INT_MIN, -16384};
    static const int borders[] = {-1, INT_MIN, INT_MAX, 1 << 30};
    switch (in->Below(7)) {
        case 0:
            p.data = nullptr;
            break;
        case 1:
            p.width = in->Percent(50) ? width - 1 : in->Pick(sizes);
            break;
        case 2:
            p.height = in->Percent(50) ? height - 1 : in->Pick(sizes);
            break;
        case 3:
            p.stride = in->Percent(50) ? 0 : p.width + 2 * ptrdiff_t(p.border) - 1;
            if (in->Percent(50)) p.stride = -p.stride;
            break;
        case 4:
            p.border = in->Pick(borders);
            break;
        case 5:
            p.width = INT_MAX;
            break;
        default:
            p.on_device = 1;
    }
    return p;
}

}  // namespace fuzz

#endif  // TESTS_FUZZ_PLANES_H
