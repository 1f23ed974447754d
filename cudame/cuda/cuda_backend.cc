// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/cuda_backend.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <utility>

#include "common/error.h"
#include "cuda/buffers.h"
#include "cuda/frame_coder.h"
#include "cuda/frame_events.h"
#include "cuda/integer_search.h"
#include "cuda/intra_estimate.h"
#include "cuda/lean_search.h"
#include "cuda/loop_filter_errors.h"
#include "cuda/pieces.h"
#include "cuda/source_upload.h"
#include "cuda/upload.h"

namespace cudame {
namespace {

bool IsLean(const BackendConfig& config) { return config.search == CUDAME_SEARCH_LEAN; }
bool HasSplits(const BackendConfig& config) { return config.mode != CUDAME_MODE_FAST; }

// The streams of a frame's stages. Uploads are on kCopy and kCopy2.
struct StreamPlan {
    // Whether a frame is all on one stream, except uploads, with events around these only. The lean
    // search with one caller takes no longer than the driver calls that would overlap its parts.
    bool one_stream;
    // Pieces take turns on these two for the coarse level.
    std::array<StreamName, 2> coarse;
    // Bands are searched on the first and refined on the second. Without a refinement they take
    // turns on both, so that the end of one overlaps with the next.
    std::array<StreamName, 2> search;

    std::vector<StreamName> Names() const {
        return {kCopy, kCopy2, coarse[0], coarse[1], search[0], search[1]};
    }
};

// Front streams have priority. The refinement gets one, because it completes rows. With a diamond
// and one caller another one goes to the stage that everything waits for: the whole-pixel search,
// or the coarse level if there is no refinement. With several callers the first bands would then
// wait for the search of later ones.
StreamPlan PlanStreams(const BackendConfig& config) {
    const bool refines = config.mode == CUDAME_MODE_TEX || config.mode == CUDAME_MODE_FULL;
    const bool diamond =
        config.search == CUDAME_SEARCH_DIAMOND || config.search == CUDAME_SEARCH_ITERATIVE;
    if (IsLean(config) && config.threads == 1 && !config.band_rows)
        return {true, {kCopy, kCopy}, {kCopy, kCopy}};
    if (config.threads > 1 || !diamond) return {false, {kBack, kBack2}, {kBack3, kFront}};
    if (refines) return {false, {kBack, kBack2}, {kFront2, kFront}};
    return {false, {kFront, kFront2}, {kBack, kBack2}};
}

StreamsPtr MakeStreams(const DevicePtr& device, const StreamPlan& plan) {
    CurrentContext current(device->driver(), device->context());
    return std::make_shared<Streams>(device, plan.Names());
}

// Orders the stages of a frame on streams. The stages' own headers say what each reads and writes.
class CudaBackend : public Backend {
  public:
    CudaBackend(const BackendConfig& config, const Geometry& g)
        : config_(config),
          plan_(PlanStreams(config)),
          device_(OpenDevice(config.cu_context, config.device)),
          streams_(MakeStreams(device_, plan_)),
          order_(streams_, plan_.one_stream),
          uploader_(streams_),
          results_(streams_, HasSplits(config)),
          intra_(streams_),
          coder_(streams_, &uploader_),
          loop_filter_(streams_, config.threads > 1) {
        CurrentContext current(device_->driver(), device_->context());
        // The driver's calls for events are 2 % of the CPU time of a frame of 720p that the device
        // codes.
        times_ = std::make_unique<FrameTimes>(device_, CodesFrames() ? 16 : 1);
        source_ = std::make_unique<SourceUpload>(streams_, &uploader_);
        if (IsLean(config))
            search_ = std::make_unique<LeanSearch>(streams_, kLeanLevel[config.level], &results_);
        else
            search_ = std::make_unique<IntegerSearch>(device_, config, &results_);
        Allocate(g);
        if (CodesFrames()) Prepare();
    }

    ~CudaBackend() override {
        // A kernel may still use memory that is freed here.
        streams_->SynchronizeQuietly();
    }

    std::string Describe() const override { return "CUDA backend, " + device_->name(); }

    enum cudame_backend kind() const override { return CUDAME_BACKEND_CUDA; }

    // The CPU makes a row of the lean search in little time.
    Capabilities capabilities() const override {
        const bool is_lean = config_.search == CUDAME_SEARCH_LEAN;
        return {true, true, is_lean, is_lean};
    }

    int device() const override { return device_->ordinal(); }

    void Resize(const Geometry& g) override {
        CurrentContext current(device_->driver(), device_->context());
        streams_->Synchronize();
        uploader_.memory().Forget();
        Allocate(g);
    }

    void ExpectMemory(const uint8_t* begin, size_t size) override {
        CurrentContext current(device_->driver(), device_->context());
        uploader_.memory().Expect(begin, size);
    }
    void ForgetMemory() override {
        // The caller's next encoder may give their ids to other pictures.
        coder_.ForgetFiltered();
        coder_.ForgetDenoised();
        coder_.ForgetCoded();
        uploader_.ForgetMemory();
    }

    std::unique_ptr<ReferenceBuffer> CreateReference(uint64_t id, const cudame_plane&) override {
        CurrentContext current(device_->driver(), device_->context());
        return std::make_unique<CudaReference>(device_, pool_, &uploader_, filter_,
                                               coder_.Filtered(id));
    }

    std::shared_ptr<Field> CreateField(size_t mbs) override {
        CurrentContext current(device_->driver(), device_->context());
        return std::make_shared<CudaField>(device_, mbs, HasSplits(config_));
    }

    std::shared_ptr<IntraField> CreateIntraField(size_t mbs) override {
        CurrentContext current(device_->driver(), device_->context());
        return std::make_shared<CudaIntraField>(device_, mbs);
    }

    // The source is uploaded in pieces. Each piece is searched on the coarse level, and then band
    // by band on the frame, and refined, while the next piece is uploaded and started. The next
    // upload is enqueued before the search, so that the bus is never idle.
    //
    // The first piece's coarse level is on the stream that uploads it, needs no event, and is
    // launched before all work that may have to wait. Other pieces take turns on two streams, so
    // that the end of one overlaps with the next.
    //
    // A frame does not wait for the end of the frame before. After that frame's rows are on the
    // host, its kernels neither read nor write anything.
    void Begin(FrameJob job) override {
        CurrentContext current(device_->driver(), device_->context());
        if (failed_) Allocate(g_);
        const FailedFrame unless_done(this);
        job_ = std::move(job);
        coder_.ForgetFiltered();  // references of this frame have taken it, and Code() replaces it
        coder_.ForgetCoded();
        BeginStages();

        CUevent uploaded = UploadPiece(0);
        for (int row = 0, turn = 0; row < g_.mb_rows; turn = 1 - turn) {
            const Rows piece = {row, row + PieceRows(row)};
            const StreamName stream = row ? plan_.coarse[turn] : kCopy;
            // This is needed even if nothing is launched: with one stream nothing else follows the
            // upload.
            if (row) order_.Follow(stream, uploaded);
            const CUevent seeds = LaunchPiece(stream, piece);
            if (piece.end < g_.mb_rows) {
                if (!row) order_.Follow(kCopy2, uploaded);
                uploaded = UploadPiece(piece.end);
            }
            if (!job_.searches.empty()) LaunchBands(piece, seeds);
            row = piece.end;
        }
        EndLaunches();
    }

    bool TryRow(int mb_row, std::chrono::nanoseconds limit) override {
        return job_.searches.empty() || Try(results_.progress(), mb_row, limit);
    }
    bool TryIntraRow(int mb_row, std::chrono::nanoseconds limit) override {
        return Try(intra_.progress(), mb_row, limit);
    }
    void WaitRow(int mb_row) override { TryRow(mb_row, kNoLimit); }
    void WaitIntraRow(int mb_row) override { TryIntraRow(mb_row, kNoLimit); }

    // All work of the frame is in order before the end of the stream that bands are searched on.
    void CodeFrame(const Field* const fields[CUDAME_REFS],
                   const ReferenceBuffer* const others[CUDAME_REFS],
                   cudame_whole_frame* frame) override {
        CurrentContext current(device_->driver(), device_->context());
        FrameCoder::Known known = {};
        known.source = &source_->plane();
        known.intra = intra_.device_records();
        if (!known.intra) throw Error(CUDAME_ERROR_DEVICE_MEM, "no memory for the intra estimates");
        known.costs = source_->costs();
        for (int slot = CUDAME_REF_LAST; slot < CUDAME_REFS; slot++) {
            if (others[slot])
                known.others[slot] = &static_cast<const CudaReference*>(others[slot])->plane();
            for (size_t i = 0; i < job_.searches.size(); i++) {
                const Search& s = job_.searches[i];
                if (!fields[slot] || s.field.get() != fields[slot]) continue;
                RefOutput out = {};
                results_.Fill(&out, static_cast<int>(i), s);
                known.planes[slot] = static_cast<const CudaReference&>(*s.reference).planes();
                known.records[slot] = out.records;
                // Other levels flag no macroblock as split.
                if (kLeanLevel[config_.level].split) known.splits[slot] = out.splits;
            }
        }
        coder_.Code(plan_.search[0], known, frame);
    }
    void FilterFrame(const cudame_frame_filter& filter) override {
        CurrentContext current(device_->driver(), device_->context());
        coder_.Filter(plan_.search[0], filter);
    }

    void StartLoopFilter(const cudame_loop_filter& filter) override {
        CurrentContext current(device_->driver(), device_->context());
        order_.Follow(kCopy, order_.Mark(kCopy2));  // a frame without rows may still be uploaded
        const DevicePlane* coded = filter.rows ? coder_.Coded(filter.frame.data) : nullptr;
        const DevicePlane* denoised = coded ? coder_.CodedDenoised(filter.source) : nullptr;
        if (filter.source && !denoised)
            throw Error(CUDAME_ERROR_UNAVAILABLE, "the denoised picture is not on the device");
        loop_filter_.Start(filter, denoised ? *denoised : source_->plane(), coded, &uploader_);
    }
    void LoopFilterErrors(uint32_t* errors) override {
        CurrentContext current(device_->driver(), device_->context());
        loop_filter_.Errors(coder_.Patience(), errors);
    }

    void End() override {
        if (!open_) return;
        open_ = false;
        const FailedFrame unless_done(this);
        job_.source = job_.device_source = {};
        // A row that is on the host was uploaded and searched, so no driver call is needed.
        for (int row = 0; row < g_.mb_rows; row++) {
            WaitRow(row);
            if (job_.intra) WaitIntraRow(row);
        }
        if (job_.searches.empty() && !job_.intra) {
            CurrentContext current(device_->driver(), device_->context());
            streams_->Synchronize();
        }
        loop_filter_.Finish();
        uploader_.SetDone(uploads_);
        times_->End();
        job_ = {};
        failed_ = false;
    }

    uint64_t search_ns() const override {
        try {
            CurrentContext current(device_->driver(), device_->context());
            times_->AddAll();
        } catch (const Error&) {
            // The device failed. The next frame's calls report it.
        }
        return times_->ns();
    }
    uint64_t source_bytes() const override { return source_->bytes(); }

  private:
    // If Begin() or End() throws, waits for the device, because the caller may then free memory.
    struct FailedFrame {
        CudaBackend* backend;
        explicit FailedFrame(CudaBackend* b) : backend(b) { backend->failed_ = true; }
        ~FailedFrame() {
            if (backend->failed_) backend->streams_->SynchronizeQuietly();
        }
    };

    bool CodesFrames() const { return config_.whole_frames && IsLean(config_); }

    void Allocate(const Geometry& g) {
        g_ = g;
        pieces_ = {g.mb_rows,       g.mbs(),         HasSplits(config_), search_->refines(),
                   IsLean(config_), config_.threads, config_.band_rows,  CodesFrames()};
        pool_->Resize(g);
        results_.Resize(g);
        intra_.Resize(g);
        coder_.Resize(g);
        loop_filter_.Resize(g);
        source_->Resize(g);
        search_->Resize(g);
    }

    // Allocates memory early, so that the first frames need not. Missing memory is no error here: a
    // frame that needs it tries again, and reports the error.
    void Prepare() {
        constexpr int kPictures = CUDAME_REFS;  // three references, and one that is made
        HasDeviceMemory([&] {
            pool_->Fill(device_, kPictures);
            intra_.Prepare();
            coder_.Prepare(plan_.search[0]);
            loop_filter_.Prepare();
        });
    }

    // Begins the frame in all stages.
    void BeginStages() {
        for (Search& s : job_.searches)
            if (s.previous && !dynamic_cast<const CudaField*>(s.previous.get()))
                s.previous = Take(*s.previous);
        order_.Begin();
        bands_ = 0;
        const cudame_plane& source = SourceOf(job_);
        if (source.on_device)
            order_.Follow(kCopy, order_.Record(static_cast<CUstream>(config_.cu_stream)));
        times_->Begin(!job_.searches.empty(), (*streams_)[kCopy]);
        source_->Begin(job_);
        filter_ = job_.filter;
        if (IsLean(config_))
            for (const Search& s : job_.searches)
                static_cast<const CudaReference&>(*s.reference).MakeHalfPel(job_.filter);
        results_.Begin();
        if (job_.intra) intra_.Begin(job_);
        search_->Begin(job_, *source_);
    }

    // A field that another backend made, with the vectors that predict this frame's.
    std::shared_ptr<const Field> Take(const Field& other) {
        const auto field = std::make_shared<CudaField>(device_, other.count, false);
        field->TakeVectors(other, *streams_);
        return field;
    }

    // Uploads the piece from `row` on. Returns the event after it, or NULL if the work that follows
    // is on the same stream.
    CUevent UploadPiece(int row) {
        const int rows = PieceRows(row);
        const StreamName stream = row ? kCopy2 : kCopy;
        source_->Upload(row, rows, stream);
        return rows < g_.mb_rows ? order_.Record((*streams_)[stream]) : order_.Mark(stream);
    }
    int PieceRows(int row) const { return pieces_.Rows(row, job_.device_source.data); }

    // Launches the intra estimates and the coarse level of a piece. Returns the event after the
    // coarse level.
    CUevent LaunchPiece(StreamName stream, Rows piece) {
        const auto estimate = [&] {
            if (job_.intra) intra_.Launch((*streams_)[stream], source_->plane(), piece);
        };
        CUevent seeds = nullptr;
        // The estimates take less time than they would have to wait for a search, except for the
        // lean search's coarse level, which takes no longer than the estimates.
        if (!IsLean(config_)) estimate();
        if (!job_.searches.empty()) {
            search_->SearchCoarse((*streams_)[stream], piece);
            seeds = order_.Mark(stream);
        }
        if (IsLean(config_)) estimate();
        return seeds;
    }

    void LaunchBands(Rows piece, CUevent seeds) {
        for (Rows band = {piece.first, piece.first}; band.end < piece.end;) {
            band.first = band.end;
            band.end += std::min(pieces_.Band(band.first), piece.end - band.first);
            const StreamName stream = plan_.search[!search_->refines() && bands_++ % 2];
            order_.Follow(stream, seeds);
            const Rows found = search_->Search((*streams_)[stream], band);
            if (!search_->refines() || found.count() <= 0) continue;
            const StreamName refine = plan_.search[1];
            order_.Follow(refine, order_.Mark(stream));
            search_->Refine((*streams_)[refine], found);
        }
    }

    // Makes one stream follow all others of the frame, and marks its end there.
    void EndLaunches() {
        const StreamName last = plan_.search[0];
        for (const StreamName stream : {plan_.search[1], kCopy, kCopy2})
            order_.Follow(last, order_.Mark(stream));
        if (job_.intra)
            for (const StreamName stream : plan_.coarse) order_.Follow(last, order_.Mark(stream));
        times_->MarkEnd((*streams_)[last]);
        uploads_ = uploader_.count();
        // The device is at work now, and the frame before the last one has ended long ago.
        times_->AddOldest();
        failed_ = false;
        open_ = true;
    }

    bool Try(const RowProgress& progress, int row, std::chrono::nanoseconds limit) const {
        return progress.Wait(row, limit, config_.threads, g_.mbs(),
                             [&] { CheckAlive(progress, row); });
    }

    // Throws if the device will never finish a row that a caller waits for.
    void CheckAlive(const RowProgress& progress, int row) const {
        const Driver& driver = device_->driver();
        CurrentContext current(driver, device_->context());
        if (!streams_->HasEnded((*streams_)[plan_.search[0]])) return;
        if (!progress.Done(row))
            throw Error(CUDAME_ERROR_DEVICE, "the device finished without a result");
    }

    const BackendConfig config_;
    const StreamPlan plan_;
    const DevicePtr device_;
    const StreamsPtr streams_;
    FrameOrder order_;
    Uploader uploader_;
    const std::shared_ptr<PlanePool> pool_ = std::make_shared<PlanePool>(IsLean(config_));
    SearchResults results_;
    std::unique_ptr<FrameTimes> times_;
    std::unique_ptr<SourceUpload> source_;
    std::unique_ptr<SearchStage> search_;
    IntraEstimator intra_;
    FrameCoder coder_;
    LoopFilterSearch loop_filter_;

    Geometry g_;
    Pieces pieces_ = {};
    FrameJob job_;
    enum cudame_filter filter_ = CUDAME_FILTER_SIXTAP;  // of the last frame
    unsigned bands_ = 0;                                // of the open frame, launched so far
    uint64_t uploads_ = 0;                              // number of uploads when it began
    bool open_ = false;
    bool failed_ = false;  // a frame failed, so counters and costs on the device are undefined
};

}  // namespace

void CheckCudaDriver() { Driver::CheckLibrary(); }

std::unique_ptr<Backend> CreateCudaBackend(const BackendConfig& config, const Geometry& geometry) {
    return std::make_unique<CudaBackend>(config, geometry);
}

}  // namespace cudame
