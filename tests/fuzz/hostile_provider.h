/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// A motion provider that fails, and returns wrong records. They depend only on the plan's seed, the
// frame and the row, so that the stream does not depend on threads.

#ifndef TESTS_FUZZ_HOSTILE_PROVIDER_H
#define TESTS_FUZZ_HOSTILE_PROVIDER_H

#include <vector>

#include "random.h"
#include "scenario.h"
#include "vpx/vp8_motion_provider.h"

namespace fuzz {

class HostileProvider {
  public:
    explicit HostileProvider(const ProviderPlan &plan);
    HostileProvider(const HostileProvider &) = delete;
    HostileProvider &operator=(const HostileProvider &) = delete;

    const vp8e_motion_provider_t *get() const { return &callbacks_; }

  private:
    template <class Provider>
    friend vp8e_motion_provider_t Callbacks(Provider *provider, const ProviderPlan &plan);

    int FrameBegin(const vp8e_mp_frame_t &frame);
    int Row(int mb_row, const vp8e_mp_mb_t *rows[4], const vp8e_mp_split_t *splits[4]);
    int IntraRow(int mb_row, const vp8e_mp_intra_t **row);
    int CompleteSplit(int mb_row, int mb_col, int ref);
    int CompleteIntra(int mb_row, int mb_col, int parts);
    int FilterBegin(const vp8e_mp_loop_filter_t &filter);
    int FilterErrors(uint32_t *errors);

    void FillRow(int ref, int mb_row);
    vp8e_mp_mv_t Vector(Random *random, int mb_row, int mb_col) const;
    // Returns whether the n-th call of a kind fails in this frame.
    bool Fails(uint64_t kind, uint64_t n) const;

    const ProviderPlan plan_;
    vp8e_motion_provider_t callbacks_{};
    uint64_t frame_id_ = 0;
    int mb_rows_ = 0, mb_cols_ = 0, levels_ = 0;
    std::vector<vp8e_mp_mb_t> field_[4];
    std::vector<vp8e_mp_split_t> splits_[4];
    std::vector<vp8e_mp_intra_t> intra_;
};

}  // namespace fuzz

#endif  // TESTS_FUZZ_HOSTILE_PROVIDER_H
