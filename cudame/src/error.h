// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Errors inside the library are exceptions; api.cc turns them into codes.

#ifndef CUDAME_SRC_ERROR_H_
#define CUDAME_SRC_ERROR_H_

#include <cstddef>
#include <stdexcept>
#include <string>

#include "cudame/cudame.h"

namespace cudame {

class Error : public std::runtime_error {
  public:
    Error(int code, const std::string& text) : std::runtime_error(text), code_(code) {}
    int code() const { return code_; }

  private:
    int code_;
};

[[noreturn]] inline void Invalid(const std::string& text) {
    throw Error(CUDAME_ERROR_INVALID, text);
}

// In a catch clause: the code for what was thrown, and its text, cut to size.
int CodeOfCurrentException(char* text, size_t size);

// Runs fn for an object of the C interface, whose text of the last error gets what it throws.
template <class Object, class Fn>
int CallFor(Object* object, Fn fn) {
    if (!object) return CUDAME_ERROR_INVALID;
    try {
        fn();
        return 0;
    } catch (...) {
        return CodeOfCurrentException(object->error, sizeof(object->error));
    }
}

}  // namespace cudame

#endif  // CUDAME_SRC_ERROR_H_
