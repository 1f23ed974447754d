// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The record from which the mode and the vector of a macroblock are written.

#ifndef CUDAME_COMMON_CODER_MODE_RECORD_H_
#define CUDAME_COMMON_CODER_MODE_RECORD_H_

#include "common/coder/macroblock.h"

namespace cudame::CODER_NAMESPACE {

// The fields of the first word, by their lowest bits. The counts of the near vectors have three
// bits each.
constexpr int kRecordUvMode = 4, kRecordRef = 6, kRecordSkip = 8, kRecordSegment = 9,
              kRecordCounts = 12;

// Word 0: the fields; word 1: of NEWMV, the difference to the best vector in quarter pixels, row
// and column; words 2 and 3: of an intra mode, eight sub-block modes each, four bits for one.
CODER_FN uint32_t RecordWord(int i) {
    const Mb& s = State();
    const cudame_coded_mb& out = s.out;
    if (i == 0)
        return static_cast<uint32_t>(out.mode | out.uv_mode << kRecordUvMode |
                                     out.ref << kRecordRef | !s.out.tokens << kRecordSkip |
                                     s.segment << kRecordSegment |
                                     (out.ref != kIntra ? s.near.counts : 0) << kRecordCounts);
    uint32_t word = 0;
    if (out.mode == kNewMv && i == 1)
        word = static_cast<uint32_t>((out.mv[0] - out.best_mv[0]) >> 1 & 0xffff) |
               static_cast<uint32_t>((out.mv[1] - out.best_mv[1]) >> 1) << 16;
    if (i == 1 || out.ref != kIntra) return word;
    if (out.mode != kBPred) return 0x11111111u * static_cast<uint32_t>(SubblockModeOf(out.mode));
    CODER_ROLLED
    for (int k = 0; k < 8; k++)
        word |= static_cast<uint32_t>(s.blocks.block.bmode[8 * (i - 2) + k]) << 4 * k;
    return word;
}

// Stores the record of the macroblock, whose result is in the state.
CODER_FN void StoreModeRecord(ModeRecord* to) {
    CODER_ROLLED
    for (int i = Lane(); i < 4; i += kLanes) to->words[i] = RecordWord(i);
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_COMMON_CODER_MODE_RECORD_H_
