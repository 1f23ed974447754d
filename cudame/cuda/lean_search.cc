// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/lean_search.h"

#include <algorithm>

#include "cuda/buffers.h"

namespace cudame {
namespace {

Tile DrawnTile(const LeanLevel& level) {
    return level.drawn ? TileOf(LeanBoxSide(level.drawn), kDrawnRows) : Tile();
}

// A little less than the device runs at the same time, so that all blocks start at once even if
// another kernel is about to end: 512 on an H100, which runs 4 on each of 132 multiprocessors.
unsigned ListBlocks(int resident) { return static_cast<unsigned>(resident - resident / 32); }

}  // namespace

LeanSearch::LeanSearch(const StreamsPtr& streams, const LeanLevel& level, SearchResults* results)
    : streams_(streams),
      level_(level),
      results_(results),
      refinement_(streams->device(), level, results),
      coarse_(streams->device(), kernel::kLeanCoarse),
      search_(streams->device(), kernel::kLeanSearch),
      spread_(streams->device(), kernel::kLeanSpread),
      drawn_(streams->device(), kernel::kLeanDrawn),
      drawn_tile_(DrawnTile(level)),
      drawn_blocks_(level.drawn ? ListBlocks(drawn_.Resident(drawn_tile_.bytes)) : 0) {}

void LeanSearch::Resize(const Geometry& g) {
    g_ = g;
    const DevicePtr& device = streams_->device();
    const size_t mbs = static_cast<size_t>(g.mbs());
    for (int i = 0; i < kMaxSearches; i++) {
        seeds_[i] = BlockVectors(device, CoarseGeometry(g).mbs());
        vectors_[i] = BlockVectors(device, g.mbs());
        found_[i] = std::make_unique<DeviceBuffer>(device, mbs * sizeof(LeanFound));
    }
    for (auto& vectors : spread_vectors_)
        vectors = std::make_unique<DeviceBuffer>(device, mbs * sizeof(cudame_mv));
    if (!drawn_blocks_) return;
    const size_t most = kMaxSearches * mbs;
    const CUstream stream = (*streams_)[kCopy];
    list_ = std::make_unique<DeviceBuffer>(device, most * sizeof(uint32_t));
    list_counts_ =
        FilledBuffer(device, stream, 2 * static_cast<size_t>(g.mb_rows) * sizeof(uint32_t), 0);
    least_ = FilledBuffer(device, stream, most * kLeanBlocks * sizeof(unsigned long long), 0xff);
    done_ = FilledBuffer(device, stream, most * sizeof(uint32_t), 0);
}

void LeanSearch::Begin(const FrameJob& job, const SourceUpload& source) {
    const int still = level_.still * job.costs->sad_per_bit;
    coarse_params_ = {};
    FillCoarse(&coarse_params_, job, source, g_, level_.others ? kMaxSearches : 1);
    coarse_params_.level = level_;
    coarse_params_.still = still;

    params_ = {};
    FillSearch(&params_, job, source, g_);
    params_.level = level_;
    params_.still = still;
    params_.coarse_cols = coarse_params_.mb_cols;
    for (int i = 0; i < params_.searches; i++) {
        const int seeds = level_.others ? i : 0;
        LeanParams::Ref& r = params_.refs[i];
        coarse_params_.refs[i].integer = seeds_[i]->as<cudame_mv>();
        r.coarse = seeds_[seeds]->as<cudame_mv>();
        r.integer = vectors_[i]->as<cudame_mv>();
        r.found = found_[i]->as<LeanFound>();
    }
    for (int odd = 0; odd < 2; odd++) params_.spread[odd] = spread_vectors_[odd]->as<cudame_mv>();
    if (drawn_blocks_) {
        params_.range = level_.drawn;
        params_.chunk_rows = drawn_tile_.chunk_rows;
        params_.drawn = {list_->as<uint32_t>(), list_counts_->as<uint32_t>(),
                         least_->as<unsigned long long>(), done_->as<uint32_t>()};
    }
    refinement_.Begin(job, source, g_, vectors_, found_);
}

void LeanSearch::SearchCoarse(CUstream stream, Rows rows) {
    const Rows coarse = CoarseRows(rows);
    coarse_params_.first_row = coarse.first;
    LaunchRows(coarse_, stream, coarse_params_, coarse.count());
}

Rows LeanSearch::PassRows(Rows done) const {
    return {std::max(done.first - 1, 0),
            done.end == g_.mb_rows ? done.end : std::max(done.end - 1, 0)};
}

Rows LeanSearch::Search(CUstream stream, Rows rows) {
    params_.first_row = rows.first;
    LaunchRows(search_, stream, params_, rows.count());
    LeanParams pass = params_;
    for (pass.pass = 0; pass.pass < level_.passes; pass.pass++) {
        rows = PassRows(rows);
        pass.first_row = rows.first;
        if (rows.count() <= 0) continue;
        // Only the first search has passes.
        spread_.Launch(
            stream, {1, spread_.Groups(pass.mb_cols), static_cast<unsigned>(rows.count())}, pass);
    }
    params_.first_row = rows.first;
    if (drawn_blocks_ && rows.count() > 0)
        drawn_.Launch(stream, {drawn_blocks_}, params_, drawn_tile_.bytes);
    return rows;
}

}  // namespace cudame
