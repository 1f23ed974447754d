# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""BD-rate: how much more bitrate one curve needs than another at equal quality.

The difference of the mean log bitrate over the common range of quality, by piecewise cubic
interpolation (PCHIP, with the slopes of Fritsch and Butland). Needs no library, because
`make check-pages` runs without any.
"""

import bisect
import math


def end_slope(h0, h1, d0, d1):
    """One-sided slope at the end of three points, limited to keep the shape of the data."""
    slope = ((2 * h0 + h1) * d0 - h0 * d1) / (h0 + h1)
    if slope * d0 <= 0:
        return 0.0
    return 3 * d0 if d0 * d1 < 0 and abs(slope) > 3 * abs(d0) else slope


class Pchip:
    """A curve through points with rising x."""

    def __init__(self, x, y):
        self.x, self.y = x, y
        h = [b - a for a, b in zip(x, x[1:])]
        d = [(y[i + 1] - y[i]) / h[i] for i in range(len(h))]
        if len(x) == 2:
            self.slopes = [d[0], d[0]]
            return
        inner = []
        for i in range(1, len(h)):
            w0, w1 = 2 * h[i] + h[i - 1], h[i] + 2 * h[i - 1]
            inner.append((w0 + w1) / (w0 / d[i - 1] + w1 / d[i]) if d[i - 1] * d[i] > 0 else 0.0)
        self.slopes = ([end_slope(h[0], h[1], d[0], d[1])] + inner +
                       [end_slope(h[-1], h[-2], d[-1], d[-2])])

    def area_to(self, at):
        """The integral from the first point."""
        last = min(max(bisect.bisect(self.x, at) - 1, 0), len(self.x) - 2)
        area = 0.0
        for i in range(last + 1):
            h = self.x[i + 1] - self.x[i]
            s = 1.0 if i < last else (at - self.x[i]) / h
            s2, s3, s4 = s * s / 2, s ** 3 / 3, s ** 4 / 4
            area += h * (self.y[i] * (s + 2 * s4 - 3 * s3) + self.y[i + 1] * (3 * s3 - 2 * s4) +
                         h * self.slopes[i] * (s2 - 2 * s3 + s4) + h * self.slopes[i + 1] * (s4 - s3))
        return area

    def integrate(self, low, high):
        return self.area_to(high) - self.area_to(low)


def curve(points):
    """Log bitrate over quality, from (kbps, quality); of equal qualities the lower bitrate counts."""
    cheapest = {}
    for kbps, quality in points:
        cheapest[quality] = min(kbps, cheapest.get(quality, kbps))
    return sorted(cheapest), [math.log(cheapest[q]) for q in sorted(cheapest)]


def bd_rate(anchor, other):
    """BD-rate in percent of two lists of (kbps, quality); NaN without common qualities."""
    curves = [curve(points) for points in (anchor, other)]
    if any(len(x) < 2 for x, _ in curves):
        return math.nan
    low, high = max(x[0] for x, _ in curves), min(x[-1] for x, _ in curves)
    if not low < high:
        return math.nan
    area = [Pchip(*c).integrate(low, high) for c in curves]
    return (math.exp((area[1] - area[0]) / (high - low)) - 1) * 100
