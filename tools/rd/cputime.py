#!/usr/bin/env python3
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""CPU time of encoders against each other, as Markdown.

  cputime.py --frames 300 --set 'rt8=-c:v libvpx -deadline realtime -cpu-used -8 -lag-in-frames 0' \\
             --set 'ours=-c:v vp8_cudame -deadline realtime -cpu-used -8 -lag-in-frames 0' CLIP...

Clips are decoded beforehand and repeated up to --frames. User and system time of whole
ffmpeg processes, medians of --runs interleaved runs. An encode of two frames is timed
too: what it takes is the start (of CUDA, most of all) and a key frame, and what is left
of the long one is given as well, for streams without end. Each setting is compared with
the first one, or with the one that NAME@ANCHOR=OPTIONS names.
"""

import argparse
import concurrent.futures
import csv
import os
import shlex
import statistics
import tempfile

from lib.encoding import encode, program_of, raw_clip

START = 2  # frames


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clips", nargs="+")
    parser.add_argument("--ffmpeg", default="build/bin/ffmpeg")
    parser.add_argument("--frames", type=int, default=300)
    parser.add_argument("--frames-of", action="append", default=[], metavar="NAME=FRAMES",
                        help="frames of a setting so slow that fewer tell as much")
    parser.add_argument("--raw", type=int, default=60, help="frames of a clip before it repeats")
    parser.add_argument("--set", action="append", required=True, metavar="NAME[@ANCHOR]=OPTIONS",
                        help="OPTIONS may start with @PATH to use another ffmpeg")
    parser.add_argument("--rate", default="-qmin 28 -qmax 28 -b:v 200M", help="rate control options")
    parser.add_argument("--threads", default="1", help="one number, or several: 1,4,8")
    parser.add_argument("--passes", type=int, default=1, choices=(1, 2), help="2: the sum of both")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--wall", action="store_true", help="wall time instead, run one by one")
    parser.add_argument("--tsv", help="all times, one line each")
    args = parser.parse_args()
    if args.wall and args.jobs > 1:
        parser.error("wall times want --jobs 1")

    settings, anchors, programs = {}, {}, {}
    for text in args.set:
        name, options = text.split("=", 1)
        name, _, anchor = name.partition("@")
        programs[name], options = program_of(options, args.ffmpeg)
        settings[name] = shlex.split(options)
        anchors[name] = anchor or next(iter(settings))
    length = dict.fromkeys(settings, args.frames)
    for text in args.frames_of:
        name, frames = text.rsplit("=", 1)
        if name not in settings:
            parser.error(f"--frames-of {text}: there is no such setting")
        length[name] = int(frames)
    threads = [int(t) for t in args.threads.split(",")]
    clip_names = [os.path.splitext(os.path.basename(c))[0] for c in args.clips]
    times = {}  # (clip, setting, threads, frames) -> [seconds]

    with tempfile.TemporaryDirectory() as tmp:
        raw = [raw_clip(args.ffmpeg, c, args.raw, tmp) for c in args.clips]

        def measure(job):
            clip, name, n, frames = job
            cmd = [programs[name], "-v", "error", "-nostdin", "-stream_loop", "-1", "-i",
                   raw[clip_names.index(clip)], "-frames:v", str(frames)] + settings[name] + \
                shlex.split(args.rate) + ["-threads", str(n)]
            times = encode(cmd + ["-f", "null"], "-", args.passes)
            return times.wall_s if args.wall else times.cpu_s

        jobs = [(clip, name, n, frames) for _ in range(args.runs) for clip in clip_names
                for n in threads for name in settings for frames in (length[name], START)]
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for job, seconds in zip(jobs, pool.map(measure, jobs)):
                times.setdefault(job, []).append(seconds)

    if args.tsv:
        with open(args.tsv, "w", newline="") as f:
            out = csv.writer(f, delimiter="\t")
            out.writerow(["clip", "setting", "threads", "frames", "seconds"])
            out.writerows([*job, s] for job, all_runs in times.items() for s in all_runs)

    def per_frame(clip, name, n):
        """Milliseconds of a frame: all of a long stream, and without its start."""
        whole = statistics.median(times[clip, name, n, length[name]])
        start = statistics.median(times[clip, name, n, START])
        return 1e3 * whole / length[name], 1e3 * (whole - start) / (length[name] - START)

    print(f"{args.frames} frames, {'wall' if args.wall else 'CPU'} ms a frame without the start; "
          "in brackets times faster than the anchor, whole / without the start")
    print("| setting | threads | anchor | " + " | ".join(clip_names) + " | geometric mean |")
    print("|---|---|---|" + "---|" * (len(clip_names) + 1))
    for n in threads:
        for name in settings:
            cells, ratios = [], []
            for clip in clip_names:
                own, anchor = per_frame(clip, name, n), per_frame(clip, anchors[name], n)
                ratio = [a / o for a, o in zip(anchor, own)]
                ratios.append(ratio)
                cells.append(f"{own[1]:.2f} ({ratio[0]:.2f}× / {ratio[1]:.2f}×)")
            mean = [statistics.geometric_mean([r[i] for r in ratios]) for i in (0, 1)]
            print(f"| {name} | {n} | {anchors[name]} | " + " | ".join(cells) +
                  f" | {mean[0]:.2f}× / {mean[1]:.2f}× |")


if __name__ == "__main__":
    main()
