// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cpu/lean_search.h"

#include <hwy/base.h>

#include <algorithm>

#include "common/diamond_map.h"
#include "cpu/neighbour_rates.h"

namespace cudame {
namespace {

constexpr int kOthers = kNeighbourCount - 1;  // number of bits of kEightNeighbours

// By neighbour in raster order: those of its neighbours that are not neighbours of the centre too.
struct AheadMasks {
    unsigned of[kNeighbourCount];
    constexpr AheadMasks() : of() {
        for (int from = 0; from < kNeighbourCount; from++)
            for (int bit = 0; bit < kOthers; bit++) {
                const int n = NeighbourOf(bit);
                const int x = from % 3 + n % 3, y = from / 3 + n / 3;
                if (x < 1 || x > 3 || y < 1 || y > 3) of[from] |= 1u << bit;
            }
    }
};
constexpr AheadMasks kAhead;

// Tries vectors in batches, and most of them once, because a second time gains nothing. With
// kHasQuarters it takes the SADs of the quarters and sums them for the larger blocks; without, only
// those of the macroblock.
template <bool kHasQuarters>
class Evaluator {
  public:
    Evaluator(const Kernels& kernels, const LeanTask& task, LeanVectors* result)
        : k_(kernels), t_(task), r_(*result) {}

    // Forget the noted vectors.
    void Start() {
        std::fill_n(tried_.x, TriedVectors::kMost, TriedVectors::kNone);
        std::fill_n(tried_.y, TriedVectors::kMost, TriedVectors::kNone);
        tried_.boxed = noted_ = 0;
    }

    // Try zero, which is taken at any cost.
    void Zero() {
        r_.settled = false;
        rates_[0] = Rate({});  // stored here so early that vector loads do not wait for it
        if constexpr (!kHasQuarters) {
            r_.mv[0] = LeanVec{0, 0};
            r_.sad_zero = r_.sad[0] = sads_[0] = t_.sad_zero;
            r_.cost[0] = CostOf(0);
            return;
        }
        const int32_t here = 0;
        k_.sad8x8_list(t_.src, t_.ref, t_.stride, &here, 1, sads_);
        std::fill_n(r_.mv, kLeanBlocks, LeanVec{0, 0});
        std::fill_n(r_.cost, kLeanBlocks, static_cast<uint16_t>(kMaxRate));
        int8_t index[kLeanBlocks];
        k_.quarter_min(sads_, rates_, 1, r_.cost, r_.sad, index);
        r_.sad_zero = BlockSad(0);
        // Blocks for which zero has the highest possible cost.
        for (int b = 0; b < kLeanBlocks; b++)
            if (r_.cost[b] == kMaxRate) r_.sad[b] = BlockSad(b);
    }

    // Note that a vector was tried. Return false if it was noted before.
    bool Note(Vec v) {
        for (int i = 0; i < noted_; i++)
            if (tried_.x[i] == v.x && tried_.y[i] == v.y) return false;
        tried_.x[noted_] = static_cast<int16_t>(v.x);
        tried_.y[noted_++] = static_cast<int16_t>(v.y);
        return true;
    }
    // Note a vector and its neighbours. The vector must not be noted yet, and the neighbours of all
    // noted vectors must be known by AddBoxes() or NoteBox().
    void NoteBox(Vec v) {
        Note(v);
        tried_.boxed++;
    }

    // Try these vectors, except zero. Add no vectors after this call.
    void TryOnly(const Vec* vectors, int count) {
        for (int i = 0; i < count; i++) {
            const Vec v = t_.window.Clamp(vectors[i]);
            if (v != Vec{}) AddLegal(v);
        }
        Flush();
    }

    void Add(Vec v) {
        if (t_.window.Contains(v)) AddLegal(v);
    }
    // Add a legal vector, unless it was noted.
    void AddNew(Vec v) {
        if (Note(v)) AddLegal(v);
    }

    // Add the neighbours of all noted vectors.
    void AddBoxes() {
        for (; tried_.boxed < noted_; tried_.boxed++) {
            const LeanVec at = {tried_.x[tried_.boxed], tried_.y[tried_.boxed]};
            AddNeighbours(at, 1, Unknown(at));
        }
    }

    // Add the neighbours whose bits in `wanted` are set, see kEightNeighbours.
    void AddNeighbours(Vec centre, int distance, unsigned wanted) {
        if (!t_.window.Contains({centre.x - distance, centre.y - distance}) ||
            !t_.window.Contains({centre.x + distance, centre.y + distance}))
            wanted &= Legal(centre, distance);
        if (!wanted) return;
        if (n_ + kOthers > kQuarterStride) Flush();
        const NeighbourRatesOf rates(t_.rate, 4 * centre.y, 4 * centre.x, 4 * distance);
        n_ += k_.list_neighbours(Packed(centre), distance, wanted, static_cast<int>(t_.stride),
                                 rates, {vectors_ + kLeanBlocks + n_, offsets_ + n_, rates_ + n_});
    }

    HWY_NOINLINE void Flush() {
        if (!n_) return;
        if constexpr (!kHasQuarters) return FlushWhole();
        k_.sad8x8_list(t_.src, t_.ref, t_.stride, offsets_, n_, sads_);
        TakeBest(rates_);
        n_ = 0;
    }

    // boxed: the neighbours of all noted vectors were tried.
    void Descend(bool boxed) {
        r_.settled = false;
        unsigned wanted = kEightNeighbours;
        for (int move = 0; move < kLeanMoves && !r_.settled; move++) {
            const Vec at = r_.mv[0];
            if (boxed) wanted = Unknown(Packed(at));
            AddNeighbours(at, 1, wanted);
            Flush();
            if (boxed && wanted) NoteBox(at);
            r_.settled = r_.mv[0] == at;
            wanted = kAhead.of[3 * (r_.mv[0].y - at.y) + r_.mv[0].x - at.x + kSameVector];
        }
    }

    void LookFar(int rings) {
        const auto add = [this](Vec from, LeanVector v) { Add({from.x + v.x, from.y + v.y}); };
        Vec at = r_.mv[0];
        for (int n = 0; n < kLeanFarCross; n++) add(at, LeanFarCross(n));
        Flush();
        at = r_.mv[0];
        for (int n = 0; n < rings * kLeanRing; n++) add(at, LeanRing(n));
        Flush();
    }

    // Try every vector of a box around zero again, in spans of a row.
    void Box(int range) {
        const int x0 = std::max(-range, t_.window.x0), x1 = std::min(range, t_.window.x1);
        const int y0 = std::max(-range, t_.window.y0), y1 = std::min(range, t_.window.y1);
        constexpr int kMostRange = 128;
        int cols[2 * kMostRange + 1];
        for (int x = x0; x <= x1; x++) cols[x - x0] = t_.rate.ColCost(4 * x);
        alignas(64) uint16_t blocks[16 * kBatchStride] = {}, rates[kQuarterStride + 64] = {};
        for (int y = y0; y <= y1; y++) {
            const int row = t_.rate.RowCost(4 * y);
            for (int x = x0; x <= x1; x += n_) {
                n_ = std::min(x1 + 1 - x, kQuarterStride);
                k_.sad4x4_span(t_.src, t_.ref + y * t_.stride + x, t_.stride, n_, blocks);
                for (int q = 0; q < 4; q++) {
                    const uint16_t* top = blocks + (8 * (q / 2) + 2 * (q % 2)) * kBatchStride;
                    const uint16_t* bottom = top + 4 * kBatchStride;
                    for (int i = 0; i < kQuarterStride; i++)
                        sads_[q * kQuarterStride + i] = static_cast<uint16_t>(
                            top[i] + top[kBatchStride + i] + bottom[i] + bottom[kBatchStride + i]);
                }
                k_.rate_span(cols + (x - x0), row, t_.rate.tables->sad_per_bit, n_, rates);
                for (int i = 0; i < n_; i++) vectors_[kLeanBlocks + i] = Packed({x + i, y});
                TakeBest(rates);
            }
        }
        n_ = 0;
    }

  private:
    uint16_t CostOf(int i) const {
        return static_cast<uint16_t>(std::min(sads_[i] + rates_[i], kMaxRate));
    }

    void FlushWhole() {
        k_.sad16_list(t_.src, t_.ref, t_.stride, offsets_, n_, sads_);
        int low = r_.cost[0], at = -1;
        for (int i = 0; i < n_; i++) {
            const int cost = CostOf(i);
            at = cost < low ? i : at;
            low = std::min(cost, low);
        }
        n_ = 0;
        if (at < 0) return;
        r_.mv[0] = vectors_[kLeanBlocks + at];
        r_.cost[0] = static_cast<uint16_t>(low);
        r_.sad[0] = sads_[at];
    }

    uint16_t Rate(Vec v) const {
        return t_.rate.tables ? static_cast<uint16_t>(t_.rate.At(4 * v.y, 4 * v.x)) : uint16_t{0};
    }

    unsigned Unknown(LeanVec centre) const {
        return ~k_.known_neighbours(tried_, centre) & kEightNeighbours;
    }

    unsigned Legal(Vec centre, int distance) const {
        unsigned legal = 0;
        for (int bit = 0; bit < kOthers; bit++) {
            const int n = NeighbourOf(bit);
            if (t_.window.Contains(
                    {centre.x + distance * (n % 3 - 1), centre.y + distance * (n / 3 - 1)}))
                legal |= 1u << bit;
        }
        return legal;
    }

    void AddLegal(Vec v) {
        vectors_[kLeanBlocks + n_] = Packed(v);
        rates_[n_] = Rate(v);
        offsets_[n_] = v.y * static_cast<int>(t_.stride) + v.x;
        if (++n_ == kQuarterStride) Flush();
    }

    // Return the SAD of a block at position 0.
    uint16_t BlockSad(int b) const {
        constexpr unsigned kQuarters[kLeanBlocks] = {15, 3, 12, 5, 10, 1, 2, 4, 8};
        int sum = 0;
        for (int q = 0; q < 4; q++)
            if (kQuarters[b] & 1u << q) sum += sads_[q * kQuarterStride];
        return static_cast<uint16_t>(sum);
    }

    // Take the best of the n_ positions whose quarters are in sads_.
    void TakeBest(const uint16_t* rates) {
        // The present vectors stand before the new ones in vectors_, so that no branch depends on
        // the result, which a CPU could not predict.
        static_assert(kLeanBlocks == 9, "");
        int8_t index[kLeanBlocks] = {-9, -8, -7, -6, -5, -4, -3, -2, -1};
        std::copy_n(r_.mv, kLeanBlocks, vectors_);
        k_.quarter_min(sads_, rates, n_, r_.cost, r_.sad, index);
        for (int b = 0; b < kLeanBlocks; b++) r_.mv[b] = vectors_[kLeanBlocks + index[b]];
    }

    const Kernels& k_;
    const LeanTask& t_;
    LeanVectors& r_;
    TriedVectors tried_;
    int noted_, n_ = 0;
    LeanVec vectors_[kLeanBlocks + kQuarterStride];
    int32_t offsets_[kQuarterStride];
    alignas(64) uint16_t rates_[kQuarterStride];
    alignas(64) uint16_t sads_[kHasQuarters ? 4 * kQuarterStride : kQuarterStride];
};

template <bool kHasQuarters>
void SearchMb(const Kernels& kernels, const LeanLevel& level, const LeanTask& task,
              const Vec* candidates, int count, int still, LeanVectors* result) {
    Evaluator<kHasQuarters> e(kernels, task, result);
    e.Zero();
    if (2 * result->sad[0] <= still) return;
    if (!task.descends) return e.TryOnly(candidates, count);
    e.Start();
    e.Note({});
    for (int i = 0; i < count; i++) e.AddNew(task.window.Clamp(candidates[i]));
    e.Flush();
    if (result->sad[0] <= still) return;
    if (level.box) {
        e.AddBoxes();
        e.Flush();
    }
    if (task.looks_far && result->sad[0] > level.poor * kMb * kMb) e.LookFar(level.rings);
    e.Descend(level.box);
}

template <bool kHasQuarters>
void SpreadMb(const Kernels& kernels, const LeanLevel& level, const LeanTask& task,
              const Vec* around, int count, LeanVectors* result) {
    Evaluator<kHasQuarters> e(kernels, task, result);
    const Vec own = result->mv[0];
    e.Start();
    if (result->settled) e.NoteBox(own);
    for (int i = 0; i < count; i++) {
        const Vec v = task.window.Clamp(around[i]);
        if (v != own) e.AddNew(v);
    }
    if (level.pass_box) e.AddBoxes();
    e.Flush();
    if (!(result->mv[0] == own)) e.Descend(level.pass_box);
}

}  // namespace

void LeanSearch(const Kernels& kernels, const LeanLevel& level, const LeanTask& task,
                const Vec* candidates, int count, int still, LeanVectors* result) {
    (level.split ? SearchMb<true> : SearchMb<false>)(kernels, level, task, candidates, count, still,
                                                     result);
}

void LeanSpread(const Kernels& kernels, const LeanLevel& level, const LeanTask& task,
                const Vec* around, int count, LeanVectors* result) {
    (level.split ? SpreadMb<true> : SpreadMb<false>)(kernels, level, task, around, count, result);
}

void LeanSearchDrawn(const Kernels& kernels, const LeanLevel& level, const LeanTask& task,
                     LeanVectors* result) {
    Evaluator<true>(kernels, task, result).Box(level.drawn);
}

bool LeanSourceIsDrawn(const uint8_t* src) {
    int equal = 0;
    for (int y = 0; y < kMb; y++)
        for (int x = 1; x < kMb; x++) equal += src[kMb * y + x] == src[kMb * y + x - 1];
    return LeanIsDrawn(equal);
}

void LeanCoarseSearch(const Kernels& kernels, const LeanLevel& level, const LeanTask& task,
                      int still, Vec result[kLeanCoarseBlocks]) {
    LeanVectors found;
    Evaluator<true> e(kernels, task, &found);
    e.Zero();
    if (found.sad[0] <= still) {
        std::fill_n(result, kLeanCoarseBlocks, Vec{});
        return;
    }
    for (int n = 1; n < LeanCoarseVectors(level); n++) {
        const LeanVector v = LeanCoarseVector(level, n);
        if (v.x || v.y) e.Add({v.x, v.y});
    }
    e.Flush();
    for (int step = kLeanGridStep / 2; step; step /= 2) {
        Vec at[kLeanCoarseBlocks];
        for (int i = 0; i < kLeanCoarseBlocks; i++) at[i] = found.mv[LeanCoarseBlock(i)];
        for (int i = 0; i < kLeanCoarseBlocks; i++)
            if (std::find(at, at + i, at[i]) == at + i)
                e.AddNeighbours(at[i], step, kEightNeighbours);
        e.Flush();
    }
    for (int i = 0; i < kLeanCoarseBlocks; i++) result[i] = found.mv[LeanCoarseBlock(i)];
}

}  // namespace cudame
