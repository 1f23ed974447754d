/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include <algorithm>
#include <climits>
#include <thread>

#include "cudame_session.h"

namespace fuzz {

namespace {

void CheckRecord(const cudame_mb &mb, int row, int col, int mb_rows, int mb_cols) {
    const auto legal = [](int v, int mb, int mbs) {
        return v >= -4 * (16 * mb + CUDAME_MV_BORDER) &&
               v <= 4 * (16 * (mbs - 1 - mb) + CUDAME_MV_BORDER);
    };
    if (!legal(mb.mv.row, row, mb_rows) || !legal(mb.mv.col, col, mb_cols)) {
        Fail("cudame_wait_row", "a vector is not legal");
    }
    const int known = CUDAME_MB_FULLPEL | CUDAME_MB_SPLIT | CUDAME_MB_PENDING;
    if (mb.flags & ~known) Fail("cudame_wait_row", "a record has an unknown flag");
}

// Compares the intra estimates of two records, except those that are still pending.
bool SameIntra(const cudame_intra &a, const cudame_intra &b) {
    if (a.pending != b.pending) return false;
    if (!(a.pending & CUDAME_INTRA_16X16) && memcmp(a.satd16, b.satd16, sizeof(a.satd16))) {
        return false;
    }
    return (a.pending & CUDAME_INTRA_4X4) || (a.cost4 == b.cost4 && !memcmp(a.mode4, b.mode4, sizeof(a.mode4)));
}

// Rates for cudame_begin_frame(), in memory that is freed when the call returns.
class Rates {
  public:
    Rates(Random *in, int count) : values_(new int[size_t(count)]) {
        kind_ = in->Below(5);
        const int scale = in->Below(256);
        for (int i = 0; i < count; i++) {
            const int far = std::abs(i - count / 2);
            values_[size_t(i)] = kind_ == 1   ? far * scale
                                 : kind_ == 2 ? 256 * scale + (i * 7919 & 255)
                                 : kind_ == 3 ? (i & 1 ? INT_MAX : INT_MIN)
                                              : -scale * far;
        }
    }
    // Returns a pointer to the middle value, or nullptr for no rates.
    const int *get(int middle) const { return kind_ ? values_.get() + middle : nullptr; }

  private:
    int kind_;
    std::unique_ptr<int[]> values_;
};

}  // namespace

void CudameSession::Begin() {
    if (open()) return;
    std::vector<uint64_t> ids;
    for (const auto &[id, r] : references_) {
        if (r.Complete()) ids.push_back(id);
    }
    cudame_frame frame{};
    for (int slot = CUDAME_REF_LAST; slot < CUDAME_REFS && !ids.empty(); slot++) {
        if (Percent(70)) frame.ref_id[slot] = ids[size_t(Below(int(ids.size())))];
    }
    const Pattern pattern = ChoosePattern(&in_);
    const int more = Percent(20) ? Below(20) : 0;
    source_ = NewPlane(pattern, width_ + more, height_ + more);
    twin_source_ = std::make_unique<Plane>(pattern, width_ + more, height_ + more, 0, 3, false, 0);
    frame.source = source_->get();
    frame.filter = cudame_filter(Below(2));
    frame.sad_per_bit = Percent(50) ? Below(60) : Below(2048);
    auto rows = std::make_unique<Rates>(&in_, 2047), cols = std::make_unique<Rates>(&in_, 2047);
    auto bmodes = std::make_unique<Rates>(&in_, CUDAME_BMODES);
    frame.mv_cost[0] = rows->get(1023);
    frame.mv_cost[1] = cols->get(1023);
    frame.bmode_cost = bmodes->get(0);
    const uint8_t on_device = 0;  // the CPU backend must not read it
    cudame_plane device = frame.source;
    device.data = &on_device;
    device.stride = std::abs(device.stride);
    device.on_device = 1;
    if (Percent(10)) frame.device_source = &device;
    if (Percent(20)) SpoilFrame(&frame);
    Good(cudame_begin_frame(context_, &frame), "cudame_begin_frame");
    frame.source = twin_source_->get();
    Good(cudame_begin_frame(twin_, &frame), "cudame_begin_frame");
    frame_ = frame;
    waited_.assign(size_t(mb_rows()), false);
    intra_waited_ = waited_;
}

// Begins the frame with one invalid field. The call must be refused.
void CudameSession::SpoilFrame(cudame_frame *frame) {
    cudame_frame bad = *frame;
    cudame_plane device{};
    switch (Below(6)) {
        case 0:
            bad.source = Spoiled(&in_, bad.source, width_, height_);
            break;
        case 1:
            bad.ref_id[0] = 1;
            break;
        case 2:
            bad.ref_id[Between(1, 3)] = last_id_ + 5;
            break;
        case 3:
            bad.sad_per_bit = Outside(0, 2047);
            break;
        case 4:
            SetEnum(&bad.filter, Outside(0, 1));
            break;
        default:  // a device source in host memory
            device = bad.source;
            bad.device_source = &device;
    }
    Refused(cudame_begin_frame(context_, &bad), "cudame_begin_frame");
    // A refused frame makes the context forget its vectors. Do the same in the twin.
    Good(cudame_reset(twin_), "cudame_reset");
}

void CudameSession::BeginBadly() {
    if (Percent(30)) return Refused(cudame_begin_frame(context_, nullptr), "cudame_begin_frame");
    if (open()) {
        cudame_frame frame = *frame_;
        frame.bmode_cost = frame.mv_cost[0] = frame.mv_cost[1] = nullptr;
        frame.source = source_->get();
        frame.device_source = nullptr;
        return Refused(cudame_begin_frame(context_, &frame), "cudame_begin_frame");
    }
    for (const auto &[id, r] : references_) {
        if (r.Complete()) continue;
        // Rows below the last macroblock are not needed, so without them the call is not refused.
        if (r.rows >= std::min(r.plane->get().height, 16 * mb_rows())) continue;
        const auto source = NewPlane(ChoosePattern(&in_), width_, height_);
        cudame_frame frame{};
        frame.source = source->get();
        frame.ref_id[1] = id;
        Refused(cudame_begin_frame(context_, &frame), "cudame_begin_frame");
        return Good(cudame_reset(twin_), "cudame_reset");
    }
}

void CudameSession::WaitRow(int row) {
    const char call[] = "cudame_wait_row";
    const cudame_mb *rows[CUDAME_REFS], *twins[CUDAME_REFS];
    const cudame_split *splits[CUDAME_REFS], *twin_splits[CUDAME_REFS];
    const bool wants_splits = config_.mode == CUDAME_MODE_FAST || Percent(90);
    Good(cudame_wait_row(context_, row, rows, wants_splits ? splits : nullptr), call);
    Good(cudame_wait_row(twin_, row, twins, wants_splits ? twin_splits : nullptr), call);
    waited_[size_t(row)] = true;
    for (int slot = 0; slot < CUDAME_REFS; slot++) {
        if (!rows[slot] != !frame_->ref_id[slot]) {
            Fail(call, "rows of a slot that was not searched, or none of one that was");
        }
        const bool has_splits = rows[slot] && config_.mode != CUDAME_MODE_FAST;
        if (wants_splits && !splits[slot] == has_splits) {
            Fail(call, "records of smaller blocks are missing or not wanted");
        }
        for (int col = 0; rows[slot] && col < mb_cols(); col++) {
            const cudame_mb &mb = rows[slot][col];
            CheckRecord(mb, row, col, mb_rows(), mb_cols());
            if (memcmp(&mb, &twins[slot][col], sizeof(mb))) Fail(call, "the twin's vectors differ");
            const bool made = (mb.flags & CUDAME_MB_SPLIT) && !(mb.flags & CUDAME_MB_PENDING);
            if (wants_splits && has_splits && made &&
                memcmp(&splits[slot][col], &twin_splits[slot][col], sizeof(cudame_split))) {
                Fail(call, "the twin's vectors of smaller blocks differ");
            }
        }
    }
}

void CudameSession::IntraRow(int row) {
    const char call[] = "cudame_intra_row";
    const cudame_intra *found, *twin;
    Good(cudame_intra_row(context_, row, &found), call);
    Good(cudame_intra_row(twin_, row, &twin), call);
    intra_waited_[size_t(row)] = true;
    for (int col = 0; col < mb_cols(); col++) {
        if (!SameIntra(found[col], twin[col])) Fail(call, "the twin's estimates differ");
    }
}

// Waits for rows in two threads, like row threads: each waits for every second row, from the first
// or from the last on.
void CudameSession::RowsByThreads() {
    if (!open()) return;
    const bool backwards = Percent(50), intra = frame_->bmode_cost && Percent(50);
    auto wait = [&](int number) {
        for (int i = number; i < mb_rows(); i += 2) {
            const int row = backwards ? mb_rows() - 1 - i : i;
            const cudame_mb *rows[CUDAME_REFS];
            const cudame_intra *estimates;
            if (cudame_wait_row(context_, row, rows, nullptr) ||
                (intra && cudame_intra_row(context_, row, &estimates))) {
                Fail("cudame_wait_row", "refused in a thread");
            }
        }
    };
    std::thread other(wait, 1);
    wait(0);
    other.join();
    for (int row = 0; row < mb_rows(); row++) {
        WaitRow(row);
        if (intra) IntraRow(row);
    }
}

void CudameSession::WaitBadly() {
    const cudame_mb *rows[CUDAME_REFS];
    const cudame_intra *intra;
    const int row = open() && Percent(50) ? Outside(0, mb_rows() - 1) : 0;
    if (row || !open()) {
        Refused(cudame_wait_row(context_, row, rows, nullptr), "cudame_wait_row");
        Refused(cudame_intra_row(context_, row, &intra), "cudame_intra_row");
    } else {
        Refused(cudame_wait_row(context_, row, nullptr, nullptr), "cudame_wait_row");
        Refused(cudame_intra_row(context_, row, nullptr), "cudame_intra_row");
        if (!frame_->bmode_cost) {
            Refused(cudame_intra_row(context_, row, &intra), "cudame_intra_row");
        }
    }
}

void CudameSession::CompleteSplit() {
    if (!open()) return;
    const int row = Below(mb_rows()), col = Below(mb_cols()), slot = Between(1, 3);
    if (!waited_[size_t(row)]) return;
    const char call[] = "cudame_complete_split";
    const cudame_mb *rows[CUDAME_REFS];
    Good(cudame_wait_row(context_, row, rows, nullptr), "cudame_wait_row");
    if (!rows[slot]) return Refused(cudame_complete_split(context_, row, col, slot), call);
    if (!(rows[slot][col].flags & CUDAME_MB_SPLIT)) return;
    Good(cudame_complete_split(context_, row, col, slot), call);
    Good(cudame_complete_split(twin_, row, col, slot), call);
    if (rows[slot][col].flags & CUDAME_MB_PENDING) Fail(call, "still pending");
    WaitRow(row);
}

void CudameSession::CompleteIntra() {
    if (!open() || !frame_->bmode_cost) return;
    const int row = Below(mb_rows()), col = Below(mb_cols()), parts = Below(4);
    if (!intra_waited_[size_t(row)]) return;
    const char call[] = "cudame_complete_intra";
    Good(cudame_complete_intra(context_, row, col, parts), call);
    Good(cudame_complete_intra(twin_, row, col, parts), call);
    const cudame_intra *found;
    Good(cudame_intra_row(context_, row, &found), "cudame_intra_row");
    if (found[col].pending & uint32_t(parts)) Fail(call, "still pending");
    IntraRow(row);
}

void CudameSession::CompleteBadly() {
    int row = 0, col = 0, slot = 1, parts = 3;
    if (open()) {
        const int what = Below(4);
        if (what == 0) row = Outside(0, mb_rows() - 1);
        if (what == 1) col = Outside(0, mb_cols() - 1);
        if (what >= 2) {
            slot = Outside(1, 3);
            parts = Outside(0, 3);
        }
    }
    Refused(cudame_complete_split(context_, row, col, slot), "cudame_complete_split");
    Refused(cudame_complete_intra(context_, row, col, parts), "cudame_complete_intra");
}

void CudameSession::LoopFilter() {
    cudame_loop_filter nothing{};
    if (!open()) {
        uint32_t errors[CUDAME_LOOP_FILTER_LEVELS];
        Refused(cudame_loop_filter_start(context_, &nothing), "cudame_loop_filter_start");
        return Refused(cudame_loop_filter_errors(context_, errors), "cudame_loop_filter_errors");
    }
    if (filter_) return FilterErrors();
    for (int row = 0; row < mb_rows(); row++) WaitRow(row);
    filter_ = std::make_unique<Filter>();
    Filter &f = *filter_;
    f.plane = NewPlane(ChoosePattern(&in_), 16 * mb_cols(), 16 * mb_rows());
    f.macroblocks.resize(size_t(mb_cols()) * size_t(mb_rows()));
    const int kinds = Between(1, 128), bend = Below(64);
    for (size_t i = 0; i < f.macroblocks.size(); i++) f.macroblocks[i] = uint8_t(i * 5 % kinds);
    for (int l = 0; l < CUDAME_LOOP_FILTER_LEVELS; l++) {
        for (int k = 0; k < CUDAME_LOOP_FILTER_KINDS; k++) {
            f.level[l][k] = uint8_t(std::clamp(l + (k & 1 ? bend : -bend) / (1 + k % 3), 0, 63));
        }
    }
    f.filter = {};
    f.filter.frame = f.plane->get();
    f.filter.macroblocks = f.macroblocks.data();
    f.filter.level = f.level;
    f.filter.first_level = 8 * Below(8);
    f.filter.levels = 8 * Between(1, 8 - f.filter.first_level / 8);
    f.filter.sharpness = Below(8);
    f.filter.key_frame = Below(2);
    f.filter.step = Below(mb_rows() + 1);
    f.filter.first = Below(mb_rows());
    if (Percent(20)) FilterBadly(f.filter);
    Good(cudame_loop_filter_start(context_, &f.filter), "cudame_loop_filter_start");
    Good(cudame_loop_filter_start(twin_, &f.filter), "cudame_loop_filter_start");
    if (Percent(70)) FilterErrors();
}

void CudameSession::FilterBadly(cudame_loop_filter filter) {
    const char call[] = "cudame_loop_filter_start";
    const std::vector<uint8_t> kinds(filter_->macroblocks.size(), 128);
    const cudame_loop_filter *given = &filter;
    switch (Below(9)) {
        case 0:
            filter.frame = Spoiled(&in_, filter.frame, filter.frame.width, filter.frame.height);
            break;
        case 1:
            filter.macroblocks = nullptr;
            break;
        case 2:
            filter.macroblocks = kinds.data();
            break;
        case 3:
            filter.level = nullptr;
            break;
        case 4:
            filter.first_level = Outside(0, 56);
            break;
        case 5:
            filter.levels = Percent(50) ? 0 : Outside(8, 64);
            break;
        case 6:
            filter.sharpness = Outside(0, 7);
            break;
        case 7:
            filter.step = 1;
            filter.first = Outside(0, mb_rows() - 1);
            break;
        default:
            given = nullptr;
    }
    Refused(cudame_loop_filter_start(context_, given), call);
}

void CudameSession::FilterErrors() {
    const char call[] = "cudame_loop_filter_errors";
    if (Percent(10)) Refused(cudame_loop_filter_errors(context_, nullptr), call);
    if (Percent(10)) Refused(cudame_loop_filter_start(context_, &filter_->filter), call);
    const size_t levels = size_t(filter_->filter.levels);
    const std::unique_ptr<uint32_t[]> errors(new uint32_t[levels]), twins(new uint32_t[levels]);
    Good(cudame_loop_filter_errors(context_, errors.get()), call);
    Good(cudame_loop_filter_errors(twin_, twins.get()), call);
    if (!std::equal(errors.get(), errors.get() + levels, twins.get())) {
        Fail(call, "the twin's errors differ");
    }
    Refused(cudame_loop_filter_errors(context_, errors.get()), call);
    Keep(std::move(filter_->plane));
    filter_.reset();
}

void CudameSession::End() {
    if (!open()) return Refused(cudame_end_frame(context_), "cudame_end_frame");
    Good(cudame_end_frame(context_), "cudame_end_frame");
    Good(cudame_end_frame(twin_), "cudame_end_frame");
    frame_.reset();
    if (filter_) Keep(std::move(filter_->plane));
    filter_.reset();
    Keep(std::move(source_));
    retired_.clear();
}

}  // namespace fuzz
