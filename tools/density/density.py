#!/usr/bin/env python3
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Measures how many live streams a machine carries: frames arrive in real time, and 99.9 % of them
must be coded before the next frame arrives.

Each row is found by bisection, at the quality of stock libvpx at realtime --reference and --rates.
With --program all streams have the options of a program; give it a table of its own. Needs
Python 3, ffmpeg, build/density/ (make density; it runs on other machines too) and clips of the
sizes. Rows that the table has are not measured again, unless they are of another commit.
"""

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

import quality
import trial
from lib import encoding, machine
from lib.table import Table

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")

KEY = ("size", "fps", "encoder", "speed", "threads", "processes", "mps", "gpus", "cores", "key_every")
COLUMNS = KEY + ("streams", "fails_at", "frames", "late", "p50", "p99", "p999", "max", "cpu_percent",
                 "gpu_percent", "gpu_mb", "wait_ms", "late_rows_percent", "on_gpu_percent", "rate", "psnr_y",
                 "run")


def build(name):
    return os.path.join(os.environ.get("BUILD_DIR", os.path.join(TOP, "build")), name)


def program(name):
    return os.environ.get(name.upper().replace("-", "_"), build("bin/" + name))


def call(*command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{command[0]}: {(done.stderr.strip().splitlines() or ['failed'])[-1]}")
    return done.stdout


def raw_clips(arguments, size, folder):
    """Decoded clips of that size, in memory that all processes share."""
    found = []
    for path in encoding.clips_of_size(program("ffprobe"), arguments.clips, size):
        found.append(os.path.join(folder, f"{size}-{len(found)}.yuv"))
        call(program("ffmpeg"), "-v", "error", "-nostdin", "-y", "-i", path, "-map", "0:v:0", "-frames:v",
             str(arguments.clip_frames), "-fps_mode", "passthrough", "-pix_fmt", "yuv420p", "-f", "rawvideo", found[-1])
    if not found:
        raise RuntimeError(f"no clip in {arguments.clips} has {size} pixels")
    return found


class Mps:
    """CUDA's MPS, by which processes use a device at the same time."""

    def __init__(self, wanted):
        self.env = None
        if wanted:
            self.folder = tempfile.mkdtemp(prefix="mps-")
            self.env = dict(os.environ, CUDA_MPS_PIPE_DIRECTORY=self.folder, CUDA_MPS_LOG_DIRECTORY=self.folder)
            subprocess.run(["nvidia-cuda-mps-control", "-d"], env=self.env, check=True)

    def close(self):
        if self.env:
            subprocess.run(["nvidia-cuda-mps-control"], input="quit\n", text=True, env=self.env, check=False)
            shutil.rmtree(self.folder, ignore_errors=True)


def twice(attempt, count, limit, until):
    """Try a number of streams, and again if it fails: the machine may have done other work."""
    for _ in range(2):
        seen = attempt(count)
        print(f"    {count}: 99.9 % within {seen['p999']:.1f} ms, CPU {seen['cpu_percent']:.0f} %", flush=True)
        # It passed, or failed by far, or no time is left.
        if seen["p999"] <= limit or seen["p99"] > 3 * limit or time.monotonic() > until:
            break
    return seen


def search(attempt, guess, limit, until):
    """The result with the largest number of streams in time, and the smallest number that failed."""
    low, high, best = 0, None, None
    count = max(1, guess)
    while True:
        seen = twice(attempt, count, limit, until)
        if seen["p999"] <= limit:
            low, best = count, seen
        else:
            high = count
        if high is not None and high - low <= max(1, low // 16) or time.monotonic() > until:
            return best or dict(seen, streams=0), high
        count = max(low + 1, int(low * 1.25)) if high is None else (low + high) // 2


def kind_of_processes(text):
    """The type of an argument: one, many or a number."""
    if text not in ("one", "many") and int(text) < 1:
        raise ValueError
    return text


def processes_for(kind, count):
    """The number of processes for COUNT streams."""
    return {"one": 1, "many": count}[kind] if kind in ("one", "many") else min(int(kind), count)


def measure(arguments, streams, row, cpu, until):
    gpus = int(row["gpus"])
    devices = ",".join(str(n) for n in range(gpus)) if row["encoder"] == "gpu" else ""
    mps = Mps(row["mps"] == "yes")
    env = dict(mps.env or os.environ)
    if devices:
        env["CUDA_VISIBLE_DEVICES"] = devices
    limit = 1e3 / arguments.fps

    def attempt(count, stats=False):
        return trial.run(streams, count, processes_for(row["processes"], count), arguments.fps, arguments.seconds,
                         int(row["key_every"]), devices, env, stats)

    try:
        guess = arguments.guess or int(0.6 * int(row["cores"]) / (cpu * arguments.fps))
        best, fails_at = search(attempt, guess, limit, until)
        # Run once more with me_stats, which tells how long each frame waited.
        if best["streams"] and streams.encoder != "stock":
            told = attempt(best["streams"], True)
            best.update((key, told[key]) for key in ("wait_ms", "late_rows_percent", "on_gpu_percent") if key in told)
    finally:
        mps.close()
    return dict(row, **best, fails_at=fails_at)


def rows_wanted(arguments, cores):
    for size in arguments.sizes:
        threads = arguments.threads[arguments.sizes.index(size)]
        for encoder, speed in arguments.encoders:
            for processes in arguments.processes:
                for gpus in arguments.gpus if encoder == "gpu" else [0]:
                    for mps in arguments.mps if encoder == "gpu" and processes != "one" else ["no"]:
                        yield {"size": size, "fps": str(arguments.fps), "encoder": encoder, "speed": speed,
                               "threads": str(threads), "cores": str(cores), "processes": processes, "mps": mps, "gpus": str(gpus),
                               "key_every": str(arguments.key_every)}


def text(value):
    return "" if value is None else f"{value:.2f}" if isinstance(value, float) else str(value)


def show(rows):
    print("| size | encoder | cpu-used | processes | GPUs | streams | 99.9 % | longest | CPU | GPU | wait | kb/s |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    for row in rows:
        how = row["processes"] + (", MPS" if row["mps"] == "yes" else "")
        cells = [row["size"], row["encoder"], row["speed"], how, row["gpus"], row["streams"], row["p999"] + " ms",
                 row["max"] + " ms", row["cpu_percent"] + " %", (row["gpu_percent"] or "–") + " %",
                 (row["wait_ms"] or "–") + " ms", str(int(float(row["rate"]) / 1000))]
        print("| " + " | ".join(cells) + " |")


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words = lambda kind=str: lambda value: [kind(word) for word in value.split(",")]  # noqa: E731
    parser.add_argument("out", help="table of tab-separated values, which is extended")
    parser.add_argument("--clips", default=os.path.join(TOP, "..", "shared", "clips"))
    parser.add_argument("--clip-frames", type=int, default=36, help="frames of a clip, played forwards and backwards (36)")
    parser.add_argument("--sizes", type=words(), default=["1920x1080", "1280x720"])
    parser.add_argument("--rates", type=words(int), default=[4000000, 2000000], help="stock's bitrates, by size")
    parser.add_argument("--threads", type=words(int), default=[1, 1], help="threads per stream, by size")
    parser.add_argument("--encoders", type=words(lambda word: tuple(word.split(":"))),
                        default=[("stock", "-8"), ("cpu", "-8"), ("gpu", "-8"), ("gpu", "-16")],
                        help="stock, cpu or gpu, and cpu-used: stock:-8,gpu:-16")
    parser.add_argument("--reference", default="-8", help="cpu-used of the stock encoder whose quality all have (-8)")
    parser.add_argument("--program", choices=trial.PROGRAMS, default="none", help="set this program's options")
    parser.add_argument("--processes", type=words(kind_of_processes), default=["one", "many"],
                        help="one, many (each stream has its own) or a number of processes that share the streams (one,many)")
    parser.add_argument("--gpus", type=words(int), default=[1], help="numbers of devices, as 1,2")
    parser.add_argument("--mps", type=words(), default=["no"], help="no, yes or no,yes; for several processes")
    parser.add_argument("--fps", type=int, default=30)
    parser.add_argument("--seconds", type=int, default=4, help="length of a trial after its first second")
    parser.add_argument("--key-every", type=int, default=10,
                        help="seconds from one key frame on demand to the next of a stream, or 0 for none (10)")
    parser.add_argument("--guess", type=int, help="the first number of streams to try; default: by the CPU time of a frame")
    parser.add_argument("--budget", type=int, default=500, help="seconds for all rows")
    return parser.parse_args()


def main():
    arguments, begin = parse(), time.monotonic()
    folder = tempfile.mkdtemp(prefix="density-", dir="/dev/shm")
    try:
        command = os.environ.get("COMMAND") or shlex.join(["tools/density/density.py"] + sys.argv[1:])
        run = machine.by_command(machine.describe({"ffmpeg": program("ffmpeg"), "stock": program("ffmpeg-stock")},
                                                  command))
        table = Table.open(arguments.out, COLUMNS)
        table.drop_others(run["commit"])
        table.note("run", run, "id")
        have = {tuple(row[key] for key in KEY) for row in table.rows}
        todo = [row for row in rows_wanted(arguments, run["cores"]) if tuple(row[key] for key in KEY) not in have]
        if todo:
            table.write()
        for size in arguments.sizes:
            rows = [row for row in todo if row["size"] == size]
            if not rows:
                continue
            clips = raw_clips(arguments, size, folder)
            threads = rows[0]["threads"]
            stock = ("stock", arguments.reference)
            kinds = {(e, s): trial.Streams(build("density"), e, s, threads, size, clips, arguments.program)
                     for e, s in arguments.encoders + [stock]}
            reference = kinds[stock]
            psnr, cpu = quality.level(list(kinds.values()), reference, arguments.rates[arguments.sizes.index(size)])
            for row in rows:
                streams = kinds[row["encoder"], row["speed"]]
                left = begin + arguments.budget - time.monotonic()
                share = left / (len(todo) - todo.index(row))
                if left < 10:
                    print("no time left: run the same command again to continue", file=sys.stderr)
                    return 1
                print("  ".join(row[key] for key in KEY), f" {streams.rate / 1e3:.0f} kb/s", flush=True)
                # leaves time for a last trial
                until = time.monotonic() + share - 2 * (arguments.seconds + 3)
                found = measure(arguments, streams, row, cpu[streams], until)
                found.update(rate=int(streams.bits), psnr_y=psnr, run=run["id"])
                table.append({column: text(found.get(column)) for column in COLUMNS})
        show(table.rows)
    except (RuntimeError, OSError, subprocess.CalledProcessError) as error:
        print(f"density: {error}", file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
