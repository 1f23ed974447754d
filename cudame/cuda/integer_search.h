// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The stage of the papers' searches: a coarse level, then diamonds or full search, then a sub-pel
// refinement, if the mode has one.

#ifndef CUDAME_CUDA_INTEGER_SEARCH_H_
#define CUDAME_CUDA_INTEGER_SEARCH_H_

#include <memory>
#include <optional>

#include "cuda/kernel.h"
#include "cuda/search_stage.h"
#include "cuda/subpel.h"
#include "cuda/tile.h"

namespace cudame {

class IntegerSearch : public SearchStage {
  public:
    IntegerSearch(const DevicePtr& device, const BackendConfig& config, SearchResults* results);

    void Resize(const Geometry& g) override;
    void Begin(const FrameJob& job, const SourceUpload& source) override;
    void SearchCoarse(CUstream stream, Rows rows) override;
    Rows Search(CUstream stream, Rows rows) override;
    bool refines() const override { return refinement_.has_value(); }
    void Refine(CUstream stream, Rows rows) override { refinement_->Launch(stream, rows); }

  private:
    const BackendConfig config_;
    DevicePtr device_;
    SearchResults* results_;
    std::optional<Refinement> refinement_;
    const Kernel<CoarseParams> coarse_;
    const Kernel<IntegerParams> integer_;
    const Tile coarse_tile_, tile_;
    Geometry g_;
    // By reference: vectors of the coarse level, and whole-pixel vectors for the refinement.
    std::unique_ptr<DeviceBuffer> seeds_[kMaxSearches], vectors_[kMaxSearches];
    CoarseParams coarse_params_ = {};  // of the open frame
    IntegerParams params_ = {};
};

}  // namespace cudame

#endif  // CUDAME_CUDA_INTEGER_SEARCH_H_
