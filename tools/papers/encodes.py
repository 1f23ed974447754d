# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Encodes clips with the papers' options, and measures time, bitrate and PSNR-Y."""

import concurrent.futures
import os
import tempfile
import threading
import time

import tables
from lib import encoding

KEY = ("paper", "clip", "size", "encoder", "point", "threads", "frames")
COLUMNS = KEY + ("kbps", "psnr_y", "wall_s", "cpu_s", "at_once")

# grossi-2018, section 4.2: vpxenc's options by ffmpeg's names. One pass, like vpxenc's default.
GROSSI = ("-deadline best -cpu-used 0 -auto-alt-ref 1 -g 99999 -static-thresh 0 -arnr-type 3 "
          "-arnr-maxframes 7 -arnr-strength 3").split()
LAG = ["-lag-in-frames", "25"]
# In one pass libvpx's lag only delays. In ours it is a lookahead, which the paper does not have.
NO_LAG = ["-lag-in-frames", "0"]
GROSSI_ENCODERS = {
    "stock": LAG,
    "fast": NO_LAG + ["-cuda_me", "fast"],
    "splitmv": NO_LAG + ["-cuda_me", "splitmv"],
    "tex": NO_LAG + ["-cuda_me", "tex"],
    "default": LAG,
}
GROSSI_RATES = {"1080": [2, 4, 6, 8], "2160": [5, 10, 15, 20, 25]}  # Mb/s

# rodriguez-2013 and hevc-ime-cpr: full search of ±32 and ±16 pixels; libvpx decides everything else.
IME = ["-deadline", "best", "-lag-in-frames", "0"]
IME_ENCODERS = {
    "stock": [],
    "full32": ["-cuda_me", "full", "-me_search", "full", "-me_range", "32", "-guide", "off"],
    "full16": ["-cuda_me", "full", "-me_search", "full", "-me_range", "16", "-guide", "off"],
    "default": [],
}
QUANTIZERS = [14, 26, 38, 50]


def deadline(seconds):
    return time.monotonic() + seconds


def sources(arguments, folder):
    """Decoded clips of the size, and the first of them at twice its width and height."""
    found = {}
    for path in encoding.clips_of_size(arguments.ffprobe, arguments.clips, arguments.size):
        name = os.path.splitext(os.path.basename(path))[0]
        found[name, "1080"] = encoding.raw_clip(arguments.ffmpeg, path, arguments.frames, folder)
    if not found:
        raise SystemExit(f"papers: no clip in {arguments.clips} has {arguments.size} pixels")
    name = min(name for name, _ in found)
    large = os.path.join(folder, "2160.y4m")
    encoding.run([arguments.ffmpeg, "-v", "error", "-y", "-i", found[name, "1080"], "-frames:v",
                  str(max(arguments.frames // 2, 1)), "-vf", "scale=2*iw:2*ih", "-f", "yuv4mpegpipe", large])
    found[name, "2160"] = large
    return found


def grossi(clip, size, frames, threads):
    rates = GROSSI_RATES[size]
    # More threads only at every second rate.
    for rate in rates if threads == 1 else rates[1::2]:
        for encoder, options in GROSSI_ENCODERS.items():
            yield dict(paper="grossi-2018", clip=clip, size=size, encoder=encoder, point=f"b{rate}M",
                       threads=threads, frames=frames), GROSSI + options


def ime(clip, frames):
    for quantizer in QUANTIZERS:
        for encoder, options in IME_ENCODERS.items():
            yield dict(paper="ime", clip=clip, size="1080", encoder=encoder, point=f"q{quantizer}",
                       threads=1, frames=frames), IME + options


def wanted(arguments, clips):
    for threads in arguments.threads:
        for clip, size in clips:
            frames = arguments.frames if size == "1080" else max(arguments.frames // 2, 1)
            yield from grossi(clip, size, frames, threads)
        if threads == arguments.threads[0]:
            for clip, size in clips:
                if size == "1080":
                    yield from ime(clip, arguments.frames)


def measure(arguments, row, options, source, folder, at_once):
    ours = row["encoder"] != "stock"
    out = os.path.join(folder, f"{threading.get_ident()}.ivf")
    program = arguments.ffmpeg if ours else arguments.stock
    codec = ["-c:v", "vp8_cudame", "-me_backend", arguments.backend] if ours else ["-c:v", "libvpx"]
    done = encoding.encode([program, "-v", "error", "-nostdin", "-y", "-i", source] + codec + options +
                           encoding.rate_options(row["point"]) + ["-threads", str(row["threads"])], out)
    seen = encoding.quality(arguments.ffmpeg, out, source)
    if seen.frames != row["frames"]:
        raise SystemExit(f"papers: {seen.frames} frames of {row['frames']} were coded: {row}")
    kbps = encoding.stream_bytes(out) * 8 * seen.fps / seen.frames / 1000
    return dict(row, kbps=f"{kbps:.1f}", psnr_y=f"{seen.psnr_y:.3f}", wall_s=f"{done.wall_s:.3f}",
                cpu_s=f"{done.cpu_s:.3f}", at_once=at_once)


def run(arguments, until):
    """Measure missing rows; return whether all are measured. Encodes run at once on half of the cores."""
    path = os.path.join(arguments.folder, "papers-encodes.tsv")
    cores = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        clips = sources(arguments, folder)
        have = {tuple(row[key] for key in KEY) for row in tables.read(path)}
        todo = [(row, options) for row, options in wanted(arguments, clips)
                if tuple(str(row[key]) for key in KEY) not in have]
        complete = True
        for threads in arguments.threads:
            at_once = max(1, cores // (2 * threads))
            with concurrent.futures.ThreadPoolExecutor(at_once) as pool:
                def one(job):
                    row, options = job
                    if time.monotonic() > until:
                        return None
                    return measure(arguments, row, options, clips[row["clip"], row["size"]], folder, at_once)
                for found in pool.map(one, [job for job in todo if job[0]["threads"] == threads]):
                    if found:
                        tables.add(path, COLUMNS, arguments.run, found)
                    complete &= found is not None
    return complete
