# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads raw clips in YUV4MPEG files, and makes short ones longer."""

import dataclasses
import os


@dataclasses.dataclass
class Source:
    """Raw frames in a file."""
    path: str
    width: int
    height: int
    fps: float
    rate: str       # fps as a fraction
    frames: int
    start: int      # bytes of the header
    frame_bytes: int

    @classmethod
    def of(cls, path):
        with open(path, "rb") as f:
            header = f.readline()
        tags = {t[:1]: t[1:] for t in header.decode().split()[1:]}
        width, height = int(tags["W"]), int(tags["H"])
        number, per = tags["F"].split(":")
        size = len("FRAME\n") + width * height + 2 * ((width + 1) // 2) * ((height + 1) // 2)
        frames, rest = divmod(os.path.getsize(path) - len(header), size)
        if rest or not frames:
            raise SystemExit(f"{path} is not plain yuv420p")
        return cls(path, width, height, int(number) / int(per), f"{number}/{per}", frames,
                   len(header), size)


def turning(count, frames):
    """Frame numbers of a clip that runs forwards and backwards without end."""
    period = max(2 * count - 2, 1)
    for n in range(frames):
        at = n % period
        yield at if at < count else period - at


def lengthen(source, frames, path):
    with open(source.path, "rb") as read, open(path + ".part", "wb") as write:
        write.write(read.read(source.start))
        for n in turning(source.frames, frames):
            read.seek(source.start + n * source.frame_bytes)
            write.write(read.read(source.frame_bytes))
    os.replace(path + ".part", path)
    return Source.of(path)
