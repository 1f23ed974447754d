#!/usr/bin/env python3
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Encode clips at several quantizers or bitrates with several ffmpeg settings.

Appends one row per encode to a TSV: clip, setting, point, kbps, psnr_y, ssim_y,
user_s, wall_s, frames. Rows that are there already are not encoded again, so a
sweep can be stopped, continued and widened. CPU and wall times are comparable
only within one run with --jobs 1 on a quiet machine.

  sweep.py out.tsv --ffmpeg build/bin/ffmpeg --frames 30 \\
      --set 'best=-c:v libvpx -deadline best' \\
      --set 'full=-c:v vp8_cudame -deadline best -cuda_me full' CLIP...
"""

import argparse
import concurrent.futures
import hashlib
import os
import re
import shlex
import subprocess
import tempfile
import time

FIELDS = "clip setting point kbps psnr_y ssim_y user_s wall_s frames".split()


def run(cmd, **kwargs):
    done = subprocess.run(cmd, stdin=subprocess.DEVNULL, capture_output=True, text=True, **kwargs)
    if done.returncode:
        raise SystemExit(f"failed: {shlex.join(cmd)}\n{done.stderr}")
    return done.stderr


def raw_clip(ffmpeg, path, frames, folder):
    """Decode a clip once, so that decoding is not part of what is timed."""
    key = hashlib.sha1(f"{os.path.abspath(path)}:{frames}".encode()).hexdigest()[:12]
    y4m = os.path.join(folder, f"rd-{key}.y4m")
    if not os.path.exists(y4m):
        part = f"{y4m}.{os.getpid()}.part"
        run([ffmpeg, "-v", "error", "-y", "-i", path, "-frames:v", str(frames), "-pix_fmt",
             "yuv420p", "-f", "yuv4mpegpipe", part])
        os.replace(part, y4m)
    return y4m


def timed(cmd):
    """User CPU and wall seconds of one command (of this thread's child)."""
    start = time.time()
    with subprocess.Popen(cmd, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True) as proc:
        err = proc.stderr.read()
        _, status, usage = os.wait4(proc.pid, 0)
        proc.returncode = os.waitstatus_to_exitcode(status)
    if proc.returncode:
        raise SystemExit(f"failed: {shlex.join(cmd)}\n{err}")
    return usage.ru_utime + usage.ru_stime, time.time() - start


def encode(ffmpeg, y4m, name, options, point, threads, passes):
    kind, value = point[0], point[1:]
    rate = (["-qmin", value, "-qmax", value, "-b:v", "200M"] if kind == "q"
            else ["-b:v", value, "-qmin", "0", "-qmax", "63"])
    with tempfile.TemporaryDirectory() as tmp:
        out = os.path.join(tmp, "out.ivf")
        base = [ffmpeg, "-v", "error", "-y", "-i", y4m] + shlex.split(options) + rate + [
            "-threads", str(threads)]
        user = wall = 0.0
        for n in range(1, passes + 1):
            extra = ["-pass", str(n), "-passlogfile", os.path.join(tmp, "log")] if passes > 1 else []
            u, w = timed(base + extra + [out])
            user, wall = user + u, wall + w
        graph = ("[0:v]settb=1/1000,setpts=N,split[a][b];[1:v]settb=1/1000,setpts=N,split[c][d];"
                 "[a][c]psnr;[b][d]ssim")
        err = run([ffmpeg, "-hide_banner", "-i", out, "-i", y4m, "-lavfi", graph, "-f", "null", "-"])
        psnr = float(re.search(r"PSNR y:([\d.]+|inf)", err)[1])
        ssim = float(re.search(r"SSIM Y:([\d.]+)", err)[1])
        frames = int(re.findall(r"frame=\s*(\d+)", err)[-1])
        fps = re.search(r"([\d.]+) fps", err)
        seconds = frames / float(fps[1])
        kbps = (os.path.getsize(out) - 32 - 12 * frames) * 8 / seconds / 1000
    return kbps, psnr, ssim, user, wall, frames


def program_of(options, ffmpeg):
    """The ffmpeg that a setting's options ask for, and those that are left."""
    if options.startswith("@"):
        ffmpeg, _, options = options[1:].partition(" ")
    return ffmpeg, options


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
                # All settings of a point follow each other: what drifts on the
                # machine drifts for all of them.
                for setting in args.set:
                    name, options = setting.split("=", 1)
                    if (clip, name, point) in done:
                        continue
                    ffmpeg, options = program_of(options, args.ffmpeg)
                    job = pool.submit(encode, ffmpeg, y4m, name, options, point, args.threads,
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
