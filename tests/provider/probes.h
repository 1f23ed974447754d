/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * The tests' access to internal functions of the patched libvpx (probe_*.c), whose headers are C.
 * Most of these functions compare one of ours with the one of libvpx that it replaces.
 */
#ifndef TESTS_PROVIDER_PROBES_H
#define TESTS_PROVIDER_PROBES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
    const uint8_t *probs;
    int token, extra, no_eob;
} TestToken;

/* Writes the tokens, calls[i] of them at a time, and the end. The bytes written; or
 * -1: libvpx raised an error. ours: by vp8_mp_recon_pack_tokens(). */
long PackTokens(int ours, const TestToken *tokens, const int *calls, int num_calls,
                uint8_t *to, size_t size);

/* Tokens, counts and contexts of random macroblocks by vp8_mp_recon_tokenize_mb() and by libvpx, and
 * the rates by token_rate.h and of libvpx's tokens; NULL, or how they differ. small:
 * percentage of coefficients within +-4. */
const char *CompareTokenizers(unsigned seed, int empty_percent, int small_percent);

/* How the predictors differ from libvpx's scalar ones for any offset, or NULL. contrast:
 * 0 for random pixels, else black and white ones in stripes of about that width. */
const char *ComparePredictors(unsigned seed, int contrast);

/* The same for difference, transform and quantizer, at a step of the quantizer, its
 * rounding in 1/128 of it. */
const char *CompareResiduals(unsigned seed, int contrast, int step, int rounding);

/* The same for the transforms of one and two blocks of differences, a macroblock's and
 * its chroma's. */
const char *CompareTransforms(unsigned seed, int contrast);

/* The same for a macroblock's transform, and for predictions of one of its blocks. */
const char *CompareMacroblockTransforms(unsigned seed, int contrast);

/* How the trellis' classes of a block's coefficients differ from their definition, or NULL. step:
 * that of the quantizer. most: the largest coefficient. */
const char *CompareClasses(unsigned seed, int step, int most);

/* The same for the quantizers of a macroblock and of predictions of one of its blocks, at a
 * quantizer and a dead zone that is wider by so many 1/128 of a step. most: the size of
 * coefficients, but for single large ones. */
const char *CompareQuantizers(unsigned seed, int regular, int q, int wider, int most);

/* The same for the loop filter of a macroblock, with any of its edges. variation: the
 * difference between pixels, at most. */
const char *CompareFilters(unsigned seed, int variation);

/* The same for the filter of frames, whose weights are those of libvpx's filter of alt-ref
 * frames: a block and what other frames have there, pixels that differ by variation at most. */
const char *CompareSourceFilters(unsigned seed, int variation, int frames);

/* Says where in its frame the macroblock is. */
struct macroblock;
void PlaceMacroblock(struct macroblock *x, int mb_row, int mb_col);

/* What an encoder recalls of its macroblocks' intra costs (guided_recall.h). */
typedef struct TestRecall TestRecall;
TestRecall *NewRecall(int realtime);
void FreeRecall(TestRecall *recall);
void BeginRecall(TestRecall *recall, int mb_rows, int mb_cols, int is_key);
void Remember(TestRecall *recall, int mb_row, int mb_col, unsigned low, unsigned cost);
int Recalls(TestRecall *recall, int mb_row, int mb_col, int mv_row, int mv_col, unsigned low,
            int permille);

/* What evaluations are worth (guided_worth.h): kind, the candidate's cost, the one to compare it
 * to and the lowest one. */
typedef struct {
    int kind;
    unsigned cost, beside, low;
} TestCandidate;
enum { kWorthInter2, kWorthInter3, kWorthSplit = 3, kWorthKinds = 9 };

/* Of an encoder at good with that guide (VP8E_MP_GUIDE_*), cpu-used and quantizer index. A
 * macroblock's quantizer has steps of 100, and a bit there costs as much as 256 of distortion and
 * rate. */
typedef struct TestWorth TestWorth;
TestWorth *NewWorth(int guide, int speed, int q_index);
void FreeWorth(TestWorth *worth);
/* Before and after an encode by threads 0 and 1. */
void BeginWorth(TestWorth *worth);
void EndWorth(TestWorth *worth);
int IsWorth(TestWorth *worth, int mb_row, int mb_col, const TestCandidate *c);
void AddWorth(TestWorth *worth, int thread, const TestCandidate *c, int before, int after);
/* A macroblock that was decided has that rate, in 1/256 bit. */
void AddRate(TestWorth *worth, int thread, int rate);

#ifdef __cplusplus
}
#endif

#endif /* TESTS_PROVIDER_PROBES_H */
