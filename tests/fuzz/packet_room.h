/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Limits the bytes that libvpx may write for a frame. Its own buffer has at least 32 KB, which only
// large frames fill. With a lower limit small frames cause errors too.

#ifndef TESTS_FUZZ_PACKET_ROOM_H
#define TESTS_FUZZ_PACKET_ROOM_H

namespace fuzz {

// Sets the limit for this thread's encodes from now on; 0: libvpx's own.
void SetPacketRoom(unsigned bytes);

}  // namespace fuzz

#endif  // TESTS_FUZZ_PACKET_ROOM_H
