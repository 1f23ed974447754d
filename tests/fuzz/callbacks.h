/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// The callbacks of the fuzzer's providers, as calls of member functions.

#ifndef TESTS_FUZZ_CALLBACKS_H
#define TESTS_FUZZ_CALLBACKS_H

#include <cstdlib>

#include "cudame/cudame.h"
#include "scenario.h"
#include "vpx/vp8_motion_provider.h"

namespace fuzz {

// The provider must outlive the callbacks.
template <class Provider>
vp8e_motion_provider_t Callbacks(Provider *provider, const ProviderPlan &plan) {
    vp8e_motion_provider_t c{};
    c.abi_version = VP8E_MP_ABI_VERSION;
    c.priv = provider;
    c.repair_mv_cost = plan.repair_mv_cost;
    c.repair_drops = 1;
    c.repair_threads = 1;
    c.guide = plan.guide;
    c.lookahead = plan.lookahead;
    c.mbtree = plan.mbtree;
    c.prefilter = plan.prefilter;
    c.satd[0] = cudame_satd(16);
    c.satd[1] = cudame_satd(8);
    c.satd[2] = cudame_satd(4);
    c.frame_begin = [](void *p, const vp8e_mp_frame_t *frame) {
        return static_cast<Provider *>(p)->FrameBegin(*frame);
    };
    c.row = [](void *p, int mb_row, const vp8e_mp_mb_t *rows[4], const vp8e_mp_split_t *splits[4]) {
        return static_cast<Provider *>(p)->Row(mb_row, rows, splits);
    };
    c.intra_row = [](void *p, int mb_row, const vp8e_mp_intra_t **row) {
        return static_cast<Provider *>(p)->IntraRow(mb_row, row);
    };
    c.complete_split = [](void *p, int mb_row, int mb_col, int ref) {
        return static_cast<Provider *>(p)->CompleteSplit(mb_row, mb_col, ref);
    };
    c.complete_intra = [](void *p, int mb_row, int mb_col, int parts) {
        return static_cast<Provider *>(p)->CompleteIntra(mb_row, mb_col, parts);
    };
    // Threads count these. Abort if the sums are inconsistent.
    c.frame_counts = [](void *, const vp8e_mp_counts_t *counts) {
        int modes = 0;
        for (const int n : counts->mode) modes += n;
        if (modes != counts->macroblocks || counts->untried > counts->guided) std::abort();
    };
    if (plan.filters) {
        c.filter_begin = [](void *p, const vp8e_mp_loop_filter_t *filter) {
            return static_cast<Provider *>(p)->FilterBegin(*filter);
        };
        c.filter_errors = [](void *p, uint32_t *errors) {
            return static_cast<Provider *>(p)->FilterErrors(errors);
        };
    }
    return c;
}

}  // namespace fuzz

#endif  // TESTS_FUZZ_CALLBACKS_H
