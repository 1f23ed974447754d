/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// A motion provider by cudame's CPU backend, like that of vp8_cudame, except that some rows fail on
// purpose and no error of cudame is hidden.

#ifndef TESTS_FUZZ_CUDAME_PROVIDER_H
#define TESTS_FUZZ_CUDAME_PROVIDER_H

#include <cstdint>
#include <mutex>
#include <set>
#include <string>

#include "cudame/cudame.h"
#include "cudame/first_pass.h"
#include "scenario.h"
#include "vpx/vp8_motion_provider.h"

namespace fuzz {

class CudameProvider {
  public:
    CudameProvider(const ProviderPlan &plan, int threads);
    ~CudameProvider();
    CudameProvider(const CudameProvider &) = delete;
    CudameProvider &operator=(const CudameProvider &) = delete;

    const vp8e_motion_provider_t *get() const { return &callbacks_; }
    // Returns the first call of cudame that failed, with its message, or an empty string.
    std::string error() const;

  private:
    template <class Provider>
    friend vp8e_motion_provider_t Callbacks(Provider *provider, const ProviderPlan &plan);

    // The lookahead's thread calls these too.
    bool Ok(int code, const char *call, const char *why);
    int FirstPass(const vp8e_mp_first_pass_t &frame, vp8e_mp_first_pass_counts_t *counts);

    bool Ok(int code, const char *call);
    void FitSize(int width, int height);
    cudame_plane Plane(const uint8_t *data, int stride, int border) const;
    void Submit(const vp8e_mp_ref_t &ref);
    bool EndOpenFrame();
    bool RowFails(int mb_row) const;

    int FrameBegin(const vp8e_mp_frame_t &frame);
    int Row(int mb_row, const vp8e_mp_mb_t *rows[4], const vp8e_mp_split_t *splits[4]);
    int IntraRow(int mb_row, const vp8e_mp_intra_t **row);
    int CompleteSplit(int mb_row, int mb_col, int ref);
    int CompleteIntra(int mb_row, int mb_col, int parts);
    void ReferenceReady(const vp8e_mp_ref_t &ref);
    int FilterBegin(const vp8e_mp_loop_filter_t &filter);
    int FilterErrors(uint32_t *errors);
    void FrameEnd(bool is_key, const uint64_t live[4]);
    void MemoryFreed();
    void FirstPassFreed();

    const ProviderPlan plan_;
    vp8e_motion_provider_t callbacks_{};
    cudame_config config_{};
    cudame_context *context_ = nullptr;
    cudame_first_pass *first_pass_ = nullptr;
    std::set<uint64_t> references_;  // ids of the references that cudame has
    uint64_t frame_id_ = 0;
    bool in_frame_ = false;
    mutable std::mutex mutex_;  // protects error_
    std::string error_;
};

}  // namespace fuzz

#endif  // TESTS_FUZZ_CUDAME_PROVIDER_H
