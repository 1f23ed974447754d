// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The 25 blocks of a macroblock. Sums over larger blocks follow from the sums over 4x4 blocks.

#ifndef CUDAME_COMMON_PARTITION_TREE_H_
#define CUDAME_COMMON_PARTITION_TREE_H_

#include "cudame/cudame.h"

namespace cudame {

enum BlockSize { k16x16, k16x8, k8x16, k8x8, k4x4, kBlockSizes };

constexpr int kSizeWidth[kBlockSizes] = {16, 16, 8, 8, 4};
constexpr int kSizeHeight[kBlockSizes] = {16, 8, 16, 8, 4};

struct Block {
    BlockSize size;
    int x, y;  // position of its first pixel in the macroblock
    constexpr int width() const { return kSizeWidth[size]; }
    constexpr int height() const { return kSizeHeight[size]; }
};

constexpr Block BlockAt(int b) {
    if (b < CUDAME_BLOCK_16X8) return {k16x16, 0, 0};
    if (b < CUDAME_BLOCK_8X16) return {k16x8, 0, 8 * (b - CUDAME_BLOCK_16X8)};
    if (b < CUDAME_BLOCK_8X8) return {k8x16, 8 * (b - CUDAME_BLOCK_8X16), 0};
    if (b < CUDAME_BLOCK_4X4)
        return {k8x8, 8 * ((b - CUDAME_BLOCK_8X8) % 2), 8 * ((b - CUDAME_BLOCK_8X8) / 2)};
    return {k4x4, 4 * ((b - CUDAME_BLOCK_4X4) % 4), 4 * ((b - CUDAME_BLOCK_4X4) / 4)};
}

// Sum the 16 values from s[CUDAME_BLOCK_4X4] on into the 9 values before them, by block. T is a
// number or a vector of numbers with operator+.
template <class T>
inline void SumPartitionTree(T* s) {
    const T* b = s + CUDAME_BLOCK_4X4;
    T* q = s + CUDAME_BLOCK_8X8;
    for (int i = 0; i < 4; i++) {
        const T* c = b + 8 * (i / 2) + 2 * (i % 2);
        q[i] = static_cast<T>(c[0] + c[1] + c[4] + c[5]);
    }
    s[CUDAME_BLOCK_16X8] = static_cast<T>(q[0] + q[1]);
    s[CUDAME_BLOCK_16X8 + 1] = static_cast<T>(q[2] + q[3]);
    s[CUDAME_BLOCK_8X16] = static_cast<T>(q[0] + q[2]);
    s[CUDAME_BLOCK_8X16 + 1] = static_cast<T>(q[1] + q[3]);
    s[CUDAME_BLOCK_16X16] = static_cast<T>(s[CUDAME_BLOCK_16X8] + s[CUDAME_BLOCK_16X8 + 1]);
}

}  // namespace cudame

#endif  // CUDAME_COMMON_PARTITION_TREE_H_
