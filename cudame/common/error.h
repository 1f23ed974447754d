// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Errors inside the library are exceptions. No exception passes the C interface: each of
// its functions runs behind Barrier(), which turns what is thrown into a code and a text.

#ifndef CUDAME_COMMON_ERROR_H_
#define CUDAME_COMMON_ERROR_H_

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

// Bytes of the text of an error, with the terminator.
constexpr size_t kErrorText = 256;

// In a catch clause: the code for what was thrown; its text, cut to size, goes to text
// unless that is NULL.
int CodeOfCurrentException(char* text, size_t size);

// Runs fn. Returns 0, or the code of what it throws, with the text of that.
template <class Fn>
int Barrier(char* text, size_t size, Fn fn) {
    try {
        fn();
        return 0;
    } catch (...) {
        return CodeOfCurrentException(text, size);
    }
}

// The same where an object is created: the text is empty, and *object NULL, unless fn
// gives them something. fn checks that there is an object to create.
template <class Object, class Fn>
int BarrierOfCreate(Object** object, char* text, size_t size, Fn fn) {
    if (text && size) text[0] = 0;
    if (object) *object = nullptr;
    return Barrier(text, size, fn);
}

// The same for a call of an object that keeps the text of its last error.
template <class Object, class Fn>
int BarrierOfCall(Object* object, Fn fn) {
    if (!object) return CUDAME_ERROR_INVALID;
    return Barrier(object->error, sizeof(object->error), fn);
}

}  // namespace cudame

#endif  // CUDAME_COMMON_ERROR_H_
