/* Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * The work of the devices of fake_cuda.c: one queue, in the order of the calls. Tests can hold
 * it. */

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

/* Run held work until this many pieces have run since the start. The caller holds the mutex. */
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

/* Hold the work. The device answers n queries of streams with "not ready"; -1: it is never late. */
void fake_cuda_hold(int n) {
    pthread_mutex_lock(&work_mutex);
    hold = n;
    queries = 0;
    if (n < 0) run_work(work_added);
    pthread_mutex_unlock(&work_mutex);
}
/* Run the next n pieces of held work. Return how many are left. */
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
