// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "common/error.h"

#include <cstring>
#include <new>
#include <system_error>

namespace cudame {

int CodeOfCurrentException(char* text, size_t size) {
    int code = CUDAME_ERROR_MEMORY;
    const char* what = "out of memory";
    char copy[kErrorText];
    try {
        throw;
    } catch (const Error& e) {
        code = e.code();
        strncpy(copy, e.what(), sizeof(copy) - 1);
        copy[sizeof(copy) - 1] = 0;
        what = copy;
    } catch (const std::bad_alloc&) {
    } catch (const std::system_error&) {
        what = "the system refused a thread";
    } catch (...) {
        code = CUDAME_ERROR_DEVICE;
        what = "unexpected exception";
    }
    if (text && size) {
        strncpy(text, what, size - 1);
        text[size - 1] = 0;
    }
    return code;
}

}  // namespace cudame
