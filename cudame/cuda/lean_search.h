// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The lean search as a stage of the CUDA backend: a sparse coarse level, descents, passes in which
// macroblocks try the vectors of their neighbours, full searches for drawn macroblocks, and the
// sub-pel refinement.

#ifndef CUDAME_CUDA_LEAN_SEARCH_H_
#define CUDAME_CUDA_LEAN_SEARCH_H_

#include <memory>

#include "common/lean.h"
#include "cuda/kernel.h"
#include "cuda/search_stage.h"
#include "cuda/subpel.h"
#include "cuda/tile.h"

namespace cudame {

class LeanSearch : public SearchStage {
  public:
    LeanSearch(const StreamsPtr& streams, const LeanLevel& level, SearchResults* results);

    void Resize(const Geometry& g) override;
    void Begin(const FrameJob& job, const SourceUpload& source) override;
    void SearchCoarse(CUstream stream, Rows rows) override;
    Rows Search(CUstream stream, Rows rows) override;
    bool refines() const override { return true; }
    void Refine(CUstream stream, Rows rows) override { refinement_.Launch(stream, rows); }

  private:
    // The rows that a pass can do after the rows `done` are done up to the pass before. A pass
    // reads the rows around each row. Two arrays of vectors are enough: pass k of a band writes
    // rows before end - k - 1, and pass k - 1 of the next band, which reads the same array, reads
    // it from there on.
    Rows PassRows(Rows done) const;

    StreamsPtr streams_;
    const LeanLevel& level_;
    SearchResults* results_;
    LeanRefinement refinement_;
    const Kernel<LeanCoarseParams> coarse_;
    const Kernel<LeanParams> search_, spread_, drawn_;
    const Tile drawn_tile_;
    const unsigned drawn_blocks_;  // number of thread blocks that share a list; 0: no launch
    Geometry g_;
    // One buffer for each search: vectors of the coarse level, whole-pixel vectors, and LeanFound.
    std::unique_ptr<DeviceBuffer> seeds_[kMaxSearches], vectors_[kMaxSearches],
        found_[kMaxSearches];
    std::unique_ptr<DeviceBuffer> spread_vectors_[2];
    std::unique_ptr<DeviceBuffer> list_, list_counts_, least_, done_;  // see DrawnParams
    LeanCoarseParams coarse_params_ = {};                              // of the open frame
    LeanParams params_ = {};
};

}  // namespace cudame

#endif  // CUDAME_CUDA_LEAN_SEARCH_H_
