/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Pretends that the machine has eight cores, because libvpx starts no more threads than there are
 * cores by sysconf(). Link it into a program with -Wl,--wrap=sysconf, or define PRELOADED to make it
 * a library for LD_PRELOAD.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>

enum { CORES = 8 };

#ifdef PRELOADED
#define FAKE sysconf
static long real_sysconf(int name)
{
    long (*next)(int) = (long (*)(int))dlsym(RTLD_NEXT, "sysconf");

    return next(name);
}
#else
#define FAKE __wrap_sysconf
#define real_sysconf __real_sysconf
long __real_sysconf(int name);
#endif

long FAKE(int name);
long FAKE(int name)
{
    if (name == _SC_NPROCESSORS_ONLN || name == _SC_NPROCESSORS_CONF)
        return CORES;
    return real_sysconf(name);
}
