// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// A context: checks the C interface's calls, knows references by id, hands fields on
// from frame to frame, replaces a backend that failed by the CPU's, and that by CUDA's where it
// is started later.

#ifndef CUDAME_SRC_CONTEXT_H_
#define CUDAME_SRC_CONTEXT_H_

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "backend.h"
#include "backend_starter.h"
#include "common/error.h"
#include "frame_store.h"
#include "rescue.h"

namespace cudame {

// Throws with the reason unless all of the config is within its limits.
void CheckConfig(const cudame_config& config);

class Context {
  public:
    explicit Context(const cudame_config& config);
    ~Context();

    void SubmitReference(uint64_t id, const cudame_plane* plane, int first_row, int rows);
    void RetireReference(uint64_t id);
    void BeginFrame(const cudame_frame* frame);
    void WaitRow(int mb_row, const cudame_mb* rows[CUDAME_REFS],
                 const cudame_split* splits[CUDAME_REFS]);
    void IntraRow(int mb_row, const cudame_intra** row);
    void CompleteSplit(int mb_row, int mb_col, int slot);
    void CompleteIntra(int mb_row, int mb_col, int parts);
    void StartLoopFilter(const cudame_loop_filter* filter);
    void LoopFilterErrors(uint32_t* errors);
    void EndFrame();
    void Reset();
    void ForgetMemory();
    void Resize(int width, int height);
    void GetStats(cudame_stats* stats) const;

    enum cudame_backend backend_in_use() const { return Current()->kind(); }
    int device_in_use() const { return Current()->device(); }
    bool fell_back() const;

    // Keeps the text of an error for last_error(), and logs it; throws nothing.
    void Report(const char* text);
    const char* last_error() const { return last_error_; }

  private:
    using SlotFields = std::shared_ptr<Field>[CUDAME_REFS];

    void Log(bool is_error, const char* text) const;
    std::shared_ptr<Backend> Current() const;
    // The backend that searches the open frame; throws if it was lost with its device.
    std::shared_ptr<Backend> Searching() const;
    // With swap_mutex_ held.
    void CheckNotLost() const;
    // Throws unless a frame is open that has this macroblock.
    void CheckMb(int mb_row, int mb_col) const;
    // As Searching(), and a slot's field, for the open frame.
    std::pair<Backend*, const Field*> InUse(int slot) const;
    // What to search in the open frame. Sets fields_.
    FrameJob MakeJob();
    // Begins the open frame on the current backend.
    void StartSearch();
    // Replaces the CPU's backend by CUDA's if that is ready, or has been left alone for long
    // enough. Between frames.
    void GoOver();
    // Leaves CUDA's backend alone for so many frames, which the CPU's searches. Between frames.
    void StepAside(int frames);
    // Between frames: what is to come is another backend's, which has the references.
    void Replace(std::shared_ptr<Backend> by, FrameStore store);
    // Has rows of the open frame, which the device searches, rescued if they are late.
    void OpenRescue(FrameJob job);
    // How long a row of the open frame is waited for.
    std::chrono::nanoseconds Patience() const;
    // Whether a row of the open frame was late, and made by the CPU.
    bool Rescued(int mb_row) const;
    // A field that no slot refers to.
    std::shared_ptr<Field> FreeField();
    // Calls attempt(backend, limit) until it returns true and then, unless another thread
    // replaced that backend meanwhile, read(index of the row's first record). Repeats both with
    // the backend that replaces one that failed. A row that is late is rescued, and read.
    template <class Try, class Read>
    void WaitAndRead(int mb_row, Try attempt, Read read);
    // Drops the fields that would predict.
    void Forget();

    // Runs fn on the current backend, and once more on the CPU's if the device failed.
    template <class Fn>
    void OrFallBack(Fn fn);
    // Runs fn on a backend. If the device failed, replaces it but throws all the same: on
    // the CPU's fn would be too slow.
    template <class Fn>
    void OrStepDown(std::shared_ptr<Backend> backend, Fn fn);
    // Replaces a failed backend by the CPU's, on which the open frame starts again. Returns
    // false where that does not help: the error is the caller's, the backend is the CPU's,
    // or the config wants no fallback.
    bool FallBack(const std::shared_ptr<Backend>& failed, const Error& error);

    const cudame_config config_;
    Geometry g_;
    // Guards backend_, fields_, intra_, lost_ and fell_back_, which row threads read while one of
    // them falls back.
    mutable std::mutex swap_mutex_;
    std::unique_ptr<BackendStarter> starter_;  // while CUDA may still come
    std::shared_ptr<Backend> backend_;
    std::shared_ptr<Backend> aside_;  // CUDA's, that was too late too often
    int rest_ = 0;                    // frames for which it is
    Lateness lateness_;
    FrameStore store_;
    CostTables costs_;
    IntraRates intra_rates_{};
    cudame_frame frame_{};  // the open one
    cudame_plane device_source_ = {};
    std::vector<std::shared_ptr<Field>> pool_;
    SlotFields fields_;                  // of the open frame, or else of the last one
    SlotFields previous_;                // of the frame before the open one
    std::shared_ptr<IntraField> intra_;  // of the open frame, or for the next one
    // What row threads may still use of a failed backend, until the frame ends.
    std::vector<std::shared_ptr<void>> kept_;
    uint64_t search_ns_ = 0, source_bytes_ = 0;  // of backends that were replaced
    uint64_t late_rows_ = 0;                     // of rescues that are gone
    std::shared_ptr<Backend> filters_;           // has started to try levels of the loop filter
    std::unique_ptr<Rescue> rescue_;             // while CUDA searches, or has begun to
    bool open_ = false;
    bool fell_back_ = false;
    bool lost_ = false;    // the open frame could not start again on the CPU backend
    bool sized_ = true;    // the backend's memory is of the size g_
    bool forget_ = false;  // reset while a frame was open

    uint64_t ref_bytes_ = 0;
    std::atomic<uint64_t> wait_ns_{0};

    mutable std::mutex error_mutex_;
    char last_error_[kErrorText] = "";
};

}  // namespace cudame

#endif  // CUDAME_SRC_CONTEXT_H_
