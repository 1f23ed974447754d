/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "stats.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "state.h"

static const char *const searchers[SEARCHERS] = {"none", "cpu", "cuda"};

static enum searcher searcher(const cudame_context *cudame) {
    if (!cudame) return SEARCHED_BY_LIBVPX;
    return cudame_backend_in_use(cudame) == CUDAME_BACKEND_CUDA ? SEARCHED_BY_CUDA
                                                                : SEARCHED_BY_CPU;
}

const char *stats_backend_name(const cudame_context *cudame) { return searchers[searcher(cudame)]; }

void stats_begin(stats_state *s, FILE *file, const char *mode) {
    s->file = file;
    s->mode = mode;
    if (!file) return;
    fprintf(file,
            "frame,backend,mode,key,refs,rows,begin_us,ref_us,wait_us,search_us,filter_us,end_us,"
            "ref_bytes,source_bytes,late_rows,whole,hidden,macroblocks,guided,untried,evaluated,"
            "intra16x16,intra4x4,zero,nearest,near,new,split,ref_last,ref_golden,ref_altref,"
            "skipped,golden,quantizer,segment0,segment1,segment2,segment3,quantizer0,quantizer1,"
            "quantizer2,quantizer3\n");
}

void stats_fallback(stats_state *s, const char *what, const char *why) {
    const size_t used = strlen(s->fallbacks);

    snprintf(s->fallbacks + used, sizeof(s->fallbacks) - used, "%s%s (%s)", used ? ", " : "", what,
             why);
}

static void write_counts(FILE *file, const int *counts, int nb) {
    for (int i = 0; i < nb; i++) fprintf(file, ",%d", counts[i]);
}

static void write_line(stats_state *s, const cudame_stats *now, const cudame_context *cudame,
                       uint64_t frame_id, int is_key) {
    const vp8e_mp_counts_t *c = &s->counts;

    fprintf(s->file,
            "%" PRIu64 ",%s,%s,%d,%d,%d,%" PRId64 ",%" PRId64 ",%" PRIu64 ",%" PRIu64 ",%" PRId64
            ",%" PRId64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%d",
            frame_id, searchers[searcher(cudame)], s->mode, !!is_key, s->nb_searched,
            atomic_load(&s->rows), s->begin_us, s->ref_us, (now->wait_ns - s->last.wait_ns) / 1000,
            (now->search_ns - s->last.search_ns) / 1000, s->filter_us, s->end_us,
            now->ref_bytes - s->last.ref_bytes, now->source_bytes - s->last.source_bytes,
            now->late_rows - s->last.late_rows, s->is_whole);
    fprintf(s->file, ",%d,%d,%d,%d,%d", c->is_hidden, c->macroblocks, c->guided, c->untried,
            c->evaluated);
    write_counts(s->file, c->mode, VP8E_MP_MODES);
    fprintf(s->file, ",%d,%d,%d,%d,%d,%d", c->ref[1], c->ref[2], c->ref[3], c->skipped,
            c->is_golden, c->quantizer);
    write_counts(s->file, c->segment, COUNT_OF(c->segment));
    write_counts(s->file, c->segment_quantizer, COUNT_OF(c->segment_quantizer));
    fputc('\n', s->file);
}

static void add(uint64_t *sums, const int *counts, int nb) {
    for (int i = 0; i < nb; i++) sums[i] += counts[i];
}

static void add_frame(stats_state *s, const cudame_stats *now, enum searcher searched_by,
                      int is_key) {
    const vp8e_mp_counts_t *c = &s->counts;
    const uint64_t wait_ns = now->wait_ns - s->last.wait_ns;
    stats_totals *t = &s->totals;

    if (is_key)
        t->key++;
    else
        t->inter[searched_by]++;
    t->hidden += c->is_hidden;
    t->golden += c->is_golden;
    t->wait_ns += wait_ns;
    t->max_wait_ns = wait_ns > t->max_wait_ns ? wait_ns : t->max_wait_ns;
    t->late_rows += now->late_rows - s->last.late_rows;
    t->macroblocks += c->macroblocks;
    t->guided += c->guided;
    t->untried += c->untried;
    t->evaluated += c->evaluated;
    t->skipped += c->skipped;
    add(t->mode, c->mode, VP8E_MP_MODES);
    add(t->ref, c->ref, COUNT_OF(c->ref));
    add(t->segment, c->segment, COUNT_OF(c->segment));
}

void stats_frame(stats_state *s, const cudame_context *cudame, int is_served, uint64_t frame_id,
                 int is_key) {
    cudame_stats now = {0};

    if (cudame) cudame_get_stats(cudame, &now);
    if (s->file) write_line(s, &now, cudame, frame_id, is_key);
    if (s->counts.macroblocks)
        add_frame(s, &now, is_served ? searcher(cudame) : SEARCHED_BY_LIBVPX, is_key);
    s->last = now;
    s->begin_us = s->ref_us = s->filter_us = s->end_us = 0;
    s->nb_searched = 0;
    s->is_whole = 0;
    memset(&s->counts, 0, sizeof(s->counts));
    atomic_store(&s->rows, 0);
}

/* A line of text that parts are added to. */
typedef struct line {
    char text[512];
    size_t used;
} line;

static void __attribute__((format(printf, 2, 3))) add_text(line *to, const char *format, ...) {
    va_list args;
    int n;

    va_start(args, format);
    n = vsnprintf(to->text + to->used, sizeof(to->text) - to->used, format, args);
    va_end(args);
    if (n > 0) to->used += (size_t)n;
    if (to->used >= sizeof(to->text)) to->used = sizeof(to->text) - 1;
}

/* Adds counts as percentages of a sum: "name 12.3, ...". */
static void add_shares(line *to, const char *const *names, const uint64_t *counts, int nb,
                       uint64_t sum) {
    for (int i = 0; i < nb; i++)
        add_text(to, "%s%s %.1f", i ? ", " : "", names[i], 100.0 * counts[i] / sum);
}

void stats_log_summary(const stats_state *s, const vp8_provider *p) {
    static const char *const modes[] = {"intra 16x16", "B_PRED", "ZERO", "NEAREST",
                                        "NEAR",        "NEW",    "SPLIT"};
    static const char *const refs[] = {"last", "golden", "altref"};
    static const char *const segments[] = {"0", "1", "2", "3"};
    const stats_totals *t = &s->totals;
    const double percent = t->macroblocks ? 100.0 / t->macroblocks : 0;
    uint64_t inter = 0;
    line text = {{0}, 0};

    _Static_assert(COUNT_OF(modes) == VP8E_MP_MODES, "a mode has no name");
    if (!t->macroblocks) return;
    for (int i = 0; i < SEARCHERS; i++) {
        if (t->inter[i])
            add_text(&text, "%s%" PRIu64 " by %s", inter ? ", " : " (", t->inter[i],
                     i == SEARCHED_BY_LIBVPX ? "libvpx" : searchers[i]);
        inter += t->inter[i];
    }
    provider_log(p, VP8_PROVIDER_LOG_VERBOSE,
                 "%" PRIu64 " frames: %" PRIu64 " key, %" PRIu64
                 " inter%s%s; "
                 "%" PRIu64 " golden, %" PRIu64 " hidden",
                 t->key + inter, t->key, inter, text.text, inter ? ")" : "", t->golden, t->hidden);
    provider_log(p, VP8_PROVIDER_LOG_VERBOSE,
                 "Waited %.1f ms for motion rows, at most %.1f ms in one "
                 "frame; %" PRIu64 " late rows; fallbacks: %s",
                 t->wait_ns / 1e6, t->max_wait_ns / 1e6, t->late_rows,
                 s->fallbacks[0] ? s->fallbacks : "none");
    provider_log(p, VP8_PROVIDER_LOG_VERBOSE,
                 "%" PRIu64
                 " macroblocks: %.1f %% guided, %.1f %% without "
                 "evaluation; %.2f evaluations per guided macroblock; %.1f %% skipped",
                 t->macroblocks, percent * t->guided, percent * t->untried,
                 t->guided ? (double)t->evaluated / t->guided : 0, percent * t->skipped);

    memset(&text, 0, sizeof(text));
    add_shares(&text, modes, t->mode, VP8E_MP_MODES, t->macroblocks);
    add_text(&text, "; references: ");
    add_shares(&text, refs, t->ref + 1, COUNT_OF(refs), t->macroblocks);
    if (t->segment[0] + t->segment[1] + t->segment[2] + t->segment[3]) {
        add_text(&text, "; segments: ");
        add_shares(&text, segments, t->segment, COUNT_OF(segments), t->macroblocks);
    }
    provider_log(p, VP8_PROVIDER_LOG_VERBOSE, "Modes in percent: %s", text.text);
}
