// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The memory of FrameCoder for frames of a size. Only frame_coder.cc includes it.

#ifndef CUDAME_CUDA_FRAME_CODER_BUFFERS_H_
#define CUDAME_CUDA_FRAME_CODER_BUFFERS_H_

#include <cstring>
#include <memory>
#include <vector>

#include "common/coder/mode_bools.h"
#include "common/coder/token_bools.h"
#include "cpu/partition_writer.h"
#include "cuda/device_memory.h"
#include "cuda/frame_coder.h"
#include "cuda/partition_writer.h"
#include "cuda/upload.h"

namespace cudame {

inline constexpr int kUvBorder = CUDAME_REF_BORDER / 2;
inline constexpr uint32_t kOpen = UINT32_MAX;  // see RowsEnded
inline constexpr int kValues = 2048;           // value_cost has -kValues to kValues - 1

// The tables of a frame, in one piece: the memory of the macroblocks, rates, segments, rates of a
// key frame's sub-block modes, the map of segments, for how many frames macroblocks stood still,
// and counts of tokens, which are 0 at first. On the device, tokens follow the tables.
struct TableLayout {
    static constexpr size_t kKeyBytes = coder_scalar::kBlockModes * coder_scalar::kBlockModes *
                                        coder_scalar::kBlockModes * sizeof(int);
    static constexpr size_t kCountBytes =
        coder_scalar::kTokenContexts * coder_scalar::kTokens * sizeof(uint32_t);
    size_t memory = 0, rates, segments, key, map, still, counts, size;
    explicit TableLayout(size_t mbs) {
        rates = mbs * sizeof(cudame_mb_memory);
        segments = rates + sizeof(cudame_rates);
        key = segments + 4 * sizeof(cudame_segment);
        map = key + kKeyBytes;
        still = map + mbs;
        counts = (still + mbs + 15) / 16 * 16;
        size = counts + kCountBytes;
    }
};

// The counters that RowCounters points to.
struct Counters {
    uint32_t next_row, next_token, ended_warps, done[1];
};

struct FrameCoder::Buffers {
    Buffers(const DevicePtr& device, CUstream stream, const Geometry& g)
        : mbs(static_cast<size_t>(g.mbs())),
          layout(mbs),
          tables(device, layout.size + mbs * kTokenBytes),
          host_tables(device, layout.size),
          value_cost(device, 2 * kValues * sizeof(int16_t)),
          host_value_cost(device, 2 * kValues * sizeof(int16_t)),
          neighbours(FilledBuffer(device, stream, mbs * sizeof(Neighbour), 0)),
          counters(FilledBuffer(
              device, stream,
              sizeof(Counters) + 2 * static_cast<size_t>(g.mb_rows) * sizeof(uint32_t), 0)),
          levels(device, mbs + kProbBytes + kKeyProbBytes),
          host_levels(device, mbs + kProbBytes + kKeyProbBytes),
          runs(device, mbs * sizeof(TokenRun)),
          coded(device, mbs * sizeof(cudame_coded_mb)),
          blocks(device, mbs * sizeof(cudame_blocks)),
          memory(device, mbs * sizeof(cudame_mb_memory)),
          failed(device, sizeof(uint32_t)),
          ended(device, sizeof(RowsEnded)),
          tokens(device, TableLayout::kCountBytes + mbs * kTokenBytes),
          token_writer(device, stream, g, kPartitionBytes),
          mode_records(device, mbs * sizeof(ModeRecord)),
          mode_bools(device, mbs * coder_scalar::kMaxModeBools * sizeof(uint16_t)),
          mode_runs(device, mbs * sizeof(TokenRun)),
          mode_writer(device, stream, g, kModeBytes),
          source{{device, ChromaGeometry(g), 0, RowsOfU(g)}, {source[0], RowsOfU(g)}},
          recon{{device, MakeGeometry(g.mb_width(), g.mb_height()), 0},
                {device, ChromaGeometry(g), 0, RowsOfU(g)},
                {recon[1], RowsOfU(g)}},
          staged_recon{{device, mbs * 256}, {device, mbs * 64}, {device, mbs * 64}} {
        memset(host_tables.as<uint8_t>() + layout.counts, 0, TableLayout::kCountBytes);
        *ended.as<RowsEnded>() = {};
    }

    // From U's first row to V's: as in a picture of libvpx, whose planes have borders, so that one
    // copy has both.
    static int RowsOfU(const Geometry& g) { return 8 * g.mb_rows + 2 * kUvBorder; }
    static constexpr size_t kTokenBytes = coder_scalar::kMaxTokens * sizeof(cudame_token);
    static constexpr size_t kProbBytes = coder_scalar::kTokenContexts * coder_scalar::kTokenNodes;
    static constexpr size_t kKeyProbBytes =
        coder_scalar::kBlockModes * coder_scalar::kBlockModes * (coder_scalar::kBlockModes - 1);

    cudame_token* device_tokens() const {
        return reinterpret_cast<cudame_token*>(tables.as<uint8_t>() + layout.size);
    }

    const size_t mbs;
    const TableLayout layout;
    DeviceBuffer tables;  // and tokens
    PinnedBuffer host_tables;
    DeviceBuffer value_cost;
    PinnedBuffer host_value_cost;
    bool has_value_cost = false;
    // 0 at first: if a macroblock fails, the rows below go on, and read neighbours that no
    // macroblock has written.
    std::unique_ptr<DeviceBuffer> neighbours;
    std::unique_ptr<DeviceBuffer> counters;  // 0 at first; a kernel leaves them 0
    DeviceBuffer levels;  // of the loop filter; probabilities of tokens, and of a key frame's modes
    PinnedBuffer host_levels;
    DeviceBuffer runs;
    // Results, which the kernel writes.
    PinnedBuffer coded, blocks, memory, failed;
    PinnedBuffer ended;   // its warps are kOpen while the device works on a frame or copies it
    PinnedBuffer tokens;  // a copy of the counts and the tokens
    PartitionWriter token_writer;
    DeviceBuffer mode_records, mode_bools, mode_runs;
    PartitionWriter mode_writer;
    DevicePlane source[2], recon[3];
    // Copies of planes on their way. libvpx's own memory is pageable, and a copy from there would
    // hold up the whole process in the driver.
    std::vector<std::unique_ptr<PinnedBuffer>> staged_up;
    size_t staged = 0;  // number of those in use
    PinnedBuffer staged_recon[3];
};

}  // namespace cudame

#endif  // CUDAME_CUDA_FRAME_CODER_BUFFERS_H_
