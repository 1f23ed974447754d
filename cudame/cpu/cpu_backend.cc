// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cpu/cpu_backend.h"

#include "common/coarse.h"
#include "cpu/cpu_base.h"
#include "cpu/integer_search.h"
#include "cpu/kernels.h"
#include "cpu/padded_plane.h"
#include "cpu/row_scheduler.h"
#include "cpu/subpel_tex.h"

namespace cudame {
namespace {

class CpuBackend : public CpuBackendBase {
  public:
    CpuBackend(const BackendConfig& config, const Geometry& geometry)
        : CpuBackendBase(config), scheduler_(config.threads - 1) {
        Resize(geometry);
    }

    std::unique_ptr<ReferenceBuffer> CreateReference(uint64_t /*id*/,
                                                     const cudame_plane& plane) override {
        return std::make_unique<CpuReference>(plane, g_);
    }

    std::shared_ptr<Field> CreateField(size_t mbs) override {
        return std::make_shared<CpuField>(mbs, config_.mode != CUDAME_MODE_FAST);
    }

    // Tasks come in groups of five: a row of coarse macroblocks, and the four rows of macroblocks
    // that it seeds.
    void Begin(FrameJob job) override {
        job_ = std::move(job);
        if (!job_.searches.empty()) Shrink(job_.source, g_, coarse_source_.get());
        seeds_.resize(job_.searches.size());
        for (auto& field : seeds_)
            field.resize(static_cast<size_t>(coarse_g_.mbs()) * CUDAME_BLOCKS);
        scheduler_.Begin(coarse_g_.mb_rows * kGroup, [this](int task) {
            const int group = task / kGroup, first = group * kGroup;
            if (task == first) {
                Timed([&] { SearchCoarseRow(group); });
                return;
            }
            const int row = kCoarseScale * group + task - first - 1;
            if (row >= g_.mb_rows) return;
            scheduler_.WaitRow(first);
            Timed([&] {
                if (job_.intra) EstimateIntraRow(row);
                SearchRow(row);
            });
        });
    }

    void WaitRow(int mb_row) override { scheduler_.WaitRow(TaskOf(mb_row)); }

    void End() override {
        scheduler_.End();
        Forget();
    }

  private:
    static constexpr int kGroup = 1 + kCoarseScale;

    static int TaskOf(int mb_row) {
        return mb_row / kCoarseScale * kGroup + 1 + mb_row % kCoarseScale;
    }

    // Search a row of the coarse level against all references. The vectors go to seeds_.
    void SearchCoarseRow(int row) {
        static const CostTables no_costs{};
        alignas(64) uint8_t src[kMb * kMb];
        const PlaneView view = coarse_source_->view();
        cudame_plane source = {};
        source.data = view.data;
        source.stride = view.stride;
        source.width = coarse_g_.mb_width();
        source.height = coarse_g_.mb_height();
        for (int col = 0; col < coarse_g_.mb_cols; col++) {
            FetchMacroblock(source, row, col, src);
            const size_t mb = static_cast<size_t>(row * coarse_g_.mb_cols + col);
            for (size_t i = 0; i < job_.searches.size(); i++) {
                const PlaneView ref =
                    static_cast<const CpuReference&>(*job_.searches[i].reference).coarse();
                SearchTask task = {};
                task.src = src;
                task.ref = ref.data + row * kMb * ref.stride + col * kMb;
                task.stride = ref.stride;
                task.window = LegalWindow(coarse_g_, row, col);
                task.split = true;
                task.rate = {&no_costs, {0, 0}};
                IntegerResult result;
                CoarseSearch(kernels_, task, config_.mode == CUDAME_MODE_FAST, &result);
                std::copy_n(result.mv, CUDAME_BLOCKS, seeds_[i].data() + mb * CUDAME_BLOCKS);
            }
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

    void SearchRow(int row) {
        alignas(64) uint8_t src[kMb * kMb];
        for (int col = 0; col < g_.mb_cols; col++) {
            FetchMacroblock(job_.source, row, col, src);
            for (size_t i = 0; i < job_.searches.size(); i++) {
                const SearchTask task = Task(i, src, row, col);
                IntegerResult integer;
                IntegerSearch(kernels_, task, &integer);
                Store(i, row, col, task, integer);
            }
        }
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
        const int coarse_mb = row / kCoarseScale * coarse_g_.mb_cols + col / kCoarseScale;
        const Vec* coarse = seeds_[search].data() + static_cast<size_t>(coarse_mb) * CUDAME_BLOCKS;
        const SeedBlocks blocks = SeedBlocksOf(row, col);
        for (int i = 0; i < kSeeds; i++) {
            const Vec v = coarse[blocks.block[i]];
            task.seeds[task.seed_count++] = {kCoarseScale * v.x, kCoarseScale * v.y};
        }
        return task;
    }

    void Store(size_t search, int row, int col, const SearchTask& task,
               const IntegerResult& integer) const {
        cudame_mb out = {};
        out.dist_zero = integer.sad_zero;
        const Field& field = *job_.searches[search].field;
        const auto store = [&](int b, cudame_mv mv, uint16_t dist) {
            if (b) {  // block 0 comes without splits in CUDAME_MODE_FAST
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

    const bool subpel_ = config_.mode == CUDAME_MODE_FULL || config_.mode == CUDAME_MODE_TEX;
    // Vectors of the coarse level, indexed by search: CUDAME_BLOCKS for each coarse macroblock.
    std::vector<std::vector<Vec>> seeds_;
    RowScheduler scheduler_;  // last: its threads use the members above
};

}  // namespace

std::unique_ptr<Backend> CreateCpuBackend(const BackendConfig& config, const Geometry& geometry) {
    return std::make_unique<CpuBackend>(config, geometry);
}

}  // namespace cudame
