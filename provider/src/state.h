/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* State of a provider, and functions that its files share. */

#ifndef VP8PROVIDER_STATE_H
#define VP8PROVIDER_STATE_H

#include <cudame/cudame.h>
#include <cudame/first_pass.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <vp8provider/vp8provider.h>
#include <vpx/vp8_motion_provider.h>

#include "stats.h"

/* Maximum number of references that cudame knows; libvpx has four buffers. */
#define MAX_REFS 8

/* Last level of the lean search, which searches only one reference. */
#define LEANEST 4

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

/* First pass on a CUDA device: the first of two passes, or that of a lookahead. */
typedef struct first_pass_state {
    cudame_first_pass *cudame; /* NULL if it has not started or has failed */
    cudame_first_pass_config config;
    int wait;     /* macroblocks that libvpx processes before CUDA is started */
    int used;     /* CUDA has been started */
    int follows;  /* start when the motion search moves to a device, on the same device */
    int given_up; /* libvpx processes all further frames */
} first_pass_state;

struct vp8_provider {
    vp8_provider_config config; /* as given, but for search */
    vp8e_motion_provider_t callbacks;
    long pid; /* process that made the contexts of cudame */

    cudame_context *cudame; /* NULL if it was not created or has failed */
    cudame_config search;
    char reason[256];  /* last error that cudame logged */
    atomic_int device; /* CUDA ordinal of the last frame's search, or -1 if it was on the CPU */
    int fallen_back;   /* fallback from CUDA to the CPU, already logged */
    int given_up;      /* libvpx does the motion search from now on */

    /* Any thread may set these. step_down() handles them between frames. */
    atomic_int error;        /* first CUDAME_ERROR_* that is not handled, or 0 */
    const char *error_where; /* what failed */

    first_pass_state first_pass;

    int no_filter;           /* device memory is too small for the loop filter */
    int no_frames;           /* device memory is too small to code whole frames */
    int in_frame;            /* cudame_begin_frame() succeeded, and the frame is open */
    uint64_t refs[MAX_REFS]; /* ids that cudame knows */
    int nb_refs;
    uint64_t nb_frames;     /* number of the last frame */
    uint64_t frames_before; /* frames that libvpx coded before it was opened again */

    stats_state stats;
};

/* log.c */

void provider_log(const vp8_provider *p, enum vp8_provider_log_level level, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
int64_t provider_time_us(void);

/* search.c: the context of the motion search. */

/* Creates p->cudame as p->search says. err gets the reason of a failure. Returns 0 or a
 * CUDAME_ERROR. */
int provider_create(vp8_provider *p, char *err, size_t err_size);
/* Destroys p->cudame, if there is one. */
void provider_drop(vp8_provider *p);
/* If this process is a child of the one that made the contexts, leaves them alone and goes on on
 * the CPU. */
void provider_check_process(vp8_provider *p);

/* callbacks.c */

/* Sets p->callbacks, except for those of the first pass. */
void provider_set_callbacks(vp8_provider *p);

/* first_pass.c */

void provider_first_pass_close(vp8_provider *p);
/* Leaves all further frames to libvpx, without a call of CUDA. */
void provider_first_pass_abandon(vp8_provider *p);

#endif /* VP8PROVIDER_STATE_H */
