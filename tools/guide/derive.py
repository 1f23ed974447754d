#!/usr/bin/env python3
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Derive the levels of the guided mode decision from logged decisions.

  derive.py LOG... [--slopes 1,4,10]

Each macroblock of a log (see log.sh) holds the estimate and the RD cost of every candidate.
This replays the rules of mp/mode/inter.c, rank.c, split.c and evaluate.c, and computes the loss of
a set of thresholds and the time of its evaluations. Loss: RD cost lost, relative to the RD cost of
all rate, which is about percent of bitrate at equal quality. The thresholds of a quantizer minimize

    loss + slope * time

with the time in microseconds a macroblock, as measured when the log was made. So all rules lose the
same for each microsecond saved, and one number, the slope, makes a level. Prints each level as
mp/mode/level.c has it, and as VP8_MP_MODE_LEVEL, which build/bin/ffmpeg-guide takes from the
environment. To try a level there, use -guide safe, or -guide aggressive for one of realtime.
Needs numpy.
"""

import argparse
import collections
import os

import numpy as np

import guidelog

BIG = 2.0 ** 40
MODES = 7, 5, 6, 8  # ZEROMV, NEARESTMV, NEARMV, NEWMV
# Values to try for each member of vp8_mp_mode_level after lambda, in its order. Limits are in permille.
GRID = collections.OrderedDict(
    refs=(1000, 1050, 1100, 1150, 1200, 1250, 1300, 1400, 1600, 2000, 3000, 5000),
    inter16x16=(1000, 1005, 1010, 1020, 1030, 1040, 1050, 1060, 1080, 1100, 1130, 1160, 1200, 1300),
    max_inter16x16=(1, 2, 3, 4),
    split=(850, 900, 930, 950, 970, 980, 990, 1000, 1010, 1020, 1035, 1050, 1070, 1090, 1120, 1150, 1200, 1250),
    partitionings=(1000, 1005, 1010, 1020, 1030, 1050, 1070, 1100, 1150, 1200),
    bpred=(500, 550, 600, 650, 700, 750, 800, 850, 900, 950, 1000, 1050, 1100, 1200, 1300),
    intra16x16=(500, 550, 600, 650, 700, 750, 800, 850, 900, 950, 1000, 1050, 1100, 1200),
    sole=(1000, 1005, 1010, 1020, 1030, 1040, 1060, 1080, 1100, 1150, 1200, 1300, 2000),
    bound=(0, 800, 850, 900, 950, 1000, 1050, 1100, 1150, 1200),
    fewer_modes=(0, 1, 2),
    split_best=(0, 1),
    # Not modelled: logs have only one plan of each partitioning.
    more_splits=(0,),
    splits=(1000,))
START = dict(refs=2000, inter16x16=1100, max_inter16x16=4, split=1080, partitionings=1050,
             bpred=1000, intra16x16=900, sole=1080, bound=900, fewer_modes=0, split_best=0,
             more_splits=0, splits=1000)


def known(values):
    return np.where(values == 0, BIG, values).astype(float)


class Clip:
    """One log, and all that can be computed from it without thresholds."""

    def __init__(self, log):
        inter, split = log["inter"], log["split"]
        has = inter["ref"] > 0
        lam = log["lambda"].astype(float)
        self.n = len(log)
        self.ref = inter["ref"]
        self.cost = np.where(has, inter["cost"], BIG)
        self.rd = np.where(has, known(inter["rd"]["rd"]), BIG)
        self.order = sum(i * (inter["mode"] == mode) for i, mode in enumerate(MODES))
        self.dist = known(log["dist"])
        self.estimate = known(split["estimate"])
        self.planned = known(split["cost"])
        self.split_rd = known(split["rd"]["rd"])
        weigh = lambda satd, rate: satd + np.round(lam * rate / 256)
        self.low16 = weigh(log["satd16"].min(1), log["ref_rate"])
        self.cost16 = log["cost16"].astype(float)
        self.cost4 = weigh(log["cost4"], log["bpred_rate"])
        self.intra16 = known(log["intra16"]["rd"])
        self.bpred = known(log["bpred"]["rd"])

        # Cost and rate by reference and mode, in the order of ranking.
        self.ranked_cost = np.full((self.n, 3, 4), BIG)
        self.ranked_rate = np.zeros((self.n, 3, 4))
        for ref, mode in np.ndindex(3, 4):
            row, i = np.nonzero(has & (inter["ref"] == ref + 1) & (inter["mode"] == MODES[mode]))
            self.ranked_cost[row, ref, mode] = inter["cost"][row, i]
            self.ranked_rate[row, ref, mode] = lam[row] * inter["rate"][row, i] / 256
        self.found = abs(self.ranked_cost - self.ranked_rate - log["dist"][:, :, None]) <= 1

        rows = np.arange(self.n)
        flat = self.split_rd.reshape(self.n, 12)
        rds = np.column_stack([self.rd.min(1), flat.min(1), self.intra16, self.bpred[:, 0]])
        rates = np.column_stack([
            inter["rd"]["rate"][rows, self.rd.argmin(1)],
            split["rd"]["rate"].reshape(self.n, 12)[rows, flat.argmin(1)],
            log["intra16"]["rate"], log["bpred"]["rate"][:, 0]])
        self.best = rds.min(1)
        self.rate_rd = (rates[rows, rds.argmin(1)].astype(float) * log["rdmult"] / 256).sum()


def times(logs):
    """Microseconds of one evaluation of each kind: the lower quartile, because other processes
    share the machine."""
    log = np.concatenate(logs)
    count = np.column_stack([
        (log["inter"]["ref"] > 0).sum(1), (log["split"][:, :, 3]["cost"] > 0).sum(1),
        (log["split"][:, :, :3]["cost"] > 0).sum((1, 2))])
    per = [count[:, 0], count[:, 1], count[:, 2], 1, 1, 1, 1, count[:, 1], count[:, 2]]
    names = "inter split4 split intra16 bpred bpred2 bpred1 plan4 plan".split()
    return {name: float(np.quantile(log["ns"][:, i] / np.maximum(per[i], 1), 0.25)) / 1000
            for i, name in enumerate(names)}


# Time of a 16x16 candidate's prediction and SATD, and of the first estimates of a reference's
# partitionings, relative to the evaluation of a 16x16 candidate.
RANK_SHARE = 0.15
ESTIMATE_SHARE = 0.12


def rank(c, level, use_ref):
    """Returns which inter 16x16 candidates are ranked, by reference and mode, and which of these
    have to be predicted because the provider does not know their SATD."""
    wide = max(level["sole"], level["inter16x16"]) / 1000 if level["max_inter16x16"] > 1 else 1
    low = np.full(c.n, BIG)
    ranked = np.zeros((c.n, 3, 4), bool)
    for ref in range(3):
        cost = np.where(use_ref[:, ref, None], c.ranked_cost[:, ref], BIG)
        found = c.found[:, ref]
        floor = c.dist[:, ref] * level["bound"] / 1000
        low = np.minimum(low, np.where(found, cost, BIG).min(1))
        for mode in range(4):
            reached = floor + c.ranked_rate[:, ref, mode] <= low * wide
            if not level["bound"]:
                reached[:] = True
            ranked[:, ref, mode] = (cost[:, mode] < BIG) & (found[:, mode] | reached)
            low = np.where(ranked[:, ref, mode], np.minimum(low, cost[:, mode]), low)
    return ranked, ranked & ~c.found


def replay(clip, level, us):
    """Returns the loss in percent of the rate, microseconds a macroblock, and means of a macroblock:
    evaluations of inter 16x16, SPLITMV, intra 16x16 and B_PRED, candidates taken without
    evaluation, and predictions for ranking."""
    c, rows = clip, np.arange(clip.n)
    use_ref = c.dist * 1000 <= c.dist.min(1, keepdims=True) * level["refs"]
    by_mode, computed = rank(c, level, use_ref)
    ranked = by_mode[rows[:, None], c.ref - 1, c.order] & (c.ref > 0)
    cost = np.where(ranked, c.cost, BIG)
    low = cost.min(1)

    split_ref = use_ref
    if level["split_best"]:
        best = c.ref[rows, cost.argmin(1)]
        split_ref = np.arange(1, 4) == best[:, None]
    estimate = np.where(split_ref[:, :, None], c.estimate, BIG)
    lowest = estimate.min((1, 2))
    some = lowest * 1000 <= low * level["split"]
    plan = (estimate * 1000 <= (lowest * level["partitionings"])[:, None, None]) & some[:, None, None]
    planned = np.where(plan, c.planned, BIG).reshape(c.n, 12)
    which = planned.argmin(1)
    split_cost = planned[rows, which]
    low = np.minimum(low, split_cost)
    split = (split_cost * 1000 <= low * level["split"]) & (split_cost < BIG)
    intra16 = ((c.low16 * 1000 <= low * (level["intra16x16"] + 200)) &
               (c.cost16 * 1000 <= low * level["intra16x16"]))
    bpred = c.cost4 * 1000 <= low * level["bpred"]

    order = np.argsort(cost, 1, kind="stable")[:, :level["max_inter16x16"]]
    cost = np.take_along_axis(cost, order, 1)
    inter_rd = np.take_along_axis(c.rd, order, 1)
    inter = (cost * 1000 <= (low * level["inter16x16"])[:, None]) & (cost < BIG)
    inter[:, 0] = True
    split_rd = c.split_rd.reshape(c.n, 12)[rows, which]
    rd = np.where(inter, inter_rd, BIG).min(1)
    rd = np.where(split, np.minimum(rd, split_rd), rd)
    rd = np.where(intra16, np.minimum(rd, c.intra16), rd)
    rd = np.where(bpred, np.minimum(rd, c.bpred[:, level["fewer_modes"]]), rd)

    limit = low * level["sole"]
    close = (cost[:, :2] * 1000 <= limit[:, None]).sum(1)
    split_close = split & (split_cost * 1000 <= limit)
    sole = (close + split_close == 1) & ~(intra16 | bpred)
    rd = np.where(sole, np.where(split_close, split_rd, inter_rd[:, 0]), rd)
    evaluated = 1.0 - sole
    split4 = which % 4 == 3
    n_inter, n_split = inter.sum(1) * evaluated, split * evaluated
    spent = (n_inter * us["inter"] + n_split * np.where(split4, us["split4"], us["split"]) +
             intra16 * us["intra16"] +
             bpred * us[("bpred", "bpred2", "bpred1")[level["fewer_modes"]]] +
             plan[:, :, 3].sum(1) * us["plan4"] + plan[:, :, :3].sum((1, 2)) * us["plan"] +
             computed.sum((1, 2)) * us["inter"] * RANK_SHARE +
             (split_ref & (c.dist < BIG)).sum(1) * us["inter"] * ESTIMATE_SHARE)
    return (100 * (rd - c.best).sum() / c.rate_rd, spent.mean(),
            (n_inter.mean(), n_split.mean(), intra16.mean(), bpred.mean(), np.mean(sole),
             computed.sum((1, 2)).mean()))


def mean_of(clips, level, us):
    results = [replay(c, level, us) for c in clips]
    return (np.mean([r[0] for r in results]), np.mean([r[1] for r in results]),
            np.mean([r[2] for r in results], 0), [r[0] for r in results])


def descend(clips, slope, us, start, fixed):
    """Coordinate descent over GRID, without the member fixed. Returns the goal and the level."""
    level = dict(start)
    goal = lambda l: (lambda r: r[0] + slope * r[1])(mean_of(clips, l, us))
    best = goal(level)
    while True:
        before = best
        for name, values in GRID.items():
            for value in values if name != fixed else ():
                trial = dict(level, **{name: value})
                if trial == level:
                    continue
                result = goal(trial)
                if result < best - 1e-6:
                    best, level = result, trial
        if best > before - 1e-2:
            return best, level


def optimize(clips, slope, us, start):
    """Returns the best of one descent for each number of 16x16 candidates, which descents hardly
    ever change."""
    return min((descend(clips, slope, us, dict(start, max_inter16x16=n), "max_inter16x16")
                for n in GRID["max_inter16x16"]), key=lambda r: r[0])[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("logs", nargs="+")
    parser.add_argument("--slopes", default="0.5,1,2,4,8,16", help="percent of bitrate per microsecond")
    parser.add_argument("--sample", type=int, default=4000, help="macroblocks to use of each log")
    parser.add_argument("--satd-per-bit", type=int, default=275, help="value that the logs were made with")
    parser.add_argument("--fix", action="append", default=[], metavar="NAME=VALUE")
    args = parser.parse_args()
    for fix in args.fix:
        name, value = fix.split("=")
        GRID[name] = (int(value),)
        START[name] = int(value)

    bands = collections.defaultdict(list)
    samples = []
    rng = np.random.default_rng(1)
    for path in args.logs:
        log = guidelog.load(path)
        log = log[np.sort(rng.permutation(len(log))[:args.sample])]
        samples.append(log)
        bands[int(log["q_index"][0])].append(Clip(log))
    us = times(samples)
    print("microseconds: " + ", ".join(f"{k} {v:.2f}" for k, v in us.items()))
    for slope in map(float, args.slopes.split(",")):
        print(f"slope {slope:g}: of the quantizers {', '.join(map(str, sorted(bands)))}")
        table, notes, total = [], [], []
        for q in sorted(bands):
            level = optimize(bands[q], slope, us, START)
            loss, spent, counts, each = mean_of(bands[q], level, us)
            table.append([args.satd_per_bit] + [level[k] for k in GRID])
            total.append((loss, spent))
            notes.append(f"loss {loss:.2f} % (" + " ".join(f"{x:.1f}" for x in each) +
                         f"), {spent:.2f} us; evaluations: inter {counts[0]:.2f} split {counts[1]:.2f} "
                         f"intra {counts[2]:.2f} B_PRED {counts[3]:.2f}, none at all {counts[4]:.2f}; "
                         f"ranked {counts[5]:.2f}")
        for name, values in zip(("lambda", *GRID), zip(*table)):
            print(f"    .{name:14} = {{ {', '.join(f'{value:4}' for value in values)} }},")
        print("\n".join(notes))
        print("mean: loss {:.2f} %, {:.2f} us".format(*np.mean(total, 0)))
        print("VP8_MP_MODE_LEVEL=" + ",".join(str(v) for row in table for v in row), flush=True)


if __name__ == "__main__":
    main()
