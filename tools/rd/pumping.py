#!/usr/bin/env python3
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Plots PSNR-Y and size of each frame over time, to see whether quality pumps.

  pumping.py OUT_DIR --rate 300k --set 'stock=-c:v libvpx -deadline best' \\
             --set 'ours=-c:v vp8_cudame -deadline best' CLIP...

Each clip is played forwards and backwards for --frames frames and encoded with each setting at
--rate; a setting whose name ends with "2" in two passes, one with "/cbr" at a constant bitrate with
a buffer of one second. A PNG shows PSNR-Y and kilobytes of the shown frames; bytes of a hidden
frame count for the next shown one. A line per setting has kb/s, mean PSNR-Y, and its change from
frame to frame, without the change that all settings have in common: root mean square and largest
fall.
Needs numpy and matplotlib.
"""

import argparse
import os
import shlex
import tempfile

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy  # noqa: E402

from lib import vp8  # noqa: E402
from lib.encoding import encode, rate_options, raw_clip, scores_of_frames  # noqa: E402
from lib.raw import Source, lengthen  # noqa: E402


def psnr_of_frames(ffmpeg, stream, source):
    return numpy.minimum(scores_of_frames(ffmpeg, stream, source, "psnr", "psnr_y"), 60)


def sizes_of_frames(stream):
    """Bytes from one shown frame to the next."""
    sizes, hidden = [], 0
    for _, data in vp8.frames_of_ivf(stream):
        hidden += len(data)
        if not data or vp8.parse(data).shown:
            sizes.append(hidden)
            hidden = 0
    return numpy.array(sizes)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out")
    parser.add_argument("clips", nargs="+")
    parser.add_argument("--ffmpeg", default="build/bin/ffmpeg")
    parser.add_argument("--frames", type=int, default=150)
    parser.add_argument("--set", action="append", required=True, metavar="NAME=OPTIONS")
    parser.add_argument("--rate", default="300k")
    args = parser.parse_args()
    settings = [s.split("=", 1) for s in args.set]
    os.makedirs(args.out, exist_ok=True)
    for clip in args.clips:
        name = os.path.splitext(os.path.basename(clip))[0]
        figure, (above, below) = plt.subplots(2, 1, sharex=True, figsize=(14, 8), height_ratios=(2, 1))
        curves = {}
        with tempfile.TemporaryDirectory() as tmp:
            short = Source.of(raw_clip(args.ffmpeg, clip, args.frames, tmp))
            source = lengthen(short, args.frames, os.path.join(tmp, "source.y4m"))
            for label, options in settings:
                stream = os.path.join(tmp, "out.ivf")
                rate = rate_options(("c" if label.endswith("/cbr") else "b") + args.rate)
                encode([args.ffmpeg, "-v", "error", "-y", "-i", source.path] + shlex.split(options) + rate,
                       stream, 2 if label.endswith("2") else 1)
                curves[label] = (psnr_of_frames(args.ffmpeg, stream, source.path),
                                 sizes_of_frames(stream))
        common = numpy.mean([numpy.diff(psnr) for psnr, _ in curves.values()], axis=0)
        for label, (psnr, sizes) in curves.items():
            line, = above.plot(psnr, label=label, linewidth=1)
            below.plot(sizes / 1000, linewidth=1, color=line.get_color())
            steps = numpy.diff(psnr)
            print(f"{name:<28} {label:<12} {sizes.sum() * 8 * source.fps / len(psnr) / 1000:8.1f} kb/s  "
                  f"{psnr.mean():6.2f} dB  changes {numpy.sqrt(((steps - common) ** 2).mean()):.3f} dB, "
                  f"falls {-steps.min():.2f} dB, lowest {psnr.min():.2f} dB", flush=True)
        above.set_ylabel("PSNR-Y, dB")
        above.set_title(f"{name}, {args.rate}")
        above.legend()
        below.set_ylabel("kilobytes")
        below.set_xlabel("frame")
        below.set_yscale("log")
        figure.tight_layout()
        figure.savefig(os.path.join(args.out, f"{name}.png"), dpi=80)
        plt.close(figure)


if __name__ == "__main__":
    main()
