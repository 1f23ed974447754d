// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Writes the token partition of a frame that is on the device.
//
// A bool changes a boolean encoder's range, and adds to its number a value that depends on the
// range alone. So pieces of the tokens can be written at the same time if the range at the start of
// each is known. Then their numbers are added, each at its place. A warp has a row of macroblocks,
// and does three things:
//   1. It runs an encoder from every range that there can be, 128 of them, through the row, and
//      writes nothing. After some bools few ranges are left. From 32 on a lane has one of them, and
//      the rest of the row is cut into pieces. For the end of each piece the warp keeps the range,
//      and how far the encoder has shifted.
//   2. It waits for the row above, looks up the state at its own end, and tells the row below.
//   3. Each lane writes a piece, whose range and place in the number it looks up.

#ifndef CUDAME_CUDA_TOKEN_WRITER_CUH_
#define CUDAME_CUDA_TOKEN_WRITER_CUH_

#include "common/coder/token_bools.h"
#include "cuda/clang.cuh"
#include "cuda/token_writer_params.h"

namespace cudame::token_writer {

using namespace coder_warp;

constexpr int kRanges = 128;  // that an encoder can have, from 128 on
constexpr int kEach = kRanges / kLanes;
static_assert(kEach == kRanges / 32, "also the number of words with a bit for each range");
constexpr int kPieces = kLanes;      // of a row
constexpr unsigned kStateNap = 100;  // ns between looks at the state of the row above

// The memory that the lanes of a warp share.
struct Row {
    // The first piece, the head, ends where at most 32 ranges are left, or with the row. Of the
    // encoder that starts with each range, at the head's end: range, shift, and rank of the range.
    uint8_t range[kRanges], rank[kRanges];
    uint32_t shift[kRanges];
    uint8_t ranked[kLanes];  // the range by rank
    // Encoders at the end of each later piece by rank at the head's end: shift since then << 8 |
    // range. A row has fewer than 1 << 24 bits, unless its probabilities do not suit its tokens.
    uint32_t ends[kPieces][kLanes];
    uint16_t bools[kLanes * kMaxBools];  // of a batch of tokens: bit << 8 | probability
};

// The macroblocks of a piece, by number in the row. head: number of those in the head.
struct Piece {
    int first, end;
};
__device__ inline Piece PieceAt(int i, int head, int cols) {
    if (!i) return {0, head};
    const int size = (cols - head + kPieces - 2) / (kPieces - 1);
    return {min(head + (i - 1) * size, cols), min(head + i * size, cols)};
}

// ---- the encoders of all ranges -----------------------------------------------------------------

// Writes the bools of up to 32 tokens to the warp's list. Returns their number.
__device__ inline int ListBools(const cudame_token* tokens, int n, const uint8_t* probs, Row* row) {
    const int lane = Lane();
    const cudame_token t = lane < n ? tokens[lane] : 0;
    const int size = lane < n ? BoolsOf(t) : 0;
    int all;
    const int before = SumBefore(size, &all);
    CODER_ROLLED
    for (int i = 0; i < size; i++) {
        const Bool b = BoolAt(t, i, probs);
        row->bools[before + i] = static_cast<uint16_t>(b.bit << 8 | b.prob);
    }
    Sync();
    return all;
}

// Runs encoders through the tokens of a macroblock.
template <int kStates>
__device__ inline void Run(const TokenWriterParams& p, TokenRun run, Row* row,
                           EncoderState* states) {
    CODER_ROLLED
    for (uint32_t done = 0; done < run.count; done += kLanes) {
        const int n = min(static_cast<int>(run.count - done), kLanes);
        const int bools = ListBools(p.tokens + run.first + done, n, p.probs, row);
        for (int i = 0; i < bools; i++) {
            const uint32_t b = row->bools[i];
            for (int s = 0; s < kStates; s++) {
                int shift;
                Code({b & 255, b >> 8}, &states[s], &shift);
            }
        }
        Sync();
    }
}

// The encoders of a lane while it has kEach of all ranges. Ends the head if it can, or must, and
// returns whether it did.
__device__ inline bool EndHead(const EncoderState* states, bool must, Row* row) {
    int left[kEach] = {}, n = 0;  // bits of the ranges that are left, and their number
    for (int word = 0; word < kEach; word++) {
        for (int s = 0; s < kEach; s++) {
            const uint32_t range = states[s].range - kRanges;
            if (static_cast<int>(range >> 5) == word) left[word] |= 1 << (range & 31);
        }
        left[word] = Or(left[word]);
        n += __popc(static_cast<uint32_t>(left[word]));
    }
    if (n > kLanes && !must) return false;
    for (int s = 0; s < kEach; s++) {
        const uint32_t range = states[s].range - kRanges;
        int rank = 0;
        for (int word = 0; word < kEach; word++) {
            const int from = static_cast<int>(range) - 32 * word;  // how many of it are lower
            const uint32_t bits = static_cast<uint32_t>(left[word]);
            rank += __popc(from >= 32 ? bits : from > 0 ? bits & ((1u << from) - 1) : 0);
        }
        const int start = kEach * Lane() + s;
        row->range[start] = static_cast<uint8_t>(states[s].range);
        row->rank[start] = static_cast<uint8_t>(rank);
        row->shift[start] = states[s].bits;
        if (rank < kLanes) row->ranked[rank] = row->range[start];
    }
    Sync();
    return true;
}

// Runs the encoders of all ranges through a row. Returns the size of the head.
__device__ inline int RunRow(const TokenWriterParams& p, const TokenRun* runs, Row* row) {
    EncoderState all[kEach];
    for (int s = 0; s < kEach; s++)
        all[s] = {static_cast<uint32_t>(kRanges + kEach * Lane() + s), 0};
    int head = 0;
    bool ended = false;
    CODER_ROLLED
    while (!ended) {
        const TokenRun run = runs[head++];
        Run<kEach>(p, run, row, all);
        const bool must = head == p.mb_cols;
        if (run.count || must) ended = EndHead(all, must, row);
    }
    // Lanes without a range run one that nobody looks up.
    EncoderState one = {static_cast<uint32_t>(Max(row->ranked[Lane()], kRanges)), 0};
    CODER_ROLLED
    for (int i = 1; i < kPieces; i++) {
        const Piece piece = PieceAt(i, head, p.mb_cols);
        CODER_ROLLED
        for (int mb = piece.first; mb < piece.end; mb++) Run<1>(p, runs[mb], row, &one);
        row->ends[i][Lane()] = one.bits << 8 | one.range;
    }
    Sync();
    return head;
}

// The state at the end of a piece if the row starts with this range.
__device__ inline EncoderState EndOf(const Row& row, int piece, bool has_pieces, uint32_t range) {
    const uint32_t start = range - kRanges;
    if (!piece || !has_pieces) return {row.range[start], row.shift[start]};
    const uint32_t end = row.ends[piece][row.rank[start]];
    return {end & 255, (end >> 8) + row.shift[start]};
}

// ---- the number ---------------------------------------------------------------------------------

// Adds to word i of a number.
__device__ inline void AddWord(uint32_t* number, uint64_t i, uint32_t v) {
    if (!v) return;
    const uint32_t old = atomicAdd(number + i, v);
    if (old + v >= old) return;
    while (atomicAdd(number + --i, 1u) == UINT32_MAX) {
    }
}

// Writes the tokens of macroblocks from a state on, whose number begins at bit `at`.
__device__ inline void WritePiece(const TokenWriterParams& p, const TokenRun* runs, Piece piece,
                                  uint32_t range, uint64_t at) {
    EncoderState state = {range, 0};
    uint64_t word = at >> 5;
    uint64_t low = 0;                      // the range's 8 bits, and above them
    int held = static_cast<int>(at & 31);  // as many more, and a carry
    const auto flush = [&] {
        const uint64_t high = low >> (held - 24);
        if (high >> 32) AddWord(p.number, word - 1, 1);
        AddWord(p.number, word++, static_cast<uint32_t>(high));
        held -= 32;
        low &= (256ull << held) - 1;
    };
    CODER_ROLLED
    for (int mb = piece.first; mb < piece.end; mb++) {
        const TokenRun run = runs[mb];
        CODER_ROLLED
        for (uint32_t i = 0; i < run.count; i++) {
            const cudame_token t = p.tokens[run.first + i];
            const int bools = BoolsOf(t);
            CODER_ROLLED
            for (int b = 0; b < bools; b++) {
                int shift;
                low += Code(BoolAt(t, b, p.probs), &state, &shift);
                low <<= shift;
                held += shift;
                if (held >= 32) flush();
            }
        }
    }
    // The rest has at most 31 + 8 bits, and a carry.
    if (low >> (held + 8)) AddWord(p.number, word - 1, 1);
    low <<= 64 - 8 - held;
    AddWord(p.number, word, static_cast<uint32_t>(low >> 32));
    AddWord(p.number, word + 1, static_cast<uint32_t>(low));
}

// The last row's warp copies the number to the host and clears all for the next frame.
__device__ inline void EndNumber(const TokenWriterParams& p, uint64_t end) {
    const PartitionResult result = {end >> 8, static_cast<uint32_t>(end & 255)};
    const uint64_t used = (result.bits + 8 + 31) / 32;
    const uint32_t words = used <= p.words ? static_cast<uint32_t>(used) : p.words;
    CODER_ROLLED
    for (uint32_t i = static_cast<uint32_t>(Lane()); i < words; i += kLanes) {
        const uint32_t word = Fresh(p.number + i);
        p.out[i] = __byte_perm(word, 0, 0x0123);
        p.number[i] = 0;
    }
    CODER_ROLLED
    for (int i = Lane(); i < p.mb_rows; i += kLanes) p.states[i] = 0;
    if (Lane()) return;
    *p.next_row = *p.ended_rows = 0;
    *p.result = result;
}

// Whether a number that has shifted by this many bits fits into the words.
__device__ inline bool Fits(const TokenWriterParams& p, uint64_t bits) {
    return bits + 8 <= 32ull * p.words;
}

// Writes the next row. Returns after all of its stores. shared: the warp's memory.
__device__ inline void WriteRow(const TokenWriterParams& p, Row* shared) {
    Row& row = *shared;
    const int y = TakeNext(p.next_row);
    const TokenRun* const runs = p.runs + y * p.mb_cols;
    const int head = RunRow(p, runs, &row);
    const bool has_pieces = head < p.mb_cols;

    uint64_t start = 255;
    if (y)
        while (!(start = Fresh(p.states + y - 1))) __nanosleep(kStateNap);
    const uint32_t range = static_cast<uint32_t>(start & 255);
    const uint64_t bits = start >> 8;
    const EncoderState last = EndOf(row, kPieces - 1, has_pieces, range);
    const uint64_t end = (bits + last.bits) << 8 | last.range;
    if (Lane() == 0) *static_cast<volatile uint64_t*>(p.states + y) = end;

    EncoderState before = {range, 0};
    if (Lane()) before = EndOf(row, Lane() - 1, has_pieces, range);
    if (Fits(p, bits + last.bits))
        WritePiece(p, runs, PieceAt(Lane(), head, p.mb_cols), before.range, bits + before.bits);

    Sync();
    uint32_t ended = 0;
    if (Lane() == 0) {
        __threadfence();
        ended = atomicAdd(p.ended_rows, 1u) + 1;
        __threadfence();
    }
    if (__shfl_sync(0xffffffffu, ended, 0) != static_cast<uint32_t>(p.mb_rows)) return;
    Sync();  // the fence of lane 0 is for all lanes
    const uint64_t whole = Fresh(p.states + p.mb_rows - 1);
    Sync();  // EndNumber() clears it
    EndNumber(p, whole);
    Sync();
}

}  // namespace cudame::token_writer

#endif  // CUDAME_CUDA_TOKEN_WRITER_CUH_
