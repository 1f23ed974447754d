// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The scalar definition of the first pass; cudame/first_pass.h describes it.

#ifndef CUDAME_CPU_FIRST_PASS_H_
#define CUDAME_CPU_FIRST_PASS_H_

#include "common/first_pass.h"

namespace cudame {

class ScalarFirstPass : public FirstPass {
  public:
    ScalarFirstPass(int mb_cols, int mb_rows) : mb_cols_(mb_cols), mb_rows_(mb_rows) {}
    cudame_first_pass_counts Run(const cudame_first_pass_frame& frame) override;

  private:
    int mb_cols_, mb_rows_;
};

}  // namespace cudame

#endif  // CUDAME_CPU_FIRST_PASS_H_
