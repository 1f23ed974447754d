// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "rescue.h"

#include <algorithm>
#include <utility>

#include "backends.h"

namespace cudame {
namespace {

using std::chrono::nanoseconds;
using Clock = std::chrono::steady_clock;

// Time of the first row of a frame, for each macroblock of it, as long as none was measured. It
// includes the shrunk planes and the rows around.
constexpr int64_t kFirstRowMbNs = 8000;
constexpr int64_t kLeastPatienceNs = 500000;  // a shorter wait is not worth a second search

BackendConfig OneThread(BackendConfig config) {
    // The threads that wait make rows. More threads would make rows that the device has already.
    config.threads = 1;
    return config;
}

}  // namespace

int Lateness::Note(bool late) {
    if (!late) {
        late_ = 0;
        if (++timely_ == limits_.timely) rest_ = limits_.first_rest;
        timely_ = std::min(timely_, limits_.timely);
        return 0;
    }
    timely_ = 0;
    if (++late_ < limits_.late) return 0;
    late_ = 0;
    const int rest = rest_;
    rest_ = std::min(2 * rest_, limits_.longest_rest);
    return rest;
}

Rescue::Rescue(const BackendConfig& config, const Geometry& g)
    : g_(g),
      cpu_(CreateBackend(CUDAME_BACKEND_CPU, OneThread(config), g)),
      made_(static_cast<size_t>(g.mb_rows)),
      first_row_ns_(g.mb_cols * kFirstRowMbNs) {}

void Rescue::Open(FrameJob job, const uint64_t (&ids)[CUDAME_REFS],
                  const std::shared_ptr<Field> (&fields)[CUDAME_REFS], const FrameStore& store) {
    store_ = &store;
    job_ = std::move(job);
    job_.device_source = {};
    ids_.resize(job_.searches.size());
    for (int slot = 0; slot < CUDAME_REFS; slot++) {
        slots_[slot] = -1;
        for (size_t i = 0; i < job_.searches.size(); i++) {
            if (job_.searches[i].field != fields[slot]) continue;
            slots_[slot] = static_cast<int>(i);
            ids_[i] = ids[slot];
        }
    }
    for (auto& made : made_) made = false;
    begun_ = broken_ = false;
    rows_before_ = rows_;
    search_before_ = cpu_->search_ns();
    open_ = true;
}

bool Rescue::Close(nanoseconds end_wait) {
    if (!open_) return false;
    open_ = late_ = false;
    bool worse = false;
    if (begun_) {
        cpu_->Abandon();
        const int64_t rows = static_cast<int64_t>(rows_ - rows_before_);
        const int64_t search = static_cast<int64_t>(cpu_->search_ns() - search_before_);
        late_ = 8 * rows >= g_.mb_rows;
        worse =
            4 * rows >= 3 * g_.mb_rows || (rows && end_wait.count() > search / rows * g_.mb_rows);
    }
    job_ = {};
    return worse;
}

nanoseconds Rescue::Patience() const {
    if (broken_) return kNoLimit;
    if (begun_ || late_) return nanoseconds(0);
    return nanoseconds(std::max<int64_t>(first_row_ns_, kLeastPatienceNs));
}

void Rescue::Begin() {
    FrameJob job = job_;
    fields_.resize(std::max(fields_.size(), job.searches.size()));
    const size_t mbs = static_cast<size_t>(g_.mbs());
    for (size_t i = 0; i < job.searches.size(); i++) {
        Search& s = job.searches[i];
        store_->CopyTo(&references_, cpu_.get(), g_, ids_[i]);
        s.reference = references_.Get(ids_[i]);
        if (!fields_[i]) fields_[i] = cpu_->CreateField(mbs);
        s.field = fields_[i];
    }
    if (job.intra) {
        if (!intra_) intra_ = cpu_->CreateIntraField(mbs);
        job.intra = intra_;
    }
    cpu_->Begin(std::move(job));
}

bool Rescue::Make(int mb_row) {
    const auto start = Clock::now();
    bool first = false;
    if (!begun_) {
        std::lock_guard<std::mutex> lock(mutex_);
        if (broken_) return false;
        first = !begun_;
        try {
            if (first) Begin();
        } catch (...) {
            broken_ = true;  // for example without memory; wait for the device's row
            return false;
        }
        begun_ = true;
    }
    cpu_->WaitRow(mb_row);
    if (first) first_row_ns_ = nanoseconds(Clock::now() - start).count();
    if (!made_[static_cast<size_t>(mb_row)].exchange(true)) rows_++;
    return true;
}

const Field* Rescue::field(int slot) const {
    return slots_[slot] < 0 ? nullptr : fields_[static_cast<size_t>(slots_[slot])].get();
}

void Rescue::CompleteSplit(int slot, int mb_row, int mb_col) {
    cpu_->CompleteSplit(*field(slot), mb_row, mb_col);
}

void Rescue::CompleteIntra(int mb_row, int mb_col, int parts) {
    cpu_->CompleteIntra(mb_row, mb_col, parts);
}

}  // namespace cudame
