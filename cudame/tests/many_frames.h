// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Makes the first device seem to code many frames, so that it codes the next ones in groups of
// rows. Without the CUDA backend there is no such class.

#ifndef CUDAME_TESTS_MANY_FRAMES_H_
#define CUDAME_TESTS_MANY_FRAMES_H_

#include <memory>

class ManyFrames {
  public:
    ManyFrames();
    ~ManyFrames();

  private:
    struct Counts;
    std::unique_ptr<Counts> counts_;
};

#endif  // CUDAME_TESTS_MANY_FRAMES_H_
