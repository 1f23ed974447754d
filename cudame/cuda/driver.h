// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The CUDA driver API, loaded at run time through nv-codec-headers.

#ifndef CUDAME_CUDA_DRIVER_H_
#define CUDAME_CUDA_DRIVER_H_

#include <ffnvcodec/dynlink_loader.h>

#include <memory>
#include <string>

namespace cudame {

// Values that nv-codec-headers lack.
constexpr unsigned kHostAllocPortable = 1, kHostAllocMapped = 2;
constexpr unsigned kHostRegisterPortable = 1, kHostRegisterMapped = 2;
constexpr CUdevice_attribute kRegistersInPlace = static_cast<CUdevice_attribute>(91);
constexpr CUdevice_attribute kMpsEnabled =
    static_cast<CUdevice_attribute>(133);  // CU_DEVICE_ATTRIBUTE_MPS_ENABLED
constexpr CUdevice_attribute kMostSharedBytes =
    static_cast<CUdevice_attribute>(97);  // CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN
constexpr int kFunctionSharedBytes = 8;   // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
constexpr CUresult kErrorNotReady = static_cast<CUresult>(600);
constexpr CUresult kErrorOutOfMemory = static_cast<CUresult>(2);
constexpr CUresult kErrorDeviceUnavailable = static_cast<CUresult>(46);
constexpr CUresult kErrorNoBinary = static_cast<CUresult>(209);
constexpr CUresult kErrorUnsupportedPtx = static_cast<CUresult>(222);
constexpr CUresult kErrorNotSupported = static_cast<CUresult>(801);

class Driver {
  public:
    // Loads and initializes the driver. Throws Error(CUDAME_ERROR_UNAVAILABLE) with the cause: no
    // library, a driver that is too old, or no device.
    static std::shared_ptr<const Driver> Load();
    // Throws as Load() does if the library cannot be loaded. Does not initialize the driver, which
    // would take long.
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
    // The next ones are NULL if the driver lacks them.
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
    using OccupancyFn = CUresult CUDAAPI(int* blocks, CUfunction function, int threads,
                                         size_t shared);
    OccupancyFn* cuOccupancyMaxActiveBlocksPerMultiprocessor = nullptr;
    using FunctionSetFn = CUresult CUDAAPI(CUfunction function, int attribute, int value);
    FunctionSetFn* cuFuncSetAttribute = nullptr;

    // A number that no other context of the process has or had; 0 if the driver has no such
    // numbers.
    unsigned long long CurrentContextId() const;

    // Throws Error(DEVICE or DEVICE_MEM) with the call and the cause, unless the result is success.
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
