// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The number of times that the kernels are loaded, on the fake driver.

#include "fake_driver.h"
#include "session.h"

namespace {

class ModuleTest : public FakeDriverTest {
  protected:
    void SetUp() override {
        FakeDriverTest::SetUp();
        Find("cuCtxCreate_v2", &create_);
        Find("cuCtxPopCurrent_v2", &pop_);
        Find("fake_cuda_loads", &loads_);
        Find("fake_cuda_ids", &ids_);
        ASSERT_TRUE(create_ && pop_ && loads_ && ids_) << "a real driver was found";
        before_ = loads_();
    }
    void TearDown() override {
        if (ids_) ids_(1);
        FakeDriverTest::TearDown();
    }

    // NULL: the device's primary context.
    cudame_config Config(void* cuda_context) const {
        cudame_config config = MakeConfig(64, 64, CUDAME_MODE_FAST);
        config.backend = CUDAME_BACKEND_CUDA;
        config.cu_context = cuda_context;
        return config;
    }
    void* NewContext() {
        void *context = nullptr, *popped;
        EXPECT_EQ(create_(&context, 0, 0), 0);
        EXPECT_EQ(pop_(&popped), 0);
        return context;
    }
    int loads() const { return loads_() - before_; }

    void (*ids_)(int) = nullptr;

  private:
    int (*create_)(void**, unsigned, int) = nullptr;
    int (*pop_)(void**) = nullptr;
    int (*loads_)() = nullptr;
    int before_ = 0;
};

TEST_F(ModuleTest, IsLoadedOnceForAContext) {
    void* context = NewContext();
    for (int i = 0; i < 3; i++) Session session(Config(context));
    EXPECT_EQ(loads(), 1);
    { Session first(Config(context)), second(Config(context)); }
    EXPECT_EQ(loads(), 1);
}

// All contexts of the fake driver have one address. A real context may also get the address of an
// earlier one.
TEST_F(ModuleTest, IsLoadedAgainForTheNextContext) {
    { Session session(Config(NewContext())); }
    { Session session(Config(NewContext())); }
    EXPECT_EQ(loads(), 2);
}

TEST_F(ModuleTest, IsLoadedAgainAfterThePrimaryContext) {
    { Session session(Config(nullptr)); }
    { Session first(Config(nullptr)), second(Config(nullptr)); }
    EXPECT_EQ(loads(), 2);
}

// Drivers before CUDA 12.
TEST_F(ModuleTest, IsUnloadedWhereContextsHaveNoNumbers) {
    ids_(0);
    void* context = NewContext();
    {
        Session first(Config(context)), second(Config(context));
        EXPECT_EQ(loads(), 1);
    }
    EXPECT_EQ(loads(), 0);
}

TEST_F(ModuleTest, FailedLoadIsNotKept) {
    void* context = NewContext();
    setenv("FAKE_CUDA_OLD", "1", 1);
    cudame_context* ctx = nullptr;
    char err[256] = "";
    const cudame_config config = Config(context);
    EXPECT_EQ(cudame_create(&ctx, &config, err, sizeof(err)), CUDAME_ERROR_UNAVAILABLE);
    EXPECT_NE(strstr(err, "the kernels of this build do not run there"), nullptr) << err;
    unsetenv("FAKE_CUDA_OLD");
    { Session session(Config(context)); }
    EXPECT_EQ(loads(), 1);
}

}  // namespace
