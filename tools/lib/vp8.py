# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""The header of a VP8 frame (RFC 6386, section 9), up to the reference updates."""

import dataclasses

# The header's quantizer index for each quantizer of -qmin and -qmax (0 to 63).
Q_INDEX = (0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 12, 13, 15, 17, 18, 19, 20, 21, 23, 24, 25, 26, 27, 28,
           29, 30, 31, 33, 35, 37, 39, 41, 43, 45, 47, 49, 51, 53, 55, 57, 59, 61, 64, 67, 70, 73,
           76, 79, 82, 85, 88, 91, 94, 97, 100, 103, 106, 109, 112, 115, 118, 121, 124, 127)


class BoolDecoder:
    """A bool decoder for bits of probability 1/2, which the header consists of."""

    def __init__(self, data):
        self.data = data
        self.at = 2
        self.value = int.from_bytes(data[:2].ljust(2, b"\0"), "big")
        self.range = 255
        self.shifted = 0

    def bit(self):
        split = 1 + ((self.range - 1) >> 1)
        if self.value >= split << 8:
            one = 1
            self.range -= split
            self.value -= split << 8
        else:
            one = 0
            self.range = split
        while self.range < 128:
            self.value <<= 1
            self.range <<= 1
            self.shifted += 1
            if self.shifted == 8:
                self.shifted = 0
                if self.at < len(self.data):
                    self.value |= self.data[self.at]
                self.at += 1
        return one

    def bits(self, count):
        value = 0
        for _ in range(count):
            value = value << 1 | self.bit()
        return value

    def optional(self, count):
        """A signed number after a flag, or 0 if the flag is not set."""
        if not self.bit():
            return 0
        value = self.bits(count)
        return -value if self.bit() else value


@dataclasses.dataclass
class Header:
    key: bool
    version: int
    shown: bool
    size: tuple          # of a key frame; None for others
    segments: bool       # segmentation is enabled
    segment_q: tuple     # quantizers of the segments, if this frame sets them
    simple_filter: bool
    level: int
    sharpness: int
    partitions: int
    quantizer: int       # 0 to 63
    golden: str          # source of the update: new, last, altref; - if kept
    altref: str          # source of the update: new, last, golden; - if kept
    last: bool           # the last frame is updated
    keeps_entropy: bool  # this frame's probabilities do not apply to later frames

    @property
    def references(self):
        """The reference updates as one word."""
        if self.key:
            return "key"
        return f"{'L' if self.last else '-'}/{self.golden}/{self.altref}"


def parse(data):
    tag = int.from_bytes(data[:3], "little")
    key = not tag & 1
    size, start = None, 3
    if key:
        if data[3:6] != b"\x9d\x01\x2a":
            raise ValueError("no start code")
        size = (int.from_bytes(data[6:8], "little") & 0x3fff,
                int.from_bytes(data[8:10], "little") & 0x3fff)
        start = 10
    b = BoolDecoder(data[start:start + 256])
    if key:
        b.bits(2)  # colour space, clamping
    segments, segment_q = bool(b.bit()), None
    if segments:
        update_map, update_data = b.bit(), b.bit()
        if update_data:
            b.bit()
            segment_q = tuple(b.optional(7) for _ in range(4))
            for _ in range(4):
                b.optional(6)
        if update_map:
            for _ in range(3):
                if b.bit():
                    b.bits(8)
    simple, level, sharpness = bool(b.bit()), b.bits(6), b.bits(3)
    if b.bit() and b.bit():
        for _ in range(8):
            b.optional(6)
    partitions = 1 << b.bits(2)
    index = b.bits(7)
    for _ in range(5):
        b.optional(4)
    if key:
        golden = altref = "new"
        last = True
        keeps = not b.bit()
    else:
        new_golden, new_altref = b.bit(), b.bit()
        golden = "new" if new_golden else ("-", "last", "altref", "?")[b.bits(2)]
        altref = "new" if new_altref else ("-", "last", "golden", "?")[b.bits(2)]
        b.bits(2)  # signs of vectors
        keeps = not b.bit()
        last = bool(b.bit())
    return Header(key, tag >> 1 & 7, bool(tag >> 4 & 1), size, segments, segment_q, simple, level,
                  sharpness, partitions, sum(i < index for i in Q_INDEX), golden, altref, last,
                  keeps)


def frames_of_ivf(path):
    """(time stamp, bytes) of each frame."""
    with open(path, "rb") as f:
        data = f.read()
    at = int.from_bytes(data[6:8], "little")
    while at + 12 <= len(data):
        size = int.from_bytes(data[at:at + 4], "little")
        yield int.from_bytes(data[at + 4:at + 12], "little"), data[at + 12:at + 12 + size]
        at += 12 + size
