# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tests the conclusions of tools/density."""

import contextlib
import io
import math
import os
import time
import unittest

import density
import quality
import trial


class StreamsTest(unittest.TestCase):
    def test_sets_the_options_of_a_program(self):
        streams = trial.Streams("folder", "gpu", "-6", "1", "64x48", ["a.yuv"], "aiortc")
        command = streams.command(["--fps", "30"], 123456.7)
        for word in ("noise-sensitivity=4", "minrate=123456", "maxrate=123456", "bufsize=123456", "b=123456", "cpu-used=-6"):
            self.assertIn(word, command)
        plain = trial.Streams("folder", "stock", "-8", "1", "64x48", ["a.yuv"]).command([], 1)
        self.assertFalse([word for word in plain if word.startswith(("noise", "bufsize"))])


class ProcessesTest(unittest.TestCase):
    def test_share_the_streams(self):
        for kind, count, processes in (("one", 7, 1), ("many", 7, 7), ("3", 7, 3), ("16", 7, 7)):
            self.assertEqual(density.processes_for(kind, count), processes)

    def test_refuses_no_process(self):
        for kind in ("0", "-1", "2x", ""):
            self.assertRaises(ValueError, density.kind_of_processes, kind)


class SearchTest(unittest.TestCase):
    def search(self, capacity, guess, seconds=100, hiccups=()):
        self.tried = []

        def attempt(count):
            self.tried.append(count)
            late = count > capacity or len(self.tried) in hiccups
            return {"streams": count, "p999": 99 if late else 10, "p99": 50 if late else 5, "cpu_percent": 50}

        with contextlib.redirect_stdout(io.StringIO()):
            return density.search(attempt, guess, 33.3, time.monotonic() + seconds)

    def test_finds_what_a_machine_carries(self):
        for capacity in (1, 2, 7, 31, 100, 333):
            for guess in (1, 5, 40, 1000):
                best, fails_at = self.search(capacity, guess)
                self.assertLessEqual(best["streams"], capacity)
                self.assertGreater(fails_at, capacity)
                self.assertLessEqual(fails_at - best["streams"], max(1, best["streams"] // 16))
                for count in set(self.tried):
                    self.assertEqual(self.tried.count(count), 1 if count <= capacity else 2)

    def test_fails_where_it_fails_twice(self):
        best, fails_at = self.search(31, 5, hiccups=(1, 3, 6))
        self.assertLessEqual(best["streams"], 31)
        self.assertGreater(fails_at, 31)

    def test_says_so_where_not_even_one_is_in_time(self):
        best, fails_at = self.search(0, 8)
        self.assertEqual((best["streams"], fails_at), (0, 1))

    def test_ends_in_time_with_what_it_has(self):
        best, fails_at = self.search(100, 40, seconds=-1)
        self.assertEqual((best["streams"], fails_at, self.tried), (40, None, [40]))


class QualityTest(unittest.TestCase):
    # 2 dB per doubling of the rate
    POINTS = [(rate, 30 + 2 * math.log2(rate / 100)) for rate in (100, 200, 300, 800)]

    def test_rate_between_and_beyond_the_points(self):
        for rate in (60, 100, 150, 250, 700, 800, 1000):
            self.assertAlmostEqual(quality.rate_for(self.POINTS, 30 + 2 * math.log2(rate / 100)), rate, places=6)


class PercentileTest(unittest.TestCase):
    def test_nearest_rank(self):
        values = list(range(1, 1001))
        self.assertEqual(trial.percentile(values, 999), 999)
        self.assertEqual(trial.percentile(values, 500), 500)
        self.assertEqual(trial.percentile([7], 999), 7)
        self.assertEqual(trial.percentile([1, 2, 3], 999), 3)


if __name__ == "__main__":
    unittest.main()
