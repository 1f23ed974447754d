/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Random numbers that are the same on every machine (SplitMix64), unlike the
// distributions of <random>.

#ifndef TESTS_FUZZ_RANDOM_H
#define TESTS_FUZZ_RANDOM_H

#include <cstdint>
#include <initializer_list>

namespace fuzz {

class Random {
  public:
    explicit Random(uint64_t seed) : state_(seed) {}

    uint64_t Bits() {
        uint64_t z = state_ += 0x9E3779B97F4A7C15u;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }
    // 0 to n - 1.
    int Below(int n) { return int(Bits() % unsigned(n)); }
    // Both included.
    int Between(int low, int high) { return low + Below(high - low + 1); }
    bool Percent(int chance) { return Below(100) < chance; }
    template <typename T, int N>
    T Pick(const T (&from)[N]) {
        return from[Below(N)];
    }

  private:
    uint64_t state_;
};

// A number that depends on all four.
inline uint64_t Mix(uint64_t a, uint64_t b, uint64_t c = 0, uint64_t d = 0) {
    uint64_t h = Random(a).Bits();
    for (uint64_t v : {b, c, d}) h = Random(h ^ v).Bits();
    return h;
}

}  // namespace fuzz

#endif  // TESTS_FUZZ_RANDOM_H
