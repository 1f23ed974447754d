// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The common part of the CPU backends. Each adds its own row tasks.

#ifndef CUDAME_CPU_CPU_BASE_H_
#define CUDAME_CPU_CPU_BASE_H_

#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <string>

#include "backend.h"
#include "common/coarse.h"
#include "cpu/buffers.h"
#include "cpu/kernels.h"
#include "cpu/loop_filter_errors.h"
#include "cpu/padded_plane.h"

namespace cudame {

// A derived backend has its scheduler as the last member, because the scheduler's threads use all
// other members.
class CpuBackendBase : public Backend {
  public:
    std::string Describe() const override {
        return "CPU backend, " + std::string(kernels_.name) + " kernels, " +
               std::to_string(config_.threads) + (config_.threads > 1 ? " threads" : " thread");
    }
    enum cudame_backend kind() const override { return CUDAME_BACKEND_CPU; }

    void Resize(const Geometry& g) override {
        g_ = g;
        coarse_g_ = CoarseGeometry(g);
        coarse_source_ = std::make_unique<PaddedPlane>(coarse_g_);
    }

    std::shared_ptr<IntraField> CreateIntraField(size_t mbs) override {
        return std::make_shared<CpuIntraField>(mbs);
    }

    void WaitIntraRow(int mb_row) override { WaitRow(mb_row); }

    void StartLoopFilter(const cudame_loop_filter& filter) override { loop_filter_ = filter; }
    void LoopFilterErrors(uint32_t* errors) override {
        cudame_plane source = job_.source;
        if (loop_filter_.source) {
            source.data = loop_filter_.source;
            source.stride = loop_filter_.source_stride;
            source.width = g_.mb_width();
            source.height = g_.mb_height();
        }
        cudame::LoopFilterErrors(loop_filter_, g_, source, errors);
    }

    uint64_t search_ns() const override { return search_ns_; }
    uint64_t source_bytes() const override { return 0; }  // sources are read in place

  protected:
    explicit CpuBackendBase(const BackendConfig& config)
        : config_(config), kernels_(BestKernels()) {}

    // Forget the frame. No task runs any more.
    void Forget() {
        job_ = {};
        loop_filter_ = {};
    }

    template <class Fn>
    void Timed(Fn fn) {
        const auto start = std::chrono::steady_clock::now();
        fn();
        search_ns_ += static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                                std::chrono::steady_clock::now() - start)
                                                .count());
    }

    size_t Index(int row, int col) const {
        return static_cast<size_t>(row) * static_cast<size_t>(g_.mb_cols) +
               static_cast<size_t>(col);
    }

    // Return the vector of a macroblock in a field, and the vectors above, left, right and below. A
    // vector outside the frame is the macroblock's own.
    std::array<cudame_mv, 5> MotionAround(const Field& field, int row, int col) const {
        const auto at = [&](int y, int x) {
            const bool inside = y >= 0 && x >= 0 && y < g_.mb_rows && x < g_.mb_cols;
            return field.records[inside ? Index(y, x) : Index(row, col)].mv;
        };
        return {at(row, col), at(row - 1, col), at(row, col - 1), at(row, col + 1),
                at(row + 1, col)};
    }

    const BackendConfig config_;
    const Kernels kernels_;
    Geometry g_, coarse_g_;
    std::unique_ptr<PaddedPlane> coarse_source_;
    cudame_loop_filter loop_filter_ = {};
    FrameJob job_;
    std::atomic<uint64_t> search_ns_{0};
};

}  // namespace cudame

#endif  // CUDAME_CPU_CPU_BASE_H_
