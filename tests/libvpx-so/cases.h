/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* The cases. Each returns a hash of its streams. */

#ifndef TESTS_LIBVPX_SO_CASES_H
#define TESTS_LIBVPX_SO_CASES_H

#include <stdint.h>

/* streams.c: one encoder after the other */
uint64_t Realtime(void);
uint64_t Good(void);
uint64_t Best(void);
uint64_t Lookahead(void);
uint64_t ForcedKey(void);
uint64_t Threads4(void);
uint64_t Yv12(void);
uint64_t Nv12(void);
uint64_t OddSize(void);
uint64_t Bitrate(void);
uint64_t Size(void);
uint64_t Speeds(void);
uint64_t Controls(void);
uint64_t Layers(void);
uint64_t Flags(void);
uint64_t Resolutions(void);
uint64_t Partitions(void);
uint64_t Profiles(void);
uint64_t Detached(void);
uint64_t DetachedLater(void);
uint64_t Refused(void);

/* processes.c: many encoders, threads and processes */
uint64_t Many(void);
uint64_t Unused(void);
uint64_t AtOnce(void);
uint64_t Fork(void);
uint64_t ForkThreads(void);
uint64_t ForkClose(void);
uint64_t ForkLookahead(void);
uint64_t ForkLookaheadThreads(void);

#endif /* TESTS_LIBVPX_SO_CASES_H */
