#!/usr/bin/env python3
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Transcodes a long file in chunks, by several processes or machines, to one file.

  chunks.py run IN OUT [OPTION...] [-- ENCODER_OPTION...]    all of the following
  chunks.py plan IN OUT [OPTION...] [-- ENCODER_OPTION...]   makes OUT.chunks with the cuts
  chunks.py encode OUT.chunks N...                           codes some chunks, as a worker does
  chunks.py join OUT.chunks                                  makes OUT from the chunks

OUT is .webm or .mkv. Encoder options are ffmpeg's (-c:v vp8_cudame). Each frame has its time in
OUT, and OUT has the same bytes whichever worker coded a chunk. An interrupted command continues if
it is given again. See doc/chunks.md.
"""

import argparse
import os
import shlex
import shutil
import sys

import encode
import engine
import join
import plan as planning
from source import Failure

HERE = os.path.dirname(os.path.abspath(__file__))
BUILT = os.path.join(HERE, "..", "..", "build", "bin")


def program(name):
    built = os.path.join(BUILT, name)
    return os.environ.get(name.upper()) or (built if os.path.exists(built) else name)


def parse(words):
    options = ["-c:v", "vp8_cudame"]
    if "--" in words:
        at = words.index("--")
        words, options = words[:at], words[at + 1:]
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    for name in ("run", "plan"):
        sub = commands.add_parser(name)
        sub.add_argument("input")
        sub.add_argument("output")
        sub.add_argument("--seconds", type=float, default=20,
                         help="shortest chunk; it ends before the next key frame of IN (20)")
        sub.add_argument("--filter", default="null", help="video filters that make one frame of each (null)")
        sub.add_argument("--passes", type=int, choices=(1, 2), default=1,
                         help="passes of the encoder, within each chunk (1)")
        sub.add_argument("--rest", type=shlex.split, default=[], metavar="OPTIONS",
                         help="options of other streams, as '-c:a libopus'; default: copied")
        sub.add_argument("--work", help="folder of plan and chunks (OUT.chunks)")
    sub = commands.choices["run"]
    sub.add_argument("--engine", choices=("parallel", "slurm"), default="parallel",
                     help="GNU parallel, or a job array of Slurm (parallel)")
    sub.add_argument("--workers", type=int, help="chunks at a time (parallel: cores)")
    sub.add_argument("--engine-options", type=shlex.split, default=[], metavar="OPTIONS",
                     help="options for parallel or sbatch, as '--sshloginfile hosts'")
    sub.add_argument("--keep", action="store_true", help="keep the folder of chunks")
    sub = commands.add_parser("encode")
    sub.add_argument("work")
    sub.add_argument("numbers", type=int, nargs="+")
    commands.add_parser("join").add_argument("work")
    arguments = parser.parse_args(words)
    arguments.options = options
    arguments.ffmpeg, arguments.ffprobe = program("ffmpeg"), program("ffprobe")
    return arguments


def described(plan):
    count = len(planning.frames(plan))
    return f"{plan['input']}: {count} frames, {len(plan['chunks'])} chunks"


def run(arguments):
    if arguments.workers is not None and arguments.workers < 1:
        raise Failure("--workers is a number above zero")
    engine.check(arguments.engine)
    plan = planning.make(arguments)
    print(described(plan), flush=True)
    engine.run(plan, arguments.engine, arguments.workers, arguments.engine_options)
    join.join(plan)
    if not arguments.keep:
        shutil.rmtree(plan["work"])


def main():
    arguments = parse(sys.argv[1:])
    try:
        if arguments.command == "run":
            run(arguments)
        elif arguments.command == "plan":
            print(described(planning.make(arguments)))
        elif arguments.command == "join":
            join.join(planning.load(arguments.work))
        else:
            plan = planning.load(arguments.work)
            for number in arguments.numbers:
                if not 0 <= number < len(plan["chunks"]):
                    raise Failure(f"there is no chunk {number} of {len(plan['chunks'])}")
                encode.report(plan, number)
    except Failure as failure:
        print(f"chunks: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
