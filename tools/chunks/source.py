# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads a source file: times and checksums of its frames, and its key frames."""

import json
import os
import re
import subprocess
from fractions import Fraction


class Failure(Exception):
    """An error message for the user, with which the program ends."""


def call(command, what):
    """Standard output of a program; raises Failure with its message if it fails."""
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors="replace")
    if done.returncode:
        raise Failure(f"{what}: {last_words(done.stderr)}")
    return done.stdout


def last_words(said):
    """The first error of ffmpeg's output; later ones follow from it."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return lines[0] if lines else "no message"


def identity(path):
    status = os.stat(path)
    return [status.st_size, status.st_mtime_ns]


def version(ffmpeg):
    return call([ffmpeg, "-version"], ffmpeg).splitlines()[0]


def times_from(start):
    """Input options that make times relative to the start of the file, as ffmpeg does by default,
    also after a seek."""
    return ["-copyts", "-itsoffset", f"{-start:.6f}"]


def probe(ffprobe, path):
    """Facts of the file's first video stream that is not a still picture."""
    if not os.path.isfile(path):
        raise Failure(f"{path}: no such file")
    said = call([ffprobe, "-v", "error", "-select_streams", "V:0", "-show_entries",
                 "stream=pix_fmt,time_base:format=start_time", "-of", "json", path], path)
    facts = json.loads(said)
    if not facts.get("streams"):
        raise Failure(f"{path} has no video")
    stream = facts["streams"][0]
    if "pix_fmt" not in stream:
        raise Failure(f"{path}: this ffmpeg cannot decode its video")
    return {"pix_fmt": stream["pix_fmt"], "time_base": stream["time_base"],
            "start": float(facts["format"].get("start_time") or 0)}


def key_times(ffprobe, path, start):
    """Times of key frames, in seconds from the start of the file."""
    said = call([ffprobe, "-v", "error", "-select_streams", "V:0", "-show_entries",
                 "packet=pts_time,flags", "-of", "csv=p=0", path], path)
    keys, missing = [], 0
    for line in said.splitlines():
        pts, flags = line.split(",")[:2]
        missing += pts == "N/A"
        if pts != "N/A" and "K" in flags:
            keys.append(float(pts) - start)
    if missing:
        raise Failure(f"{path}: {missing} packets have no time: "
                      "ffmpeg -fflags +genpts -i IN -c copy OUT.mkv gives them one")
    if not keys:
        raise Failure(f"{path} has no key frame to decode from")
    return sorted(keys)


FRAME = re.compile(r"0, *-?\d+, *(-?\d+), *\d+, *\d+, (0x[0-9a-f]+)")


def frame_of(line):
    """(time in ticks, checksum) of a line of framecrc; None for other lines."""
    match = FRAME.match(line)
    return (int(match[1]), match[2]) if match else None


def frames(ffmpeg, path, facts):
    """(time, checksum) of each frame; decodes the whole file."""
    said = call([ffmpeg, "-v", "error", "-nostdin"] + times_from(facts["start"]) +
                ["-i", path, "-map", "0:V:0", "-fps_mode", "passthrough", "-enc_time_base", "demux",
                 "-f", "framecrc", "-"], path)
    found = [frame for frame in map(frame_of, said.splitlines()) if frame]
    if not found:
        raise Failure(f"{path}: not one frame can be decoded")
    tick = re.search(r"#tb 0: (\S+)", said)[1]
    if Fraction(tick) != Fraction(facts["time_base"]):
        raise Failure(f"{path}: frames are timed in {tick}, packets in {facts['time_base']}")
    for (before, _), (after, _) in zip(found, found[1:]):
        if after <= before:
            raise Failure(f"{path}: times do not grow: {after} behind {before}, "
                          f"in units of {facts['time_base']} s")
    return found
