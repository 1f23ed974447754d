#!/usr/bin/env python3
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Repeats the papers' experiments in their own terms, and writes tables of raw figures.

  papers.py run FOLDER [OPTION...]            measures rows that the tables in FOLDER lack
  papers.py report FOLDER                     prints the tables of the pages, as Markdown

papers-encodes.tsv has grossi-2018 section 4, and rodriguez-2013 and hevc-ime-cpr as encoders;
papers-kernels.tsv the searches and transfers on the device of rodriguez-2013, hevc-ime-cpr, ece1782,
elshehaly and grossi-2018; papers-ffmpeg.tsv FFmpeg's own motion estimation and x264's. `make pages`
shows the tables in doc/results/ on doc/papers.md and doc/kernels.md. If --budget does not suffice,
the same command continues. Rows of another commit are dropped.
"""

import argparse
import os
import shlex
import sys

import encodes
import kernels
import tables
from lib import machine, papers_encodes

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
BUILD = os.environ.get("BUILD_DIR", os.path.join(TOP, "build"))


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    run = commands.add_parser("run")
    run.add_argument("folder")
    run.add_argument("--clips", default=os.path.join(TOP, "..", "shared", "clips"),
                     help="folder of clips of 1920x1080, and of one of 352x288")
    run.add_argument("--frames", type=int, default=20, help="frames of a 1080p clip; half of them at 2160p (20)")
    run.add_argument("--size", default="1920x1080", help="size of the clips (1920x1080)")
    run.add_argument("--threads", type=lambda text: [int(n) for n in text.split(",")], default=[1, 4, 8, 12])
    run.add_argument("--backend", choices=("cuda", "cpu"), default="cuda")
    run.add_argument("--peer", help="an ffmpeg with mestimate, and libx264 if it is to be compared")
    run.add_argument("--parts", type=lambda text: text.split(","), default=["kernels", "encodes", "ffmpeg"])
    run.add_argument("--budget", type=int, default=500, help="seconds for all rows (500)")
    sub = commands.add_parser("report")
    sub.add_argument("folder")
    arguments = parser.parse_args()
    arguments.ffmpeg = os.environ.get("FFMPEG", os.path.join(BUILD, "bin", "ffmpeg"))
    arguments.stock = os.environ.get("FFMPEG_STOCK", os.path.join(BUILD, "bin", "ffmpeg-stock"))
    arguments.ffprobe = os.environ.get("FFPROBE", os.path.join(BUILD, "bin", "ffprobe"))
    arguments.bench = os.path.join(BUILD, "cudame", "cudame-bench")
    return arguments


def main():
    arguments = parse()
    if arguments.command == "report":
        return papers_encodes.write(arguments.folder)
    os.makedirs(arguments.folder, exist_ok=True)
    command = os.environ.get("COMMAND") or shlex.join(["tools/papers/papers.py"] + sys.argv[1:])
    arguments.run = machine.by_command(machine.describe({"ffmpeg": arguments.ffmpeg, "stock": arguments.stock},
                                                        command))
    tables.renew(arguments.folder, arguments.run)
    parts = {"kernels": kernels.run_bench, "encodes": encodes.run, "ffmpeg": kernels.run_ffmpeg}
    for name in arguments.parts:
        if name not in parts:
            raise SystemExit(f"papers: no part {name}: {', '.join(parts)}")
    until = encodes.deadline(arguments.budget)
    left = [name for name in arguments.parts if not parts[name](arguments, until)]
    if left:
        print(f"papers: not all of {', '.join(left)}: the same command goes on", file=sys.stderr)
    return bool(left)


if __name__ == "__main__":
    sys.exit(main())
