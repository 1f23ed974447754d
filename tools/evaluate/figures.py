# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Computes BD-rates, speed-ups and savings from raw figures, and summaries over clips."""

import dataclasses
import math
import statistics

from lib.bdrate import bd_rate
from settings import LEVELS

LEAST_POINTS = 3  # of a curve
# A table keeps these percentiles of a distribution.
PERCENTILES = (0, 5, 10, 20, 30, 40, 50, 60, 70, 80, 90, 95, 98, 99, 100)
START = 2  # frames of the short encode that shows the time of the start


def rows_of(table, encoder, setting, kind, **fixed):
    """A setting's rows by clip; kind: the first letter of their points."""
    found = {}
    for row in table.rows:
        if (row["encoder"], row["setting"], row["point"][0]) == (encoder, setting, kind) and all(
                row[k] == str(v) for k, v in fixed.items()):
            found.setdefault(row["clip"], []).append(row)
    return found


def clips_of(table):
    """Names of clips, from the smallest picture to the largest."""
    def size(note):
        width, height = note["size"].split("x")
        return int(height), int(width), note["clip"]
    return [n["clip"] for n in sorted(table.notes.get("clip", []), key=size)]


def qualities(rows, metric):
    def quality(row):
        value = float(row[metric])
        # SSIM in dB: near 1 small differences count
        return -10 * math.log10(max(1 - value, 1e-9)) if metric == "ssim_y" \
            else min(value, 100)
    # Two runs may contain the same encode.
    return list(dict.fromkeys((float(r["kbps"]), quality(r)) for r in rows if r[metric]))


def bd_by_clip(table, anchor, other, kind, metric="psnr_y"):
    """BD-rate in percent by clip, NaN without common qualities; anchor, other: (encoder, setting)."""
    first, second = rows_of(table, *anchor, kind), rows_of(table, *other, kind)
    found = {}
    for clip in clips_of(table):
        curves = [qualities(rows.get(clip, []), metric) for rows in (first, second)]
        if all(len(c) >= LEAST_POINTS for c in curves):
            found[clip] = bd_rate(*curves)
    return found


def per_frame(row, column="cpu_s"):
    return float(row[column]) / int(row["frames"])


def frame_times_by_point(rows, column):
    """Seconds per frame by (point, run), without the start if it was measured."""
    starts = {(r["point"], r["run"]): float(r[column]) for r in rows if int(r["frames"]) == START}
    found = {}
    for r in rows:
        key = r["point"], r["run"]
        if int(r["frames"]) > START:
            found[key] = (float(r[column]) - starts[key]) / (int(r["frames"]) - START) \
                if key in starts else per_frame(r, column)
    return found


def ratio_by_clip(table, anchor, other, kind, column="cpu_s"):
    """A setting's time divided by the anchor's: the geometric mean over points coded in one run.
    Empty unless both coded every clip, so that means are over all clips."""
    first, second = rows_of(table, *anchor, kind), rows_of(table, *other, kind)
    found = {}
    for clip in clips_of(table):
        a, b = (frame_times_by_point(rows.get(clip, []), column) for rows in (first, second))
        ratios = [b[key] / a[key] for key in b if a.get(key, 0) > 0 and b[key] > 0]
        if ratios:
            found[clip] = statistics.geometric_mean(ratios)
        elif a and b:
            return {}
    return found


@dataclasses.dataclass
class Summary:
    mean: float
    median: float
    best: float    # the lowest value
    worst: float
    best_clip: str
    worst_clip: str
    clips: int
    apart: tuple   # clips that cannot be compared


def summary(by_clip, mean=statistics.fmean):
    known = {c: v for c, v in by_clip.items() if not math.isnan(v)}
    if not known:
        return None
    best, worst = min(known, key=known.get), max(known, key=known.get)
    return Summary(mean(known.values()), statistics.median(known.values()), known[best],
                   known[worst], best, worst, len(known), tuple(c for c in by_clip if c not in known))


def saving(ratio):
    """Percentage of time that a ratio saves."""
    return 100 * (1 - ratio)


def long_and_start(table, encoder, setting, clip, **fixed):
    """Pairs of rows: a clip's encode, and its start alone."""
    rows = rows_of(table, encoder, setting, "q", **fixed).get(clip, [])
    starts = {(r["point"], r["repeat"], r["threads"], r["run"]): r for r in rows
              if int(r["frames"]) == START}
    return [(r, starts[key]) for r in rows if int(r["frames"]) > START
            if (key := (r["point"], r["repeat"], r["threads"], r["run"])) in starts]


def frame_times(table, encoder, setting, clip, column="cpu_s", **fixed):
    """Milliseconds per frame with the start and without it, medians of all runs; None if not
    measured."""
    pairs = long_and_start(table, encoder, setting, clip, **fixed)
    if not pairs:
        return None
    whole = [1e3 * per_frame(r, column) for r, _ in pairs]
    rest = [1e3 * (float(r[column]) - float(s[column])) / (int(r["frames"]) - int(s["frames"]))
            for r, s in pairs]
    return statistics.median(whole), statistics.median(rest)


def speed_ups(table, anchor, other, column="cpu_s", **fixed):
    """Times faster than the anchor by clip: ({with the start}, {without})."""
    whole, rest = {}, {}
    for clip in clips_of(table):
        a, b = (frame_times(table, *s, clip, column, **fixed) for s in (anchor, other))
        if a and b:
            whole[clip] = a[0] / b[0]
            if a[1] > 0 and b[1] > 0:
                rest[clip] = a[1] / b[1]
    return whole, rest


def settings_of(table, encoder=None):
    """(encoder, setting) in the order of LEVELS, then others, else in the order of measurement."""
    levels = list(LEVELS)
    found = [(n["encoder"], n["setting"]) for n in table.notes.get("setting", [])
             if encoder in (None, n["encoder"])]
    return sorted(found, key=lambda one: levels.index(base) if (base := one[1].split(",")[0]) in levels
                  else len(levels))


def frontier(table, kind, anchor=("stock", "best")):
    """[(series, label, speed-up in CPU time, BD-rate)] of all settings that have both; empty if
    they are of one encoder."""
    points = []
    for encoder, setting in settings_of(table):
        bd = summary(bd_by_clip(table, anchor, (encoder, setting), kind))
        times = ratio_by_clip(table, anchor, (encoder, setting), kind)
        if bd and times:
            points.append((encoder, setting, 1 / statistics.geometric_mean(times.values()), bd.mean))
    return points if len({p[0] for p in points}) > 1 else []


def without_times(table):
    """[(setting, clip)] without times, or without times of the start, of some encoder."""
    missing = {}
    for encoder, setting in settings_of(table):
        for clip in clips_of(table):
            if not frame_times(table, encoder, setting, clip):
                missing[setting, clip] = None
    return list(missing)
