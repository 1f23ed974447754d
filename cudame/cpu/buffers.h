// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// References and fields of the CPU backends, in host memory.

#ifndef CUDAME_CPU_BUFFERS_H_
#define CUDAME_CPU_BUFFERS_H_

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <vector>

#include "backend.h"
#include "common/coarse.h"
#include "common/plane.h"
#include "cpu/padded_plane.h"

namespace cudame {

// Longest stride of a plane that is searched in place, in bytes. With longer rows, offsets of
// vectors would not fit 32 bits.
constexpr ptrdiff_t kMostStride = 65535;

class CpuReference : public ReferenceBuffer {
  public:
    CpuReference(const cudame_plane& plane, const Geometry& g) : g_(g), coarse_(CoarseGeometry(g)) {
        if (UsableInPlace(plane, g) && std::abs(plane.stride) <= kMostStride)
            view_ = {plane.data, plane.stride};
        else
            copy_ = std::make_unique<PaddedPlane>(g);
    }

    uint64_t AddRows(const cudame_plane& plane, int first_row, int rows) override {
        if (first_row + rows >= UsedRows(plane, g_)) Shrink(plane, g_, &coarse_);
        if (!copy_) return 0;
        copy_->CopyRows(plane, first_row, rows);
        return static_cast<uint64_t>(rows) *
               static_cast<uint64_t>(std::min(plane.width, g_.mb_width()));
    }

    PlaneView view() const { return copy_ ? copy_->view() : view_; }
    PlaneView coarse() const { return coarse_.view(); }

  private:
    Geometry g_;
    PlaneView view_;
    std::unique_ptr<PaddedPlane> copy_;
    PaddedPlane coarse_;
};

template <class Base>
class CpuRecords : public Base {
  public:
    explicit CpuRecords(size_t mbs) : store_(mbs) {
        this->records = store_.data();
        this->count = mbs;
    }

  private:
    std::vector<typename Base::Record> store_;
};
using CpuIntraField = CpuRecords<IntraField>;

class CpuField : public CpuRecords<Field> {
  public:
    CpuField(size_t mbs, bool split) : CpuRecords(mbs), splits_(split ? mbs : 0) {
        if (split) splits = splits_.data();
    }

  private:
    std::vector<cudame_split> splits_;
};

}  // namespace cudame

#endif  // CUDAME_CPU_BUFFERS_H_
