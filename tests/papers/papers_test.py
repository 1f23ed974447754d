# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tests tools/papers with known figures."""

import itertools
import json
import os
import stat
import tempfile
import time
import types
import unittest

import kernels
import tables
from lib import papers_encodes, papers_kernels

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def row(encoder, point, kbps, psnr, wall, threads="1", paper="grossi-2018", clip="a"):
    return {"paper": paper, "clip": clip, "size": "1080", "encoder": encoder, "point": point, "threads": threads,
            "frames": "20", "kbps": str(kbps), "psnr_y": str(psnr), "wall_s": str(wall), "cpu_s": str(wall * 2)}


def cells(line):
    return [cell.strip() for cell in line.strip("|").split("|")]


class ComparisonTest(unittest.TestCase):
    def rows(self, paper="grossi-2018"):
        made = []
        for n, rate in enumerate((1000, 2000, 4000, 8000)):
            made.append(row("stock", f"b{n}", rate, 30 + n, 10, paper=paper))
            # the same quality for a tenth less bitrate; twice, then four times as fast
            made.append(row("fast", f"b{n}", 0.9 * rate, 30 + n, 5 if n < 2 else 2.5, paper=paper))
        return made

    def test_speed_up_is_of_pairs_and_bd_rate_of_curves(self):
        line = cells(papers_encodes.grossi(self.rows())[2])
        self.assertEqual(line, ["fast", "3.00×", "4.00×", "0.38×", "0.00 dB", "−10.0 %", "−10.0 %"])

    def test_other_clips_and_papers_do_not_mix(self):
        rows = self.rows() + [row("fast", "b9", 1, 1, 1), row("stock", "b0", 9, 9, 999, clip="b")]
        rows += self.rows("ime")
        self.assertEqual(cells(papers_encodes.grossi(rows)[2])[:3], ["fast", "3.00×", "4.00×"])

    def test_threads_are_compared_at_the_points_that_all_have(self):
        rows = self.rows() + [row("stock", "b3", 8000, 33, 4, "4"), row("fast", "b3", 7000, 33, 2, "4")]
        table = [cells(line) for line in papers_encodes.grossi_threads(rows)]
        self.assertEqual(table[0], ["speed-up with threads", "1", "4"])
        self.assertEqual(table[2], ["fast", "4.00×", "2.00×"])
        self.assertEqual(table[3], ["stock, frames/s", "2.0", "5.0"])

    def test_encoding_time_saving(self):
        line = cells(papers_encodes.ime(self.rows("ime"))[2])
        self.assertEqual(line[:4], ["fast", "−10.0 %", "−10.0 %", "62.5 %"])

    def test_the_page_has_a_place_for_every_table(self):
        with open(os.path.join(TOP, "doc", "papers.md"), encoding="utf-8") as file:
            page = file.read()
        for name in papers_encodes.MADE:
            self.assertIn(f"<!-- evaluate papers {name} -->", page)


class KernelsTest(unittest.TestCase):
    def run_bench(self, benchmarks, folder):
        """Run with a program in place of the bench that reports these benchmarks."""
        bench = os.path.join(folder, "bench")
        with open(bench, "w", encoding="utf-8") as file:
            file.write("#!/bin/sh\necho '### what cudame-bench prints'\n"
                       'for a; do case $a in --benchmark_out=*) cat >"${a#*=}" ;; esac; done'
                       f" <<'END'\n{json.dumps({'benchmarks': benchmarks})}\nEND\n")
        os.chmod(bench, stat.S_IRWXU)
        return kernels.run_bench(types.SimpleNamespace(folder=folder, bench=bench, run={"id": "a"}),
                                 time.monotonic() + 20)

    def test_counters_may_differ(self):
        common = {"iterations": 10, "cpu_time": 1.0}
        with tempfile.TemporaryDirectory() as folder:
            self.assertTrue(self.run_bench([
                dict(common, name="cuda_full/a/iterations:20/manual_time", real_time=1500.0, occupancy=0.5, time_unit="us"),
                dict(common, name="cuda_tex/b", real_time=2.0, time_unit="ms", bytes=1),
                dict(common, name="cuda_tex/c", error_occurred=True, real_time=0.0, time_unit="ms"),
            ], folder))
            rows = tables.read(os.path.join(folder, "papers-kernels.tsv"))
            self.assertEqual([(row["name"], row["ms"], row["counters"]) for row in rows],
                             [("full/a", "1.5", "occupancy=0.5"), ("tex/b", "2", "bytes=1")])

    def test_without_a_device_nothing_is_written(self):
        with tempfile.TemporaryDirectory() as folder:
            with self.assertRaisesRegex(SystemExit, "no kernel"):
                self.run_bench([], folder)


class TablesTest(unittest.TestCase):
    def test_what_another_commit_made_is_dropped(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "papers-a.tsv")
            for name, commit in (("old", "1"), ("new", "2")):
                tables.add(path, ("name",), {"id": name, "commit": commit}, {"name": name})
            tables.renew(folder, {"commit": "2"})
            self.assertEqual([row["name"] for row in tables.read(path)], ["new"])
            tables.renew(folder, {"commit": "3"})
            self.assertEqual(tables.read(path), [])


class KernelTablesTest(unittest.TestCase):
    def row(self, name, ms, **counters):
        return {"name": name, "ms": str(ms), "cpu_ms": "0.5", "counters": " ".join(f"{k}={v}" for k, v in counters.items())}

    def test_full_search(self):
        rows = [self.row("rate/sad4/streams", 1, per_SM_and_clock=64, GHz=2, multiprocessors=100)]
        # 64 SADs each of 8 and of 80 million vectors are 0.04 and 0.4 ms
        for ms, (distance, blocks) in enumerate(itertools.product((16, 32), (1, 25)), 1):
            place = f"blocks{blocks}/range{distance}"
            rows += [self.row(f"full/thread/{place}", 10 * ms),
                     self.row(f"full/window/{place}", 2 * ms, vectors=8e6 if distance == 16 else 8e7)]
        lines = [cells(line) for line in papers_kernels.make("full", rows)[2:]]
        self.assertEqual(lines, [
            ["thread per block", "10.0 (1.0)", "20.0 (1.0)", "30.0 (1.0)", "40.0 (1.0)", "0.2 / 1.0 %", "1"],
            ["the product's window alone", "2.00 (5.0)", "4.00 (5.0)", "6.00 (5.0)", "8.00 (5.0)", "1.0 / 5.0 %", ""]])

    def test_what_a_fixed_part_takes_is_taken_off(self):
        rows = [self.row("full/thread/blocks25/range16", 9), self.row("full/product/blocks25/range16", 5),
                self.row("full/product/blocks25/range1", 2)]
        self.assertEqual([cells(line)[:3] for line in papers_kernels.make("full", rows)[3:]],
                         [["the product", "", "5.00 (1.8)"], ["the product, less its 2.00 ms at ±1", "", "3.00 (3.0)"]])

    def test_beside_ffmpeg(self):
        rows = [self.row("full/block/blocks1/range16", 9, median_ms=0.5)]
        line = papers_kernels.make("exhaustive", rows, [{"what": "esa ±16", "ms_per_frame": "1000"}])[2]
        self.assertEqual(cells(line), ["block per macroblock", "2000", "10.0"])

    def test_nothing_that_is_shown_has_another_name_in_the_bench(self):
        rows, beside = (tables.read(os.path.join(TOP, "doc", "results", f"papers-{name}.tsv"))
                        for name in ("kernels", "ffmpeg"))
        titles = {"frames": papers_kernels.SEARCHES, "passes": papers_kernels.PASSES, "levels": papers_kernels.LEVELS,
                  "card": papers_kernels.OPERATIONS, "diamond": papers_kernels.DIAMONDS, "texels": papers_kernels.TEXELS,
                  "textures": (1, 2), "transfers": papers_kernels.SCENARIOS, "exhaustive": papers_kernels.EXHAUSTIVE,
                  "ffmpeg": (*beside, *papers_kernels.CPU), "full": (*papers_kernels.FULL, "less what is fixed")}
        self.assertEqual(set(titles), {*papers_kernels.MADE, *papers_kernels.BESIDE_FFMPEG})
        for name, expected in titles.items():
            lines = papers_kernels.make(name, rows, beside)[2:]
            self.assertEqual(len(lines), len(expected), name)
            for line in lines:
                self.assertGreater(len([cell for cell in cells(line)[1:] if cell]), 0, line)

    def test_the_pages_have_a_place_for_every_table(self):
        pages = ""
        for name in ("kernels", "papers"):
            with open(os.path.join(TOP, "doc", f"{name}.md"), encoding="utf-8") as file:
                pages += file.read()
        for name in (*papers_kernels.MADE, *papers_kernels.BESIDE_FFMPEG):
            self.assertEqual(pages.count(f"<!-- evaluate kernels {name} -->"), 1, name)


if __name__ == "__main__":
    unittest.main()
