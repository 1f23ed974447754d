# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""The plans of measurements: each part makes one table."""

import dataclasses

from settings import PEERS, pairs, two_passes, vp8

QUANTIZERS = ("q14", "q26", "q38", "q50")
# The bitrates of a clip are those of stock with this setting at these quantizers.
PROBE = vp8("stock", "good 5")
PROBE_POINTS = ("q52", "q44", "q36", "q28")


@dataclasses.dataclass(frozen=True)
class Part:
    table: str
    about: str
    groups: tuple            # of (settings, points); points are texts, or "b" or "c": bitrates
    frames: int
    large_frames: int = 0    # frames of clips above a million pixels; 0: as frames
    back_and_forth: bool = False  # shorter clips run backwards, then forwards again
    quality: bool = True
    latency: bool = False
    threads: tuple = (1,)
    repeats: int = 1
    slow_frames: int = 0     # frames for slow settings of stock; 0: as frames
    jobs: int = 0            # encodes at a time; 0: the number of cores
    largest: int = 0         # only this number of the largest clips; 0: all
    timed: bool = False      # compared rows must be of one run

    def frames_of(self, width, height):
        return self.large_frames if self.large_frames and width * height > 10 ** 6 else self.frames


NO_LAG = "-lag-in-frames 0"
FIVE = ("best", "good 2", "good 5", "-8", "-16")
REALTIME = ("-8", "-16")

GUIDES = [vp8("ours", "best", f"{NO_LAG} -guide {guide}", f", {guide}")
          for guide in ("off", "safe", "aggressive")]
HIDDEN = vp8("ours", "best", "-auto-alt-ref 1 -arnr-maxframes 7 -enc_time_base 1:1000", ", alt-ref")

FULL = (
    Part("quantizers", "encodes at fixed quantizers", frames=40, groups=(
        (pairs(("best", "good 2", "good 5", "-4", "-8", "-12", "-16"), ours=NO_LAG) + GUIDES,
         QUANTIZERS),
    )),
    Part("bitrates", "encodes at bitrates", frames=150, large_frames=60, back_and_forth=True, groups=(
        (pairs(FIVE), "b"),
        (pairs(REALTIME), "c"),
        (two_passes(("best",)) + [HIDDEN], "b"),
        (PEERS, "b"),
    )),
    Part("speed", "times of long streams", frames=180, slow_frames=30, back_and_forth=True,
         quality=False, jobs=5, timed=True, groups=(
             (pairs(FIVE, ("stock", "ours", "cuda", "auto"), NO_LAG), ("q28",)),
         )),
    Part("threads", "wall times by threads", frames=90, slow_frames=12, back_and_forth=True,
         quality=False, jobs=1, threads=(1, 4, 8, 12, 16), largest=1, timed=True, groups=(
             (pairs(("best", "-8"), ("stock", "ours", "cuda"), NO_LAG), ("q28",)),
         )),
    Part("latency", "time from a frame to its packet", frames=150, back_and_forth=True,
         quality=False, latency=True, jobs=2, threads=(1, 4), largest=4, timed=True, groups=(
             (pairs(REALTIME, ("stock", "ours", "cuda")), ("q36",)),
         )),
)

SHORT = (
    Part("quantizers", "encodes at fixed quantizers", frames=30, groups=(
        (pairs(FIVE, ours=NO_LAG), QUANTIZERS),
    )),
    Part("bitrates", "encodes at bitrates", frames=75, back_and_forth=True, groups=(
        (pairs(("best", "good 5", "-8")), "b"),
        (PEERS, "b"),
    )),
    Part("speed", "times of long streams", frames=120, back_and_forth=True, quality=False, jobs=1,
         timed=True, groups=(
             (pairs(("good 5", "-8", "-16"), ours=NO_LAG), ("q28",)),
         )),
    Part("latency", "time from a frame to its packet", frames=150, back_and_forth=True,
         quality=False, latency=True, jobs=1, largest=1, timed=True, groups=(
             (pairs(REALTIME), ("q36",)),
         )),
)

# Takes seconds: a test of the tool itself.
TINY = (
    Part("quantizers", "encodes at fixed quantizers", frames=6, groups=(
        (pairs(("-8",), ours=NO_LAG), ("q14", "q30", "q50")),
    )),
    Part("bitrates", "encodes at bitrates", frames=9, back_and_forth=True, groups=(
        (pairs(("-8",)), "b"),
    )),
    Part("latency", "time from a frame to its packet", frames=9, back_and_forth=True, jobs=1,
         quality=False, latency=True, timed=True, groups=(
             (pairs(("-8",)), ("q28",)),
         )),
)

PLANS = {"full": FULL, "short": SHORT, "tiny": TINY}
