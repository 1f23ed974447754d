# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Draws plots with matplotlib. A file holds the checksum of its figures."""

import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams["svg.hashsalt"] = "vp8_cudame"  # the same figures, the same file

from matplotlib import pyplot  # noqa: E402
from matplotlib.ticker import LogFormatter  # noqa: E402
from matplotlib.transforms import Bbox  # noqa: E402

from figures import PERCENTILES  # noqa: E402
from lib.markdown import setting_name  # noqa: E402
from plotdata import TIMELINE  # noqa: E402

NAMES = {"stock": "stock libvpx", "ours": "vp8_cudame, CPU", "cuda": "vp8_cudame, GPU",
         "auto": "vp8_cudame, auto"}
COLOURS = {"stock": "tab:red", "ours": "tab:blue", "cuda": "tab:green", "auto": "tab:purple",
           "x264 baseline": "tab:gray", "x264 high": "black", "SVT-AV1": "tab:brown"}
# Offsets of a label from its data point, in points, nearest first.
PLACES = [(x, y) for far in (5, 12, 20, 30, 42) for x, y in
          ((far, 3), (far, -far), (-far, 3), (-far, -far), (far, far), (-far, far), (0, far),
           (0, -far - 4))]
# Offsets at the right ends of lines.
BEHIND = [(7, y) for far in (3, 12, 22, 32, 42) for y in (far, -far)]


def place_labels(figure, axes, labels, places=PLACES):
    """Annotate (x, y, text, colour) so that labels do not cover each other or data points."""
    figure.canvas.draw()
    dots = axes.transData.transform([(x, y) for x, y, _, _ in labels])
    taken = [Bbox.from_bounds(x - 5, y - 5, 10, 10) for x, y in dots]
    inside = axes.get_window_extent()
    for (x, y, text, colour), own in zip(labels, list(taken)):
        label = None
        for dx, dy in places:
            if label:
                label.remove()
            label = axes.annotate(
                text, (x, y), xytext=(dx, dy), textcoords="offset points", fontsize=8, color=colour,
                ha="right" if dx < 0 else "left" if dx else "center",
                arrowprops={"arrowstyle": "-", "color": colour, "lw": 0.5, "alpha": 0.6}
                if max(abs(dx), abs(dy)) > 8 else None)
            box = label.get_window_extent(figure.canvas.get_renderer())
            if not any(box.overlaps(t) for t in taken if t is not own) and \
                    inside.x0 <= box.x0 and box.x1 <= inside.x1 and \
                    inside.y0 <= box.y0 and box.y1 <= inside.y1:
                break
        taken.append(box)


def plain(axis):
    """Label a logarithmic axis with plain numbers."""
    axis.set_major_formatter("{x:g}")
    axis.set_minor_formatter(LogFormatter(labelOnlyBase=False, minor_thresholds=(2, 0.5)))


def finish(figure, path, total):
    figure.savefig(path, bbox_inches="tight",
                   metadata={"Date": None, "Description": f"figures {total}"} if path.endswith(".svg")
                   else None)
    pyplot.close(figure)


def frontier(data, path, total, title):
    figure, axes = pyplot.subplots(figsize=(9, 6))
    labels = []
    for encoder in dict.fromkeys(d[0] for d in data):
        points = sorted((x, y, s) for e, s, x, y in data if e == encoder)
        colour = COLOURS.get(encoder)
        # one line through the settings with one pass
        line = [p for p in points if "," not in p[2]]
        axes.plot([p[0] for p in line], [p[1] for p in line], "-", color=colour, alpha=0.5)
        axes.plot([p[0] for p in points], [p[1] for p in points], "o", color=colour,
                  label=NAMES.get(encoder, encoder))
        labels += [(x, y, setting_name(s), colour) for x, y, s in points]
    axes.set_xscale("log")
    axes.set_yscale("symlog", linthresh=20)
    axes.margins(0.12)
    low, high = axes.get_xlim()
    ticks = [t for t in (0.25, 0.5, 1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120) if low < t < high]
    axes.set_xticks(ticks, [f"{t:g}×" for t in ticks])
    axes.set_xticks([], minor=True)
    low, high = axes.get_ylim()
    ticks = [t for t in (-60, -40, -20, -10, 0, 10, 20, 40, 80, 160, 320) if low < t < high]
    axes.set_yticks(ticks, [f"{t:+d} %" for t in ticks])
    axes.set_yticks([], minor=True)
    axes.set_xlabel("speed-up in CPU time over stock best in one pass")
    axes.set_ylabel("BD-rate by PSNR-Y against stock best, lower is better")
    axes.set_title(title)
    axes.grid(True, alpha=0.3)
    axes.legend(loc="upper left")
    place_labels(figure, axes, labels)
    finish(figure, path, total)


def threads(data, path, total):
    figure, axes = pyplot.subplots(figsize=(9, 5))
    styles = ("-", "--", ":", "-.")
    settings = list(dict.fromkeys(s for _, s, _ in data))
    labels = []
    for encoder, setting, points in data:
        colour = COLOURS[encoder]
        axes.plot(*zip(*points), "o" + styles[settings.index(setting) % len(styles)], color=colour)
        labels.append((*points[-1], f"{NAMES[encoder]}, {setting_name(setting)}", colour))
    axes.set_yscale("log")
    plain(axes.yaxis)
    counts = sorted({n for _, _, points in data for n, _ in points})
    axes.set_xticks(counts)
    axes.set_xlim(right=counts[-1] * 1.5)
    axes.set_xlabel("threads")
    axes.set_ylabel("frames per second")
    axes.grid(True, which="both", alpha=0.3)
    place_labels(figure, axes, labels, BEHIND)
    finish(figure, path, total)


def latency(data, path, total):
    figure, axes = pyplot.subplots(figsize=(9, 5))
    settings = list(dict.fromkeys(s for _, s, _ in data))
    for encoder, setting, values in data:
        axes.plot([float(v) for v in values.split()], PERCENTILES,
                  "--" if settings.index(setting) else "-", color=COLOURS[encoder],
                  label=f"{NAMES[encoder]}, {setting_name(setting)}")
    axes.set_xscale("log")
    plain(axes.xaxis)
    axes.set_xlabel("latency in milliseconds, from frame to packet")
    axes.set_ylabel("percentage of frames")
    axes.grid(True, which="both", alpha=0.3)
    axes.legend(loc="lower right")
    finish(figure, path, total)


def timeline(data, path, total):
    """A bar per encoder with a frame's stages; the GPU's search is below."""
    figure, axes = pyplot.subplots(figsize=(9, 0.9 + 0.8 * len(data)))
    names = {"hand": "hand over the source", "wait": "search rows, or wait for them",
             "filter": "loop-filter levels on the GPU", "end": "end of frame", "libvpx": "libvpx"}
    colours = dict(zip(TIMELINE, ("tab:orange", "tab:green", "tab:purple", "tab:olive", "lightgray")))
    for y, (encoder, _, parts) in enumerate(data):
        at = 0.0
        for part in TIMELINE:
            axes.barh(-y, parts[part] / 1e3, left=at, height=0.36, color=colours[part],
                      label=None if y else names[part])
            at += parts[part] / 1e3
        if encoder == "cuda":
            axes.barh(-y - 0.3, parts["search"] / 1e3, left=parts["hand"] / 1e3, height=0.18,
                      color="tab:red", label="the GPU's search")
    axes.set_yticks([-y for y in range(len(data))],
                    [f"{NAMES[e]}\n{setting_name(s)}" for e, s, _ in data])
    axes.set_xlabel("time of one frame in milliseconds")
    handles, labels = axes.get_legend_handles_labels()
    first = dict(zip(labels[::-1], handles[::-1]))
    axes.legend(first.values(), first.keys(), loc="center left", bbox_to_anchor=(1, 0.5), fontsize=8)
    finish(figure, path, total)


def streams(data, path, total):
    """Bars: live streams that a machine carries, by size and machine."""
    figure, axes = pyplot.subplots(figsize=(9, 0.9 + 0.32 * len(data)))
    as_encodes = {"stock": "stock", "cpu": "ours", "gpu": "cuda"}
    y, ticks = 0.0, []
    for machine in dict.fromkeys((size, cores) for size, _, _, _, cores, _, _ in data):
        for size, encoder, setting, count_of_threads, cores, gpus, count in data:
            if (size, cores) == machine:
                name = as_encodes[encoder]
                axes.barh(y, count, height=0.8, color=COLOURS[name])
                axes.annotate(str(count), (count, y), xytext=(4, 0), textcoords="offset points", va="center", fontsize=8)
                ticks.append((y, f"{size.replace('x', '×')}, {cores} cores" + (f" + {gpus} GPU{'s' * (gpus > 1)}" if gpus else "") +
                              f": {NAMES[name]}, {setting_name(setting)}, {count_of_threads} thread{'s' * (count_of_threads > 1)}"))
                y -= 1
        y -= 0.6
    axes.set_yticks(*zip(*ticks), fontsize=8)
    axes.set_xlabel("live streams at 30 frames per second")
    axes.grid(True, axis="x", alpha=0.3)
    finish(figure, path, total)


DRAW = {
    "frontier-quantizers": lambda *a: frontier(*a, "Bitrate against CPU time at fixed quantizers"),
    "frontier-bitrates": lambda *a: frontier(*a, "Bitrate against CPU time at variable bitrates"),
    "threads": threads,
    "latency": latency,
    "timeline": timeline,
    "streams": streams,
}


def draw(name, data, total, path):
    DRAW[name](data, path, total)
