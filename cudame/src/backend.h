// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The interface of a backend. The context checks arguments and keeps references and fields from
// frame to frame. A backend owns pixels and searches them.

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
#include "cudame/whole_frame.h"

namespace cudame {

// Records of all macroblocks of a frame in raster order, in memory that the host can read. Each
// backend derives a class from this, which owns the memory.
template <class R>
struct Records {
    using Record = R;
    virtual ~Records() = default;
    Record* records = nullptr;
    size_t count = 0;
};

// The motion of a frame's macroblocks against one reference.
struct Field : Records<cudame_mb> {
    cudame_split* splits = nullptr;  // of the smaller blocks; NULL with CUDAME_MODE_FAST
};
using IntraField = Records<cudame_intra>;

// The pixels of a reference: the caller's plane, or a backend's copy of it.
class ReferenceBuffer {
  public:
    virtual ~ReferenceBuffer() = default;
    // Take rows of the plane that are final now. Calls come in the order of rows. Return the number
    // of bytes copied.
    virtual uint64_t AddRows(const cudame_plane& plane, int first_row, int rows) = 0;
};

// The search of one reference. Slots that name the same reference share one Search.
struct Search {
    std::shared_ptr<const ReferenceBuffer> reference;
    std::shared_ptr<const Field> previous;  // predicts vectors; NULL: the zero vector predicts
    std::shared_ptr<Field> field;           // to fill
};

struct FrameJob {
    cudame_plane source;
    // the same pixels in device memory; its data is NULL if there are none
    cudame_plane device_source;
    enum cudame_filter filter;
    const CostTables* costs;
    std::vector<Search> searches;
    std::shared_ptr<IntraField> intra;  // to fill, or NULL
    IntraRates intra_rates;
};

// Properties of a backend. All are false for the CPU backend: it reads host memory only, cannot
// fail, and makes a row in the thread that waits for it.
struct Capabilities {
    bool reads_device_memory = false;
    // The device may fail during a frame. Another backend can then continue.
    bool may_fail = false;
    // TryRow() may return without the row, and the CPU can make the row in a short time.
    bool rows_may_be_late = false;
    // The backend has CodeFrame().
    bool codes_frames = false;
};

constexpr std::chrono::nanoseconds kNoLimit = std::chrono::nanoseconds::max();

class Backend {
  public:
    virtual ~Backend() = default;
    virtual std::string Describe() const = 0;
    virtual enum cudame_backend kind() const = 0;  // only for the C interface; see capabilities()
    virtual Capabilities capabilities() const { return {}; }
    virtual int device() const { return -1; }  // CUDA ordinal; -1: none
    // Change the frame size, between frames. References and fields made before are not used again.
    virtual void Resize(const Geometry& geometry) = 0;
    // id: the caller's. FilterFrame() may have made this picture.
    virtual std::unique_ptr<ReferenceBuffer> CreateReference(uint64_t id,
                                                             const cudame_plane& plane) = 0;
    virtual std::shared_ptr<Field> CreateField(size_t mbs) = 0;
    virtual std::shared_ptr<IntraField> CreateIntraField(size_t mbs) = 0;

    // Persistent planes will be in this memory. Between frames.
    virtual void ExpectMemory(const uint8_t* /*begin*/, size_t /*size*/) {}
    // Stop using persistent host memory, which the caller frees next. Between frames.
    virtual void ForgetMemory() {}

    // Begin a frame. Its fields are filled row by row. The fields that predict it may come from
    // another backend.
    virtual void Begin(FrameJob job) = 0;
    // Wait until a row of all fields, or of the intra field, is filled. The row does not change
    // after that. Any thread may call these between Begin() and End().
    virtual void WaitRow(int mb_row) = 0;
    virtual void WaitIntraRow(int mb_row) = 0;
    // Wait no longer than the limit. The CPU backend ignores the limit. Return whether the row is
    // filled.
    virtual bool TryRow(int mb_row, std::chrono::nanoseconds /*limit*/) {
        WaitRow(mb_row);
        return true;
    }
    virtual bool TryIntraRow(int mb_row, std::chrono::nanoseconds /*limit*/) {
        WaitIntraRow(mb_row);
        return true;
    }
    // Make a pending record of a row that was waited for. One thread at a time for each row.
    virtual void CompleteSplit(const Field&, int /*mb_row*/, int /*mb_col*/) {}
    virtual void CompleteIntra(int /*mb_row*/, int /*mb_col*/, int /*parts*/) {}
    // Code the frame, whose fields and intra field these are, by slot. Waits for the result.
    virtual void CodeFrame(const Field* const /*fields*/[CUDAME_REFS],
                           const ReferenceBuffer* const /*others*/[CUDAME_REFS],
                           cudame_whole_frame* /*frame*/) {}
    // Filter the frame that CodeFrame() has coded.
    virtual void FilterFrame(const cudame_frame_filter& /*filter*/) {}
    // Start to try the levels of cudame_loop_filter_start(). All rows must have been waited for.
    virtual void StartLoopFilter(const cudame_loop_filter& filter) = 0;
    // Wait for the errors of these levels. If the caller does not call this, End() waits.
    virtual void LoopFilterErrors(uint32_t* errors) = 0;
    // End the frame: fill all rows. The backend reads neither source nor filter after that.
    virtual void End() = 0;
    // End the frame without the rows that nobody waited for, to save the CPU's time.
    virtual void Abandon() { End(); }

    // Sums since the backend was created, as in cudame_stats.
    virtual uint64_t search_ns() const = 0;
    virtual uint64_t source_bytes() const = 0;
};

struct BackendConfig {
    enum cudame_mode mode;
    enum cudame_search search;  // not DEFAULT
    int range;
    int level;  // of the lean search, 0..kLeanLevels - 1
    int threads;
    // For CUDA only, as in cudame_config.
    int device;
    void* cu_context;
    void* cu_stream;
    int band_rows;
    bool whole_frames;
};

}  // namespace cudame

#endif  // CUDAME_SRC_BACKEND_H_
