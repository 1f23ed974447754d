// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// What a backend is: the context checks arguments and keeps references and
// fields; a backend owns pixels and searches.

#ifndef CUDAME_SRC_BACKEND_H_
#define CUDAME_SRC_BACKEND_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "cudame/cudame.h"
#include "cudame/loop_filter.h"
#include "geometry.h"
#include "intra.h"
#include "mv_cost.h"

namespace cudame {

// Records of all macroblocks of a frame, in memory that the host can read,
// whatever else a backend keeps with them.
template <class R>
struct Records {
    using Record = R;
    virtual ~Records() = default;
    Record* records = nullptr;
    size_t count = 0;
};

// Against one reference; with those of the smaller blocks, unless the mode has none.
struct Field : Records<cudame_mb> {
    cudame_split* splits = nullptr;
};
using IntraField = Records<cudame_intra>;

// A reference's pixels, wherever the backend wants them.
class ReferenceBuffer {
  public:
    virtual ~ReferenceBuffer() = default;
    // Rows of the plane are final; they come in order. Returns bytes copied.
    virtual uint64_t AddRows(const cudame_plane& plane, int first_row, int rows) = 0;
};

// One reference to search. Slots that name the same buffer share one.
struct Search {
    std::shared_ptr<const ReferenceBuffer> reference;
    std::shared_ptr<const Field> previous;  // predicts; NULL: zero
    std::shared_ptr<Field> field;           // to fill
};

struct FrameJob {
    cudame_plane source;
    cudame_plane device_source;  // the same in device memory, unless its data is NULL
    enum cudame_filter filter;
    const CostTables* costs;
    std::vector<Search> searches;
    std::shared_ptr<IntraField> intra;  // to fill, or NULL
    IntraRates intra_rates;
};

class Backend {
  public:
    virtual ~Backend() = default;
    virtual std::string Describe() const = 0;
    virtual enum cudame_backend kind() const = 0;
    virtual void Resize(const Geometry& geometry) = 0;  // no frame is open
    virtual std::unique_ptr<ReferenceBuffer> CreateReference(const cudame_plane& plane) = 0;
    virtual std::shared_ptr<Field> CreateField(size_t mbs) = 0;
    virtual std::shared_ptr<IntraField> CreateIntraField(size_t mbs) = 0;

    // Persistent host memory may be freed after this; no frame is open.
    virtual void ForgetMemory() {}

    // Between Begin and End, the waits may be called from any threads. After
    // one returned, that row of all fields, or of the intra field, is filled and
    // does not change. Fields that predict may come from another backend.
    virtual void Begin(FrameJob job) = 0;
    virtual void WaitRow(int mb_row) = 0;
    virtual void WaitIntraRow(int mb_row) = 0;
    // What levels of the loop filter leave of the open frame's error, when all rows are
    // filled; not at the same time as other calls. Each start is followed by errors or End.
    virtual void StartLoopFilter(const cudame_loop_filter& filter) = 0;
    virtual void LoopFilterErrors(uint32_t* errors) = 0;
    virtual void End() = 0;  // all rows are filled; the source is not read any more

    virtual uint64_t search_ns() const = 0;
    virtual uint64_t source_bytes() const = 0;
};

struct BackendConfig {
    enum cudame_mode mode;
    enum cudame_search search;  // not DEFAULT
    int range;
    int threads;
    // CUDA only, as in cudame_config
    int device;
    void* cu_context;
    void* cu_stream;
    int band_rows;
};

}  // namespace cudame

#endif  // CUDAME_SRC_BACKEND_H_
