// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// A context. It checks the calls of the C interface, knows references by id, and hands fields from
// frame to frame. It replaces a backend that failed by the CPU's, and the CPU's by CUDA's if CUDA
// is started later.

#ifndef CUDAME_SRC_CONTEXT_H_
#define CUDAME_SRC_CONTEXT_H_

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "backend.h"
#include "backend_starter.h"
#include "common/error.h"
#include "cpu/frame_coder.h"
#include "cudame/whole_frame.h"
#include "frame_store.h"
#include "rescue.h"

namespace cudame {

// Throw with the reason unless all members of the config are within their limits.
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
    void CodeFrame(cudame_whole_frame* frame);
    void FilterFrame(const cudame_frame_filter* filter);
    void StartLoopFilter(const cudame_loop_filter* filter);
    void LoopFilterErrors(uint32_t* errors);
    void EndFrame();
    void Reset();
    void ExpectMemory(const void* memory, size_t size);
    void ForgetMemory();
    void Resize(int width, int height);
    void GetStats(cudame_stats* stats) const;

    enum cudame_backend backend_in_use() const { return Current()->kind(); }
    int device_in_use() const { return Current()->device(); }
    bool fell_back() const;

    // Keep the text of an error for last_error(), and log it. Throws nothing.
    void Report(const char* text);
    const char* last_error() const { return last_error_; }

  private:
    using SlotFields = std::shared_ptr<Field>[CUDAME_REFS];

    void Log(bool is_error, const char* text) const;
    std::shared_ptr<Backend> Current() const;
    // Return the backend that searches the open frame. Throw if the frame was lost with its device.
    std::shared_ptr<Backend> Searching() const;
    // The caller holds swap_mutex_.
    void CheckNotLost() const;
    // Throw unless a frame is open and has this macroblock.
    void CheckMb(int mb_row, int mb_col) const;
    // Like Searching(), with the slot's field in the open frame.
    std::pair<Backend*, const Field*> InUse(int slot) const;
    // Make the job of the open frame. Sets fields_.
    FrameJob MakeJob();
    // Begin the open frame on the current backend.
    void StartSearch();
    // Replace the CPU's backend by CUDA's if that is ready, or if it has rested long enough.
    // Between frames.
    void SwitchToCuda();
    // Let the CPU's backend search this many frames while CUDA's rests. Between frames.
    void RestCuda(int frames);
    // Use another backend for the next frames. The store has the references on that backend.
    // Between frames.
    void Replace(std::shared_ptr<Backend> by, FrameStore store);
    // Let the CPU make rows of the open frame if the device is late with them.
    void OpenRescue(FrameJob job);
    // Code the open frame by the scalar reference.
    void CodeOnCpu(cudame_whole_frame* frame);
    // Return how long to wait for a row of the open frame before the CPU makes it.
    std::chrono::nanoseconds Patience() const;
    // Return whether the CPU made this row of the open frame, because the device was late.
    bool Rescued(int mb_row) const;
    // Allocate memory for whole frames.
    void Prepare();
    // Return a motion field that no slot refers to.
    std::shared_ptr<Field> FreeField();
    // Call attempt(backend, limit) until it returns true. Then call read(index of the row's first
    // record, whether the CPU made a late row). If the backend was replaced meanwhile, repeat both
    // with the new one.
    template <class Try, class Read>
    void WaitAndRead(int mb_row, Try attempt, Read read);
    // Drop the motion of earlier frames, which would predict the next frame's vectors.
    void Forget();

    // Run fn on the current backend. If the device fails, run fn once more on the CPU's backend.
    template <class Fn>
    void OrFallBack(Fn fn);
    // Run fn on a backend. If the device fails, replace the backend, but throw nevertheless: the
    // CPU's backend would take longer than the caller's own search.
    void OrStepDown(const std::shared_ptr<Backend>& backend, const std::function<void()>& fn);
    // Replace a failed backend by the CPU's and start the open frame again there. Return false if
    // that does not help: the caller's arguments are wrong, the backend cannot fail, or the config
    // asks for no fallback.
    bool FallBack(const std::shared_ptr<Backend>& failed, const Error& error);

    const cudame_config config_;
    Geometry g_;
    // Guards backend_, fields_, intra_, lost_ and fell_back_. Row threads read them while another
    // row thread falls back.
    mutable std::mutex swap_mutex_;
    std::unique_ptr<BackendStarter> starter_;  // until CUDA has started or failed
    std::shared_ptr<Backend> backend_;
    std::shared_ptr<Backend> resting_;  // CUDA's backend, which was late in too many frames
    int rest_frames_ = 0;               // frames until it searches again
    Lateness lateness_{kLateRows};
    Lateness whole_lateness_{kLateWholeFrames};
    int whole_rest_ = 0;  // whole frames that the device need not code, because it was late
    FrameStore store_;
    CostTables costs_;
    IntraRates intra_rates_{};
    cudame_frame frame_{};  // of the open frame
    cudame_plane device_source_ = {};
    std::vector<std::shared_ptr<Field>> pool_;
    SlotFields fields_;                  // of the open frame, or of the last one if none is open
    SlotFields previous_;                // of the frame before the open one
    std::shared_ptr<IntraField> intra_;  // of the open frame, or kept for the next one
    // Objects of a failed backend that row threads may still use. Kept until the frame ends.
    std::vector<std::shared_ptr<void>> kept_;
    uint64_t search_ns_ = 0, source_bytes_ = 0;  // of backends that were replaced
    uint64_t late_rows_ = 0;                     // of earlier rescue_ objects
    std::shared_ptr<Backend> filters_;  // the backend that tries levels of the loop filter now
    std::unique_ptr<ScalarFrameCoder> coder_;  // made with the first frame that is coded
    // That coded the open frame. NULL: none did, or the frame is filtered.
    std::shared_ptr<Backend> coded_by_;
    bool coded_key_ = false;          // that frame is a key frame
    std::unique_ptr<Rescue> rescue_;  // made with the first frame that CUDA searches
    bool open_ = false;
    bool fell_back_ = false;
    bool lost_ = false;    // the open frame could not start again on the CPU backend
    bool sized_ = true;    // the memory of the backend has the size g_
    bool forget_ = false;  // Reset() was called while a frame was open

    uint64_t ref_bytes_ = 0;
    std::atomic<uint64_t> wait_ns_{0};

    mutable std::mutex error_mutex_;
    char last_error_[kErrorText] = "";
};

}  // namespace cudame

#endif  // CUDAME_SRC_CONTEXT_H_
