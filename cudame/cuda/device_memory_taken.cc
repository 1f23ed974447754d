// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/device_memory_taken.h"

#include <dlfcn.h>

namespace cudame {
namespace {

constexpr int kSteps = 16;

// The part of NVML that is needed. NVML comes with the driver; its header does not.
class Nvml {
  public:
    Nvml() : lib_(dlopen("libnvidia-ml.so.1", RTLD_LAZY)) {
        if (!lib_) return;
        int (*init)() = nullptr;
        if (Find("nvmlInit_v2", &init) && Find("nvmlShutdown", &shutdown_) &&
            Find("nvmlDeviceGetHandleByPciBusId_v2", &handle_) &&
            Find("nvmlDeviceGetMemoryInfo", &memory_))
            works_ = !init();
    }
    ~Nvml() {
        if (works_) shutdown_();
        if (lib_) dlclose(lib_);
    }
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;

    // The memory in use on the device with this bus address, in steps of 1/kSteps; -1: unknown.
    int Taken(const char* bus_id) const {
        void* device = nullptr;
        Memory memory = {};
        if (!works_ || handle_(bus_id, &device) || memory_(device, &memory) || !memory.total)
            return -1;
        return static_cast<int>(static_cast<double>(memory.used) * kSteps /
                                static_cast<double>(memory.total));
    }

  private:
    struct Memory {
        unsigned long long total, free, used;
    };

    template <class Fn>
    bool Find(const char* name, Fn** fn) {
        *fn = reinterpret_cast<Fn*>(dlsym(lib_, name));
        return *fn;
    }

    void* lib_;
    bool works_ = false;
    int (*shutdown_)() = nullptr;
    int (*handle_)(const char* bus_id, void** device) = nullptr;
    int (*memory_)(void* device, Memory* memory) = nullptr;
};

}  // namespace

std::vector<int> MemoryTaken(const Driver& driver, int count) {
    const std::vector<int> unknown(count);
    std::vector<int> taken;
    if (!driver.cuDeviceGetPCIBusId) return unknown;
    const Nvml nvml;
    for (int i = 0; i < count; i++) {
        char bus_id[32] = "";
        CUdevice device = 0;
        if (driver->cuDeviceGet(&device, i) ||
            driver.cuDeviceGetPCIBusId(bus_id, sizeof(bus_id), device))
            return unknown;
        taken.push_back(nvml.Taken(bus_id));
        if (taken.back() < 0) return unknown;
    }
    return taken;
}

}  // namespace cudame
