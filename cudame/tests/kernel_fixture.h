// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The fixture of the kernel tests: selects the kernels of one instruction set, and makes planes.

#ifndef CUDAME_TESTS_KERNEL_FIXTURE_H_
#define CUDAME_TESTS_KERNEL_FIXTURE_H_

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cstdint>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "cpu/kernels.h"

namespace cudame {

constexpr ptrdiff_t kStrides[] = {80, 333, -128};
constexpr int kRows = 64;
constexpr int kReach = 64;  // bytes around the origin of a test plane

enum class Fill { kRandom, kBinary, kZero, kFull, kNear };
constexpr Fill kFills[] = {Fill::kRandom, Fill::kBinary, Fill::kZero, Fill::kFull, Fill::kNear};

class KernelFixture : public ::testing::TestWithParam<int64_t> {
  protected:
    void SetUp() override {
        hwy::SetSupportedTargetsForTest(GetParam());
        hwy::GetChosenTarget().Update(GetParam());
        best_ = BestKernels();
        ASSERT_STREQ(best_.name, hwy::TargetName(GetParam()));
    }
    void TearDown() override {
        hwy::SetSupportedTargetsForTest(0);
        hwy::GetChosenTarget().DeInit();
    }

    // Make a source macroblock and a reference plane. Return the middle of the plane.
    const uint8_t* MakePlanes(Fill source, Fill reference, ptrdiff_t stride) {
        plane_.resize(static_cast<size_t>(kRows * std::abs(stride) + 2 * kReach + 512));
        FillBytes(reference, plane_.data(), plane_.size());
        FillBytes(source, src_, sizeof(src_));
        uint8_t* origin = plane_.data() + kReach + std::abs(stride) * (kRows / 2);
        if (source == Fill::kNear)
            for (int y = 0; y < 16; y++)
                for (int x = 0; x < 16; x++)
                    src_[16 * y + x] =
                        static_cast<uint8_t>(origin[y * stride + x + 1] ^ (rng_() & 3));
        return origin;
    }

    void FillBytes(Fill fill, uint8_t* p, size_t n) {
        for (size_t i = 0; i < n; i++) switch (fill) {
                case Fill::kRandom:
                case Fill::kNear:
                    p[i] = static_cast<uint8_t>(rng_());
                    break;
                case Fill::kBinary:
                    p[i] = rng_() & 1 ? 255 : 0;
                    break;
                case Fill::kZero:
                    p[i] = 0;
                    break;
                case Fill::kFull:
                    p[i] = 255;
                    break;
            }
    }

    template <class Fn>
    void ForPlanes(Fn fn) {
        for (ptrdiff_t stride : kStrides)
            for (Fill s : kFills)
                for (Fill r : kFills) {
                    SCOPED_TRACE(::testing::Message()
                                 << "stride " << stride << " source " << static_cast<int>(s)
                                 << " reference " << static_cast<int>(r));
                    fn(MakePlanes(s, r, stride), stride);
                    if (HasFailure()) return;
                }
    }

    const Kernels& ref_ = ReferenceKernels();
    Kernels best_ = {};
    std::mt19937 rng_{7};
    std::vector<uint8_t> plane_;
    alignas(64) uint8_t src_[256];
};

inline std::vector<int64_t> Targets() {
    std::vector<int64_t> targets;
    for (int64_t rest = hwy::SupportedTargets() & HWY_TARGETS; rest; rest &= rest - 1)
        targets.push_back(rest & -rest);
    return targets;
}

inline std::string TargetName(const ::testing::TestParamInfo<int64_t>& info) {
    return hwy::TargetName(info.param);
}

}  // namespace cudame

#endif  // CUDAME_TESTS_KERNEL_FIXTURE_H_
