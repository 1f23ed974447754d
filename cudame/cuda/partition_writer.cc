// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/partition_writer.h"

#include <algorithm>

namespace cudame {

namespace {

// Parts have the size of a row. If a row has more items than this, they are smaller, down to an
// eighth: a warp takes 0.3 us for an item, and the filter, which runs at the same time, takes 0.7
// ms for a frame of 1080p.
constexpr int kPartItems = 1000, kMostParts = 8;

}  // namespace

PartitionWriter::PartitionWriter(const DevicePtr& device, CUstream stream, const Geometry& g,
                                 size_t mb_bytes)
    : mb_rows_(g.mb_rows),
      mb_cols_(g.mb_cols),
      words_(static_cast<uint32_t>(static_cast<size_t>(g.mbs()) * mb_bytes / 4)),
      memory_(FilledBuffer(device, stream,
                           sizeof(Counters) +
                               static_cast<size_t>(kMostParts * g.mb_rows) * sizeof(uint64_t) +
                               words_ * sizeof(uint32_t),
                           0)),
      out_(device, words_ * sizeof(uint32_t)),
      result_(device, sizeof(PartitionResult)) {}

NumberParams PartitionWriter::Params(TokenRun* runs, uint32_t items, uint32_t start_range) const {
    const int of_row = static_cast<int>(items) / mb_rows_;
    const int parts = std::clamp((of_row + kPartItems - 1) / kPartItems, 1, kMostParts);
    Counters* const counters = memory_->as<Counters>();
    NumberParams p = {};
    p.mbs = mb_rows_ * mb_cols_;
    p.part_mbs = (mb_cols_ + parts - 1) / parts;
    p.start_range = start_range;
    p.runs = runs;
    p.next_part = &counters->next_part;
    p.ended_parts = &counters->ended_parts;
    p.states = reinterpret_cast<uint64_t*>(counters + 1);
    p.number = reinterpret_cast<uint32_t*>(p.states + kMostParts * mb_rows_);
    p.words = words_;
    p.result = result_.as<PartitionResult>();
    p.out = out_.as<uint32_t>();
    return p;
}

}  // namespace cudame
