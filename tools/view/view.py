#!/usr/bin/env python3
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Draws a VP8 stream's decisions over its pictures: modes, references, vectors, segments.

  view.py FILE --frames 10-12 --out DIR [--hide modes,vectors,refs,segments] [--scale 2]
  view.py FILE --frames 10-12 --out DIR --quantizers
  view.py FILE --counts

FILE is anything that ffmpeg reads. Frames are numbered from 1, hidden ones too, like those of
-me_stats. Each becomes DIR/frame-N.svg for a browser; point at a macroblock to see its details.
--quantizers draws only the segments' quantizers: macroblocks with a lower quantizer than the
frame's are green, those with a higher one red.
--counts prints the macroblocks of each mode, reference and segment instead.
Programs: FFMPEG, else build/bin/ffmpeg; VP8_MODES, else build/view/vp8-modes ("make view").
"""

import argparse
import base64
import os
import struct
import subprocess
import sys
import tempfile
import zlib

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
FFMPEG = os.environ.get("FFMPEG", os.path.join(ROOT, "build/bin/ffmpeg"))
VP8_MODES = os.environ.get("VP8_MODES", os.path.join(ROOT, "build/view/vp8-modes"))

MODES = ("intra16x16", "intra4x4", "zero", "nearest", "near", "new", "split")
REFS = ("intra", "last", "golden", "altref")
COUNTS = ("key", "hidden", *MODES, *(f"ref_{r}" for r in REFS[1:]), "quantizer",
          *(f"segment{i}" for i in range(4)), *(f"quantizer{i}" for i in range(4)))
FILL = {"intra16x16": "#e00", "intra4x4": "#f80", "nearest": "#6c6", "near": "#3aa",
        "new": "#08f", "split": "#a0f"}  # zero is not filled
STROKE = {"golden": "#fd0", "altref": "#f4f"}
SEGMENT = ("none", "#00f", "#0f0", "#f00")


class Frame:
    def __init__(self, words):
        (self.number, key, shown, self.width, self.height, self.cols, self.rows, self.quantizer,
         self.segments, *self.quantizers) = map(int, words)
        self.key, self.shown = bool(key), bool(shown)
        self.mbs = []  # (mode, reference, segment, skipped, vectors)

    def counts(self):
        modes = [mb[0] for mb in self.mbs]
        refs = [mb[1] for mb in self.mbs]
        segments = [mb[2] for mb in self.mbs] if self.segments else []
        return (int(self.key), int(not self.shown), *(modes.count(m) for m in MODES),
                *(refs.count(r) for r in REFS[1:]), self.quantizer,
                *(segments.count(i) for i in range(4)), *self.quantizers)


def frames_of(ivf):
    """Yield the frames of a stream."""
    with subprocess.Popen([VP8_MODES, ivf], stdout=subprocess.PIPE, text=True) as program:
        frame = None
        for line in program.stdout:
            words = line.split()
            if words[0] == "frame":
                if frame:
                    yield frame
                frame = Frame(words[1:])
                continue
            vectors = [tuple(map(int, v.split(","))) for v in words[4:]]
            frame.mbs.append((words[0], REFS[int(words[1])], int(words[2]), words[3] == "1",
                              vectors))
        if frame:
            yield frame
    if program.returncode:
        raise SystemExit(program.returncode)


def run(*args):
    return subprocess.run([FFMPEG, "-nostdin", "-v", "error", *args], check=True,
                          stdout=subprocess.PIPE).stdout


def png(width, height, rgb):
    def chunk(name, data):
        body = name + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
    rows = b"".join(b"\0" + rgb[3 * width * y:3 * width * (y + 1)] for y in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0,
                                                                0)) +
            chunk(b"IDAT", zlib.compress(rows, 6)) + chunk(b"IEND", b""))


def blocks(vectors):
    """(x, y, vector) of the largest square blocks with a single vector: 16x16, 8x8 or 4x4."""
    if len(vectors) == 1:
        return [(8, 8, vectors[0])]
    quarters = [[vectors[i + j] for j in (0, 1, 4, 5)] for i in (0, 2, 8, 10)]
    found = []
    for i, quarter in enumerate(quarters):
        x, y = 8 * (i % 2), 8 * (i // 2)
        if len(set(quarter)) == 1:
            found.append((x + 4, y + 4, quarter[0]))
        else:
            found += [(x + 4 * (j % 2) + 2, y + 4 * (j // 2) + 2, v)
                      for j, v in enumerate(quarter)]
    return found


def arrow(x, y, vector):
    """An arrow from a block's centre to the centre of its prediction."""
    row, col = vector
    if not row and not col:
        return ""
    return f'<path d="M{x} {y}l{col / 4:g} {row / 4:g}"/><circle cx="{x}" cy="{y}" r=".8"/>'


def wash(quantizer, frame):
    """The colour and opacity of a macroblock by its quantizer: full at a third of the frame's
    index, or at as much above it."""
    off = (quantizer - frame.quantizer) / max(frame.quantizer, 1)
    return ("#0c0" if off < 0 else "#e00"), min(abs(off) * 1.5, 1) * .6


def macroblock(frame, mb, x, y, hidden):
    mode, ref, segment, skipped, vectors = mb
    text = f"{mode} {ref}" + (f" segment {segment}" if segment else "")
    text += f" quantizer {frame.quantizers[segment]}" if frame.segments else ""
    text += ", no coefficients" if skipped else ""
    text += "".join(f" {row / 4:+g},{col / 4:+g}" for row, col in dict.fromkeys(vectors))
    fill, opacity = FILL.get(mode, "none"), .15 if skipped else .35
    if "modes" in hidden:
        fill = "none"
    if "quantizers" not in hidden:
        fill, opacity = wash(frame.quantizers[segment], frame)
    stroke = STROKE.get(ref) if "refs" not in hidden else None
    parts = [f'<g pointer-events="all"><title>{text}</title>'
             f'<rect x="{x}" y="{y}" width="16" height="16" fill="{fill}" '
             f'fill-opacity="{opacity:.2g}"/>']
    if stroke:
        parts.append(f'<rect x="{x + .5}" y="{y + .5}" width="15" height="15" fill="none" '
                     f'stroke="{stroke}" stroke-width=".7"/>')
    if segment and "segments" not in hidden:
        parts.append(f'<rect x="{x + 12}" y="{y + 1}" width="3" height="3" '
                     f'fill="{SEGMENT[segment]}"/>')
    if vectors and "vectors" not in hidden:
        drawn = "".join(arrow(x + cx, y + cy, v) for cx, cy, v in blocks(vectors))
        if drawn:
            parts.append(f'<g class="v">{drawn}</g>')
    return "".join(parts) + "</g>"


def legend(frame, width, top, hidden):
    """The legend with counts, and its height."""
    counts = dict(zip(COUNTS, frame.counts()))
    kind = "key" if frame.key else "inter" if frame.shown else "hidden"
    items = [(None, f"frame {frame.number}, {kind}, quantizer index {frame.quantizer}")]
    for i in range(4 if frame.segments else 0):
        fill = f'fill="{SEGMENT[i] if i else "#ccc"}"'
        if "quantizers" not in hidden:
            fill = 'fill="{}" fill-opacity="{:.2g}"'.format(*wash(frame.quantizers[i], frame))
        items.append((fill, f"quantizer {frame.quantizers[i]}: {counts[f'segment{i}']}"))
    items += [(f'fill="{FILL.get(m, "#ccc")}"', f"{m} {counts[m]}") for m in MODES]
    items += [(f'fill="none" stroke="{STROKE.get(r, "#ccc")}"', f"{r} {counts['ref_' + r]}")
              for r in REFS[1:]]
    out, x, y = [], 4, top + 3
    for colour, text in items:
        size = 14 + 4 * len(text)
        if x > 4 and x + size > width:
            x, y = 4, y + 11
        if colour:
            out.append(f'<rect x="{x}" y="{y}" width="7" height="7" {colour}/>')
        out.append(f'<text x="{x + 9 if colour else x}" y="{y + 6.5}">{text}</text>')
        x += size
    return "\n".join(out), y + 11 - top


def svg(frame, picture, hidden, scale):
    width, height = 16 * frame.cols, 16 * frame.rows
    below, footer = legend(frame, width, height, hidden)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width * scale:g}" '
           f'height="{(height + footer) * scale:g}" viewBox="0 0 {width} {height + footer}">',
           '<style>.v{stroke:#fff;stroke-width:.5;fill:#fff}text{font:7px sans-serif}</style>',
           f'<rect width="{width}" height="{height + footer}" fill="#888"/>']
    if picture:
        data = base64.b64encode(png(frame.width, frame.height, picture)).decode()
        out.append(f'<image width="{frame.width}" height="{frame.height}" '
                   f'href="data:image/png;base64,{data}"/>')
    for i, mb in enumerate(frame.mbs):
        out.append(macroblock(frame, mb, 16 * (i % frame.cols), 16 * (i // frame.cols), hidden))
    return "\n".join(out + [below, "</svg>", ""])


def pictures_of(path, frames):
    """RGB pictures of shown frames by number."""
    shown = [f for f in frames if f.shown]
    size = {3 * f.width * f.height for f in frames}
    if len(size) != 1:
        raise SystemExit(f"{path}: frames change their size")
    with subprocess.Popen([FFMPEG, "-nostdin", "-v", "error", "-i", path, "-fps_mode",
                           "passthrough", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"],
                          stdout=subprocess.PIPE) as program:
        for f in shown:
            yield f.number, program.stdout.read(max(size))
        program.stdout.close()
        program.kill()


def span(text):
    first, _, last = text.partition("-")
    try:
        numbers = range(int(first), int(last or first) + 1)
    except ValueError:
        numbers = ()
    if not numbers or numbers[0] < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a frame, or two with - between")
    return numbers


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file")
    parser.add_argument("--frames", type=span, default=range(1, 11), help="1-10")
    parser.add_argument("--out", default="view")
    parser.add_argument("--hide", default="", help="modes, vectors, refs, segments")
    parser.add_argument("--quantizers", action="store_true")
    parser.add_argument("--scale", type=float, default=2)
    parser.add_argument("--counts", action="store_true")
    args = parser.parse_args()
    hidden = set(filter(None, args.hide.split(",")))
    if hidden - {"modes", "vectors", "refs", "segments"}:
        parser.error(f"--hide {args.hide}")
    hidden |= {"modes", "vectors", "refs", "segments"} if args.quantizers else {"quantizers"}
    if not os.path.exists(VP8_MODES):
        raise SystemExit(f"{VP8_MODES} is missing: run make view")

    with tempfile.TemporaryDirectory() as folder:
        ivf = os.path.join(folder, "stream.ivf")
        run("-i", args.file, "-map", "0:v:0", "-c", "copy", "-f", "ivf", ivf)
        frames = list(frames_of(ivf))
        if args.counts:
            print("\t".join(("frame",) + COUNTS))
            for f in frames:
                print("\t".join(map(str, (f.number, *f.counts()))))
            return
        wanted = [f for f in frames if f.number in args.frames]
        if not wanted:
            raise SystemExit(f"{args.file} has {len(frames)} frames")
        os.makedirs(args.out, exist_ok=True)
        until = [f for f in frames if f.number <= wanted[-1].number]
        pictures = {n: p for n, p in pictures_of(ivf, until) if n in args.frames}
    for f in wanted:
        path = os.path.join(args.out, f"frame-{f.number}.svg")
        with open(path, "w", encoding="utf-8") as out:
            out.write(svg(f, pictures.get(f.number), hidden, args.scale))
        print(path)


if __name__ == "__main__":
    sys.exit(main())
