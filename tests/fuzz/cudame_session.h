/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Calls of cudame's CPU backend in any order that its header allows, and arguments that it
// must refuse. What is made is compared with a twin's: one thread, and references elsewhere
// in other memory.

#ifndef TESTS_FUZZ_CUDAME_SESSION_H
#define TESTS_FUZZ_CUDAME_SESSION_H

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "cudame/cudame.h"
#include "cudame/loop_filter.h"
#include "planes.h"
#include "random.h"

namespace fuzz {

// Ends the program: a call did what the header does not say.
[[noreturn]] inline void Fail(const char *call, const char *what, const char *detail = "") {
    fprintf(stderr, "FAILED: %s: %s%s\n", call, what, detail);
    abort();
}

// As a caller in C may.
template <class E>
void SetEnum(E *field, int value) {
    static_assert(sizeof(E) == sizeof(int), "");
    memcpy(field, &value, sizeof(value));
}

class CudameSession {
  public:
    explicit CudameSession(const Random &in) : in_(in) {}
    ~CudameSession();
    CudameSession(const CudameSession &) = delete;
    CudameSession &operator=(const CudameSession &) = delete;

    void Run();

  private:
    struct Reference {
        std::unique_ptr<Plane> plane, twin;
        int rows = 0;  // submitted
        bool Complete() const { return rows == plane->get().height; }
    };
    struct Filter {
        std::unique_ptr<Plane> plane;
        std::vector<uint8_t> macroblocks;
        uint8_t level[CUDAME_LOOP_FILTER_LEVELS][CUDAME_LOOP_FILTER_KINDS];
        cudame_loop_filter filter;
    };

    int Below(int n) { return in_.Below(n); }
    int Between(int low, int high) { return in_.Between(low, high); }
    bool Percent(int chance) { return in_.Percent(chance); }
    // A number that no field takes whose values are low to high.
    int Outside(int low, int high);
    int mb_cols() const { return (width_ + 15) / 16; }
    int mb_rows() const { return (height_ + 15) / 16; }
    bool open() const { return frame_.has_value(); }

    void ChooseSize();
    void ChooseConfig();
    void CreateBadly();
    void Create();
    std::unique_ptr<Plane> NewPlane(const Pattern &pattern, int width, int height);
    void Act();
    void Keep(std::unique_ptr<Plane> plane);

    void Submit();
    void SubmitRows(uint64_t id, int rows);
    void SubmitBadly();
    void Retire();
    void Begin();
    void BeginBadly();
    void SpoilFrame(cudame_frame *frame);
    void WaitRow(int row);
    void IntraRow(int row);
    void RowsByThreads();
    void WaitBadly();
    void CompleteSplit();
    void CompleteIntra();
    void CompleteBadly();
    void LoopFilter();
    void FilterBadly(cudame_loop_filter filter);
    void FilterErrors();
    void End();
    void Resize();
    void Forget();
    void Query();
    void WithoutContext();

    // The call returned success.
    void Good(int code, const char *call);
    // The call returned an error, and says why.
    void Refused(int code, const char *call);

    Random in_;
    cudame_context *context_ = nullptr, *twin_ = nullptr;
    cudame_config config_{};
    int width_ = 0, height_ = 0;
    std::map<uint64_t, Reference> references_;
    uint64_t last_id_ = 0;

    // Of the open frame.
    std::optional<cudame_frame> frame_;
    std::unique_ptr<Plane> source_, twin_source_;
    std::vector<bool> waited_, intra_waited_;
    std::unique_ptr<Filter> filter_;
    std::vector<std::unique_ptr<Plane>> retired_;     // freed when it ends
    std::vector<std::unique_ptr<Plane>> persistent_;  // freed when cudame forgets them
};

}  // namespace fuzz

#endif  // TESTS_FUZZ_CUDAME_SESSION_H
