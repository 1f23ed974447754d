// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Whole frames: the part of the context that codes them.

#include <chrono>

#include "common/error.h"
#include "context.h"
#include "cpu/frame_coder.h"

namespace cudame {
namespace {

void CheckPicture(const cudame_planes& p, const char* name) {
    for (const uint8_t* plane : p.plane)
        if (!plane) Invalid(std::string(name) + ": a plane is missing");
}

void CheckDenoiser(const cudame_denoiser& d) {
    CheckPicture(d.denoised, "denoised");
    for (int ref = CUDAME_REF_LAST; ref < CUDAME_REFS; ref++)
        if (d.ref[ref].plane[0]) CheckPicture(d.ref[ref], "denoised ref");
    if (!d.near_still_frames) Invalid("the denoiser lacks a table");
    if (d.sharpness < 0 || d.sharpness > 7) Invalid("the denoiser's sharpness is not 0 to 7");
}

void CheckWholeFrame(const cudame_whole_frame& f, const Geometry& g) {
    if (f.mb_rows != g.mb_rows || f.mb_cols != g.mb_cols)
        Invalid("the frame to code has another size than the context");
    CheckPicture(f.source, "source");
    CheckPicture(f.recon, "recon");
    for (int ref = CUDAME_REF_LAST; ref < CUDAME_REFS; ref++)
        if (f.ref[ref].plane[0]) CheckPicture(f.ref[ref], "ref");
    if (f.returned_ref < 0 || f.returned_ref >= CUDAME_REFS)
        Invalid("the returned reference is not a slot");
    if (!f.segments || !f.rates || !f.mv_cost[0] || !f.mv_cost[1] || !f.value_cost ||
        !f.still_frames || !f.memory)
        Invalid("the frame to code lacks a table");
    if (f.denoiser && !f.key_bmode) CheckDenoiser(*f.denoiser);
}

// Whether the denoiser uses a reference that was not searched.
bool IsForDenoiserAlone(const cudame_whole_frame& f, int slot, bool searched) {
    return slot != 0 && !searched && f.denoiser && !f.key_bmode && f.ref[slot].plane[0] &&
           f.denoiser->ref[slot].plane[0];
}

// Adds the time of its life to a sum.
struct AddTime {
    std::atomic<uint64_t>* sum_ns;
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
    ~AddTime() {
        *sum_ns += static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                             std::chrono::steady_clock::now() - start)
                                             .count());
    }
};

}  // namespace

void Context::CodeFrame(cudame_whole_frame* frame) {
    if (!open_) Invalid("no frame was begun");
    if (!frame) Invalid("no frame to code given");
    if (!frame_.bmode_cost) Invalid("the frame has no intra estimates: bmode_cost is NULL");
    CheckWholeFrame(*frame, g_);
    const std::shared_ptr<Backend> backend = Searching();
    coded_by_.reset();
    coded_key_ = frame->key_bmode != nullptr;
    if (backend->kind() == CUDAME_BACKEND_CPU) {
        CodeOnCpu(frame);
        coded_by_ = backend;
        return;
    }
    if (!backend->capabilities().codes_frames)
        throw Error(CUDAME_ERROR_UNAVAILABLE, "only the lean search codes whole frames");
    const Field* fields[CUDAME_REFS];
    std::shared_ptr<const ReferenceBuffer> others[CUDAME_REFS];
    const ReferenceBuffer* other[CUDAME_REFS] = {};
    for (int slot = 0; slot < CUDAME_REFS; slot++) {
        fields[slot] = fields_[slot].get();
        if (!IsForDenoiserAlone(*frame, slot, fields[slot] != nullptr)) continue;
        if (slot == CUDAME_REF_LAST)
            Invalid("the last frame serves the denoiser but was not searched");
        if (!store_.Has(frame->ref[slot].id))
            throw Error(CUDAME_ERROR_UNAVAILABLE,
                        "a reference of the denoiser is not on the device");
        others[slot] = store_.Get(frame->ref[slot].id);
        other[slot] = others[slot].get();
    }
    if (whole_rest_ > 0) {
        whole_rest_--;
        throw Error(CUDAME_ERROR_UNAVAILABLE,
                    "the device was late with the last frames that it coded");
    }
    const AddTime waited = {&wait_ns_};
    try {
        OrStepDown(backend, [&] { backend->CodeFrame(fields, other, frame); });
    } catch (const LateError&) {
        whole_rest_ = whole_lateness_.Note(true);
        throw;
    }
    whole_lateness_.Note(false);
    coded_by_ = backend;
}

void Context::FilterFrame(const cudame_frame_filter* filter) {
    if (!filter) Invalid("no filter given");
    if (!open_ || !coded_by_) Invalid("no frame was coded");
    CheckPicture(filter->recon, "recon");
    CheckPicture(filter->filtered, "filtered");
    if (!filter->macroblocks) Invalid("the macroblocks' levels are missing");
    if (filter->sharpness < 0 || filter->sharpness > 7) Invalid("the sharpness is not 0 to 7");
    if (filter->partition && !filter->partition->probs)
        Invalid("the partition's probabilities are missing");
    if (filter->modes && !filter->modes->key_bmode == coded_key_)
        Invalid(coded_key_ ? "the probabilities of the key frame's sub-block modes are missing"
                           : "the modes are those of a key frame, and the frame is not");
    if (filter->modes && (filter->modes->start_range < 128 || filter->modes->start_range > 255))
        Invalid("the range of the modes' encoder is not 128 to 255");
    const std::shared_ptr<Backend> backend = std::move(coded_by_);
    if (backend->kind() == CUDAME_BACKEND_CPU) {
        FilterOnCpu(*filter, g_);
        if (filter->partition) coder_->Write(filter->partition);
        if (filter->modes) coder_->Write(filter->modes);
        return;
    }
    if (backend != Searching()) throw Error(CUDAME_ERROR_UNAVAILABLE, "the frame's device failed");
    OrStepDown(backend, [&] { backend->FilterFrame(*filter); });
}

// The CPU's backend makes the records that are pending.
void Context::CodeOnCpu(cudame_whole_frame* frame) {
    FrameRecords records = {};
    for (int row = 0; row < g_.mb_rows; row++) {
        const cudame_mb* mbs[CUDAME_REFS];
        const cudame_split* splits[CUDAME_REFS];
        const cudame_intra* intra;
        WaitRow(row, mbs, splits);
        IntraRow(row, &intra);
        for (int col = 0; col < g_.mb_cols; col++) {
            CompleteIntra(row, col, intra[col].pending);
            for (int slot = CUDAME_REF_LAST; slot < CUDAME_REFS; slot++)
                if (mbs[slot] && (mbs[slot][col].flags & CUDAME_MB_PENDING))
                    CompleteSplit(row, col, slot);
        }
        if (row) continue;
        for (int slot = CUDAME_REF_LAST; slot < CUDAME_REFS; slot++) {
            records.records[slot] = mbs[slot];
            records.splits[slot] = splits[slot];
        }
        records.intra = intra;
    }
    if (!coder_) coder_ = std::make_unique<ScalarFrameCoder>();
    if (!coder_->Code(records, frame))
        throw Error(CUDAME_ERROR_UNAVAILABLE, "a macroblock has no vector to a quarter pixel");
}

}  // namespace cudame
