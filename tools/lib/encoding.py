# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs one encode by an ffmpeg program, and measures time, bitrate and quality."""

import dataclasses
import glob
import hashlib
import os
import re
import shlex
import subprocess
import tempfile
import time


def run(cmd, **kwargs):
    done = subprocess.run(cmd, stdin=subprocess.DEVNULL, capture_output=True, text=True, **kwargs)
    if done.returncode:
        raise SystemExit(f"failed: {shlex.join(cmd)}\n{done.stderr}")
    return done.stderr


def timed(cmd):
    """CPU (user and system) and wall seconds of one command, and its stderr."""
    start = time.time()
    with subprocess.Popen(cmd, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, errors="replace") as proc:
        err = proc.stderr.read()
        _, status, usage = os.wait4(proc.pid, 0)
        proc.returncode = os.waitstatus_to_exitcode(status)
    if proc.returncode:
        raise SystemExit(f"failed: {shlex.join(cmd)}\n{err}")
    return usage.ru_utime + usage.ru_stime, time.time() - start, err


def program_of(options, ffmpeg):
    """The ffmpeg that a setting's options name by @PATH, and the other options."""
    if options.startswith("@"):
        ffmpeg, _, options = options[1:].partition(" ")
    return ffmpeg, options


def raw_clip(ffmpeg, path, frames, folder):
    """Decode a clip once, so that timed encodes do not include decoding."""
    key = hashlib.sha1(f"{os.path.abspath(path)}:{frames}".encode()).hexdigest()[:12]
    y4m = os.path.join(folder, f"rd-{key}.y4m")
    if not os.path.exists(y4m):
        part = f"{y4m}.{os.getpid()}.part"
        run([ffmpeg, "-v", "error", "-y", "-i", path, "-map", "0:v:0", "-frames:v", str(frames),
             "-pix_fmt", "yuv420p", "-f", "yuv4mpegpipe", part])
        os.replace(part, y4m)
    return y4m


def picture_size(ffprobe, path):
    """Size of the first video stream, as 1920x1080; empty without a stream."""
    # Not CSV, which has another separator for streams with side data.
    done = subprocess.run([ffprobe, "-v", "error", "-select_streams", "v:0", "-show_entries", "stream=width,height",
                           "-of", "default=nw=1:nk=1", path], stdin=subprocess.DEVNULL, capture_output=True,
                          text=True, check=False)
    return "x".join(done.stdout.split())


def clips_of_size(ffprobe, folder, size):
    """Sorted paths of a folder's clips of that size."""
    return [path for path in sorted(glob.glob(os.path.join(folder, "*"))) if picture_size(ffprobe, path) == size]


# Rate-control options by the first letter of a point: quantizer, variable or constant bitrate.
RATE_CONTROL = {
    "q": lambda q: ["-qmin", q, "-qmax", q, "-b:v", "200M"],
    "b": lambda rate: ["-b:v", rate, "-qmin", "0", "-qmax", "63"],
    "c": lambda rate: ["-b:v", rate, "-minrate", rate, "-maxrate", rate, "-bufsize", rate],
}


def rate_options(point):
    return RATE_CONTROL[point[0]](point[1:])


def stream_bytes(path):
    """Size of an IVF file without its headers; of another file as it is."""
    size = os.path.getsize(path)
    if not path.endswith(".ivf"):
        return size
    total = 0
    with open(path, "rb") as f:
        at = int.from_bytes(f.read(8)[6:], "little")
        while at + 12 <= size:
            f.seek(at)
            length = int.from_bytes(f.read(4), "little")
            total += length
            at += 12 + length
    return total


@dataclasses.dataclass
class Quality:
    psnr_y: float
    ssim_y: float
    frames: int
    fps: float


def quality(ffmpeg, stream, source):
    """PSNR and SSIM frame by frame, independent of time stamps."""
    graph = ("[0:v]settb=1/1000,setpts=N,split[a][b];[1:v]settb=1/1000,setpts=N,split[c][d];"
             "[a][c]psnr;[b][d]ssim")
    err = run([ffmpeg, "-hide_banner", "-nostdin", "-i", stream, "-i", source, "-lavfi", graph,
               "-f", "null", "-"])
    return Quality(float(re.search(r"PSNR y:([\d.]+|inf)", err)[1]),
                   float(re.search(r"SSIM Y:([\d.]+)", err)[1]),
                   int(re.findall(r"frame=\s*(\d+)", err)[-1]),
                   float(re.search(r"([\d.]+) fps", err)[1]))


def scores_of_frames(ffmpeg, stream, source, metric, field):
    """A field, such as Y, of each frame's line in the log of ffmpeg's filter metric."""
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log")
        run([ffmpeg, "-v", "error", "-i", stream, "-i", source, "-lavfi",
             "[0:v]settb=1/1000,setpts=N[a];[1:v]settb=1/1000,setpts=N[b];"
             f"[a][b]{metric}=stats_file={log}", "-f", "null", "-"])
        with open(log) as f:
            return [float(re.search(rf" {field}:([\d.]+|inf)", line)[1]) for line in f]


@dataclasses.dataclass
class Encoded:
    cpu_s: float
    wall_s: float
    said: str


def encode(command, out, passes=1):
    """Run a command, to which the output is appended, in one or two passes; times are the sum."""
    cpu = wall = 0.0
    with tempfile.TemporaryDirectory() as logs:
        for number in range(1, passes + 1):
            extra = (["-pass", str(number), "-passlogfile", os.path.join(logs, "log")]
                     if passes > 1 else [])
            if number < passes:
                extra += ["-f", "null", "-"]
            c, w, said = timed(command + extra + ([out] if number == passes else []))
            cpu, wall = cpu + c, wall + w
    return Encoded(cpu, wall, said)
