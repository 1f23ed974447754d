/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Random numbers by SplitMix64, which are the same on every machine, unlike the distributions of
// <random>. A string of bytes may make the decisions instead.

#ifndef TESTS_FUZZ_RANDOM_H
#define TESTS_FUZZ_RANDOM_H

#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace fuzz {

class Random {
  public:
    explicit Random(uint64_t seed) : state_(seed) {}
    // Reads one byte for a number if that is enough, so that a fuzzer that changes one byte changes
    // one decision. After the last byte the numbers come from a constant seed. A seed from the
    // bytes would change all later decisions with each byte, and zeros would make every rare event
    // happen (see Percent()).
    Random(const uint8_t *bytes, size_t size) : bytes_(bytes), left_(size) {}

    uint64_t Bits() { return bytes_ ? Read(2) : Next(); }
    // Returns a number from 0 to n - 1.
    int Below(int n) {
        if (!bytes_) return int(Next() % unsigned(n));
        return int(Read(n <= 1 ? 0 : n <= 1 << 8 ? 1 : n <= 1 << 16 ? 2 : 4) % unsigned(n));
    }
    // Returns a number from low to high, both included.
    int Between(int low, int high) { return low + Below(high - low + 1); }
    bool Percent(int chance) { return Below(100) < chance; }
    template <typename T, int N>
    T Pick(const T (&from)[N]) {
        return from[Below(N)];
    }
    // Returns whether some bytes were not read yet.
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

// Returns a number that depends on all four.
inline uint64_t Mix(uint64_t a, uint64_t b, uint64_t c = 0, uint64_t d = 0) {
    uint64_t h = Random(a).Bits();
    for (uint64_t v : {b, c, d}) h = Random(h ^ v).Bits();
    return h;
}

}  // namespace fuzz

#endif  // TESTS_FUZZ_RANDOM_H
