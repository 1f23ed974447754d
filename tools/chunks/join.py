# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Joins chunks without coding, and adds the other streams of the file."""

import os
import subprocess

import plan as planning
import source
from source import Failure


def packet_times(plan, path):
    said = source.call([plan["ffprobe"], "-v", "error", "-select_streams", "v:0", "-show_entries",
                        "packet=pts", "-of", "csv=p=0", path], path)
    return [int(line.strip(",")) for line in said.split()]


def write_list(plan, times):
    """Write the list for ffmpeg's concat demuxer, which starts each file at the end of the one before.
    The durations are whole milliseconds like the files' times, so that files start at their own."""
    name = os.path.join(plan["work"], "list.txt")
    with open(name, "w", encoding="ascii") as file:
        file.write("ffconcat version 1.0\n")
        for n, own in enumerate(times):
            file.write(f"file {os.path.basename(planning.chunk_name(plan, n))}\n")
            if n + 1 < len(times):
                file.write(f"duration {(times[n + 1][0] - own[0]) / 1000:.3f}\n")
    return name


def join(plan):
    missing = planning.missing(plan)
    if missing:
        raise Failure(f"{len(missing)} of {len(plan['chunks'])} chunks are missing, the first is "
                      f"{missing[0]}")
    times = [packet_times(plan, planning.chunk_name(plan, n)) for n in range(len(plan["chunks"]))]
    part = plan["output"] + ".part"
    command = [plan["ffmpeg"], "-v", "error", "-nostdin", "-y", "-copyts",
               "-itsoffset", f"{times[0][0] / 1000:.3f}", "-f", "concat", "-safe", "0",
               "-i", write_list(plan, times),
               "-itsoffset", f"{-plan['start']:.6f}", "-i", plan["input"],
               "-map", "0:v:0"] + planning.rest_streams(plan, 1) + \
        ["-map_metadata", "1", "-map_chapters", "1", "-c", "copy"] + plan["rest"] + ["-fflags", "+bitexact", "-f", plan["container"], part]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          errors="replace", check=False)
    if done.returncode:
        raise Failure(f"joining: {source.last_words(done.stderr)}")
    joined = packet_times(plan, part)
    wanted = [time for own in times for time in own]
    # All times are shifted if another stream begins below zero.
    if [t - joined[0] for t in joined] != [t - wanted[0] for t in wanted]:
        raise Failure(f"{part} does not have the packets of its chunks, each at its time")
    os.rename(part, plan["output"])
