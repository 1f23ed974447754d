// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// A CUDA context with our kernels loaded.

#ifndef CUDAME_CUDA_DEVICE_H_
#define CUDAME_CUDA_DEVICE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "cuda/driver.h"
#include "cuda/kernel_module.h"

namespace cudame {

class Device;
using DevicePtr = std::shared_ptr<const Device>;

// Makes the caller a user of a device. Searches, first passes and downloads of this process that
// use the same context share one Device. Each user counts for the choice of a device, and keeps the
// context, until the last copy of its DevicePtr is gone.
//
// context: the caller's context, which must belong to device `ordinal` (-1: to any device). NULL:
// retain the primary context of device `ordinal`, or with -1 that of the least loaded device that
// can be opened.
DevicePtr OpenDevice(void* context, int ordinal);

// Bytes of shared memory that a thread block may have on every device.
constexpr unsigned kLeastSharedBytes = 48 * 1024;

// All methods may be called from any thread, whichever context is current.
class Device {
  public:
    // Loads the kernels into a context, which must outlive this object. Only for OpenDevice().
    Device(std::shared_ptr<const Driver> driver, CUcontext context);
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    const Driver& driver() const { return *driver_; }
    CUcontext context() const { return context_; }
    unsigned long long context_id() const { return module_.context_id(); }
    int ordinal() const { return device_; }
    const std::string& name() const { return name_; }
    // Takes a turn to register a plane, if one is free. Under load a registration holds up the
    // driver's other calls for 1.5 ms. If 32 encoders start at once, and each registers its twelve
    // planes in the same frames, these take more than 0.4 s. So the turns are 2 ms apart.
    bool MayRegister() const;
    // Whether registered host memory has the same address on the device.
    bool registers_in_place() const { return registers_in_place_; }
    // Whether kernels of other processes run at the same time (CUDA's MPS).
    bool shared_by_processes() const { return shared_by_processes_; }
    CUfunction Function(const char* name) const;
    // Bytes of shared memory that a thread block may have after AllowShared(), static ones
    // included.
    unsigned shared_bytes() const { return shared_bytes_; }
    // Lets a kernel have that much dynamic shared memory, if it is more than kLeastSharedBytes.
    void AllowShared(CUfunction function, unsigned bytes) const;
    // The number of thread blocks of a kernel that the device runs at the same time. min_blocks:
    // thread blocks of a multiprocessor, used if the driver cannot tell.
    int Resident(CUfunction function, int threads, unsigned shared, int min_blocks) const;

    // Counts the rows of macroblocks of a frame that is coded, as long as this object exists. The
    // users of other contexts and processes have counts of their own.
    class RowCount {
      public:
        RowCount(const Device& device, int rows)
            : device_(&device), rows_(rows), sum_(device.rows_.fetch_add(rows) + rows) {}
        ~RowCount() { device_->rows_.fetch_sub(rows_); }
        RowCount(const RowCount&) = delete;
        RowCount& operator=(const RowCount&) = delete;
        // Whether other frames were coded when this one began.
        bool has_others() const { return sum_ > rows_; }
        // Rows of all frames for each multiprocessor, when this one began.
        int for_each_multiprocessor() const { return sum_ / device_->multiprocessors_; }

      private:
        const Device* device_;
        int rows_, sum_;
    };

  private:
    const std::shared_ptr<const Driver> driver_;
    const CUcontext context_;
    CUdevice device_ = 0;
    KernelModule module_;
    std::string name_;
    int multiprocessors_ = 0;
    bool registers_in_place_ = false, shared_by_processes_ = false;
    unsigned shared_bytes_ = kLeastSharedBytes;
    mutable std::atomic<int> rows_{0};                   // of frames that are coded
    mutable std::atomic<int64_t> next_registration_{0};  // ns of steady_clock
};

// Makes a context current in a scope if that is still possible. For destructors, which ignore
// errors: after a device is lost every call fails.
class QuietContext {
  public:
    explicit QuietContext(const Device& device) : driver_(device.driver()) {
        pushed_ = driver_->cuCtxPushCurrent(device.context()) == CUDA_SUCCESS;
    }
    ~QuietContext() {
        CUcontext ignored;
        if (pushed_) driver_->cuCtxPopCurrent(&ignored);
    }
    QuietContext(const QuietContext&) = delete;
    QuietContext& operator=(const QuietContext&) = delete;

  private:
    const Driver& driver_;
    bool pushed_;
};

}  // namespace cudame

#endif  // CUDAME_CUDA_DEVICE_H_
