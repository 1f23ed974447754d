// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cpu/cpu_backend.h"

#include "coarse.h"
#include "cpu/cpu_base.h"
#include "cpu/integer_search.h"
#include "cpu/kernels.h"
#include "cpu/padded_plane.h"
#include "cpu/row_scheduler.h"
#include "cpu/subpel_tex.h"
#include "prediction.h"

namespace cudame {
namespace {

class CpuBackend : public CpuBackendBase {
  public:
    CpuBackend(const BackendConfig& config, const Geometry& geometry)
        : CpuBackendBase(config), scheduler_(config.threads - 1) {
        Resize(geometry);
    }

    void Resize(const Geometry& g) override {
        CpuBackendBase::Resize(g);
        half_g_ = HalfGeometry(g);
        if (hierarchical_) half_source_ = std::make_unique<PaddedPlane>(half_g_);
    }

    std::unique_ptr<ReferenceBuffer> CreateReference(const cudame_plane& plane) override {
        return std::make_unique<CpuReference>(plane, g_, hierarchical_);
    }

    std::shared_ptr<Field> CreateField(size_t mbs) override {
        return std::make_shared<CpuField>(mbs, config_.mode != CUDAME_MODE_FAST);
    }

    // Tasks come in groups: a row of coarse macroblocks, the two rows of the half
    // level that it seeds, if the search wants them, and the four of macroblocks, in two
    // steps if sub-pel vectors want the whole-pixel ones of the row above.
    void Begin(FrameJob job) override {
        job_ = std::move(job);
        if (!job_.searches.empty()) {
            Shrink(job_.source, g_, kCoarseScale, coarse_source_.get());
            if (hierarchical_) Shrink(job_.source, g_, kHalfScale, half_source_.get());
        }
        seeds_.resize(job_.searches.size());
        for (auto& field : seeds_)
            field.resize(static_cast<size_t>(coarse_g_.mbs()) * CUDAME_BLOCKS);
        half_.resize(hierarchical_ ? job_.searches.size() : 0);
        for (auto& field : half_) field.resize(static_cast<size_t>(half_g_.mbs()) * CUDAME_BLOCKS);
        integer_.resize(two_steps_ ? job_.searches.size() : 0);
        for (auto& field : integer_) field.resize(static_cast<size_t>(g_.mbs()));
        scheduler_.Begin(coarse_g_.mb_rows * kGroup, [this](int task) {
            const int group = task / kGroup, first = group * kGroup;
            const int row = kCoarseScale * group + (task % kGroup - kBefore) % kCoarseScale;
            const int half_row = kHalfRows * group + task % kGroup - 1;
            if (task == first) {
                Timed([&] { SearchCoarseRow(group); });
            } else if (task % kGroup < kBefore) {
                if (!hierarchical_ || half_row >= half_g_.mb_rows) return;
                scheduler_.WaitRow(first);
                Timed([&] { SearchHalfRow(half_row); });
            } else if (const bool is_last = task == LastTask(row);
                       row < g_.mb_rows && (is_last || two_steps_)) {
                const bool searches = !is_last || !two_steps_;
                if (searches) {
                    scheduler_.WaitRow(first);
                    scheduler_.WaitRow(first + 1 + row % kCoarseScale / kHalfScale);
                } else {
                    if (row) scheduler_.WaitRow(LastTask(row - 1) - kCoarseScale);
                    scheduler_.WaitRow(task - kCoarseScale);
                }
                Timed([&] {
                    if (is_last && job_.intra) EstimateIntraRow(row);
                    if (searches)
                        SearchRow(row);
                    else
                        RefineRow(row);
                });
            }
        });
    }

    void WaitRow(int mb_row) override { scheduler_.WaitRow(LastTask(mb_row)); }

    void End() override {
        scheduler_.End();
        Forget();
    }

  private:
    static constexpr int kHalfRows = kCoarseScale / kHalfScale;
    static constexpr int kBefore = 1 + kHalfRows;
    static constexpr int kGroup = kBefore + 2 * kCoarseScale;

    static int LastTask(int mb_row) {
        return mb_row / kCoarseScale * kGroup + kBefore + kCoarseScale + mb_row % kCoarseScale;
    }

    // Searches a row of a shrunk frame against all references: plane(reference) is the
    // reference's shrunk plane, search(i, col, &task, &result) completes a task of search i
    // and runs it. Vectors go to fields[i].
    template <class PlaneFn, class SearchFn>
    void SearchSmallRow(const PaddedPlane& small, const Geometry& g, int row, PlaneFn plane,
                        SearchFn search, std::vector<std::vector<Vec>>* fields) const {
        alignas(64) uint8_t src[kMb * kMb];
        const PlaneView view = small.view();
        cudame_plane source = {};
        source.data = view.data;
        source.stride = view.stride;
        source.width = g.mb_width();
        source.height = g.mb_height();
        for (int col = 0; col < g.mb_cols; col++) {
            FetchMacroblock(source, row, col, src);
            const size_t mb = static_cast<size_t>(row * g.mb_cols + col);
            for (size_t i = 0; i < job_.searches.size(); i++) {
                const PlaneView ref =
                    plane(static_cast<const CpuReference&>(*job_.searches[i].reference));
                SearchTask task = {};
                task.src = src;
                task.ref = ref.data + row * kMb * ref.stride + col * kMb;
                task.stride = ref.stride;
                task.window = LegalWindow(g, row, col);
                task.split = true;
                IntegerResult result;
                search(i, col, &task, &result);
                std::copy_n(result.mv, CUDAME_BLOCKS, (*fields)[i].data() + mb * CUDAME_BLOCKS);
            }
        }
    }

    void SearchCoarseRow(int row) {
        static const CostTables no_costs{};
        SearchSmallRow(
            *coarse_source_, coarse_g_, row, [](const CpuReference& r) { return r.coarse(); },
            [this](size_t, int, SearchTask* task, IntegerResult* result) {
                task->rate = {&no_costs, {0, 0}};
                CoarseSearch(kernels_, *task, config_.mode == CUDAME_MODE_FAST, result);
            },
            &seeds_);
    }

    void SearchHalfRow(int row) {
        CostTables costs = *job_.costs;
        costs.sad_per_bit = HalfSadPerBit(costs.sad_per_bit);
        SearchSmallRow(
            *half_source_, half_g_, row, [](const CpuReference& r) { return r.half(); },
            [&](size_t i, int col, SearchTask* task, IntegerResult* result) {
                task->rate = {&costs, {0, 0}};
                task->search = CUDAME_SEARCH_HIERARCHICAL;
                task->half = true;
                AddUpperSeeds(seeds_[i], coarse_g_, row, col, task);
                IntegerSearch(kernels_, *task, result);
            },
            &half_);
    }

    // The vectors of the macroblock one level up that (row, col) is a quarter of.
    static const Vec* UpperVectors(const std::vector<Vec>& field, const Geometry& upper, int row,
                                   int col) {
        return field.data() +
               static_cast<size_t>(row / 2 * upper.mb_cols + col / 2) * CUDAME_BLOCKS;
    }

    // Adds them to the task's seeds, twice as long because this level is twice as large.
    static void AddUpperSeeds(const std::vector<Vec>& field, const Geometry& upper, int row,
                              int col, SearchTask* task) {
        const Vec* vectors = UpperVectors(field, upper, row, col);
        for (int i = 0; i < kUpperBlocks; i++) {
            const Vec v = vectors[UpperBlock(row, col, i)];
            task->seeds[task->seed_count++] = {2 * v.x, 2 * v.y};
        }
    }

    void EstimateIntraRow(int row) {
        constexpr int kAtOnce = 4;
        IntraSource mbs[kAtOnce];
        cudame_intra* out =
            job_.intra->records + static_cast<size_t>(row) * static_cast<size_t>(g_.mb_cols);
        for (int col = 0; col < g_.mb_cols; col += kAtOnce) {
            const int n = std::min(kAtOnce, g_.mb_cols - col);
            for (int i = 0; i < n; i++) FetchIntraSource(job_.source, g_, row, col + i, mbs + i);
            kernels_.intra(mbs, n, job_.intra_rates, out + col);
        }
    }

    template <class Fn>
    void ForMacroblocks(int row, Fn fn) {
        alignas(64) uint8_t src[kMb * kMb];
        for (int col = 0; col < g_.mb_cols; col++) {
            FetchMacroblock(job_.source, row, col, src);
            for (size_t i = 0; i < job_.searches.size(); i++) fn(i, src, row, col);
        }
    }

    // Searches a row, and refines it unless that is a second step.
    void SearchRow(int row) {
        ForMacroblocks(row, [this](size_t i, const uint8_t* src, int r, int col) {
            const SearchTask task = Task(i, src, r, col);
            IntegerResult integer;
            IntegerSearch(kernels_, task, &integer);
            if (two_steps_)
                integer_[i][Index(r, col)] = integer;
            else
                Store(i, r, col, task, integer);
        });
    }

    void RefineRow(int row) {
        ForMacroblocks(row, [this](size_t i, const uint8_t* src, int r, int col) {
            SearchTask task = Task(i, src, r, col);
            const auto around = [&](int dy, int dx) {
                return ToQuarter(integer_[i][Index(r ? r - dy : r, col ? col - dx : col)].mv[0]);
            };
            task.rate.prediction = NearestPrediction(task.co_located, around(1, 0), around(0, 1),
                                                     around(1, 1), r, col);
            Store(i, r, col, task, integer_[i][Index(r, col)]);
        });
    }

    SearchTask Task(size_t search, const uint8_t* src, int row, int col) const {
        const Search& s = job_.searches[search];
        const PlaneView ref = static_cast<const CpuReference&>(*s.reference).view();
        SearchTask task = {};
        task.src = src;
        task.ref = ref.data + row * kMb * ref.stride + col * kMb;
        task.stride = ref.stride;
        task.window = LegalWindow(g_, row, col);
        if (s.previous) task.co_located = s.previous->records[Index(row, col)].mv;
        task.rate = {job_.costs, task.co_located};
        task.search = config_.search;
        task.range = config_.range;
        task.split = config_.mode != CUDAME_MODE_FAST;
        if (hierarchical_) {
            task.rate.prediction =
                s.previous ? FieldPrediction(*s.previous, row, col)
                           : UpperPrediction(ToQuarter(UpperVectors(half_[search], half_g_, row,
                                                                    col)[UpperBlock(row, col, 1)]));
            AddUpperSeeds(half_[search], half_g_, row, col, &task);
        }
        const int coarse_mb = row / kCoarseScale * coarse_g_.mb_cols + col / kCoarseScale;
        const Vec* coarse = seeds_[search].data() + static_cast<size_t>(coarse_mb) * CUDAME_BLOCKS;
        const SeedBlocks blocks = SeedBlocksOf(row, col);
        for (int i = hierarchical_; i < kSeeds; i++) {
            const Vec v = coarse[blocks.block[i]];
            task.seeds[task.seed_count++] = {kCoarseScale * v.x, kCoarseScale * v.y};
        }
        return task;
    }

    cudame_mv FieldPrediction(const Field& field, int row, int col) const {
        const auto near = MotionAround(field, row, col);
        return MedianPrediction(near[0], near[1], near[2], near[3], near[4]);
    }

    void Store(size_t search, int row, int col, const SearchTask& task,
               const IntegerResult& integer) const {
        cudame_mb out = {};
        out.dist_zero = integer.sad_zero;
        const Field& field = *job_.searches[search].field;
        const auto store = [&](int b, cudame_mv mv, uint16_t dist) {
            if (b) {  // else there may be no splits
                cudame_split& split = field.splits[Index(row, col)];
                split.mv[b - 1] = mv;
                split.dist[b - 1] = dist;
            } else {
                out.mv = mv;
                out.dist = dist;
            }
        };
        if (subpel_) {
            SubpelResult subpel;
            if (config_.mode == CUDAME_MODE_TEX)
                RefineTex(kernels_, task, integer, &subpel);
            else
                RefineSubpel(kernels_, task, job_.filter, integer, &subpel);
            for (int b = 0; b < CUDAME_BLOCKS; b++)
                store(b, subpel.mv[b], Saturate16(subpel.dist[b]));
            out.flags = CUDAME_MB_SPLIT;
        } else {
            for (int b = 0; b < (task.split ? CUDAME_BLOCKS : 1); b++)
                store(b, ToQuarter(integer.mv[b]), integer.sad[b]);
            out.flags =
                static_cast<uint16_t>(CUDAME_MB_FULLPEL | (task.split ? CUDAME_MB_SPLIT : 0));
        }
        field.records[Index(row, col)] = out;
    }

    const bool hierarchical_ = config_.search == CUDAME_SEARCH_HIERARCHICAL;
    const bool subpel_ = config_.mode == CUDAME_MODE_FULL || config_.mode == CUDAME_MODE_TEX;
    const bool two_steps_ = hierarchical_ && subpel_;
    Geometry half_g_;
    std::unique_ptr<PaddedPlane> half_source_;
    // By search, the vectors of the coarse and of the half level: by macroblock, CUDAME_BLOCKS
    // each.
    std::vector<std::vector<Vec>> seeds_, half_;
    std::vector<std::vector<IntegerResult>> integer_;  // of each search, between two steps
    RowScheduler scheduler_;                           // last: its threads use all of the above
};

}  // namespace

std::unique_ptr<Backend> CreateCpuBackend(const BackendConfig& config, const Geometry& geometry) {
    return std::make_unique<CpuBackend>(config, geometry);
}

}  // namespace cudame
