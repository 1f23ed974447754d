/* Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A libnvidia-ml.so.1 for the devices of fake_cuda.c. It tells how much of their memory is in use:
 * the percentage of fake_nvml_take() or of FAKE_NVML_TAKEN, "percent percent". Without either its
 * calls fail. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEVICES = 2 };
static int percent[DEVICES] = {-1, -1};
static int sessions;

/* -1: unknown. */
void fake_nvml_take(int device, int taken) { percent[device] = taken; }
/* Number of sessions that were not shut down. */
int fake_nvml_sessions(void) { return sessions; }

__attribute__((constructor)) static void read_environment(void) {
    const char* taken = getenv("FAKE_NVML_TAKEN");
    if (taken && sscanf(taken, "%d %d", &percent[0], &percent[1]) != DEVICES) abort();
}

int nvmlInit_v2(void) {
    sessions++;
    return 0;
}
int nvmlShutdown(void) {
    sessions--;
    return 0;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char* id, void** device) {
    int n;
    if (sscanf(id, "0000:%d:00.0", &n) != 1 || n >= DEVICES || percent[n] < 0)
        return 6; /* not found */
    *device = &percent[n];
    return 0;
}
struct memory {
    unsigned long long total, left, used;
};
int nvmlDeviceGetMemoryInfo(void* device, struct memory* memory) {
    const unsigned long long total = 80ull << 30, used = total / 100 * (unsigned)*(int*)device;
    *memory = (struct memory){total, total - used, used};
    return 0;
}
