// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The interface of the stages that search a frame against its references, and the data that they
// share.

#ifndef CUDAME_CUDA_SEARCH_STAGE_H_
#define CUDAME_CUDA_SEARCH_STAGE_H_

#include <memory>

#include "backend.h"
#include "common/coarse.h"
#include "cuda/buffers.h"
#include "cuda/device_memory.h"
#include "cuda/row_progress.h"
#include "cuda/search_params.h"
#include "cuda/source_upload.h"

namespace cudame {

// Rows of macroblocks.
struct Rows {
    int first, end;
    int count() const { return end - first; }
};

// The rows of the coarse level that rows of the frame lie in.
inline Rows CoarseRows(Rows rows) {
    return {rows.first / kCoarseScale, (rows.end + kCoarseScale - 1) / kCoarseScale};
}

// A search of a frame's references. Begin() takes the frame. Then, for rows from the first to the
// last, the backend calls SearchCoarse(), Search() and Refine(), each on the stream of its choice.
// Each reads results of the one before on the device. The context must be current for all methods.
class SearchStage {
  public:
    virtual ~SearchStage() = default;

    // Allocates for frames of this size, while no kernel runs.
    virtual void Resize(const Geometry& g) = 0;
    // Begins a frame: sets the parameters of all launches.
    virtual void Begin(const FrameJob& job, const SourceUpload& source) = 0;
    // Enqueues the search of the coarse level for rows of the frame. Reads the source and the
    // references' coarse planes.
    virtual void SearchCoarse(CUstream stream, Rows rows) = 0;
    // Enqueues the whole-pixel search of rows. Returns the rows whose whole-pixel vectors will be
    // final after it, which may lag behind `rows`.
    virtual Rows Search(CUstream stream, Rows rows) = 0;
    // Whether there is a sub-pel refinement. If not, Search() completes rows.
    virtual bool refines() const = 0;
    // Enqueues the refinement of rows that Search() returned. Completes the rows.
    virtual void Refine(CUstream stream, Rows rows) = 0;
};

// The results of a frame's searches: records on the device, and the progress of rows.
class SearchResults {
  public:
    SearchResults(const StreamsPtr& streams, bool splits)
        : device_(streams->device()), splits_wanted_(splits), progress_(streams, kRowCounters) {}

    void Resize(const Geometry& g) {
        const size_t mbs = static_cast<size_t>(g.mbs());
        progress_.Allocate(g.mb_rows);
        for (int i = 0; i < kMaxSearches; i++) {
            records_[i] = std::make_unique<DeviceBuffer>(device_, mbs * sizeof(cudame_mb));
            if (splits_wanted_)
                splits_[i] = std::make_unique<DeviceBuffer>(device_, mbs * sizeof(cudame_split));
        }
    }
    void Begin() { progress_.Begin(); }
    const RowProgress& progress() const { return progress_; }

    // Sets where a launch puts the results of search i.
    void Fill(RefOutput* r, int i, const cudame::Search& s) const {
        r->best = static_cast<const CudaField&>(*s.field).best();
        r->records = records_[i]->as<cudame_mb>();
        r->splits = splits_wanted_ ? splits_[i]->as<cudame_split>() : nullptr;
        r->host_records = s.field->records;
        r->host_splits = s.field->splits;
    }

  private:
    DevicePtr device_;
    const bool splits_wanted_;
    RowProgress progress_;
    std::unique_ptr<DeviceBuffer> records_[kMaxSearches], splits_[kMaxSearches];
};

// Sets the parameters that all kernels which search the frame itself have in common.
template <class Params>
void FillSearch(Params* p, const FrameJob& job, const SourceUpload& source, const Geometry& g) {
    p->src = source.plane().pixels();
    p->src_stride = source.plane().stride();
    p->costs = source.costs();
    p->mb_cols = g.mb_cols;
    p->mb_rows = g.mb_rows;
    p->sad_per_bit = job.costs->sad_per_bit;
    p->key_scale = 1u << kOrderBits;
    for (const cudame::Search& s : job.searches) {
        const DevicePlane& plane = static_cast<const CudaReference&>(*s.reference).plane();
        RefParams& r = p->refs[p->searches++];
        r.plane = plane.pixels();
        p->ref_stride = plane.stride();
        r.previous = s.previous ? static_cast<const CudaField&>(*s.previous).best() : nullptr;
    }
}

// The same on the coarse level, for the first `searches` references. It has no rates.
template <class Params>
void FillCoarse(Params* p, const FrameJob& job, const SourceUpload& source, const Geometry& g,
                size_t searches) {
    const Geometry coarse = CoarseGeometry(g);
    p->src = source.plane().pixels();
    p->src_stride = source.plane().stride();
    p->src_width = g.mb_width() / kCoarseScale;
    p->src_height = g.mb_height() / kCoarseScale;
    p->costs = source.costs();  // multiplied by a sad_per_bit of 0
    p->mb_cols = coarse.mb_cols;
    p->mb_rows = coarse.mb_rows;
    p->key_scale = 1u << kOrderBits;
    for (const cudame::Search& s : job.searches) {
        if (static_cast<size_t>(p->searches) == searches) break;
        const DevicePlane& plane = static_cast<const CudaReference&>(*s.reference).coarse();
        p->refs[p->searches++].plane = plane.pixels();
        p->ref_stride = plane.stride();
    }
}

// A buffer of all blocks' vectors for this many macroblocks.
inline std::unique_ptr<DeviceBuffer> BlockVectors(const DevicePtr& device, int mbs) {
    return std::make_unique<DeviceBuffer>(
        device, static_cast<size_t>(mbs) * CUDAME_BLOCKS * sizeof(cudame_mv));
}

}  // namespace cudame

#endif  // CUDAME_CUDA_SEARCH_STAGE_H_
