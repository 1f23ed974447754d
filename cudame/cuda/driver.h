// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The CUDA driver API, loaded at run time through nv-codec-headers.

#ifndef CUDAME_CUDA_DRIVER_H_
#define CUDAME_CUDA_DRIVER_H_

#include <ffnvcodec/dynlink_loader.h>

#include <memory>
#include <string>

namespace cudame {

// What the loader's table lacks.
constexpr unsigned kHostAllocPortable = 1, kHostAllocMapped = 2;
constexpr unsigned kHostRegisterPortable = 1;
constexpr CUresult kErrorNotReady = static_cast<CUresult>(600);
constexpr CUresult kErrorOutOfMemory = static_cast<CUresult>(2);
constexpr CUresult kErrorDeviceUnavailable = static_cast<CUresult>(46);
constexpr CUresult kErrorNoBinary = static_cast<CUresult>(209);
constexpr CUresult kErrorUnsupportedPtx = static_cast<CUresult>(222);
constexpr CUresult kErrorNotSupported = static_cast<CUresult>(801);

class Driver {
  public:
    // Throws Error(CUDAME_ERROR_UNAVAILABLE) with the cause: no library, too
    // old a driver, no device.
    static std::shared_ptr<const Driver> Load();
    // The same as far as it takes no time: the driver is loaded, and not started.
    static void CheckLibrary() { Open(); }
    ~Driver();
    Driver(const Driver&) = delete;
    Driver& operator=(const Driver&) = delete;

    const CudaFunctions* operator->() const { return functions_; }

    using HostAllocFn = CUresult CUDAAPI(void** p, size_t size, unsigned flags);
    using FreeHostFn = CUresult CUDAAPI(void* p);
    using EventElapsedFn = CUresult CUDAAPI(float* ms, CUevent start, CUevent end);
    HostAllocFn* cuMemHostAlloc = nullptr;
    FreeHostFn* cuMemFreeHost = nullptr;
    EventElapsedFn* cuEventElapsedTime = nullptr;
    // May be missing.
    using HostRegisterFn = CUresult CUDAAPI(void* p, size_t size, unsigned flags);
    using HostUnregisterFn = CUresult CUDAAPI(void* p);
    using StreamCreateFn = CUresult CUDAAPI(CUstream* stream, unsigned flags, int priority);
    StreamCreateFn* cuStreamCreateWithPriority = nullptr;
    HostRegisterFn* cuMemHostRegister = nullptr;
    HostUnregisterFn* cuMemHostUnregister = nullptr;
    using CtxGetIdFn = CUresult CUDAAPI(CUcontext context, unsigned long long* id);
    CtxGetIdFn* cuCtxGetId = nullptr;
    using PciBusIdFn = CUresult CUDAAPI(char* id, int size, CUdevice device);
    PciBusIdFn* cuDeviceGetPCIBusId = nullptr;

    // A number that no other context of the process has or had; 0 if the driver has none.
    unsigned long long CurrentContextId() const;

    // Throws Error(DEVICE or DEVICE_MEM) that names the call and the cause.
    void Check(CUresult result, const char* call) const;

  private:
    Driver() = default;
    static std::shared_ptr<const Driver> Open();
    CudaFunctions* functions_ = nullptr;
};

#define CUDAME_CHECK(driver, call) (driver).Check((driver)->call, #call)

// Makes a context current in a scope.
class CurrentContext {
  public:
    CurrentContext(const Driver& driver, CUcontext context) : driver_(driver) {
        driver_.Check(driver_->cuCtxPushCurrent(context), "cuCtxPushCurrent");
    }
    ~CurrentContext() {
        CUcontext ignored;
        driver_->cuCtxPopCurrent(&ignored);
    }
    CurrentContext(const CurrentContext&) = delete;
    CurrentContext& operator=(const CurrentContext&) = delete;

  private:
    const Driver& driver_;
};

}  // namespace cudame

#endif  // CUDAME_CUDA_DRIVER_H_
