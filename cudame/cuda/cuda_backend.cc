// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The CUDA backend: uploads, launches by bands of rows, and progress that the
// device writes into pinned memory row by row, so that waiting for a row makes
// no driver call (grossi-2018 section 3.2 goes by stream and copy instead).

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <thread>
#include <utility>

#include "backend.h"
#include "coarse.h"
#include "cuda/device_memory.h"
#include "cuda/params.h"
#include "error.h"
#include "plane.h"

namespace cudame {
namespace {

constexpr int kBorder = CUDAME_REF_BORDER;
constexpr int kFullTileBytes = 40 * 1024;
constexpr int kMaxOrder = (1 << 15) - 8;  // of search_list.cuh's keys

using DevicePtr = std::shared_ptr<const Device>;

size_t Align(size_t n, size_t to) { return (n + to - 1) / to * to; }

// Records in pinned memory, where the kernels write them.
class CudaField : public Field {
  public:
    CudaField(const DevicePtr& device, size_t mbs)
        : host_(device, mbs * sizeof(cudame_mb)), best_(device, mbs * sizeof(cudame_mv)) {
        records = host_.as<cudame_mb>();
        count = mbs;
    }
    cudame_mv* best() const { return best_.as<cudame_mv>(); }

  private:
    PinnedBuffer host_;
    DeviceBuffer best_;
};

// A plane on the device, with borders.
class DevicePlane {
  public:
    DevicePlane(const DevicePtr& device, const Geometry& g, int border)
        : g_(g),
          border_(border),
          stride_(Align(static_cast<size_t>(g.mb_width()) + 2 * static_cast<size_t>(border), 128)),
          // The kernels read whole words, up to eight bytes past a row.
          memory_(device,
                  stride_ * (static_cast<size_t>(g.mb_height()) + 2 * static_cast<size_t>(border)) +
                      64) {}

    int stride() const { return static_cast<int>(stride_); }
    CUdeviceptr origin() const {
        return memory_.address() + static_cast<size_t>(border_) * (stride_ + 1);
    }
    const Geometry& geometry() const { return g_; }
    int border() const { return border_; }

  private:
    Geometry g_;
    int border_;
    size_t stride_;
    DeviceBuffer memory_;
};

// Pinned memory that an upload is reading from.
struct Staging {
    Staging(const DevicePtr& device, size_t size)
        : memory(device, size), read(device, CU_EVENT_DISABLE_TIMING) {}
    PinnedBuffer memory;
    Event read;
    bool busy = false;
};

// Copies planes to the device, in the order of its stream.
class Uploader {
  public:
    explicit Uploader(DevicePtr device)
        : device_(std::move(device)),
          pad_(device_->Function("cudame_pad")),
          shrink_(device_->Function("cudame_shrink")) {}

    void Resize(const Geometry& g) {
        ring_.clear();
        pitch_ = Align(static_cast<size_t>(g.mb_width()), 64);
        for (int i = 0; i < 3; i++)
            ring_.push_back(
                std::make_unique<Staging>(device_, pitch_ * static_cast<size_t>(g.mb_height())));
    }

    // Returns bytes.
    uint64_t Upload(const cudame_plane& plane, int first, int rows, const DevicePlane& to) {
        const Driver& driver = device_->driver();
        const Geometry& g = to.geometry();
        const int width = std::min(plane.width, g.mb_width());
        const int height = UsedRows(plane, g);
        const int end = std::min(first + rows, height);
        if (end <= first) return 0;

        CUDA_MEMCPY2D copy = {};
        copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
        copy.dstDevice =
            to.origin() + static_cast<size_t>(first) * static_cast<size_t>(to.stride());
        copy.dstPitch = static_cast<size_t>(to.stride());
        copy.WidthInBytes = static_cast<size_t>(width);
        copy.Height = static_cast<size_t>(end - first);
        Staging* staging = nullptr;
        if (plane.on_device) {
            copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
            copy.srcDevice = reinterpret_cast<CUdeviceptr>(plane.data) +
                             static_cast<size_t>(first) * static_cast<size_t>(plane.stride);
            copy.srcPitch = static_cast<size_t>(plane.stride);
        } else {
            staging = ring_[next_].get();
            next_ = (next_ + 1) % ring_.size();
            if (staging->busy) CUDAME_CHECK(driver, cuEventSynchronize(staging->read.get()));
            uint8_t* p = staging->memory.as<uint8_t>();
            for (int y = first; y < end; y++, p += pitch_)
                memcpy(p, plane.data + y * plane.stride, static_cast<size_t>(width));
            copy.srcMemoryType = CU_MEMORYTYPE_HOST;
            copy.srcHost = staging->memory.as<uint8_t>();
            copy.srcPitch = pitch_;
        }
        CUDAME_CHECK(driver, cuMemcpy2DAsync(&copy, device_->stream()));
        if (staging) {
            CUDAME_CHECK(driver, cuEventRecord(staging->read.get(), device_->stream()));
            staging->busy = true;
        }
        Pad(width, height, first, end, to);
        return static_cast<uint64_t>(width) * static_cast<uint64_t>(end - first);
    }

    // The coarse plane of a whole plane.
    void Shrink(const DevicePlane& from, const DevicePlane& to) {
        ShrinkParams p = {};
        p.from = reinterpret_cast<const uint8_t*>(from.origin());
        p.to = reinterpret_cast<uint8_t*>(to.origin());
        p.from_stride = from.stride();
        p.to_stride = to.stride();
        p.width = from.geometry().mb_width() / kCoarseScale;
        p.height = from.geometry().mb_height() / kCoarseScale;
        void* args[] = {&p};
        CUDAME_CHECK(device_->driver(),
                     cuLaunchKernel(shrink_, static_cast<unsigned>(p.width / 4 + 63) / 64,
                                    static_cast<unsigned>(p.height), 1, 64, 1, 1, 0,
                                    device_->stream(), args, nullptr));
        Pad(p.width, p.height, 0, p.height, to);
    }

  private:
    void Pad(int width, int height, int first, int end, const DevicePlane& to) {
        const Geometry& g = to.geometry();
        PadParams p = {};
        p.plane = reinterpret_cast<uint8_t*>(to.origin());
        p.stride = to.stride();
        p.width = width;
        p.height = height;
        p.padded_width = g.mb_width();
        p.padded_height = g.mb_height();
        p.border = to.border();
        if (!p.border && width == g.mb_width() && height == g.mb_height()) return;
        int from = first ? first + p.border : 0;
        const int to_row = (end == height ? p.padded_height + p.border : end) + p.border;
        const unsigned words = static_cast<unsigned>(p.padded_width + 2 * p.border) / 4;
        void* args[] = {&p, &from};
        CUDAME_CHECK(device_->driver(),
                     cuLaunchKernel(pad_, (words + 127) / 128, static_cast<unsigned>(to_row - from),
                                    1, 128, 1, 1, 0, device_->stream(), args, nullptr));
    }

    DevicePtr device_;
    CUfunction pad_, shrink_;
    std::vector<std::unique_ptr<Staging>> ring_;
    size_t next_ = 0, pitch_ = 0;
};

// Planes of retired references, for the next ones: allocating takes longer than
// an upload. The order of the stream keeps the last reader before the next
// writer.
class PlanePool {
  public:
    struct Planes {
        DevicePlane frame, coarse;
    };

    void Resize(const Geometry& g) {
        std::lock_guard<std::mutex> lock(mutex_);
        g_ = g;
        free_.clear();
    }
    std::unique_ptr<Planes> Get(const DevicePtr& device) {
        std::lock_guard<std::mutex> lock(mutex_);
        if (free_.empty())
            return std::unique_ptr<Planes>(
                new Planes{{device, g_, kBorder}, {device, CoarseGeometry(g_), kBorder}});
        std::unique_ptr<Planes> planes = std::move(free_.back());
        free_.pop_back();
        return planes;
    }
    void Put(std::unique_ptr<Planes> planes) {
        std::lock_guard<std::mutex> lock(mutex_);
        const Geometry& g = planes->frame.geometry();
        if (g.width == g_.width && g.height == g_.height && free_.size() < kMaxSearches + 1)
            free_.push_back(std::move(planes));
    }

  private:
    std::mutex mutex_;
    Geometry g_;
    std::vector<std::unique_ptr<Planes>> free_;
};

class CudaReference : public ReferenceBuffer {
  public:
    CudaReference(const DevicePtr& device, const std::shared_ptr<PlanePool>& pool,
                  Uploader* uploader)
        : device_(device), pool_(pool), uploader_(uploader), planes_(pool->Get(device)) {}
    ~CudaReference() override { pool_->Put(std::move(planes_)); }
    uint64_t AddRows(const cudame_plane& plane, int first_row, int rows) override {
        CurrentContext current(device_->driver(), device_->context());
        const uint64_t bytes = uploader_->Upload(plane, first_row, rows, planes_->frame);
        if (first_row + rows >= UsedRows(plane, planes_->frame.geometry()))
            uploader_->Shrink(planes_->frame, planes_->coarse);
        return bytes;
    }
    const DevicePlane& plane() const { return planes_->frame; }
    const DevicePlane& coarse() const { return planes_->coarse; }

  private:
    DevicePtr device_;
    std::shared_ptr<PlanePool> pool_;
    Uploader* uploader_;
    std::unique_ptr<PlanePool::Planes> planes_;
};

class CudaBackend : public Backend {
  public:
    CudaBackend(const BackendConfig& config, const Geometry& g)
        : config_(config),
          device_(std::make_shared<Device>(config.cu_context, config.device)),
          uploader_(device_) {
        CurrentContext current(device_->driver(), device_->context());
        const bool diamond = config.search != CUDAME_SEARCH_FULL;
        const bool subpel = config.mode == CUDAME_MODE_FULL;
        const bool split = config.mode != CUDAME_MODE_FAST;
        search_ =
            device_->Function(!diamond ? (subpel ? "cudame_full_integer" : "cudame_full_final")
                              : subpel ? "cudame_diamond_integer"
                              : split  ? "cudame_diamond_split"
                                       : "cudame_diamond_fast");
        if (subpel) subpel_ = device_->Function("cudame_refine_subpel");
        if (!diamond) full_ = FullTile(config.range);
        coarse_search_ = device_->Function("cudame_full_integer");
        start_ = std::make_unique<Event>(device_, CU_EVENT_DEFAULT);
        end_ = std::make_unique<Event>(device_, CU_EVENT_DEFAULT);
        source_ready_ = std::make_unique<Event>(device_, CU_EVENT_DISABLE_TIMING);
        costs_ = std::make_unique<DeviceBuffer>(device_, 2 * kCostEntries * sizeof(int));
        host_costs_ = std::make_unique<PinnedBuffer>(device_, 2 * kCostEntries * sizeof(int));
        Allocate(g);
    }

    ~CudaBackend() override {
        // Nothing of ours may be freed under a running kernel; errors do not matter here.
        CUcontext ignored;
        const Driver& driver = device_->driver();
        if (driver->cuCtxPushCurrent(device_->context()) == CUDA_SUCCESS) {
            driver->cuStreamSynchronize(device_->stream());
            driver->cuCtxPopCurrent(&ignored);
        }
    }

    std::string Describe() const override { return "CUDA backend, " + device_->name(); }

    enum cudame_backend kind() const override { return CUDAME_BACKEND_CUDA; }

    void Resize(const Geometry& g) override {
        CurrentContext current(device_->driver(), device_->context());
        CUDAME_CHECK(device_->driver(), cuStreamSynchronize(device_->stream()));
        Allocate(g);
    }

    std::unique_ptr<ReferenceBuffer> CreateReference(const cudame_plane&) override {
        CurrentContext current(device_->driver(), device_->context());
        return std::make_unique<CudaReference>(device_, pool_, &uploader_);
    }

    std::shared_ptr<Field> CreateField(size_t mbs) override {
        CurrentContext current(device_->driver(), device_->context());
        return std::make_shared<CudaField>(device_, mbs);
    }

    void Begin(FrameJob job) override {
        const Driver& driver = device_->driver();
        CurrentContext current(driver, device_->context());
        CUstream stream = device_->stream();
        job_ = std::move(job);
        sequence_++;

        if (job_.source.on_device && config_.cu_stream) {
            CUDAME_CHECK(driver, cuEventRecord(source_ready_->get(),
                                               static_cast<CUstream>(config_.cu_stream)));
            CUDAME_CHECK(driver, cuStreamWaitEvent(stream, source_ready_->get(), 0));
        }
        CUDAME_CHECK(driver, cuEventRecord(start_->get(), stream));
        source_bytes_ += uploader_.Upload(job_.source, 0, job_.source.height, *source_);
        int* costs = host_costs_->as<int>();
        std::copy(job_.costs->row.begin(), job_.costs->row.end(), costs);
        std::copy(job_.costs->col.begin(), job_.costs->col.end(), costs + kCostEntries);
        CUDAME_CHECK(driver, cuMemcpyHtoDAsync(costs_->address(), costs,
                                               2 * kCostEntries * sizeof(int), stream));
        CUDAME_CHECK(driver,
                     cuMemsetD8Async(finished_->address(), 0,
                                     sizeof(uint32_t) * static_cast<size_t>(g_.mb_rows), stream));
        if (!job_.searches.empty()) LaunchCoarse();
        LaunchParams p = MakeParams();
        const int band = config_.band_rows ? config_.band_rows : DefaultBand();
        for (int row = 0; row < g_.mb_rows && p.searches; row += band) {
            p.first_row = row;
            Launch(p, std::min(band, g_.mb_rows - row));
        }
        CUDAME_CHECK(driver, cuEventRecord(end_->get(), stream));
        open_ = true;
    }

    void WaitRow(int mb_row) override {
        if (job_.searches.empty() || Done(mb_row)) return;
        // The device is usually ahead. Else: look closely for a while, then
        // give the core away between looks; every millisecond ask for errors.
        using std::chrono::microseconds;
        const auto begin = std::chrono::steady_clock::now();
        microseconds next_check(1000);
        for (int i = 1; !Done(mb_row); i++) {
            if (i % 64) continue;
            const auto waited = std::chrono::steady_clock::now() - begin;
            if (waited > microseconds(200)) std::this_thread::yield();
            if (waited < next_check) continue;
            CheckAlive(mb_row);
            next_check += microseconds(1000);
        }
    }

    void End() override {
        if (!open_) return;
        open_ = false;
        const Driver& driver = device_->driver();
        CurrentContext current(driver, device_->context());
        job_.source = {};
        CUDAME_CHECK(driver, cuEventSynchronize(end_->get()));
        float ms = 0;
        driver.Check(driver.cuEventElapsedTime(&ms, start_->get(), end_->get()),
                     "cuEventElapsedTime");
        search_ns_ += static_cast<uint64_t>(static_cast<double>(ms) * 1e6);
        job_ = {};
    }

    uint64_t search_ns() const override { return search_ns_; }
    uint64_t source_bytes() const override { return source_bytes_; }

  private:
    // The paper's two rows cost more in launches than they gain; the first row
    // of the fast searches is back before the encoder asks for it, and the
    // slow one is split so that it is.
    int DefaultBand() const { return subpel_ ? 8 : g_.mb_rows; }

    void Allocate(const Geometry& g) {
        g_ = g;
        const size_t rows = static_cast<size_t>(g.mb_rows), mbs = static_cast<size_t>(g.mbs());
        uploader_.Resize(g);
        pool_->Resize(g);
        source_ = std::make_unique<DevicePlane>(device_, g, 0);
        finished_ = std::make_unique<DeviceBuffer>(device_, rows * sizeof(uint32_t));
        progress_ = std::make_unique<PinnedBuffer>(device_, rows * sizeof(uint32_t));
        memset(progress_->as<uint32_t>(), 0, rows * sizeof(uint32_t));
        sequence_ = 0;
        const Geometry coarse = CoarseGeometry(g);
        const size_t coarse_mbs = static_cast<size_t>(coarse.mbs());
        coarse_source_ = std::make_unique<DevicePlane>(device_, coarse, 0);
        coarse_field_ = std::make_unique<DeviceBuffer>(device_, coarse_mbs * sizeof(cudame_mb));
        for (int i = 0; i < kMaxSearches; i++) {
            constexpr size_t kMvs = CUDAME_BLOCKS * sizeof(cudame_mv);
            seeds_[i] = std::make_unique<DeviceBuffer>(device_, coarse_mbs * kMvs);
            if (subpel_) integer_[i] = std::make_unique<DeviceBuffer>(device_, mbs * kMvs);
        }
    }

    // How a box of vectors is cut into tiles of reference pixels.
    struct Tile {
        int chunk_rows = 0;
        unsigned bytes = 0;
    };
    static Tile FullTile(int range) {
        const int n = 2 * range + 1;
        const int row_bytes = 4 * ((n + 15 + 3) / 4 + 2);
        // Whole columns of four vectors; the last one reads three rows more.
        const int rows = std::min({n + 3, kMaxOrder / n, kFullTileBytes / row_bytes - 15 - 3});
        Tile tile;
        tile.chunk_rows = std::max(rows / 4 * 4, 4);
        tile.bytes = static_cast<unsigned>((tile.chunk_rows + 15 + 3) * row_bytes);
        return tile;
    }

    // The coarse level of all searches, before the frame's own.
    void LaunchCoarse() {
        const Geometry g = CoarseGeometry(g_);
        uploader_.Shrink(*source_, *coarse_source_);
        LaunchParams p = {};
        p.src = reinterpret_cast<const uint8_t*>(coarse_source_->origin());
        p.costs = costs_->as<int>();  // times a sad_per_bit of zero
        p.src_stride = coarse_source_->stride();
        p.mb_cols = g.mb_cols;
        p.mb_rows = g.mb_rows;
        p.range = kCoarseRange;
        p.chunk_rows = coarse_.chunk_rows;
        p.split = 1;
        for (const Search& s : job_.searches) {
            const DevicePlane& plane = static_cast<const CudaReference&>(*s.reference).coarse();
            RefParams& r = p.refs[p.searches];
            r.plane = reinterpret_cast<const uint8_t*>(plane.origin());
            p.ref_stride = plane.stride();
            r.integer = seeds_[p.searches]->as<cudame_mv>();
            r.field = coarse_field_->as<cudame_mb>();  // its few bytes are not used
            p.searches++;
        }
        void* args[] = {&p};
        CUDAME_CHECK(device_->driver(),
                     cuLaunchKernel(coarse_search_, static_cast<unsigned>(g.mb_cols),
                                    static_cast<unsigned>(g.mb_rows * p.searches), 1, 128, 1, 1,
                                    coarse_.bytes, device_->stream(), args, nullptr));
    }

    LaunchParams MakeParams() const {
        LaunchParams p = {};
        p.src = reinterpret_cast<const uint8_t*>(source_->origin());
        p.costs = costs_->as<int>();
        p.src_stride = source_->stride();
        p.mb_cols = g_.mb_cols;
        p.mb_rows = g_.mb_rows;
        p.sad_per_bit = job_.costs->sad_per_bit;
        p.range = config_.range;
        p.chunk_rows = full_.chunk_rows;
        p.coarse_cols = CoarseGeometry(g_).mb_cols;
        p.filter = job_.filter;
        p.split = config_.mode != CUDAME_MODE_FAST;
        p.iterative = config_.search == CUDAME_SEARCH_ITERATIVE;
        p.sequence = sequence_;
        p.finished = finished_->as<uint32_t>();
        p.progress = progress_->as<uint32_t>();
        for (const Search& s : job_.searches) {
            const DevicePlane& plane = static_cast<const CudaReference&>(*s.reference).plane();
            RefParams& r = p.refs[p.searches];
            r.plane = reinterpret_cast<const uint8_t*>(plane.origin());
            p.ref_stride = plane.stride();
            r.previous = s.previous ? static_cast<const CudaField&>(*s.previous).best() : nullptr;
            r.best = static_cast<const CudaField&>(*s.field).best();
            r.field = s.field->records;
            r.integer = subpel_ ? integer_[p.searches]->as<cudame_mv>() : nullptr;
            r.coarse = seeds_[p.searches]->as<cudame_mv>();
            p.searches++;
        }
        return p;
    }

    void Launch(LaunchParams& p, int rows) {
        const Driver& driver = device_->driver();
        void* args[] = {&p};
        const unsigned cols = static_cast<unsigned>(p.mb_cols);
        const unsigned y = static_cast<unsigned>(rows * p.searches);
        CUDAME_CHECK(driver, cuLaunchKernel(search_, cols, y, 1, 128, 1, 1, full_.bytes,
                                            device_->stream(), args, nullptr));
        if (subpel_)
            CUDAME_CHECK(driver, cuLaunchKernel(subpel_, (cols + 1) / 2, y, 1, 160, 1, 1, 0,
                                                device_->stream(), args, nullptr));
    }

    bool Done(int mb_row) const {
        return __atomic_load_n(progress_->as<uint32_t>() + mb_row, __ATOMIC_ACQUIRE) == sequence_;
    }

    // Throws if the device will never finish this row.
    void CheckAlive(int mb_row) const {
        const Driver& driver = device_->driver();
        CurrentContext current(driver, device_->context());
        const CUresult state = driver->cuStreamQuery(device_->stream());
        if (state == kErrorNotReady) return;
        driver.Check(state, "cuStreamQuery");
        if (!Done(mb_row)) throw Error(CUDAME_ERROR_DEVICE, "the device finished without a result");
    }

    const BackendConfig config_;
    DevicePtr device_;
    Uploader uploader_;
    const std::shared_ptr<PlanePool> pool_ = std::make_shared<PlanePool>();
    Geometry g_;
    CUfunction search_ = nullptr, subpel_ = nullptr, coarse_search_ = nullptr;
    Tile full_;
    const Tile coarse_ = FullTile(kCoarseRange);
    std::unique_ptr<Event> start_, end_, source_ready_;
    std::unique_ptr<DeviceBuffer> costs_, finished_, integer_[kMaxSearches], seeds_[kMaxSearches],
        coarse_field_;
    std::unique_ptr<PinnedBuffer> host_costs_, progress_;
    std::unique_ptr<DevicePlane> source_, coarse_source_;
    FrameJob job_;
    uint32_t sequence_ = 0;
    bool open_ = false;
    uint64_t search_ns_ = 0, source_bytes_ = 0;
};

}  // namespace

std::unique_ptr<Backend> CreateCudaBackend(const BackendConfig& config, const Geometry& geometry) {
    return std::make_unique<CudaBackend>(config, geometry);
}

}  // namespace cudame
