/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// The program is linked with -Wl,--wrap=vp8_get_compressed_data.

#include "packet_room.h"

#include <cstddef>
#include <cstdint>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#define POISON ASAN_POISON_MEMORY_REGION
#define UNPOISON ASAN_UNPOISON_MEMORY_REGION
#endif
#endif
#ifndef POISON
#define POISON(memory, size) (void)(memory), (void)(size)
#define UNPOISON POISON
#endif

namespace {

thread_local unsigned room;

}  // namespace

void fuzz::SetPacketRoom(unsigned bytes) { room = bytes; }

extern "C" {

// libvpx's function. It writes a packet from dest up to dest_end.
int __real_vp8_get_compressed_data(void *encoder, unsigned *flags, size_t *size, uint8_t *dest,
                                   uint8_t *dest_end, int64_t *begin, int64_t *end, int flush);

int __wrap_vp8_get_compressed_data(void *encoder, unsigned *flags, size_t *size, uint8_t *dest,
                                   uint8_t *dest_end, int64_t *begin, int64_t *end, int flush) {
    const size_t all = size_t(dest_end - dest), left = room && room < all ? all - room : 0;
    // On an error libvpx does not return here (longjmp), so remove the poison of the last call now.
    UNPOISON(dest, all);
    POISON(dest_end - left, left);
    const int result = __real_vp8_get_compressed_data(encoder, flags, size, dest, dest_end - left,
                                                      begin, end, flush);
    UNPOISON(dest, all);
    return result;
}
}
