/*
 * Statistics of the VP8 motion provider
 *
 * This file is part of FFmpeg.
 *
 * FFmpeg is free software; you can redistribute it and/or
 * modify it under the terms of the GNU Lesser General Public
 * License as published by the Free Software Foundation; either
 * version 2.1 of the License, or (at your option) any later version.
 *
 * FFmpeg is distributed in the hope that it will be useful,
 * but WITHOUT ANY WARRANTY; without even the implied warranty of
 * MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE.  See the GNU
 * Lesser General Public License for more details.
 *
 * You should have received a copy of the GNU Lesser General Public
 * License along with FFmpeg; if not, write to the Free Software
 * Foundation, Inc., 51 Franklin Street, Fifth Floor, Boston, MA 02110-1301 USA
 */

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "vp8_cudame_provider.h"
#include "vp8_cudame_stats.h"
#include "libavutil/bprint.h"
#include "libavutil/error.h"
#include "libavutil/file_open.h"
#include "libavutil/log.h"
#include "libavutil/macros.h"

static const char *const searchers[VP8_CUDAME_SEARCHED_NB] = { "none", "cpu", "cuda" };

static enum VP8CudaMESearcher searcher(const cudame_context *cudame)
{
    if (!cudame)
        return VP8_CUDAME_SEARCHED_NONE;
    return cudame_backend_in_use(cudame) == CUDAME_BACKEND_CUDA ?
           VP8_CUDAME_SEARCHED_CUDA : VP8_CUDAME_SEARCHED_CPU;
}

const char *ff_vp8_cudame_backend_name(const VP8CudaMEProvider *mp)
{
    return searchers[searcher(mp->cudame)];
}

int ff_vp8_cudame_stats_open(VP8CudaMEStats *s, void *avctx, const char *path,
                             const char *mode)
{
    int ret;

    s->avctx = avctx;
    s->path  = path;
    s->mode  = mode;
    /* Count only if somebody reads the counts: libvpx reads the modes of all
       macroblocks for them, 0.2 % of instructions at the fastest settings. */
    s->is_counting = path || av_log_get_level() >= AV_LOG_VERBOSE;
    if (!path)
        return 0;
    s->file = avpriv_fopen_utf8(path, "w");
    if (!s->file) {
        ret = AVERROR(errno);
        av_log(avctx, AV_LOG_ERROR, "Could not open me_stats file '%s': %s\n", path,
               av_err2str(ret));
        return ret;
    }
    fprintf(s->file, "frame,backend,mode,key,refs,rows,begin_us,ref_us,wait_us,"
            "search_us,filter_us,end_us,ref_bytes,source_bytes,late_rows,hidden,"
            "macroblocks,guided,untried,evaluated,intra16x16,intra4x4,zero,nearest,near,"
            "new,split,ref_last,ref_golden,ref_altref,skipped,golden,quantizer,segment0,segment1,"
            "segment2,segment3,quantizer0,quantizer1,quantizer2,quantizer3\n");
    return 0;
}

void ff_vp8_cudame_stats_fallback(VP8CudaMEStats *s, const char *what, const char *why)
{
    const size_t used = strlen(s->fallbacks);

    snprintf(s->fallbacks + used, sizeof(s->fallbacks) - used, "%s%s (%s)",
             used ? ", " : "", what, why);
}

static void write_counts(FILE *file, const int *counts, int nb)
{
    for (int i = 0; i < nb; i++)
        fprintf(file, ",%d", counts[i]);
}

static void write_line(VP8CudaMEStats *s, const cudame_stats *now,
                       const cudame_context *cudame, uint64_t frame_id, int is_key)
{
    const vp8e_mp_counts_t *c = &s->counts;

    fprintf(s->file, "%"PRIu64",%s,%s,%d,%d,%d,%"PRId64",%"PRId64",%"PRIu64",%"PRIu64
            ",%"PRId64",%"PRId64",%"PRIu64",%"PRIu64",%"PRIu64,
            frame_id, searchers[searcher(cudame)], s->mode, !!is_key, s->nb_searched,
            atomic_load(&s->rows), s->begin_us, s->ref_us,
            (now->wait_ns   - s->last.wait_ns)   / 1000,
            (now->search_ns - s->last.search_ns) / 1000, s->filter_us, s->end_us,
            now->ref_bytes    - s->last.ref_bytes,
            now->source_bytes - s->last.source_bytes,
            now->late_rows    - s->last.late_rows);
    fprintf(s->file, ",%d,%d,%d,%d,%d", c->is_hidden, c->macroblocks, c->guided,
            c->untried, c->evaluated);
    write_counts(s->file, c->mode, VP8E_MP_MODES);
    fprintf(s->file, ",%d,%d,%d,%d,%d,%d", c->ref[1], c->ref[2], c->ref[3], c->skipped,
            c->is_golden, c->quantizer);
    write_counts(s->file, c->segment,           FF_ARRAY_ELEMS(c->segment));
    write_counts(s->file, c->segment_quantizer, FF_ARRAY_ELEMS(c->segment_quantizer));
    fputc('\n', s->file);
}

static void add(uint64_t *sums, const int *counts, int nb)
{
    for (int i = 0; i < nb; i++)
        sums[i] += counts[i];
}

static void add_frame(VP8CudaMEStats *s, const cudame_stats *now,
                      enum VP8CudaMESearcher searched_by, int is_key)
{
    const vp8e_mp_counts_t *c = &s->counts;
    const uint64_t wait_ns    = now->wait_ns - s->last.wait_ns;
    VP8CudaMETotals *t        = &s->totals;

    if (is_key)
        t->key++;
    else
        t->inter[searched_by]++;
    t->hidden      += c->is_hidden;
    t->golden      += c->is_golden;
    t->wait_ns     += wait_ns;
    t->max_wait_ns  = FFMAX(t->max_wait_ns, wait_ns);
    t->late_rows   += now->late_rows - s->last.late_rows;
    t->macroblocks += c->macroblocks;
    t->guided      += c->guided;
    t->untried     += c->untried;
    t->evaluated   += c->evaluated;
    t->skipped     += c->skipped;
    add(t->mode,    c->mode,    VP8E_MP_MODES);
    add(t->ref,     c->ref,     FF_ARRAY_ELEMS(c->ref));
    add(t->segment, c->segment, FF_ARRAY_ELEMS(c->segment));
}

void ff_vp8_cudame_stats_frame(VP8CudaMEStats *s, cudame_context *cudame, int is_served,
                               uint64_t frame_id, int is_key)
{
    cudame_stats now = { 0 };

    if (cudame)
        cudame_get_stats(cudame, &now);
    if (s->file)
        write_line(s, &now, cudame, frame_id, is_key);
    if (s->counts.macroblocks)
        add_frame(s, &now, is_served ? searcher(cudame) : VP8_CUDAME_SEARCHED_NONE,
                  is_key);
    s->last        = now;
    s->begin_us    = s->ref_us = s->filter_us = s->end_us = 0;
    s->nb_searched = 0;
    memset(&s->counts, 0, sizeof(s->counts));
    atomic_store(&s->rows, 0);
}

/** Print counts as percentages of a sum: "name 12.3, ...". */
static void print_shares(AVBPrint *text, const char *const *names,
                         const uint64_t *counts, int nb, uint64_t sum)
{
    for (int i = 0; i < nb; i++)
        av_bprintf(text, "%s%s %.1f", i ? ", " : "", names[i],
                   100.0 * counts[i] / sum);
}

static void log_summary(const VP8CudaMEStats *s)
{
    static const char *const modes[] = {
        "intra 16x16", "B_PRED", "ZERO", "NEAREST", "NEAR", "NEW", "SPLIT"
    };
    static const char *const refs[]     = { "last", "golden", "altref" };
    static const char *const segments[] = { "0", "1", "2", "3" };
    const VP8CudaMETotals *t = &s->totals;
    const double percent     = t->macroblocks ? 100.0 / t->macroblocks : 0;
    uint64_t inter = 0;
    AVBPrint text;

    _Static_assert(FF_ARRAY_ELEMS(modes) == VP8E_MP_MODES, "a mode has no name");
    if (!t->macroblocks)
        return;
    av_bprint_init(&text, 0, AV_BPRINT_SIZE_AUTOMATIC);
    for (int i = 0; i < VP8_CUDAME_SEARCHED_NB; i++) {
        if (t->inter[i])
            av_bprintf(&text, "%s%"PRIu64" by %s", inter ? ", " : " (", t->inter[i],
                       i == VP8_CUDAME_SEARCHED_NONE ? "libvpx" : searchers[i]);
        inter += t->inter[i];
    }
    av_log(s->avctx, AV_LOG_VERBOSE, "%"PRIu64" frames: %"PRIu64" key, %"PRIu64" inter%s%s; "
           "%"PRIu64" golden, %"PRIu64" hidden\n", t->key + inter, t->key, inter, text.str,
           inter ? ")" : "", t->golden, t->hidden);
    av_log(s->avctx, AV_LOG_VERBOSE, "Waited %.1f ms for motion rows, at most %.1f ms in one "
           "frame; %"PRIu64" late rows; fallbacks: %s\n", t->wait_ns / 1e6, t->max_wait_ns / 1e6,
           t->late_rows, s->fallbacks[0] ? s->fallbacks : "none");
    av_log(s->avctx, AV_LOG_VERBOSE, "%"PRIu64" macroblocks: %.1f %% guided, %.1f %% without "
           "evaluation; %.2f evaluations per guided macroblock; %.1f %% skipped\n",
           t->macroblocks, percent * t->guided, percent * t->untried,
           t->guided ? (double)t->evaluated / t->guided : 0, percent * t->skipped);

    av_bprint_clear(&text);
    print_shares(&text, modes, t->mode, VP8E_MP_MODES, t->macroblocks);
    av_bprintf(&text, "; references: ");
    print_shares(&text, refs, t->ref + 1, FF_ARRAY_ELEMS(refs), t->macroblocks);
    if (t->segment[0] + t->segment[1] + t->segment[2] + t->segment[3]) {
        av_bprintf(&text, "; segments: ");
        print_shares(&text, segments, t->segment, FF_ARRAY_ELEMS(segments), t->macroblocks);
    }
    av_log(s->avctx, AV_LOG_VERBOSE, "Modes in percent: %s\n", text.str);
}

void ff_vp8_cudame_stats_close(VP8CudaMEStats *s)
{
    int failed;

    log_summary(s);
    if (!s->file)
        return;
    /* Check for write errors, as ffmpeg does for its own statistics files. */
    failed = ferror(s->file);
    errno  = 0;
    if (fclose(s->file) || failed)
        av_log(s->avctx, AV_LOG_ERROR, "Could not write all of me_stats file '%s'%s%s\n",
               s->path, errno ? ": " : "", errno ? av_err2str(AVERROR(errno)) : "");
    s->file = NULL;
}
