// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cpu/partition_writer.h"

#include "common/coder/mode_bools.h"
#include "common/coder/token_bools.h"

namespace cudame {

using namespace CODER_NAMESPACE;

namespace {

// A boolean encoder, and its number, which grows at the low end.
class Encoder {
  public:
    Encoder(uint32_t range, std::vector<uint8_t>* bytes) : state_{range, 0}, bytes_(bytes) {
        bytes->clear();
    }

    void Put(Bool b) {
        int shift;
        low_ += Code(b, &state_, &shift);
        Shift(shift);
    }
    // Appends zeros until all bits are in whole bytes. Sets the output of a cudame_partition or of
    // cudame_modes; room: bytes that the number may have.
    template <class Written>
    void End(size_t room, Written* written) {
        if (held_) Shift(8 - held_);
        low_ <<= 8;
        held_ += 8;
        Move();
        written->bits = state_.bits;
        written->range = state_.range;
        written->data = bytes_->size() <= room ? bytes_->data() : nullptr;
    }

  private:
    void Shift(int by) {
        low_ <<= by;
        held_ += by;
        while (held_ >= 8) Move();
    }
    // Moves the eight highest bits to the bytes. A carry above them goes into earlier bytes.
    void Move() {
        held_ -= 8;
        const uint32_t high = low_ >> (8 + held_);
        if (high > 255)
            for (auto byte = bytes_->rbegin(); ++*byte == 0; ++byte) {
            }
        bytes_->push_back(static_cast<uint8_t>(high));
        low_ &= (256u << held_) - 1;
    }

    EncoderState state_;
    std::vector<uint8_t>* bytes_;
    uint32_t low_ = 0;  // the range's eight bits, and above them held_ more and a carry
    int held_ = 0;
};

}  // namespace

void WriteTokens(const TokenRun* runs, size_t mbs, const cudame_token* tokens,
                 std::vector<uint8_t>* data, cudame_partition* partition) {
    Encoder encoder(255, data);
    for (size_t mb = 0; mb < mbs; mb++)
        for (uint32_t i = 0; i < runs[mb].count; i++) {
            const cudame_token t = tokens[runs[mb].first + i];
            for (int b = 0; b < BoolsOf(t); b++) encoder.Put(BoolAt(t, b, partition->probs));
        }
    encoder.End(mbs * kPartitionBytes, partition);
}

void WriteModes(const ModeRecord* records, int rows, int cols, std::vector<uint8_t>* data,
                cudame_modes* modes) {
    Encoder encoder(modes->start_range, data);
    for (int mb = 0; mb < rows * cols; mb++)
        PutMode(records, mb, cols, *modes, [&](uint32_t prob, uint32_t bit) {
            encoder.Put({prob, bit});
        });
    encoder.End(static_cast<size_t>(rows * cols) * kModeBytes, modes);
}

}  // namespace cudame
