#!/usr/bin/env python3
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""BD-rate and speed of every setting of a sweep against an anchor, as Markdown.

  report.py out.tsv ANCHOR [--plot frontier.png]

BD-rate: difference of the mean log bitrate over the common range of quality, by
piecewise cubic (PCHIP) interpolation; negative needs less rate. Needs scipy,
and matplotlib for --plot (Debian: python3-scipy python3-matplotlib).
"""

import argparse
import collections
import csv
import math

from scipy.interpolate import PchipInterpolator


def bd_rate(anchor, other):
    """Percent, from two lists of (kbps, quality)."""
    curves = []
    for points in (anchor, other):
        points = sorted((q, math.log(r)) for r, q in points)
        curves.append(([p[0] for p in points], [p[1] for p in points]))
    low = max(c[0][0] for c in curves)
    high = min(c[0][-1] for c in curves)
    if not low < high:
        return math.nan
    area = [PchipInterpolator(*c).integrate(low, high) for c in curves]
    return (math.exp((area[1] - area[0]) / (high - low)) - 1) * 100


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


def compare(anchor, other):
    """Per clip: BD-rate by PSNR and by SSIM, CPU and wall ratio."""
    out = {}
    for clip in anchor:
        common = [p for p in anchor[clip] if p in other.get(clip, {})]
        if len(common) < 2:
            continue
        a, b = anchor[clip], other[clip]

        def curve(points, key):
            if key == "ssim_y":  # in dB, so that the scale is not squeezed at the top
                return [(points[p]["kbps"], -10 * math.log10(1 - points[p][key])) for p in common]
            return [(points[p]["kbps"], points[p][key]) for p in common]

        out[clip] = (bd_rate(curve(a, "psnr_y"), curve(b, "psnr_y")),
                     bd_rate(curve(a, "ssim_y"), curve(b, "ssim_y")),
                     geometric_mean([a[p]["user_s"] / max(b[p]["user_s"], 1e-2) for p in common]),
                     geometric_mean([a[p]["wall_s"] / max(b[p]["wall_s"], 1e-2) for p in common]))
    return out


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sweep")
    parser.add_argument("anchor")
    parser.add_argument("--plot", metavar="PNG", help="BD-rate over CPU speed-up of all settings")
    args = parser.parse_args()
    data = load(args.sweep)
    anchor = data[args.anchor]
    clips = list(anchor)
    print("| setting | " + " | ".join(clips) + " | mean | mean by SSIM | CPU | wall |")
    print("|---|" + "---|" * (len(clips) + 4))
    frontier = {}
    for name, setting in data.items():
        result = compare(anchor, setting)
        cells = [f"{result[c][0]:+.2f}" if c in result else "" for c in clips]
        bd, ssim, cpu, wall = (f([r[i] for r in result.values()]) for i, f in
                               enumerate((mean, mean, geometric_mean, geometric_mean)))
        frontier[name] = (cpu, bd)
        print(f"| {name} | " + " | ".join(cells) +
              f" | {bd:+.2f} % | {ssim:+.2f} % | {cpu:.2f}× | {wall:.2f}× |")
    if args.plot:
        import matplotlib
        matplotlib.use("Agg")
        from matplotlib import pyplot
        figure, axes = pyplot.subplots(figsize=(9, 6))
        for name, (cpu, bd) in frontier.items():
            axes.plot(cpu, bd, "o")
            axes.annotate(name, (cpu, bd), xytext=(4, 4), textcoords="offset points", fontsize=8)
        axes.set_xscale("log")
        axes.set_xlabel(f"CPU speed-up over {args.anchor}")
        axes.set_ylabel(f"BD-rate against {args.anchor}, PSNR-Y (%)")
        axes.grid(True, alpha=0.3)
        figure.savefig(args.plot, dpi=120, bbox_inches="tight")


if __name__ == "__main__":
    main()
