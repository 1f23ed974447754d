/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* What the process has of the machine. */

#ifndef SOAK_USAGE_H
#define SOAK_USAGE_H

typedef struct Usage {
    long resident; ///< bytes of memory that are its own, without what the allocator keeps
    long heap;     ///< bytes that are allocated
    long device;   ///< bytes of the device's memory in use, by anybody; 0: no device is watched
    int files;     ///< open ones
    int threads;
} Usage;

/** Has the allocator be exact. To be called before any thread is there. */
void usage_init(void);

/** Watches the memory of the first CUDA device. Returns 0, or -1 if there is none. */
int usage_watch_device(void);

/** Whether memory can be measured; not under a sanitizer, whose allocator is another one. */
int usage_knows_memory(void);

Usage usage_now(void);

#endif
