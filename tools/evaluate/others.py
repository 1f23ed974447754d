# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Blocks of the tables that tools/density, tools/papers and tools/parity make."""

import re
import statistics

from blocks import STREAMS, run_items
from lib import papers_encodes, papers_kernels, rate_facts
from lib.markdown import paragraph, setting_name, signed, table, times
from lib.rate_explained import explanation
from lib.rate_scenarios import SCENARIOS, SETTINGS


def density(tables, size):
    """Live streams of this size that a machine carries, with the load and the waits."""
    lines = []
    for row in tables["density"].rows:
        if row["size"] != size:
            continue
        how = row["processes"] + (", MPS" if row["mps"] == "yes" else "")
        of_device = row["encoder"] == "gpu"
        lines.append([STREAMS[row["encoder"]], setting_name(row["speed"]), row["threads"], how, f"{row['cores']} + {row['gpus']}",
                      row["key_every"], f"**{row['streams']}**", row["fails_at"], row["p999"], row["max"], row["cpu_percent"],
                      row["gpu_percent"], row["on_gpu_percent"] if of_device else "",
                      row["wait_ms"] if of_device else "", str(round(int(row["rate"]) / 1000)), row["psnr_y"]])
    if not lines:
        raise FileNotFoundError("density")
    return table(["encoder", "setting", "threads", "processes", "cores + GPUs", "key frames, s", "streams", "fails at", "99.9 %, ms", "longest, ms",
                  "CPU, %", "GPU, %", "frames on GPU, %", "wait, ms", "kb/s", "PSNR-Y"], lines)


def papers(tables, name):
    return papers_encodes.MADE[name](tables["papers-encodes"].rows)


def kernels(tables, name):
    of_ffmpeg = tables["papers-ffmpeg"].rows if name in papers_kernels.BESIDE_FFMPEG else ()
    return papers_kernels.make(name, tables["papers-kernels"].rows, of_ffmpeg)


VERDICTS = {"same": "all facts are equal, the bitrate within 3 %, PSNR-Y not lower by more than 0.1 dB",
            "better": "as same, except for a bitrate nearer to its target, a higher PSNR-Y, or a lower bucket",
            "explained": "a fact differs on purpose; the row says why",
            "differs": "any other difference: a fault"}


def parity(tables):
    """The number of rows by verdict."""
    found = [row["verdict"] for row in tables["parity"].rows]
    return table(["verdict", "rows", "meaning"],
                 [[verdict, found.count(verdict), meaning] for verdict, meaning in VERDICTS.items()])


def parity_explained(tables):
    """Explanations that several rows share, and the number of other rows."""
    counts = {}
    for row in tables["parity"].rows:
        if row["verdict"] == "explained":
            # Without the figures of a row, and without links.
            text = re.sub(r"^PSNR-Y .*?: ", "", re.sub(r" ?\(\[[^]]*\]\([^)]*\)\)", "", row["notes"]))
            text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", re.sub(r"which costs .*", "which costs bits", text))
            text = text.replace("; ", ", ")
            counts[text] = counts.get(text, 0) + 1
    shared = sorted(((text, count) for text, count in counts.items() if count > 1), key=lambda each: -each[1])
    single = sum(count == 1 for count in counts.values())
    return paragraph("Explained, with the number of rows: " + "; ".join(f"{text} ({count})" for text, count in shared) +
                     f"; one explanation each ({single})." * bool(single))


def measured(tables, *names):
    return [line for name in names for line in run_items(name, tables[name].notes["run"])]


def rate_pairs(tables):
    """(scenario, setting, stock, ours) of each row of the rate table."""
    rows = {tuple(r[k] for k in rate_facts.KEY): r for r in tables["rate"].rows}
    for scenario in SCENARIOS:
        for setting in SETTINGS:
            pair = [rows.get((scenario.name, setting.name, e)) for e in ("stock", "ours")]
            if all(pair):
                yield scenario, setting, *map(rate_facts.facts_of, pair)


def rate(tables):
    """The number of streams and of those that are worse than stock's, by setting."""
    found = {}
    for scenario, setting, stock, ours in rate_pairs(tables):
        why = [explanation(scenario, setting, stock, ours, fault)
               for fault in rate_facts.faults(scenario, setting, stock, ours)]
        found.setdefault(setting.name, []).append(
            (bool(why), bool(why) and all(why), ours.mean_db() - stock.mean_db(),
             sum(ours.kbits) / sum(stock.kbits)))
    return table(["setting", "streams", "worse than stock", "explained", "PSNR-Y, median difference in dB",
                  "bits, median ratio"],
                 [[name, len(rows), sum(r[0] for r in rows), sum(r[1] for r in rows),
                   signed(statistics.median(r[2] for r in rows)),
                   times(statistics.median(r[3] for r in rows))] for name, rows in found.items()])


def rate_worse(tables):
    """The streams that are worse than stock's in a point, and the figures of that point."""
    lines = []
    for scenario, setting, stock, ours in rate_pairs(tables):
        for fault in rate_facts.faults(scenario, setting, stock, ours):
            lines.append([scenario.name, setting.name, fault, stock.figures(fault), ours.figures(fault),
                          explanation(scenario, setting, stock, ours, fault) or "a fault"])
    return table(["stream", "setting", "worse in", "stock", "vp8_cudame", "why"], lines)


def rate_streams(_):
    """The streams."""
    return table(["stream", "content", "kb/s", "frames"],
                 [[s.name, s.about, s.kbps, s.frames] for s in SCENARIOS])


def rate_settings(_):
    """The settings, with {R} for the bitrate."""
    return table(["setting", "options"], [[s.name, f"`{s.options}`"] for s in SETTINGS])


BLOCKS = {"rate": rate, "rate-worse": rate_worse, "rate-streams": rate_streams, "rate-settings": rate_settings,
          "density": density, "parity": parity, "parity-explained": parity_explained,
          "papers": papers, "kernels": kernels, "measured": measured}
