// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Brings the pixels and neighbours of a macroblock together, and writes its reconstruction.

#ifndef CUDAME_COMMON_CODER_ROWS_H_
#define CUDAME_COMMON_CODER_ROWS_H_

#include "common/coder/key.h"

namespace cudame::CODER_NAMESPACE {

// The next functions are in cpu/coder_rows.h for one lane and in cuda/coder_rows.cuh for a warp.

// Loads what depends on no other macroblock: source, records and memory. kDenoised: source and
// records are those that the denoiser has made.
template <bool kDenoised>
CODER_FN void LoadSource(int row, int col);
// Loads what the macroblocks around it left: the row above and the column to the left of the tiles,
// and the neighbours. The state's `left` is that of the macroblock before. Neighbours outside of
// the frame are intra, without coefficients. Above the last macroblock of a row ends the frame: its
// last pixel is repeated. With the frame's rows_done, the pixels above right are left to
// LoadAboveRight().
CODER_FN void LoadSurroundings(int row, int col);
// Writes the tiles to the reconstruction.
CODER_FN void StoreRecon(int row, int col);
// Stores the lowest rows of pixels and `below` for LoadSurroundings() of the macroblock below.
CODER_FN void StoreForBelow(int row, int col);

// The first mode of the lowest rate.
CODER_FN int CheapestMode(const int* rates) {
    int best = 0;
    for (int mode = 1; mode < kBlockModes; mode++)
        if (rates[mode] < rates[best]) best = mode;
    return best;
}

// Begins to code macroblocks of a frame: sets the tables.
CODER_FN void BeginFrame(const CoderFrame& f) {
    FrameTables& t = Tables();
    CopyWords(f.rates, &t.rates, sizeof(t.rates));
    CopyWords(f.segments, t.segments, sizeof(t.segments));
    if (f.key_bmode) {
        CODER_ROLLED
        for (int i = Lane(); i < kBlockModes * kBlockModes; i += kLanes)
            t.cheapest[i] = static_cast<uint8_t>(CheapestMode(f.key_bmode + kBlockModes * i));
    }
    if (Lane() == 0) t.frame = f;
    Sync();
}

// Sets the state's place to that of the macroblock whose source is loaded.
CODER_FN At BeginMacroblock(int row, int col) {
    Mb& s = State();
    const int cols = Frame().mb_cols, rows = Frame().mb_rows;
    Sync();
    if (Lane() == 0) {
        s.row = row;
        s.col = col;
        s.segment = s.next_segment <= 3 ? s.next_segment : 0;
    }
    Sync();
    return {row * cols + col,       -col * 128, (cols - 1 - col) * 128, -row * 128,
            (rows - 1 - row) * 128, Segment()};
}

// Stores the data that the macroblocks around it read.
CODER_FN void EndMacroblock(int row, int col) {
    Mb& s = State();
    StoreRecon(row, col);
    StoreForBelow(row, col);
    CopyWords(&s.right, &s.left, sizeof(Neighbour));
}

// Inter frames without splits have no vectors of blocks below 16x16. Smaller code serves them.
enum class FrameKind { kKey, kInter, kInterWithSplits };

// Codes macroblock `col` of a row, whose source is loaded, after all before it and, in the row
// above, after that at col + 1, or at col if the frame has rows_done. Its reconstruction is then in
// the frame, and StoreResult() must follow. Returns false if libvpx has to code the frame. meet:
// called once, between decision and coding.
template <FrameKind kKind, class Meet>
CODER_FN bool CodeNext(int row, int col, Meet meet) {
    LoadSurroundings(row, col);
    const At at = BeginMacroblock(row, col);
    if constexpr (kKind == FrameKind::kKey) {
        meet();
        CodeKeyMacroblock(at);
    } else {
        constexpr bool kSplits = kKind == FrameKind::kInterWithSplits;
        Decision decision;
        const bool decided = DecideMacroblock<kSplits>(at, &decision);
        meet();
        if (!decided) return false;
        CodeMacroblock<kSplits>(at, decision);
    }
    EndMacroblock(row, col);
    return true;
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_COMMON_CODER_ROWS_H_
