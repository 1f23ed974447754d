// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "common/first_pass.h"

namespace cudame {

void FirstPassSum::Add(const FirstPassRow& row) {
    constexpr int kUnit = 8;  // units of the counted vectors in a pixel
    cudame_first_pass_counts& c = counts_;
    c.intra_error += row.intra_error;
    c.coded_error += row.coded_error;
    c.inter += row.inter;
    c.second_ref += row.second_ref;
    c.neutral += row.neutral;
    c.moving += row.moving;
    c.inwards += row.inwards;
    c.mv_row += kUnit * row.mv_row;
    c.mv_col += kUnit * row.mv_col;
    c.mv_row_abs += kUnit * row.mv_row_abs;
    c.mv_col_abs += kUnit * row.mv_col_abs;
    c.mv_row_squares = static_cast<int>(static_cast<unsigned>(c.mv_row_squares) +
                                        kUnit * kUnit * static_cast<unsigned>(row.mv_row_squares));
    c.mv_col_squares = static_cast<int>(static_cast<unsigned>(c.mv_col_squares) +
                                        kUnit * kUnit * static_cast<unsigned>(row.mv_col_squares));
    if (!row.moving) return;
    c.new_mv += row.new_mv - (row.first_row == last_row_ && row.first_col == last_col_);
    last_row_ = row.last_row;
    last_col_ = row.last_col;
}

}  // namespace cudame
