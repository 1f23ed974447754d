/* Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The work of fake_cuda.c's devices: one queue, in the order of the calls, which may be held. */

#ifndef CUDAME_TESTS_FAKE_WORK_H_
#define CUDAME_TESTS_FAKE_WORK_H_

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct work {
    void (*run)(void* what);
    struct work* next;
    char what[];
};
static pthread_mutex_t work_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct work *first_work, **last_work = &first_work;
static unsigned long work_added, work_run;
static int hold = -1, queries;

/* Runs what is held, up to so many since the start. The mutex is held. */
static void run_work(unsigned long until) {
    while (work_run < until && first_work) {
        struct work* w = first_work;
        first_work = w->next;
        if (!first_work) last_work = &first_work;
        w->run(w->what);
        free(w);
        work_run++;
    }
}

static void run_until(unsigned long until) {
    pthread_mutex_lock(&work_mutex);
    run_work(until);
    pthread_mutex_unlock(&work_mutex);
}

/* queries: how many a held device answers with "not ready"; -1: it is never late. */
void fake_cuda_hold(int n) {
    pthread_mutex_lock(&work_mutex);
    hold = n;
    queries = 0;
    if (n < 0) run_work(work_added);
    pthread_mutex_unlock(&work_mutex);
}
/* Runs the next n of what is held; returns how many are left. */
int fake_cuda_run(int n) {
    int left;
    pthread_mutex_lock(&work_mutex);
    run_work(work_run + (unsigned long)n);
    left = (int)(work_added - work_run);
    pthread_mutex_unlock(&work_mutex);
    return left;
}

static void submit(void (*run)(void* what), const void* what, size_t size) {
    struct work* w = malloc(sizeof(*w) + size);
    if (!w) abort();
    w->run = run;
    w->next = NULL;
    memcpy(w->what, what, size);
    pthread_mutex_lock(&work_mutex);
    *last_work = w;
    last_work = &w->next;
    work_added++;
    if (hold < 0) run_work(work_added);
    pthread_mutex_unlock(&work_mutex);
}

#endif /* CUDAME_TESTS_FAKE_WORK_H_ */
