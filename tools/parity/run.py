# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs a row's command with one encoder, and finds the facts of the result."""

import hashlib
import json
import os
import re
import shlex
import shutil
import subprocess

from lib import vp8
from lib.sources import RATE

TIMEOUT = 300


class Side:
    """An encoder: its program and options."""

    def __init__(self, name, ffmpeg, encoder):
        self.name = name
        self.ffmpeg = ffmpeg
        self.encoder = encoder


def call(command, folder):
    """(exit status or 124 after a timeout, stdout, stderr)."""
    env = dict(os.environ, AV_LOG_FORCE_NOCOLOR="1")
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, cwd=folder,
                              env=env, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return 124, "", "timeout"
    return done.returncode, done.stdout.decode(errors="replace"), \
        done.stderr.decode(errors="replace")


def status_word(code):
    if code == 0:
        return "works"
    if code == 124:
        return "hangs"
    if code < 0 or 128 <= code < 160:
        return f"killed by signal {-code if code < 0 else code - 128}"
    return "fails"


# ffmpeg's threads report each other's end in an order that varies.
RACES = ("Task finished with error", "Terminating thread", "Could not open encoder before EOF",
         "Nothing was written", "Error submitting", "Error sending", "Output file is empty")


def messages(said):
    """Warnings and errors, without names of encoders and folders, and without addresses."""
    lines = set()
    for line in said.splitlines():
        match = re.search(r"\[(warning|error|fatal|panic)\] (.*)", line)
        if not match:
            continue
        text = re.sub(r"0x[0-9a-f]+|\(nil\)", "ADDRESS", match[2])
        text = text.replace("vp8_cudame", "libvpx")
        text = re.sub(r"\S*/(\w+\.)", r"\1", text).strip()
        if text and not any(race in text for race in RACES):
            lines.add(f"{match[1]}: {text}")
    return tuple(sorted(lines))


def command_of(row, side, source, args, number, out):
    """The command of pass `number` (0: the only pass)."""
    command = [side.ffmpeg, "-hide_banner", "-nostdin", "-y", "-v", "level+warning"]
    command += shlex.split(row.before) + source
    if row.vf:
        command += ["-vf", row.vf]
    command += ["-frames:v", str(row.frames), "-threads", "1"] + shlex.split(side.encoder)
    command += shlex.split(args)
    if number:
        command += ["-pass", str(number), "-passlogfile", "two"]
    if number == 1:
        return command + ["-f", "null", "-"]
    return command + ["-stats_enc_post", "stamps", "-stats_enc_post_fmt", "{pts} {dts}",
                      "-f", row.container, out]


def decoded(ffmpeg, decoder, folder, out):
    """Lines with time and MD5 sum of each frame, or a text that says why decoding failed."""
    code, text, said = call([ffmpeg, "-v", "error", "-nostdin", "-c:v", decoder, "-i", out,
                             "-fps_mode", "passthrough", "-pix_fmt", "yuv420p", "-f", "framemd5",
                             "-"], folder)
    if code or said.strip():
        return "fails: " + (said.strip().splitlines() or ["?"])[0]
    return [line for line in text.splitlines() if not line.startswith("#")]


def psnr(ffmpeg, folder, out, row, source, alpha=False):
    """PSNR of luma or alpha in dB, against the source frame with the same time."""
    plane = "alphaextract," if alpha else "format=yuv420p,"
    chain = (row.vf + "," if row.vf else "") + plane
    graph = f"[0:v]{plane}settb=1/1000[a];[1:v]{chain}settb=1/1000[b];[a][b]psnr"
    decoder = ["-c:v", "libvpx"] if alpha else []  # FFmpeg's own decoder ignores alpha
    inputs = decoder + ["-i", out] + shlex.split(row.before) + source
    outputs = ["-lavfi", graph, "-fps_mode", "passthrough", "-f", "null", "-"]
    code, _, said = call([ffmpeg, "-v", "info", "-nostdin"] + inputs + outputs, folder)
    match = re.search(r"PSNR y:([\d.]+|inf)", said)
    return float(match[1]) if code == 0 and match else None


def bucket(sizes, times, rate, size):
    """The highest level of a leaky bucket, in percent of its size."""
    level = most = 0.0
    before = times[0] if times else 0
    for bits, time in zip(sizes, times):
        level = max(0.0, level - rate * (time - before)) + bits
        before = time
        most = max(most, level)
    return 100 * most / size


def bitstream(facts, frames):
    """Add facts of the frame headers; return the headers."""
    headers = [vp8.parse(data) for _, data in frames]
    shown = [h for h in headers if h.shown]
    facts["hidden"] = len(headers) - len(shown)
    facts["keys"] = tuple(n for n, h in enumerate(shown) if h.key)
    facts["size"] = tuple(sorted({h.size for h in headers if h.key}))
    facts["profile"] = tuple(sorted({h.version for h in headers}))
    facts["simple filter"] = tuple(sorted({h.simple_filter for h in headers}))
    facts["sharpness"] = tuple(sorted({h.sharpness for h in headers}))
    facts["partitions"] = tuple(sorted({h.partitions for h in headers}))
    facts["references"] = tuple(h.references for h in headers)
    facts["kept probabilities"] = sum(h.keeps_entropy for h in headers)
    facts["segments"] = sum(h.segments for h in headers)
    facts["segment quantizers"] = tuple(sorted({h.segment_q for h in headers if h.segment_q}))
    facts["quantizers"] = (min(h.quantizer for h in headers), max(h.quantizer for h in headers))
    facts["altref"] = "used" if any(h.altref == "new" and not h.key for h in headers) else "unused"
    return headers


def side_data_of_packets(facts, folder):
    """Add facts that the muxer framemd5 prints: sizes of the packets' side data."""
    with open(os.path.join(folder, "out.mkv")) as f:
        lines = [line.split(",") for line in f if not line.startswith("#")]
    facts["packets"] = len(lines)
    # stream, dts, pts, duration, size, sum, then size and sum of each side data
    facts["side data"] = tuple(sorted({tuple(int(w) for w in l[6::2]) for l in lines}))
    facts["sum"] = hashlib.md5("".join(l[5] for l in lines).encode()).hexdigest()


def stream(facts, row, side, folder, source, tools):
    """Add facts of the written stream."""
    out = os.path.join(folder, "out.mkv")
    code, text, _ = call([tools.ffprobe, "-v", "error", "-show_packets", "-show_streams", "-of",
                          "json", out], folder)
    probe = json.loads(text or "{}")
    packets = probe.get("packets", [])
    if code or not packets:
        facts["packets"] = 0
        return
    call([tools.ffmpeg, "-v", "error", "-nostdin", "-y", "-i", out, "-c", "copy", "-f", "ivf",
          "out.ivf"], folder)
    frames = list(vp8.frames_of_ivf(os.path.join(folder, "out.ivf")))
    headers = bitstream(facts, frames)
    with open(os.path.join(folder, "stamps")) as f:
        stamps = [tuple(line.split()) for line in f]
    facts["packets"] = sum(h.shown for h in headers)
    facts["dropped"] = row.frames - facts["packets"]
    facts["pts"] = tuple(s[0] for s, h in zip(stamps, headers) if h.shown)
    # A hidden frame may have the next frame's timestamp.
    facts["dts"] = "rises" if all(int(a[1]) < int(b[1]) + (not h.shown)
                                  for a, b, h in zip(stamps, stamps[1:], headers)) \
        else "does not rise"
    facts["durations"] = tuple(p.get("duration") for p, h in zip(packets, headers) if h.shown)
    facts["key flags"] = "right" if all(("K" in p["flags"]) == h.key
                                        for p, h in zip(packets, headers)) else "wrong"
    facts["side data"] = tuple(sorted({s["side_data_type"] for p in packets
                                       for s in p.get("side_data_list", [])}))
    facts["tags"] = tuple(sorted(k for k in probe["streams"][0].get("tags", {})
                                 if k.lower() == "alpha_mode"))
    facts["sum"] = hashlib.md5(b"".join(d for _, d in frames)).hexdigest()

    sizes = [8 * len(data) for _, data in frames]
    times = [float(p["pts_time"]) for p in packets]
    ends = [float(p["pts_time"]) + float(p.get("duration_time", 1 / RATE)) for p in packets]
    facts["seconds"] = max(max(ends) - min(times), 1e-3)
    facts["kbps"] = sum(sizes) / facts["seconds"] / 1000
    facts["largest key"] = max((n for n, h in zip(sizes, headers) if h.key), default=0) / 1000
    room, rate = row.value("bufsize"), row.value("maxrate") or row.value("b")
    if room and rate:
        facts["bucket"] = bucket(sizes, times, rate, room)

    native, other = (decoded(tools.ffmpeg, d, folder, out) for d in ("vp8", "libvpx"))
    facts["decoders"] = native if isinstance(native, str) else other if isinstance(other, str) \
        else "agree" if native == other and len(native) == facts["packets"] else "disagree"
    if "psnr" not in row.ignore:
        facts["psnr"] = psnr(tools.ffmpeg, folder, out, row, source)
        if facts["tags"]:
            facts["alpha"] = psnr(tools.ffmpeg, folder, out, row, source, alpha=True)


def encode(row, side, folder, source, args, tools):
    """Facts of a row's command by name. `sum` is None if no stream was written."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    out = os.path.join(folder, "out.mkv")
    facts, said = {"sum": None}, ""
    for number in ((0,) if row.passes == 1 else range(1, row.passes + 1)):
        code, _, more = call(command_of(row, side, source, args, number, out), folder)
        said += more
        facts["status"] = status_word(code)
        if number == 1 and os.path.exists(os.path.join(folder, "two-0.log")):
            with open(os.path.join(folder, "two-0.log"), "rb") as f:
                facts["statistics"] = hashlib.md5(f.read()).hexdigest()[:8]
        if code:
            break
    facts["messages"] = messages(said)
    if not row.refused and os.path.exists(out) and os.path.getsize(out):
        try:
            if row.container == "framemd5":
                side_data_of_packets(facts, folder)
            else:
                stream(facts, row, side, folder, source, tools)
        except (ValueError, KeyError, OSError, IndexError) as error:
            facts["stream"] = f"unreadable: {error}"
    shutil.rmtree(folder, ignore_errors=True)
    return facts
