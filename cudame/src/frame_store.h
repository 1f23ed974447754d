// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// References by id.

#ifndef CUDAME_SRC_FRAME_STORE_H_
#define CUDAME_SRC_FRAME_STORE_H_

#include <cstdint>
#include <map>
#include <memory>

#include "backend.h"

namespace cudame {

// Throws if a backend cannot read the plane where it lies.
void CheckMemory(const Backend& backend, const cudame_plane& plane, const char* what);

class FrameStore {
  public:
    // Creates the buffer at first_row 0. Returns bytes copied. A reference
    // that fails half-way is forgotten.
    uint64_t Submit(Backend* backend, const Geometry& g, uint64_t id, const cudame_plane& plane,
                    int first_row, int rows);
    void Retire(uint64_t id) { entries_.erase(id); }
    void Clear() { entries_.clear(); }

    // Brings all references, as far as they are final, to another backend;
    // their planes are still valid. Those that it cannot have are forgotten.
    void Move(Backend* backend, const Geometry& g);

    // Throws unless the id is known and complete.
    std::shared_ptr<const ReferenceBuffer> Get(uint64_t id) const;

  private:
    struct Entry {
        cudame_plane plane;
        int rows = 0;       // final so far
        int rows_used = 0;  // complete at
        std::shared_ptr<ReferenceBuffer> buffer;
    };
    std::map<uint64_t, Entry> entries_;
};

}  // namespace cudame

#endif  // CUDAME_SRC_FRAME_STORE_H_
