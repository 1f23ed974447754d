// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/cuda_backend.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "common/coarse.h"
#include "common/error.h"
#include "cuda/buffers.h"
#include "cuda/device_memory.h"
#include "cuda/intra_estimate.h"
#include "cuda/kernel.h"
#include "cuda/kernel_table.h"
#include "cuda/lean_drawn.h"
#include "cuda/loop_filter_errors.h"
#include "cuda/params.h"
#include "cuda/pieces.h"
#include "cuda/row_progress.h"
#include "cuda/upload.h"

namespace cudame {
namespace {

class CudaBackend : public Backend {
  public:
    CudaBackend(const BackendConfig& config, const Geometry& g)
        : config_(config),
          kernels_(KernelsOf(config.mode, config.search)),
          device_(std::make_shared<Device>(config.cu_context, config.device)),
          coarse_(device_, kernels_.coarse),
          integer_(device_, kernels_.integer),
          spread_(device_, IsLean() ? &kernel::kLeanSpread : nullptr),
          refine_(device_, kernels_.refine),
          drawn_(device_, IsLean() ? kLeanLevel[config.level].drawn : 0),
          uploader_(device_),
          progress_(device_, kRowCounters),
          intra_(device_),
          loop_filter_(device_, config.threads > 1) {
        CurrentContext current(device_->driver(), device_->context());
        // The front's streams have priority. They get the sub-pel search, which completes
        // rows. With a diamond and one caller they also get what everything waits for: the
        // integer search, or without sub-pel search the coarse level. With several callers
        // that would let the bands in front wait for the search of those behind them.
        coarse_streams_ = {Device::kBack, Device::kBack2};
        search_streams_ = {Device::kBack3, Device::kFront};
        if (OneStream()) {
            coarse_streams_ = search_streams_ = {Device::kCopy, Device::kCopy};
        } else if (config.threads == 1 && (config.search == CUDAME_SEARCH_DIAMOND ||
                                           config.search == CUDAME_SEARCH_ITERATIVE)) {
            if (refine_) {
                search_streams_[0] = Device::kFront2;
            } else {
                coarse_streams_ = {Device::kFront, Device::kFront2};
                search_streams_ = {Device::kBack, Device::kBack2};
            }
        }
        for (auto* events : {&start_, &end_})
            for (auto& event : *events) event = std::make_unique<Event>(device_, CU_EVENT_DEFAULT);
        costs_ = std::make_unique<DeviceBuffer>(device_, 2 * kCostEntries * sizeof(int));
        host_costs_ = std::make_unique<PinnedBuffer>(device_, 2 * kCostEntries * sizeof(int));
        Allocate(g);
    }

    ~CudaBackend() override {
        // A kernel may still use what is freed here.
        device_->SynchronizeQuietly();
    }

    std::string Describe() const override { return "CUDA backend, " + device_->name(); }

    enum cudame_backend kind() const override { return CUDAME_BACKEND_CUDA; }

    // The CPU makes a row of the lean search in little time.
    Capabilities capabilities() const override {
        return {true, true, config_.search == CUDAME_SEARCH_LEAN};
    }

    int device() const override { return device_->ordinal(); }

    void Resize(const Geometry& g) override {
        CurrentContext current(device_->driver(), device_->context());
        for (int i = 0; i < Device::kStreams; i++)
            CUDAME_CHECK(device_->driver(), cuStreamSynchronize(device_->stream(i)));
        uploader_.memory().Forget();
        Allocate(g);
    }

    void ForgetMemory() override { uploader_.ForgetMemory(); }

    std::unique_ptr<ReferenceBuffer> CreateReference(const cudame_plane&) override {
        CurrentContext current(device_->driver(), device_->context());
        return std::make_unique<CudaReference>(device_, pool_, &uploader_, filter_);
    }

    std::shared_ptr<Field> CreateField(size_t mbs) override {
        CurrentContext current(device_->driver(), device_->context());
        return std::make_shared<CudaField>(device_, mbs, HasSplits());
    }

    std::shared_ptr<IntraField> CreateIntraField(size_t mbs) override {
        CurrentContext current(device_->driver(), device_->context());
        return std::make_shared<CudaIntraField>(device_, mbs);
    }

    // The source is uploaded in pieces. Each is searched on the coarse level, then, in bands, on
    // the frame, and refined, while the next one is uploaded and begins: that upload is asked
    // for before the search, so that the bus is never idle.
    //
    // The first piece is searched coarsely on the stream that copies it, without an event, and
    // its launch comes before all that can wait. The others take turns on two streams, so that
    // the end of one overlaps with the next.
    //
    // A frame does not wait for the end of the last one. Once its rows are on the host, nothing
    // is read or written any more.
    void Begin(FrameJob job) override {
        const Driver& driver = device_->driver();
        CurrentContext current(driver, device_->context());
        if (failed_) Allocate(g_);
        const FailedFrame unless_done(this);
        job_ = std::move(job);
        for (Search& s : job_.searches)
            if (s.previous && !dynamic_cast<const CudaField*>(s.previous.get()))
                s.previous = Take(*s.previous);
        progress_.Begin();
        events_used_ = 0;
        bands_ = 0;
        now_ = (now_ + 1) % kTimed;
        untimed_[now_] = false;
        const Event &start = *start_[now_], &end = *end_[now_];
        const cudame_plane& source = Source();
        if (source.on_device)
            Follow(Device::kCopy, Record(static_cast<CUstream>(config_.cu_stream)));
        CUDAME_CHECK(driver, cuEventRecord(start.get(), device_->stream(Device::kCopy)));
        uploader_.memory().Use(source);
        filter_ = job_.filter;
        if (IsLean())
            for (const Search& s : job_.searches)
                static_cast<const CudaReference&>(*s.reference).MakeHalfPel(job_.filter);
        if (job_.intra) intra_.Begin(job_);

        LaunchParams coarse = CoarseParams(), p = MakeParams();
        CUevent uploaded = UploadPiece(0);
        for (int row = 0, turn = 0; row < g_.mb_rows; turn = 1 - turn) {
            const int rows = PieceRows(row), next = row + rows;
            const int stream = row ? coarse_streams_[turn] : Device::kCopy;
            // Even if nothing is launched: with one stream nothing else follows the upload.
            if (row) Follow(stream, uploaded);
            const auto estimate = [&] {
                intra_.Launch(device_->stream(stream), source_->pixels(), source_->stride(), row,
                              rows);
            };
            // Takes less than a search would keep it waiting, but for the lean search's, which
            // take no longer.
            if (job_.intra && !IsLean()) estimate();
            CUevent seeds = nullptr;
            if (p.searches) {
                LaunchCoarse(coarse, row, rows, stream);
                seeds = Mark(stream);
            }
            if (job_.intra && IsLean()) estimate();
            if (next < g_.mb_rows) {
                if (!row) Follow(Device::kCopy2, uploaded);
                uploaded = UploadPiece(next);
            }
            for (int first = row, band; p.searches && first < next; first += band) {
                band = std::min(pieces_.Band(first), next - first);
                LaunchBand(p, first, band, seeds);
            }
            row = next;
        }
        const int last = search_streams_[0];
        Follow(last, Mark(search_streams_[1]));
        for (const int stream : {Device::kCopy, Device::kCopy2}) Follow(last, Mark(stream));
        if (job_.intra)
            for (const int other : coarse_streams_) Follow(last, Mark(other));
        CUDAME_CHECK(driver, cuEventRecord(end.get(), device_->stream(last)));
        uploads_ = uploader_.count();
        // Here, when the device is at work. The frame before the last has ended long ago.
        NoteTime((now_ + 1) % kTimed);
        failed_ = false;
        open_ = true;
    }

    bool TryRow(int mb_row, std::chrono::nanoseconds limit) override {
        return job_.searches.empty() || Try(progress_, mb_row, limit);
    }
    bool TryIntraRow(int mb_row, std::chrono::nanoseconds limit) override {
        return Try(intra_.progress(), mb_row, limit);
    }
    void WaitRow(int mb_row) override { TryRow(mb_row, kNoLimit); }
    void WaitIntraRow(int mb_row) override { TryIntraRow(mb_row, kNoLimit); }

    void StartLoopFilter(const cudame_loop_filter& filter) override {
        CurrentContext current(device_->driver(), device_->context());
        Follow(Device::kCopy, Mark(Device::kCopy2));  // rows may not say so
        loop_filter_.Start(filter, *source_, &uploader_);
    }
    void LoopFilterErrors(uint32_t* errors) override { loop_filter_.Errors(errors); }

    void End() override {
        if (!open_) return;
        open_ = false;
        const FailedFrame unless_done(this);
        job_.source = job_.device_source = {};
        // A row that is on the host was uploaded and searched, so no call of the driver is
        // needed.
        for (int row = 0; row < g_.mb_rows; row++) {
            WaitRow(row);
            if (job_.intra) WaitIntraRow(row);
        }
        if (job_.searches.empty() && !job_.intra) {
            const Driver& driver = device_->driver();
            CurrentContext current(driver, device_->context());
            CUDAME_CHECK(driver, cuEventSynchronize(end_[now_]->get()));
        }
        loop_filter_.Finish();
        uploader_.SetDone(uploads_);
        untimed_[now_] = true;
        job_ = {};
        failed_ = false;
    }

    uint64_t search_ns() const override {
        try {
            CurrentContext current(device_->driver(), device_->context());
            for (int i = 0; i < kTimed; i++) NoteTime(i);
        } catch (const Error&) {
            // The device failed: the next frame's calls report it.
        }
        return search_ns_;
    }
    uint64_t source_bytes() const override { return source_bytes_; }

  private:
    static constexpr int kTimed = 3;  // frames: the open one, the last, and the one before

    // Waits for the device where Begin() or End() throws: the caller may free memory then.
    struct FailedFrame {
        CudaBackend* backend;
        explicit FailedFrame(CudaBackend* b) : backend(b) { backend->failed_ = true; }
        ~FailedFrame() {
            if (backend->failed_) backend->device_->SynchronizeQuietly();
        }
    };

    // Range of the full search; 0: there is none.
    int FullRange() const { return config_.search == CUDAME_SEARCH_FULL ? config_.range : 0; }
    bool IsLean() const { return config_.search == CUDAME_SEARCH_LEAN; }
    // Whether a frame is all on one stream but for uploads, with events around these alone: one
    // caller's lean search is as short as the calls that would have more of it overlap.
    bool OneStream() const { return IsLean() && config_.threads == 1 && !config_.band_rows; }
    // Whether the first search alone has a coarse level, which seeds the others too.
    bool OneCoarse() const { return IsLean() && !kLeanLevel[config_.level].others; }
    int Passes() const { return IsLean() ? kLeanLevel[config_.level].passes : 0; }
    void SetLean(LaunchParams* p) const {
        p->lean = kLeanLevel[config_.level];
        p->still = p->lean.still * job_.costs->sad_per_bit;
    }
    bool HasSplits() const { return config_.mode != CUDAME_MODE_FAST; }

    // Adds the time of a frame that has ended, once. A later frame asks for it, because the
    // event comes after the rows, and waiting for it takes longer than searching a row.
    void NoteTime(int i) const {
        if (!untimed_[i]) return;
        untimed_[i] = false;
        const Event &start = *start_[i], &end = *end_[i];
        const Driver& driver = device_->driver();
        CUDAME_CHECK(driver, cuEventSynchronize(end.get()));
        float ms = 0;
        driver.Check(driver.cuEventElapsedTime(&ms, start.get(), end.get()), "cuEventElapsedTime");
        search_ns_ += static_cast<uint64_t>(static_cast<double>(ms) * 1e6);
    }

    // Uploads the piece from `row` on, with the first one the costs too. Returns the event that
    // follows, unless that is all on one stream.
    CUevent UploadPiece(int row) {
        const cudame_plane& source = Source();
        const int rows = PieceRows(row);
        const int copy = row ? Device::kCopy2 : Device::kCopy;
        const uint64_t bytes = uploader_.Upload(source, kMb * row, kMb * rows, *source_, copy);
        if (!source.on_device) source_bytes_ += bytes;
        uploader_.Pad(source, kMb * row, kMb * rows, *source_, copy);
        if (!row) UploadCosts();
        return rows < g_.mb_rows ? Record(device_->stream(copy)) : Mark(copy);
    }
    int PieceRows(int row) const { return pieces_.Rows(row, job_.device_source.data); }
    const cudame_plane& Source() const {
        return job_.device_source.data ? job_.device_source : job_.source;
    }

    bool Try(const RowProgress& progress, int row, std::chrono::nanoseconds limit) const {
        return progress.Wait(row, limit, config_.threads, g_.mbs(),
                             [&] { CheckAlive(progress, row); });
    }

    // What predicts, of a field that another backend made.
    std::shared_ptr<const Field> Take(const Field& other) {
        const auto field = std::make_shared<CudaField>(device_, other.count, false);
        std::vector<cudame_mv> vectors(other.count);
        for (size_t i = 0; i < other.count; i++) vectors[i] = other.records[i].mv;
        const CUstream stream = device_->stream(Device::kCopy);
        CUDAME_CHECK(device_->driver(),
                     cuMemcpyHtoDAsync(reinterpret_cast<CUdeviceptr>(field->best()), vectors.data(),
                                       other.count * sizeof(cudame_mv), stream));
        CUDAME_CHECK(device_->driver(), cuStreamSynchronize(stream));
        return field;
    }

    // What the one stream of a frame does follows by itself, and uploads beside it are waited for.
    CUevent Mark(int stream) { return OneStream() ? nullptr : Record(device_->stream(stream)); }
    CUevent Record(CUstream stream) {
        if (events_used_ == events_.size())
            events_.push_back(std::make_unique<Event>(device_, CU_EVENT_DISABLE_TIMING));
        const CUevent event = events_[events_used_++]->get();
        CUDAME_CHECK(device_->driver(), cuEventRecord(event, stream));
        return event;
    }
    void Follow(int stream, CUevent event) {
        if (!event) return;
        CUDAME_CHECK(device_->driver(), cuStreamWaitEvent(device_->stream(stream), event, 0));
    }

    void UploadCosts() {
        int* costs = host_costs_->as<int>();
        const CostTables& now = *job_.costs;
        if (costs_uploaded_ && std::equal(now.row.begin(), now.row.end(), costs) &&
            std::equal(now.col.begin(), now.col.end(), costs + kCostEntries))
            return;
        std::copy(now.row.begin(), now.row.end(), costs);
        std::copy(now.col.begin(), now.col.end(), costs + kCostEntries);
        CUDAME_CHECK(device_->driver(),
                     cuMemcpyHtoDAsync(costs_->address(), costs, 2 * kCostEntries * sizeof(int),
                                       device_->stream(Device::kCopy)));
        costs_uploaded_ = true;
    }

    void Allocate(const Geometry& g) {
        g_ = g;
        pieces_ = {g.mb_rows, g.mbs(),         HasSplits(),      static_cast<bool>(refine_),
                   IsLean(),  config_.threads, config_.band_rows};
        const size_t mbs = static_cast<size_t>(g.mbs());
        pool_->Resize(g);
        progress_.Allocate(g.mb_rows);
        intra_.Resize(g);
        loop_filter_.Resize(g);
        source_ = std::make_unique<DevicePlane>(device_, g, 0);
        drawn_.Resize(g);
        costs_uploaded_ = false;
        const Geometry coarse = CoarseGeometry(g);
        const size_t coarse_mbs = static_cast<size_t>(coarse.mbs());
        for (int i = 0; i < kMaxSearches; i++) {
            constexpr size_t kMvs = CUDAME_BLOCKS * sizeof(cudame_mv);
            seeds_[i] = std::make_unique<DeviceBuffer>(device_, coarse_mbs * kMvs);
            records_[i] = std::make_unique<DeviceBuffer>(device_, mbs * sizeof(cudame_mb));
            if (HasSplits())
                splits_[i] = std::make_unique<DeviceBuffer>(device_, mbs * sizeof(cudame_split));
            if (refine_) vectors_[i] = std::make_unique<DeviceBuffer>(device_, mbs * kMvs);
            if (IsLean())
                lean_[i] = std::make_unique<DeviceBuffer>(device_, mbs * sizeof(LeanFound));
        }
        for (auto& vectors : spread_vectors_)
            if (IsLean())
                vectors = std::make_unique<DeviceBuffer>(device_, mbs * sizeof(cudame_mv));
    }

    LaunchParams CoarseParams() const {
        const Geometry g = CoarseGeometry(g_);
        LaunchParams p = {};
        p.src = source_->pixels();
        p.src_stride = source_->stride();
        p.src_width = g_.mb_width() / kCoarseScale;
        p.src_height = g_.mb_height() / kCoarseScale;
        p.costs = costs_->as<int>();  // times a sad_per_bit of zero
        p.mb_cols = g.mb_cols;
        p.mb_rows = g.mb_rows;
        p.range = kCoarseWindow.x1 + 1;
        p.cross = !HasSplits();
        p.chunk_rows = coarse_tile_.chunk_rows;
        p.key_scale = 1u << kOrderBits;
        p.split = 1;
        SetLean(&p);
        for (const Search& s : job_.searches) {
            if (OneCoarse() && p.searches) break;
            const DevicePlane& plane = static_cast<const CudaReference&>(*s.reference).coarse();
            RefParams& r = p.refs[p.searches];
            r.plane = plane.pixels();
            p.ref_stride = plane.stride();
            r.integer = seeds_[p.searches]->as<cudame_mv>();
            p.searches++;
        }
        return p;
    }

    LaunchParams MakeParams() const {
        LaunchParams p = {};
        p.src = source_->pixels();
        p.costs = costs_->as<int>();
        p.src_stride = source_->stride();
        p.mb_cols = g_.mb_cols;
        p.mb_rows = g_.mb_rows;
        p.sad_per_bit = job_.costs->sad_per_bit;
        p.range = FullRange();
        p.chunk_rows = full_tile_.chunk_rows;
        p.coarse_cols = CoarseGeometry(g_).mb_cols;
        p.filter = job_.filter;
        p.split = HasSplits();
        p.iterative = config_.search == CUDAME_SEARCH_ITERATIVE;
        p.key_scale = 1u << kOrderBits;
        SetLean(&p);
        progress_.Fill(&p);
        for (const Search& s : job_.searches) {
            const DevicePlane& plane = static_cast<const CudaReference&>(*s.reference).plane();
            RefParams& r = p.refs[p.searches];
            r.plane = plane.pixels();
            p.ref_stride = plane.stride();
            r.previous = s.previous ? static_cast<const CudaField&>(*s.previous).best() : nullptr;
            r.best = static_cast<const CudaField&>(*s.field).best();
            r.field = s.field->records;
            r.field_splits = s.field->splits;
            r.records = records_[p.searches]->as<cudame_mb>();
            r.splits = p.split ? splits_[p.searches]->as<cudame_split>() : nullptr;
            r.integer = refine_ ? vectors_[p.searches]->as<cudame_mv>() : nullptr;
            r.coarse = seeds_[OneCoarse() ? 0 : p.searches]->as<cudame_mv>();
            if (IsLean()) {
                for (int i = 0; i < 3; i++)
                    r.half[i] =
                        static_cast<const CudaReference&>(*s.reference).half_pel(i).pixels();
                r.lean = lean_[p.searches]->as<LeanFound>();
            }
            p.searches++;
        }
        for (int odd = 0; odd < 2 && IsLean(); odd++)
            p.spread[odd] = spread_vectors_[odd]->as<cudame_mv>();
        drawn_.Fill(&p);
        return p;
    }

    // Searches the part of the coarse level that rows of the frame lie in.
    void LaunchCoarse(LaunchParams& p, int row, int rows, int stream) {
        p.first_row = row / kCoarseScale;
        LaunchRows(coarse_, coarse_tile_, p,
                   (row + rows + kCoarseScale - 1) / kCoarseScale - p.first_row, stream);
    }

    void LaunchRows(const Kernel& kernel, const Tile& tile, const LaunchParams& p, int rows,
                    int stream) {
        LaunchRows(kernel, tile, p, rows, stream, p.searches);
    }
    // Of the first `searches` alone.
    void LaunchRows(const Kernel& kernel, const Tile& tile, const LaunchParams& p, int rows,
                    int stream, int searches) {
        const unsigned groups = kernel.Groups(static_cast<unsigned>(p.mb_cols));
        kernel.Launch(device_->stream(stream),
                      {static_cast<unsigned>(searches), groups, static_cast<unsigned>(rows)},
                      tile.bytes, p);
    }

    void LaunchBand(LaunchParams& p, int row, int rows, CUevent seeds) {
        // Without sub-pel search bands take turns on two streams, so that the end of one
        // overlaps with the next.
        const int stream = search_streams_[!refine_ && bands_++ % 2];
        Follow(stream, seeds);
        p.first_row = row;
        LaunchRows(integer_, full_tile_, p, rows, stream);
        if (!refine_) return;
        Rows ready = {row, row + rows};
        LaunchParams spread = p;
        for (int& pass = spread.pass; pass < Passes(); pass++) {
            ready = Above(ready);
            spread.first_row = ready.first;
            if (ready.first < ready.end)
                LaunchRows(spread_, Tile(), spread, ready.end - ready.first, stream, 1);
        }
        p.first_row = ready.first;
        if (ready.first >= ready.end) return;
        drawn_.Launch(device_->stream(stream), p);
        const int refine = search_streams_[1];
        Follow(refine, Mark(stream));
        LaunchRows(refine_, Tile(), p, ready.end - ready.first, refine);
    }

    struct Rows {
        int first, end;
    };
    // Those that a pass can do behind it: it wants the rows around each from before. Two arrays of
    // vectors do: pass k of a band writes rows before end - k - 1, and pass k - 1 of the next
    // band, which wants the same array, reads it from there on.
    Rows Above(Rows done) const {
        return {std::max(done.first - 1, 0),
                done.end == g_.mb_rows ? done.end : std::max(done.end - 1, 0)};
    }

    // Throws if the device will never finish the row that is waited for.
    void CheckAlive(const RowProgress& progress, int row) const {
        const Driver& driver = device_->driver();
        CurrentContext current(driver, device_->context());
        const CUresult state = driver->cuStreamQuery(device_->stream(search_streams_[0]));
        if (state == kErrorNotReady) return;
        driver.Check(state, "cuStreamQuery");
        if (!progress.Done(row))
            throw Error(CUDAME_ERROR_DEVICE, "the device finished without a result");
    }

    const BackendConfig config_;
    const SearchKernels& kernels_;
    DevicePtr device_;
    const Kernel coarse_, integer_, spread_, refine_;
    DrawnSearch drawn_;
    Uploader uploader_;
    RowProgress progress_;
    IntraEstimator intra_;
    LoopFilterSearch loop_filter_;
    const std::shared_ptr<PlanePool> pool_ = std::make_shared<PlanePool>(IsLean());
    Geometry g_;
    Pieces pieces_ = {};
    const Tile coarse_tile_ = IsLean() ? Tile()
                                       : TileOf(kCoarseWindow.x1 - kCoarseWindow.x0 + 1,
                                                kCoarseWindow.y1 - kCoarseWindow.y0 + 1);
    const Tile full_tile_ = FullRange() ? TileOf(2 * FullRange() + 1, 2 * FullRange() + 1) : Tile();
    // Where pieces take turns on the coarse level. Where bands are searched: by turns, or on
    // the first and refined on the second.
    std::array<int, 2> coarse_streams_, search_streams_;
    std::array<std::unique_ptr<Event>, kTimed> start_, end_;  // of frames by turns
    std::vector<std::unique_ptr<Event>> events_;
    size_t events_used_ = 0;
    unsigned bands_ = 0;
    std::unique_ptr<DeviceBuffer> costs_, vectors_[kMaxSearches], seeds_[kMaxSearches],
        records_[kMaxSearches], splits_[kMaxSearches], lean_[kMaxSearches], spread_vectors_[2];
    std::unique_ptr<PinnedBuffer> host_costs_;
    std::unique_ptr<DevicePlane> source_;
    FrameJob job_;
    enum cudame_filter filter_ = CUDAME_FILTER_SIXTAP;  // of the last frame
    bool open_ = false, costs_uploaded_ = false;
    bool failed_ = false;   // a frame did: counters and costs are as it left them
    uint64_t uploads_ = 0;  // when the frame began
    int now_ = 0;           // of start_ and end_, those of the open frame
    mutable std::array<bool, kTimed> untimed_ = {};
    mutable uint64_t search_ns_ = 0;
    uint64_t source_bytes_ = 0;
};

}  // namespace

void CheckCudaDriver() { Driver::CheckLibrary(); }

std::unique_ptr<Backend> CreateCudaBackend(const BackendConfig& config, const Geometry& geometry) {
    return std::make_unique<CudaBackend>(config, geometry);
}

}  // namespace cudame
