/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* A provider and the context of its motion search: which backend, and when it is made. */

#include <stdlib.h>
#include <string.h>
#if !defined(_WIN32)
#include <unistd.h>
#endif

#include <vpx/vpx_encoder.h>

#include "state.h"

static const char *const mode_names[] = {
    "off",
    [CUDAME_MODE_FAST] = "fast",
    [CUDAME_MODE_SPLITMV] = "splitmv",
    [CUDAME_MODE_TEX] = "tex",
    [CUDAME_MODE_FULL] = "full",
};

const char *vp8_provider_mode_name(int mode) {
    return mode >= 0 && mode < COUNT_OF(mode_names) ? mode_names[mode] : "unknown";
}

int vp8_provider_padded(int pixels) {
    const int whole = (pixels + 15) & ~15;

    return whole < CUDAME_MAX_DIMENSION ? whole : CUDAME_MAX_DIMENSION;
}

/* At realtime with a cpu_used of 0 or more, libvpx adapts its speed to the clock and never goes
 * below speed 4. */
int vp8_provider_level(unsigned long deadline, int cpu_used) {
    if (deadline == VPX_DL_REALTIME) {
        if (cpu_used <= -12) return LEANEST;
        return cpu_used <= -6 || cpu_used >= 0 ? 3 : cpu_used < -3 ? 2 : 1;
    }
    if (deadline == VPX_DL_BEST_QUALITY || cpu_used < 2) return 0;
    return cpu_used < 5 ? 1 : 2;
}

static long process(void) {
#if defined(_WIN32)
    return 0;
#else
    return getpid();
#endif
}

static void log_cudame(void *opaque, int is_error, const char *text) {
    vp8_provider *p = opaque;

    /* The caller that handles the error logs the reason as a warning or an error. */
    if (is_error) snprintf(p->reason, sizeof(p->reason), "%s", text);
    provider_log(p, is_error ? VP8_PROVIDER_LOG_VERBOSE : VP8_PROVIDER_LOG_DEBUG, "%s", text);
}

/* From level 3 on the deadline is realtime, see vp8_provider_level(). Realtime -4 and -5 have a
 * level of good quality, and do without memory that is allocated early. */
static void set_whole_frames(vp8_provider *p) {
    p->search.whole_frames = p->config.offload != VP8_PROVIDER_OFFLOAD_SEARCH &&
                             p->search.search == CUDAME_SEARCH_LEAN && p->search.level >= 3;
}

vp8_provider *vp8_provider_alloc(const vp8_provider_config *config) {
    vp8_provider *p;

    if (config->size != sizeof(*config) || !(p = calloc(1, sizeof(*p)))) return NULL;
    p->config = *config;
    p->search = config->search;
    p->search.size = sizeof(p->search);
    p->search.log = log_cudame;
    p->search.log_opaque = p;
    set_whole_frames(p);
    p->search.fallback = config->backend == VP8_PROVIDER_AUTO;
    p->pid = process();
    atomic_init(&p->error, 0);
    atomic_init(&p->device, -1);
    atomic_init(&p->stats.rows, 0);
    provider_set_callbacks(p);
    return p;
}

void vp8_provider_free(vp8_provider *p) {
    if (!p) return;
    provider_check_process(p);
    provider_drop(p);
    provider_first_pass_close(p);
    stats_log_summary(&p->stats, p);
    free(p);
}

void provider_drop(vp8_provider *p) {
    cudame_destroy(p->cudame);
    p->cudame = NULL;
    p->device = -1;
    p->in_frame = 0;
    p->nb_refs = 0;
    memset(&p->stats.last, 0, sizeof(p->stats.last));
}

void provider_check_process(vp8_provider *p) {
    const long now = process();

    if (p->pid == now) return;
    p->pid = now;
    /* Their threads are not in this process: to destroy them would wait for ever. */
    p->cudame = NULL;
    provider_drop(p);
    provider_first_pass_abandon(p);
    p->search.backend = CUDAME_BACKEND_CPU;
    p->search.device = -1;
    p->search.cu_context = NULL;
    p->search.cuda_after_ms = 0;
    p->config.device_source = NULL;
}

int provider_create(vp8_provider *p, char *err, size_t err_size) {
    int code;

    err[0] = 0;
    if (!cudame_has_backend(p->search.backend)) {
        snprintf(err, err_size, "libcudame was built without this backend");
        return CUDAME_ERROR_UNAVAILABLE;
    }
#if !defined(_WIN32)
    /* Most of the time that a CUDA context takes to start, it makes queues for launches: eight
     * by default, and one process after the other. The lean search uses two. The driver has no
     * other way to ask for fewer, and reads this once. It is the program's to set first. */
    if (p->config.may_set_environment && p->search.backend == CUDAME_BACKEND_CUDA &&
        p->search.search == CUDAME_SEARCH_LEAN)
        setenv("CUDA_DEVICE_MAX_CONNECTIONS", "2", 0);
#endif
    code = cudame_create(&p->cudame, &p->search, err, err_size);
    if (code < 0) {
        p->cudame = NULL;
        if (!err[0]) snprintf(err, err_size, "%s", cudame_error_name(code));
    }
    return code;
}

static int try_backend(vp8_provider *p, enum cudame_backend backend, int device,
                       vp8_provider_failure *failure) {
    char err[sizeof(failure->reason)];
    int code;

    p->search.backend = backend;
    p->search.device = device;
    code = provider_create(p, err, sizeof(err));
    if (code < 0) {
        failure->code = code;
        failure->backend = backend;
        memcpy(failure->reason, err, sizeof(err));
    }
    return code;
}

int vp8_provider_open(vp8_provider *p, vp8_provider_failure *failure) {
    int code = -1;

    memset(failure, 0, sizeof(*failure));
    if (p->config.backend != VP8_PROVIDER_CPU) {
        code = try_backend(p, CUDAME_BACKEND_CUDA, p->config.device, failure);
        /* CUDAME_ERROR_INVALID: the device contradicts the caller's context. Do not hide that by a
         * fallback to the CPU. */
        if (code < 0 && (p->config.backend == VP8_PROVIDER_CUDA || code == CUDAME_ERROR_INVALID))
            return code;
        if (code < 0) stats_fallback(&p->stats, "cuda to cpu", failure->reason);
    }
    if (code < 0) {
        code = try_backend(p, CUDAME_BACKEND_CPU, -1, failure);
        if (code < 0) return code;
    }
    p->device = cudame_device_in_use(p->cudame);
    return 0;
}

void vp8_provider_set_level(vp8_provider *p, int level) {
    if (p->search.level == level) return;
    provider_check_process(p);
    p->search.level = level;
    set_whole_frames(p);
    provider_drop(p);
}

vp8e_motion_provider_t *vp8_provider_callbacks(vp8_provider *p) { return &p->callbacks; }

const cudame_config *vp8_provider_search(const vp8_provider *p) { return &p->search; }

int vp8_provider_is_open(const vp8_provider *p) { return !!p->cudame; }

const char *vp8_provider_backend_name(const vp8_provider *p) {
    return stats_backend_name(p->cudame);
}

void vp8_provider_reopened(vp8_provider *p) { p->frames_before = p->nb_frames; }
