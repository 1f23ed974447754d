#!/usr/bin/env python3
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Codes streams whose content changes by stock libvpx and vp8_cudame, and compares them by second.

Writes a table (doc/results/rate.tsv) of which doc/rate.md is made. Existing rows of stock are kept;
rows of vp8_cudame are measured again with --again.
"""

import argparse
import concurrent.futures
import glob
import os
import re
import shlex
import sys
import tempfile

from lib import machine
from lib.encoding import encode, scores_of_frames
from lib.rate_facts import FIELDS, KEY, Facts, facts_of, faults, packets, row_of
from lib.rate_scenarios import SCENARIOS, SETTINGS, Sources
from lib.table import Table

CLIPS = {"hard": "foliage", "easy": "webcam", "game": "game", "page": "pdf", "slides": "slide"}


def options_of(setting, scenario):
    rate = scenario.kbps * 1000
    text = re.sub(r"\{R\*?([\d.]*)\}", lambda m: str(round(rate * float(m[1] or 1))), setting.options)
    more = scenario.options
    if "-g " in more:
        text = re.sub(r"-g \d+ ?", "", text)
    return shlex.split(text, posix=True) + more.split()


def code(program, ffmpeg, codec, source, scenario, setting):
    """Facts of one encode."""
    with tempfile.TemporaryDirectory(dir=os.path.dirname(source)) as folder:
        out = os.path.join(folder, "out.ivf")
        encode([program, "-v", "fatal", "-nostdin", "-y", "-i", source] + shlex.split(codec) +
               options_of(setting, scenario) + ["-threads", "1"], out, setting.passes)
        db = [min(99.0, x) for x in scores_of_frames(ffmpeg, out, source, "psnr", "psnr_y")]
        if len(db) != scenario.frames:
            raise SystemExit(f"rate: {scenario.name}, {setting.name}, {codec}: {len(db)} frames of "
                             f"{scenario.frames}")
        return Facts.of(packets(out, scenario), db, scenario, setting)


def show(scenario, setting, stock, ours):
    why = faults(scenario, setting, stock, ours)
    print("!" if why else " ", f"{scenario.name}, {setting.name}:", "; ".join(why))
    for name, f in (("stock", stock), ("ours ", ours)):
        print(f"    {name} kb/s", " ".join(f"{x:.0f}" for x in f.kbits[:22]), "| dB",
              " ".join(f"{x:.1f}" for x in f.db[:22]),
              f"| {f.largest_ms:.0f} ms, {f.step_db:.1f} dB, {f.lowest:.0f} %, {f.violations}")
    return bool(why)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clips", help="folder of clips")
    parser.add_argument("--out", default="doc/results/rate.tsv")
    parser.add_argument("--work", default="build/rate", help="folder for raw streams")
    parser.add_argument("--ffmpeg", default="build/bin/ffmpeg")
    parser.add_argument("--stock", default="build/bin/ffmpeg-stock")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--again", action="store_true", help="measure existing rows of vp8_cudame again")
    parser.add_argument("--only", default="", help="scenarios by a pattern")
    parser.add_argument("--setting", default="", help="settings by a pattern")
    parser.add_argument("--quiet", action="store_true", help="show only rows that are worse than stock")
    for name, word in CLIPS.items():
        parser.add_argument("--" + name, default=word, help=f"word in the name of the clip (default: {word})")
    args = parser.parse_args()

    def clip(word):
        return next(p for p in sorted(glob.glob(os.path.join(args.clips, "*"))) if word in os.path.basename(p))
    sources = Sources(args.ffmpeg, args.work, {name: clip(getattr(args, name)) for name in CLIPS})
    rows = [(c, s) for c in SCENARIOS if re.search(args.only, c.name)
            for s in SETTINGS if re.search(args.setting, s.name)]
    table = Table.open(args.out, FIELDS)
    run = machine.describe({"ffmpeg": args.ffmpeg, "stock": args.stock}, "tools/rate/rate.py CLIPS")
    table.note("run", run, "id")
    known = {tuple(r[k] for k in KEY): r for r in table.rows}
    encoders = (("stock", args.stock, "-c:v libvpx"),
                ("ours", args.ffmpeg, "-c:v vp8_cudame -me_backend cpu"))
    for scenario, _ in rows:
        sources.get(scenario)

    def measure(job):
        scenario, setting, name, program, codec = job
        facts = code(program, args.ffmpeg, codec, sources.get(scenario), scenario, setting)
        known[scenario.name, setting.name, name] = {
            "scenario": scenario.name, "setting": setting.name, "encoder": name, **row_of(facts),
            "run": run["id"]}
        table.rows = list(known.values())
        table.write()
    jobs = [(c, s) + e for c, s in rows for e in encoders
            if (c.name, s.name, e[0]) not in known or (args.again and e[0] == "ours")]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        list(pool.map(measure, jobs))
    table.prune()
    table.write()
    worse = 0
    for c, s in rows:
        pair = [facts_of(known[c.name, s.name, e]) for e in ("stock", "ours")]
        if not args.quiet or faults(c, s, *pair):
            worse += show(c, s, *pair)
    print(f"{len(rows)} rows, {worse} worse than stock")


if __name__ == "__main__":
    sys.exit(main())
