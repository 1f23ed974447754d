// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Records of modes and vectors, and a decoder that reads them back. It is written from the text of
// RFC 6386, sections 9.3, 11, 16 and 17.

#ifndef CUDAME_TESTS_MODE_DATA_H_
#define CUDAME_TESTS_MODE_DATA_H_

#include <cstdlib>

#include "token_data.h"

namespace mode_data {

using cudame::ModeRecord;

// A macroblock.
struct Mb {
    int segment = 0, skip = 0, ref = 0;
    int mode = 0;  // DC_PRED to B_PRED, NEARESTMV, NEARMV, ZEROMV, NEWMV
    int uv_mode = 0, bmode[16] = {}, counts[4] = {};
    int mv[2] = {};  // of NEWMV: the difference to the best vector, in quarter pixels

    bool operator==(const Mb& b) const {
        return segment == b.segment && skip == b.skip && ref == b.ref && mode == b.mode &&
               uv_mode == b.uv_mode && std::equal(bmode, bmode + 16, b.bmode) && mv[0] == b.mv[0] &&
               mv[1] == b.mv[1];
    }
};
enum { kDc, kV, kH, kTm, kB, kNearest, kNear, kZeroMv, kNew };

inline ModeRecord Record(const Mb& mb) {
    ModeRecord r = {};
    r.words[0] = static_cast<uint32_t>(mb.mode | mb.uv_mode << 4 | mb.ref << 6 | mb.skip << 8 |
                                       mb.segment << 9);
    for (int i = 0; i < 4; i++) r.words[0] |= static_cast<uint32_t>(mb.counts[i]) << (12 + 3 * i);
    r.words[1] = static_cast<uint32_t>((mb.mv[0] & 0xffff) | (mb.mv[1] & 0xffff) << 16);
    for (int i = 0; i < 16; i++)
        r.words[2 + i / 8] |= static_cast<uint32_t>(mb.bmode[i]) << (4 * (i % 8));
    return r;
}

inline int Below(std::mt19937* random, int n) {
    return static_cast<int>((*random)() % static_cast<unsigned>(n));
}

// Makes a macroblock of any kind. has: of the frame.
inline Mb AnyMb(std::mt19937* random, const cudame_modes& has) {
    Mb mb;
    if (has.has_segments) mb.segment = Below(random, 4);
    if (has.has_skips) mb.skip = Below(random, 2);
    mb.ref = Below(random, 4);
    if (!mb.ref) {
        mb.mode = Below(random, 5);
        mb.uv_mode = Below(random, 4);
        for (int i = 0; mb.mode == kB && i < 16; i++) mb.bmode[i] = Below(random, 10);
        return mb;
    }
    mb.mode = kNearest + Below(random, 4);
    for (int& count : mb.counts) count = Below(random, 6);
    // Vectors of all lengths, in bits, are equally frequent.
    for (int i = 0; mb.mode == kNew && i < 2; i++) {
        mb.mv[i] = Below(random, 1 << Below(random, 11));
        if (Below(random, 2)) mb.mv[i] = -mb.mv[i];
    }
    return mb;
}

// The sub-block modes that the neighbours of DC, V, H and TM read.
inline constexpr int kSubModes[] = {0, 2, 3, 1};

// Makes a macroblock of a key frame.
inline Mb AnyKeyMb(std::mt19937* random, const cudame_modes& has) {
    Mb mb;
    if (has.has_segments) mb.segment = Below(random, 4);
    if (has.has_skips) mb.skip = Below(random, 2);
    mb.mode = Below(random, 5);
    mb.uv_mode = Below(random, 4);
    for (int& mode : mb.bmode) mode = mb.mode == kB ? Below(random, 10) : kSubModes[mb.mode];
    return mb;
}

// Makes a macroblock of the most bools.
inline Mb LongestMb() {
    Mb mb;
    mb.mode = kB;
    mb.uv_mode = kTm;
    std::fill(std::begin(mb.bmode), std::end(mb.bmode), 9);
    return mb;
}

// Makes the input of a frame's modes.
inline cudame_modes MakeModes(token_data::Probs kind, std::mt19937* random) {
    const std::vector<uint8_t> probs = token_data::MakeProbs(kind, random);
    cudame_modes m = {};
    auto from = probs.begin();
    const auto fill = [&](uint8_t* to, int n) {
        std::copy_n(from, n, to);
        from += n;
    };
    m.has_segments = static_cast<uint8_t>(Below(random, 2));
    m.has_skips = static_cast<uint8_t>(Below(random, 2));
    fill(m.segment, 3);
    fill(&m.skip, 1);
    fill(&m.intra, 1);
    fill(&m.last, 1);
    fill(&m.golden, 1);
    fill(m.ymode, 4);
    fill(m.uv_mode, 3);
    fill(m.bmode, 9);
    fill(m.mv[0], 19);
    fill(m.mv[1], 19);
    m.start_range = static_cast<uint32_t>(128 + Below(random, 128));
    return m;
}

// Makes the probabilities of a key frame's sub-block modes.
inline std::vector<uint8_t> MakeKeyProbs(token_data::Probs kind, std::mt19937* random) {
    std::vector<uint8_t> probs = token_data::MakeProbs(kind, random);
    probs.resize(900);
    return probs;
}

// Reads a value of a tree, which has two entries for each node: another node's first entry, or
// minus a value.
inline int ReadTree(token_data::BoolDecoder* bools, const int* tree, const uint8_t* probs) {
    int i = 0;
    while ((i = tree[i + bools->Read(probs[i >> 1])]) > 0) {
    }
    return -i;
}

inline int ReadComponent(token_data::BoolDecoder* bools, const uint8_t* p) {
    static const int short_tree[] = {2, 8, 4, 6, -0, -1, -2, -3, 10, 12, -4, -5, -6, -7};
    int v = 0;
    if (bools->Read(p[0])) {
        for (int i = 0; i < 3; i++) v += bools->Read(p[9 + i]) << i;
        for (int i = 9; i > 3; i--) v += bools->Read(p[9 + i]) << i;
        if (!(v & 0xfff0) || bools->Read(p[9 + 3])) v += 8;
    } else {
        v = ReadTree(bools, short_tree, p + 2);
    }
    return v && bools->Read(p[1]) ? -v : v;
}

inline constexpr int kUvModeTree[] = {-kDc, 2, -kV, 4, -kH, -kTm};
// B_DC, TM, VE, HE, LD, RD, VR, VL, HD, HU
inline constexpr int kBlockModeTree[] = {-0, 2,  -1, 4,  -2, 6,  8,  12, -3,
                                         10, -5, -6, -4, 14, -7, 16, -8, -9};

// Reads a macroblock's segment and skip flag.
inline Mb BeginMb(token_data::BoolDecoder* bools, const cudame_modes& m) {
    Mb mb;
    if (m.has_segments) {
        const int high = bools->Read(m.segment[0]);
        mb.segment = 2 * high + bools->Read(m.segment[1 + high]);
    }
    if (m.has_skips) mb.skip = bools->Read(m.skip);
    return mb;
}

// Reads a macroblock of a key frame. above, left: NULL outside of the frame.
inline Mb ReadKeyMb(token_data::BoolDecoder* bools, const cudame_modes& m, const Mb* above,
                    const Mb* left) {
    static const int ymodes[] = {-kB, 2, 4, 6, -kDc, -kV, -kH, -kTm};
    Mb mb = BeginMb(bools, m);
    mb.mode = ReadTree(bools, ymodes, m.ymode);
    for (int i = 0; i < 16; i++) {
        const int a = i >= 4 ? mb.bmode[i - 4] : above ? above->bmode[12 + i] : 0;
        const int l = i % 4 ? mb.bmode[i - 1] : left ? left->bmode[i + 3] : 0;
        mb.bmode[i] = mb.mode == kB ? ReadTree(bools, kBlockModeTree, m.key_bmode + 90 * a + 9 * l)
                                    : kSubModes[mb.mode];
    }
    mb.uv_mode = ReadTree(bools, kUvModeTree, m.uv_mode);
    return mb;
}

// Reads a macroblock of an inter frame. counts: of its near vectors.
inline Mb ReadMb(token_data::BoolDecoder* bools, const cudame_modes& m, const int (&counts)[4]) {
    static const int ymodes[] = {-kDc, 2, 4, 6, -kV, -kH, -kTm, -kB};
    static const int contexts[6][4] = {{7, 1, 1, 143},    {14, 18, 14, 107},   {135, 64, 57, 68},
                                       {60, 56, 128, 65}, {159, 134, 128, 34}, {234, 188, 128, 28}};
    Mb mb = BeginMb(bools, m);
    if (!bools->Read(m.intra)) {
        mb.mode = ReadTree(bools, ymodes, m.ymode);
        for (int i = 0; mb.mode == kB && i < 16; i++)
            mb.bmode[i] = ReadTree(bools, kBlockModeTree, m.bmode);
        mb.uv_mode = ReadTree(bools, kUvModeTree, m.uv_mode);
        return mb;
    }
    mb.ref = 1 + bools->Read(m.last);
    if (mb.ref == 2) mb.ref += bools->Read(m.golden);
    if (!bools->Read(contexts[counts[0]][0])) {
        mb.mode = kZeroMv;
    } else if (!bools->Read(contexts[counts[1]][1])) {
        mb.mode = kNearest;
    } else if (!bools->Read(contexts[counts[2]][2])) {
        mb.mode = kNear;
    } else {
        EXPECT_FALSE(bools->Read(contexts[counts[3]][3])) << "SPLITMV";
        mb.mode = kNew;
        for (int i = 0; i < 2; i++) mb.mv[i] = ReadComponent(bools, m.mv[i]);
    }
    return mb;
}

inline std::vector<ModeRecord> Records(const std::vector<Mb>& mbs) {
    std::vector<ModeRecord> records;
    for (const Mb& mb : mbs) records.push_back(Record(mb));
    return records;
}

}  // namespace mode_data

#endif  // CUDAME_TESTS_MODE_DATA_H_
