// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The transforms of common/transform.h for whole 4x4 blocks in raster order. The result may replace
// the input.

#ifndef CUDAME_CPU_BLOCK_TRANSFORM_H_
#define CUDAME_CPU_BLOCK_TRANSFORM_H_

namespace cudame {

void ForwardDct(const int residual[16], int coefficients[16]);
void InverseDct(const int coefficients[16], int residual[16]);

// The second-order transform. first[] has the first coefficient of each of 16 blocks.
void ForwardWalsh(const int first[16], int coefficients[16]);
void InverseWalsh(const int coefficients[16], int first[16]);

}  // namespace cudame

#endif  // CUDAME_CPU_BLOCK_TRANSFORM_H_
