// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Errors inside the library are exceptions. No exception leaves the C interface: each of its
// functions runs in Barrier(), which turns an exception into a code and a text.

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

// A device did not finish some work in time. It goes on with that work.
class LateError : public Error {
  public:
    explicit LateError(const std::string& text) : Error(CUDAME_ERROR_UNAVAILABLE, text) {}
};

// Call a function that allocates device memory early, or for a part that its caller can do without.
// Return whether there was enough.
template <class Fn>
bool HasDeviceMemory(Fn allocate) {
    try {
        allocate();
        return true;
    } catch (const Error& error) {
        if (error.code() != CUDAME_ERROR_DEVICE_MEM) throw;
        return false;
    }
}

[[noreturn]] inline void Invalid(const std::string& text) {
    throw Error(CUDAME_ERROR_INVALID, text);
}

// Size of the text of an error, in bytes, with the terminator.
constexpr size_t kErrorText = 256;

// Return the code of the current exception, in a catch clause. text, if not NULL, gets its text,
// cut to size.
int CodeOfCurrentException(char* text, size_t size);

// Run fn. Return 0, or the code of the exception that it throws; text gets its text.
template <class Fn>
int Barrier(char* text, size_t size, Fn fn) {
    try {
        fn();
        return 0;
    } catch (...) {
        return CodeOfCurrentException(text, size);
    }
}

// Barrier() for a function that creates an object. On failure the text is the reason and *object is
// NULL; on success the text is empty. fn checks that object is not NULL.
template <class Object, class Fn>
int BarrierOfCreate(Object** object, char* text, size_t size, Fn fn) {
    if (text && size) text[0] = 0;
    if (object) *object = nullptr;
    return Barrier(text, size, fn);
}

// Barrier() for a call of an object that keeps the text of its last error.
template <class Object, class Fn>
int BarrierOfCall(Object* object, Fn fn) {
    if (!object) return CUDAME_ERROR_INVALID;
    return Barrier(object->error, sizeof(object->error), fn);
}

}  // namespace cudame

#endif  // CUDAME_COMMON_ERROR_H_
