// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/subpel.h"

#include "cuda/buffers.h"

namespace cudame {

void Refinement::Begin(const FrameJob& job, const SourceUpload& source, const Geometry& g,
                       const VectorBuffers& vectors) {
    params_ = {};
    FillSearch(&params_, job, source, g);
    results_->progress().Fill(&params_);
    params_.filter = job.filter;
    for (int i = 0; i < params_.searches; i++) {
        results_->Fill(&params_.refs[i], i, job.searches[static_cast<size_t>(i)]);
        params_.refs[i].integer = vectors[i]->as<cudame_mv>();
    }
}

void Refinement::Launch(CUstream stream, Rows rows) {
    params_.first_row = rows.first;
    LaunchRows(kernel_, stream, params_, rows.count());
}

void LeanRefinement::Begin(const FrameJob& job, const SourceUpload& source, const Geometry& g,
                           const VectorBuffers& vectors, const VectorBuffers& found) {
    params_ = {};
    FillSearch(&params_, job, source, g);
    results_->progress().Fill(&params_);
    params_.level = level_;
    params_.still = level_.still * job.costs->sad_per_bit;
    params_.filter = job.filter;
    for (int i = 0; i < params_.searches; i++) {
        const cudame::Search& s = job.searches[static_cast<size_t>(i)];
        LeanRefineParams::Ref& r = params_.refs[i];
        results_->Fill(&r, i, s);
        r.integer = vectors[i]->as<cudame_mv>();
        for (int n = 0; n < 3; n++)
            r.half[n] = static_cast<const CudaReference&>(*s.reference).half_pel(n).pixels();
        r.found = found[i]->as<LeanFound>();
    }
}

void LeanRefinement::Launch(CUstream stream, Rows rows) {
    params_.first_row = rows.first;
    LaunchRows(kernel_, stream, params_, rows.count());
}

}  // namespace cudame
