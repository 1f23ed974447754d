// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/device.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "common/error.h"
#include "cuda/cuda_backend.h"
#include "cuda/device_load.h"

namespace cudame {
namespace {

struct OpenDevices {
    std::mutex mutex;
    std::map<CUcontext, std::weak_ptr<const Device>> by_context;
};

// An attribute of a device; 0 if the driver does not know it.
int AttributeOr0(const Driver& driver, CUdevice_attribute attribute, CUdevice device) {
    int value = 0;
    return driver->cuDeviceGetAttribute(&value, attribute, device) == CUDA_SUCCESS ? value : 0;
}

// Never destroyed: encoders may end after static objects do.
OpenDevices& AllOpen() {
    static OpenDevices* const open = new OpenDevices();
    return *open;
}

// The Device of a context, which is shared while it has users. A context that another library reset
// may return at the same address: it has another number.
std::shared_ptr<const Device> SharedDevice(const std::shared_ptr<const Driver>& driver,
                                           CUcontext context) {
    OpenDevices& open = AllOpen();
    const std::lock_guard<std::mutex> lock(open.mutex);
    std::weak_ptr<const Device>& known = open.by_context[context];
    std::shared_ptr<const Device> device = known.lock();
    CurrentContext current(*driver, context);
    if (!device || device->context_id() != driver->CurrentContextId()) {
        device = std::make_shared<Device>(driver, context);
        known = device;
    }
    return device;
}

// Forgets the Device of a context if it has no users.
void ForgetUnused(CUcontext context) {
    OpenDevices& open = AllOpen();
    const std::lock_guard<std::mutex> lock(open.mutex);
    const auto known = open.by_context.find(context);
    if (known != open.by_context.end() && known->second.expired()) open.by_context.erase(known);
}

// A user of a device, see OpenDevice().
class User {
  public:
    explicit User(std::shared_ptr<const Driver> driver) : driver_(std::move(driver)) {}
    ~User() { Release(); }
    User(const User&) = delete;
    User& operator=(const User&) = delete;

    void UseContext(CUcontext context, int ordinal) {
        CheckOrdinal(context, ordinal);
        device_ = SharedDevice(driver_, context);
        use_.Take(device_->ordinal());
    }
    void UsePrimary(int ordinal) {
        use_.Take(ordinal);
        Retain(ordinal);
    }
    void UseAny(int count) {
        std::vector<bool> excluded(count);
        std::exception_ptr first_error;
        for (;;) {
            const int i = use_.TakeAny(*driver_, count, excluded);
            if (i < 0) std::rethrow_exception(first_error);
            try {
                return Retain(i);
            } catch (const Error&) {
                if (!first_error) first_error = std::current_exception();
                excluded[i] = true;
                Release();
            }
        }
    }

    const Device* device() const { return device_.get(); }

  private:
    void CheckOrdinal(CUcontext context, int ordinal) const {
        if (ordinal < 0) return;
        int count = 0;
        CUdevice device = 0, wanted = 0;
        CurrentContext current(*driver_, context);
        CUDAME_CHECK(*driver_, cuCtxGetDevice(&device));
        CUDAME_CHECK(*driver_, cuDeviceGetCount(&count));
        if (ordinal < count) CUDAME_CHECK(*driver_, cuDeviceGet(&wanted, ordinal));
        if (ordinal >= count || wanted != device)
            Invalid("the CUDA context given is not one of device " + std::to_string(ordinal));
    }
    void Retain(int ordinal) {
        const Driver& driver = *driver_;
        CUcontext context = nullptr;
        CUDAME_CHECK(driver, cuDeviceGet(&primary_, ordinal));
        const CUresult result = driver->cuDevicePrimaryCtxRetain(&context, primary_);
        if (result == kErrorDeviceUnavailable)
            throw Error(CUDAME_ERROR_UNAVAILABLE, "CUDA device " + std::to_string(ordinal) +
                                                      " admits no other process: its compute mode "
                                                      "is exclusive or prohibited");
        driver.Check(result, "cuDevicePrimaryCtxRetain");
        retained_ = true;
        device_ = SharedDevice(driver_, context);
        CheckWorks();
    }
    // A primary context that another user keeps can be retained after its device has failed, and a
    // Device that is shared calls no driver. So make a stream, as each user will.
    void CheckWorks() const {
        CurrentContext current(*driver_, device_->context());
        CUstream stream = nullptr;
        CUDAME_CHECK(*driver_, cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
        (*driver_)->cuStreamDestroy(stream);
    }
    void Release() {
        const unsigned long long context_id = device_ ? device_->context_id() : 0;
        const CUcontext context = device_ ? device_->context() : nullptr;
        device_.reset();
        ForgetUnused(context);
        if (!retained_) return;
        retained_ = false;
        const Driver& driver = *driver_;
        driver->cuDevicePrimaryCtxRelease(primary_);
        unsigned flags = 0;
        int lives = 1;
        if (driver->cuDevicePrimaryCtxGetState(primary_, &flags, &lives) == CUDA_SUCCESS && !lives)
            KernelModule::Forget(context_id);
    }

    const std::shared_ptr<const Driver> driver_;
    DeviceUse use_;
    std::shared_ptr<const Device> device_;
    CUdevice primary_ = 0;
    bool retained_ = false;  // the primary context
};

}  // namespace

int ListCudaDevices(cudame_device* devices, int max) {
    const std::shared_ptr<const Driver> loaded = Driver::Load();
    const Driver& driver = *loaded;
    int count = 0;
    CUDAME_CHECK(driver, cuDeviceGetCount(&count));
    for (int i = 0; i < std::min(count, max); i++) {
        cudame_device& to = devices[i];
        CUdevice device = 0;
        to = cudame_device();
        CUDAME_CHECK(driver, cuDeviceGet(&device, i));
        CUDAME_CHECK(driver, cuDeviceGetName(to.name, sizeof(to.name) - 1, device));
        CUDAME_CHECK(driver,
                     cuDeviceComputeCapability(&to.compute_major, &to.compute_minor, device));
    }
    return count;
}

DevicePtr OpenDevice(void* context, int ordinal) {
    const std::shared_ptr<const Driver> driver = Driver::Load();
    const auto user = std::make_shared<User>(driver);
    if (context) {
        user->UseContext(static_cast<CUcontext>(context), ordinal);
        return DevicePtr(user, user->device());
    }
    int count = 0;
    CUDAME_CHECK(*driver, cuDeviceGetCount(&count));
    if (ordinal >= count)
        throw Error(CUDAME_ERROR_UNAVAILABLE, "there is no CUDA device " + std::to_string(ordinal) +
                                                  ", only " + std::to_string(count));
    if (ordinal < 0 && count > 1)
        user->UseAny(count);
    else
        user->UsePrimary(std::max(ordinal, 0));
    return DevicePtr(user, user->device());
}

Device::Device(std::shared_ptr<const Driver> driver, CUcontext context)
    : driver_(std::move(driver)), context_(context) {
    CurrentContext current(*driver_, context_);
    CUDAME_CHECK(*driver_, cuCtxGetDevice(&device_));
    char name[100] = "";
    CUDAME_CHECK(*driver_, cuDeviceGetName(name, sizeof(name), device_));
    name_ = name;
    CUDAME_CHECK(*driver_, cuDeviceGetAttribute(&multiprocessors_,
                                                CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, device_));
    registers_in_place_ = AttributeOr0(*driver_, kRegistersInPlace, device_) == 1;
    shared_by_processes_ = AttributeOr0(*driver_, kMpsEnabled, device_) == 1;
    if (driver_->cuFuncSetAttribute)
        shared_bytes_ = std::max(
            shared_bytes_,
            static_cast<unsigned>(std::max(AttributeOr0(*driver_, kMostSharedBytes, device_), 0)));
    module_.Load(*driver_, name);
}

Device::~Device() {
    QuietContext current(*this);
    module_.Release(*driver_);
}

bool Device::MayRegister() const {
    using std::chrono::nanoseconds;
    constexpr nanoseconds kPause = std::chrono::milliseconds(2);
    const nanoseconds now = std::chrono::steady_clock::now().time_since_epoch();
    int64_t next = next_registration_;
    return now.count() >= next &&
           next_registration_.compare_exchange_strong(next, (now + kPause).count());
}

CUfunction Device::Function(const char* name) const {
    CurrentContext current(*driver_, context_);
    return module_.Function(*driver_, name);
}

void Device::AllowShared(CUfunction function, unsigned bytes) const {
    if (bytes <= kLeastSharedBytes) return;
    CurrentContext current(*driver_, context_);
    driver_->Check(
        driver_->cuFuncSetAttribute(function, kFunctionSharedBytes, static_cast<int>(bytes)),
        "cuFuncSetAttribute");
}

int Device::Resident(CUfunction function, int threads, unsigned shared, int min_blocks) const {
    int blocks = min_blocks;
    if (driver_->cuOccupancyMaxActiveBlocksPerMultiprocessor) {
        CurrentContext current(*driver_, context_);
        driver_->Check(driver_->cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function,
                                                                            threads, shared),
                       "cuOccupancyMaxActiveBlocksPerMultiprocessor");
    }
    return multiprocessors_ * std::max(blocks, 1);
}

}  // namespace cudame
