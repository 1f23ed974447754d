# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Measures one row: codes a clip with a setting at a point, times it and compares it with its source."""

import csv
import hashlib
import os
import re
import shlex
import tempfile

from figures import PERCENTILES, START
from lib.encoding import encode, quality, rate_options, run, stream_bytes

FIELDS = ("clip encoder setting point threads frames repeat build kbps psnr_y ssim_y vmaf cpu_s "
          "wall_s latency_ms trace_us md5 run").split()
KEY = "clip encoder setting point threads frames repeat build".split()

def percentiles(values):
    values = sorted(values)
    return [values[round(p / 100 * (len(values) - 1))] for p in PERCENTILES]


def latencies(said):
    """Milliseconds from the moment when each frame enters the encoder to its packet."""
    found = []
    for total, stages in re.findall(r"muxer <- .* latency\(total:([\d.e+-]+)ms(.*)\)", said):
        own = re.search(r"\bencode ([\d.e+-]+)ms", stages)
        # ffmpeg omits stages below 5 % of the total
        found.append(float(own[1]) if own else 0.05 * float(total))
    return found


TRACED = "begin_us ref_us wait_us search_us filter_us end_us".split()


def trace(waited, stats):
    """Stages of the median frame of the second half, "NAME=MICROSECONDS ...". waited: each frame's
    milliseconds; stats: lines of me_stats."""
    if len(waited) != len(stats):
        raise SystemExit(f"evaluate: {len(waited)} packets, but {len(stats)} lines of me_stats")
    half = list(zip(waited, stats))[len(waited) // 2:]
    ms, line = sorted(half, key=lambda f: f[0])[len(half) // 2]
    return " ".join([f"frame={1e3 * ms:.0f}"] + [f"{c.removesuffix('_us')}={line[c]}" for c in TRACED])


def rate_control(setting, point, threads):
    if setting.encoder == "SVT-AV1":
        return ["-b:v", point[1:], "-svtav1-params", f"rc=1:lp={threads}"]
    if setting.program == "peer":
        return ["-b:v", point[1:], "-threads", str(threads)]
    return rate_options(point) + ["-threads", str(threads)]


def vmaf(program, stream, source):
    graph = "[0:v]settb=1/1000,setpts=N[a];[1:v]settb=1/1000,setpts=N[b];[a][b]libvmaf"
    said = run([program, "-hide_banner", "-nostdin", "-i", stream, "-i", source, "-lavfi", graph,
                "-f", "null", "-"])
    return re.search(r"VMAF score: ([\d.]+)", said)[1]


def measure(programs, setting, point, source, frames, threads, part, has_vmaf):
    """The measured columns of a row."""
    program = programs[setting.program]
    judged = part.quality and frames > START
    command = [program, "-hide_banner", "-nostdin", "-y", "-v", "error"]
    if part.latency:
        # Frames come at their own rate, as from a camera.
        command[4:] = ["-v", "info", "-debug_ts", "-re"]
    if not part.quality:
        command += ["-stream_loop", "-1"]
    command += ["-i", source.path] + shlex.split(setting.options) + rate_control(setting, point, threads)
    command += ["-frames:v", str(frames), "-fps_mode", "passthrough"]
    with tempfile.TemporaryDirectory(dir=os.path.dirname(source.path)) as folder:
        suffix = "h264" if setting.encoder.startswith("x264") else "ivf"
        out = os.path.join(folder, f"out.{suffix}") if judged else "-"
        stats = os.path.join(folder, "stats.csv")
        traced = part.latency and setting.program == "ffmpeg"
        if traced:
            command += ["-me_stats", stats]
        done = encode(command + ([] if judged else ["-f", "null"]), out, setting.passes)
        row = {"cpu_s": f"{done.cpu_s:.3f}", "wall_s": f"{done.wall_s:.3f}"}
        if part.latency:
            waited = latencies(done.said)
            if len(waited) < frames // 2:
                raise SystemExit(f"evaluate: {program} prints no latencies (-debug_ts)")
            row["latency_ms"] = " ".join(f"{ms:.3g}" for ms in percentiles(waited))
        if traced:
            with open(stats) as f:
                row["trace_us"] = trace(waited, list(csv.DictReader(f)))
        if judged:
            reader = program if setting.program == "peer" else programs["ffmpeg"]
            seen = quality(reader, out, source.path)
            if seen.frames != frames:
                raise SystemExit(f"evaluate: {setting.encoder} {setting.setting} at {point} made "
                                 f"{seen.frames} frames of {frames}")
            row["kbps"] = f"{stream_bytes(out) * 8 * source.fps / frames / 1000:.2f}"
            row["psnr_y"], row["ssim_y"] = f"{seen.psnr_y:.4f}", f"{seen.ssim_y:.6f}"
            if has_vmaf:
                row["vmaf"] = vmaf(reader, out, source.path)
            with open(out, "rb") as f:
                row["md5"] = hashlib.md5(f.read()).hexdigest()[:8]
    return row
