// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/token_writer.h"

#include "cpu/token_writer.h"

namespace cudame {

struct TokenWriter::Counters {
    uint32_t next_row, ended_rows;
};

TokenWriter::TokenWriter(const DevicePtr& device, CUstream stream, const Geometry& g)
    : mb_rows_(g.mb_rows),
      mb_cols_(g.mb_cols),
      words_(static_cast<uint32_t>(static_cast<size_t>(g.mbs()) * kPartitionBytes / 4)),
      memory_(FilledBuffer(device, stream,
                           sizeof(Counters) + static_cast<size_t>(g.mb_rows) * sizeof(uint64_t) +
                               words_ * sizeof(uint32_t),
                           0)),
      out_(device, words_ * sizeof(uint32_t)),
      result_(device, sizeof(PartitionResult)) {}

TokenWriterParams TokenWriter::Params(const TokenRun* runs, const cudame_token* tokens,
                                      const uint8_t* probs) const {
    Counters* const counters = memory_->as<Counters>();
    TokenWriterParams p = {};
    p.mb_rows = mb_rows_;
    p.mb_cols = mb_cols_;
    p.runs = runs;
    p.tokens = tokens;
    p.probs = probs;
    p.next_row = &counters->next_row;
    p.ended_rows = &counters->ended_rows;
    p.states = reinterpret_cast<uint64_t*>(counters + 1);
    p.number = reinterpret_cast<uint32_t*>(p.states + mb_rows_);
    p.words = words_;
    p.result = result_.as<PartitionResult>();
    p.out = out_.as<uint32_t>();
    return p;
}

void TokenWriter::Get(cudame_partition* partition) const {
    const PartitionResult& result = *result_.as<PartitionResult>();
    const bool fits = result.bits + 8 <= 32 * uint64_t{words_};
    partition->data = fits ? out_.as<uint8_t>() : nullptr;
    partition->bits = static_cast<uint32_t>(result.bits);
    partition->range = result.range;
}

}  // namespace cudame
