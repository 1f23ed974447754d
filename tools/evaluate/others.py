# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""What pages show of the tables that tools/density and tools/papers make."""

from blocks import run_items
from lib import papers_encodes, papers_kernels
from lib.markdown import setting_name, table

STREAMS = {"stock": "stock libvpx", "cpu": "vp8_cudame, CPU", "gpu": "vp8_cudame, GPU"}


def density(tables, size):
    """How many streams of that size a machine carries, and what bounds it."""
    lines = []
    for row in tables["density"].rows:
        if row["size"] != size:
            continue
        how = "MPS" if row["mps"] == "yes" else row["processes"]
        of_device = row["encoder"] == "gpu"
        lines.append([STREAMS[row["encoder"]], setting_name(row["speed"]), row["threads"], how, f"{row['cores']} + {row['gpus']}",
                      f"**{row['streams']}**", row["fails_at"], row["p999"], row["max"], row["cpu_percent"],
                      row["gpu_percent"], row["on_gpu_percent"] if of_device else "",
                      row["wait_ms"] if of_device else "", str(round(int(row["rate"]) / 1000)), row["psnr_y"]])
    if not lines:
        raise FileNotFoundError("density")
    return table(["encoder", "setting", "threads", "processes", "cores + GPUs", "streams", "fails at", "99.9 %, ms", "longest, ms",
                  "CPU, %", "GPU, %", "frames on it, %", "wait, ms", "kb/s", "PSNR-Y"], lines)


def papers(tables, name):
    return papers_encodes.MADE[name](tables["papers-encodes"].rows)


def kernels(tables, name):
    of_ffmpeg = tables["papers-ffmpeg"].rows if name in papers_kernels.BESIDE_FFMPEG else ()
    return papers_kernels.make(name, tables["papers-kernels"].rows, of_ffmpeg)


def measured(tables, *names):
    return [line for name in names for line in run_items(name, tables[name].notes["run"])]


BLOCKS = {"density": density, "papers": papers, "kernels": kernels, "measured": measured}
