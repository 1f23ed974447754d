# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Makes tables in the papers' terms from papers-encodes.tsv."""

import os
import statistics

from . import bdrate, papers_kernels
from .markdown import signed
from .table import Table


def pairs(rows, encoder, threads=None):
    """Pairs of stock's row and the encoder's row with the same clip, point and threads."""
    key = lambda row: (row["clip"], row["size"], row["point"], row["threads"], row["frames"])  # noqa: E731
    stock = {key(row): row for row in rows if row["encoder"] == "stock"}
    return [(stock[key(row)], row) for row in rows
            if row["encoder"] == encoder and key(row) in stock and threads in (None, row["threads"])]


def curve(rows, encoder, clip, size, threads="1"):
    return [(float(row["kbps"]), float(row["psnr_y"])) for row in rows if row["encoder"] == encoder and
            (row["clip"], row["size"], row["threads"]) == (clip, size, threads)]


def bd_rates(rows, encoder):
    clips = sorted({(row["clip"], row["size"]) for row in rows})
    found = [bdrate.bd_rate(curve(rows, "stock", *clip), curve(rows, encoder, *clip)) for clip in clips]
    return [rate for rate in found if rate == rate]


def ratio(pair, what="wall_s"):
    return float(pair[0][what]) / float(pair[1][what])


def better(found):
    return [float(ours["psnr_y"]) - float(stock["psnr_y"]) for stock, ours in found]


def more(found):
    return [100 * (float(ours["kbps"]) / float(stock["kbps"]) - 1) for stock, ours in found]


def mean(values, form):
    return form.format(statistics.mean(values)) if values else "–"


def change(values, digits=1, unit="%"):
    return f"{signed(statistics.mean(values), digits)} {unit}" if values else "–"


def order(rows, column):
    return list(dict.fromkeys(row[column] for row in rows))


def grossi(rows):
    rows = [row for row in rows if row["paper"] == "grossi-2018"]
    lines = ["| | speed-up, mean | peak | CPU time, mean | PSNR-Y | bitrate | BD-rate |",
             "|---|---|---|---|---|---|---|"]
    for encoder in order(rows, "encoder"):
        found = pairs(rows, encoder, "1")
        if encoder == "stock" or not found:
            continue
        lines.append(f"| {encoder} | {mean([ratio(p) for p in found], '{:.2f}×')} | {max(map(ratio, found)):.2f}× | "
                     f"{mean([1 / ratio(p, 'cpu_s') for p in found], '{:.2f}×')} | "
                     f"{change(better(found), 2, 'dB')} | {change(more(found))} | "
                     f"{change(bd_rates(rows, encoder))} |")
    return lines


def grossi_threads(rows):
    rows = [row for row in rows if row["paper"] == "grossi-2018"]
    threads = sorted(order(rows, "threads"), key=int)
    # Only points that all thread counts have.
    points = set.intersection(*({(r["clip"], r["size"], r["point"]) for r in rows if r["threads"] == t} for t in threads)) \
        if threads else set()
    rows = [row for row in rows if (row["clip"], row["size"], row["point"]) in points]
    lines = ["| speed-up with threads | " + " | ".join(threads) + " |", "|---|" + "---|" * len(threads)]
    for encoder in order(rows, "encoder"):
        if encoder != "stock":
            cells = [mean([ratio(p) for p in pairs(rows, encoder, t)], "{:.2f}×") for t in threads]
            lines.append(f"| {encoder} | " + " | ".join(cells) + " |")
    for encoder in order(rows, "encoder"):
        cells = [mean([float(r["frames"]) / float(r["wall_s"]) for r in rows if r["encoder"] == encoder and r["threads"] == t],
                      "{:.1f}") for t in threads]
        lines.append(f"| {encoder}, frames/s | " + " | ".join(cells) + " |")
    return lines


def ime(rows):
    rows = [row for row in rows if row["paper"] == "ime"]
    lines = ["| | BD-rate, mean | worst | encoding-time saving | PSNR-Y | bitrate |", "|---|---|---|---|---|---|"]
    for encoder in order(rows, "encoder"):
        found = pairs(rows, encoder)
        if encoder == "stock" or not found:
            continue
        rates = bd_rates(rows, encoder)
        saved = [100 * (1 - 1 / ratio(p)) for p in found]
        lines.append(f"| {encoder} | {change(rates)} | {signed(max(rates, default=0))} % | {mean(saved, '{:.1f} %')} | "
                     f"{change(better(found), 2, 'dB')} | {change(more(found))} |")
    return lines


# Tables by name.
MADE = {"grossi": grossi, "threads": grossi_threads, "ime": ime}


def write(folder):
    encodes, kernels, ffmpeg = (Table.open(os.path.join(folder, f"papers-{name}.tsv")).rows
                                for name in ("encodes", "kernels", "ffmpeg"))
    made = {name: make(encodes) for name, make in MADE.items() if encodes}
    made.update((name, papers_kernels.make(name, kernels, ffmpeg)) for name in papers_kernels.MADE if kernels)
    made.update((name, papers_kernels.make(name, kernels, ffmpeg)) for name in papers_kernels.BESIDE_FFMPEG if ffmpeg)
    if not made:
        raise SystemExit(f"papers: {folder} has no tables")
    print("\n\n".join(f"{name}\n\n" + "\n".join(lines) for name, lines in made.items()))
    return 0
