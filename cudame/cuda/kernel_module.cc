// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/kernel_module.h"

#include <map>
#include <mutex>

#include "common/error.h"

// In cuda/module.S.
extern "C" const unsigned char cudame_module[];

namespace cudame {
namespace {

struct Loaded {
    std::mutex mutex;
    std::map<unsigned long long, CUmodule> modules;  // by Driver::CurrentContextId()
};

// Never destroyed: encoders may end after static objects do.
Loaded& AllLoaded() {
    static Loaded* const loaded = new Loaded();
    return *loaded;
}

CUmodule LoadInto(const Driver& driver, const char* device_name) {
    CUmodule module = nullptr;
    const CUresult loaded = driver->cuModuleLoadData(&module, cudame_module);
    if (loaded == kErrorNoBinary || loaded == kErrorUnsupportedPtx)
        throw Error(CUDAME_ERROR_UNAVAILABLE,
                    std::string(device_name) +
                        ": the kernels of this build do not run there: it needs compute "
                        "capability 7.5, and a driver as new as the CUDA toolkit of the build");
    driver.Check(loaded, "cuModuleLoadData");
    return module;
}

}  // namespace

void KernelModule::Load(const Driver& driver, const char* device_name) {
    context_id_ = driver.CurrentContextId();
    if (!context_id_) {
        module_ = LoadInto(driver, device_name);
        return;
    }
    Loaded& all = AllLoaded();
    const std::lock_guard<std::mutex> lock(all.mutex);
    const auto found = all.modules.find(context_id_);
    if (found != all.modules.end()) {
        module_ = found->second;
        return;
    }
    module_ = LoadInto(driver, device_name);
    all.modules.emplace(context_id_, module_);
}

CUfunction KernelModule::Function(const Driver& driver, const char* name) const {
    CUfunction function = nullptr;
    driver.Check(driver->cuModuleGetFunction(&function, module_, name), "cuModuleGetFunction");
    return function;
}

void KernelModule::Release(const Driver& driver) {
    if (module_ && !context_id_) driver->cuModuleUnload(module_);
    module_ = nullptr;
}

void KernelModule::Forget(unsigned long long context_id) {
    Loaded& all = AllLoaded();
    const std::lock_guard<std::mutex> lock(all.mutex);
    all.modules.erase(context_id);
}

}  // namespace cudame
