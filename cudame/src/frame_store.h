// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The references that the caller submitted, by id.

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
    // Takes rows of a reference, which come in order; the first ones create its buffer.
    // Returns the number of bytes copied. Forgets the reference if that fails.
    uint64_t Submit(Backend* backend, const Geometry& g, uint64_t id, const cudame_plane& plane,
                    int first_row, int rows);
    void Retire(uint64_t id) { entries_.erase(id); }
    void Clear() { entries_.clear(); }

    // No plane of those submitted is persistent any more.
    void ForgetMemory();

    // Submits all rows again, to another backend: their planes are still valid. References
    // in device memory are forgotten. Returns the number of bytes copied.
    uint64_t Move(Backend* backend, const Geometry& g);

    // Submits all rows of a reference to a store that lacks it, for another backend.
    void CopyTo(FrameStore* other, Backend* backend, const Geometry& g, uint64_t id) const;
    bool AllOnHost() const;

    // Throws unless the id is known and all its rows are there.
    std::shared_ptr<const ReferenceBuffer> Get(uint64_t id) const;

  private:
    struct Entry {
        cudame_plane plane;
        int rows = 0;       // submitted so far
        int rows_used = 0;  // that the search needs
        std::shared_ptr<ReferenceBuffer> buffer;
    };
    std::map<uint64_t, Entry> entries_;
};

}  // namespace cudame

#endif  // CUDAME_SRC_FRAME_STORE_H_
