/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* Resources that the process uses. */

#ifndef SOAK_USAGE_H
#define SOAK_USAGE_H

typedef struct Usage {
    long resident; ///< anonymous resident memory in bytes, after the allocator released free memory
    long heap;     ///< allocated memory in bytes
    long device;   ///< device memory that all processes use, in bytes; 0 if no device is watched
    int files;     ///< number of open files
    int threads;   ///< number of threads
} Usage;

/** Sets up the allocator for exact numbers. Call it before threads are created. */
void usage_init(void);

/** Watches the memory of the first CUDA device. Returns 0, or -1 if there is none. */
int usage_watch_device(void);

/** Tells whether memory can be measured. A sanitizer replaces the allocator, so it cannot. */
int usage_knows_memory(void);

/** Measures the current usage. */
Usage usage_now(void);

#endif
