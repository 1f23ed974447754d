// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Chooses the kernels for this CPU, and gives one of them to callers of the C interface.

#include "cpu/kernels.h"

namespace cudame {

Kernels BestKernels() {
    Kernels k = ReferenceKernels();
    SetSadKernels(&k);
    SetMetricKernels(&k);
    SetPredictKernels(&k);
    SetIntraKernels(&k);
    SetHalfKernels(&k);
    SetLeanCostKernels(&k);
    SetLeanSadKernels(&k);
    SetLeanSatdKernels(&k);
    SetShrinkKernels(&k);
    return k;
}

}  // namespace cudame

cudame_satd_fn cudame_satd(int size) {
    const cudame::Kernels kernels = cudame::BestKernels();
    const auto& satd = kernels.metric[static_cast<int>(cudame::Metric::kSatd)];
    return size == 16  ? satd[cudame::k16x16]
           : size == 8 ? satd[cudame::k8x8]
           : size == 4 ? satd[cudame::k4x4]
                       : nullptr;
}
