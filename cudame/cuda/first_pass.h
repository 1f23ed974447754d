// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The first of two passes on a CUDA device.

#ifndef CUDAME_CUDA_FIRST_PASS_H_
#define CUDAME_CUDA_FIRST_PASS_H_

#include <array>
#include <memory>

#include "common/first_pass.h"
#include "cuda/first_pass_params.h"
#include "cuda/kernel.h"
#include "cuda/upload.h"

namespace cudame {

class CudaFirstPass : public FirstPass {
  public:
    explicit CudaFirstPass(const cudame_first_pass_config& config);
    ~CudaFirstPass() override;

    cudame_first_pass_counts Run(const cudame_first_pass_frame& frame) override;
    void ForgetMemory() override { uploader_.ForgetMemory(); }

  private:
    struct Plane {
        std::unique_ptr<DevicePlane> pixels;
        uint64_t id = 0;
    };
    Plane* Find(uint64_t id);
    // A plane whose content is neither of these.
    Plane* Unused(uint64_t a, uint64_t b);
    // Returns the device plane with content `id`. Uploads it if necessary, without overwriting the
    // plane with content `other`.
    const uint8_t* Reference(const cudame_plane& plane, uint64_t id, uint64_t other);
    const uint8_t* Upload(const cudame_plane& plane, std::unique_ptr<DevicePlane>* to);
    void Launch(const cudame_first_pass_frame& frame, const uint8_t* last, const uint8_t* golden,
                const DevicePlane& recon);
    void Download(const DevicePlane& from, const cudame_first_pass_frame& frame);

    const DevicePtr device_;
    const StreamsPtr streams_;
    Geometry g_;
    Kernel<FirstPassParams> search_, code_;
    Uploader uploader_;
    std::array<Plane, 3> planes_;  // last and golden frame, and the reconstruction
    std::unique_ptr<DevicePlane> source_, last_source_;
    std::unique_ptr<DeviceBuffer> zero_, counters_;
    std::unique_ptr<PinnedBuffer> rows_;
    std::unique_ptr<Event> done_;
};

}  // namespace cudame

#endif  // CUDAME_CUDA_FIRST_PASS_H_
