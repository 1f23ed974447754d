/* Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The compiled kernels, for all architectures; CUDAME_MODULE is their path. */

    .section .rodata
    .global cudame_module
    .hidden cudame_module
    .balign 16
cudame_module:
    .incbin CUDAME_MODULE
    .section .note.GNU-stack, "", %progbits
