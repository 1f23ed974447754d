# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Finds the bitrate at which an encoder has the quality of another one."""

import concurrent.futures
import math
import os

import trial

FRAMES = 120
STEPS = (0.25, 0.4, 0.6, 0.85, 1.2)  # of the reference's bitrate


def measure(streams, clip, rate):
    """(bits per second, PSNR-Y, CPU seconds per frame) of one clip."""
    one = trial.Streams.__new__(trial.Streams)
    one.__dict__.update(streams.__dict__, clips=[clip])
    printed, _ = trial.finish(trial.start([one.command(["--fps", "0", "--frames", str(FRAMES)], rate)], None), 0)
    words = {line.split()[0]: line.split()[1:] for line in printed[0] if line.strip()}
    bits, error = map(float, words["coded"])
    return bits, 10 * math.log10(255 * 255 / error), float(words["cpu"][0]) / FRAMES


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def measure_all(streams, rates):
    """Means over all clips, for each rate. CPU and GPU make the same streams, so the GPU is not used."""
    with concurrent.futures.ThreadPoolExecutor(max(1, (os.cpu_count() or 2) // 2)) as pool:
        jobs = [[pool.submit(measure, streams, clip, rate) for clip in streams.clips] for rate in rates]
        return [tuple(mean(job.result()[i] for job in row) for i in range(3)) for row in jobs]


def rate_for(points, psnr):
    """The rate with this PSNR, by linear interpolation of PSNR over the logarithm of the rate."""
    points = sorted(points)
    for (low, at_low), (high, at_high) in zip(points, points[1:]):
        if psnr <= at_high or (high, at_high) == points[-1]:
            share = (psnr - at_low) / (at_high - at_low)
            return math.exp(math.log(low) + share * (math.log(high) - math.log(low)))
    return points[0][0]


def level(all_streams, reference, rate):
    """Set the requested and the resulting bitrate of each so that all have the reference's PSNR.
    Returns the PSNR, and CPU seconds per frame of each."""
    [(bits, psnr, seconds)] = measure_all(reference, [rate])
    cpu = {}
    for streams in all_streams:
        if streams is reference:
            streams.rate, streams.bits, cpu[streams] = rate, bits, seconds
            continue
        rates = [rate * step for step in STEPS]
        found = measure_all(streams, rates)
        streams.rate = rate_for([(asked, row[1]) for asked, row in zip(rates, found)], psnr)
        streams.bits = rate_for([(row[0], row[1]) for row in found], psnr)
        cpu[streams] = mean(row[2] for row in found)
    return psnr, cpu
