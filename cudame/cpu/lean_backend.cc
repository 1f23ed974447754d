// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cpu/lean_backend.h"

#include <hwy/cache_control.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "common/coarse.h"
#include "common/lean.h"
#include "common/prediction.h"
#include "cpu/cpu_base.h"
#include "cpu/kernels.h"
#include "cpu/lean_refine.h"
#include "cpu/lean_search.h"
#include "cpu/padded_plane.h"
#include "cpu/row_scheduler.h"

namespace cudame {
namespace {

// The state of a macroblock in one search until the frame ends.
struct LeanState {
    LeanVectors whole;
    cudame_mv prediction;  // of whole-pixel vectors, later of sub-pel ones
    bool alone;            // its SAD is so low that other references are not searched
};

class LeanCpuBackend : public CpuBackendBase {
  public:
    LeanCpuBackend(const BackendConfig& config, const Geometry& geometry)
        : CpuBackendBase(config), level_(kLeanLevel[config.level]), scheduler_(config.threads - 1) {
        Resize(geometry);
    }

    std::unique_ptr<ReferenceBuffer> CreateReference(uint64_t /*id*/,
                                                     const cudame_plane& plane) override {
        return std::make_unique<CpuReference>(plane, g_);
    }

    std::shared_ptr<Field> CreateField(size_t mbs) override {
        return std::make_shared<CpuField>(mbs, true);
    }

    // Tasks come in groups, one for each row of macroblocks, and one more for each pass at the end.
    // A group has: a row of coarse macroblocks, if it seeds the next four rows; the whole-pixel
    // vectors of a row; each pass, one row later than the pass before, because it needs the rows
    // around it from that; and the sub-pel vectors of the row that is complete, which need the row
    // above.
    void Begin(FrameJob job) override {
        job_ = std::move(job);
        const size_t searches = job_.searches.size(), mbs = static_cast<size_t>(g_.mbs());
        still_ = level_.still * job_.costs->sad_per_bit;
        alone_ = level_.alone * job_.costs->sad_per_bit;
        quarter_ = level_.quarter * job_.costs->sad_per_bit;
        if (searches) Shrink(job_.source, g_, coarse_source_.get());
        seeds_.resize(searches);
        for (auto& seeds : seeds_)
            seeds.resize(static_cast<size_t>(coarse_g_.mbs()) * kLeanCoarseBlocks);
        states_.resize(searches);
        for (auto& states : states_) states.resize(mbs);
        for (auto& before : before_) before.resize(mbs);
        scheduler_.Begin((g_.mb_rows + level_.passes) * group_, [this](int task) {
            const int step = task / group_, stage = task % group_ - 1;
            if (stage < 0) {
                if (step % kCoarseScale || step >= g_.mb_rows) return;
                return Timed([&] { SearchCoarseRow(step / kCoarseScale); });
            }
            const bool refines = stage > level_.passes;
            const int row = step - (refines ? level_.passes : stage);
            if (row < 0 || row >= g_.mb_rows) return;
            if (refines) {
                if (row) scheduler_.WaitRow(Task(level_.passes, row - 1));
                scheduler_.WaitRow(Task(level_.passes, row));
                Timed([&] { RefineRow(row); });
            } else if (stage) {
                for (int r = std::max(row - 1, 0); r <= std::min(row + 1, g_.mb_rows - 1); r++)
                    scheduler_.WaitRow(Task(stage - 1, r));
                Timed([&] { SpreadRow(stage - 1, row); });
            } else {
                scheduler_.WaitRow(row / kCoarseScale * kCoarseScale * group_);
                Timed([&] { SearchRow(row); });
            }
        });
    }

    void WaitRow(int mb_row) override {
        scheduler_.WaitRow((mb_row + level_.passes) * group_ + group_ - 1);
    }

    void CompleteSplit(const Field& field, int mb_row, int mb_col) override {
        const size_t index = Index(mb_row, mb_col);
        for (size_t i = 0; i < job_.searches.size(); i++) {
            Search& s = job_.searches[i];
            cudame_mb& record = s.field->records[index];
            if (s.field.get() != &field || !(record.flags & CUDAME_MB_PENDING)) continue;
            alignas(64) uint8_t src[kMb * kMb];
            FetchMacroblock(job_.source, mb_row, mb_col, src);
            LeanTask task = TaskOf(i, src, mb_row, mb_col);
            task.rate.prediction = states_[i][index].prediction;
            LeanRefineSplit(kernels_, task, job_.filter, states_[i][index].whole.mv,
                            s.field->splits + index);
            record.flags = CUDAME_MB_SPLIT;
            return;
        }
    }

    void CompleteIntra(int mb_row, int mb_col, int parts) override {
        cudame_intra& record = job_.intra->records[Index(mb_row, mb_col)];
        parts &= static_cast<int>(record.pending);
        if (!parts) return;
        IntraSource mb;
        FetchIntraSource(job_.source, g_, mb_row, mb_col, &mb);
        if (parts & CUDAME_INTRA_4X4) {
            kernels_.intra(&mb, 1, job_.intra_rates, &record);
            record.pending = 0;
        } else {
            kernels_.intra16(mb, record.satd16);
            record.pending = CUDAME_INTRA_4X4;
        }
    }

    void End() override {
        scheduler_.End();
        Forget();
    }
    void Abandon() override {
        scheduler_.Abandon();
        Forget();
    }

  private:
    // Return the task of a row's whole-pixel vectors after this many passes.
    int Task(int passes, int mb_row) const { return (mb_row + passes) * group_ + 1 + passes; }

    size_t CoarseSearches() const {
        return level_.others ? job_.searches.size() : std::min<size_t>(job_.searches.size(), 1);
    }

    const Vec* Seeds(size_t search, int row, int col) const {
        const int mb = row / kCoarseScale * coarse_g_.mb_cols + col / kCoarseScale;
        return seeds_[std::min(search, CoarseSearches() - 1)].data() +
               static_cast<size_t>(mb) * kLeanCoarseBlocks;
    }

    void SearchCoarseRow(int row) {
        alignas(64) uint8_t src[kMb * kMb];
        const PlaneView view = coarse_source_->view();
        for (int col = 0; col < coarse_g_.mb_cols; col++) {
            for (int y = 0; y < kMb; y++)
                memcpy(src + kMb * y, view.data + (row * kMb + y) * view.stride + col * kMb, kMb);
            const size_t mb = static_cast<size_t>(row * coarse_g_.mb_cols + col);
            for (size_t i = 0; i < CoarseSearches(); i++) {
                const PlaneView ref =
                    static_cast<const CpuReference&>(*job_.searches[i].reference).coarse();
                LeanTask task = {};
                task.src = src;
                task.ref = ref.data + row * kMb * ref.stride + col * kMb;
                task.stride = ref.stride;
                task.window = LegalWindow(coarse_g_, row, col);
                LeanCoarseSearch(kernels_, level_, task, still_,
                                 seeds_[i].data() + mb * kLeanCoarseBlocks);
            }
        }
    }

    // Make a task. The caller sets the prediction.
    LeanTask TaskOf(size_t search, const uint8_t* src, int row, int col) const {
        const Search& s = job_.searches[search];
        const PlaneView ref = static_cast<const CpuReference&>(*s.reference).view();
        LeanTask task = {};
        task.src = src;
        task.ref = ref.data + row * kMb * ref.stride + col * kMb;
        task.stride = ref.stride;
        task.window = LegalWindow(g_, row, col);
        task.rate.tables = job_.costs;
        task.descends = LeanDescends(level_, static_cast<int>(search));
        task.looks_far = LeanLooksFar(static_cast<int>(search), row, col);
        return task;
    }

    // Copy a macroblock that MacroblockAt() returned to `copy`, unless it is there.
    void Copy(int row, int col, uint8_t* copy, PlaneView* mb) const {
        if (mb->data == copy) return;
        FetchMacroblock(job_.source, row, col, copy);
        *mb = {copy, kMb};
    }

    // Return whether a search skips a macroblock, because the first search matches it well enough.
    bool Skips(size_t search, size_t index) const { return search && states_[0][index].alone; }

    // Prefetch a quarter of the rows of the next cache line. The calls for four neighbouring
    // macroblocks together fetch all its rows.
    void Prefetch(const PlaneView& plane, int row, int col) const {
        const uint8_t* p = plane.data + (kMb * row + col % 4 * 4) * plane.stride + kMb * col + 64;
        for (int y = 0; y < 4; y++) hwy::Prefetch(p + y * plane.stride);
    }

    void SearchRow(int row) {
        alignas(64) uint8_t src[kMb * kMb];
        for (int col = 0; col < g_.mb_cols; col++) {
            Prefetch({job_.source.data, job_.source.stride}, row, col);
            for (const Search& s : job_.searches) {
                Prefetch(static_cast<const CpuReference&>(*s.reference).view(), row, col);
                if (s.previous && row + 1 < g_.mb_rows)
                    hwy::Prefetch(s.previous->records +
                                  Index(row + 1, std::min(col + 8, g_.mb_cols - 1)));
            }
            PlaneView mb = MacroblockAt(job_.source, row, col, src);
            for (size_t i = 0; i < job_.searches.size(); i++) {
                LeanState& state = states_[i][Index(row, col)];
                if (Skips(i, Index(row, col))) {
                    state.whole.mv[0] = {0, 0};
                    state.whole.cost[0] = state.whole.sad_zero = kMaxRate;
                    continue;
                }
                const Search& s = job_.searches[i];
                LeanTask task = TaskOf(i, src, row, col);
                if (!level_.split) {
                    task.sad_zero =
                        Saturate16(Of(Metric::kSad)(mb.data, mb.stride, task.ref, task.stride));
                    if (!i && 2 * task.sad_zero <= still_) {
                        StayAtZero(task.sad_zero, &state);
                        before_[0][Index(row, col)] = {};
                        continue;
                    }
                }
                Copy(row, col, src, &mb);
                const Vec* seeds = Seeds(i, row, col);
                const Vec quarter = Scaled(seeds[LeanCoarseQuarter(row, col)]);
                Vec candidates[kLeanCandidates - 1];
                int count = 0;
                if (s.previous) {
                    const auto near = MotionAround(*s.previous, row, col);
                    for (const cudame_mv v : near)
                        candidates[count++] = {(v.col + 2) >> 2, (v.row + 2) >> 2};
                    task.rate.prediction =
                        MedianPrediction(near[0], near[1], near[2], near[3], near[4]);
                } else {
                    task.rate.prediction = ToQuarter(quarter);
                }
                candidates[count++] = quarter;
                candidates[count++] = Scaled(seeds[0]);
                if (!task.descends) count = s.previous ? 1 : 0;
                LeanSearch(kernels_, level_, task, candidates, count, still_, &state.whole);
                state.prediction = task.rate.prediction;
                state.alone = state.whole.sad[0] <= alone_;
                if (!i) before_[0][Index(row, col)] = state.whole.mv[0];
            }
        }
    }

    // Ends the first search of a macroblock that the zero vector matches so well, as LeanSearch()
    // does, but without a prediction. Its cost is not read: it keeps its vector, and other searches
    // skip it (LeanStillIsAlone()).
    void StayAtZero(uint16_t sad, LeanState* state) const {
        state->whole.mv[0] = {0, 0};
        state->whole.cost[0] = state->whole.sad[0] = state->whole.sad_zero = sad;
        state->whole.settled = false;
        state->alone = true;
    }

    void SpreadRow(int pass, int row) {
        for (int col = 0; col < g_.mb_cols && !job_.searches.empty(); col++) {
            LeanState& state = states_[0][Index(row, col)];
            if (state.whole.sad[0] > still_) SpreadMb(before_[pass], row, col, &state);
            if (pass + 1 < level_.passes)
                before_[pass + 1][Index(row, col)] = state.whole.mv[0];
            else if (level_.drawn && LeanIsPoor(state.whole.sad))
                SearchDrawn(row, col);
        }
    }

    void SearchDrawn(int row, int col) {
        alignas(64) uint8_t src[kMb * kMb];
        FetchMacroblock(job_.source, row, col, src);
        if (!LeanSourceIsDrawn(src)) return;
        for (size_t i = 0; i < job_.searches.size(); i++) {
            LeanState& state = states_[i][Index(row, col)];
            if (Skips(i, Index(row, col)) || !LeanIsPoor(state.whole.sad)) continue;
            LeanTask task = TaskOf(i, src, row, col);
            task.rate.prediction = state.prediction;
            LeanSearchDrawn(kernels_, level_, task, &state.whole);
        }
    }

    void SpreadMb(const std::vector<Vec>& before, int row, int col, LeanState* state) {
        Vec around[kNeighbourCount - 1];
        int count = 0;
        for (int y = std::max(row - 1, 0); y <= std::min(row + 1, g_.mb_rows - 1); y++)
            for (int x = std::max(col - 1, 0); x <= std::min(col + 1, g_.mb_cols - 1); x++) {
                const Vec v = before[Index(y, x)];
                if (!(v == state->whole.mv[0])) around[count++] = v;
            }
        if (!count) return;
        alignas(64) uint8_t src[kMb * kMb];
        FetchMacroblock(job_.source, row, col, src);
        LeanTask task = TaskOf(0, src, row, col);
        task.rate.prediction = state->prediction;
        LeanSpread(kernels_, level_, task, around, count, &state->whole);
    }

    static Vec Scaled(Vec coarse) { return {kCoarseScale * coarse.x, kCoarseScale * coarse.y}; }

    void RefineRow(int row) {
        alignas(64) uint8_t src[kMb * kMb];
        for (int col = 0; col < g_.mb_cols && !job_.searches.empty(); col++) {
            const size_t index = Index(row, col), next = std::min(index + 4, states_[0].size() - 1);
            for (size_t i = 0; i < job_.searches.size(); i++) {
                hwy::Prefetch(states_[i].data() + next);
                if (job_.searches[i].previous)
                    hwy::Prefetch(job_.searches[i].previous->records + next);
            }
            PlaneView mb = MacroblockAt(job_.source, row, col, src);
            int low = kMaxRate;
            for (const auto& states : states_)
                low = std::min<int>(low, states[index].whole.cost[0]);
            for (size_t i = 0; i < job_.searches.size(); i++) {
                const bool moves = Moves(i, index, low);
                if (moves) Copy(row, col, src, &mb);
                RefineMb(i, mb, row, col, moves);
            }
        }
        if (!job_.intra) return;
        constexpr uint16_t kAll = CUDAME_INTRA_16X16 | CUDAME_INTRA_4X4;
        for (int col = 0; col < g_.mb_cols; col++)
            job_.intra->records[Index(row, col)].pending = kAll;
    }

    // Return whether a macroblock gets sub-pel vectors. low: the lowest cost of all searches.
    bool Moves(size_t search, size_t index, int low) const {
        const LeanVectors& whole = states_[search][index].whole;
        return !Skips(search, index) &&
               LeanMoves(level_, static_cast<int>(search), whole.cost[0],
                         states_[0][index].whole.cost[0], low, whole.sad[0], still_);
    }

    // mb: a copy if the macroblock moves.
    void RefineMb(size_t search, const PlaneView& mb, int row, int col, bool moves) {
        const Search& s = job_.searches[search];
        const size_t index = Index(row, col);
        LeanState& state = states_[search][index];
        const LeanVectors& whole = state.whole;
        cudame_mb& out = s.field->records[index];
        out = {};
        out.dist_zero = whole.sad_zero;
        if (Skips(search, index)) {
            out.dist = UINT16_MAX;
            return;
        }
        LeanTask task = TaskOf(search, mb.data, row, col);
        if (!moves) {
            const Vec v = whole.mv[0];
            out.mv = ToQuarter(v);
            out.dist = Saturate16(Of(Metric::kSatd)(
                mb.data, mb.stride, task.ref + v.y * task.stride + v.x, task.stride));
            return;
        }
        const cudame_mv co_located = s.previous ? s.previous->records[index].mv : cudame_mv{0, 0};
        const auto around = [&](int dy, int dx) {
            return ToQuarter(
                states_[search][Index(row ? row - dy : row, col ? col - dx : col)].whole.mv[0]);
        };
        state.prediction = NearestPrediction(co_located, around(1, 0), around(0, 1), around(1, 1),
                                             row > 0, col > 0);
        task.rate.prediction = state.prediction;
        LeanRefine(kernels_, task, job_.filter, whole.mv[0], quarter_, &out);
        if (LeanSplits(level_, whole.sad, job_.costs->sad_per_bit))
            out.flags = CUDAME_MB_SPLIT | CUDAME_MB_PENDING;
    }

    MetricFn Of(Metric metric) const { return kernels_.metric[static_cast<int>(metric)][k16x16]; }

    const LeanLevel& level_;
    const int group_ = 3 + level_.passes;  // tasks of a group
    int still_ = 0, alone_ = 0;            // SADs, see LeanLevel
    int quarter_ = 0;                      // SATD, see LeanLevel
    std::vector<std::vector<Vec>>
        seeds_;  // by search: kLeanCoarseBlocks for each coarse macroblock
    std::vector<std::vector<LeanState>> states_;  // by search and macroblock
    // The 16x16 vectors of the first search before each pass, by pass and macroblock.
    std::vector<std::vector<Vec>> before_ =
        std::vector<std::vector<Vec>>(static_cast<size_t>(level_.passes));
    RowScheduler scheduler_;  // last: its threads use the members above
};

}  // namespace

std::unique_ptr<Backend> CreateLeanCpuBackend(const BackendConfig& config,
                                              const Geometry& geometry) {
    return std::make_unique<LeanCpuBackend>(config, geometry);
}

}  // namespace cudame
