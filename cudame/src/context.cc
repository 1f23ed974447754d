// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "context.h"

#include <chrono>
#include <cstring>
#include <utility>

#include "error.h"
#include "plane.h"

namespace cudame {
namespace {

void CheckRange(const char* name, int value, int low, int high) {
    if (value < low || value > high)
        Invalid(std::string(name) + " is " + std::to_string(value) + ", allowed are " +
                std::to_string(low) + " to " + std::to_string(high));
}

// C callers may leave any number in an enum, which C++ must not load as one.
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

[[noreturn]] void Unavailable(const char* text) { throw Error(CUDAME_ERROR_UNAVAILABLE, text); }

enum cudame_search ResolveSearch(const cudame_config& config) {
    if (config.search != CUDAME_SEARCH_DEFAULT) return config.search;
    const bool diamond = config.mode == CUDAME_MODE_FAST || config.mode == CUDAME_MODE_SPLITMV;
    return diamond ? CUDAME_SEARCH_DIAMOND : CUDAME_SEARCH_FULL;
}

BackendConfig MakeBackendConfig(const cudame_config& config) {
    constexpr int kDefaultRange = 32;
    return {config.mode, ResolveSearch(config), config.range ? config.range : kDefaultRange,
            config.threads};
}

}  // namespace

void CheckConfig(const cudame_config& config) {
    if (config.size != sizeof(cudame_config))
        Invalid("config.size is " + std::to_string(config.size) + ", this library expects " +
                std::to_string(sizeof(cudame_config)) + ": call cudame_config_default()");
    CheckEnum("backend", config.backend, CUDAME_BACKEND_CPU, CUDAME_BACKEND_CUDA);
    CheckEnum("mode", config.mode, CUDAME_MODE_FAST, CUDAME_MODE_FULL);
    CheckEnum("search", config.search, CUDAME_SEARCH_DEFAULT, CUDAME_SEARCH_FULL);
    CheckRange("range", config.range, 0, 128);
    CheckSize(config.width, config.height);
    CheckRange("threads", config.threads, 1, 64);
    CheckRange("device", config.device, -1, 1023);
    CheckRange("band_rows", config.band_rows, 0, CUDAME_MAX_DIMENSION);
    if (config.backend == CUDAME_BACKEND_CUDA) Unavailable("this library was built without CUDA");
    if (config.mode == CUDAME_MODE_TEX) Unavailable("mode tex is not implemented yet");
    if (config.search == CUDAME_SEARCH_HIERARCHICAL)
        Unavailable("search hierarchical is not implemented yet");
}

Context::Context(const cudame_config& config)
    : config_(config),
      g_(MakeGeometry(config.width, config.height)),
      backend_(CreateCpuBackend(MakeBackendConfig(config), g_)) {
    Log(false, ("cudame: " + backend_->Describe()).c_str());
}

Context::~Context() {
    if (open_) backend_->End();
}

void Context::Log(bool is_error, const char* text) const {
    if (config_.log) config_.log(config_.log_opaque, is_error, text);
}

void Context::SetError(const char* text) {
    std::lock_guard<std::mutex> lock(error_mutex_);
    last_error_ = text;
}

void Context::SubmitReference(uint64_t id, const cudame_plane* plane, int first_row, int rows) {
    if (!plane) Invalid("no plane given");
    ref_bytes_ += store_.Submit(backend_.get(), g_, id, *plane, first_row, rows);
}

// Fields are large; a frame reuses those that no slot refers to any more.
std::shared_ptr<Field> Context::FreeField() {
    for (const auto& field : pool_)
        if (field.use_count() == 1 && field->size() == static_cast<size_t>(g_.mbs())) return field;
    pool_.push_back(std::make_shared<Field>(static_cast<size_t>(g_.mbs())));
    return pool_.back();
}

FrameJob Context::MakeJob(const cudame_frame& frame) {
    CheckPlane(frame.source, g_, "source");
    CheckEnum("filter", frame.filter, CUDAME_FILTER_SIXTAP, CUDAME_FILTER_BILINEAR);
    CheckRange("sad_per_bit", frame.sad_per_bit, 0, kMaxSadPerBit);
    if (frame.ref_id[0]) Invalid("ref_id[0] is unused and must be 0");

    FrameJob job;
    job.source = frame.source;
    job.filter = frame.filter;
    job.costs = &costs_;
    costs_.Set(frame.mv_cost, frame.sad_per_bit);
    for (int slot = CUDAME_REF_LAST; slot < CUDAME_REFS; slot++) {
        const uint64_t id = frame.ref_id[slot];
        if (!id) continue;
        for (int other = CUDAME_REF_LAST; other < slot && !fields_[slot]; other++)
            if (frame.ref_id[other] == id) fields_[slot] = fields_[other];
        if (fields_[slot]) continue;
        Search search;
        search.reference = store_.Get(id);
        search.previous = previous_[slot];
        search.field = fields_[slot] = FreeField();
        job.searches.push_back(std::move(search));
    }
    return job;
}

void Context::BeginFrame(const cudame_frame* frame) {
    if (!frame) Invalid("no frame given");
    if (open_) Invalid("the frame before was not ended");
    for (int slot = 0; slot < CUDAME_REFS; slot++) previous_[slot] = std::move(fields_[slot]);
    try {
        backend_->Begin(MakeJob(*frame));
    } catch (...) {
        Forget();
        throw;
    }
    open_ = true;
    frames_++;
}

void Context::WaitRow(int mb_row, const cudame_mb* rows[CUDAME_REFS]) {
    const auto start = std::chrono::steady_clock::now();
    if (!open_) Invalid("no frame was begun");
    if (!rows) Invalid("no rows given");
    CheckRange("mb_row", mb_row, 0, g_.mb_rows - 1);
    backend_->WaitRow(mb_row);
    for (int slot = 0; slot < CUDAME_REFS; slot++)
        rows[slot] = fields_[slot] ? fields_[slot]->data() + static_cast<size_t>(mb_row) *
                                                                 static_cast<size_t>(g_.mb_cols)
                                   : nullptr;
    wait_ns_ += static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                          std::chrono::steady_clock::now() - start)
                                          .count());
}

void Context::EndFrame() {
    if (!open_) Invalid("no frame was begun");
    backend_->End();
    open_ = false;
    for (auto& field : previous_) field.reset();
    if (forget_) Forget();
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

void Context::Resize(int width, int height) {
    CheckSize(width, height);
    if (open_) Invalid("the frame before was not ended");
    Forget();
    pool_.clear();
    store_.Clear();
    g_ = MakeGeometry(width, height);
    backend_->Resize(g_);
}

void Context::GetStats(cudame_stats* stats) const {
    stats->frames = frames_;
    stats->wait_ns = wait_ns_;
    stats->search_ns = backend_->search_ns();
    stats->ref_bytes = ref_bytes_;
    stats->source_bytes = backend_->source_bytes();
}

}  // namespace cudame
