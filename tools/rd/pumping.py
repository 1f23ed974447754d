#!/usr/bin/env python3
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""PSNR-Y and size of each frame over time, to see whether quality pumps.

  pumping.py OUT_DIR --rate 300k --set 'stock=-c:v libvpx -deadline best' \\
             --set 'ours=-c:v vp8_cudame -deadline best' CLIP...

Each clip is played forwards and backwards for --frames frames and encoded with each setting at
--rate; a setting whose name ends with "2" in two passes, one with "/cbr" at a constant bitrate with
a buffer of a second. A PNG shows PSNR-Y and kilobytes of the frames shown, which a hidden frame's
bytes precede. A line says, of each setting: kb/s, mean PSNR-Y, and how it changes from frame to
frame beyond what the source does to all settings: the root mean square, and the largest fall.
Needs numpy and matplotlib.
"""

import argparse
import os
import re
import shlex
import tempfile

import matplotlib
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy  # noqa: E402

from encoding import encode, raw_clip, rate_options, run  # noqa: E402


def back_and_forth(y4m, frames):
    """The clip forwards, backwards and so on, as another file beside it."""
    with open(y4m, "rb") as f:
        raw = f.read()
    header = raw.index(b"\n") + 1
    width, height = (int(re.search(rb" %c(\d+)" % k, raw[:header])[1]) for k in b"WH")
    size = len(b"FRAME\n") + width * height + 2 * ((width + 1) // 2) * ((height + 1) // 2)
    count = (len(raw) - header) // size
    order = list(range(count)) + list(range(count - 1, -1, -1))
    path = y4m.replace(".y4m", f"-{frames}.y4m")
    with open(path, "wb") as f:
        f.write(raw[:header])
        for i in range(frames):
            at = header + order[i % len(order)] * size
            f.write(raw[at:at + size])
    rate = re.search(rb" F(\d+):(\d+)", raw[:header])
    return path, int(rate[1]) / int(rate[2])


def psnr_of_frames(ffmpeg, stream, source, log):
    graph = (f"[0:v]settb=1/1000,setpts=N[a];[1:v]settb=1/1000,setpts=N[b];"
             f"[a][b]psnr=stats_file={log}")
    run([ffmpeg, "-v", "error", "-i", stream, "-i", source, "-lavfi", graph, "-f", "null", "-"])
    with open(log) as f:
        found = [re.search(r" psnr_y:([\d.]+|inf)", line)[1] for line in f]
    return numpy.minimum(numpy.array(found, float), 60)


def sizes_of_frames(stream):
    """Bytes from one shown frame to the next: RFC 6386 section 9.1, show_frame."""
    with open(stream, "rb") as f:
        data = f.read()
    at, sizes, hidden = 32, [], 0
    while at + 12 <= len(data):
        size = int.from_bytes(data[at:at + 4], "little")
        at += 12 + size
        if size and not data[at - size] & 0x10:
            hidden += size
            continue
        sizes.append(hidden + size)
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
            source, fps = back_and_forth(raw_clip(args.ffmpeg, clip, args.frames, tmp), args.frames)
            for label, options in settings:
                stream = os.path.join(tmp, "out.ivf")
                rate = rate_options(("c" if label.endswith("/cbr") else "b") + args.rate)
                encode([args.ffmpeg, "-v", "error", "-y", "-i", source] + shlex.split(options) + rate,
                       stream, 2 if label.endswith("2") else 1)
                curves[label] = (psnr_of_frames(args.ffmpeg, stream, source, os.path.join(tmp, "log")),
                                 sizes_of_frames(stream))
        common = numpy.mean([numpy.diff(psnr) for psnr, _ in curves.values()], axis=0)
        for label, (psnr, sizes) in curves.items():
            line, = above.plot(psnr, label=label, linewidth=1)
            below.plot(sizes / 1000, linewidth=1, color=line.get_color())
            steps = numpy.diff(psnr)
            print(f"{name:<28} {label:<12} {sizes.sum() * 8 * fps / len(psnr) / 1000:8.1f} kb/s  "
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
