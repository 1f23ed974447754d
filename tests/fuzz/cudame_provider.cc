/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "cudame_provider.h"

#include <algorithm>

#include "../provider/to_cudame.h"
#include "callbacks.h"
#include "random.h"

namespace fuzz {

using provider_test::FromCudame;
using provider_test::ToCudame;

CudameProvider::CudameProvider(const ProviderPlan &plan, int threads) : plan_(plan) {
    cudame_config_default(&config_);
    config_.backend = CUDAME_BACKEND_CPU;
    config_.mode = cudame_mode(plan.mode);
    config_.search = cudame_search(plan.search);
    config_.level = int(plan.seed % 4);
    config_.threads = threads;

    callbacks_ = Callbacks(this, plan);
    vp8e_motion_provider_t &c = callbacks_;
    c.reference_ready = [](void *p, const vp8e_mp_ref_t *ref, int, int) {
        static_cast<CudameProvider *>(p)->ReferenceReady(*ref);
    };
    c.frame_end = [](void *p, uint64_t, int is_key, const uint64_t live[4]) {
        static_cast<CudameProvider *>(p)->FrameEnd(is_key, live);
    };
    c.memory_freed = [](void *p) { static_cast<CudameProvider *>(p)->MemoryFreed(); };
    if (plan.first_pass) {
        c.first_pass_freed = [](void *p) { static_cast<CudameProvider *>(p)->FirstPassFreed(); };
        c.first_pass = [](void *p, const vp8e_mp_first_pass_t *frame,
                          vp8e_mp_first_pass_counts_t *counts) {
            return static_cast<CudameProvider *>(p)->FirstPass(*frame, counts);
        };
    }
}

CudameProvider::~CudameProvider() {
    cudame_destroy(context_);
    cudame_first_pass_destroy(first_pass_);
}

std::string CudameProvider::error() const {
    std::lock_guard<std::mutex> lock(mutex_);
    return error_;
}

bool CudameProvider::Ok(int code, const char *call, const char *why) {
    if (code >= 0) return true;
    std::lock_guard<std::mutex> lock(mutex_);
    if (error_.empty()) {
        error_ = std::string(call) + ": " + cudame_error_name(code) + " (" + why + ")";
    }
    return false;
}

bool CudameProvider::Ok(int code, const char *call) {
    return Ok(code, call, context_ ? cudame_last_error(context_) : "");
}

void CudameProvider::FitSize(int width, int height) {
    if (context_ && config_.width == width && config_.height == height) return;
    config_.width = width;
    config_.height = height;
    references_.clear();
    if (context_) {
        Ok(cudame_resize(context_, width, height), "cudame_resize");
        return;
    }
    char why[256] = "";
    Ok(cudame_create(&context_, &config_, why, sizeof(why)), "cudame_create", why);
}

cudame_plane CudameProvider::Plane(const uint8_t *data, int stride, int border) const {
    cudame_plane p{};
    p.data = data;
    p.stride = stride;
    p.width = config_.width;
    p.height = config_.height;
    p.border = border;
    p.persistent = 1;
    return p;
}

void CudameProvider::Submit(const vp8e_mp_ref_t &ref) {
    const cudame_plane plane = Plane(ref.y, ref.stride, ref.border);
    references_.insert(ref.id);
    Ok(cudame_submit_reference(context_, ref.id, &plane, 0, config_.height),
       "cudame_submit_reference");
}

// libvpx does not end a frame that it fails to code.
bool CudameProvider::EndOpenFrame() {
    const bool open = in_frame_;
    in_frame_ = false;
    return !open || Ok(cudame_end_frame(context_), "cudame_end_frame");
}

bool CudameProvider::RowFails(int mb_row) const {
    return plan_.failing && Mix(plan_.seed, frame_id_, uint64_t(mb_row)) % plan_.failing == 0;
}

int CudameProvider::FrameBegin(const vp8e_mp_frame_t &frame) {
    EndOpenFrame();
    FitSize(16 * frame.mb_cols, 16 * frame.mb_rows);
    if (!error().empty()) return -1;
    cudame_frame f{};
    for (int i = CUDAME_REF_LAST; i < CUDAME_REFS; i++) {
        const vp8e_mp_ref_t &ref = frame.ref[i];
        if (!ref.id || !ref.searched) continue;
        if (!references_.count(ref.id)) Submit(ref);
        f.ref_id[i] = ref.id;
    }
    f.source = Plane(frame.src, frame.src_stride, 0);
    f.filter = frame.bilinear ? CUDAME_FILTER_BILINEAR : CUDAME_FILTER_SIXTAP;
    f.mv_cost[0] = frame.mv_cost[0];
    f.mv_cost[1] = frame.mv_cost[1];
    f.sad_per_bit = frame.sad_per_bit;
    f.bmode_cost = frame.bmode_cost;
    in_frame_ = Ok(cudame_begin_frame(context_, &f), "cudame_begin_frame");
    frame_id_ = frame.frame_id;
    return in_frame_ ? 0 : -1;
}

// libvpx's records have the same layout as cudame's.
int CudameProvider::Row(int mb_row, const vp8e_mp_mb_t *rows[4], const vp8e_mp_split_t *splits[4]) {
    if (RowFails(mb_row)) return -1;
    const cudame_mb *found[CUDAME_REFS] = {};
    const cudame_split *found_splits[CUDAME_REFS] = {};
    if (!Ok(cudame_wait_row(context_, mb_row, found, found_splits), "cudame_wait_row")) return -1;
    for (int i = CUDAME_REF_LAST; i < CUDAME_REFS; i++) {
        rows[i] = reinterpret_cast<const vp8e_mp_mb_t *>(found[i]);
        splits[i] = reinterpret_cast<const vp8e_mp_split_t *>(found_splits[i]);
    }
    return 0;
}

int CudameProvider::IntraRow(int mb_row, const vp8e_mp_intra_t **row) {
    if (RowFails(mb_row + 1)) return -1;
    const cudame_intra *found = nullptr;
    if (!Ok(cudame_intra_row(context_, mb_row, &found), "cudame_intra_row")) return -1;
    *row = reinterpret_cast<const vp8e_mp_intra_t *>(found);
    return 0;
}

int CudameProvider::CompleteSplit(int mb_row, int mb_col, int ref) {
    return Ok(cudame_complete_split(context_, mb_row, mb_col, ref), "cudame_complete_split") ? 0
                                                                                            : -1;
}

int CudameProvider::CompleteIntra(int mb_row, int mb_col, int parts) {
    return Ok(cudame_complete_intra(context_, mb_row, mb_col, parts), "cudame_complete_intra") ? 0
                                                                                              : -1;
}

// Skip a buffer of another size: FrameBegin() submits it with the frame that uses it.
void CudameProvider::ReferenceReady(const vp8e_mp_ref_t &ref) {
    if (context_ && ref.width == config_.width && ref.height == config_.height) Submit(ref);
}

int CudameProvider::FilterBegin(const vp8e_mp_loop_filter_t &filter) {
    if (!in_frame_ || config_.width != 16 * filter.mb_cols ||
        config_.height != 16 * filter.mb_rows) {
        return -1;
    }
    const cudame_loop_filter f = ToCudame(filter);
    return Ok(cudame_loop_filter_start(context_, &f), "cudame_loop_filter_start") ? 0 : -1;
}

int CudameProvider::FilterErrors(uint32_t *errors) {
    return Ok(cudame_loop_filter_errors(context_, errors), "cudame_loop_filter_errors") ? 0 : -1;
}

void CudameProvider::FrameEnd(bool is_key, const uint64_t live[4]) {
    if (!context_ || !EndOpenFrame()) return;
    if (is_key) Ok(cudame_reset(context_), "cudame_reset");
    for (auto id = references_.begin(); id != references_.end();) {
        if (std::find(live, live + 4, *id) != live + 4) {
            ++id;
            continue;
        }
        Ok(cudame_retire_reference(context_, *id), "cudame_retire_reference");
        id = references_.erase(id);
    }
}

int CudameProvider::FirstPass(const vp8e_mp_first_pass_t &frame,
                              vp8e_mp_first_pass_counts_t *counts) {
    if (plan_.failing && Mix(plan_.seed, frame.recon_id) % plan_.failing == 0) return -1;
    if (!first_pass_) {
        cudame_first_pass_config config{};
        config.size = sizeof(config);
        config.backend = CUDAME_BACKEND_CPU;
        config.mb_cols = frame.mb_cols;
        config.mb_rows = frame.mb_rows;
        char why[256] = "";
        const int code = cudame_first_pass_create(&first_pass_, &config, why, sizeof(why));
        if (!Ok(code, "cudame_first_pass_create", why)) return -1;
    }
    const cudame_first_pass_frame f = ToCudame(frame);
    cudame_first_pass_counts found{};
    const int code = cudame_first_pass_run(first_pass_, &f, &found);
    if (!Ok(code, "cudame_first_pass_run", cudame_first_pass_last_error(first_pass_))) return -1;
    *counts = FromCudame(found);
    return 0;
}

void CudameProvider::MemoryFreed() {
    if (context_ && EndOpenFrame()) {
        Ok(cudame_forget_memory(context_), "cudame_forget_memory");
    }
}

void CudameProvider::FirstPassFreed() {
    if (first_pass_) {
        Ok(cudame_first_pass_forget_memory(first_pass_), "cudame_first_pass_forget_memory",
           cudame_first_pass_last_error(first_pass_));
    }
}

}  // namespace fuzz
