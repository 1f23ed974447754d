// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The driver that the contexts of a test load, with the controls of the fake and the emulated
// driver (fake_cuda.c) beyond CUDA's own calls.

#ifndef CUDAME_TESTS_FAKE_DRIVER_H_
#define CUDAME_TESTS_FAKE_DRIVER_H_

#include <dlfcn.h>
#include <gtest/gtest.h>

class FakeDriverTest : public ::testing::Test {
  protected:
    void SetUp() override {
        lib_ = dlopen("libcuda.so.1", RTLD_LAZY);
        ASSERT_TRUE(lib_) << dlerror();
        Find("fake_cuda_fail", &fail_);
        Find("fake_cuda_allocations", &allocations_);
        finds_ = !fail_ || dlsym(lib_, "emulate_run");
        Tell(-1, 0, 0);
    }
    // The contexts are gone by now.
    void TearDown() override {
        Tell(-1, 0, 0);
        if (allocations_) {
            EXPECT_EQ(allocations_(), 0) << "device or pinned memory leaks";
        }
        if (lib_) dlclose(lib_);
    }

    template <class Fn>
    void Find(const char* name, Fn** fn) {
        *fn = reinterpret_cast<Fn*>(dlsym(lib_, name));
    }
    void Tell(int call, int code, int for_good) {
        if (fail_) fail_(call, code, for_good);
    }

    void* lib_ = nullptr;
    void (*fail_)(int, int, int) = nullptr;  // NULL: a real driver
    int (*allocations_)() = nullptr;
    bool finds_ = false;  // the driver runs kernels, so searches find vectors
};

#endif  // CUDAME_TESTS_FAKE_DRIVER_H_
