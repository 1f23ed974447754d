# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Makes the tables of doc/kernels.md and doc/papers.md from papers-kernels.tsv, cudame-bench's times."""

from . import markdown

SEARCHES = {"fast/diamond": "`fast`, diamond", "fast/iterative": "`fast`, iterative",
            "splitmv/diamond": "`splitmv`, diamond", "splitmv/full32": "`splitmv`, full ±32",
            "tex/diamond": "`tex`, diamond", "full/diamond": "`full`, diamond",
            "full/full32": "`full`, full ±32", "full/full32+intra": "`full`, full ±32, intra", "full/lean0": "`full`, lean: best to good 1",
            "full/lean1": "`full`, lean: good 2 to 4", "full/lean2": "`full`, lean: good 5, realtime −4",
            "full/lean3": "`full`, lean: realtime −8", "full/lean4": "`full`, lean: realtime −12"}
PASSES = {"moving": "moving texture, all macroblocks with vectors", "random": "noise, all intra"}
LEVELS = {"64_levels/1080p": "64", "32_levels/1080p": "32 (product)", "16_levels/1080p": "16",
          "8_levels/1080p": "8", "sample/1080p": "32, every fourth row", "32_levels/cif": "32, CIF"}
OPERATIONS = {"sad4": "packed SAD, `vabsdiff4.add`", "vsadu4": "packed SAD, `__vsadu4`", "dp4a": "`dp4a`",
              "min": "`min`, `max`", "min3": "least of three, one instruction from 9.0 on",
              "add": "`add`, `xor`", "shift": "funnel shift",
              "sad4_shift": "packed SAD and funnel shift, alternating", "sad4_min": "packed SAD and `min`",
              "sad4_add": "packed SAD and `add`", "sad4_mad": "packed SAD and `mad`"}
# The second entry is the paper's speed-up (ece1782), relative to its first kernel.
FULL = {"thread": ("thread per block", "1"), "thread_padded": ("thread per block, padded", "1.67"),
        "block": ("block per macroblock", "8.9"), "block_shared": ("+ shared memory", "5.0"),
        "block_packed": ("+ packed SAD", ""), "block_pr": ("+ conventional reduction", "9.6"),
        "block_cpr": ("+ concurrent parallel reduction", ""),
        "block_once": ("+ one reduction per macroblock", ""),
        "block_pr1024": ("conventional, 1024 threads", ""), "block_cpr1024": ("concurrent, 1024 threads", ""),
        "column2": ("columns of 2 on shifted tiles", ""), "column4": ("columns of 4 on shifted tiles", ""),
        "window": ("the product's window alone", ""), "product": ("the product", "")}
PACKED = 64  # SADs of four pixels in a macroblock
DIAMONDS = {"max_occ": ("MAX-OCC", "1 (72 %)"), "max_sm": ("MAX-SM", "4.4 (12 %)"),
            "max_occ_packed": ("MAX-OCC, packed SAD", ""), "max_sm_packed": ("MAX-SM, packed SAD", ""),
            "product": ("the product's, with seeds and rate", "")}
TEXELS = {"8bit": "8 bits, read as normalized floats", "16bit": "16 bits", "float": "float"}
SCENARIOS = {"1": ("1: upload, search, download in one loop", "1"), "2": ("2: a loop for each", "1.15"),
             "3": ("3: no streams", "1.83")}
WORKS = {"diamond": "diamond", "full16": "full ±16", "full32": "full ±32"}
SEQUENCE = 16  # frames in one timed transfer
CPU = {"frame/splitmv/full32/1080p": "cudame's CPU backend: ±32, all 25 blocks",
       "frame/full/full32/1080p": "the same, with sub-pel",
       "frame/full/lean0/1080p": "lean search as at best, with sub-pel"}
EXHAUSTIVE = {"thread": ("thread per block", "1.11"), "thread_padded": ("thread per block, padded", "1.86"),
              "block": ("block per macroblock", "10.0"), "block_pr": ("+ reduction", "10.7")}


class Bench:
    """Times and counters by the name of a benchmark."""

    def __init__(self, rows):
        self.rows = {row["name"]: row for row in rows}
        self.counters = {row["name"]: dict(pair.split("=") for pair in row["counters"].split()) for row in rows}

    def ms(self, name, column="ms"):
        """The median if the bench reports one, else the mean."""
        median = self.counter(name, "median_ms") if column == "ms" else None
        return median or (float(self.rows[name][column]) if name in self.rows else None)

    def counter(self, name, which):
        value = self.counters.get(name, {}).get(which)
        return float(value) if value else None


def cell(value, digits=3):
    """The value with this number of significant digits."""
    if value is None:
        return ""
    return f"{value:#.{digits}g}".rstrip(".") if value < 100 else f"{value:.0f}"


def faster(first, value):
    return f"{cell(value)} ({cell(first / value, 2)})" if first and value else ""


def rows_of(titles, columns):
    """Rows of a title and cells; rows without a measured cell are left out."""
    found = [[title, *columns(name)] for name, title in titles.items()]
    return [row for row in found if any(row[1:])]


def frames(bench):
    def columns(name):
        refs3 = f"frame/{name}/1080p/refs3"
        return [cell(bench.ms(f"frame/{name}/1080p/refs1")), cell(bench.ms(refs3)),
                cell(bench.counter(refs3, "first_row_ms")), cell(bench.ms(f"{refs3}/on_device")),
                cell(bench.counter(refs3, "search_ms"))]
    return markdown.table(["mode, search", "one reference", "three", "first row", "on the device, three",
                           "device's part"], rows_of(SEARCHES, columns))


def passes(bench):
    return markdown.table(["first pass, two references", "ms a frame", "CPU time of the caller, ms"], rows_of(
        PASSES, lambda name: [cell(bench.ms(f"first_pass/{name}/1080p", c)) for c in ("ms", "cpu_ms")]))


def levels(bench):
    def columns(name):
        spins, sleeps = f"loop_filter/{name}/spins", f"loop_filter/{name}/sleeps"
        return [cell(bench.ms(spins)), cell(bench.ms(sleeps)), cell(bench.ms(sleeps, "cpu_ms"))]
    return markdown.table(["levels", "caller polls, ms", "caller sleeps, ms", "its CPU time, ms"],
                          rows_of(LEVELS, columns))


def card(bench):
    rate = "rate/{}/{}".format
    return markdown.table(
        ["instruction", "latency, clocks", "one chain in each thread", "eight chains"],
        rows_of(OPERATIONS, lambda name: [cell(bench.counter(rate(name, "latency"), "clocks")),
                                          cell(bench.counter(rate(name, "chain"), "per_SM_and_clock")),
                                          cell(bench.counter(rate(name, "streams"), "per_SM_and_clock"))]))


def ceiling(bench, distance):
    """A lower bound for a search of all vectors: milliseconds of their packed SADs on all multiprocessors."""
    sad = [bench.counter("rate/sad4/streams", which) for which in ("per_SM_and_clock", "GHz", "multiprocessors")]
    vectors = bench.counter(f"full/window/blocks25/range{distance}", "vectors")
    return PACKED * vectors / (sad[0] * sad[1] * sad[2]) / 1e6 if vectors and all(sad) else None


def full(bench):
    place = "full/{}/blocks{}/range{}".format
    columns = [(blocks, distance) for distance in (16, 32) for blocks in (1, 25)]
    fixed = bench.ms(place("product", 25, 1))

    def cells(name, less=0.0):
        times = [bench.ms(place(name, *column)) for column in columns]
        times = [value - less if value else None for value in times]
        most = [(least, value) for least, value in ((ceiling(bench, 16), times[1]), (ceiling(bench, 32), times[3]))]
        return [faster(bench.ms(place("thread", *column)), value) for column, value in zip(columns, times)] + \
            [" / ".join(f"{100 * least / value:.1f}" for least, value in most) + " %" if all(map(all, most)) else ""]
    rows = [[title, *cells(name), paper] for name, (title, paper) in FULL.items()]
    if fixed:
        rows.append([f"the product, less its {cell(fixed)} ms at ±1", *cells("product", fixed), ""])
    return markdown.table(["ms (times faster)", "±16, 16×16", "±16, 25", "±32, 16×16", "±32, 25", "ceiling",
                           "ece1782"], [row for row in rows if any(row[1:5])])


def diamond(bench):
    def columns(name):
        used = bench.counter(f"diamond/{name}", "occupancy")
        value, first = bench.ms(f"diamond/{name}"), bench.ms("diamond/max_occ")
        return [cell(value), f"{first / value:.2f}" if first and value else "",
                f"{100 * used:.0f} %" if used else ""]
    return markdown.table(["", "ms", "times faster", "occupancy", "the paper: encoding time (occupancy)"],
                          [[title, *columns(name), paper] for name, (title, paper) in DIAMONDS.items()])


def texels(bench):
    def columns(name):
        count = [bench.counter(f"tex/sample/{name}", which) for which in ("samples", "most_16ths", "inexact", "wrong")]
        if None in count:
            return []
        return [f"{count[0] / 1e6:.1f} million", f"{count[1]:.2g}", f"{100 * count[2] / count[0]:.0f} %", f"{count[3]:.0f}"]
    return markdown.table(["texels", "samples", "largest error, 1/16 of a step", "not the nearest float",
                           "wrong in 8 bits"], rows_of(TEXELS, columns))


def textures(bench):
    units, integers = bench.ms("tex/map/texture"), bench.ms("tex/map/integers")
    return markdown.table(["the 93 vectors of 25 blocks, one reference", "ms", "times faster"],
                          [["texture units, 8 bits", cell(units), "1"],
                           ["integers (the product)", cell(integers), cell(units / integers, 2)]]
                          if units and integers else [])


def transfers(bench):
    def columns(number):
        for work in WORKS:
            value, first = (bench.ms(f"transfer/{work}/scenario{n}") for n in (number, 1))
            yield f"{value / SEQUENCE:.3f} ms ({value / first:.2f})" if value and first else ""
    return markdown.table(["", *WORKS.values(), "the paper"],
                          [[title, *columns(number), paper] for number, (title, paper) in SCENARIOS.items()])


def ffmpeg(bench, rows):
    """Times of FFmpeg's searches, x264 and the CPU backend, one core each."""
    return markdown.table(["one core", "ms a frame"], [[row["what"], cell(float(row["ms_per_frame"]), 2)] for row in rows] +
                          [[title, cell(bench.ms(name, "cpu_ms"), 2)] for name, title in CPU.items() if bench.ms(name, "cpu_ms")])


def exhaustive(bench, rows):
    """Speed-ups of the kernels over FFmpeg's exhaustive search."""
    slow = [float(row["ms_per_frame"]) for row in rows if row["what"] == "esa ±16"]
    times = {name: bench.ms(f"full/{name}/blocks1/range16") for name in EXHAUSTIVE}
    return markdown.table(["times faster than FFmpeg's exhaustive search", "here, ±16, 16×16", "ece1782"],
                          [[title, f"{slow[0] / times[name]:.0f}", paper]
                           for name, (title, paper) in EXHAUSTIVE.items() if slow and times[name]])


MADE = {"frames": frames, "passes": passes, "levels": levels, "card": card, "full": full, "diamond": diamond,
        "texels": texels, "textures": textures, "transfers": transfers}
BESIDE_FFMPEG = {"ffmpeg": ffmpeg, "exhaustive": exhaustive}


def make(name, rows, of_ffmpeg=()):
    """Lines of the table NAME. rows: papers-kernels.tsv; of_ffmpeg: papers-ffmpeg.tsv."""
    bench = Bench(rows)
    return MADE[name](bench) if name in MADE else BESIDE_FFMPEG[name](bench, of_ffmpeg)
