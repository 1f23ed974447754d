# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tests vp8_cudame in PyAV. Run pyav.py FFMPEG in an empty folder. Prints a line for each test.

Packets must be those of the program FFMPEG with the same libraries and options.
"""

import subprocess
import sys

import av

WIDTH, HEIGHT, FRAMES, RATE = 176, 144, 40, 25
FFMPEG = sys.argv[1]


def pictures():
    """Return raw yuv420p frames of a moving picture."""
    raw = subprocess.run([FFMPEG, "-v", "error", "-nostdin", "-f", "lavfi", "-i",
                          f"testsrc2=s={WIDTH}x{HEIGHT}:r={RATE}", "-frames:v", str(FRAMES), "-pix_fmt",
                          "yuv420p", "-f", "rawvideo", "pipe:1"], check=True, stdout=subprocess.PIPE).stdout
    size = WIDTH * HEIGHT * 3 // 2
    return [raw[i:i + size] for i in range(0, len(raw), size)]


def frame_of(raw, index):
    frame = av.VideoFrame(WIDTH, HEIGHT, "yuv420p")
    frame.pts = index
    at = 0
    for plane in frame.planes:
        lines = []
        for _ in range(plane.height):
            lines.append(raw[at:at + plane.width].ljust(plane.line_size, b"\0"))
            at += plane.width
        plane.update(b"".join(lines).ljust(plane.buffer_size, b"\0"))
    return frame


def luma(frame):
    plane = frame.planes[0]
    data = bytes(plane)
    return b"".join(data[y * plane.line_size:y * plane.line_size + WIDTH] for y in range(HEIGHT))


def encode(path, options, codec="vp8_cudame", bit_rate=300000):
    """Encode all pictures, mux the packets into path, and return them."""
    packets = []
    with av.open(path, "w") as out:
        stream = out.add_stream(codec, rate=RATE, options=options)
        stream.width, stream.height, stream.pix_fmt = WIDTH, HEIGHT, "yuv420p"
        stream.bit_rate = bit_rate
        for index, raw in enumerate(PICTURES):
            for packet in stream.encode(frame_of(raw, index)):
                packets.append(bytes(packet))
                out.mux(packet)
        for packet in stream.encode(None):
            packets.append(bytes(packet))
            out.mux(packet)
    return packets


def of_ffmpeg(options):
    """Return the packets that the program FFMPEG makes."""
    words = [word for name, value in options.items() for word in (f"-{name}", value)]
    ivf = subprocess.run([FFMPEG, "-v", "error", "-nostdin", "-f", "rawvideo", "-pix_fmt", "yuv420p", "-s",
                          f"{WIDTH}x{HEIGHT}", "-r", str(RATE), "-i", "pipe:0", "-c:v", "vp8_cudame", "-b:v",
                          "300000", *words, "-f", "ivf", "pipe:1"], check=True, input=b"".join(PICTURES),
                         stdout=subprocess.PIPE).stdout
    packets, at = [], 32
    while at < len(ivf):
        size = int.from_bytes(ivf[at:at + 4], "little")
        packets.append(ivf[at + 12:at + 12 + size])
        at += 12 + size
    return packets


def psnr(path):
    """Return the luma PSNR over all frames of a file, and the number of frames."""
    error = count = 0
    with av.open(path) as file:
        for raw, frame in zip(PICTURES, file.decode(video=0)):
            error += sum((a - b) ** 2 for a, b in zip(raw, luma(frame)))
            count += 1
    import math
    return 10 * math.log10(255 ** 2 * WIDTH * HEIGHT * count / max(error, 1)), count


def check(name, passed, why=""):
    print(f"{'ok' if passed else 'not ok'} {name}" + (f" ({why})" if why and not passed else ""),
          flush=True)


PICTURES = pictures()
SETTINGS = {
    "best": {"deadline": "best", "lag-in-frames": "12"},
    "good": {"deadline": "good", "cpu-used": "2", "auto-alt-ref": "1", "lag-in-frames": "16"},
    "realtime": {"deadline": "realtime", "cpu-used": "-8", "error-resilient": "default"},
}
for setting, chosen in SETTINGS.items():
    chosen = {**chosen, "me_backend": "cpu"}
    got, wanted = encode(f"{setting}.webm", chosen), of_ffmpeg(chosen)
    check(f"packets-{setting}", got == wanted, f"{len(got)} packets, ffmpeg has {len(wanted)}")
    quality, decoded = psnr(f"{setting}.webm")
    check(f"decoded-{setting}", decoded == FRAMES and quality > 30, f"{decoded} frames, {quality:.1f} dB")

encode("stats.webm", {"me_stats": "stats.csv", "deadline": "realtime", "me_backend": "cpu"})
with open("stats.csv", encoding="utf-8") as stats:
    check("stats", len(stats.read().splitlines()) == FRAMES + 1)

ours = encode("ours.webm", {"deadline": "realtime", "cpu-used": "-8", "me_backend": "cpu"})
for name in "libvpx", "vp8":
    check(f"as-{name}", ours == encode(f"{name}.webm", {"deadline": "realtime", "cpu-used": "-8"}, name))

codec = av.Codec("vp8_cudame", "w")
check("described", "yuv420p" in [f.name for f in codec.video_formats] and codec.type == "video")
try:
    encode("refused.webm", {"cuda_me": "nonsense"})
    check("refused", False, "it took nonsense")
except av.error.FFmpegError:
    check("refused", True)
