// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The choice between several devices for a context, on the fake driver.

#include "cuda/device_load.h"

#include <unistd.h>

#include <memory>
#include <thread>
#include <vector>

#include "fake_driver.h"
#include "session.h"

namespace {

using cudame::DeviceLoad;
using cudame::LeastLoaded;

TEST(LeastLoadedTest, FewestUsersThenMemoryThenTheFirstFromBegin) {
    EXPECT_EQ(LeastLoaded({}, 0), -1);
    EXPECT_EQ(LeastLoaded({{true, false, 0, 0}}, 0), -1);
    EXPECT_EQ(LeastLoaded({{false, false, 2, 0}, {false, false, 1, 9}}, 0), 1);
    EXPECT_EQ(LeastLoaded({{false, false, 1, 5}, {false, false, 1, 4}}, 0), 1);
    for (int begin = 0; begin < 3; begin++)
        EXPECT_EQ(LeastLoaded(std::vector<DeviceLoad>(3, {false, false, 1, 5}), begin), begin);
    EXPECT_EQ(LeastLoaded({{false, false, 0, 0}, {true, false, 0, 0}, {false, false, 0, 0}}, 1), 2);
    // A device of another kind is taken only if there is none of the first one's kind.
    EXPECT_EQ(LeastLoaded({{false, false, 9, 9}, {false, true, 0, 0}}, 1), 0);
    EXPECT_EQ(LeastLoaded({{true, false, 9, 9}, {false, true, 0, 0}}, 0), 1);
}

class DeviceLoadTest : public FakeDriverTest {
  protected:
    void SetUp() override {
        FakeDriverTest::SetUp();
        nvml_ = dlopen("libnvidia-ml.so.1", RTLD_LAZY);
        ASSERT_TRUE(nvml_) << dlerror();
        memory_ = reinterpret_cast<void (*)(int, int)>(dlsym(nvml_, "fake_nvml_take"));
        sessions_ = reinterpret_cast<int (*)()>(dlsym(nvml_, "fake_nvml_sessions"));
        Find("fake_cuda_devices", &devices_);
        Find("fake_cuda_alike", &alike_);
        Find("fake_cuda_users", &users_);
        Find("fake_cuda_take", &take_);
        Find("fake_cuda_lose", &lose_);
        Find("cuCtxCreate_v2", &create_);
        Find("cuCtxPopCurrent_v2", &pop_);
        ASSERT_TRUE(memory_ && sessions_ && devices_ && alike_ && users_ && take_ && lose_ &&
                    create_ && pop_)
            << "a real driver was found";
        devices_(2);
        alike_(1);
    }
    void TearDown() override {
        if (take_) {
            EXPECT_EQ(users_(0) + users_(1), 0);
            EXPECT_EQ(sessions_(), 0);
            devices_(1);
            alike_(0);
            take_(-1, 0);
            lose_(-1);
            memory_(0, -1);
            memory_(1, -1);
        }
        if (nvml_) dlclose(nvml_);
        FakeDriverTest::TearDown();
    }

    // device -1: any
    std::unique_ptr<Session> Open(int device = -1, void* cuda_context = nullptr) const {
        cudame_config config = MakeConfig(64, 64, CUDAME_MODE_FAST);
        config.backend = CUDAME_BACKEND_CUDA;
        config.device = device;
        config.cu_context = cuda_context;
        return std::make_unique<Session>(config);
    }
    void ExpectUsers(int first, int second) {
        EXPECT_EQ(users_(0), first);
        EXPECT_EQ(users_(1), second);
    }

    void* nvml_ = nullptr;
    void (*memory_)(int, int) = nullptr;
    int (*sessions_)() = nullptr;
    void (*devices_)(int) = nullptr;
    void (*alike_)(int) = nullptr;
    int (*users_)(int) = nullptr;
    void (*take_)(int, int) = nullptr;
    void (*lose_)(int) = nullptr;
    int (*create_)(void**, unsigned, int) = nullptr;
    int (*pop_)(void**) = nullptr;
};

TEST_F(DeviceLoadTest, ContextsAreSpreadAndGiveTheirPlacesBack) {
    const auto first = Open();
    EXPECT_EQ(users_(getpid() % 2), 1);
    auto second = Open();
    ExpectUsers(1, 1);
    auto third = Open(), fourth = Open();
    ExpectUsers(2, 2);
    // A new context gets the free place.
    second.reset();
    fourth.reset();
    const int left = users_(0) < users_(1) ? 0 : 1;
    EXPECT_EQ(users_(left), 0);
    const auto fifth = Open(), sixth = Open();
    ExpectUsers(2, 2);
}

TEST_F(DeviceLoadTest, ThoseThatWereAskedForCount) {
    const auto first = Open(1), second = Open(1), third = Open(), fourth = Open(), fifth = Open(0);
    ExpectUsers(3, 2);
    const auto sixth = Open();
    ExpectUsers(3, 3);
}

TEST_F(DeviceLoadTest, ContextsOfOthersCount) {
    void *context = nullptr, *popped;
    ASSERT_EQ(create_(&context, 0, 0), 0);
    ASSERT_EQ(pop_(&popped), 0);
    {
        const auto first = Open(-1, context), second = Open(-1, context);
        const auto third = Open(), fourth = Open();
        ExpectUsers(0, 2);
    }
    const auto fifth = Open(), sixth = Open();
    ExpectUsers(1, 1);
}

TEST_F(DeviceLoadTest, MemoryThatIsTakenDecidesWhereUsersAreLevel) {
    for (const int full : {0, 1}) {
        memory_(full, 50);
        memory_(1 - full, 10);
        const auto first = Open();
        EXPECT_EQ(users_(1 - full), 1);
        const auto second = Open();
        ExpectUsers(1, 1);
    }
    // A difference of less than a step does not count. An unknown load does not count either.
    for (const int other : {53, -1}) {
        memory_(getpid() % 2, 54);
        memory_(1 - getpid() % 2, other);
        const auto first = Open();
        EXPECT_EQ(users_(getpid() % 2), 1);
    }
}

TEST_F(DeviceLoadTest, AnotherDeviceIsTakenWhereOneCannotBeHad) {
    for (const int gone : {0, 1}) {
        take_(gone, 46);
        const auto first = Open(), second = Open();
        EXPECT_EQ(users_(1 - gone), 2);
    }
    take_(-1, 0);
    devices_(1);
    const auto only = Open();
    ExpectUsers(1, 0);
}

// Another encoder still keeps the context of the device that failed.
TEST_F(DeviceLoadTest, AnotherDeviceIsTakenWhileOneThatFailedIsInUse) {
    for (const int failed : {0, 1}) {
        const auto old = Open(failed);
        lose_(failed);
        const auto first = Open(), second = Open();
        EXPECT_EQ(users_(failed), 1);
        EXPECT_EQ(users_(1 - failed), 2);
        lose_(-1);
    }
}

TEST_F(DeviceLoadTest, OnlyDevicesOfTheFirstOnesKind) {
    alike_(0);
    {
        const auto first = Open(), second = Open();
        ExpectUsers(2, 0);
    }
    take_(0, 46);
    const auto third = Open();
    ExpectUsers(0, 1);
}

TEST_F(DeviceLoadTest, FailuresLeaveNoUserBehind) {
    cudame_config config = MakeConfig(64, 64, CUDAME_MODE_FAST);
    config.backend = CUDAME_BACKEND_CUDA;
    char text[256];
    int failed = 0;
    for (int call = 0;; call++) {
        cudame_context* context = nullptr;
        Tell(call, 2, 1);
        const int code = cudame_create(&context, &config, text, sizeof(text));
        Tell(-1, 0, 0);
        cudame_destroy(context);
        if (!code) break;
        ASSERT_LT(failed++, 1000);
    }
    EXPECT_GT(failed, 10);
    const auto first = Open(), second = Open();
    ExpectUsers(1, 1);
}

TEST_F(DeviceLoadTest, ThreadsThatStartAtOnceAreSpread) {
    constexpr int kThreads = 8;
    std::vector<std::unique_ptr<Session>> sessions(kThreads);
    std::vector<std::thread> threads;
    for (auto& session : sessions) threads.emplace_back([&] { session = Open(); });
    for (std::thread& thread : threads) thread.join();
    ExpectUsers(kThreads / 2, kThreads / 2);
}

}  // namespace
