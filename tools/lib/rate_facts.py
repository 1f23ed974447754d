# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""A coded stream by second, as a viewer sees it, and the comparison with another encoder's."""

import dataclasses

from lib import vp8

# of doc/results/rate.tsv
FIELDS = "scenario setting encoder kbits db largest_ms step_db lowest violations run".split()
KEY = FIELDS[:3]

LEAST_DB = 0.3       # smallest difference that counts
MORE_BITS = 1.1      # factor above which bits are more
LEAST_BITS = 0.97    # of the bits that can be spent
EXACT_DB = 60        # above it, nobody sees a difference
MOST_MS = 120        # of the channel, that a frame may take
MOST_TIMES = 1.2     # of the other encoder's largest frame


def packets(path, scenario):
    """(seconds, bits, is a key frame, is shown) of each frame of an IVF file. A hidden frame has the
    time of the next shown one. The times are the source's: stock moves those of all frames that
    follow a hidden one."""
    frames, shown = [], 0
    for _, data in vp8.frames_of_ivf(path):
        is_shown = bool(data[0] & 16)
        frames.append((scenario.time(min(shown, scenario.frames - 1)), len(data) * 8,
                       not data[0] & 1, is_shown))
        shown += is_shown
    return frames


@dataclasses.dataclass
class Facts:
    kbits: list          # by second
    db: list             # mean PSNR-Y by second
    largest_ms: float    # of the channel, largest frame that is no key frame and no cut
    step_db: float       # largest difference of PSNR-Y between a frame and the next, after a second
    lowest: float        # level of a leaky bucket, percent of its size
    violations: int      # frames after which that bucket is empty

    @classmethod
    def of(cls, frames, db, scenario, setting):
        """frames: packets(); db: PSNR-Y by frame."""
        rate = scenario.kbps * 1000
        shown = [f for f in frames if f[3]]
        cuts = {shown[n][0] for n in scenario.cuts}
        seconds = int(max(f[0] for f in frames)) + 1
        bits, quality = [0] * seconds, [[] for _ in range(seconds)]
        size = rate * (setting.buffer or 1)
        level = lowest = size * 0.75
        last, violations = 0.0, 0
        for t, n, _, _ in frames:
            bits[int(t)] += n
            level = min(size, level + (t - last) * rate * setting.peak) - n
            last = t
            lowest = min(lowest, level)
            violations += level < 0
        for (t, _, _, _), q in zip(shown, db):
            quality[int(t)].append(q)
        return cls([b / 1000 for b in bits],
                   [sum(q) / len(q) if q else 0.0 for q in quality],
                   max([n for t, n, is_key, _ in frames if not is_key and t not in cuts] or [0]) *
                   1000 / rate,
                   max([abs(a - b) for a, b in zip(db[scenario.fps:], db[scenario.fps + 1:])] or [0.0]),
                   lowest / size * 100, violations)

    def mean_db(self):
        return sum(self.db) / len(self.db)

    def worst_db(self):
        """The lowest PSNR-Y of a second that has frames."""
        return min((db for db in self.db if db > 0), default=0)

    def figures(self, fault):
        """The figures of a fault, as a text."""
        if fault.startswith("PSNR-Y"):
            seconds = [int(i) for i in fault.split()[3:]][:5]
            return ", ".join(f"{self.db[i]:.1f} dB at {self.kbits[i]:.0f} kb/s" for i in seconds)
        return {"largest frame": f"{self.largest_ms:.0f} ms", "step": f"{self.step_db:.1f} dB",
                "violations": f"{self.violations} frames"}[fault]


def worse_seconds(stock, ours, kbps, is_channel):
    """Seconds in which ours looks worse although stock does not spend more, or ours leaves a channel
    idle. The channel has no bits above the bitrate."""
    has = min(sum(stock.kbits), kbps * len(stock.kbits))
    is_short = is_channel and sum(ours.kbits) < LEAST_BITS * has
    found = []
    for i, (a, b) in enumerate(zip(stock.db, ours.db)):
        if b >= min(a - LEAST_DB, EXACT_DB):
            continue
        if stock.kbits[i] <= MORE_BITS * max(ours.kbits[i], 0.001) or (
                is_short and ours.kbits[i] < 0.9 * stock.kbits[i]):
            found.append(i)
    return found


def faults(scenario, setting, stock, ours):
    """In what ours is worse than stock's stream, as texts."""
    found = []
    seconds = worse_seconds(stock, ours, scenario.kbps, setting.is_channel)
    if seconds:
        found.append("PSNR-Y in seconds " + " ".join(map(str, seconds)))
    if not setting.buffer:
        return found
    if setting.is_channel and ours.largest_ms > max(MOST_MS, MOST_TIMES * stock.largest_ms, 2000 / scenario.fps):
        found.append("largest frame")
    if ours.violations > stock.violations:
        found.append("violations")
    if not scenario.is_changing and ours.step_db > stock.step_db + 1:
        found.append("step")
    return found


def row_of(facts):
    return {"kbits": " ".join(f"{x:.1f}" for x in facts.kbits),
            "db": " ".join(f"{x:.2f}" for x in facts.db), "largest_ms": f"{facts.largest_ms:.0f}",
            "step_db": f"{facts.step_db:.2f}", "lowest": f"{facts.lowest:.0f}",
            "violations": str(facts.violations)}


def facts_of(row):
    def numbers(text):
        return [float(x) for x in text.split()]
    return Facts(numbers(row["kbits"]), numbers(row["db"]), float(row["largest_ms"]),
                 float(row["step_db"]), float(row["lowest"]), int(row["violations"]))
