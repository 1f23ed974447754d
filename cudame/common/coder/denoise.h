// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Denoises the source of a frame before it is coded, as libvpx's denoising.c does for
// vp8/encoder/mp/mode/denoise.c. The pixels of a macroblock move towards those of an earlier
// denoised picture. Then edges between macroblocks are filtered. A macroblock is coded as it is
// after its left and upper edges are filtered; the denoised picture also has the changes by its
// right and lower edges. All of this depends on nothing that the coder makes.

#ifndef CUDAME_COMMON_CODER_DENOISE_H_
#define CUDAME_COMMON_CODER_DENOISE_H_

#include "common/coder/rows.h"
#include "common/loop_filter.h"

namespace cudame::CODER_NAMESPACE {

// How a macroblock was denoised. Edges between macroblocks of different states are filtered.
enum DenoiseState : uint8_t { kNotDenoised, kDenoisedStill, kDenoisedMoving };

// A vector up to this squared length may be noise. The zero vector is then taken if its squared
// error is at most this much higher.
constexpr int kRandomLength = 25 * 25, kRandomError = 16 * 16 * 20;
// Skin is denoised if it stood still for this number of frames.
constexpr int kSkinStillFrames = 2;
// The level of the loop filter at the edges between macroblocks.
constexpr int kDenoiseFilterLevel = 48;

// A vector of lowest squared error.
struct Match {
    uint32_t error;
    int ref;  // kIntra: there is none
    Mv mv;
};

CODER_FN bool UsesDenoised(int ref) { return Frame().ref[ref][0] && Frame().denoiser.ref[ref][0]; }

CODER_FN Match MatchZero() {
    Match best = {UINT32_MAX, kIntra, MakeMv(0, 0)};
    const uint8_t* planes[kRefs];
    for (int ref = kLast; ref <= kAltref; ref++)
        planes[ref] = UsesDenoised(ref) ? RefPlane(ref, 0) : nullptr;
    uint32_t errors[kRefs];
    LumaErrors(planes, errors);
    for (int ref = kLast; ref <= kAltref; ref++)
        if (planes[ref] && errors[ref] < best.error) best = {errors[ref], ref, best.mv};
    return best;
}

// The record's vector of lowest SATD.
CODER_FN Match MatchFound(const At& at, const References& refs) {
    const Match none = {UINT32_MAX, kIntra, MakeMv(0, 0)};
    int found = kIntra;
    for (int ref = kLast; ref <= kAltref; ref++)
        if (refs.mb[ref] && UsesDenoised(ref) &&
            (found == kIntra || refs.mb[ref]->dist < refs.mb[found]->dist))
            found = ref;
    if (found == kIntra) return none;
    const Mv v = at.ClampToFrame(FromQuarter(refs.mb[found]->mv));
    if (IsZero(v) || !at.Legal(v)) return none;
    return {static_cast<uint32_t>(BilinearLumaError(found, v)), found, v};
}

// ---- pixels -------------------------------------------------------------------------------------

// Adjustments of pixels by their difference to the earlier picture.
struct DenoiseSteps {
    int exact;    // up to this difference the earlier pixel is taken
    int step[3];  // for differences up to 7, up to 15, and above
};

CODER_FN DenoiseSteps StepsOf(int length, bool strong) {
    constexpr int kShort = 8 * 3;  // of a vector, squared
    const bool is_short = length <= kShort;
    const int more = !is_short ? 0 : strong ? 2 : 1;
    return {3 + (is_short && strong), {3 + more, 4 + more, 6 + more}};
}

// Denoises rows of a column of pixels. Returns the sum of their changes.
CODER_FN int DenoiseColumn(const DenoiseSteps& s, const uint8_t* source, const uint8_t* earlier,
                           uint8_t* to, int stride, int rows) {
    int sum = 0;
    CODER_ROLLED
    for (int y = 0; y < rows; y++) {
        const int p = source[y * stride], difference = earlier[y * stride] - p;
        const int size = Abs(difference);
        int step = size <= 7 ? s.step[0] : size <= 15 ? s.step[1] : s.step[2];
        if (size <= s.exact) step = size;
        if (difference < 0) step = -step;
        to[y * stride] = Pixel(p + step);
        sum += step;
    }
    return sum;
}

// Takes back up to `most` of each pixel's change. Returns the change of the sum.
CODER_FN int WeakenColumn(int most, const uint8_t* source, const uint8_t* earlier, uint8_t* to,
                          int stride, int rows) {
    int sum = 0;
    CODER_ROLLED
    for (int y = 0; y < rows; y++) {
        const int difference = earlier[y * stride] - source[y * stride];
        const int step = difference < 0 ? Min(-difference, most) : -Min(difference, most);
        to[y * stride] = Pixel(to[y * stride] + step);
        sum += step;
    }
    return sum;
}

// The sum over the lanes that share a column of a square.
CODER_FN int SumOfColumn(int v, int size) {
    for (int mask = size; mask < kLanes; mask <<= 1) v += Shuffle(v, mask);
    return v;
}

// Denoises a square of 8 or 16 columns. most: of the sum of changes. Returns false if they are
// more; `to` is then undefined.
CODER_FN bool DenoiseSquare(const DenoiseSteps& steps, const uint8_t* source,
                            const uint8_t* earlier, uint8_t* to, int size, int most) {
    // libvpx's vector code counts at most 127 for a column; columns of chroma have less.
    constexpr int kMostOfColumn = 127;
    // A lane has a column, or a part of one.
    const int rows = kLanes == 1 ? size : size * size / kLanes;
    const int first = Lane() / size * rows * size, by = Min(kLanes, size);
    int columns[kLanes == 1 ? 16 : 1];
    int sum = 0;
    for (int x = Lane() & (size - 1); x < size; x += by) {
        const int at = first + x;
        const int change = DenoiseColumn(steps, source + at, earlier + at, to + at, size, rows);
        const int column = Min(SumOfColumn(change, size), kMostOfColumn);
        columns[kLanes == 1 ? x : 0] = column;
        if (Lane() < size) sum += column;
    }
    const int excess = Abs(Sum(sum)) - most;
    if (excess <= 0) return true;
    const int less = (excess >> 8) + 1;
    if (less > 3) return false;
    sum = 0;
    for (int x = Lane() & (size - 1); x < size; x += by) {
        const int at = first + x;
        const int change = WeakenColumn(less, source + at, earlier + at, to + at, size, rows);
        const int column = columns[kLanes == 1 ? x : 0] + SumOfColumn(change, size);
        if (Lane() < size) sum += Min(column, kMostOfColumn);
    }
    return Abs(Sum(sum)) <= most;
}

CODER_FN bool DenoiseLuma(int length, bool strong) {
    Mb& s = State();
    if (!DenoiseSquare(StepsOf(length, strong), s.source, s.pred, s.best_pred, 16,
                       strong ? 600 : 512))
        return false;
    Sync();
    CopyWords(s.best_pred, s.source, 256);
    return true;
}

// Denoises a plane of chroma of a macroblock that stands still. Grey stays as it is.
CODER_FN void DenoiseChroma(int plane) {
    constexpr int kPixels = 64, kGrey = 128 * kPixels, kNearGrey = 8 * kPixels;
    Mb& s = State();
    int sum = 0;
    CODER_ROLLED
    for (int i = Lane(); i < kPixels; i += kLanes) sum += s.source[plane + i];
    if (Abs(Sum(sum) - kGrey) < kNearGrey ||
        !DenoiseSquare(StepsOf(0, false), s.source + plane, s.pred + plane, s.best_pred + plane, 8,
                       96))
        return;
    Sync();
    CopyWords(s.best_pred + plane, s.source + plane, kPixels);
}

// ---- the denoised picture -----------------------------------------------------------------------

CODER_FN uint8_t* DenoisedAt(int plane) {
    const CoderDenoiser& d = Frame().denoiser;
    return d.denoised[plane] + PlaceIn(plane, plane ? d.uv_stride : d.stride);
}

// The place of the macroblock in the source that is coded.
CODER_FN uint8_t* CodedSourceAt(int plane) {
    const CoderDenoiser& d = Frame().denoiser;
    return d.source[plane] + PlaceIn(plane, plane ? d.source_uv_stride : d.source_stride);
}

// Stores the pixels of s.source. Without has_chroma the denoised picture has luma only.
CODER_FN void StoreDenoised() {
    const Mb& s = State();
    const CoderDenoiser& d = Frame().denoiser;
    CODER_ROLLED
    for (int i = Lane(); i < kMbPixels / 4; i += kLanes) {
        const int plane = i < kU / 4 ? 0 : i < kV / 4 ? 1 : 2, n = plane ? i & 15 : i;
        const int log = plane ? 1 : 2;  // of the words in a row
        const int y = n >> log, x = 4 * (n & ((1 << log) - 1));
        const uint32_t word = reinterpret_cast<const uint32_t*>(s.source)[i];
        const auto store = [&](uint8_t* to, int stride) {
            *reinterpret_cast<uint32_t*>(to + y * stride + x) = word;
        };
        store(CodedSourceAt(plane), plane ? d.source_uv_stride : d.source_stride);
        if (!plane || d.has_chroma) store(DenoisedAt(plane), plane ? d.uv_stride : d.stride);
    }
}

// Filters an edge of 16 lines between macroblocks. at: its first pixel; across: from pixel to pixel
// of a line; along: from line to line.
CODER_FN void FilterDenoisedEdge(uint8_t* at, int across, int along) {
    const EdgeLimits l = MakeEdgeLimits(kDenoiseFilterLevel, Frame().denoiser.sharpness, false);
    Sync();
    CODER_ROLLED
    for (int i = Lane(); i < 16; i += kLanes) {
        uint8_t* line = at + i * along - 4 * across;
        Edge e;
        for (int k = 0; k < 8; k++) e.v[k] = Fresh(line + k * across);
        e = FilterMbEdge(l, e);
        for (int k = 1; k < 7; k++) line[k * across] = static_cast<uint8_t>(e.v[k]);
    }
    Sync();
}

// Copies luma of a macroblock.
CODER_FN void CopyLuma(const uint8_t* from, int from_stride, uint8_t* to, int to_stride) {
    CODER_ROLLED
    for (int i = Lane(); i < 64; i += kLanes) {
        const int y = i >> 2, x = 4 * (i & 3);
        *reinterpret_cast<uint32_t*>(to + y * to_stride + x) =
            Fresh(reinterpret_cast<const uint32_t*>(from + y * from_stride + x));
    }
}

// Computes the SATD of the records' vectors again.
CODER_FN void UpdateRecords(const At& at, const References& refs) {
    CODER_ROLLED
    for (int ref = kLast; ref <= kAltref; ref++) {
        if (!refs.mb[ref]) continue;
        const Mv v = FromQuarter(refs.mb[ref]->mv);
        if (!at.Legal(v)) continue;
        const uint32_t satd = PredictedSatd(ref, v, 2, 0, 0);
        Sync();
        if (Lane() == 0) State().record[ref].dist = satd;
        Sync();
    }
}

// Denoises the pixels of the source. Returns how.
CODER_FN DenoiseState DenoisePixels(const At& at, const References& refs) {
    Mb& s = State();
    const CoderDenoiser& d = Frame().denoiser;
    const Match zero = MatchZero(), found = MatchFound(at, refs);
    if (zero.ref == kIntra) return kNotDenoised;
    Match best = zero.error <= found.error ? zero : found;
    const bool is_skin = d.skin && d.skin[at.mb];
    bool strong = !is_skin && IsZero(best.mv) && (best.ref == kLast || best.ref == d.closest_ref) &&
                  s.still_frames >= d.strong_frames;
    const auto length_of = [](Mv v) { return v.row * v.row + v.col * v.col; };
    const uint32_t of_zero =
        static_cast<uint32_t>(static_cast<int64_t>(zero.error) * d.zero_percent / 100);
    const int more = static_cast<int>(of_zero) - static_cast<int>(best.error);
    if (more <= (length_of(best.mv) <= kRandomLength ? kRandomError : 0))
        best = {of_zero, zero.ref, zero.mv};
    const int length = length_of(best.mv);
    strong |= length < d.strong_length;
    const int limit = strong ? d.most_strong_error : d.most_error;
    if (best.error > static_cast<uint32_t>(limit) || length > d.most_length ||
        (is_skin && (length || d.near_still_frames[at.mb] < kSkinStillFrames)))
        return kNotDenoised;
    const uint8_t* const* from = d.ref[best.ref];
    const auto place = [&](int plane) {
        return from[plane] + PlaceIn(plane, plane ? d.uv_stride : d.stride);
    };
    Predict(place(0), d.stride, best.mv, 4, 16, 0, 16);
    Sync();
    if (!DenoiseLuma(length, strong)) return kNotDenoised;
    if (length) return kDenoisedMoving;
    if (d.has_chroma) {
        PredictUv(place(1), place(2), d.uv_stride, best.mv, 3, kU);
        Sync();
        DenoiseChroma(kU);
        DenoiseChroma(kV);
    }
    return kDenoisedStill;
}

// ---- the three steps of a macroblock ------------------------------------------------------------

// Denoises pixels. Depends on no other macroblock.
CODER_FN void DenoiseMacroblock(int row, int col) {
    LoadSource<false>(row, col);
    const At at = BeginMacroblock(row, col);
    const DenoiseState state = DenoisePixels(at, ChooseReferences(at, false));
    Sync();
    StoreDenoised();
    if (Lane() == 0) Frame().denoiser.states[at.mb] = state;
    Sync();
}

// Filters the edges to macroblocks to the left and above that were denoised in another way. Follows
// the first step of these, and this step of the macroblocks before it in the row, and in the row
// above of those up to the next column. The state's place is that of the macroblock.
CODER_FN void FilterDenoised() {
    const Mb& s = State();
    const CoderDenoiser& d = Frame().denoiser;
    const int cols = Frame().mb_cols, mb = s.row * cols + s.col;
    const int state = Fresh(d.states + mb);
    const auto filters = [&](int neighbour) {
        return state != Fresh(d.states + neighbour) || state == kDenoisedMoving;
    };
    const bool left = s.col && filters(mb - 1), above = s.row && filters(mb - cols);
    if (left) FilterDenoisedEdge(DenoisedAt(0), 1, d.stride);
    if (above) FilterDenoisedEdge(DenoisedAt(0), d.stride, 1);
    if (left || above) CopyLuma(DenoisedAt(0), d.stride, CodedSourceAt(0), d.source_stride);
}

// Makes the macroblock's records, after its edges are filtered.
CODER_FN void MakeDenoisedRecords(int row, int col) {
    Mb& s = State();
    const CoderDenoiser& d = Frame().denoiser;
    LoadSource<false>(row, col);
    const At at = BeginMacroblock(row, col);
    const References refs = ChooseReferences(at, false);
    if (Fresh(d.states + at.mb) != kNotDenoised) {
        CopyLuma(CodedSourceAt(0), d.source_stride, s.source, 16);
        Sync();
        UpdateRecords(at, refs);
    }
    MarkReferences(refs);
    Sync();
    for (int ref = kLast; ref <= kAltref; ref++)
        if (Frame().records[ref])
            CopyWords(&s.record[ref], d.records[ref] + at.mb, sizeof(cudame_mb));
    Sync();
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_COMMON_CODER_DENOISE_H_
