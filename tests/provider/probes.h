/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Functions inside the patched libvpx, for the tests in C++: libvpx's headers are C. Each compares
 * a function of ours with the one of libvpx that it replaces, or drives a part of the encoder.
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

/* Writes the tokens, calls[i] of them by the i-th call, and ends the partition. Uses
 * vp8_mp_recon_pack_tokens() if ours is not 0, otherwise libvpx's vp8_pack_tokens(). Returns the
 * number of bytes, or -1 if libvpx raised an error. */
long PackTokens(int ours, const TestToken *tokens, const int *calls, int num_calls,
                uint8_t *to, size_t size);

/* Compares the tokens, counts and contexts of random macroblocks by vp8_mp_recon_tokenize_mb() with
 * those by libvpx, and the rates by token_rate.h with the cost of libvpx's tokens. small_percent:
 * percentage of coefficients within +-4. Returns NULL, or how they differ. */
const char *CompareTokenizers(unsigned seed, int empty_percent, int small_percent);

/* Compares the modes and vectors of a random frame's macroblocks by vp8_mp_recon_write_modes() with
 * those by libvpx's writers of trees and vectors. Returns NULL, or how they differ. */
const char *CompareModeWriters(unsigned seed);

/* Compares the sub-pel predictors with libvpx's scalar ones at all offsets. contrast: 0 for random
 * pixels, otherwise black and white stripes of about that width in pixels. Returns NULL, or which
 * predictor differs; so do the following functions. */
const char *ComparePredictors(unsigned seed, int contrast);

/* Compares the functions that subtract, transform and quantize in one pass. step: of the
 * quantizer. rounding: in 1/128 of the step. */
const char *CompareResiduals(unsigned seed, int contrast, int step, int rounding);

/* Compares the transforms of one and of two blocks of residuals, at each place in a macroblock
 * and in a chroma plane of it. */
const char *CompareTransforms(unsigned seed, int contrast);

/* Compares the transforms of a macroblock, and of several predictions of one of its blocks. */
const char *CompareMacroblockTransforms(unsigned seed, int contrast);

/* Compares the trellis' classes of a block's coefficients with their definition. step: of the
 * quantizer. most: the largest coefficient. */
const char *CompareClasses(unsigned seed, int step, int most);

/* Compares the quantizers of a macroblock, and of several predictions of one of its blocks.
 * regular: libvpx's regular quantizer instead of the fast one. q: quantizer index. wider: added to
 * the dead zone, in 1/128 of a step. most: the largest size of coefficients; about 1 of 16 may be
 * larger. */
const char *CompareQuantizers(unsigned seed, int regular, int q, int wider, int most);

/* Compares the loop filter of a macroblock, for all sets of edges. variation: the largest
 * difference between two pixels. */
const char *CompareFilters(unsigned seed, int variation);

/* Compares a copy of a source of this size past the caches, and borders, with libvpx's. Returns NULL
 * or the difference. */
const char *CompareStreams(int width, int height, unsigned seed);

/* Compares the temporal prefilter of a block with libvpx's filter of altref frames, which has the
 * same weights. variation: the largest difference between the block's pixels and those of other
 * frames. frames: the number of other frames. */
const char *ComparePrefilters(unsigned seed, int variation, int frames);

/* Sets the macroblock's position in the frame. */
struct macroblock;
void PlaceMacroblock(struct macroblock *x, int mb_row, int mb_col);

/* The intra costs that an encoder remembers of its macroblocks (mp/mode/recall.h). */
typedef struct TestRecall TestRecall;
TestRecall *NewRecall(int realtime);
void FreeRecall(TestRecall *recall);
void BeginRecall(TestRecall *recall, int mb_rows, int mb_cols, int is_key);
void Remember(TestRecall *recall, int mb_row, int mb_col, unsigned low, unsigned cost);
int Recalls(TestRecall *recall, int mb_row, int mb_col, int mv_row, int mv_col, unsigned low,
            int permille);

/* A candidate for the learned gain of evaluations (mp/mode/learn.h): its kind and cost, the cost
 * that it competes with, and the lowest cost of the macroblock. */
typedef struct {
    int kind;
    unsigned cost, beside, low;
} TestCandidate;
enum { kLearnInter2, kLearnInter3, kLearnSplit = 3, kLearnKinds = 9 };

/* The learned gains of an encoder at the good deadline. guide: VP8E_MP_GUIDE_*. speed: cpu-used.
 * The quantizer step is 100, and rdmult is 256. */
typedef struct TestLearn TestLearn;
TestLearn *NewLearn(int guide, int speed, int q_index);
void FreeLearn(TestLearn *learn);
/* Call them before and after an encode by threads 0 and 1. */
void BeginLearn(TestLearn *learn);
void EndLearn(TestLearn *learn);
/* Returns whether evaluating the candidate pays at this macroblock. */
int Pays(TestLearn *learn, int mb_row, int mb_col, const TestCandidate *c);
/* Counts an evaluation that changed the lowest RD cost from before to after. */
void AddGain(TestLearn *learn, int thread, const TestCandidate *c, int before, int after);
/* Counts a macroblock after its mode decision. rate: its bits, in units of 1/256. */
void AddRate(TestLearn *learn, int thread, int rate);

#ifdef __cplusplus
}
#endif

#endif /* TESTS_PROVIDER_PROBES_H */
