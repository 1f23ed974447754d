// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/integer_search.h"

#include "cuda/buffers.h"

namespace cudame {
namespace {

bool Refines(enum cudame_mode mode) { return mode == CUDAME_MODE_TEX || mode == CUDAME_MODE_FULL; }

const KernelInfo<IntegerParams>& IntegerKernel(const BackendConfig& config) {
    const bool refines = Refines(config.mode);
    if (config.search == CUDAME_SEARCH_FULL)
        return refines ? kernel::kFullInteger : kernel::kFullFinal;
    if (refines) return kernel::kDiamondInteger;
    return config.mode == CUDAME_MODE_FAST ? kernel::kDiamondFast : kernel::kDiamondSplit;
}

}  // namespace

IntegerSearch::IntegerSearch(const DevicePtr& device, const BackendConfig& config,
                             SearchResults* results)
    : config_(config),
      device_(device),
      results_(results),
      coarse_(device, kernel::kCoarse),
      integer_(device, IntegerKernel(config)),
      coarse_tile_(
          TileOf(kCoarseWindow.x1 - kCoarseWindow.x0 + 1, kCoarseWindow.y1 - kCoarseWindow.y0 + 1)),
      tile_(config.search == CUDAME_SEARCH_FULL ? TileOf(2 * config.range + 1, 2 * config.range + 1)
                                                : Tile()) {
    if (Refines(config.mode))
        refinement_.emplace(
            device, config.mode == CUDAME_MODE_TEX ? kernel::kRefineTex : kernel::kRefineSubpel,
            results);
}

void IntegerSearch::Resize(const Geometry& g) {
    g_ = g;
    for (int i = 0; i < kMaxSearches; i++) {
        seeds_[i] = BlockVectors(device_, CoarseGeometry(g).mbs());
        if (refinement_) vectors_[i] = BlockVectors(device_, g.mbs());
    }
}

void IntegerSearch::Begin(const FrameJob& job, const SourceUpload& source) {
    coarse_params_ = {};
    FillCoarse(&coarse_params_, job, source, g_, kMaxSearches);
    coarse_params_.range = kCoarseWindow.x1 + 1;
    coarse_params_.chunk_rows = coarse_tile_.chunk_rows;
    coarse_params_.cross = config_.mode == CUDAME_MODE_FAST;

    params_ = {};
    FillSearch(&params_, job, source, g_);
    results_->progress().Fill(&params_);
    params_.range = tile_.bytes ? config_.range : 0;
    params_.chunk_rows = tile_.chunk_rows;
    params_.iterative = config_.search == CUDAME_SEARCH_ITERATIVE;
    params_.coarse_cols = coarse_params_.mb_cols;
    for (int i = 0; i < params_.searches; i++) {
        IntegerParams::Ref& r = params_.refs[i];
        results_->Fill(&r, i, job.searches[static_cast<size_t>(i)]);
        coarse_params_.refs[i].integer = seeds_[i]->as<cudame_mv>();
        r.coarse = seeds_[i]->as<cudame_mv>();
        r.integer = refinement_ ? vectors_[i]->as<cudame_mv>() : nullptr;
    }
    if (refinement_) refinement_->Begin(job, source, g_, vectors_);
}

void IntegerSearch::SearchCoarse(CUstream stream, Rows rows) {
    const Rows coarse = CoarseRows(rows);
    coarse_params_.first_row = coarse.first;
    LaunchRows(coarse_, stream, coarse_params_, coarse.count(), coarse_tile_.bytes);
}

Rows IntegerSearch::Search(CUstream stream, Rows rows) {
    params_.first_row = rows.first;
    LaunchRows(integer_, stream, params_, rows.count(), tile_.bytes);
    return rows;
}

}  // namespace cudame
