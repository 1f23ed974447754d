// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/device_load.h"

#include <unistd.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <tuple>

#include "cuda/device_memory_taken.h"

namespace cudame {
namespace {

struct Users {
    std::mutex mutex;
    std::map<int, int> of;  // number of users by device
};

// Never destroyed: encoders may end after static objects do.
Users& AllUsers() {
    static Users* const users = new Users();
    return *users;
}

std::string NameOf(const Driver& driver, int number) {
    CUdevice device = 0;
    char name[100] = "";
    CUDAME_CHECK(driver, cuDeviceGet(&device, number));
    CUDAME_CHECK(driver, cuDeviceGetName(name, sizeof(name) - 1, device));
    return name;
}

}  // namespace

int LeastLoaded(const std::vector<DeviceLoad>& devices, int begin) {
    const int count = static_cast<int>(devices.size());
    const auto load = [&](int i) {
        const DeviceLoad& d = devices[i];
        return std::make_tuple(d.other, d.users, d.memory);
    };
    int best = -1;
    for (int n = 0; n < count; n++) {
        const int i = (begin + n) % count;
        if (!devices[i].excluded && (best < 0 || load(i) < load(best))) best = i;
    }
    return best;
}

void DeviceUse::Take(int device) {
    Release();
    Users& users = AllUsers();
    const std::lock_guard<std::mutex> lock(users.mutex);
    users.of[device]++;
    device_ = device;
}

int DeviceUse::TakeAny(const Driver& driver, int count, const std::vector<bool>& excluded) {
    Release();
    const std::vector<int> memory = MemoryTaken(driver, count);
    const std::string first = NameOf(driver, 0);
    std::vector<DeviceLoad> devices;
    for (int i = 0; i < count; i++)
        devices.push_back({excluded[i], i && NameOf(driver, i) != first, 0, memory[i]});
    Users& users = AllUsers();
    const std::lock_guard<std::mutex> lock(users.mutex);
    for (const auto& [device, n] : users.of)
        if (device < count) devices[device].users = n;
    const int chosen = LeastLoaded(devices, getpid() % count);
    if (chosen >= 0) users.of[chosen]++;
    device_ = chosen;
    return chosen;
}

void DeviceUse::Release() {
    if (device_ < 0) return;
    Users& users = AllUsers();
    const std::lock_guard<std::mutex> lock(users.mutex);
    users.of[device_]--;
    device_ = -1;
}

}  // namespace cudame
