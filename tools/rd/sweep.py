#!/usr/bin/env python3
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Encode clips at several quantizers or bitrates with several ffmpeg settings.

Appends one row per encode to a TSV: clip, setting, point, kbps, psnr_y, ssim_y,
user_s, wall_s, frames. Existing rows are not encoded again, so a sweep
can be stopped, continued and extended. CPU and wall times are comparable
only within one run with --jobs 1 on a quiet machine.

  sweep.py out.tsv --ffmpeg build/bin/ffmpeg --frames 30 \\
      --set 'best=-c:v libvpx -deadline best' \\
      --set 'full=-c:v vp8_cudame -deadline best -cuda_me full' CLIP...
"""

import argparse
import concurrent.futures
import os
import shlex
import tempfile

from lib.encoding import encode, program_of, quality, rate_options, raw_clip, stream_bytes

FIELDS = "clip setting point kbps psnr_y ssim_y user_s wall_s frames".split()


def measure(ffmpeg, y4m, options, point, threads, passes):
    with tempfile.TemporaryDirectory() as tmp:
        out = os.path.join(tmp, "out.ivf")
        command = ([ffmpeg, "-v", "error", "-y", "-i", y4m] + shlex.split(options) +
                   rate_options(point) + ["-threads", str(threads)])
        times = encode(command, out, passes)
        seen = quality(ffmpeg, out, y4m)
        kbps = stream_bytes(out) * 8 * seen.fps / seen.frames / 1000
    return kbps, seen.psnr_y, seen.ssim_y, times.cpu_s, times.wall_s, seen.frames


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("clips", nargs="+")
    parser.add_argument("--ffmpeg", default="build/bin/ffmpeg")
    parser.add_argument("--frames", type=int, default=60)
    parser.add_argument("--set", action="append", required=True, metavar="NAME=OPTIONS",
                        help="OPTIONS may start with @PATH to use another ffmpeg")
    parser.add_argument("--q", default="14,26,38,50", help="fixed quantizers")
    parser.add_argument("--rate", default="", help="bitrates, for example 1M,2M")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--passes", type=int, default=1, choices=(1, 2))
    parser.add_argument("--jobs", type=int, default=1)
    args = parser.parse_args()

    done = set()
    if os.path.exists(args.out):
        with open(args.out) as f:
            done = {tuple(line.split("\t")[:3]) for line in f}
    else:
        with open(args.out, "w") as f:
            f.write("\t".join(FIELDS) + "\n")

    points = [f"q{q}" for q in args.q.split(",") if q] + [f"b{r}" for r in args.rate.split(",") if r]
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        jobs = {}
        for path in args.clips:
            clip = os.path.splitext(os.path.basename(path))[0]
            y4m = raw_clip(args.ffmpeg, path, args.frames, tempfile.gettempdir())
            for point in points:
                # All settings of a point follow each other, so that drift of the
                # machine affects all of them.
                for setting in args.set:
                    name, options = setting.split("=", 1)
                    if (clip, name, point) in done:
                        continue
                    ffmpeg, options = program_of(options, args.ffmpeg)
                    job = pool.submit(measure, ffmpeg, y4m, options, point, args.threads,
                                      args.passes)
                    jobs[job] = (clip, name, point)
        for job in concurrent.futures.as_completed(jobs):
            kbps, psnr, ssim, user, wall, frames = job.result()
            row = "\t".join(jobs[job]) + (f"\t{kbps:.2f}\t{psnr:.4f}\t{ssim:.6f}\t{user:.2f}"
                                          f"\t{wall:.2f}\t{frames}")
            print(row, flush=True)
            with open(args.out, "a") as f:
                f.write(row + "\n")


if __name__ == "__main__":
    main()
