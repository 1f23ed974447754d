// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/partition_writer.h"

namespace cudame {

PartitionWriter::PartitionWriter(const DevicePtr& device, CUstream stream, const Geometry& g,
                                 size_t mb_bytes)
    : mb_rows_(g.mb_rows),
      mb_cols_(g.mb_cols),
      words_(static_cast<uint32_t>(static_cast<size_t>(g.mbs()) * mb_bytes / 4)),
      memory_(FilledBuffer(device, stream,
                           sizeof(Counters) + static_cast<size_t>(g.mb_rows) * sizeof(uint64_t) +
                               words_ * sizeof(uint32_t),
                           0)),
      out_(device, words_ * sizeof(uint32_t)),
      result_(device, sizeof(PartitionResult)) {}

NumberParams PartitionWriter::Params(TokenRun* runs, uint32_t start_range) const {
    Counters* const counters = memory_->as<Counters>();
    NumberParams p = {};
    p.mb_rows = mb_rows_;
    p.mb_cols = mb_cols_;
    p.start_range = start_range;
    p.runs = runs;
    p.next_row = &counters->next_row;
    p.ended_rows = &counters->ended_rows;
    p.states = reinterpret_cast<uint64_t*>(counters + 1);
    p.number = reinterpret_cast<uint32_t*>(p.states + mb_rows_);
    p.words = words_;
    p.result = result_.as<PartitionResult>();
    p.out = out_.as<uint32_t>();
    return p;
}

}  // namespace cudame
