# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Fields of AVCodecContext, those that FFmpeg's libvpx encoder reads and some that it ignores."""

from . import GUIDE, Row

TITLE = "Generic options"
TWO_PASS = ("ours has a lookahead in one pass, which follows the option; stock follows it in two passes")
THREADS = "ours makes the same stream with any number of threads ([why](libvpx-threads.md))"
BUFFER = "-b:v 200k -minrate 200k -maxrate 200k"

ROWS = [
    Row("", base="", options=("b",), title="no option at all", quick=True),
    Row("-b:v 200k", base="", quick=True),
    Row("-b:v 50k", base=""),
    Row("-b:v 1M", base=""),
    Row("-qmin 10 -qmax 40", about=("quantizers",), quick=True),
    Row("-qmin 30", about=("quantizers",)),
    Row("-qmax 15", about=("quantizers",)),
    *(Row(f"-qmin {q} -qmax {q}", base="-b:v 50M", about=("quantizers",), quick=q == 30,
          ignore=("effect",), cause=GUIDE)
      for q in (0, 4, 20, 30, 45, 63)),
    Row("-minrate 100k", explained={"effect": TWO_PASS}),
    Row("-maxrate 300k"),
    Row("-minrate 100k -maxrate 300k", base="-b:v 200k -qcomp 0.5", passes=2),
    Row("-bufsize 100k", base=BUFFER, about=("bucket",)),
    Row("-bufsize 400k", base=BUFFER, about=("bucket",)),
    # 300 frames, because both encoders lack bits in the first part of the clip
    Row("-rc_init_occupancy 20k", base=BUFFER + " -bufsize 100k", about=("bucket",), frames=300),
    Row("-rc_init_occupancy 100k", base=BUFFER + " -bufsize 100k", about=("bucket",)),
    *(Row(f"-qcomp {n}", passes=2) for n in (0, 0.5, 1)),
    Row("-qcomp 0", explained={"effect": TWO_PASS}),
    Row("-g 10"),
    Row("-g 33", quick=True),
    Row("-g 0"),
    Row("-g 1"),
    Row("-g 10", base="-b:v 200k -deadline realtime -cpu-used -8", title="-g at realtime"),
    Row("-g 30", base="-b:v 200k", passes=2, title="-g in two passes"),
    Row("-g 25 -keyint_min 25", quick=True),
    Row("-keyint_min 10"),
    Row("-keyint_min 0"),
    Row("-keyint_min 9999 -g 9999", source="cuts"),
    *(Row(f"-slices {n}", quick=n == 4) for n in (1, 2, 4, 8)),
    Row("-slices 3"),
    *(Row(f"-threads {n}", explained={"effect": THREADS}) for n in (0, 2, 4)),
    Row("-threads 4 -slices 4", base="-b:v 200k -deadline realtime -cpu-used -8"),
    *(Row(f"-profile:v {n}", quick=n == 3) for n in (0, 1, 2, 3)),
    Row("-flags +psnr", quick=True),
    Row("-flags +psnr", container="framemd5", title="side data of packets"),
    Row("-flags +global_header"),
    Row("-flags +low_delay", explained={
        "effect": "stock ignores the flag; ours has no lookahead with it"}),
    Row("-flags +cgop"),
    Row("-flags +bitexact"),
    Row("-flags +copy_opaque"),
    Row("-q:v 5"),
    Row("-i_qfactor 2 -b_qfactor 2 -qblur 1 -qdiff 2 -bf 2 -trellis 1 -level 10"),
    Row("-color_range pc", ignore=("psnr",)),
    Row("-colorspace bt709 -color_primaries bt709 -color_trc bt709", ignore=("psnr",)),
    Row("-aspect 4:3"),
    Row("-bt 50k"),
    Row("-strict experimental"),
]
