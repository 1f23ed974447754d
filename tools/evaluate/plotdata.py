# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""The figures of plots, rounded to visible precision, so that an unchanged table keeps its plot."""

import figures


def frontier(name, kind):
    def make(tables):
        return [(e, s, round(x, 3), round(y, 2)) for e, s, x, y in figures.frontier(tables[name], kind)]
    return make


def threads(tables):
    """[(encoder, setting, [(threads, frames a second)])] of the largest clip."""
    table = tables["threads"]
    clip = figures.clips_of(table)[-1]
    lines = []
    for encoder, setting in figures.settings_of(table):
        points = []
        for n in sorted({int(r["threads"]) for r in table.rows}):
            times = figures.frame_times(table, encoder, setting, clip, "wall_s", threads=n)
            if times and times[1] > 0:
                points.append((n, round(1e3 / times[1], 2)))
        if points:
            lines.append((encoder, setting, points))
    return lines


def latency(tables):
    """[(encoder, setting, [milliseconds by percentile])] of the largest clip, one thread."""
    table = tables["latency"]
    clip = figures.clips_of(table)[-1]
    return sorted((r["encoder"], r["setting"], r["latency_ms"]) for r in table.rows
                  if r["clip"] == clip and r["threads"] == "1")


# Consecutive stages of a frame on libvpx's thread. The GPU searches at the same time.
TIMELINE = ("hand", "wait", "filter", "end", "libvpx")


def timeline(tables):
    """[(encoder, setting, {part: microseconds})] of a frame of the largest clip, one thread."""
    table = tables["latency"]
    clip = figures.clips_of(table)[-1]
    found = []
    for row in table.rows:
        if row["clip"] != clip or row["threads"] != "1" or not row["trace_us"]:
            continue
        us = {k: float(v) for k, v in (part.split("=") for part in row["trace_us"].split())}
        us["hand"] = us.pop("begin") + us.pop("ref")
        us["libvpx"] = us["frame"] - sum(us[p] for p in TIMELINE[:-1])
        found.append((row["encoder"], row["setting"], dict(sorted(us.items()))))
    return sorted(found, key=lambda f: f[:2])


def streams(tables):
    """[(size, encoder, setting, threads, cores, GPUs, streams)] of one process."""
    return [(r["size"], r["encoder"], r["speed"], int(r["threads"]), int(r["cores"]), int(r["gpus"]), int(r["streams"]))
            for r in tables["density"].rows if r["processes"] == "one"]


PLOTS = {"frontier-quantizers": frontier("quantizers", "q"),
         "frontier-bitrates": frontier("bitrates", "b"), "threads": threads, "latency": latency, "timeline": timeline,
         "streams": streams}
