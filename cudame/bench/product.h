// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The library's own kernels, used through the C interface and timed one by one.

#ifndef CUDAME_BENCH_PRODUCT_H_
#define CUDAME_BENCH_PRODUCT_H_

#include <functional>
#include <string>
#include <vector>

#include "bench/frames.h"

namespace bench {

struct Stage {
    std::string kernel;
    double ms;     // sum of its launches
    int launches;  // in a frame
};

// One frame against one reference, without predictions from a frame before.
class Product {
  public:
    Product(const Frames& frames, cudame_mode mode, cudame_search search, int range,
            cudame_backend backend = CUDAME_BACKEND_CUDA, bool intra = false);
    ~Product();
    Product(const Product&) = delete;
    Product& operator=(const Product&) = delete;

    // Return the reason if it did not work, else an empty string.
    const std::string& error() const { return error_; }
    // Return the kernels, and uploads as one more, in the order of their first launch. Empty on the
    // CPU, and if launches no longer go through cuLaunchKernel().
    std::vector<Stage> Frame();
    // Return the milliseconds of one kernel in a frame; 0 if it is not launched.
    double Frame(const char* kernel);
    const std::vector<naive::Record>& field() const { return field_; }

  private:
    const Frames& frames_;
    const bool intra_;
    cudame_context* ctx_ = nullptr;
    std::vector<naive::Record> field_;
    std::string error_;
};

}  // namespace bench

#endif  // CUDAME_BENCH_PRODUCT_H_
