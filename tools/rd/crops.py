#!/usr/bin/env python3
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Makes crops of the worst frames, for viewing.

  crops.py OUT_DIR --rate 1M --set 'best=-c:v libvpx -deadline best' \\
           --set 'ours=-c:v vp8_cudame -deadline best' CLIP...

Each clip is encoded with both settings at the same bitrate. Two frames are shown:
the one with the lowest SSIM of the second setting, and the one where it loses most
against the first. Each becomes a PNG: source, first, second, side by side, of the
region where the second is worst against the first; pixels doubled. Needs numpy and matplotlib.
"""

import argparse
import os
import re
import shlex
import subprocess
import tempfile

import matplotlib.image
import numpy

from lib.encoding import raw_clip, scores_of_frames

WIDTH, HEIGHT = 320, 240  # of a crop


def run(cmd):
    done = subprocess.run(cmd, stdin=subprocess.DEVNULL, capture_output=True)
    if done.returncode:
        raise SystemExit(f"failed: {shlex.join(cmd)}\n{done.stderr.decode()}")
    return done


def picture(ffmpeg, path, frame, shape, pix_fmt):
    raw = run([ffmpeg, "-v", "error", "-i", path, "-vf", f"select=eq(n\\,{frame})", "-frames:v",
               "1", "-f", "rawvideo", "-pix_fmt", pix_fmt, "-"]).stdout
    return numpy.frombuffer(raw, numpy.uint8).reshape(shape)


def luma(ffmpeg, path, frame, width, height):
    return picture(ffmpeg, path, frame, (height, width), "gray").astype(float)


def worst_region(source, first, second):
    """Top left of the crop with the largest excess of squared error."""
    excess = (second - source) ** 2 - (first - source) ** 2
    table = numpy.pad(excess, ((1, 0), (1, 0))).cumsum(0).cumsum(1)
    h, w = min(HEIGHT, source.shape[0]), min(WIDTH, source.shape[1])
    sums = table[h:, w:] - table[:-h, w:] - table[h:, :-w] + table[:-h, :-w]
    y, x = numpy.unravel_index(sums.argmax(), sums.shape)
    return int(x) & ~1, int(y) & ~1, w, h


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("clips", nargs="+")
    parser.add_argument("--ffmpeg", default="build/bin/ffmpeg")
    parser.add_argument("--frames", type=int, default=60)
    parser.add_argument("--set", action="append", required=True, metavar="NAME=OPTIONS",
                        help="two of them")
    parser.add_argument("--rate", default="1M")
    args = parser.parse_args()
    settings = [s.split("=", 1) for s in args.set]
    if len(settings) != 2:
        parser.error("two settings are compared")
    os.makedirs(args.out, exist_ok=True)
    for clip in args.clips:
        name = os.path.splitext(os.path.basename(clip))[0]
        with tempfile.TemporaryDirectory() as tmp:
            source = raw_clip(args.ffmpeg, clip, args.frames, tmp)
            with open(source, "rb") as f:
                header = f.readline().decode()
            width, height = (int(re.search(rf" {k}(\d+)", header)[1]) for k in "WH")
            paths, scores = [], []
            for i, (_, options) in enumerate(settings):
                paths.append(os.path.join(tmp, f"{i}.ivf"))
                run([args.ffmpeg, "-v", "error", "-i", source] + shlex.split(options) +
                    ["-b:v", args.rate, paths[i]])
                scores.append(numpy.array(scores_of_frames(args.ffmpeg, paths[i], source,
                                                           "ssim", "Y")))
            loss = 10 * numpy.log10((1 - scores[1]) / (1 - scores[0]))
            sizes = [os.path.getsize(p) // 1000 for p in paths]
            for what, frame in (("lowest", scores[1].argmin()), ("loses-most", loss.argmax())):
                planes = [luma(args.ffmpeg, p, frame, width, height) for p in [source] + paths]
                x, y, w, h = worst_region(*planes)
                crops = [picture(args.ffmpeg, p, frame, (height, width, 3), "rgb24")[y:y + h, x:x + w]
                         for p in [source] + paths]
                png = os.path.join(args.out, f"{name}-{what}.png")
                matplotlib.image.imsave(png, numpy.hstack(crops).repeat(2, 0).repeat(2, 1))
                print(f"{png}: frame {frame} at ({x}, {y}), SSIM {scores[0][frame]:.4f} "
                      f"{scores[1][frame]:.4f} (mean {scores[0].mean():.4f} "
                      f"{scores[1].mean():.4f}), {sizes[0]} {sizes[1]} kB", flush=True)


if __name__ == "__main__":
    main()
