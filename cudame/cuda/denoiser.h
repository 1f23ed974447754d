// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The denoiser of whole frames (common/coder/denoise.h): its pictures and maps on the device. The
// denoised picture of a frame stays there for later frames. One that libvpx has made is uploaded.

#ifndef CUDAME_CUDA_DENOISER_H_
#define CUDAME_CUDA_DENOISER_H_

#include <memory>

#include "common/coder/frame.h"
#include "cuda/device_memory.h"
#include "cuda/upload.h"

namespace cudame {

class Denoiser {
  public:
    // With the context current.
    Denoiser(StreamsPtr streams, Uploader* uploader, const Geometry& g);

    // Sets up the denoiser of a frame. Enqueues uploads of its maps, and of pictures that are not
    // on the device. No earlier frame is being coded.
    void Begin(StreamName stream, const cudame_denoiser& denoiser, CoderDenoiser* to);
    // After the frame of Begin() was coded: later frames find its pictures on the device. Enqueues
    // a kernel that makes the border of the frame's denoised picture.
    void End(StreamName stream, const cudame_denoiser& denoiser);
    // Forgets the content of all pictures.
    void Forget();
    // The denoised picture of the frame, and the number of its planes: 1 or 3.
    const DevicePlane (&denoised() const)[3] { return slot_[used_[0]]->plane; }
    int planes() const { return planes_; }

  private:
    struct Slot {
        DevicePlane plane[3];
        uint64_t id;  // of the content; 0: unknown
        int planes;   // that have content
    };
    int Find(uint64_t id) const;
    int Take();
    void Upload(StreamName stream, const cudame_planes& from, Slot* to);
    void Pad(StreamName stream, const cudame_planes& picture, const Slot& slot) const;

    StreamsPtr streams_;
    Uploader* uploader_;
    const Geometry g_;
    std::unique_ptr<Slot> slot_[CUDAME_REFS];   // NULL: not allocated yet
    int used_[CUDAME_REFS] = {-1, -1, -1, -1};  // slots of the frame's pictures, by reference
    int planes_ = 0;                            // of the frame's pictures
    DeviceBuffer maps_;  // two that the host has, and the states of macroblocks
    PinnedBuffer host_maps_;
    DevicePlane source_[3];
    DeviceBuffer records_;
};

}  // namespace cudame

#endif  // CUDAME_CUDA_DENOISER_H_
