// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "transform.h"

namespace cudame {
namespace {

using Pass = Line (*)(const Line&);

void Rows(const int* in, Pass pass, int* out) {
    for (int y = 0; y < 4; y++) {
        const Line line = pass({{in[4 * y], in[4 * y + 1], in[4 * y + 2], in[4 * y + 3]}});
        for (int x = 0; x < 4; x++) out[4 * y + x] = line.v[x];
    }
}

void Columns(const int* in, Pass pass, int* out) {
    for (int x = 0; x < 4; x++) {
        const Line line = pass({{in[x], in[4 + x], in[8 + x], in[12 + x]}});
        for (int y = 0; y < 4; y++) out[4 * y + x] = line.v[y];
    }
}

}  // namespace

void ForwardDct(const int residual[16], int coefficients[16]) {
    int rows[16];
    Rows(residual, ForwardDctRow, rows);
    Columns(rows, ForwardDctColumn, coefficients);
}

void InverseDct(const int coefficients[16], int residual[16]) {
    int columns[16];
    Columns(coefficients, InverseDctLine, columns);
    Rows(columns, InverseDctLine, residual);
    for (int i = 0; i < 16; i++) residual[i] = InverseDctRound(residual[i]);
}

void ForwardWalsh(const int first[16], int coefficients[16]) {
    int rows[16];
    Rows(first, ForwardWalshRow, rows);
    Columns(rows, ForwardWalshColumn, coefficients);
}

void InverseWalsh(const int coefficients[16], int first[16]) {
    int columns[16];
    Columns(coefficients, InverseWalshLine, columns);
    Rows(columns, InverseWalshLine, first);
    for (int i = 0; i < 16; i++) first[i] = InverseWalshRound(first[i]);
}

}  // namespace cudame
