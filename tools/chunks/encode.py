# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Codes one chunk. A chunk gets its final name when it is complete; until then its worker owns it."""

import bisect
import fcntl
import os
import socket
import subprocess
import time
from fractions import Fraction

import plan as planning
import source
from source import Failure


class OtherFrames(Exception):
    """The frames decoded after a seek differ from those of the whole file."""


def milliseconds(ticks, tick):
    """Milliseconds, rounded as ffmpeg does."""
    exact = ticks * tick * 1000
    return int(exact + Fraction(1, 2)) if exact >= 0 else -int(-exact + Fraction(1, 2))


def seeks(plan, first_time):
    """Start times for decoding, from near to far. The first is the key frame before the chunk's own
    one, because pictures may refer to those before a key frame."""
    keys = plan["keys"]
    at = bisect.bisect_right(keys, first_time) - 1
    back = 1
    while at - back > 0:
        yield keys[at - back]
        back *= 4
    yield None


def command(plan, seek, begin, end, output):
    graph = "[0:V:0]trim=start_pts=" + str(begin)
    if end is not None:
        graph += f":end_pts={end}"
    # Set the pixel format, so that the checksums do not get the encoder's.
    graph += f",format={plan['pix_fmt']},split[v][c];[v]{plan['filter']}[o]"
    timing = ["-fps_mode", "passthrough", "-enc_time_base", "filter"]
    where = ["-noaccurate_seek", "-ss", f"{seek:.6f}"] if seek is not None else []
    return ([plan["ffmpeg"], "-v", "error", "-nostdin", "-y", "-threads", "1"] +
            source.times_from(plan["start"]) + where + ["-i", plan["input"]] +
            ["-filter_complex", graph, "-map", "[o]", "-map_metadata:s:v:0", "0:s:v:0"] +
            timing + plan["options"] + output +
            ["-map", "[c]"] + timing + ["-f", "framecrc", "pipe:1"])


def run(arguments, expected, log):
    """Run ffmpeg, and stop it at the first unexpected frame."""
    with subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=log,
                          text=True) as process:
        try:
            seen = 0
            for line in process.stdout:
                frame = source.frame_of(line)
                if not frame:
                    continue
                if seen == len(expected) or frame != expected[seen]:
                    raise OtherFrames
                seen += 1
        except BaseException:
            process.kill()
            raise
    if process.returncode:
        raise Failure(f"ffmpeg failed ({process.returncode}), see {log.name}")
    if seen != len(expected):
        raise OtherFrames


def check(plan, part, expected):
    """Check that the coded chunk has each frame at its time."""
    said = source.call([plan["ffprobe"], "-v", "error", "-select_streams", "v:0", "-show_entries",
                        "frame=pts", "-of", "csv=p=0", part], part)
    found = [int(line.strip(",")) for line in said.split()]
    tick = Fraction(plan["time_base"])
    wanted = [milliseconds(ticks, tick) for ticks, _ in expected]
    if found != wanted:
        wrong = next((n for n, pair in enumerate(zip(found, wanted)) if pair[0] != pair[1]),
                     min(len(found), len(wanted)))
        raise Failure(f"{len(found)} frames were coded of {len(wanted)}; frame {wrong} is the first "
                      "that is missing, or has another time")


def code(plan, number, part, log):
    frames = planning.frames(plan)
    first = plan["chunks"][number]
    last = plan["chunks"][number + 1] if number + 1 < len(plan["chunks"]) else len(frames)
    expected = frames[first:last]
    end = frames[last][0] if last < len(frames) else None
    tick = Fraction(plan["time_base"])
    for seek in seeks(plan, float(expected[0][0] * tick)):
        try:
            for number_of_pass in range(1, plan["passes"] + 1):
                output = ["-fflags", "+bitexact", "-avoid_negative_ts", "disabled", "-f", "matroska", part]
                if plan["passes"] > 1:
                    output = ["-pass", str(number_of_pass), "-passlogfile", part + ".log"] + output
                run(command(plan, seek, expected[0][0], end, output), expected, log)
            check(plan, part, expected)
            return len(expected)
        except OtherFrames:
            log.write(f"not all frames behind a seek to {seek} are those of the whole file\n")
            log.flush()
    raise Failure("the file is decoded differently each time")


def encode(plan, number):
    """Code a chunk. Returns its number of frames, or None if the chunk exists."""
    name = planning.chunk_name(plan, number)
    if os.path.exists(name):
        return None
    if source.identity(plan["input"]) != plan["identity"]:
        raise Failure(f"{plan['input']} has changed since it was cut")
    if source.version(plan["ffmpeg"]) != plan["version"]:
        raise Failure(f"{plan['ffmpeg']} is another version here")
    base = os.path.splitext(name)[0]
    with open(base + ".lock", "w", encoding="ascii") as lock, \
            open(base + ".log", "w", encoding="utf-8") as log:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Failure("another worker has it") from None
        part = f"{base}.{socket.gethostname()}.{os.getpid()}.part"
        try:
            frames = code(plan, number, part, log)
            with open(part, "rb") as file:
                os.fsync(file.fileno())
            os.rename(part, name)
        finally:
            for left in (part, part + ".log-0.log"):
                if os.path.exists(left):
                    os.remove(left)
    return frames


def report(plan, number):
    begin = time.monotonic()
    try:
        frames = encode(plan, number)
    except Failure as failure:
        raise Failure(f"chunk {number}: {failure}") from None
    what = "is there" if frames is None else f"{frames} frames, {time.monotonic() - begin:.1f} s"
    print(f"chunk {number} of {len(plan['chunks'])}: {what}", flush=True)
