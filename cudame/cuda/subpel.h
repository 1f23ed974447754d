// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The stage that refines whole-pixel vectors to quarter pixels, and completes rows. Refinement is
// that of the papers' searches, LeanRefinement that of the lean search.

#ifndef CUDAME_CUDA_SUBPEL_H_
#define CUDAME_CUDA_SUBPEL_H_

#include <memory>

#include "common/lean.h"
#include "cuda/kernel.h"
#include "cuda/search_stage.h"

namespace cudame {

using VectorBuffers = std::unique_ptr<DeviceBuffer>[kMaxSearches];

class Refinement {
  public:
    Refinement(const DevicePtr& device, const KernelInfo<RefineParams>& kernel,
               SearchResults* results)
        : kernel_(device, kernel), results_(results) {}

    // vectors: the whole-pixel vectors of all blocks, one buffer for each search.
    void Begin(const FrameJob& job, const SourceUpload& source, const Geometry& g,
               const VectorBuffers& vectors);
    // Enqueues the refinement of rows whose whole-pixel vectors are final.
    void Launch(CUstream stream, Rows rows);

  private:
    const Kernel<RefineParams> kernel_;
    SearchResults* results_;
    RefineParams params_ = {};  // of the open frame
};

class LeanRefinement {
  public:
    LeanRefinement(const DevicePtr& device, const LeanLevel& level, SearchResults* results)
        : kernel_(device, kernel::kLeanRefine), level_(level), results_(results) {}

    // vectors: as above. found: LeanFound of all macroblocks, one buffer for each search.
    void Begin(const FrameJob& job, const SourceUpload& source, const Geometry& g,
               const VectorBuffers& vectors, const VectorBuffers& found);
    // Enqueues the refinement of rows whose whole-pixel vectors are final.
    void Launch(CUstream stream, Rows rows);

  private:
    const Kernel<LeanRefineParams> kernel_;
    const LeanLevel& level_;
    SearchResults* results_;
    LeanRefineParams params_ = {};  // of the open frame
};

}  // namespace cudame

#endif  // CUDAME_CUDA_SUBPEL_H_
