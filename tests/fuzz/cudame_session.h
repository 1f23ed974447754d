/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Calls cudame's CPU backend in any order that its header allows, and with arguments that it must
// refuse. Results are compared with those of a twin: a context with one thread, whose references
// are in other memory, with other strides.

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

// Ends the program, because a call did not do what the header says.
[[noreturn]] inline void Fail(const char *call, const char *what, const char *detail = "") {
    fprintf(stderr, "FAILED: %s: %s%s\n", call, what, detail);
    abort();
}

// Sets an enum to any value, as a caller in C may.
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
        int rows = 0;  // rows that were submitted
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
    // Returns a number outside of low to high.
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

    // Ends the program if the call did not succeed.
    void Good(int code, const char *call);
    // Ends the program if the call did not return an error with a message.
    void Refused(int code, const char *call);

    Random in_;
    cudame_context *context_ = nullptr, *twin_ = nullptr;
    cudame_config config_{};
    int width_ = 0, height_ = 0;
    std::map<uint64_t, Reference> references_;
    uint64_t last_id_ = 0;

    // The open frame.
    std::optional<cudame_frame> frame_;
    std::unique_ptr<Plane> source_, twin_source_;
    std::vector<bool> waited_, intra_waited_;
    std::unique_ptr<Filter> filter_;
    std::vector<std::unique_ptr<Plane>> retired_;     // freed at the end of the frame
    std::vector<std::unique_ptr<Plane>> persistent_;  // freed after cudame_forget_memory()
};

}  // namespace fuzz

#endif  // TESTS_FUZZ_CUDAME_SESSION_H
