// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cpu/frame_coder.h"

#include <algorithm>
#include <vector>

#include "common/coder/denoise.h"
#include "common/coder/filter.h"
#include "cpu/coder_blocks.h"
#include "cpu/coder_rows.h"
#include "cpu/partition_writer.h"

namespace cudame {

using namespace CODER_NAMESPACE;

struct ScalarFrameCoder::Buffers {
    std::vector<cudame_coded_mb> coded;
    std::vector<cudame_blocks> blocks;
    std::vector<cudame_mb_memory> memory;
    std::vector<cudame_token> tokens;
    std::vector<uint32_t> token_counts;
    std::vector<TokenRun> runs;
    std::vector<Neighbour> neighbours;
    std::vector<ModeRecord> modes;
    int rows = 0;  // of `modes`
    std::vector<uint8_t> partition, written_modes;
    std::vector<uint8_t> denoised[CUDAME_REFS][3];  // pictures with borders
    std::vector<uint8_t> source[3], states;
    std::vector<cudame_mb> records[CUDAME_REFS];
};

// Denoises the source. The denoiser works on copies of the pictures, which have borders.
void ScalarFrameCoder::Denoise(const cudame_denoiser& d, CoderFrame* f) {
    constexpr int kBorder = CUDAME_REF_BORDER;
    CoderDenoiser& to = f->denoiser;
    to.stride = 16 * f->mb_cols + 2 * kBorder;
    to.uv_stride = 8 * f->mb_cols + kBorder;
    for (int ref = 0; ref < kRefs; ref++) {
        const cudame_planes& from = ref ? d.ref[ref] : d.denoised;
        if (!from.plane[0]) continue;
        for (int p = 0; p < (d.has_chroma ? 3 : 1); p++) {
            const int size = p ? 8 : 16, border = p ? kBorder / 2 : kBorder;
            const int width = size * f->mb_cols, height = size * f->mb_rows;
            const ptrdiff_t stride = p ? to.uv_stride : to.stride;
            const ptrdiff_t from_stride = p ? from.uv_stride : from.stride;
            std::vector<uint8_t>& picture = buffers_->denoised[ref][p];
            picture.resize(static_cast<size_t>(stride) * static_cast<size_t>(height + 2 * border));
            uint8_t* const at = picture.data() + border * (stride + 1);
            if (ref)
                to.ref[ref][p] = at;
            else
                to.denoised[p] = at;
            for (int y = -border; ref && y < height + border; y++) {
                const uint8_t* row = from.plane[p] + std::clamp(y, 0, height - 1) * from_stride;
                for (int x = -border; x < width + border; x++)
                    at[y * stride + x] = row[std::clamp(x, 0, width - 1)];
            }
        }
    }
    SetDenoiser(d, &to);
    to.skin = d.skin;
    to.near_still_frames = d.near_still_frames;
    const size_t mbs = static_cast<size_t>(f->mb_rows) * static_cast<size_t>(f->mb_cols);
    to.source_stride = 16 * f->mb_cols;
    to.source_uv_stride = 8 * f->mb_cols;
    for (int p = 0; p < 3; p++) {
        buffers_->source[p].resize(mbs * (p ? 64 : 256));
        to.source[p] = buffers_->source[p].data();
    }
    buffers_->states.resize(mbs);
    to.states = buffers_->states.data();
    for (int ref = kLast; ref < kRefs; ref++) {
        buffers_->records[ref].resize(mbs);
        to.records[ref] = buffers_->records[ref].data();
    }

    BeginFrame(*f);
    const auto for_all = [&](auto step) {
        for (int row = 0; row < f->mb_rows; row++)
            for (int col = 0; col < f->mb_cols; col++) step(row, col);
    };
    for_all(DenoiseMacroblock);
    for_all([](int row, int col) {
        BeginMacroblock(row, col);
        FilterDenoised();
    });
    for_all(MakeDenoisedRecords);
}

// Copies the denoised picture to the caller's.
static void CopyDenoised(const CoderFrame& f, const cudame_planes& to) {
    for (int p = 0; p < 3 && f.denoiser.denoised[p]; p++) {
        const int size = p ? 8 : 16;
        const ptrdiff_t stride = p ? f.denoiser.uv_stride : f.denoiser.stride;
        for (int y = 0; y < size * f.mb_rows; y++)
            std::copy_n(f.denoiser.denoised[p] + y * stride, size * f.mb_cols,
                        to.plane[p] + y * static_cast<ptrdiff_t>(p ? to.uv_stride : to.stride));
    }
}

ScalarFrameCoder::ScalarFrameCoder() : buffers_(std::make_unique<Buffers>()) {}
ScalarFrameCoder::~ScalarFrameCoder() = default;

bool ScalarFrameCoder::Code(const FrameRecords& records, cudame_whole_frame* frame) {
    const size_t mbs = static_cast<size_t>(frame->mb_rows) * static_cast<size_t>(frame->mb_cols);
    Buffers& b = *buffers_;
    b.coded.resize(mbs);
    b.blocks.resize(mbs);
    b.memory.resize(mbs);
    b.tokens.resize(mbs * kMaxTokens);
    b.token_counts.assign(kTokenContexts * kTokens, 0);
    b.runs.resize(mbs);
    b.neighbours.resize(mbs);
    b.modes.resize(mbs);
    b.rows = frame->mb_rows;

    CoderFrame f = {};
    f.mb_rows = frame->mb_rows;
    f.mb_cols = frame->mb_cols;
    for (int p = 0; p < 3; p++) {
        f.source[p] = frame->source.plane[p];
        f.recon[p] = frame->recon.plane[p];
        for (int ref = kLast; ref < kRefs && !frame->key_bmode; ref++)
            f.ref[ref][p] = frame->ref[ref].plane[p];
    }
    f.source_stride = frame->source.stride;
    f.source_uv_stride = frame->source.uv_stride;
    f.recon_stride = frame->recon.stride;
    f.recon_uv_stride = frame->recon.uv_stride;
    for (int ref = kLast; ref < kRefs; ref++) {
        if (!f.ref[ref][0]) continue;
        f.ref_stride = frame->ref[ref].stride;
        f.ref_uv_stride = frame->ref[ref].uv_stride;
        f.records[ref] = records.records[ref];
        f.splits[ref] = records.splits[ref];
    }
    f.returned_ref = frame->returned_ref;
    f.intra = records.intra;
    f.segments = frame->segments;
    f.rates = frame->rates;
    f.key_bmode = frame->key_bmode;
    f.mv_cost[0] = frame->mv_cost[0];
    f.mv_cost[1] = frame->mv_cost[1];
    f.value_cost = frame->value_cost;
    f.segment = frame->segment;
    f.still_frames = frame->still_frames;
    f.memory = frame->memory;
    f.coded = b.coded.data();
    f.blocks = b.blocks.data();
    f.new_memory = b.memory.data();
    f.tokens = b.tokens.data();
    uint32_t next_token = 0;
    f.next_token = &next_token;
    f.runs = b.runs.data();
    f.token_counts = b.token_counts.data();
    f.neighbours = b.neighbours.data();
    f.modes = b.modes.data();
    const bool denoises = frame->denoiser && !f.key_bmode;
    if (denoises) Denoise(*frame->denoiser, &f);
    BeginFrame(f);
    for (int row = 0; row < f.mb_rows; row++)
        for (int col = 0; col < f.mb_cols; col++) {
            if (denoises)
                LoadSource<true>(row, col);
            else
                LoadSource<false>(row, col);
            const auto meet = [] {};
            if (!(f.key_bmode ? CodeNext<FrameKind::kKey>(row, col, meet)
                              : CodeNext<FrameKind::kInterWithSplits>(row, col, meet)))
                return false;
            StoreResult();
        }
    if (denoises) CopyDenoised(f, frame->denoiser->denoised);

    frame->coded = b.coded.data();
    frame->blocks = b.blocks.data();
    frame->new_memory = b.memory.data();
    frame->has_recon = 1;
    frame->tokens = b.tokens.data();
    frame->token_counts = b.token_counts.data();
    return true;
}

void ScalarFrameCoder::Write(cudame_partition* partition) {
    Buffers& b = *buffers_;
    WriteTokens(b.runs.data(), b.runs.size(), b.tokens.data(), &b.partition, partition);
}

void ScalarFrameCoder::Write(cudame_modes* modes) {
    Buffers& b = *buffers_;
    WriteModes(b.modes.data(), b.rows, static_cast<int>(b.modes.size()) / b.rows, &b.written_modes,
               modes);
}

void FilterOnCpu(const cudame_frame_filter& filter, const Geometry& g) {
    FilterFrame f = {};
    std::copy_n(filter.filtered.plane, 3, f.plane);
    f.stride = filter.filtered.stride;
    f.uv_stride = filter.filtered.uv_stride;
    f.mb_rows = g.mb_rows;
    f.mb_cols = g.mb_cols;
    for (int p = 0; p < 3; p++) {
        const int size = p ? 8 : kMb;
        const ptrdiff_t from_stride = p ? filter.recon.uv_stride : filter.recon.stride;
        const ptrdiff_t to_stride = p ? f.uv_stride : f.stride;
        for (int y = 0; y < size * g.mb_rows; y++)
            std::copy_n(filter.recon.plane[p] + y * from_stride, size * g.mb_cols,
                        f.plane[p] + y * to_stride);
    }
    f.macroblocks = filter.macroblocks;
    f.sharpness = filter.sharpness;
    f.is_key = filter.key_frame != 0;
    for (int row = 0; row < f.mb_rows; row++)
        for (int col = 0; col < f.mb_cols; col++) FilterMacroblock(f, row, col);
}

}  // namespace cudame
