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

// Throw if the backend cannot read the memory of the plane.
void CheckMemory(const Backend& backend, const cudame_plane& plane, const char* what);

class FrameStore {
  public:
    // Take rows of a reference. Rows come in order, and the first ones create its buffer. Return
    // the number of bytes copied. If this throws, the reference is forgotten.
    uint64_t Submit(Backend* backend, const Geometry& g, uint64_t id, const cudame_plane& plane,
                    int first_row, int rows);
    void Retire(uint64_t id) { entries_.erase(id); }
    void Clear() { entries_.clear(); }

    // Treat no submitted plane as persistent from now on.
    void ForgetMemory();

    // Submit all rows again to another backend; their planes are still valid. References in device
    // memory are forgotten. Return the number of bytes copied.
    uint64_t Move(Backend* backend, const Geometry& g);

    // Submit all rows of a reference to another store, for another backend, unless that has it.
    void CopyTo(FrameStore* other, Backend* backend, const Geometry& g, uint64_t id) const;
    bool AllOnHost() const;

    // Whether all rows of a reference were submitted.
    bool Has(uint64_t id) const;

    // Return the buffer. Throw unless the id is known and all its rows were submitted.
    std::shared_ptr<const ReferenceBuffer> Get(uint64_t id) const;

  private:
    struct Entry {
        cudame_plane plane;
        int rows = 0;       // submitted so far
        int rows_used = 0;  // number of rows that the search needs
        std::shared_ptr<ReferenceBuffer> buffer;
    };
    std::map<uint64_t, Entry> entries_;
};

}  // namespace cudame

#endif  // CUDAME_SRC_FRAME_STORE_H_
