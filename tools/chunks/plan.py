# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Plans the cuts of a file. The folder with plan.json and frames.txt is all that a worker needs.

The plan depends on the file and the options alone, so that the result does not depend on workers.
"""

import json
import os
import shutil
from fractions import Fraction

import source
from source import Failure

CONTAINERS = {".webm": "webm", ".mkv": "matroska"}


def cut(times, keys, tick, least):
    """Numbers of the first frames of chunks. A chunk has at least `least` seconds, and ends before
    the next key frame of the source, or after twice that length."""
    key_ticks = {round(key / tick) for key in keys}
    firsts = [0]
    for n, time in enumerate(times):
        long = (time - times[firsts[-1]]) * tick
        if long >= 2 * least or long >= least and time in key_ticks:
            firsts.append(n)
    return firsts


def try_encoder(plan):
    """Code one frame, so that options that encoder or filter refuse fail early."""
    command = [plan["ffmpeg"], "-v", "error", "-nostdin", "-i", plan["input"], "-map", "0:V:0",
               "-frames:v", "1", "-vf", plan["filter"]] + plan["options"] + ["-f", "null", "-"]
    source.call(command, "the encoder")


def try_rest(plan):
    """Copy one second of the other streams, so that refused options fail early."""
    command = [plan["ffmpeg"], "-v", "error", "-nostdin", "-t", "1", "-i", plan["input"]]
    streams = rest_streams(plan)
    if has_rest(plan):
        source.call(command + streams + ["-c", "copy"] + plan["rest"] +
                    ["-f", plan["container"], "-y", os.devnull], "the streams beside the video")


def rest_streams(plan, number=0):
    """Maps for the other streams; WebM has no attachments."""
    kinds = "as" if plan["container"] == "webm" else "ast"
    return [word for kind in kinds for word in ("-map", f"{number}:{kind}?")]


def has_rest(plan):
    said = source.call([plan["ffprobe"], "-v", "error", "-show_entries", "stream=codec_type", "-of",
                        "csv=p=0", plan["input"]], plan["input"])
    kinds = {line.strip(",") for line in said.splitlines()}
    return bool(kinds & ({"audio", "subtitle"} if plan["container"] == "webm" else
                         {"audio", "subtitle", "attachment"}))


def asked(arguments):
    """The parts of the command line that decide the result."""
    container = CONTAINERS.get(os.path.splitext(arguments.output)[1].lower())
    if not container:
        raise Failure(f"{arguments.output}: the result is .webm or .mkv")
    if arguments.seconds <= 0:
        raise Failure("--seconds is a length above zero")
    for option in ("-pass", "-passlogfile", "-ss", "-t", "-to", "-i", "-vf", "-filter:v"):
        if option in arguments.options:
            raise Failure(f"{option} is not the encoder's: see --passes and --filter")
    for program in (arguments.ffmpeg, arguments.ffprobe):
        if not shutil.which(program):
            raise Failure(f"{program}: no such program (FFMPEG and FFPROBE name them)")
    path = os.path.abspath(arguments.input)
    return {
        "input": path, "identity": source.identity(path) if os.path.exists(path) else None,
        "output": os.path.abspath(arguments.output), "container": container,
        "ffmpeg": os.path.abspath(shutil.which(arguments.ffmpeg)),
        "ffprobe": os.path.abspath(shutil.which(arguments.ffprobe)),
        "version": source.version(arguments.ffmpeg), "seconds": arguments.seconds,
        "options": arguments.options, "filter": arguments.filter, "passes": arguments.passes,
        "rest": arguments.rest,
    }


def make(arguments):
    """Write the plan, or load an existing one with the same options."""
    plan = asked(arguments)
    work = arguments.work or plan["output"] + ".chunks"
    name = os.path.join(work, "plan.json")
    if os.path.exists(name):
        old = load(work)
        for key, value in plan.items():
            if old[key] != value:
                raise Failure(f"{work} is of another {key} ({old[key]}): remove it, or name "
                              "another by --work")
        return old
    facts = source.probe(plan["ffprobe"], plan["input"])
    keys = source.key_times(plan["ffprobe"], plan["input"], facts["start"])
    try_encoder(plan)
    try_rest(plan)
    frames = source.frames(plan["ffmpeg"], plan["input"], facts)
    times = [time for time, _ in frames]
    firsts = cut(times, keys, Fraction(facts["time_base"]), plan["seconds"])
    plan.update(facts, keys=keys, chunks=firsts)
    os.makedirs(work, exist_ok=True)
    with open(os.path.join(work, "frames.txt"), "w", encoding="ascii") as file:
        file.writelines(f"{time} {crc}\n" for time, crc in frames)
    with open(name + ".new", "w", encoding="utf-8") as file:
        json.dump(plan, file, indent=1)
    os.replace(name + ".new", name)
    return dict(plan, work=os.path.abspath(work))


def load(work):
    try:
        with open(os.path.join(work, "plan.json"), encoding="utf-8") as file:
            return dict(json.load(file), work=os.path.abspath(work))
    except FileNotFoundError:
        raise Failure(f"{work} holds no plan") from None


def frames(plan):
    with open(os.path.join(plan["work"], "frames.txt"), encoding="ascii") as file:
        return [(int(time), crc) for time, crc in map(str.split, file)]


def chunk_name(plan, number):
    return os.path.join(plan["work"], f"chunk-{number:05d}.mkv")


def missing(plan):
    return [n for n in range(len(plan["chunks"])) if not os.path.exists(chunk_name(plan, n))]
