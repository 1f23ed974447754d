/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// How many bytes libvpx may write of a frame. It has 32 KB at least, which takes large frames to
// fill: with less, small ones are errors too.

#ifndef TESTS_FUZZ_PACKET_ROOM_H
#define TESTS_FUZZ_PACKET_ROOM_H

namespace fuzz {

// Of the calls of this thread until the next; 0: as many as libvpx has.
void SetPacketRoom(unsigned bytes);

}  // namespace fuzz

#endif  // TESTS_FUZZ_PACKET_ROOM_H
