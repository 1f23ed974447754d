// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Changes the coder of whole frames for tests. There are no such functions without the CUDA
// backend.

#ifndef CUDAME_TESTS_MANY_FRAMES_H_
#define CUDAME_TESTS_MANY_FRAMES_H_

#include <memory>

// Lets callers of the coder wait $CUDAME_TEST_PATIENCE times as long, if it is set.
void SetPatience();

// Makes the first device seem to code many frames, so that it codes the next ones in groups of
// rows.
class ManyFrames {
  public:
    ManyFrames();
    ~ManyFrames();

  private:
    struct Counts;
    std::unique_ptr<Counts> counts_;
};

#endif  // CUDAME_TESTS_MANY_FRAMES_H_
