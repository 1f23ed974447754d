/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

#ifndef TESTS_PROVIDER_RANDOM_H
#define TESTS_PROVIDER_RANDOM_H

/* Returns 24 random bits. The sequence depends only on the seed. */
static inline unsigned Random(unsigned *seed) {
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

#endif /* TESTS_PROVIDER_RANDOM_H */
