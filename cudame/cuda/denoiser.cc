// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/denoiser.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace cudame {

Denoiser::Denoiser(StreamsPtr streams, Uploader* uploader, const Geometry& g)
    : streams_(std::move(streams)),
      uploader_(uploader),
      g_(g),
      maps_(streams_->device(), 3 * static_cast<size_t>(g.mbs())),
      host_maps_(streams_->device(), 2 * static_cast<size_t>(g.mbs())),
      source_{{streams_->device(), MakeGeometry(g.mb_width(), g.mb_height()), 0},
              {streams_->device(), ChromaGeometry(g), 0},
              {streams_->device(), ChromaGeometry(g), 0}},
      records_(streams_->device(), CUDAME_REFS * static_cast<size_t>(g.mbs()) * sizeof(cudame_mb)) {
}

int Denoiser::Find(uint64_t id) const {
    for (int i = 0; id && i < CUDAME_REFS; i++)
        if (slot_[i] && slot_[i]->id == id && slot_[i]->planes >= planes_) return i;
    return -1;
}

// Returns a slot that no picture of the frame has, and forgets its content. A frame has at most as
// many pictures as there are slots.
int Denoiser::Take() {
    int i = 0;
    while (std::count(std::begin(used_), std::end(used_), i)) i++;
    if (!slot_[i]) {
        const DevicePtr& device = streams_->device();
        const Geometry luma = MakeGeometry(g_.mb_width(), g_.mb_height()), uv = ChromaGeometry(g_);
        slot_[i].reset(new Slot{{{device, luma, CUDAME_REF_BORDER},
                                 {device, uv, CUDAME_REF_BORDER / 2},
                                 {device, uv, CUDAME_REF_BORDER / 2}},
                                0,
                                0});
    }
    slot_[i]->id = 0;
    slot_[i]->planes = planes_;
    return i;
}

void Denoiser::Upload(StreamName stream, const cudame_planes& from, Slot* to) {
    for (int p = 0; p < planes_; p++) {
        const cudame_plane plane = PlaneOf(from, p, g_, 0);
        uploader_->memory().Use(plane);
        uploader_->Upload(plane, 0, plane.height, to->plane[p], stream);
    }
    Pad(stream, from, *to);
}

// Makes the border of luma. Pixels of chroma are only used inside of the picture.
void Denoiser::Pad(StreamName stream, const cudame_planes& picture, const Slot& slot) const {
    const cudame_plane plane = PlaneOf(picture, 0, g_, 0);
    uploader_->Pad(plane, 0, plane.height, slot.plane[0], stream);
}

void Denoiser::Forget() {
    for (auto& slot : slot_)
        if (slot) slot->id = 0;
}

void Denoiser::Begin(StreamName stream, const cudame_denoiser& denoiser, CoderDenoiser* to) {
    SetDenoiser(denoiser, to);
    planes_ = denoiser.has_chroma ? 3 : 1;
    std::fill(std::begin(used_), std::end(used_), -1);
    // First those that are there, so that Take() does not take their slots.
    for (int ref = CUDAME_REF_LAST; ref < CUDAME_REFS; ref++)
        if (denoiser.ref[ref].plane[0]) used_[ref] = Find(denoiser.ref[ref].id);
    for (int ref = CUDAME_REF_LAST; ref < CUDAME_REFS; ref++) {
        const cudame_planes& picture = denoiser.ref[ref];
        if (!picture.plane[0]) continue;
        for (int other = CUDAME_REF_LAST; picture.id && other < ref; other++)
            if (denoiser.ref[other].plane[0] && denoiser.ref[other].id == picture.id)
                used_[ref] = used_[other];
        if (used_[ref] < 0) {
            used_[ref] = Take();
            Upload(stream, picture, slot_[used_[ref]].get());
        }
        const Slot& slot = *slot_[used_[ref]];
        for (int p = 0; p < planes_; p++) to->ref[ref][p] = slot.plane[p].pixels();
    }
    used_[0] = Take();
    const Slot& slot = *slot_[used_[0]];
    for (int p = 0; p < planes_; p++)
        to->denoised[p] = reinterpret_cast<uint8_t*>(slot.plane[p].origin());
    to->stride = slot.plane[0].stride();
    to->uv_stride = slot.plane[1].stride();

    const size_t mbs = static_cast<size_t>(g_.mbs());
    uint8_t* const host = host_maps_.as<uint8_t>();
    memcpy(host, denoiser.near_still_frames, mbs);
    if (denoiser.skin) memcpy(host + mbs, denoiser.skin, mbs);
    CUDAME_CHECK(streams_->device()->driver(),
                 cuMemcpyHtoDAsync(maps_.address(), host, (denoiser.skin ? 2 : 1) * mbs,
                                   (*streams_)[stream]));
    to->near_still_frames = maps_.as<uint8_t>();
    to->skin = denoiser.skin ? maps_.as<uint8_t>() + mbs : nullptr;
    to->states = maps_.as<uint8_t>() + 2 * mbs;
    for (int p = 0; p < 3; p++) to->source[p] = reinterpret_cast<uint8_t*>(source_[p].origin());
    to->source_stride = source_[0].stride();
    to->source_uv_stride = source_[1].stride();
    for (size_t ref = 0; ref < CUDAME_REFS; ref++)
        to->records[ref] = records_.as<cudame_mb>() + ref * mbs;
}

void Denoiser::End(StreamName stream, const cudame_denoiser& denoiser) {
    Pad(stream, denoiser.denoised, *slot_[used_[0]]);
    for (int ref = CUDAME_REF_LAST; ref < CUDAME_REFS; ref++)
        if (denoiser.ref[ref].plane[0]) slot_[used_[ref]]->id = denoiser.ref[ref].id;
    slot_[used_[0]]->id = denoiser.denoised.id;
}

}  // namespace cudame
