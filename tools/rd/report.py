#!/usr/bin/env python3
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""BD-rate and speed of every setting of a sweep against an anchor, as Markdown.

  report.py out.tsv ANCHOR [--times times.tsv] [--plot frontier.svg]

BD-rate is bdrate.py's; negative needs less rate. --plot needs matplotlib (Debian:
python3-matplotlib). Settings named "SERIES: NAME" are plotted as one line.
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


def speed(anchor, other, start):
    """Geometric mean of the ratios of CPU and of wall time; start is other's fixed share."""
    common = [(anchor[c][p], other[c][p]) for c in anchor for p in anchor[c]
              if p in other.get(c, {})]
    return [geometric_mean([a[k] / max(b[k] - start, 1e-2) for a, b in common])
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
            if key == "ssim_y":  # in dB, so that the scale is not squeezed at the top
                return [(points[p]["kbps"], -10 * math.log10(1 - points[p][key])) for p in common]
            return [(points[p]["kbps"], points[p][key]) for p in common]

        out[clip] = (bd_rate(curve(a, "psnr_y"), curve(b, "psnr_y")),
                     bd_rate(curve(a, "ssim_y"), curve(b, "ssim_y")))
    return out


def plot(path, frontier, anchor):
    """Every setting at its speed-up and BD-rate, a line through each series."""
    import matplotlib
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "frontier"  # the same figures, the same file
    from matplotlib import pyplot
    figure, axes = pyplot.subplots(figsize=(9, 6))
    series = collections.defaultdict(list)
    for name, point in frontier.items():
        group, _, label = name.rpartition(": ")
        series[group].append((*point, label))
    for group, points in series.items():
        points.sort()
        axes.plot([p[0] for p in points], [p[1] for p in points], "o-" if group else "o",
                  label=group or None)
        for cpu, bd, label in points:
            axes.annotate(label, (cpu, bd), xytext=(4, 4), textcoords="offset points", fontsize=7)
    axes.set_xscale("log")
    axes.set_yscale("symlog", linthresh=10)  # stock's fastest settings are far off
    ticks = [t for t in (1, 2, 3, 5, 8, 12, 20, 30, 50) if t <= 1.5 * max(p[0] for p in frontier.values())]
    axes.set_xticks(ticks, [f"{t}×" for t in ticks], minor=False)
    axes.set_xticks([], minor=True)
    ticks = [-5, 0, 5, 10, 20, 40, 80, 160]
    axes.set_yticks(ticks, [f"{t:+d} %" for t in ticks])
    axes.set_xlabel(f"CPU speed-up over {anchor}")
    axes.set_ylabel(f"BD-rate against {anchor}, PSNR-Y")
    axes.grid(True, alpha=0.3)
    if any(series):
        axes.legend(loc="lower right")
    metadata = {"Date": None} if path.endswith(".svg") else None
    figure.savefig(path, dpi=120, bbox_inches="tight", metadata=metadata)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sweep")
    parser.add_argument("anchor")
    parser.add_argument("--times", help="the sweep to take times from, if not the same")
    parser.add_argument("--start", default="", metavar="SERIES=SECONDS",
                        help="CPU seconds of each encode of a series that are not the frames'")
    parser.add_argument("--plot", metavar="FILE", help="BD-rate over CPU speed-up of all settings")
    args = parser.parse_args()
    data = load(args.sweep)
    times = load(args.times) if args.times else data
    start_series, _, start = args.start.partition("=")
    anchor = data[args.anchor]
    clips = list(anchor)
    print("| setting | " + " | ".join(clips) + " | mean | mean by SSIM | CPU | wall |")
    print("|---|" + "---|" * (len(clips) + 4))
    frontier = {}
    for name, setting in data.items():
        result = compare(anchor, setting)
        cells = [f"{result[c][0]:+.2f}" if c in result else "" for c in clips]
        bd, ssim = (mean([r[i] for r in result.values()]) for i in (0, 1))
        ours = args.start and name.startswith(f"{start_series}: ")
        cpu, wall = speed(times[args.anchor], times[name], float(start) if ours else 0.0)
        frontier[name] = (cpu, bd)
        print(f"| {name} | " + " | ".join(cells) +
              f" | {bd:+.2f} % | {ssim:+.2f} % | {cpu:.2f}× | {wall:.2f}× |")
    if args.plot:
        plot(args.plot, frontier, args.anchor)


if __name__ == "__main__":
    main()
