/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Random numbers that are the same on every machine (SplitMix64), unlike the
// distributions of <random>; or decisions that a string of bytes makes.

#ifndef TESTS_FUZZ_RANDOM_H
#define TESTS_FUZZ_RANDOM_H

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace fuzz {

class Random {
  public:
    explicit Random(uint64_t seed) : state_(seed) {}
    // Reads a byte where that is enough, so that a fuzzer that changes one changes one decision.
    // When there are no more, it goes on from a seed that is always the same: one that depends on
    // the bytes would make each change of them one of everything that follows, and zeros would
    // have all that is rare happen always (Percent()).
    Random(const uint8_t *bytes, size_t size) : bytes_(bytes), left_(size) {}

    uint64_t Bits() { return bytes_ ? Read(2) : Next(); }
    // 0 to n - 1.
    int Below(int n) {
        if (!bytes_) return int(Next() % unsigned(n));
        return int(Read(n <= 1 ? 0 : n <= 1 << 8 ? 1 : n <= 1 << 16 ? 2 : 4) % unsigned(n));
    }
    // Both included.
    int Between(int low, int high) { return low + Below(high - low + 1); }
    bool Percent(int chance) { return Below(100) < chance; }
    template <typename T, int N>
    T Pick(const T (&from)[N]) {
        return from[Below(N)];
    }
    // Whether there are bytes that were not read.
    bool more() const { return left_ > 0; }

  private:
    uint64_t Next() {
        uint64_t z = state_ += 0x9E3779B97F4A7C15u;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
        return z ^ (z >> 31);
    }
    uint64_t Read(int count) {
        uint64_t value = 0;
        for (int i = 0; i < count; i++) {
            const uint8_t byte = left_ ? *bytes_++ : uint8_t(Next());
            if (left_) left_--;
            value = value << 8 | byte;
        }
        return value;
    }

    uint64_t state_ = 0;
    const uint8_t *bytes_ = nullptr;
    size_t left_ = 0;
};

// A number that depends on all four.
inline uint64_t Mix(uint64_t a, uint64_t b, uint64_t c = 0, uint64_t d = 0) {
    uint64_t h = Random(a).Bits();
    for (uint64_t v : {b, c, d}) h = Random(h ^ v).Bits();
    return h;
}

}  // namespace fuzz

#endif  // TESTS_FUZZ_RANDOM_H
