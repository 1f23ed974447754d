// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Codes the rows of a key frame, if few frames are coded. Three warps share a macroblock: B_PRED,
// the 16x16 modes and chroma are evaluated at the same time, because none of them reads the others'
// results. The first warp evaluates B_PRED, compares the costs, and codes. Each of the other two
// evaluates two 16x16 modes, the first of them chroma too. It works on a copy of the first warp's
// state.

#ifndef CUDAME_CUDA_KEY_ROWS_CUH_
#define CUDAME_CUDA_KEY_ROWS_CUH_

#include "cuda/frame_coder.cuh"

namespace cudame {

namespace coder_warp {

// Copies the input of 16x16 modes and chroma to the state of a warp that helps. The first warp
// writes inside of the tile, and above right of it, at the same time.
__device__ inline void CopyMacroblock(const Mb& from) {
    Mb& s = State();
    Sync();
    CopyWords(from.source, s.source, sizeof(s.source));
    const int i = Lane(), plane = i >> 3 & 1, k = i & 7;
    const auto copy = [&](const uint8_t* pixel) { s.tile[pixel - from.tile] = *pixel; };
    Mb& f = const_cast<Mb&>(from);
    copy(TileAt(f, i < 17 ? i - 1 : -1, i < 17 ? -1 : 0));
    if (i < 16) {
        copy(TileAt(f, -1, i));
        *UvTileAt(s, plane, k, -1) = *UvTileAt(f, plane, k, -1);
        *UvTileAt(s, plane, -1, k) = *UvTileAt(f, plane, -1, k);
        *UvTileAt(s, plane, -1, -1) = *UvTileAt(f, plane, -1, -1);
    }
    CopyWords(&from.left, &s.left, sizeof(s.left));
    CopyWords(&from.above, &s.above, sizeof(s.above));
    if (Lane() == 0) {
        s.row = from.row;
        s.col = from.col;
        s.segment = from.segment;
    }
    Sync();
}

// Evaluates the modes of helping warp 1 or 2. The result is in the state's `key`.
__device__ inline void HelpWithKey(int helper) {
    CopyMacroblock(*(&State() - helper));
    const At at = {0, 0, 0, 0, 0, Segment()};  // for costs alone
    KeyDecision d = BeginKeyDecision();
    if (helper == 1) EvaluateKeyChroma(at, &d);
    EvaluateKey16(at, helper == 1 ? kDcPred : kHPred, helper == 1 ? kVPred : kTmPred, &d);
    if (Lane() == 0) State().key = d;
}

// Codes the macroblock from the results of the three warps. b: B_PRED; NULL: it was not evaluated.
__device__ inline void CodeSharedKey(const KeyBPred* b) {
    const Mb &first = *(&State() + 1), &second = *(&State() + 2);
    const bool is_first = first.key.rd <= second.key.rd;
    KeyDecision d = is_first ? first.key : second.key;
    d.uv_mode = first.key.uv_mode;
    d.uv_rate = first.key.uv_rate;
    d.evaluated = first.key.evaluated + second.key.evaluated + (b != nullptr);
    if (b && b->cost < d.rd) TakeKeyBPred(*b, &d);
    CodeKey(d, is_first ? first : second, first);
}

}  // namespace coder_warp

// A thread block takes the next row when it starts to run and when it has ended one.
__device__ inline void CodeKeyRows(const FrameCoderParams& p) {
    const int warp = static_cast<int>(threadIdx.x) / kRowThreads, cols = p.frame.mb_cols;
    if (warp == 0) coder_warp::BeginFrame(p.frame);
    for (int row; (row = TakeRows<true>(p.rows, 1)) < p.frame.mb_rows;) {
        if (warp == 0) coder_warp::BeginLoad<false>(row, 0);
        for (int col = 0; col < cols; col++) {
            if (warp) {
                MeetRows<true>();
                coder_warp::HelpWithKey(warp);
                MeetRows<true>();
                continue;
            }
            coder_warp::EndLoad(row, col);
            if (row) AwaitRow(p.rows.done + row - 1, static_cast<uint32_t>(col + 1));
            coder_warp::LoadSurroundings(row, col);
            const coder_warp::At at = coder_warp::BeginMacroblock(row, col);
            MeetRows<true>();
            coder_warp::KeyBPred b;
            const bool has_b = coder_warp::ChooseKeyBPred(at);
            if (has_b) coder_warp::EvaluateKeyBPred(at, INT64_MAX, &b);
            MeetRows<true>();
            coder_warp::CodeSharedKey(has_b ? &b : nullptr);
            coder_warp::EndMacroblock(row, col);
            StoreMacroblock<false>(p, row, col, true, true);
        }
    }
    EndWarp(p.rows);
}

}  // namespace cudame

#endif  // CUDAME_CUDA_KEY_ROWS_CUH_
