# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""PSNR by bitrate, between encodes at fixed quantizers."""

import bisect
import math


class Curve:
    def __init__(self, points):
        """points: (kbps, dB)"""
        self.points = []
        for kbps, psnr in sorted(points):
            # Keep rising points at least 2 % of bitrate apart, so that slopes are not noise.
            if not self.points or (kbps > 1.02 * self.points[-1][0] and
                                   psnr > self.points[-1][1]):
                self.points.append((kbps, psnr))

    def segment(self, kbps):
        at = min(max(bisect.bisect(self.points, (kbps, 0)), 1), len(self.points) - 1)
        return self.points[at - 1], self.points[at]

    def slope(self, kbps):
        """dB per doubling of the bitrate near kbps."""
        if len(self.points) < 2:
            return 5.0
        (a, low), (b, high) = self.segment(kbps)
        return (high - low) / math.log2(b / a)

    def gain(self, first, second):
        """dB that the curve rises from one bitrate to another."""
        def psnr(kbps):
            if len(self.points) < 2:
                return 5.0 * math.log2(kbps)
            a, low = self.segment(kbps)[0]
            return low + self.slope(kbps) * math.log2(kbps / a)
        return psnr(second) - psnr(first)
