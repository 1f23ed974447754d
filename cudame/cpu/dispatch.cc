// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Chooses the kernels for this CPU.

#include "cpu/kernels.h"

namespace cudame {

Kernels BestKernels() {
    Kernels k = ReferenceKernels();
    SetSadKernels(&k);
    SetMetricKernels(&k);
    SetPredictKernels(&k);
    SetIntraKernels(&k);
    return k;
}

}  // namespace cudame
