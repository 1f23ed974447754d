# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""A bar for a terminal, a line now and then for a log."""

import sys
import time


class Progress:
    def __init__(self, name, total):
        self.name, self.total, self.done = name, total, 0
        self.begin = self.last = time.monotonic()
        self.live = sys.stderr.isatty()

    def step(self):
        self.done += 1
        now = time.monotonic()
        if not self.live and now - self.last < 15 and self.done < self.total:
            return
        self.last = now
        left = (now - self.begin) * (self.total - self.done) / self.done
        bar = "#" * (24 * self.done // self.total)
        line = f"{self.name:<12} [{bar:<24}] {self.done} of {self.total}, {left:.0f} s left"
        print(f"\r{line:<76}" if self.live else line, end="" if self.live else "\n",
              file=sys.stderr, flush=True)

    def end(self):
        if self.live and self.done:
            print(file=sys.stderr)
