// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The library never prints. Errors are thrown with the text that the loader would print.
#define FFNV_LOG_FUNC(logctx, msg, ...) (void)0
#define FFNV_DEBUG_LOG_FUNC(logctx, msg, ...) (void)0

#include "cuda/driver.h"

#include <dlfcn.h>

#include <cstring>

#include "common/error.h"

namespace cudame {
namespace {

constexpr const char* kLibrary = "libcuda.so.1";  // as in nv-codec-headers' loader

template <class Fn>
void LoadExtra(void* lib, const char* name, Fn** fn) {
    *fn = reinterpret_cast<Fn*>(dlsym(lib, name));
    if (!*fn)
        throw Error(CUDAME_ERROR_UNAVAILABLE,
                    std::string("the CUDA driver lacks ") + name + ": update it");
}

}  // namespace

std::shared_ptr<const Driver> Driver::Open() {
    std::shared_ptr<Driver> driver(new Driver());
    if (cuda_load_functions(&driver->functions_, nullptr) < 0) {
        const char* why = dlerror();
        void* lib = dlopen(kLibrary, RTLD_LAZY);
        if (!lib) why = dlerror();
        const std::string reason = lib ? std::string("the CUDA driver is too old: update it")
                                       : std::string("cannot load ") + kLibrary + " (" +
                                             (why ? why : "not found") +
                                             "): a GPU needs the NVIDIA driver";
        if (lib) dlclose(lib);
        throw Error(CUDAME_ERROR_UNAVAILABLE, reason);
    }
    void* lib = driver->functions_->lib;
    LoadExtra(lib, "cuMemHostAlloc", &driver->cuMemHostAlloc);
    LoadExtra(lib, "cuMemFreeHost", &driver->cuMemFreeHost);
    LoadExtra(lib, "cuEventElapsedTime", &driver->cuEventElapsedTime);
    driver->cuStreamCreateWithPriority =
        reinterpret_cast<StreamCreateFn*>(dlsym(lib, "cuStreamCreateWithPriority"));
    driver->cuMemHostRegister =
        reinterpret_cast<HostRegisterFn*>(dlsym(lib, "cuMemHostRegister_v2"));
    driver->cuMemHostUnregister =
        reinterpret_cast<HostUnregisterFn*>(dlsym(lib, "cuMemHostUnregister"));
    driver->cuCtxGetId = reinterpret_cast<CtxGetIdFn*>(dlsym(lib, "cuCtxGetId"));
    driver->cuDeviceGetPCIBusId = reinterpret_cast<PciBusIdFn*>(dlsym(lib, "cuDeviceGetPCIBusId"));
    driver->cuOccupancyMaxActiveBlocksPerMultiprocessor =
        reinterpret_cast<OccupancyFn*>(dlsym(lib, "cuOccupancyMaxActiveBlocksPerMultiprocessor"));
    driver->cuFuncSetAttribute = reinterpret_cast<FunctionSetFn*>(dlsym(lib, "cuFuncSetAttribute"));
    return driver;
}

std::shared_ptr<const Driver> Driver::Load() {
    std::shared_ptr<const Driver> driver = Open();
    int devices = 0;
    const CUresult init = (*driver)->cuInit(0);
    if (init != CUDA_SUCCESS || (*driver)->cuDeviceGetCount(&devices) != CUDA_SUCCESS || !devices) {
        const char* name = nullptr;
        (*driver)->cuGetErrorString(init, &name);
        throw Error(CUDAME_ERROR_UNAVAILABLE,
                    init != CUDA_SUCCESS ? std::string("cuInit: ") + (name ? name : "unknown error")
                                         : std::string("no CUDA device"));
    }
    return driver;
}

unsigned long long Driver::CurrentContextId() const {
    unsigned long long id = 0;
    if (!cuCtxGetId) return 0;
    const CUresult result = cuCtxGetId(nullptr, &id);
    if (result == kErrorNotSupported) return 0;
    Check(result, "cuCtxGetId");
    return id;
}

Driver::~Driver() { cuda_free_functions(&functions_); }

void Driver::Check(CUresult result, const char* call) const {
    if (result == CUDA_SUCCESS) return;
    const char *name = nullptr, *text = nullptr;
    functions_->cuGetErrorName(result, &name);
    functions_->cuGetErrorString(result, &text);
    // "cuFoo(a, b)" -> "cuFoo"
    const std::string function(call, strcspn(call, "("));
    throw Error(result == kErrorOutOfMemory ? CUDAME_ERROR_DEVICE_MEM : CUDAME_ERROR_DEVICE,
                function + ": " + (text ? text : "unknown error") + " (" +
                    (name ? name : std::to_string(result)) + ")");
}

}  // namespace cudame
