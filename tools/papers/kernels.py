# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Measures searches alone: cudame-bench's kernels, FFmpeg's mestimate, and x264."""

import glob
import json
import os
import re
import subprocess
import tempfile
import time

import tables
from lib import encoding

# Whole frames: those of 1080p whose reference is on the device.
FILTER = "cuda_(rate|full|diamond|transfer|tex|first_pass|loop_filter|frame/.*/1080p/refs.(/on_device)?/real)" \
         "|^frame/(splitmv/full32|full/full32|full/lean0)/1080p"
BENCH_COLUMNS = ("name", "ms", "cpu_ms", "repetitions", "counters")
NO_COUNTER = {"family_index", "per_family_instance_index", "repetitions", "repetition_index", "threads", "iterations",
              "real_time", "cpu_time"}
FFMPEG_COLUMNS = ("what", "frames", "ms_per_frame")
UNITS = {"ns": 1e-6, "us": 1e-3, "ms": 1, "s": 1e3}
METHODS = {"esa ±16": ("esa", 16), "esa ±32": ("esa", 32), "umh": ("umh", 16), "epzs": ("epzs", 16),
           "hexbs": ("hexbs", 16)}


def bench_row(row):
    """A row of the table for one benchmark in the JSON."""
    ms, cpu_ms = (f"{row[which] * UNITS[row['time_unit']]:.5g}" for which in ("real_time", "cpu_time"))
    counters = " ".join(f"{name}={value:.9g}" for name, value in row.items()
                        if name not in NO_COUNTER and isinstance(value, (int, float)))
    return {"name": re.sub(r"^cuda_|(/iterations:\d+)?/(manual|real)_time$", "", row["name"]), "ms": ms,
            "cpu_ms": cpu_ms, "repetitions": row["iterations"], "counters": counters}


def run_bench(arguments, until):
    path = os.path.join(arguments.folder, "papers-kernels.tsv")
    if tables.read(path):
        return True
    if not os.path.exists(arguments.bench):
        raise SystemExit(f"papers: {arguments.bench} is not there (make bench)")
    # JSON to a file: the program prints tables to stdout, and CSV needs the same counters in all
    # benchmarks.
    with tempfile.NamedTemporaryFile("r", suffix=".json") as out:
        try:
            done = subprocess.run([arguments.bench, f"--benchmark_filter={FILTER}", f"--benchmark_out={out.name}",
                                   "--benchmark_out_format=json"], stdin=subprocess.DEVNULL,
                                  capture_output=True, text=True, timeout=max(until - time.monotonic(), 1), check=False)
        except subprocess.TimeoutExpired:
            return False
        if done.returncode:
            raise SystemExit(f"papers: cudame-bench: {(done.stderr.strip().splitlines() or ['failed'])[-1]}")
        told = out.read()
    # Benchmarks that were skipped for an error have no time.
    found = json.loads(told)["benchmarks"] if told.strip() else []
    rows = [row for row in found if row["real_time"]]
    if not rows:
        raise SystemExit("papers: cudame-bench timed no kernel: is there a GPU?")
    tables.add(path, BENCH_COLUMNS, arguments.run, *map(bench_row, rows))
    return True


def seconds_of(command):
    return encoding.timed(command)[0]


def per_frame(command, few, many):
    """CPU ms of a frame more: the start does not count. command: of a number of frames."""
    times = [min(seconds_of(command(frames)) for _ in range(2)) for frames in (few, many)]
    return 1e3 * (times[1] - times[0]) / (many - few)


def run_ffmpeg(arguments, until):
    """FFmpeg's own motion estimation, one core; and ece1782's command line of x264."""
    path = os.path.join(arguments.folder, "papers-ffmpeg.tsv")
    if not arguments.peer:
        return True
    have = {row["what"] for row in tables.read(path)}
    filters = subprocess.run([arguments.peer, "-v", "error", "-filters"], capture_output=True, text=True, check=True).stdout
    if not re.search(r"\bmestimate\b", filters):
        raise SystemExit(f"papers: {arguments.peer} has no filter mestimate")
    clip = next(iter(sorted(glob.glob(os.path.join(arguments.clips, "1080p*")))), None)
    if not clip:
        raise SystemExit(f"papers: no clip 1080p* in {arguments.clips}")
    for name, (method, distance) in METHODS.items():
        if name in have:
            continue
        if time.monotonic() > until:
            return False
        few, many = (2, 3) if method == "esa" else (2, 8)

        def command(frames, method=method, distance=distance):
            return [arguments.peer, "-v", "error", "-nostdin", "-threads", "1", "-i", clip, "-vf",
                    f"trim=end_frame={frames},mestimate=method={method}:mb_size=16:search_param={distance}",
                    "-f", "null", "-"]
        # mestimate searches each frame in two directions.
        tables.add(path, FFMPEG_COLUMNS, arguments.run,
                   {"what": name, "frames": f"{few}-{many}",
                    "ms_per_frame": f"{per_frame(command, few, many) / 2:.2f}"})
    return run_x264(arguments, path, have)


def run_x264(arguments, path, have):
    small = next(iter(sorted(glob.glob(os.path.join(arguments.clips, "cif_*")))), None)
    encoders = subprocess.run([arguments.peer, "-v", "error", "-encoders"], capture_output=True, text=True, check=True).stdout
    if "x264 tesa" in have or not small or "libx264" not in encoders:
        return True

    def command(frames):
        return [arguments.peer, "-v", "error", "-nostdin", "-y", "-i", small, "-frames:v", str(frames), "-vf",
                "extractplanes=y", "-c:v", "libx264", "-preset", "ultrafast", "-me_method", "tesa", "-me_range", "8",
                "-x264-params", "qp=6", "-f", "null", "-"]
    tables.add(path, FFMPEG_COLUMNS, arguments.run,
               {"what": "x264 tesa", "frames": "10-50",
                "ms_per_frame": f"{per_frame(command, 10, 50):.2f}"})
    return True
