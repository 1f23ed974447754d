/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "state.h"

void provider_log(const vp8_provider *p, enum vp8_provider_log_level level, const char *format,
                  ...) {
    char text[1024];
    va_list args;

    if (!p->config.log) return;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    p->config.log(p->config.opaque, level, text);
}

int64_t provider_time_us(void) {
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}
