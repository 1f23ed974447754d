/* Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The benchmark's compiled kernels; CUDAME_MODULE is their path. */

    .section .rodata
    .global cudame_bench_module
    .hidden cudame_bench_module
    .balign 16
cudame_bench_module:
    .incbin CUDAME_MODULE
    .section .note.GNU-stack, "", %progbits
