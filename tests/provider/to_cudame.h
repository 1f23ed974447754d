/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Converts libvpx's requests to a motion provider into cudame's types.

#ifndef TESTS_PROVIDER_TO_CUDAME_H
#define TESTS_PROVIDER_TO_CUDAME_H

#include "cudame/first_pass.h"
#include "cudame/loop_filter.h"
#include "cudame/whole_frame.h"
#include "vpx/vp8_motion_provider.h"

namespace provider_test {

// The results point to the same memory as the arguments.
cudame_loop_filter ToCudame(const vp8e_mp_loop_filter_t &filter);
cudame_first_pass_frame ToCudame(const vp8e_mp_first_pass_t &frame);

// The same struct: the layouts are equal.
cudame_whole_frame *ToCudame(vp8e_mp_whole_frame_t *frame);
const cudame_frame_filter *ToCudame(const vp8e_mp_frame_filter_t *filter);
cudame_partition *ToCudame(vp8e_mp_partition_t *partition);
cudame_modes *ToCudame(vp8e_mp_modes_t *modes);

vp8e_mp_first_pass_counts_t FromCudame(const cudame_first_pass_counts &counts);

}  // namespace provider_test

#endif  // TESTS_PROVIDER_TO_CUDAME_H
