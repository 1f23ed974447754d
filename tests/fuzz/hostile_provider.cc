/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "hostile_provider.h"

#include "callbacks.h"

namespace fuzz {

namespace {

enum Kind : uint64_t { kFrame = 1, kRow, kIntraRow, kFilter, kFilterErrors };

// A pointer for failed callbacks to return. The encoder must not use it.
template <typename T>
const T *Garbage() {
    return reinterpret_cast<const T *>(8);
}

uint16_t Distortion(Random *random) {
    static const int bounds[] = {1, 300, 4000, 65536};
    return uint16_t(random->Below(random->Pick(bounds)));
}

}  // namespace

HostileProvider::HostileProvider(const ProviderPlan &plan) : plan_(plan) {
    callbacks_ = Callbacks(this, plan);
}

bool HostileProvider::Fails(uint64_t kind, uint64_t n) const {
    return plan_.failing && Mix(plan_.seed, frame_id_, kind, n) % plan_.failing == 0;
}

vp8e_mp_mv_t HostileProvider::Vector(Random *random, int mb_row, int mb_col) const {
    int row, col;
    switch (random->Below(6)) {
        case 0:  // any value of the type
            return {int16_t(random->Bits()), int16_t(random->Bits())};
        case 1: {  // the limits of the type, and half of them, which overflow in 1/8 pixel
            static const int ends[] = {-32768, 32767, -16384, 16383, 16384, -16385, 0};
            return {int16_t(random->Pick(ends)), int16_t(random->Pick(ends))};
        }
        case 2:  // near the farthest legal position outside of the frame
            row = 4 * (random->Percent(50) ? -(16 * mb_row + 16) : 16 * (mb_rows_ - mb_row));
            col = 4 * (random->Percent(50) ? -(16 * mb_col + 16) : 16 * (mb_cols_ - mb_col));
            return {int16_t(row + random->Between(-4, 4)), int16_t(col + random->Between(-4, 4))};
        case 3:  // near the longest vector difference that can be coded
            row = random->Percent(50) ? -1020 : 1020;
            col = random->Percent(50) ? -1020 : 1020;
            return {int16_t(row + random->Between(-8, 8)), int16_t(col + random->Between(-8, 8))};
        default:
            return {int16_t(random->Between(-32, 32)), int16_t(random->Between(-32, 32))};
    }
}

void HostileProvider::FillRow(int ref, int mb_row) {
    Random random(Mix(plan_.seed, frame_id_, uint64_t(ref), uint64_t(mb_row)));
    // If neighbours have the same vector, the encoder often uses it: its rate is low.
    const bool alike = random.Percent(40);
    const vp8e_mp_mv_t all = Vector(&random, mb_row, 0);
    for (int x = 0; x < mb_cols_; x++) {
        vp8e_mp_mb_t &mb = field_[ref][size_t(mb_row) * mb_cols_ + x];
        vp8e_mp_split_t &split = splits_[ref][size_t(mb_row) * mb_cols_ + x];
        mb.mv = alike ? all : Vector(&random, mb_row, x);
        mb.dist = Distortion(&random);
        mb.reserved0 = Distortion(&random);
        mb.flags = uint16_t(random.Percent(70)   ? VP8E_MP_MB_SPLIT
                            : random.Percent(80) ? random.Below(16)
                                                 : random.Below(65536));
        for (uint16_t &reserved : mb.reserved) reserved = uint16_t(random.Bits());
        for (int i = 0; i < 24; i++) {
            split.mv[i] = random.Percent(60) ? mb.mv : Vector(&random, mb_row, x);
            split.dist[i] = Distortion(&random);
        }
    }
}

int HostileProvider::FrameBegin(const vp8e_mp_frame_t &frame) {
    frame_id_ = frame.frame_id;
    mb_rows_ = frame.mb_rows;
    mb_cols_ = frame.mb_cols;
    const size_t size = size_t(mb_rows_) * mb_cols_;
    for (int ref = 1; ref < 4; ref++) {
        field_[ref].assign(size, {});
        splits_[ref].assign(size, {});
        for (int y = 0; y < mb_rows_; y++) FillRow(ref, y);
    }
    Random random(Mix(plan_.seed, frame_id_));
    intra_.assign(size, {});
    for (vp8e_mp_intra_t &intra : intra_) {
        for (uint16_t &satd : intra.satd16) satd = Distortion(&random);
        intra.cost4 = Distortion(&random);
        for (uint8_t &mode : intra.mode4) mode = uint8_t(random.Bits());  // some are no mode
        intra.pending = random.Percent(30) ? uint16_t(random.Bits()) : 0;
    }
    return Fails(kFrame, 0) ? -1 : 0;
}

// Gives rows of all references, also of those that are not searched.
int HostileProvider::Row(int mb_row, const vp8e_mp_mb_t *rows[4],
                         const vp8e_mp_split_t *splits[4]) {
    const bool fails = Fails(kRow, uint64_t(mb_row));
    for (int ref = 1; ref < 4; ref++) {
        const size_t at = size_t(mb_row) * mb_cols_;
        const uint64_t lie = Mix(plan_.seed, frame_id_, uint64_t(mb_row), uint64_t(ref) + 8);
        rows[ref] = fails ? Garbage<vp8e_mp_mb_t>() : lie % 16 ? &field_[ref][at] : nullptr;
        splits[ref] = fails           ? Garbage<vp8e_mp_split_t>()
                      : lie / 16 % 16 ? &splits_[ref][at]
                                      : nullptr;
    }
    return fails ? -1 : 0;
}

int HostileProvider::IntraRow(int mb_row, const vp8e_mp_intra_t **row) {
    const bool fails = Fails(kIntraRow, uint64_t(mb_row));
    *row = fails ? Garbage<vp8e_mp_intra_t>() : &intra_[size_t(mb_row) * mb_cols_];
    return fails ? -1 : 0;
}

// The records stay pending, even if the answer is success.
int HostileProvider::CompleteSplit(int mb_row, int mb_col, int ref) {
    return Fails(kRow, uint64_t(mb_row + mb_col * ref)) ? -1 : 0;
}

int HostileProvider::CompleteIntra(int mb_row, int mb_col, int parts) {
    return Fails(kIntraRow, uint64_t(mb_row + mb_col * parts)) ? -1 : 0;
}

int HostileProvider::FilterBegin(const vp8e_mp_loop_filter_t &filter) {
    levels_ = filter.levels;
    return Fails(kFilter, uint64_t(filter.first_level)) ? -1 : 0;
}

int HostileProvider::FilterErrors(uint32_t *errors) {
    Random random(Mix(plan_.seed, frame_id_, kFilterErrors));
    for (int i = 0; i < levels_; i++) errors[i] = uint32_t(random.Bits());
    return Fails(kFilterErrors, 0) ? -1 : 0;
}

}  // namespace fuzz
