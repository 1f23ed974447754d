#!/usr/bin/env python3
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Prints BD-rate and speed of every setting of a sweep against an anchor, as Markdown.

  report.py out.tsv ANCHOR [--times times.tsv]

BD-rate is that of lib/bdrate.py: negative needs less bitrate than the anchor.
"""

import argparse
import collections
import csv
import math

from lib.bdrate import bd_rate


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def mean(values):
    return sum(values) / len(values) if values else math.nan


def load(path):
    data = collections.defaultdict(lambda: collections.defaultdict(dict))
    with open(path) as f:
        for row in csv.DictReader(f, delimiter="\t"):
            data[row["setting"]][row["clip"]][row["point"]] = {
                k: float(row[k]) for k in ("kbps", "psnr_y", "ssim_y", "user_s", "wall_s")}
    return data


def speed(anchor, other):
    """Geometric means of the ratios of CPU and of wall time, anchor's to other's."""
    common = [(anchor[c][p], other[c][p]) for c in anchor for p in anchor[c]
              if p in other.get(c, {})]
    return [geometric_mean([a[k] / max(b[k], 1e-2) for a, b in common])
            for k in ("user_s", "wall_s")]


def compare(anchor, other):
    """Per clip: BD-rate by PSNR and by SSIM."""
    out = {}
    for clip in anchor:
        common = [p for p in anchor[clip] if p in other.get(clip, {})]
        if len(common) < 2:
            continue
        a, b = anchor[clip], other[clip]

        def curve(points, key):
            if key == "ssim_y":  # in dB: near 1 small differences count
                return [(points[p]["kbps"], -10 * math.log10(1 - points[p][key])) for p in common]
            return [(points[p]["kbps"], points[p][key]) for p in common]

        out[clip] = (bd_rate(curve(a, "psnr_y"), curve(b, "psnr_y")),
                     bd_rate(curve(a, "ssim_y"), curve(b, "ssim_y")))
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sweep")
    parser.add_argument("anchor")
    parser.add_argument("--times", help="the sweep to take times from, if not the same")
    args = parser.parse_args()
    data = load(args.sweep)
    times = load(args.times) if args.times else data
    anchor = data[args.anchor]
    clips = list(anchor)
    print("| setting | " + " | ".join(clips) + " | mean | mean by SSIM | CPU | wall |")
    print("|---|" + "---|" * (len(clips) + 4))
    for name, setting in data.items():
        result = compare(anchor, setting)
        cells = [f"{result[c][0]:+.2f}" if c in result else "" for c in clips]
        bd, ssim = (mean([r[i] for r in result.values()]) for i in (0, 1))
        cpu, wall = speed(times[args.anchor], times[name])
        print(f"| {name} | " + " | ".join(cells) +
              f" | {bd:+.2f} % | {ssim:+.2f} % | {cpu:.2f}× | {wall:.2f}× |")


if __name__ == "__main__":
    main()
