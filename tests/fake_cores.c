/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * A machine of eight cores, whatever it has: libvpx starts no more threads than sysconf()
 * says there are. Linked into a program with -Wl,--wrap=sysconf, or, with PRELOADED
 * defined, a library for LD_PRELOAD.
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
