# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Shows progress: a bar on a terminal, a line every 15 seconds in a log."""

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
        if self.live or now - self.last >= 15 or self.done == self.total:
            self.last = now
            self.show()

    def show(self):
        left = (self.last - self.begin) * (self.total - self.done) / self.done
        bar = "#" * (24 * self.done // self.total)
        line = f"{self.name:<12} [{bar:<24}] {self.done} of {self.total}, {left:.0f} s left"
        print(f"\r{line:<76}" if self.live else line, end="" if self.live else "\n",
              file=sys.stderr, flush=True)

    def end(self):
        """Finish the bar, or print the last state of a log."""
        if not self.live and 0 < self.done < self.total:
            self.show()
        if self.live and self.done:
            print(file=sys.stderr)
