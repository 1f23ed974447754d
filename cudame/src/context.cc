// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "context.h"

#include <chrono>
#include <cstdio>
#include <cstring>
#include <limits>
#include <utility>

#include "backends.h"
#include "common/error.h"
#include "common/lean.h"
#include "common/loop_filter.h"
#include "common/plane.h"

namespace cudame {
namespace {

void CheckRange(const char* name, int value, int low, int high) {
    if (value < low || value > high)
        Invalid(std::string(name) + " is " + std::to_string(value) + ", allowed are " +
                std::to_string(low) + " to " + std::to_string(high));
}

// A C caller may store any number in an enum. C++ must not load that as an enum.
template <class E>
void CheckEnum(const char* name, const E& value, int low, int high) {
    static_assert(sizeof(E) == sizeof(int), "");
    int number;
    memcpy(&number, &value, sizeof(number));
    CheckRange(name, number, low, high);
}

void CheckSize(int width, int height) {
    CheckRange("width", width, 1, CUDAME_MAX_DIMENSION);
    CheckRange("height", height, 1, CUDAME_MAX_DIMENSION);
}

// The plane may be smaller than the frame, because the host may have padded the source.
void CheckDeviceSource(const cudame_plane& plane) {
    if (!plane.data || !plane.on_device) Invalid("device_source: no device memory");
    CheckRange("device_source.width", plane.width, 1, CUDAME_MAX_DIMENSION);
    CheckRange("device_source.height", plane.height, 1, CUDAME_MAX_DIMENSION);
    if (plane.stride < plane.width) Invalid("device_source: stride is less than width");
}

enum cudame_search ResolveSearch(const cudame_config& config) {
    if (config.search != CUDAME_SEARCH_DEFAULT) return config.search;
    return config.mode == CUDAME_MODE_FULL ? CUDAME_SEARCH_LEAN : CUDAME_SEARCH_DIAMOND;
}

bool StartsLater(const cudame_config& config) {
    return config.backend == CUDAME_BACKEND_CUDA && config.cuda_after_ms > 0;
}

BackendConfig MakeBackendConfig(const cudame_config& config) {
    constexpr int kDefaultRange = 32;
    return {config.mode,
            ResolveSearch(config),
            config.range ? config.range : kDefaultRange,
            config.level,
            config.threads,
            config.device,
            config.cu_context,
            config.cu_stream,
            config.band_rows,
            config.whole_frames != 0};
}

}  // namespace

void CheckConfig(const cudame_config& config) {
    if (config.size != sizeof(cudame_config))
        Invalid("config.size is " + std::to_string(config.size) + ", this library expects " +
                std::to_string(sizeof(cudame_config)) + ": call cudame_config_default()");
    CheckEnum("backend", config.backend, CUDAME_BACKEND_CPU, CUDAME_BACKEND_CUDA);
    CheckEnum("mode", config.mode, CUDAME_MODE_FAST, CUDAME_MODE_FULL);
    CheckEnum("search", config.search, CUDAME_SEARCH_DEFAULT, CUDAME_SEARCH_LEAN);
    if (config.search == CUDAME_SEARCH_LEAN && config.mode != CUDAME_MODE_FULL)
        Invalid("the lean search needs CUDAME_MODE_FULL");
    CheckRange("level", config.level, 0, kLeanLevels - 1);
    CheckRange("range", config.range, 0, 128);
    CheckSize(config.width, config.height);
    CheckRange("threads", config.threads, 1, 64);
    CheckRange("device", config.device, -1, 1023);
    CheckRange("band_rows", config.band_rows, 0, CUDAME_MAX_DIMENSION);
    CheckRange("cuda_after_ms", config.cuda_after_ms, 0, std::numeric_limits<int>::max());
    if (StartsLater(config) && !config.fallback)
        Invalid("cuda_after_ms needs fallback, because it starts on the CPU backend");
}

Context::Context(const cudame_config& config)
    : config_(config),
      g_(MakeGeometry(config.width, config.height)),
      starter_(StartsLater(config) ? std::make_unique<BackendStarter>(MakeBackendConfig(config),
                                                                      config.cuda_after_ms)
                                   : nullptr),
      backend_(CreateBackend(starter_ ? CUDAME_BACKEND_CPU : config.backend,
                             MakeBackendConfig(config), g_)) {
    Log(false, ("cudame: " + backend_->Describe()).c_str());
    if (config.whole_frames && config.backend == CUDAME_BACKEND_CUDA && !starter_) Prepare();
}

// Allocates memory early, so that the first frames need not. Missing memory is no error here: a
// frame that needs it tries again, and reports the error.
void Context::Prepare() {
    constexpr size_t kFields = 2 * (CUDAME_REFS - 1);  // of this frame and of the one before
    HasDeviceMemory([&] {
        while (pool_.size() < kFields)
            pool_.push_back(backend_->CreateField(static_cast<size_t>(g_.mbs())));
        intra_ = backend_->CreateIntraField(static_cast<size_t>(g_.mbs()));
    });
}

Context::~Context() {
    try {
        if (open_) backend_->End();
    } catch (...) {
        // The device failed, so there is nothing to wait for.
    }
}

std::shared_ptr<Backend> Context::Current() const {
    std::lock_guard<std::mutex> lock(swap_mutex_);
    return backend_;
}

void Context::CheckNotLost() const {
    if (lost_) throw Error(CUDAME_ERROR_DEVICE, "the frame was lost with the device that failed");
}

std::shared_ptr<Backend> Context::Searching() const {
    std::lock_guard<std::mutex> lock(swap_mutex_);
    CheckNotLost();
    return backend_;
}

bool Context::fell_back() const {
    std::lock_guard<std::mutex> lock(swap_mutex_);
    return fell_back_;
}

void Context::Log(bool is_error, const char* text) const {
    if (config_.log) config_.log(config_.log_opaque, is_error, text);
}

void Context::Report(const char* text) {
    {
        std::lock_guard<std::mutex> lock(error_mutex_);
        snprintf(last_error_, sizeof(last_error_), "%s", text);
    }
    Log(true, text);
}

bool Context::FallBack(const std::shared_ptr<Backend>& failed, const Error& error) {
    if (!failed->capabilities().may_fail || !config_.fallback ||
        error.code() == CUDAME_ERROR_INVALID)
        return false;
    std::lock_guard<std::mutex> lock(swap_mutex_);
    if (backend_ != failed) return true;
    // Create the backend before anything changes: memory or threads for it may be missing.
    std::shared_ptr<Backend> cpu =
        CreateBackend(CUDAME_BACKEND_CPU, MakeBackendConfig(config_), g_);
    kept_.reserve(kept_.size() + pool_.size() + 2 + CUDAME_REFS);
    Log(true, (std::string(error.what()) + ": the CPU backend continues").c_str());

    kept_.push_back(failed);
    for (auto& field : pool_) kept_.push_back(field);
    pool_.clear();
    if (intra_) kept_.push_back(std::move(intra_));
    search_ns_ += failed->search_ns();
    source_bytes_ += failed->source_bytes();
    backend_ = std::move(cpu);
    fell_back_ = true;
    lost_ = open_;
    ref_bytes_ += store_.Move(backend_.get(), g_);
    if (open_) StartSearch();
    lost_ = false;
    return true;
}

void Context::Replace(std::shared_ptr<Backend> by, FrameStore store) {
    search_ns_ += backend_->search_ns();
    source_bytes_ += backend_->source_bytes();
    if (by == resting_) {  // its sums were added when it began to rest
        search_ns_ -= by->search_ns();
        source_bytes_ -= by->source_bytes();
        resting_.reset();
    }
    store_ = std::move(store);
    pool_.clear();
    std::lock_guard<std::mutex> lock(swap_mutex_);
    intra_.reset();
    backend_ = std::move(by);
}

// Do everything that may fail first, so that the CPU's backend can continue.
void Context::SwitchToCuda() {
    if (resting_ && --rest_frames_ > 0) return;
    bool moved = false;
    char text[kErrorText];
    const int code = Barrier(text, sizeof(text), [this, &moved] {
        std::shared_ptr<Backend> cuda = resting_;
        if (!cuda) cuda = starter_->Take(backend_->search_ns(), g_);
        if (!cuda) return;
        FrameStore store = store_;
        ref_bytes_ += store.Move(cuda.get(), g_);
        Replace(std::move(cuda), std::move(store));
        moved = true;
    });
    if (!code && !moved) return;
    const bool starts = starter_ != nullptr;
    starter_.reset();
    if (!code && !starts) return;
    if (!code) return Log(false, ("cudame: " + backend_->Describe()).c_str());
    resting_.reset();
    Log(true, (text + std::string(": the CPU backend continues")).c_str());
    std::lock_guard<std::mutex> lock(swap_mutex_);
    fell_back_ = true;
}

void Context::RestCuda(int frames) {
    if (!store_.AllOnHost()) return;
    char text[kErrorText];
    Barrier(text, sizeof(text), [this, frames] {  // if memory runs out, the device continues
        std::shared_ptr<Backend> cpu =
            CreateBackend(CUDAME_BACKEND_CPU, MakeBackendConfig(config_), g_);
        FrameStore moved = store_;
        ref_bytes_ += moved.Move(cpu.get(), g_);
        std::shared_ptr<Backend> cuda = backend_;
        Replace(std::move(cpu), std::move(moved));
        resting_ = std::move(cuda);
        rest_frames_ = frames;
    });
}

template <class Fn>
void Context::OrFallBack(Fn fn) {
    const std::shared_ptr<Backend> backend = Current();
    try {
        fn();
    } catch (const Error& error) {
        if (!FallBack(backend, error)) throw;
        fn();
    }
}

void Context::SubmitReference(uint64_t id, const cudame_plane* plane, int first_row, int rows) {
    if (!plane) Invalid("no plane given");
    const std::shared_ptr<Backend> backend = Current();
    try {
        ref_bytes_ += store_.Submit(backend.get(), g_, id, *plane, first_row, rows);
    } catch (const Error& error) {
        // The store forgot the reference, so submit all its rows again.
        if (!FallBack(backend, error)) throw;
        ref_bytes_ += store_.Submit(backend_.get(), g_, id, *plane, 0, first_row + rows);
    }
}

// Fields are large, so use one again that no slot refers to.
std::shared_ptr<Field> Context::FreeField() {
    for (const auto& field : pool_)
        if (field.use_count() == 1 && field->count == static_cast<size_t>(g_.mbs())) return field;
    pool_.push_back(backend_->CreateField(static_cast<size_t>(g_.mbs())));
    return pool_.back();
}

FrameJob Context::MakeJob() {
    FrameJob job;
    job.source = frame_.source;
    job.device_source =
        backend_->capabilities().reads_device_memory ? device_source_ : cudame_plane();
    job.filter = frame_.filter;
    job.costs = &costs_;
    CheckMemory(*backend_, frame_.source, "source");
    for (int slot = CUDAME_REF_LAST; slot < CUDAME_REFS; slot++) {
        const uint64_t id = frame_.ref_id[slot];
        if (!id) continue;
        for (int other = CUDAME_REF_LAST; other < slot && !fields_[slot]; other++)
            if (frame_.ref_id[other] == id) fields_[slot] = fields_[other];
        if (fields_[slot]) continue;
        Search search;
        search.reference = store_.Get(id);
        search.previous = previous_[slot];
        search.field = fields_[slot] = FreeField();
        job.searches.push_back(std::move(search));
    }
    if (frame_.bmode_cost) {
        if (!intra_) intra_ = backend_->CreateIntraField(static_cast<size_t>(g_.mbs()));
        job.intra = intra_;
        job.intra_rates = intra_rates_;
    }
    return job;
}

void Context::StartSearch() {
    for (auto& field : fields_) {
        if (field && open_) kept_.push_back(field);  // callers may have rows of it
        field.reset();
    }
    FrameJob job = MakeJob();
    if (!backend_->capabilities().rows_may_be_late || !config_.fallback || job.source.on_device)
        return backend_->Begin(std::move(job));
    backend_->Begin(job);
    OpenRescue(std::move(job));
}

void Context::OpenRescue(FrameJob job) {
    char text[kErrorText];
    Barrier(text, sizeof(text), [&] {  // without memory for it the device makes all rows
        if (!rescue_) rescue_ = std::make_unique<Rescue>(MakeBackendConfig(config_), g_);
        rescue_->Open(std::move(job), frame_.ref_id, fields_, store_);
    });
}

std::chrono::nanoseconds Context::Patience() const {
    return rescue_ && rescue_->open() ? rescue_->Patience() : kNoLimit;
}

bool Context::Rescued(int mb_row) const {
    return rescue_ && rescue_->open() && rescue_->Made(mb_row);
}

void Context::RetireReference(uint64_t id) {
    store_.Retire(id);
    if (rescue_) rescue_->Retire(id);
}

void Context::BeginFrame(const cudame_frame* frame) {
    if (!frame) Invalid("no frame given");
    if (open_) Invalid("the last frame was not ended");
    if (!sized_) Invalid("the last cudame_resize() failed");
    for (int slot = 0; slot < CUDAME_REFS; slot++) previous_[slot] = std::move(fields_[slot]);
    try {
        CheckPlane(frame->source, g_, "source");
        CheckEnum("filter", frame->filter, CUDAME_FILTER_SIXTAP, CUDAME_FILTER_BILINEAR);
        CheckRange("sad_per_bit", frame->sad_per_bit, 0, kMaxSadPerBit);
        if (frame->ref_id[0]) Invalid("ref_id[0] is unused and must be 0");
        device_source_ = cudame_plane();
        if (frame->device_source) {
            device_source_ = *frame->device_source;
            CheckDeviceSource(device_source_);
        }
        frame_ = *frame;
        frame_.device_source = nullptr;  // belongs to the caller
        costs_.Set(frame->mv_cost, frame->sad_per_bit);
        if (frame->bmode_cost) intra_rates_ = MakeIntraRates(frame->bmode_cost, frame->sad_per_bit);
        if (starter_ || resting_) SwitchToCuda();
        OrFallBack([this] { StartSearch(); });
    } catch (...) {
        Forget();
        throw;
    }
    open_ = true;
}

template <class Try, class Read>
void Context::WaitAndRead(int mb_row, Try attempt, Read read) {
    const auto start = std::chrono::steady_clock::now();
    CheckRange("mb_row", mb_row, 0, g_.mb_rows - 1);
    for (;;) {
        const std::shared_ptr<Backend> backend = Searching();
        bool rescued = Rescued(mb_row);
        try {
            if (!rescued && !attempt(backend.get(), Patience())) {
                rescued = rescue_->Make(mb_row);
                if (!rescued) continue;  // Patience() has no limit now
            }
        } catch (const Error& error) {
            if (!FallBack(backend, error)) throw;
            continue;
        }
        std::lock_guard<std::mutex> lock(swap_mutex_);
        if (!rescued && backend_ != backend) continue;  // the fields belong to the new backend
        read(static_cast<size_t>(mb_row) * static_cast<size_t>(g_.mb_cols), rescued);
        break;
    }
    wait_ns_ += static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                          std::chrono::steady_clock::now() - start)
                                          .count());
}

void Context::WaitRow(int mb_row, const cudame_mb* rows[CUDAME_REFS],
                      const cudame_split* splits[CUDAME_REFS]) {
    if (!open_) Invalid("no frame was begun");
    if (!rows) Invalid("no rows given");
    WaitAndRead(
        mb_row, [&](Backend* backend, auto limit) { return backend->TryRow(mb_row, limit); },
        [&](size_t first, bool rescued) {
            for (int slot = 0; slot < CUDAME_REFS; slot++) {
                const Field* field = rescued ? rescue_->field(slot) : fields_[slot].get();
                rows[slot] = field ? field->records + first : nullptr;
                if (splits) splits[slot] = field && field->splits ? field->splits + first : nullptr;
            }
        });
}

void Context::IntraRow(int mb_row, const cudame_intra** row) {
    if (!open_) Invalid("no frame was begun");
    if (!row) Invalid("no row given");
    if (!frame_.bmode_cost) Invalid("the frame has no intra estimates: bmode_cost is NULL");
    WaitAndRead(
        mb_row, [&](Backend* backend, auto limit) { return backend->TryIntraRow(mb_row, limit); },
        [&](size_t first, bool rescued) {
            *row = (rescued ? rescue_->intra() : intra_.get())->records + first;
        });
}

// Returns a plain pointer, because counting references would cost time in such frequent calls. A
// backend or field that is replaced meanwhile is kept until the frame ends.
std::pair<Backend*, const Field*> Context::InUse(int slot) const {
    std::lock_guard<std::mutex> lock(swap_mutex_);
    CheckNotLost();
    return {backend_.get(), fields_[slot].get()};
}

void Context::CheckMb(int mb_row, int mb_col) const {
    if (!open_) Invalid("no frame was begun");
    CheckRange("mb_row", mb_row, 0, g_.mb_rows - 1);
    CheckRange("mb_col", mb_col, 0, g_.mb_cols - 1);
}

// A row that came from a device is complete. That also holds after another backend continued, or
// another thread let the CPU make the row.
void Context::CompleteSplit(int mb_row, int mb_col, int slot) {
    CheckMb(mb_row, mb_col);
    CheckRange("slot", slot, CUDAME_REF_LAST, CUDAME_REFS - 1);
    if (Rescued(mb_row)) {
        if (!rescue_->field(slot)) Invalid("the slot is not searched");
        return rescue_->CompleteSplit(slot, mb_row, mb_col);
    }
    const auto [backend, field] = InUse(slot);
    if (!field) Invalid("the slot is not searched");
    backend->CompleteSplit(*field, mb_row, mb_col);
}

void Context::CompleteIntra(int mb_row, int mb_col, int parts) {
    CheckMb(mb_row, mb_col);
    if (!frame_.bmode_cost) Invalid("the frame has no intra estimates: bmode_cost is NULL");
    CheckRange("parts", parts, 0, CUDAME_INTRA_16X16 | CUDAME_INTRA_4X4);
    if (Rescued(mb_row)) return rescue_->CompleteIntra(mb_row, mb_col, parts);
    InUse(0).first->CompleteIntra(mb_row, mb_col, parts);
}

void Context::OrStepDown(const std::shared_ptr<Backend>& backend, const std::function<void()>& fn) {
    try {
        fn();
    } catch (const Error& error) {
        // If device memory is missing, or if the device is late, that is an error of this call
        // only, and the search continues on the device.
        if (error.code() != CUDAME_ERROR_DEVICE_MEM && error.code() != CUDAME_ERROR_UNAVAILABLE)
            FallBack(backend, error);
        throw;
    }
}

void Context::StartLoopFilter(const cudame_loop_filter* filter) {
    if (!open_) Invalid("no frame was begun");
    if (!filter) Invalid("no loop filter given");
    if (filters_) Invalid("the last loop filter was not waited for");
    CheckLoopFilter(*filter, g_);
    const std::shared_ptr<Backend> backend = Searching();
    OrStepDown(backend, [&] { backend->StartLoopFilter(*filter); });
    filters_ = backend;
}

void Context::LoopFilterErrors(uint32_t* errors) {
    if (!errors) Invalid("no array given for the loop filter's errors");
    if (!filters_) Invalid("no loop filter was started");
    const std::shared_ptr<Backend> backend = std::move(filters_);
    if (backend != Current()) throw Error(CUDAME_ERROR_DEVICE, "the loop filter's device failed");
    OrStepDown(backend, [&] { backend->LoopFilterErrors(errors); });
}

void Context::EndFrame() {
    if (!open_) Invalid("no frame was begun");
    const auto start = std::chrono::steady_clock::now();
    OrFallBack([this] { backend_->End(); });
    const bool late = rescue_ && rescue_->Close(std::chrono::steady_clock::now() - start);
    open_ = false;
    filters_.reset();
    coded_by_.reset();
    kept_.clear();
    for (auto& field : previous_) field.reset();
    if (forget_ || lost_) Forget();
    lost_ = false;
    if (!rescue_ || !backend_->capabilities().rows_may_be_late) return;
    if (const int rest = lateness_.Note(late)) RestCuda(rest);
}

void Context::Forget() {
    for (int slot = 0; slot < CUDAME_REFS; slot++) {
        fields_[slot].reset();
        previous_[slot].reset();
    }
    forget_ = false;
}

void Context::Reset() {
    if (open_)
        forget_ = true;
    else
        Forget();
}

void Context::ExpectMemory(const void* memory, size_t size) {
    if (open_) Invalid("the last frame was not ended");
    if (!memory || !size) Invalid("no memory to expect");
    if (config_.whole_frames) backend_->ExpectMemory(static_cast<const uint8_t*>(memory), size);
}

void Context::ForgetMemory() {
    if (open_) Invalid("the last frame was not ended");
    kept_.clear();
    store_.ForgetMemory();
    backend_->ForgetMemory();
    if (resting_) resting_->ForgetMemory();
}

void Context::Resize(int width, int height) {
    CheckSize(width, height);
    if (open_) Invalid("the last frame was not ended");
    kept_.clear();
    Forget();
    pool_.clear();
    intra_.reset();
    store_.Clear();
    if (rescue_) {
        search_ns_ += rescue_->search_ns();
        late_rows_ += rescue_->rows();
        rescue_.reset();
    }
    if (resting_) Replace(resting_, FrameStore());
    g_ = MakeGeometry(width, height);
    sized_ = false;
    OrFallBack([this] { backend_->Resize(g_); });
    sized_ = true;
}

void Context::GetStats(cudame_stats* stats) const {
    stats->wait_ns = wait_ns_;
    stats->search_ns = search_ns_ + backend_->search_ns() + (rescue_ ? rescue_->search_ns() : 0);
    stats->ref_bytes = ref_bytes_;
    stats->source_bytes = source_bytes_ + backend_->source_bytes();
    stats->late_rows = late_rows_ + (rescue_ ? rescue_->rows() : 0);
}

}  // namespace cudame
