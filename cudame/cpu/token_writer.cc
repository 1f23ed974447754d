// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cpu/token_writer.h"

#include "common/coder/token_bools.h"

namespace cudame {

using namespace CODER_NAMESPACE;

namespace {

// A number of any length, which grows at its low end.
class Number {
  public:
    explicit Number(std::vector<uint8_t>* bytes) : bytes_(bytes) { bytes->clear(); }

    void Add(uint32_t v) { low_ += v; }
    void Shift(int by) {
        low_ <<= by;
        held_ += by;
        while (held_ >= 8) Move();
    }
    // Appends zeros until all bits are in whole bytes.
    void End() {
        if (held_) Shift(8 - held_);
        low_ <<= 8;
        held_ += 8;
        Move();
    }

  private:
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

    std::vector<uint8_t>* bytes_;
    uint32_t low_ = 0;  // the range's eight bits, and above them held_ more and a carry
    int held_ = 0;
};

}  // namespace

void WriteTokens(const TokenRun* runs, size_t mbs, const cudame_token* tokens,
                 std::vector<uint8_t>* data, cudame_partition* partition) {
    EncoderState state = {255, 0};
    Number number(data);
    for (size_t mb = 0; mb < mbs; mb++)
        for (uint32_t i = 0; i < runs[mb].count; i++) {
            const cudame_token t = tokens[runs[mb].first + i];
            for (int b = 0; b < BoolsOf(t); b++) {
                int shift;
                number.Add(Code(BoolAt(t, b, partition->probs), &state, &shift));
                number.Shift(shift);
            }
        }
    number.End();
    partition->bits = state.bits;
    partition->range = state.range;
    partition->data = data->size() <= mbs * kPartitionBytes ? data->data() : nullptr;
}

}  // namespace cudame
