#!/usr/bin/env python3
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the same commands with stock libvpx and with vp8_cudame, and compares the results.

  parity.py [--quick] [--only WORD]... [--clips DIR_OR_FILE...]
            [--out doc/results/parity.tsv]

Prints a line for each row: "ok NAME", or "not ok NAME (what differs)". Exit status 1 if a
row differs. rows/ has the rows, run.py finds the facts of a stream, judge.py the verdict.
--out writes a table; `make pages` makes doc/parity.md from doc/results/parity.tsv.
Programs come from the environment: FFMPEG, FFPROBE, FFMPEG_STOCK, else build/bin/.
"""

import argparse
import concurrent.futures
import dataclasses
import glob
import os
import re
import shlex
import subprocess
import sys
import tempfile
import threading

import judge
import report
import run
from curve import Curve
from lib.sources import GENERATED, Sources
from rows import Row, all_rows

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
OURS = "-c:v vp8_cudame -me_backend cpu"


def program(variable, name):
    path = os.path.abspath(os.environ.get(variable) or os.path.join(TOP, "build", "bin", name))
    if not os.access(path, os.X_OK):
        raise SystemExit(f"{path} is missing: run make ffmpeg-stock, or set {variable}")
    return path


class Tools:
    def __init__(self):
        self.ffmpeg = program("FFMPEG", "ffmpeg")
        self.ffprobe = program("FFPROBE", "ffprobe")
        self.stock = program("FFMPEG_STOCK", "ffmpeg-stock")


class Bench:
    """Runs rows, and keeps encodes and clips that several rows need."""

    def __init__(self, tools, folder, clips, rows):
        self.tools = tools
        self.commands = {r.command() for r in rows if not r.refused}
        self.folder = folder
        self.sources = Sources(tools.ffmpeg, folder, clips)
        self.sides = (run.Side("stock", tools.stock, "-c:v libvpx"),
                      run.Side("ours", tools.ffmpeg, OURS))
        self.known = {}
        self.locks = {}
        self.lock = threading.Lock()

    def once(self, key, make):
        """The result of make(), called once per key by the first thread that asks."""
        with self.lock:
            lock = self.locks.setdefault(key, threading.Lock())
        with lock:
            if key not in self.known:
                self.known[key] = make()
            return self.known[key]

    def source(self, row):
        if row.source.startswith("-"):
            self.once("sizes", self.sources.of_two_sizes)
            return shlex.split(row.source.replace("FOLDER", self.folder))
        path = self.once(("source", row.source, row.size, row.frames),
                         lambda: self.sources.get(row.source, row.size, row.frames))
        return ["-i", path]

    def encode(self, row, side, args):
        key = ("encode", side.name, args, row.source, row.size, row.frames, row.before, row.vf,
               row.passes, row.container, row.refused)

        def make():
            folder = tempfile.mkdtemp(dir=self.folder)
            return run.encode(row, side, folder, self.source(row), args, self.tools)
        return self.once(key, make)

    def curve(self, row):
        """Stock's PSNR-Y by bitrate on a row's source."""
        keys = " -g 1" if row.value("g") in (0, 1) else ""

        def make():
            points = []
            for q in (0, 2, 4, 6, 8, 11, 14, 18, 22, 26, 31, 36, 41, 46, 51, 57, 63):
                plain = Row(f"-qmin {q} -qmax {q}{keys}", source=row.source, size=row.size,
                            frames=row.frames)
                facts = self.encode(plain, self.sides[0],
                                    "-b:v 50M -cpu-used 2 -pix_fmt yuv420p " + plain.args)
                points.append((facts["kbps"], facts["psnr"]))
            return Curve(points)
        return self.once(("curve", keys, row.source, row.size, row.frames), make)

    def result(self, row):
        facts, plain = [], []
        base = dataclasses.replace(row, args="", about=(), explained={})
        for side in self.sides:
            found = dict(self.encode(row, side, f"{row.base} {row.args}"))
            if row.args and row.base and not row.refused and found["status"] == "works":
                plain.append(self.encode(base, side, row.base))
                if plain[-1]["status"] == "works":
                    found["effect"] = plain[-1]["sum"] != found["sum"]
            facts.append(found)
        known = plain if len(plain) == 2 and base.command() in self.commands else None
        return row, *facts, judge.judge(
            row, *facts, lambda: self.curve(row), known,
            lambda: self.encode(row, self.sides[1], f"{row.base} {row.args} -guide off"),
            lambda: self.beside(row))

    def beside(self, row):
        """Facts of both sides at bitrates 6 % below and above; none if the quantizer or CBR decides."""
        if judge.quantizer_decides(row) or judge.constant_rate(row):
            return []
        rates = [round(row.value("b") * factor) for factor in (0.94, 1.06)]
        return [[self.encode(row, side, f"{row.base} {row.args} -b:v {rate}")
                 for side in self.sides] for rate in rates]


def missing_options(tools, rows):
    """Options of FFmpeg's libvpx that no row tests."""
    text = subprocess.run([tools.stock, "-hide_banner", "-h", "encoder=libvpx"],
                          capture_output=True, text=True).stdout
    names = re.findall(r"^  -(\S+) +<", text, re.M)
    if not names:
        raise SystemExit("ffmpeg-stock lists no options of libvpx")
    tested = {o for r in rows for o in r.options}
    return [n for n in names if n not in tested]


def find_clips(paths):
    found = []
    for path in paths:
        found += sorted(glob.glob(os.path.join(path, "*.mkv"))) if os.path.isdir(path) else [path]
    return found


def on_clips(rows, clips):
    """The rows on a generated clip, once for each of the given clips."""
    made = []
    for row in rows:
        if row.refused or row.source not in GENERATED or row.source == "alpha":
            continue
        for clip in clips:
            name = os.path.splitext(os.path.basename(clip))[0]
            made.append(dataclasses.replace(row, source=name, size="352x288", at_times=True))
    return made


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="only the rows of make check")
    parser.add_argument("--only", action="append", help="only rows with this in their name")
    parser.add_argument("--clips", nargs="+", default=[], help="real clips in place of generated ones")
    parser.add_argument("--verbose", action="store_true", help="print the facts of both encoders")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--out", help="write a table of all rows there")
    args = parser.parse_args()
    tools = Tools()
    rows = all_rows()
    missing = missing_options(tools, rows)
    clips = [os.path.abspath(c) for c in find_clips(args.clips)]
    if clips:
        rows = on_clips(rows, clips)
    chosen = [r for r in rows if (r.quick or not args.quick) and
            (not args.only or any(w in f"{r.group}/{r.name}" for w in args.only))]
    results = []
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        bench = Bench(tools, folder, clips, rows)
        for result in pool.map(bench.result, chosen):
            row, _, _, verdict = result
            name = f"{row.group}: {row.name}" + (f" on {row.source}" if clips else "")
            note = f" ({verdict.word}{': ' if verdict.notes else ''}{'; '.join(verdict.notes)})"
            print(f"{'not ok' if verdict.word == 'differs' else 'ok'} {name}{note}", flush=True)
            if args.verbose:
                for who in ("stock", "ours"):
                    print(f"#   {who}: {report.cells(result)[who]}", flush=True)
            results.append(result)
    for name in missing:
        print(f"not ok -{name} (no row tests it)")
    words = [r[3].word for r in results]
    print("# " + ", ".join(f"{words.count(w)} {w}" for w in ("same", "better", "explained",
                                                              "differs")))
    if args.out:
        report.write(args.out, results, {"ffmpeg": tools.ffmpeg, "stock": tools.stock},
                     shlex.join(["tools/parity/parity.py"] + sys.argv[1:]))
    return 1 if missing or "differs" in words else 0


if __name__ == "__main__":
    sys.exit(main())
