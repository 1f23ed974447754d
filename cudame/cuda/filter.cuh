// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// VP8's sub-pel filters (RFC 6386 section 18.3) and SATD, on 4x4 pixels.

#ifndef CUDAME_CUDA_FILTER_CUH_
#define CUDAME_CUDA_FILTER_CUH_

#include "cuda/device.cuh"

namespace cudame {

constexpr int kPatch = 10;  // rows of reference pixels that quarter-pel neighbours of a unit read
constexpr int kPartitions = 5;

// Filter taps 0 to 3 and 4 to 5, as signed bytes.
struct Taps {
    uint32_t low, high;
};

__device__ constexpr uint32_t Pack(int a, int b, int c, int d) {
    return static_cast<uint32_t>((a & 255) | (b & 255) << 8 | (c & 255) << 16) |
           static_cast<uint32_t>(d & 255) << 24;
}

// The taps for quarter-pel position f = 1, 2 or 3.
__device__ inline Taps TapsOf(int filter, int f) {
    if (filter == CUDAME_FILTER_BILINEAR) return {Pack(0, 0, 128 - 32 * f, 32 * f), 0};
    if (f == 1) return {Pack(2, -11, 108, 36), Pack(-8, 1, 0, 0)};
    if (f == 2) return {Pack(3, -16, 77, 77), Pack(-16, 3, 0, 0)};
    return {Pack(1, -8, 36, 108), Pack(-11, 2, 0, 0)};
}

// The filter's sum from byte j of b0 b1 b2 on, with the rounding term, before the shift.
__device__ inline int FilterAt(uint32_t b0, uint32_t b1, uint32_t b2, int j, const Taps& t) {
    const uint32_t low = j < 4 ? __funnelshift_r(b0, b1, 8 * (j & 3)) : b1;
    const uint32_t high = j < 4 ? __funnelshift_r(b1, b2, 8 * (j & 3)) : b2;
    return Dot4(low, t.low, Dot4(high, t.high, 64));
}

// Four filtered pixels, packed, from nine bytes: b0, b1, and the low byte of b2.
__device__ inline uint32_t Filter4(uint32_t b0, uint32_t b1, uint32_t b2, const Taps& t) {
    return Pack7(FilterAt(b0, b1, b2, 0, t), FilterAt(b0, b1, b2, 1, t), FilterAt(b0, b1, b2, 2, t),
                 FilterAt(b0, b1, b2, 3, t));
}

// Transposes four rows of four bytes.
__device__ inline void Transpose4(uint32_t& a, uint32_t& b, uint32_t& c, uint32_t& d) {
    const uint32_t ab0 = __byte_perm(a, b, 0x5140), ab1 = __byte_perm(a, b, 0x7362);
    const uint32_t cd0 = __byte_perm(c, d, 0x5140), cd1 = __byte_perm(c, d, 0x7362);
    a = __byte_perm(ab0, cd0, 0x5410);
    b = __byte_perm(ab0, cd0, 0x7632);
    c = __byte_perm(ab1, cd1, 0x5410);
    d = __byte_perm(ab1, cd1, 0x7632);
}

// Four columns or rows of four pixels. A word holds the even or the odd pixels of one.
struct PairedPixels {
    uint32_t even[4], odd[4];
    __device__ void Set(int j, uint32_t pixels) {
        even[j] = pixels & 0x00ff00ffu;
        odd[j] = pixels >> 8 & 0x00ff00ffu;
    }
};

// SATD: half the sum of the absolute 4x4 Hadamard coefficients. Both arguments hold columns, or
// both hold rows. A word holds a pair of values. The last butterfly is not needed, because |a + b|
// + |a - b| is twice the larger magnitude.
__device__ inline uint32_t Satd4x4(const PairedPixels& s, const uint32_t (&q)[4]) {
    uint32_t even[4], odd[4];
#pragma unroll
    for (int j = 0; j < 4; j++) {
        const uint32_t a = Butterfly2(Sub2(s.even[j], q[j] & 0x00ff00ffu));
        const uint32_t b = Butterfly2(Sub2(s.odd[j], q[j] >> 8 & 0x00ff00ffu));
        even[j] = Add2(a, b);
        odd[j] = Sub2(a, b);
    }
    const auto rest = [](const uint32_t(&v)[4]) {
        return MaxAbs2(Add2(v[0], v[1]), Add2(v[2], v[3])) +
               MaxAbs2(Sub2(v[0], v[1]), Sub2(v[2], v[3]));
    };
    const uint32_t sum = rest(even) + rest(odd);
    return (sum & 0xffff) + (sum >> 16);
}
__device__ inline uint32_t Satd4x4(const uint32_t (&s)[4], const uint32_t (&q)[4]) {
    PairedPixels source;
#pragma unroll
    for (int j = 0; j < 4; j++) source.Set(j, s[j]);
    return Satd4x4(source, q);
}

// Transposes ten rows of four pixels. After it, t[0..3] has rows 0 to 3 of the four columns,
// t[4..7] rows 4 to 7, and t[8..11] rows 8 and 9.
__device__ inline void Columns(uint32_t (&t)[12]) {
    t[10] = t[11] = 0;
#pragma unroll
    for (int i = 0; i < 12; i += 4) Transpose4(t[i], t[i + 1], t[i + 2], t[i + 3]);
}

}  // namespace cudame

#endif  // CUDAME_CUDA_FILTER_CUH_
