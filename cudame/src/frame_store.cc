// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "frame_store.h"

#include <algorithm>
#include <string>

#include "common/error.h"
#include "common/plane.h"

namespace cudame {

void CheckMemory(const Backend& backend, const cudame_plane& plane, const char* what) {
    if (plane.on_device && !backend.capabilities().reads_device_memory)
        Invalid(std::string(what) + ": device memory needs the CUDA backend");
}

uint64_t FrameStore::Submit(Backend* backend, const Geometry& g, uint64_t id,
                            const cudame_plane& plane, int first_row, int rows) {
    const std::string name = "reference " + std::to_string(id);
    if (!id) Invalid("reference id 0 means none");
    CheckPlane(plane, g, name.c_str());
    CheckMemory(*backend, plane, name.c_str());
    if (first_row < 0 || rows < 0 || first_row > plane.height || rows > plane.height - first_row)
        Invalid(name + ": rows " + std::to_string(first_row) + " + " + std::to_string(rows) +
                " are outside of the plane's " + std::to_string(plane.height));

    auto it = entries_.find(id);
    const int have = it == entries_.end() ? 0 : it->second.rows;
    if (first_row != have)
        Invalid(name + ": row " + std::to_string(first_row) + " submitted, row " +
                std::to_string(have) + " comes next");
    if (it == entries_.end()) {
        Entry entry;
        entry.plane = plane;
        entry.rows_used = UsedRows(plane, g);
        entry.buffer = backend->CreateReference(id, plane);
        it = entries_.emplace(id, std::move(entry)).first;
    }
    Entry& entry = it->second;
    const cudame_plane& p = entry.plane;
    if (p.data != plane.data || p.stride != plane.stride || p.width != plane.width ||
        p.height != plane.height || p.border != plane.border)
        Invalid(name + ": the plane differs from the one submitted first");
    try {
        const uint64_t bytes = entry.buffer->AddRows(plane, first_row, rows);
        entry.rows += rows;
        return bytes;
    } catch (...) {
        entries_.erase(it);
        throw;
    }
}

void FrameStore::ForgetMemory() {
    for (auto& [id, entry] : entries_) entry.plane.persistent = 0;
}

uint64_t FrameStore::Move(Backend* backend, const Geometry& g) {
    std::map<uint64_t, Entry> old;
    old.swap(entries_);
    uint64_t bytes = 0;
    for (auto& [id, entry] : old)
        if (!entry.plane.on_device) bytes += Submit(backend, g, id, entry.plane, 0, entry.rows);
    return bytes;
}

void FrameStore::CopyTo(FrameStore* other, Backend* backend, const Geometry& g, uint64_t id) const {
    if (other->entries_.count(id)) return;
    const Entry& entry = entries_.at(id);
    other->Submit(backend, g, id, entry.plane, 0, entry.rows);
}

bool FrameStore::AllOnHost() const {
    return std::none_of(entries_.begin(), entries_.end(),
                        [](const auto& e) { return e.second.plane.on_device; });
}

bool FrameStore::Has(uint64_t id) const {
    const auto it = entries_.find(id);
    return it != entries_.end() && it->second.rows >= it->second.rows_used;
}

std::shared_ptr<const ReferenceBuffer> FrameStore::Get(uint64_t id) const {
    const auto it = entries_.find(id);
    if (it == entries_.end())
        Invalid("reference " + std::to_string(id) + " was not submitted, or is retired");
    if (it->second.rows < it->second.rows_used)
        Invalid("reference " + std::to_string(id) + " has " + std::to_string(it->second.rows) +
                " of " + std::to_string(it->second.rows_used) + " rows");
    return it->second.buffer;
}

}  // namespace cudame
