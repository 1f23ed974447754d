# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Rate control in clips of 30 seconds: the bitrate is held to 3 % here."""

from . import LEAN, Row

TITLE = "Rate control"
LONG = 750
SKIP = "select='not(between(mod(n\\,7)\\,3\\,5))'"
RT = "-deadline realtime -cpu-used -8"
CBR = "-minrate {0} -maxrate {0} -bufsize {0}"

ROWS = [
    *(Row(f"-b:v {b}", base="", frames=LONG) for b in ("50k", "100k", "200k", "400k")),
    Row("-b:v 100k", base="-cpu-used 5", frames=LONG, title="VBR, good 5"),
    Row("-b:v 100k", base="-deadline best", frames=LONG, title="VBR, best"),
    Row("-b:v 100k", base="-lag-in-frames 0", frames=LONG, title="VBR, no lookahead"),
    *(Row(f"-b:v {b}", base=RT, frames=LONG, title=f"VBR, realtime, {b}")
      for b in ("50k", "200k")),
    Row("-b:v 100k", base=RT, frames=LONG, source="bars", title="VBR, realtime"),
    Row("-b:v 100k", base="", frames=LONG, source="bars", title="VBR", cause=LEAN),
    Row("-b:v 10k", base="-lag-in-frames 0", frames=LONG, quick=True,
        title="starved, good, no lookahead"),
    *(Row("-b:v 10k", base=base, frames=LONG, title=f"starved, {name}")
      for base, name in (("", "good"), ("-deadline best -lag-in-frames 0", "best, no lookahead"),
                         ("-cpu-used 5", "good 5"), (RT, "realtime"))),
    Row("-b:v 100k -g 10", base="", frames=LONG, title="VBR, a key frame every 10"),
    Row("-b:v 100k -g 50", base="", frames=LONG, title="VBR, a key frame every 50"),
    Row("-b:v 100k -g 10", base=RT, frames=LONG, title="VBR, realtime, a key frame every 10"),
    Row("-b:v 100k -force_key_frames expr:gte(t,n_forced*0.6)", base="", frames=LONG,
        title="VBR, a forced key frame every 15"),
    Row("-b:v 100k -fps_mode vfr", base="", vf=SKIP, frames=LONG, title="VBR, dropped frames"),
    Row("-b:v 100k -minrate 50k", base="", frames=LONG, title="VBR with minrate"),
    *(Row("-b:v 100k -maxrate 150k -bufsize 200k", base=base, frames=LONG, about=("bucket",),
          title=f"VBR with a buffer, {name}")
      for base, name in (("", "good"), ("-cpu-used 5", "good 5"), (RT, "realtime"))),
    *(Row(f"-b:v {b} {CBR.format(b)}", base=base, frames=LONG, about=("bucket",),
          title=f"CBR, {b}, {name}")
      for b in ("100k", "300k")
      for base, name in (("", "good"), ("-cpu-used 5", "good 5"), (RT, "realtime"))),
    Row("-b:v 100k -minrate 100k -maxrate 100k -bufsize 30k", base=RT, frames=LONG,
        about=("bucket",), title="CBR with a small buffer"),
    Row("-b:v 100k -minrate 100k -maxrate 100k -bufsize 100k", base=RT, frames=LONG,
        source="bars", about=("bucket",), title="CBR"),
    *(Row(f"-crf {q} -b:v 200k", base="", frames=LONG, about=("quantizers",),
          title=f"CQ {q}") for q in (10, 30)),
    Row("-crf 20 -b:v 100k -maxrate 150k -bufsize 200k", base="", frames=LONG,
        about=("bucket",), title="CQ with a buffer"),
    Row("-b:v 100k", base="", frames=LONG, passes=2, about=("statistics",), title="two passes"),
    Row("-b:v 100k -maxrate 150k -bufsize 200k", base="", frames=LONG, passes=2,
        about=("bucket",), title="two passes with a buffer"),
    Row("-crf 20 -b:v 200k", base="", frames=LONG, passes=2, title="CQ in two passes"),
    Row("-b:v 100k -minrate 100k -maxrate 100k -bufsize 100k", base="", frames=LONG, passes=2,
        about=("bucket",), title="CBR in two passes"),
]
for row in ROWS:
    row.exact_rate = True
    row.options = row.options + ("b",)
