// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Measures how many instructions of a kind a multiprocessor starts in a clock. The multiprocessor
// itself counts clocks.

#ifndef CUDAME_BENCH_CUDA_RATES_CUH_
#define CUDAME_BENCH_CUDA_RATES_CUH_

#include "bench/cuda/bench_params.h"

namespace bench {

#define BENCH_RATE_OP(Name, text)                                           \
    struct Name {                                                           \
        static __device__ uint32_t Do(uint32_t a, uint32_t b, uint32_t c) { \
            uint32_t out;                                                   \
            asm volatile(text : "=r"(out) : "r"(a), "r"(b), "r"(c));        \
            return out;                                                     \
        }                                                                   \
    }
BENCH_RATE_OP(OpSad4, "vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;");
BENCH_RATE_OP(OpDot4, "dp4a.u32.u32 %0, %1, %2, %3;");
// In pairs, because the assembler merges two equal instructions.
BENCH_RATE_OP(OpMin, "{.reg .b32 t; min.u32 t, %1, %3; max.u32 %0, t, %2;}");
BENCH_RATE_OP(OpMin3, "{.reg .b32 t; min.u32 t, %1, %3; min.u32 %0, t, %2;}");
BENCH_RATE_OP(OpAdd, "{.reg .b32 t; add.u32 t, %1, %3; xor.b32 %0, t, %2;}");
BENCH_RATE_OP(OpShift, "shf.r.wrap.b32 %0, %1, %3, %2;");
// Shows whether shifts share a unit with the packed SAD.
BENCH_RATE_OP(OpSad4Shift,
              "{.reg .b32 t; shf.r.wrap.b32 t, %1, %3, %2;"
              "vabsdiff4.u32.u32.u32.add %0, t, %2, %3;}");
BENCH_RATE_OP(OpSad4Min,
              "{.reg .b32 t; min.u32 t, %1, %3; vabsdiff4.u32.u32.u32.add %0, t, %2, %3;}");
BENCH_RATE_OP(OpSad4Add,
              "{.reg .b32 t; add.u32 t, %1, %3; vabsdiff4.u32.u32.u32.add %0, t, %2, %3;}");
BENCH_RATE_OP(OpSad4Mad,
              "{.reg .b32 t; mad.lo.u32 t, %1, %2, %3;"
              "vabsdiff4.u32.u32.u32.add %0, t, %2, %3;}");
#undef BENCH_RATE_OP

// The intrinsic. It has no accumulator; the accumulator is the first operand.
struct OpVsadu4 {
    static __device__ uint32_t Do(uint32_t, uint32_t b, uint32_t c) { return __vsadu4(c, b); }
};

__device__ inline unsigned long long GlobalNs() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    return t;
}

// Every thread has kStreams chains that do not depend on each other.
template <class Op, int kStreams>
__device__ inline void MeasureRate(const RateParams& p) {
    uint32_t acc[kStreams];
    const uint32_t a = p.a ^ threadIdx.x, b = p.b;
#pragma unroll
    for (int s = 0; s < kStreams; s++) acc[s] = a + static_cast<uint32_t>(s);
    __syncthreads();
    const unsigned long long ns = GlobalNs();
    const long long clocks = clock64();
#pragma unroll 1
    for (int i = 0; i < p.iterations; i++)
#pragma unroll
        for (int u = 0; u < kRateUnroll; u += kStreams)
#pragma unroll
            for (int s = 0; s < kStreams; s++) acc[s] = Op::Do(a, b, acc[s]);
    __syncthreads();
    const long long clocks_end = clock64();
    const unsigned long long ns_end = GlobalNs();
    uint32_t sum = 0;
#pragma unroll
    for (int s = 0; s < kStreams; s++) sum += acc[s];
    RateSample* out = p.samples + blockIdx.x;
    if (threadIdx.x == 0) {
        asm("mov.u32 %0, %smid;" : "=r"(out->multiprocessor));
        out->clocks = clocks_end - clocks;
        out->ns = ns_end - ns;
    }
    if (sum == p.b) out->ignored = sum;  // keeps the compiler from removing the work
}

}  // namespace bench

#endif  // CUDAME_BENCH_CUDA_RATES_CUH_
