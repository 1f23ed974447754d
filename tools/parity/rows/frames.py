# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""The input: sizes, formats, forced key frames, regions of interest, time stamps."""

from . import GUIDE, Row

TITLE = "Frames"
SKIP = "select='not(between(mod(n\\,7)\\,3\\,5))'"
RT = "-b:v 200k -deadline realtime -cpu-used -8"
FIXED = "-b:v 50M -qmin 30 -qmax 30 -g 999 -keyint_min 999"
NV12 = "ours takes the format as it is, without a conversion"
SLIVER = "four or seven macroblocks with one or two visible columns: the guide loses 4 % there"
FLAGS = "metadata=mode=add:key=vp8-flags:value={}"
RESIZE = ("psnr", "rate", "effect", "keys")  # another size may count as a scene cut

ROWS = [
    *(Row("", base=FIXED, size=s, frames=30, title=f"size {s}", quick=s in ("1x1", "17x33"),
          ignore=("psnr", "rate") if s == "1x1" else (),
          explained={"psnr": SLIVER} if s in ("1x64", "2x100") else {}, cause=GUIDE)
      for s in ("1x1", "1x64", "64x1", "15x16", "16x16", "17x33", "2x100", "175x143")),
    *(Row("", base=FIXED + " -deadline realtime -cpu-used -8", size=s, frames=30,
          title=f"size {s}, realtime", ignore=("psnr", "rate") if s == "1x1" else ())
      for s in ("1x1", "17x33")),
    *(Row(f"-pix_fmt {f}", frames=30) for f in ("yuv420p", "gray", "yuv444p", "rgb24")),
    Row("-pix_fmt nv12", frames=30, explained={"messages": NV12}),
    Row("", frames=1, title="one frame"),
    Row("", frames=2, title="two frames"),
    Row("", vf="trim=end_frame=0", title="no frame", ignore=("psnr", "rate")),

    Row("-force_key_frames 0.52,1.2,3.04", quick=True),
    Row("-force_key_frames expr:gte(t,n_forced*0.6)"),
    Row("-force_key_frames 1.2,2.4", base=RT, title="forced key frames at realtime"),
    Row("-force_key_frames 1.2,2.4", base="-b:v 100k -auto-alt-ref 1 -lag-in-frames 16",
        passes=2, title="forced key frames in two passes", cause=GUIDE),
    Row("-force_key_frames 0.04,0.08", base="-b:v 200k -lag-in-frames 0",
        title="forced key frames in a row"),
    Row("", source="cuts", title="scene cuts"),
    Row("", source="cuts", base="-b:v 200k -cpu-used 5", title="scene cuts, good 5"),
    Row("", source="cuts", base="-b:v 200k", passes=2, title="scene cuts in two passes",
        cause=GUIDE),
    Row("", source="cuts", base=RT, title="scene cuts, realtime"),

    Row("", vf="addroi=40:30:80:60:-0.3", base="-b:v 200k -lag-in-frames 0", quick=True,
        title="a region of interest", about=("segments", "segment quantizers")),
    Row("", vf="addroi=40:30:80:60:0.4", base="-b:v 200k -lag-in-frames 0",
        title="a region of less interest", about=("segments", "segment quantizers")),
    Row("", vf="addroi=0:0:64:64:-0.2,addroi=64:64:64:64:0.2,addroi=100:0:50:50:-0.5", base=RT,
        title="three regions, realtime", about=("segments", "segment quantizers")),
    Row("", vf="addroi=0:0:64:64:-0.2,addroi=64:64:64:64:0.2,addroi=100:0:50:50:-0.5,"
        "addroi=0:100:40:40:0.5", base=RT, title="four regions",
        about=("segments", "segment quantizers")),
    Row("", vf="addroi=40:30:80:60:-0.3", title="a region with a lookahead",
        about=("segments", "segment quantizers")),

    Row("", vf=FLAGS.format(1 << 17), base="-b:v 200k -lag-in-frames 0",
        title="frame metadata vp8-flags: no golden reference"),
    Row("", vf=FLAGS.format((1 << 22) | (1 << 23)), base=RT,
        title="frame metadata vp8-flags: no golden, no alt-ref update", about=("altref",)),
    Row("", vf="metadata=mode=add:key=temporal_id:value=0", base=RT,
        title="frame metadata temporal_id"),

    Row("-fps_mode vfr", vf=SKIP, title="dropped frames, VFR", quick=True),
    Row("-fps_mode vfr", vf=SKIP, base=RT, title="dropped frames, VFR, realtime"),
    Row("-fps_mode vfr", vf=SKIP, base="-b:v 200k -auto-alt-ref 1 -lag-in-frames 16", passes=2,
        title="dropped frames, VFR, two passes"),
    Row("-fps_mode cfr", vf=SKIP, title="dropped frames, CFR", ignore=("psnr",)),
    Row("-enc_time_base 1:1000", title="time base of 1/1000"),
    Row("-enc_time_base 1:1000 -fps_mode vfr", vf=SKIP + ",settb=1/1000",
        title="VFR in a time base of 1/1000"),
    Row("-fps_mode vfr", vf="settb=1/90000,setpts=PTS+random(0)*1800", ignore=("psnr",),
        title="jitter in a time base of 1/90000"),
    Row("", vf="setpts=PTS+7/TB", title="times that begin at 7 s", ignore=("psnr",)),
    Row("-r 12.5", title="another frame rate", ignore=("psnr",)),

    Row("", source="alpha", base="-b:v 200k -auto-alt-ref 0", container="webm", quick=True,
        title="transparency", about=("alpha",)),
    Row("", source="alpha", base=RT + " -auto-alt-ref 0", container="webm",
        title="transparency, realtime", about=("alpha",)),
    Row("-g 10 -crf 20", source="alpha", base="-b:v 1M -auto-alt-ref 0", container="webm",
        title="transparency with options", about=("alpha",)),

    Row("", source="-f concat -i FOLDER/larger.txt", title="a larger size in mid-stream, scaled",
        ignore=RESIZE),
    Row("-noautoscale", source="-f concat -i FOLDER/larger.txt", ignore=RESIZE,
        title="a larger size in mid-stream, not scaled"),
    Row("", source="-f concat -i FOLDER/smaller.txt", ignore=RESIZE,
        title="a smaller size in mid-stream, scaled"),
    Row("-noautoscale", source="-f concat -i FOLDER/smaller.txt", ignore=RESIZE, at_times=True,
        title="a smaller size in mid-stream, not scaled",
        explained=dict.fromkeys(("status", "messages", "packets", "pts", "durations"),
                                "stock reads beyond the smaller frame, and may crash; ours "
                                "refuses it")),
]
