// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The scalar reference of the coder of whole frames.

#ifndef CUDAME_CPU_FRAME_CODER_H_
#define CUDAME_CPU_FRAME_CODER_H_

#include <memory>

#include "common/coder/frame.h"
#include "common/geometry.h"
#include "cudame/cudame.h"
#include "cudame/whole_frame.h"

namespace cudame {

// The records of a frame, complete, by macroblock. NULL: the reference was not searched.
struct FrameRecords {
    const cudame_mb* records[CUDAME_REFS];
    const cudame_split* splits[CUDAME_REFS];
    const cudame_intra* intra;
};

class ScalarFrameCoder {
  public:
    ScalarFrameCoder();
    ~ScalarFrameCoder();

    // Codes a frame, and sets its output, which belongs to the coder until the next call. Returns
    // false if a macroblock has no records that can be used.
    bool Code(const FrameRecords& records, cudame_whole_frame* frame);
    // Writes the tokens of the frame that was coded last. The data belong to the coder.
    void Write(cudame_partition* partition);
    // Writes its modes, if it is an inter frame without SPLITMV.
    void Write(cudame_modes* modes);

  private:
    struct Buffers;
    void Denoise(const cudame_denoiser& denoiser, CoderFrame* f);
    std::unique_ptr<Buffers> buffers_;
};

// The scalar reference of the loop filter of whole frames.
void FilterOnCpu(const cudame_frame_filter& filter, const Geometry& g);

}  // namespace cudame

#endif  // CUDAME_CPU_FRAME_CODER_H_
