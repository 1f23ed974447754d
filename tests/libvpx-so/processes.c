/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* Many encoders, threads, and child processes that inherit an encoder. */

#include <dirent.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cases.h"
#include "stream.h"

/* ---- leaks ----------------------------------------------------------------- */

static int CountEntries(const char *folder) {
    DIR *const dir = opendir(folder);
    int n = 0;

    if (!dir) Fail("cannot read %s", folder);
    while (readdir(dir)) n++;
    closedir(dir);
    return n;
}

typedef struct {
    size_t memory;
    int threads, files;
} Usage;

static Usage GetUsage(void) {
    return (Usage){mallinfo2().uordblks, CountEntries("/proc/self/task"),
                   CountEntries("/proc/self/fd")};
}

static void CompareUsage(const Usage *before) {
    const Usage now = GetUsage();

    if (now.memory > before->memory + 16384)
        Fail("%zu bytes more than before", now.memory - before->memory);
    if (now.threads != before->threads)
        Fail("%d threads instead of %d", now.threads, before->threads);
    if (now.files != before->files) Fail("%d files instead of %d", now.files, before->files);
}

/* Open at the same time, with threads. */
static uint64_t OpenFifty(int frames) {
    enum { kNumber = 50 };
    Stream *const streams = malloc(kNumber * sizeof(*streams));
    vpx_codec_enc_cfg_t cfg = Config();
    uint64_t hash = 0;

    if (!streams) Fail("no memory");
    for (int i = 0; i < kNumber; i++) {
        cfg.g_w = 64 + 16 * (unsigned)(i % 5);
        cfg.g_h = 64;
        cfg.g_threads = 1 + (unsigned)(i % 4);
        cfg.g_lag_in_frames = i % 3 ? 0 : 5;
        Open(&streams[i], &cfg);
        if (i % 3 == 0) streams[i].deadline = VPX_DL_GOOD_QUALITY;
    }
    for (int n = 0; n < frames; n++)
        for (int i = 0; i < kNumber; i++) Encode(&streams[i], 1);
    for (int i = 0; i < kNumber; i++) {
        /* Some are closed with frames in their queue. */
        if (i % 2) Flush(&streams[i]);
        hash = hash * 31 + streams[i].hash;
        Close(&streams[i]);
    }
    free(streams);
    return hash;
}

static uint64_t OpenAgain(int frames) {
    uint64_t hash = OpenFifty(frames); /* a warm-up */
    const Usage before = GetUsage();

    if (OpenFifty(frames) != hash) Fail("other streams the second time");
    CompareUsage(&before);
    return hash;
}

uint64_t Many(void) { return OpenAgain(6); }

uint64_t Unused(void) { return OpenAgain(0); }

/* ---- threads --------------------------------------------------------------- */

typedef struct {
    int threads, lag;
    uint64_t hash;
} Job;

static void *RunJob(void *p) {
    Job *const job = p;
    vpx_codec_enc_cfg_t cfg = Config();
    Stream s;

    cfg.g_threads = (unsigned)job->threads;
    cfg.g_lag_in_frames = (unsigned)job->lag;
    Open(&s, &cfg);
    if (job->lag) s.deadline = VPX_DL_GOOD_QUALITY;
    if (job->lag) Control(&s, VP8E_SET_CPUUSED, 4);
    Encode(&s, 20);
    Flush(&s);
    job->hash = s.hash;
    Close(&s);
    return NULL;
}

/* Each thread has an encoder; the streams are those of one encoder after the other. */
uint64_t AtOnce(void) {
    Job jobs[] = {{1, 0, 0}, {2, 0, 0}, {1, 8, 0}, {2, 8, 0}};
    enum { kNumber = sizeof(jobs) / sizeof(jobs[0]) };
    pthread_t threads[kNumber];
    uint64_t hash = 0;

    for (int i = 0; i < kNumber; i++)
        if (pthread_create(&threads[i], NULL, RunJob, &jobs[i])) Fail("no thread");
    for (int i = 0; i < kNumber; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < kNumber; i++) {
        const uint64_t found = jobs[i].hash;

        RunJob(&jobs[i]);
        if (jobs[i].hash != found) Fail("job %d differs beside others", i);
        hash = hash * 31 + found;
    }
    return hash;
}

/* ---- fork() ---------------------------------------------------------------- */

/* A child that hangs is killed by its alarm. */
static pid_t ForkChild(int to_parent[2]) {
    pid_t child;

    if (pipe(to_parent)) Fail("no pipe");
    child = fork();
    if (child < 0) Fail("no child");
    if (!child) alarm(30);
    return child;
}

static void Tell(const int to_parent[2], uint64_t hash) {
    if (write(to_parent[1], &hash, sizeof(hash)) != sizeof(hash)) _exit(3);
    _exit(0);
}

/* Returns the child's hash. */
static uint64_t Hear(pid_t child, const int to_parent[2]) {
    uint64_t hash = 0;
    int status;

    if (waitpid(child, &status, 0) != child) Fail("no child to wait for");
    if (WIFSIGNALED(status))
        Fail("the child was killed by signal %d%s", WTERMSIG(status),
             WTERMSIG(status) == SIGALRM ? ": it hangs" : "");
    if (WEXITSTATUS(status)) Fail("the child exited with status %d", WEXITSTATUS(status));
    if (read(to_parent[0], &hash, sizeof(hash)) != sizeof(hash)) Fail("the child says nothing");
    close(to_parent[0]);
    close(to_parent[1]);
    return hash;
}

/* A child goes on with the parent's encoder, unless may_fail and it gets an error that stays. Its
 * stream may differ from the parent's, but must be complete, and decode to what was encoded. */
static uint64_t ForkInStream(int threads, int lag, int may_fail) {
    vpx_codec_enc_cfg_t cfg = Config();
    int to_parent[2];
    pid_t child;
    Stream s;

    cfg.g_threads = (unsigned)threads;
    cfg.g_lag_in_frames = (unsigned)lag;
    Open(&s, &cfg);
    if (lag) s.deadline = VPX_DL_GOOD_QUALITY;
    if (lag) Control(&s, VP8E_SET_CPUUSED, 4);
    Encode(&s, 20);
    child = ForkChild(to_parent);
    if (!child && may_fail && TryEncode(&s, 0, 0)) {
        const char *const detail = vpx_codec_error_detail(&s.encoder);

        if (!detail || !TryEncode(&s, 0, 0)) _exit(4); /* an error that stays, with a reason */
        Close(&s);
        Tell(to_parent, 0);
    }
    Encode(&s, 45 - s.frame);
    Flush(&s);
    if (s.shown != 45) Fail("%d frames of 45", s.shown);
    Close(&s);
    if (!child) Tell(to_parent, s.hash);
    Hear(child, to_parent);
    return s.hash;
}

uint64_t Fork(void) { return ForkInStream(1, 0, 0); }
uint64_t ForkThreads(void) { return ForkInStream(4, 0, 0); }
uint64_t ForkLookahead(void) { return ForkInStream(1, 8, 0); }
/* The first pass of the newest frame may be lost. */
uint64_t ForkLookaheadThreads(void) { return ForkInStream(4, 8, 1); }

/* Children that only close the encoder, or change it first. */
uint64_t ForkClose(void) {
    uint64_t hash = 0;

    for (int threads = 1; threads <= 4; threads += 3) {
        for (int what = 0; what < 3; what++) {
            vpx_codec_enc_cfg_t cfg = Config();
            int to_parent[2];
            pid_t child;
            Stream s;

            cfg.g_threads = (unsigned)threads;
            Open(&s, &cfg);
            Encode(&s, 5);
            child = ForkChild(to_parent);
            if (!child) {
                if (what == 1) {
                    s.cfg.g_w = kWidth / 2;
                    Configure(&s);
                    Encode(&s, 3);
                } else if (what == 2) {
                    s.cfg.g_threads = 2;
                    Configure(&s);
                    Control(&s, VP8E_SET_CPUUSED, -4);
                    Encode(&s, 3);
                }
                Close(&s);
                Tell(to_parent, s.hash);
            }
            Encode(&s, 5);
            hash = hash * 31 + s.hash;
            Close(&s);
            hash = hash * 31 + Hear(child, to_parent);
        }
    }
    return hash;
}
