// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Tables of RFC 6386 that the coder reads by a variable index.

#ifndef CUDAME_COMMON_CODER_TABLES_H_
#define CUDAME_COMMON_CODER_TABLES_H_

#include "common/coder/lanes.h"

namespace cudame::CODER_NAMESPACE {

// Modes, in libvpx's values.
enum Mode : uint8_t {
    kDcPred,
    kVPred,
    kHPred,
    kTmPred,
    kBPred,
    kNearestMv,
    kNearMv,
    kZeroMv,
    kNewMv,
    kSplitMv
};
enum BlockMode : uint8_t {
    kBDcPred,
    kBTmPred,
    kBVePred,
    kBHePred,
    kBHuPred = 9,
    kLeft4x4,
    kNew4x4 = 13
};
constexpr int kBlockModes = kBHuPred + 1;
enum Ref : uint8_t { kIntra, kLast, kGolden, kAltref, kRefs };

// The sub-block mode that a 16x16 mode is for the sub-blocks around it (RFC 6386 section 11.3).
CODER_FN int SubblockModeOf(int mode) {
    return mode == kVPred    ? kBVePred
           : mode == kHPred  ? kBHePred
           : mode == kTmPred ? kBTmPred
                             : kBDcPred;
}

// Six-tap filters by eighths of a pixel (section 18.3). Luma has even ones only.
CODER_TABLE int8_t kSixtapEighths[8][6] = {
    {0, 0, 0, 0, 0, 0},       {0, -6, 123, 12, -1, 0},  {2, -11, 108, 36, -8, 1},
    {0, -9, 93, 50, -6, 0},   {3, -16, 77, 77, -16, 3}, {0, -6, 50, 93, -9, 0},
    {1, -8, 36, 108, -11, 2}, {0, -1, 12, 123, -6, 0},
};

// Position in raster order by position in zigzag order (section 13). One digit of a number is an
// entry.
CODER_FN int ZigzagAt(int i) { return static_cast<int>(0xfeb7adc963258410ull >> 4 * i & 15); }
// The reverse: positions in zigzag order of the four coefficients of row y, four bits each.
constexpr uint32_t ZigzagRow(int y) { return 0xfea9db83c7426510ull >> 16 * y & 0xffff; }
// The band of a position in zigzag order (section 13.3).
CODER_FN int BandAt(int i) { return static_cast<int>(0x7666666665463210ull >> 4 * i & 15); }

// Taps of the directional sub-block modes from B_VE_PRED on, see common/intra.h.
alignas(4) CODER_TABLE uint8_t kTap[8][16] = {
    {5, 6, 7, 8, 5, 6, 7, 8, 5, 6, 7, 8, 5, 6, 7, 8},             // VE
    {3, 3, 3, 3, 2, 2, 2, 2, 1, 1, 1, 1, 0, 0, 0, 0},             // HE
    {6, 7, 8, 9, 7, 8, 9, 10, 8, 9, 10, 11, 9, 10, 11, 12},       // LD
    {4, 5, 6, 7, 3, 4, 5, 6, 2, 3, 4, 5, 1, 2, 3, 4},             // RD
    {20, 21, 22, 23, 4, 5, 6, 7, 3, 20, 21, 22, 2, 4, 5, 6},      // VR
    {21, 22, 23, 24, 6, 7, 8, 9, 22, 23, 24, 10, 7, 8, 9, 11},    // VL
    {19, 4, 5, 6, 18, 3, 19, 4, 17, 2, 18, 3, 16, 1, 17, 2},      // HD
    {18, 2, 17, 1, 17, 1, 16, 0, 16, 0, 28, 28, 28, 28, 28, 28},  // HU
};

// Partitionings of SPLITMV in libvpx's order: 16x8, 8x16, 8x8, 4x4.
enum Partitioning : uint8_t { k16x8, k8x16, k8x8, k4x4 };
CODER_FN int PartsOf(int partitioning) {
    return partitioning == k4x4 ? 16 : partitioning == k8x8 ? 4 : 2;
}
// The first record in cudame_split, the partition of a 4x4 block, and the first 4x4 block of a
// partition.
CODER_FN int FirstRecord(int partitioning) { return partitioning == k4x4 ? 8 : 2 * partitioning; }
CODER_FN int PartOf(int partitioning, int block) {
    const int right = block >> 1 & 1, below = block >> 3;
    return partitioning == k16x8   ? below
           : partitioning == k8x16 ? right
           : partitioning == k8x8  ? 2 * below + right
                                   : block;
}
CODER_FN int FirstBlock(int partitioning, int part) {
    return partitioning == k16x8   ? 8 * part
           : partitioning == k8x16 ? 2 * part
           : partitioning == k8x8  ? 8 * (part >> 1) + 2 * (part & 1)
                                   : part;
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_COMMON_CODER_TABLES_H_
