// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The interface of a backend. The context checks arguments, and keeps references and
// fields from frame to frame; a backend owns pixels and searches them.

#ifndef CUDAME_SRC_BACKEND_H_
#define CUDAME_SRC_BACKEND_H_

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/geometry.h"
#include "common/intra.h"
#include "common/mv_cost.h"
#include "cudame/cudame.h"
#include "cudame/loop_filter.h"

namespace cudame {

// Records of all macroblocks of a frame in raster order, in memory that the host can
// read. A backend derives from it to own that memory.
template <class R>
struct Records {
    using Record = R;
    virtual ~Records() = default;
    Record* records = nullptr;
    size_t count = 0;
};

// Motion against one reference.
struct Field : Records<cudame_mb> {
    cudame_split* splits = nullptr;  // of the smaller blocks; NULL with CUDAME_MODE_FAST
};
using IntraField = Records<cudame_intra>;

// A reference's pixels: the caller's plane, or a backend's copy of it.
class ReferenceBuffer {
  public:
    virtual ~ReferenceBuffer() = default;
    // Takes rows of the plane that are final now; calls come in the order of rows. Returns
    // the number of bytes copied.
    virtual uint64_t AddRows(const cudame_plane& plane, int first_row, int rows) = 0;
};

// The search of one reference. Slots that name the same buffer share one.
struct Search {
    std::shared_ptr<const ReferenceBuffer> reference;
    std::shared_ptr<const Field> previous;  // predicts vectors; NULL: zero does
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

constexpr std::chrono::nanoseconds kNoLimit = std::chrono::nanoseconds::max();

class Backend {
  public:
    virtual ~Backend() = default;
    virtual std::string Describe() const = 0;
    virtual enum cudame_backend kind() const = 0;
    virtual int device() const { return -1; }  // CUDA ordinal
    // Between frames; references and fields made before are not used again.
    virtual void Resize(const Geometry& geometry) = 0;
    virtual std::unique_ptr<ReferenceBuffer> CreateReference(const cudame_plane& plane) = 0;
    virtual std::shared_ptr<Field> CreateField(size_t mbs) = 0;
    virtual std::shared_ptr<IntraField> CreateIntraField(size_t mbs) = 0;

    // Stops using persistent host memory, which may be freed then. Between frames.
    virtual void ForgetMemory() {}

    // Begins a frame, whose fields are filled row by row. Fields that predict it may come
    // from another backend.
    virtual void Begin(FrameJob job) = 0;
    // Wait until a row of all fields, or of the intra field, is filled; it does not change
    // then. Between Begin() and End(), from any thread.
    virtual void WaitRow(int mb_row) = 0;
    virtual void WaitIntraRow(int mb_row) = 0;
    // The same, but no longer than the limit, or as long as the CPU searches; whether the row is
    // filled.
    virtual bool TryRow(int mb_row, std::chrono::nanoseconds /*limit*/) {
        WaitRow(mb_row);
        return true;
    }
    virtual bool TryIntraRow(int mb_row, std::chrono::nanoseconds /*limit*/) {
        WaitIntraRow(mb_row);
        return true;
    }
    // Make a record that is pending, of a row that was waited for; of a row, one thread at a
    // time.
    virtual void CompleteSplit(const Field&, int /*mb_row*/, int /*mb_col*/) {}
    virtual void CompleteIntra(int /*mb_row*/, int /*mb_col*/, int /*parts*/) {}
    // Starts cudame_loop_filter_start()'s trials, when all rows have been waited for.
    virtual void StartLoopFilter(const cudame_loop_filter& filter) = 0;
    // Waits for their errors. Without this call End() waits.
    virtual void LoopFilterErrors(uint32_t* errors) = 0;
    // Ends the frame: fills all rows, and reads neither source nor filter any more.
    virtual void End() = 0;
    // Ends it without the rows that nobody waited for, which take a CPU's time.
    virtual void Abandon() { End(); }

    // Sums since the backend was created, as in cudame_stats.
    virtual uint64_t search_ns() const = 0;
    virtual uint64_t source_bytes() const = 0;
};

struct BackendConfig {
    enum cudame_mode mode;
    enum cudame_search search;  // not DEFAULT
    int range;
    int level;  // of the lean search
    int threads;
    // CUDA only, as in cudame_config
    int device;
    void* cu_context;
    void* cu_stream;
    int band_rows;
};

}  // namespace cudame

#endif  // CUDAME_SRC_BACKEND_H_
