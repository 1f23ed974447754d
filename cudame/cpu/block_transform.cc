// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cpu/block_transform.h"

#include "common/transform.h"

namespace cudame {
namespace {

using Pass = Line (*)(const Line&);

// Transform the four lines of a block. Lines begin `next` entries apart; the elements of a line are
// `step` entries apart.
void Lines(const int* in, Pass pass, int next, int step, int* out) {
    for (int i = 0; i < 4; i++) {
        const int* from = in + i * next;
        const Line line = pass({{from[0], from[step], from[2 * step], from[3 * step]}});
        for (int n = 0; n < 4; n++) out[i * next + n * step] = line.v[n];
    }
}

void Rows(const int* in, Pass pass, int* out) { Lines(in, pass, 4, 1, out); }
void Columns(const int* in, Pass pass, int* out) { Lines(in, pass, 1, 4, out); }

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
