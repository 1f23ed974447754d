// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The bools of a macroblock's mode and vector (RFC 6386 sections 9.3, 11, 16 and 17).

#ifndef CUDAME_COMMON_CODER_MODE_BOOLS_H_
#define CUDAME_COMMON_CODER_MODE_BOOLS_H_

#include "common/coder/mode_record.h"
#include "common/coder/tree_path.h"

namespace cudame::CODER_NAMESPACE {

// The most bools of a macroblock: B_PRED with a segment, 2 + 1 + 1 + 3 + 16 * 7 + 3.
constexpr int kMaxModeBools = 128;

// By mode (section 16.1).
CODER_TABLE TreePath kYModePaths[5] = {
    {0x0, 1, 0x0}, {0x210, 3, 0x1}, {0x210, 3, 0x5}, {0x310, 3, 0x3}, {0x310, 3, 0x7}};
// The same in key frames (section 11.2).
CODER_TABLE TreePath kKeyYModePaths[5] = {
    {0x210, 3, 0x1}, {0x210, 3, 0x5}, {0x310, 3, 0x3}, {0x310, 3, 0x7}, {0x0, 1, 0x0}};
CODER_TABLE TreePath kUvModePaths[4] = {
    {0x0, 1, 0x0}, {0x10, 2, 0x1}, {0x210, 3, 0x3}, {0x210, 3, 0x7}};
// By sub-block mode (section 11.2).
CODER_TABLE TreePath kBlockModePaths[kBlockModes] = {
    {0x0, 1, 0x0},        {0x10, 2, 0x1},      {0x210, 3, 0x3},     {0x43210, 5, 0x7},
    {0x63210, 5, 0xf},    {0x543210, 6, 0x17}, {0x543210, 6, 0x37}, {0x763210, 6, 0x1f},
    {0x8763210, 7, 0x3f}, {0x8763210, 7, 0x7f}};
// NEARESTMV, NEARMV, ZEROMV, NEWMV and SPLITMV (section 16.2).
CODER_TABLE TreePath kInterModePaths[5] = {
    {0x10, 2, 0x1}, {0x210, 3, 0x3}, {0x0, 1, 0x0}, {0x3210, 4, 0x7}, {0x3210, 4, 0xf}};
// The probability of each node by the count of the near vectors (section 16.3).
CODER_TABLE uint8_t kInterModeProbs[6][4] = {{7, 1, 1, 143},      {14, 18, 14, 107},
                                             {135, 64, 57, 68},   {60, 56, 128, 65},
                                             {159, 134, 128, 34}, {234, 188, 128, 28}};

// Places of a component's probabilities (section 17.1).
enum VectorProb { kIsLong, kSign, kShortTree, kLongBits = 9 };
constexpr int kLongWidth = 10;

CODER_FN int SubblockModeIn(const ModeRecord& r, int block) {
    return static_cast<int>(r.words[2 + (block >> 3)] >> 4 * (block & 7) & 15);
}

// The next functions call put(probability of 0, bit) for each bool.

// prob(node): the probability of a node.
template <class Prob, class Put>
CODER_FN void PutPath(const TreePath& path, Prob prob, Put put) {
    CODER_ROLLED
    for (int i = 0; i < path.size; i++) put(prob(NodeAt(path, i)), BitAt(path, i));
}

template <class Put>
CODER_FN void PutComponent(int v, const uint8_t* p, Put put) {
    const uint32_t size = static_cast<uint32_t>(Abs(v));
    const uint32_t is_long = size > 7;
    put(p[kIsLong], is_long);
    if (is_long) {
        // Bits 0 to 2, then the others from the highest on. Bit 3 is set if no higher one is.
        CODER_ROLLED
        for (int i = 0; i < kLongWidth; i++) {
            const int bit = i < 3 ? i : kLongWidth + 2 - i;
            if (bit != 3 || size > 15) put(p[kLongBits + bit], size >> bit & 1);
        }
    } else {
        int node = 0;
        CODER_ROLLED
        for (int i = 2; i >= 0; i--) {
            const int bit = static_cast<int>(size >> i & 1);
            put(p[kShortTree + node], static_cast<uint32_t>(bit));
            node = i == 2 ? 1 + 3 * bit : node + 1 + bit;
        }
    }
    if (size) put(p[kSign], v < 0 ? 1u : 0u);
}

template <class Put>
CODER_FN void PutIntraMode(const ModeRecord& r, const cudame_modes& p, Put put) {
    const int mode = static_cast<int>(r.words[0] & 15);
    const int uv_mode = static_cast<int>(r.words[0] >> kRecordUvMode & 3);
    PutPath(
        kYModePaths[mode], [&](int node) { return p.ymode[node]; }, put);
    CODER_ROLLED
    for (int i = 0; mode == kBPred && i < 16; i++)
        PutPath(
            kBlockModePaths[SubblockModeIn(r, i)], [&](int node) { return p.bmode[node]; }, put);
    PutPath(
        kUvModePaths[uv_mode], [&](int node) { return p.uv_mode[node]; }, put);
}

template <class Put>
CODER_FN void PutInterMode(const ModeRecord& r, const cudame_modes& p, Put put) {
    const int mode = static_cast<int>(r.words[0] & 15);
    const uint32_t counts = r.words[0] >> kRecordCounts;
    PutPath(
        kInterModePaths[mode - kNearestMv],
        [&](int node) { return kInterModeProbs[counts >> 3 * node & 7][node]; }, put);
    CODER_ROLLED
    for (int i = 0; mode == kNewMv && i < 2; i++)
        PutComponent(static_cast<int16_t>(r.words[1] >> 16 * i), p.mv[i], put);
}

// Outside of the frame, sub-blocks have B_DC_PRED.
template <class Put>
CODER_FN void PutKeyMode(const ModeRecord* records, int mb, int cols, const cudame_modes& p,
                         Put put) {
    const ModeRecord& r = records[mb];
    const int mode = static_cast<int>(r.words[0] & 15);
    PutPath(
        kKeyYModePaths[mode], [&](int node) { return p.ymode[node]; }, put);
    CODER_ROLLED
    for (int i = 0; mode == kBPred && i < 16; i++) {
        const int above = i > 3        ? SubblockModeIn(r, i - 4)
                          : mb >= cols ? SubblockModeIn(records[mb - cols], 12 + i)
                                       : int{kBDcPred};
        const int left = i & 3       ? SubblockModeIn(r, i - 1)
                         : mb % cols ? SubblockModeIn(records[mb - 1], i + 3)
                                     : int{kBDcPred};
        const uint8_t* probs = p.key_bmode + (kBlockModes * above + left) * (kBlockModes - 1);
        PutPath(
            kBlockModePaths[SubblockModeIn(r, i)], [&](int node) { return probs[node]; }, put);
    }
    PutPath(
        kUvModePaths[r.words[0] >> kRecordUvMode & 3], [&](int node) { return p.uv_mode[node]; },
        put);
}

// Puts all bools of macroblock `mb` of a frame of `cols` columns. It is not SPLITMV.
template <class Put>
CODER_FN void PutMode(const ModeRecord* records, int mb, int cols, const cudame_modes& p, Put put) {
    const ModeRecord& r = records[mb];
    const uint32_t segment = r.words[0] >> kRecordSegment & 3, ref = r.words[0] >> kRecordRef & 3;
    if (p.has_segments) {
        put(p.segment[0], segment >> 1);
        put(p.segment[1 + (segment >> 1)], segment & 1);
    }
    if (p.has_skips) put(p.skip, r.words[0] >> kRecordSkip & 1);
    if (p.key_bmode) return PutKeyMode(records, mb, cols, p, put);
    put(p.intra, ref != kIntra ? 1u : 0u);
    if (ref == kIntra) return PutIntraMode(r, p, put);
    put(p.last, ref != kLast ? 1u : 0u);
    if (ref != kLast) put(p.golden, ref != kGolden ? 1u : 0u);
    PutInterMode(r, p, put);
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_COMMON_CODER_MODE_BOOLS_H_
