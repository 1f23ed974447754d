// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Writes the tokens or the modes of a frame that is on the device.
//
// A bool changes a boolean encoder's range, and adds to its number a value that depends on the
// range alone. So pieces of a frame can be written at the same time if the range at the start of
// each is known. Then their numbers are added, each at its place. The frame's macroblocks, in
// raster order, are cut into parts. A warp has a part, and does three things:
//   1. It runs an encoder from every range that there can be, 128 of them, through the part, and
//      writes nothing. After some bools few ranges are left. From 32 on a lane has one of them, and
//      the rest of the part is cut into pieces. For the end of each piece the warp keeps the range,
//      and how far the encoder has shifted.
//   2. It waits for the part before, looks up the state at its own end, and tells the part after.
//   3. Each lane writes a piece, whose range and place in the number it looks up.

#ifndef CUDAME_CUDA_PARTITION_WRITER_CUH_
#define CUDAME_CUDA_PARTITION_WRITER_CUH_

#include "common/coder/mode_bools.h"
#include "common/coder/token_bools.h"
#include "cuda/clang.cuh"
#include "cuda/partition_writer_params.h"

namespace cudame::partition_writer {

using namespace coder_warp;

constexpr int kRanges = 128;  // that an encoder can have, from 128 on
constexpr int kEach = kRanges / kLanes;
static_assert(kEach == kRanges / 32, "also the number of words with a bit for each range");
constexpr int kPieces = kLanes;      // of a part
constexpr unsigned kStateNap = 100;  // ns between looks at the state of the part before

// The memory that the lanes of a warp share.
struct Part {
    // The first piece, the head, ends where at most 32 ranges are left, or with the part. Of the
    // encoder that starts with each range, at the head's end: range, shift, and rank of the range.
    uint8_t range[kRanges], rank[kRanges];
    uint32_t shift[kRanges];
    uint8_t ranked[kLanes];  // the range by rank
    // Encoders at the end of each later piece by rank at the head's end: shift since then << 8 |
    // range. A part has fewer than 1 << 24 bits, unless its probabilities do not suit its tokens.
    uint32_t ends[kPieces][kLanes];
    uint16_t bools[kLanes * kMaxBools];  // of a batch of items, see BoolWord()
};

// A bool in a list.
__device__ inline uint16_t BoolWord(Bool b) { return static_cast<uint16_t>(b.bit << 8 | b.prob); }
__device__ inline Bool BoolIn(uint32_t word) { return {word & 255, word >> 8}; }

// The items of a frame: tokens, or bools that are listed.
struct Tokens {
    const cudame_token* items;
    const uint8_t* probs;

    static __device__ int Bools(cudame_token t) { return BoolsOf(t); }
    __device__ Bool At(cudame_token t, int i) const { return BoolAt(t, i, probs); }
};
struct ListedBools {
    const uint16_t* items;

    static __device__ int Bools(uint16_t) { return 1; }
    __device__ Bool At(uint16_t word, int) const { return BoolIn(word); }
};

// The macroblocks of a piece, by number in the part. head: number of those in the head.
struct Piece {
    int first, end;
};
__device__ inline Piece PieceAt(int i, int head, int mbs) {
    if (!i) return {0, head};
    const int size = (mbs - head + kPieces - 2) / (kPieces - 1);
    return {min(head + (i - 1) * size, mbs), min(head + i * size, mbs)};
}

// ---- the encoders of all ranges -----------------------------------------------------------------

// Writes the bools of up to 32 items, from `first` on, to the warp's list. Returns their number.
template <class Items>
__device__ inline int ListBools(const Items& items, uint32_t first, int n, Part* part) {
    const int lane = Lane();
    const auto item = items.items[first + (lane < n ? static_cast<uint32_t>(lane) : 0)];
    const int size = lane < n ? Items::Bools(item) : 0;
    int all;
    const int before = SumBefore(size, &all);
    CODER_ROLLED
    for (int i = 0; i < size; i++) part->bools[before + i] = BoolWord(items.At(item, i));
    Sync();
    return all;
}

// Runs encoders through the items of a macroblock.
template <int kStates, class Items>
__device__ inline void Run(const Items& items, TokenRun run, Part* part, EncoderState* states) {
    CODER_ROLLED
    for (uint32_t done = 0; done < run.count; done += kLanes) {
        const int n = min(static_cast<int>(run.count - done), kLanes);
        const int bools = ListBools(items, run.first + done, n, part);
        for (int i = 0; i < bools; i++) {
            const Bool b = BoolIn(part->bools[i]);
            for (int s = 0; s < kStates; s++) {
                int shift;
                Code(b, &states[s], &shift);
            }
        }
        Sync();
    }
}

// The encoders of a lane while it has kEach of all ranges. Ends the head if it can, or must, and
// returns whether it did.
__device__ inline bool EndHead(const EncoderState* states, bool must, Part* part) {
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
        part->range[start] = static_cast<uint8_t>(states[s].range);
        part->rank[start] = static_cast<uint8_t>(rank);
        part->shift[start] = states[s].bits;
        if (rank < kLanes) part->ranked[rank] = part->range[start];
    }
    Sync();
    return true;
}

// Runs the encoders of all ranges through a part of `mbs` macroblocks. Returns the size of the
// head.
template <class Items>
__device__ inline int RunPart(const Items& items, const TokenRun* runs, int mbs, Part* part) {
    EncoderState all[kEach];
    for (int s = 0; s < kEach; s++)
        all[s] = {static_cast<uint32_t>(kRanges + kEach * Lane() + s), 0};
    int head = 0;
    bool ended = false;
    CODER_ROLLED
    while (!ended) {
        const TokenRun run = runs[head++];
        Run<kEach>(items, run, part, all);
        const bool must = head == mbs;
        if (run.count || must) ended = EndHead(all, must, part);
    }
    // Lanes without a range run one that nobody looks up.
    EncoderState one = {static_cast<uint32_t>(Max(part->ranked[Lane()], kRanges)), 0};
    CODER_ROLLED
    for (int i = 1; i < kPieces; i++) {
        const Piece piece = PieceAt(i, head, mbs);
        CODER_ROLLED
        for (int mb = piece.first; mb < piece.end; mb++) Run<1>(items, runs[mb], part, &one);
        part->ends[i][Lane()] = one.bits << 8 | one.range;
    }
    Sync();
    return head;
}

// The state at the end of a piece if the part starts with this range.
__device__ inline EncoderState EndOf(const Part& part, int piece, bool has_pieces, uint32_t range) {
    const uint32_t start = range - kRanges;
    if (!piece || !has_pieces) return {part.range[start], part.shift[start]};
    const uint32_t end = part.ends[piece][part.rank[start]];
    return {end & 255, (end >> 8) + part.shift[start]};
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

// Writes the items of macroblocks from a range on, at bit `at` of the number.
template <class Items>
__device__ inline void WritePiece(const Items& items, const TokenRun* runs, Piece piece,
                                  uint32_t range, uint64_t at, uint32_t* number) {
    EncoderState state = {range, 0};
    uint64_t word = at >> 5;
    uint64_t low = 0;                      // the range's 8 bits, and above them
    int held = static_cast<int>(at & 31);  // as many more, and a carry
    const auto flush = [&] {
        const uint64_t high = low >> (held - 24);
        if (high >> 32) AddWord(number, word - 1, 1);
        AddWord(number, word++, static_cast<uint32_t>(high));
        held -= 32;
        low &= (256ull << held) - 1;
    };
    CODER_ROLLED
    for (int mb = piece.first; mb < piece.end; mb++) {
        const TokenRun run = runs[mb];
        CODER_ROLLED
        for (uint32_t i = 0; i < run.count; i++) {
            const auto item = items.items[run.first + i];
            const int bools = Items::Bools(item);
            CODER_ROLLED
            for (int b = 0; b < bools; b++) {
                int shift;
                low += Code(items.At(item, b), &state, &shift);
                low <<= shift;
                held += shift;
                if (held >= 32) flush();
            }
        }
    }
    // The rest has at most 31 + 8 bits, and a carry.
    if (low >> (held + 8)) AddWord(number, word - 1, 1);
    low <<= 64 - 8 - held;
    AddWord(number, word, static_cast<uint32_t>(low >> 32));
    AddWord(number, word + 1, static_cast<uint32_t>(low));
}

// The last warp copies the number to the host and clears all for the next frame.
__device__ inline void EndNumber(const NumberParams& p, uint64_t end) {
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
    for (int i = Lane(); i < PartsOf(p); i += kLanes) p.states[i] = 0;
    if (Lane()) return;
    *p.next_part = *p.ended_parts = 0;
    *p.result = result;
}

// Whether a number that has shifted by this many bits fits into the words.
__device__ inline bool Fits(const NumberParams& p, uint64_t bits) {
    return bits + 8 <= 32ull * p.words;
}

// Writes part i. Returns after all of its stores. shared: the warp's memory.
template <class Items>
__device__ inline void WritePart(const NumberParams& p, const Items& items, int i, Part* shared) {
    Part& part = *shared;
    const TokenRun* const runs = p.runs + i * p.part_mbs;
    const int mbs = min(p.part_mbs, p.mbs - i * p.part_mbs);
    const int head = RunPart(items, runs, mbs, &part);
    const bool has_pieces = head < mbs;

    uint64_t start = p.start_range;
    if (i)
        while (!(start = Fresh(p.states + i - 1))) __nanosleep(kStateNap);
    const uint32_t range = static_cast<uint32_t>(start & 255);
    const uint64_t bits = start >> 8;
    const EncoderState last = EndOf(part, kPieces - 1, has_pieces, range);
    const uint64_t end = (bits + last.bits) << 8 | last.range;
    if (Lane() == 0) *static_cast<volatile uint64_t*>(p.states + i) = end;

    EncoderState before = {range, 0};
    if (Lane()) before = EndOf(part, Lane() - 1, has_pieces, range);
    if (Fits(p, bits + last.bits))
        WritePiece(items, runs, PieceAt(Lane(), head, mbs), before.range, bits + before.bits,
                   p.number);

    Sync();
    uint32_t ended = 0;
    if (Lane() == 0) {
        __threadfence();
        ended = atomicAdd(p.ended_parts, 1u) + 1;
        __threadfence();
    }
    if (__shfl_sync(0xffffffffu, ended, 0) != static_cast<uint32_t>(PartsOf(p))) return;
    Sync();  // the fence of lane 0 is for all lanes
    const uint64_t whole = Fresh(p.states + PartsOf(p) - 1);
    Sync();  // EndNumber() clears it
    EndNumber(p, whole);
    Sync();
}

__device__ inline void WriteTokenPart(const TokenWriterParams& p, Part* shared) {
    WritePart(p.number, Tokens{p.tokens, p.probs}, TakeNext(p.number.next_part), shared);
}

// ---- modes --------------------------------------------------------------------------------------

// Lists the bools of a part's macroblocks. A lane has every 32nd of them.
__device__ inline void ListModes(const ModeWriterParams& p, int part) {
    const int begin = part * p.number.part_mbs, end = min(begin + p.number.part_mbs, p.number.mbs);
    CODER_ROLLED
    for (int mb = begin + Lane(); mb < end; mb += kLanes) {
        const uint32_t first = static_cast<uint32_t>(mb) * kMaxModeBools;
        uint32_t n = 0;
        PutMode(p.records, mb, p.mb_cols, p.modes, [&](uint32_t prob, uint32_t bit) {
            p.bools[first + n++] = BoolWord({prob, bit});
        });
        p.number.runs[mb] = {first, n};
    }
    Sync();
}

__device__ inline void WriteModePart(const ModeWriterParams& p, Part* shared) {
    const int i = TakeNext(p.number.next_part);
    ListModes(p, i);
    WritePart(p.number, ListedBools{p.bools}, i, shared);
}

}  // namespace cudame::partition_writer

#endif  // CUDAME_CUDA_PARTITION_WRITER_CUH_
