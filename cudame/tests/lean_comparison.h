// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Frames of the lean search, in a context and in the naive implementation.

#ifndef CUDAME_TESTS_LEAN_COMPARISON_H_
#define CUDAME_TESTS_LEAN_COMPARISON_H_

#include <gtest/gtest.h>

#include <map>
#include <memory>
#include <vector>

#include "session.h"

namespace lean {

constexpr int kLeanLevels = 5;

using Fields = std::map<int, std::vector<naive::Record>>;  // records of a frame, by slot

inline cudame_config LeanConfig(int level, int width, int height, int threads = 1) {
    cudame_config config =
        MakeConfig(width, height, CUDAME_MODE_FULL, CUDAME_SEARCH_LEAN, 0, threads);
    config.level = level;
    return config;
}

struct Settings {
    int level = 0;
    cudame_filter filter = CUDAME_FILTER_SIXTAP;
    int sad_per_bit = 12;
    bool with_costs = true;
    int band_rows = 0;  // see cudame_config
};

// Ids of references by slot. As a reference, image n has id n + 1. Frame n of a sequence is image
// n + 1.
struct Slots {
    uint64_t id[CUDAME_REFS];
};
inline const std::vector<Slots> kOneReference = {{{0, 1, 0, 0}}, {{0, 2, 0, 0}}, {{0, 3, 0, 0}}};
// The second frame has one id in two slots and one that is searched for the first time. In the
// third all ids differ, and one slot shared its last field. The last frame has no reference in the
// first slot.
inline const std::vector<Slots> kThreeReferences = {
    {{0, 1, 0, 0}}, {{0, 2, 2, 1}}, {{0, 3, 1, 2}}, {{0, 0, 4, 4}}};

// A context and the naive implementation on the same frames.
class Comparison {
  public:
    Comparison(const Settings& settings, const std::vector<naive::Image>& images, int threads = 1)
        : settings_(settings),
          images_(images),
          params_{CUDAME_MODE_FULL, CUDAME_SEARCH_LEAN, 0,
                  settings.filter,  {nullptr, nullptr}, settings.sad_per_bit},
          session_(Config(settings, images[0], threads)) {
        if (!settings.with_costs) return;
        params_.mv_cost[0] = row_costs_.data() + 1023;
        params_.mv_cost[1] = col_costs_.data() + 1023;
    }

    // Begin frame n, with another kind of plane each time. The frame stays open until End().
    void Begin(size_t n, const Slots& slots, const int* bmode_cost = nullptr) {
        frame_ = n;
        slots_ = slots;
        const int way = static_cast<int>(n % 3);
        source_ =
            std::make_unique<PlaneBuffer>(images_[n + 1], way == 1 ? 3 : 0, way == 2, way == 0);
        cudame_frame frame = {};
        for (int slot = CUDAME_REF_LAST; slot < CUDAME_REFS; slot++) {
            const uint64_t id = frame.ref_id[slot] = slots.id[slot];
            if (!id || references_.count(id)) continue;
            const int ref_way = static_cast<int>(id % 3);
            const auto plane = references_[id] = std::make_shared<PlaneBuffer>(
                images_[id - 1], ref_way == 2 ? 32 : 0, ref_way != 1, ref_way == 0);
            ASSERT_EQ(session_.Submit(id, *plane), 0);
        }
        frame.source = source_->plane();
        frame.filter = settings_.filter;
        frame.sad_per_bit = settings_.sad_per_bit;
        frame.mv_cost[0] = params_.mv_cost[0];
        frame.mv_cost[1] = params_.mv_cost[1];
        frame.bmode_cost = bmode_cost;
        ASSERT_EQ(cudame_begin_frame(session_.ctx, &frame), 0) << cudame_last_error(session_.ctx);
    }
    void End() { ASSERT_EQ(cudame_end_frame(session_.ctx), 0); }

    // Return the fields of the open frame. Completes pending records.
    Fields Found() {
        Fields fields;
        for (int slot = CUDAME_REF_LAST; slot < CUDAME_REFS; slot++)
            if (slots_.id[slot]) fields[slot] = session_.Field(slot);
        return fields;
    }

    // Return the naive fields. The result of the last call predicts them.
    Fields Expected() {
        std::vector<int> first;
        std::vector<naive::LeanReference> references;
        for (int slot = CUDAME_REF_LAST; slot < CUDAME_REFS; slot++) {
            if (!slots_.id[slot] || FirstOf(slot) != slot) continue;
            first.push_back(slot);
            references.push_back({&images_[slots_.id[slot] - 1],
                                  expected_.count(slot) ? &expected_[slot] : nullptr});
        }
        const auto found =
            naive::AnalyseLean(params_, settings_.level, images_[frame_ + 1], references);
        Fields fields;
        for (size_t i = 0; i < first.size(); i++)
            for (int slot = first[i]; slot < CUDAME_REFS; slot++)
                if (slots_.id[slot] && FirstOf(slot) == first[i]) fields[slot] = found[i];
        return expected_ = fields;
    }

    Session& session() { return session_; }

  private:
    static cudame_config Config(const Settings& settings, const naive::Image& image, int threads) {
        cudame_config config = LeanConfig(settings.level, image.width, image.height, threads);
        config.band_rows = settings.band_rows;
        return config;
    }
    int FirstOf(int slot) const {
        int first = CUDAME_REF_LAST;
        while (slots_.id[first] != slots_.id[slot]) first++;
        return first;
    }

    const Settings settings_;
    const std::vector<naive::Image> images_;
    const std::vector<int> row_costs_ = naive::MakeCosts(1), col_costs_ = naive::MakeCosts(2);
    naive::Params params_;
    size_t frame_ = 0;
    Slots slots_ = {};
    Fields expected_;
    std::unique_ptr<PlaneBuffer> source_;
    std::map<uint64_t, std::shared_ptr<PlaneBuffer>> references_;
    Session session_;
};

// Make frames of one content.
inline std::vector<naive::Image> MakeImages(naive::Content content, int width, int height,
                                            size_t count) {
    std::vector<naive::Image> images;
    for (size_t time = 0; time < count; time++)
        images.push_back(naive::MakeImage(content, width, height, static_cast<int>(time), 5));
    return images;
}

}  // namespace lean

#endif  // CUDAME_TESTS_LEAN_COMPARISON_H_
