// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/upload.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <thread>

#include "common/coarse.h"
#include "cuda/search_params.h"

namespace cudame {
namespace {

constexpr int kBorder = CUDAME_REF_BORDER;
// Registering 2 MB takes as long as seven copies of it, and short clips need few copies.
constexpr int kUsesToRegister = 4;
constexpr size_t kSmallestToRegister = 64 * 1024;
constexpr size_t kMaxFree = kMaxSearches + 1;  // references that a PlanePool keeps

size_t Align(size_t n, size_t to) { return (n + to - 1) / to * to; }

}  // namespace

DevicePlane::DevicePlane(const DevicePtr& device, const Geometry& g, int border, int rows_below)
    : g_(g),
      border_(border),
      stride_(Align(static_cast<size_t>(g.mb_width()) + 2 * static_cast<size_t>(border), 128)),
      // The kernels read whole words, up to eight bytes past a row.
      memory_(std::make_shared<DeviceBuffer>(
          device, stride_ * static_cast<size_t>(g.mb_height() + 2 * border + rows_below) + 64)) {}

DevicePlane::DevicePlane(const DevicePlane& above, int rows) : DevicePlane(above) {
    first_row_ += rows;
}

// A failure is not an error, because systems limit locked memory.
void HostMemory::Register(const uint8_t* begin, size_t size, Range* range) {
    range->tried = true;
    range->size = size;
    range->registered =
        streams_->device()->driver().cuMemHostRegister(const_cast<uint8_t*>(begin), size,
                                                       kHostRegisterPortable) == CUDA_SUCCESS;
}

void HostMemory::Expect(const uint8_t* begin, size_t size) {
    using std::chrono::steady_clock;
    constexpr auto kLongest = std::chrono::milliseconds(100), kNap = std::chrono::milliseconds(1);
    const Device& device = *streams_->device();
    const Driver& driver = device.driver();
    if (size < kSmallestToRegister || !driver.cuMemHostRegister || !driver.cuMemHostUnregister ||
        ranges_.count(begin))
        return;
    for (const auto latest = steady_clock::now() + kLongest; !device.MayRegister();) {
        if (steady_clock::now() > latest) return;
        std::this_thread::sleep_for(kNap);
    }
    Range& range = ranges_[begin];
    Register(begin, size, &range);
    if (!range.registered) ranges_.erase(begin);  // planes in it may be registered later
}

// The memory of a plane and its border.
static const uint8_t* BeginOf(const cudame_plane& plane) {
    return plane.data - plane.border * (plane.stride + 1);
}
static size_t SizeOf(const cudame_plane& plane) {
    return static_cast<size_t>(plane.height + 2 * plane.border - 1) *
               static_cast<size_t>(plane.stride) +
           static_cast<size_t>(plane.width + 2 * plane.border);
}

bool HostMemory::Has(const cudame_plane& plane) const {
    if (plane.on_device || plane.stride <= 0) return false;
    const uint8_t* begin = BeginOf(plane);
    const auto next = ranges_.upper_bound(begin);
    if (next == ranges_.begin()) return false;
    const auto& [first, range] = *std::prev(next);
    return range.registered && begin + SizeOf(plane) <= first + range.size;
}

bool HostMemory::Use(const cudame_plane& plane) {
    const Driver& driver = streams_->device()->driver();
    if (!plane.persistent || plane.on_device || plane.stride <= 0 || !driver.cuMemHostRegister ||
        !driver.cuMemHostUnregister)
        return false;
    const uint8_t* begin = BeginOf(plane);
    const size_t size = SizeOf(plane);
    if (size < kSmallestToRegister) return false;
    if (Has(plane)) return true;
    Range& range = ranges_[begin];
    if (range.registered) return false;  // of a smaller plane
    range.uses++;
    if (range.tried || range.uses < kUsesToRegister || !streams_->device()->MayRegister())
        return false;
    Register(begin, size, &range);
    return range.registered;
}

void HostMemory::Forget() {
    bool synchronized = false;
    for (const auto& [begin, range] : ranges_) {
        if (!range.registered) continue;
        if (!synchronized) streams_->SynchronizeQuietly();
        synchronized = true;
        QuietContext current(*streams_->device());
        streams_->device()->driver().cuMemHostUnregister(const_cast<uint8_t*>(begin));
    }
    ranges_.clear();
}

Uploader::Uploader(StreamsPtr streams)
    : streams_(std::move(streams)),
      memory_(streams_),
      pad_(streams_->device(), kernel::kPad),
      take_(streams_->device(), kernel::kTake),
      shrink_(streams_->device(), kernel::kShrink),
      half_planes_(streams_->device(), kernel::kHalfPlanes) {}

namespace {

// Copies width x height pixels from (x, y) on. Copies row by row if the stride is negative, because
// the driver does not accept that.
void Copy(const Driver& driver, const cudame_plane& plane, ptrdiff_t x, int y, int width,
          int height, const DevicePlane& to, CUstream stream) {
    const int step = plane.stride > 0 ? height : 1;
    for (int row = y; row < y + height; row += step) {
        const uint8_t* from = plane.data + row * plane.stride + x;
        CUDA_MEMCPY2D copy = {};
        copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
        copy.dstDevice =
            static_cast<CUdeviceptr>(static_cast<ptrdiff_t>(to.origin()) + row * to.stride() + x);
        copy.dstPitch = static_cast<size_t>(to.stride());
        copy.WidthInBytes = static_cast<size_t>(width);
        copy.Height = static_cast<size_t>(step);
        copy.srcPitch = static_cast<size_t>(std::max<ptrdiff_t>(plane.stride, width));
        if (plane.on_device) {
            copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
            copy.srcDevice = reinterpret_cast<CUdeviceptr>(from);
        } else {
            copy.srcMemoryType = CU_MEMORYTYPE_HOST;
            copy.srcHost = from;
        }
        CUDAME_CHECK(driver, cuMemcpy2DAsync(&copy, stream));
    }
}

}  // namespace

cudame_plane PlaneOf(const cudame_planes& planes, int plane, const Geometry& g, int border) {
    cudame_plane p = {};
    p.data = planes.plane[plane];
    p.stride = plane ? planes.uv_stride : planes.stride;
    p.width = (plane ? 8 : kMb) * g.mb_cols;
    p.height = (plane ? 8 : kMb) * g.mb_rows;
    p.border = border;
    p.persistent = 1;
    return p;
}

uint64_t Uploader::Upload(const cudame_plane& plane, int first, int rows, const DevicePlane& to,
                          StreamName stream) {
    const Geometry& g = to.geometry();
    const int width = std::min(plane.width, g.mb_width());
    const int end = std::min(first + rows, UsedRows(plane, g));
    if (end <= first) return 0;
    count_++;
    Copy(streams_->device()->driver(), plane, 0, first, width, end - first, to,
         (*streams_)[stream]);
    return static_cast<uint64_t>(width) * static_cast<uint64_t>(end - first);
}

uint64_t Uploader::UploadWhole(const cudame_plane& plane, const DevicePlane& to) {
    const int width = to.geometry().mb_width() + 2 * kBorder;
    const int height = to.geometry().mb_height() + 2 * kBorder;
    count_++;
    Copy(streams_->device()->driver(), plane, -kBorder, -kBorder, width, height, to,
         (*streams_)[kCopy]);
    return static_cast<uint64_t>(width) * static_cast<uint64_t>(height);
}

void Uploader::Take(const DevicePlane (&from)[3], const DevicePlane* const (&to)[3],
                    const DevicePlane& coarse) {
    TakeParams p = {};
    for (int i = 0; i < kTakePlanes; i++) {
        const Geometry &g = from[i].geometry(), padded = to[i]->geometry();
        p.plane[i] = {from[i].pixels(),  reinterpret_cast<uint8_t*>(to[i]->origin()),
                      from[i].stride(),  to[i]->stride(),
                      g.width,           g.height,
                      padded.mb_width(), padded.mb_height(),
                      to[i]->border()};
    }
    p.shrink = ShrinkTo(from[0], coarse);
    const TakeParams::Plane& luma = p.plane[0];
    take_.Launch((*streams_)[kCopy],
                 {take_.BlocksOf((luma.padded_width + 2 * luma.border) / 4),
                  static_cast<unsigned>(luma.padded_height + 2 * luma.border), kTakeParts},
                 p);
}

void Uploader::Pad(const cudame_plane& plane, int first, int rows, const DevicePlane& to,
                   StreamName stream) {
    const Geometry& g = to.geometry();
    PadParams p = {};
    p.plane = reinterpret_cast<uint8_t*>(to.origin());
    p.stride = to.stride();
    p.width = std::min(plane.width, g.mb_width());
    p.height = UsedRows(plane, g);
    p.padded_width = g.mb_width();
    p.padded_height = g.mb_height();
    p.border = to.border();
    const int end = std::min(first + rows, p.height);
    if (end <= first) return;
    if (!p.border && p.width == g.mb_width() && (end < p.height || p.height == g.mb_height()))
        return;
    p.first_row = first ? first + p.border : 0;
    const int end_row = (end == p.height ? p.padded_height + p.border : end) + p.border;
    const int words = (p.padded_width + 2 * p.border) / 4;
    pad_.Launch((*streams_)[stream],
                {pad_.BlocksOf(words), static_cast<unsigned>(end_row - p.first_row)}, p);
}

ShrinkParams Uploader::ShrinkTo(const DevicePlane& from, const DevicePlane& to) {
    ShrinkParams p = {};
    p.from = from.pixels();
    p.to = reinterpret_cast<uint8_t*>(to.origin());
    p.from_stride = from.stride();
    p.to_stride = to.stride();
    p.width = from.geometry().mb_width() / kCoarseScale;
    p.height = from.geometry().mb_height() / kCoarseScale;
    p.padded_width = to.geometry().mb_width();
    p.padded_height = to.geometry().mb_height();
    p.border = to.border();
    return p;
}

void Uploader::Shrink(const DevicePlane& from, const DevicePlane& to) {
    const ShrinkParams p = ShrinkTo(from, to);
    const int words = (p.padded_width + 2 * p.border) / 4;
    const unsigned rows = static_cast<unsigned>(p.padded_height + 2 * p.border);
    shrink_.Launch((*streams_)[kCopy], {shrink_.BlocksOf(words), rows}, p);
}

void Uploader::MakeHalfPel(const DevicePlane& from, enum cudame_filter filter,
                           const std::unique_ptr<DevicePlane> (&to)[3]) {
    HalfPlanesParams p = {};
    p.from = from.pixels();
    for (int i = 0; i < 3; i++) p.to[i] = reinterpret_cast<uint8_t*>(to[i]->origin());
    p.stride = from.stride();
    p.width = from.geometry().mb_width();
    p.height = from.geometry().mb_height();
    p.filter = filter;
    const int words = (p.width + 2 * kHalfMargin) / 4;
    const unsigned rows = static_cast<unsigned>(p.height + 2 * kHalfMargin + kHalfRows - 1);
    half_planes_.Launch((*streams_)[kCopy], {half_planes_.BlocksOf(words), rows / kHalfRows}, p);
}

void Uploader::ForgetMemory() {
    WaitFor(count_);
    memory_.Forget();
}

void Uploader::WaitFor(uint64_t count) {
    if (count <= done_) return;
    done_ = count_;
    streams_->SynchronizeQuietly();
}

void PlanePool::Resize(const Geometry& g) {
    std::lock_guard<std::mutex> lock(mutex_);
    free_.reserve(kMaxFree);
    g_ = g;
    free_.clear();
}

std::unique_ptr<PlanePool::Planes> PlanePool::Get(const DevicePtr& device) {
    std::lock_guard<std::mutex> lock(mutex_);
    if (free_.empty()) {
        auto planes = std::unique_ptr<Planes>(new Planes{
            {device, g_, kBorder}, {device, CoarseGeometry(g_), kBorder}, {}, {}, false});
        for (auto& plane : planes->half_pel)
            if (half_pel_) plane = std::make_unique<DevicePlane>(device, g_, kBorder);
        return planes;
    }
    std::unique_ptr<Planes> planes = std::move(free_.back());
    free_.pop_back();
    planes->has_chroma = false;
    return planes;
}

void PlanePool::Planes::AllocateChroma(const DevicePtr& device) {
    for (auto& plane : chroma)
        if (!plane)
            plane = std::make_unique<DevicePlane>(device, ChromaGeometry(frame.geometry()),
                                                  kBorder / 2);
}

void PlanePool::Fill(const DevicePtr& device, int count) {
    std::vector<std::unique_ptr<Planes>> planes;
    for (int i = 0; i < count; i++) {
        planes.push_back(Get(device));
        planes.back()->AllocateChroma(device);
    }
    for (auto& p : planes) Put(std::move(p));
}

void PlanePool::Put(std::unique_ptr<Planes> planes) {
    std::lock_guard<std::mutex> lock(mutex_);
    const Geometry& g = planes->frame.geometry();
    if (g.width == g_.width && g.height == g_.height && free_.size() < kMaxFree)
        free_.push_back(std::move(planes));
}

}  // namespace cudame
