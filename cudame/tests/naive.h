// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// A second implementation of the whole analysis, slow and plain, written independently of the
// library; and images for both.

#ifndef CUDAME_TESTS_NAIVE_H_
#define CUDAME_TESTS_NAIVE_H_

#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "cudame/cudame.h"

namespace naive {

// A frame without borders. Pixels outside are those of the nearest edge.
struct Image {
    int width = 0, height = 0;
    std::vector<uint8_t> pixels;

    Image() = default;
    Image(int w, int h) : width(w), height(h), pixels(static_cast<size_t>(w) * h) {}
    uint8_t& at(int x, int y) { return pixels[static_cast<size_t>(y) * width + x]; }
    uint8_t at(int x, int y) const { return pixels[static_cast<size_t>(y) * width + x]; }
    int clamped(int x, int y) const;
};

enum class Content { kRandom, kMoving, kFlat, kExtreme, kStripes };
constexpr Content kContents[] = {Content::kRandom, Content::kMoving, Content::kFlat,
                                 Content::kExtreme, Content::kStripes};
const char* Name(Content content);

// Make frame `time` of a sequence.
Image MakeImage(Content content, int width, int height, int time, uint32_t seed);

// Make a table like a codec's: zero is cheap, and both signs differ a little. 2047 entries with the
// centre at 1023.
std::vector<int> MakeCosts(uint32_t seed);  // 2047 entries, centre at 1023

struct Params {
    cudame_mode mode;
    cudame_search search;  // not DEFAULT
    int range;
    cudame_filter filter;
    const int* mv_cost[2];  // point to the entry of 0
    int sad_per_bit;
    int scale = 1;       // 4: this is the search of a shrunk frame
    bool cross = false;  // try only the cross in the 64x64 window: 64x16 and 32x64 vectors
};

Image Shrink(const Image& image, int scale);

// All records of the library for a macroblock, with all 25 blocks in one place.
struct Record {
    cudame_mv mv[CUDAME_BLOCKS];
    uint16_t dist[CUDAME_BLOCKS], dist_zero, flags;
};

// ---- what the searches share ------------------------------------------------

struct Rect {
    int x, y, w, h;
};
extern const Rect kBlocks[CUDAME_BLOCKS];

// A box of vectors in quarter pixels, both ends included.
struct LegalBox {
    int low_x, high_x, low_y, high_y;

    bool Has(int qx, int qy) const {
        return qx >= low_x && qx <= high_x && qy >= low_y && qy <= high_y;
    }
};

// Return the legal vectors of macroblock (r, c).
LegalBox LegalVectors(int rows, int cols, int r, int c);

int ToWhole(int v);  // floor((v + 2) / 4)

int Rate(const Params& params, cudame_mv prediction, int qx, int qy);

// Return the median of five 16x16 vectors of a field: the co-located one and the four around it.
cudame_mv MedianOfFive(const std::vector<Record>& field, int rows, int cols, int r, int c);

// Return the prediction of sub-pel vectors: of the whole-pixel vectors above, left and above left,
// the one that is nearest to the co-located vector.
cudame_mv NearestOfThree(cudame_mv co_located, const std::vector<cudame_mv>& whole, int cols, int r,
                         int c);

int Satd4x4(const int difference[4][4]);

// ---- the searches -----------------------------------------------------------

std::vector<Record> Analyse(const Params& params, const Image& source, const Image& reference,
                            const std::vector<Record>* previous);

// One reference of a frame of the lean search.
struct LeanReference {
    const Image* image;
    const std::vector<Record>* previous;  // the last field, or NULL
};

// Return the fields of references that are searched together. params.mode, search and range have no
// effect.
std::vector<std::vector<Record>> AnalyseLean(const Params& params, int level, const Image& source,
                                             const std::vector<LeanReference>& references);

// Join a row of the library's records. splits may be NULL.
void Join(const cudame_mb* mbs, const cudame_split* splits, int cols, Record* out);

std::vector<cudame_intra> AnalyseIntra(const Image& source, const int* bmode_cost, int sad_per_bit);

std::vector<int> MakeBmodeCosts(uint32_t seed);  // CUDAME_BMODES entries

// Return VP8's prediction of one pixel at a position in quarter pixels.
int PredictPixel(const Image& image, cudame_filter filter, int qx, int qy);

}  // namespace naive

#endif  // CUDAME_TESTS_NAIVE_H_
