#!/usr/bin/env python3
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Measures settings on clips, and writes tables of raw figures.

  evaluate.py [--plan full|short|tiny] [--part NAME]... [--clips DIR_OR_FILE...] [--out FOLDER]

plans.py and settings.py define the measurements. Existing rows are not measured again, so a run
can be stopped, continued and extended. Rows of an older version of an encoder, of other options or
of other clips are dropped. FOLDER/TABLE.tsv has the figures; pages.py makes pages from them.
Programs come from the environment: FFMPEG, FFMPEG_STOCK, else build/bin/; optionally FFMPEG_PEERS,
an ffmpeg with libx264 and libsvtav1.
"""

import argparse
import concurrent.futures
import os
import shlex
import sys
import threading
import time

import figures
import measure
from clips import Clips
from lib import machine
from lib.table import Table
from plans import PLANS, PROBE, PROBE_POINTS
from progress import Progress

SLOW = 200e-9  # seconds per pixel: slower settings may code fewer frames


def programs():
    found = {}
    for name, variable, default in (("ffmpeg", "FFMPEG", "ffmpeg"),
                                    ("stock", "FFMPEG_STOCK", "ffmpeg-stock"),
                                    ("peer", "FFMPEG_PEERS", "")):
        path = os.environ.get(variable) or default and os.path.join(machine.TOP, "build/bin", default)
        if path and not os.access(path, os.X_OK):
            raise SystemExit(f"evaluate: {path} is missing: run make ffmpeg-stock, or set {variable}")
        if path:
            found[name] = os.path.abspath(path)
    return found


class Evaluation:
    def __init__(self, tools, run, clips, folder, limit):
        self.tools, self.run, self.clips, self.folder = tools, run, clips, folder
        self.end = time.monotonic() + limit if limit else None
        self.has_vmaf = " libvmaf " in machine.output(tools["ffmpeg"], "-hide_banner", "-filters")
        self.left = 0    # jobs skipped for lack of time
        self.failed = 0
        self.locks, self.lock = {}, threading.Lock()

    def open(self, part):
        """The part's table, without outdated rows."""
        path = os.path.join(self.folder, f"{part.table}.tsv")
        table = Table.open(path)
        settings = self.settings(part)
        options = {(s.encoder, s.setting): s.options for s in settings}
        stale = {(n["encoder"], n["setting"]) for n in table.notes.get("setting", [])
                 if options.get((n["encoder"], n["setting"])) != n["options"]}
        builds = {s.encoder: machine.build_of(self.run, s) for s in settings}
        table.rows = [r for r in table.rows
                      if (r["encoder"], r["setting"]) not in stale and
                      r["build"] == builds.get(r["encoder"]) and r["clip"] in self.clips.inputs and
                      (not part.timed or r["run"] == self.run["id"])]
        table.fields = list(measure.FIELDS)
        table.notes["table"] = [{"name": part.table, "about": part.about}]
        if all(n["id"] != self.run["id"] for n in table.notes.get("run", [])):
            table.note("run", dict(self.run, jobs=self.jobs(part)), "id")
        for s in settings:
            table.note("setting", {"encoder": s.encoder, "setting": s.setting, "options": s.options,
                                   "passes": s.passes}, "encoder", "setting")
        return table

    def settings(self, part):
        """The settings whose programs and devices this machine has."""
        listed = [PROBE] + [s for settings, _ in part.groups for s in settings]
        return [s for s in dict.fromkeys(listed) if s.program in self.tools and
                (self.run["gpu"] or s.encoder not in ("cuda", "auto"))]

    def jobs(self, part):
        return part.jobs or self.run["cores"]

    def source(self, name, part):
        with self.lock:
            lock = self.locks.setdefault((name, part.frames), threading.Lock())
        with lock:
            return self.clips.get(name, part)

    def names(self, part):
        """The clips of a part."""
        names = list(self.clips.inputs)
        if part.largest:
            sources = {n: self.source(n, part) for n in names}
            names.sort(key=lambda n: -sources[n].width * sources[n].height)
            names = names[:part.largest]
        return names

    def measure_all(self, part, table, wanted, title):
        """wanted: (clip, setting, point, threads, frames, repeat)"""
        def key(clip, setting, point, threads, frames, repeat):
            return tuple(map(str, (clip, setting.encoder, setting.setting, point, threads, frames,
                                   repeat, machine.build_of(self.run, setting))))
        done = {tuple(r[k] for k in measure.KEY) for r in table.rows}
        missing = [w for w in dict.fromkeys(wanted) if key(*w) not in done]
        cost = {}
        for w in missing:
            source = self.source(w[0], part)
            cost[w] = source.width * source.height * w[4] * w[1].cost
        if not part.timed:  # longest first; timed encodes stay next to those they are compared with
            missing.sort(key=lambda w: -cost[w])
        bar = Progress(title, len(missing))

        def one(job):
            """Measure one job; False if there is no time left for it."""
            if self.end and time.monotonic() + cost[job] > self.end:
                return False
            clip, setting, point, threads, frames, repeat = job
            source = self.source(clip, part)
            row = dict(zip(measure.KEY, key(*job)), run=self.run["id"])
            try:
                row.update(measure.measure(self.tools, setting, point, source, frames, threads, part,
                                           self.has_vmaf))
                table.append(row)
            except SystemExit as error:
                print(f"\n{clip}: {error}", file=sys.stderr)
                self.failed += 1
            return True

        pool = concurrent.futures.ThreadPoolExecutor(self.jobs(part))
        try:
            for future in concurrent.futures.as_completed([pool.submit(one, j) for j in missing]):
                if future.result():
                    bar.step()
                else:
                    self.left += 1
        finally:
            pool.shutdown(cancel_futures=True)
            bar.end()

    def rates(self, table, clip):
        """Bitrates of a clip: stock's at the probe's quantizers, rounded to two digits."""
        found = []
        for row in table.rows:
            if (row["clip"], row["encoder"], row["setting"]) == (clip, PROBE.encoder, PROBE.setting) \
                    and row["point"] in PROBE_POINTS:
                found.append(two_digits(float(row["kbps"])))
        return list(dict.fromkeys(found))

    @staticmethod
    def lengths(part, setting, frames):
        """Numbers of frames to code with a setting. Timed encodes have a short one too, which shows
        the time of the start."""
        if part.slow_frames and setting.encoder == "stock" and setting.cost >= SLOW:
            frames = part.slow_frames
        # The peers' program is another one, and slow to start.
        brief = not part.latency if not part.quality else setting.program == "peer"
        return (frames, figures.START) if brief else (frames,)

    def part(self, part):
        table = self.open(part)
        names = self.names(part)
        for name in names:
            source = self.clips.decode(name, part.frames)
            table.note("clip", {"clip": name, "size": f"{source.width}x{source.height}",
                                "rate": source.rate, "frames": source.frames,
                                "origin": self.clips.origin[name]}, "clip")
        table.write()
        length = {}
        for name in names:
            source = self.source(name, part)
            length[name] = part.frames_of(source.width, source.height)
            if not part.back_and_forth:
                length[name] = min(length[name], source.frames)
        if any(points in ("b", "c") for _, points in part.groups):
            self.measure_all(part, table, [(n, PROBE, p, 1, length[n], 1) for n in names
                                           for p in PROBE_POINTS], f"{part.table}?")
        usable = self.settings(part)
        wanted = []
        for repeat in range(1, part.repeats + 1):
            for name in names:
                for threads in part.threads:
                    for settings, points in part.groups:
                        if points in ("b", "c"):
                            points = [points + r for r in self.rates(table, name)]
                        wanted += [(name, s, p, threads, frames, repeat) for p in points
                                   for s in settings if s in usable
                                   for frames in self.lengths(part, s, length[name])]
        self.measure_all(part, table, wanted, part.table)
        table.prune()
        table.write()
        return table


def two_digits(kbps):
    digits = max(0, len(str(int(kbps))) - 2)
    return f"{round(kbps, -digits):.0f}k"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plan", default="full", choices=PLANS)
    parser.add_argument("--part", action="append", help="only these tables")
    parser.add_argument("--clips", nargs="+", default=[], help="in place of the default clips")
    parser.add_argument("--out", default=os.path.join(machine.TOP, "doc", "results"),
                        help="the tables' folder (doc/results)")
    parser.add_argument("--work", default=os.path.join(machine.TOP, "build", "evaluate"),
                        help="raw clips go here (build/evaluate)")
    parser.add_argument("--limit", type=float, metavar="SECONDS",
                        help="start only encodes that should end in time; exit status 3 if rows are left")
    args = parser.parse_args()
    plan = [p for p in PLANS[args.plan] if not args.part or p.table in args.part]
    unknown = set(args.part or []) - {p.table for p in plan}
    if unknown:
        parser.error(f"plan {args.plan} has no part {', '.join(unknown)}")
    tools = programs()
    run = machine.describe(tools, os.environ.get("COMMAND") or shlex.join(
        ["tools/evaluate/evaluate.py"] + sys.argv[1:]))
    os.makedirs(args.out, exist_ok=True)
    clips = Clips(tools["ffmpeg"], os.path.abspath(args.work), args.clips)
    evaluation = Evaluation(tools, run, clips, args.out, args.limit)
    begin = time.monotonic()
    for part in plan:
        table = evaluation.part(part)
        print(f"{table.path}: {len(table.rows)} rows")
    print(f"{time.monotonic() - begin:.0f} s, {evaluation.failed} encodes failed" +
          (f", {evaluation.left} are left: run the same command again" if evaluation.left else ""))
    return 1 if evaluation.failed else 3 if evaluation.left else 0


if __name__ == "__main__":
    sys.exit(main())
