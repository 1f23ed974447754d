# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Values at and beyond the limits, invalid words, and options that exclude each other."""

from . import Row

TITLE = "Limits"
ROOM = ("ours treats the value as not given, because presets need such a value "
        "([options](options.md#preset))")
RANGE = "the message names our range, which has one more value for presets"
LAG = "our range ends at 25, the maximum of libvpx"
OURS = "ours names the option, and lists no settings of libvpx"
PASS = "ours refuses the first pass, in which libvpx makes no statistics"

VALUES = {
    "lag-in-frames": ("-2", "26", "word"), "arnr-maxframes": ("-2", "16", "word"),
    "arnr-strength": ("-2", "7", "word"), "arnr-type": ("-2", "0", "4", "word"),
    "tune": ("-2", "2", "word"), "deadline": ("word",),
    "error-resilient": ("word",), "max-intra-rate": ("-2", "word"), "crf": ("-2", "64", "word"),
    "static-thresh": ("-1", "131072", "word"), "drop-threshold": ("-1", "101", "word"),
    "noise-sensitivity": ("-1", "5", "word"), "undershoot-pct": ("-2", "101", "word"),
    "overshoot-pct": ("-2", "101", "1001", "word"),
    "ts-parameters": ("word", "ts_number_layers=6", "ts_number_layers=2",
                      "ts_number_layers=2:ts_target_bitrate=200,100:ts_rate_decimator=2,1:"
                      "ts_periodicity=2:ts_layer_id=0,1", "ts_number_layers="),
    "auto-alt-ref": ("-2", "3", "word"), "cpu-used": ("-17", "17", "word"),
    "screen-content-mode": ("-2", "3", "word"), "speed": ("-17", "17", "word"),
    "quality": ("word",), "vp8flags": ("word", "-1"), "arnr_max_frames": ("-1", "16"),
    "arnr_strength": ("-1", "7"), "arnr_type": ("0", "4"), "rc_lookahead": ("-1", "26"),
    "sharpness": ("-2", "8", "word"), "profile:v": ("4", "-1"), "slices": ("0", "16", "-1"),
    "qmin": ("64", "-2"), "qmax": ("64", "-2"), "g": ("-5",), "b:v": ("-1", "word", "500"),
    "threads": ("-1", "65"), "qcomp": ("-1", "1.5"), "bufsize": ("-1",), "keyint_min": ("-2",),
    "rc_init_occupancy": ("-1",),
}
TOGETHER = [
    Row("-maxrate 200k", base="", title="maxrate without a bitrate"),
    Row("-bufsize 200k", base="", title="bufsize without a bitrate"),
    Row("-crf 10 -qmin 20", title="crf below qmin"),
    Row("-crf 50 -qmax 40", title="crf above qmax"),
    Row("-qmin 40 -qmax 20", title="qmin above qmax"),
    Row("-pass 2 -passlogfile none", title="a second pass without a first"),
    Row("-deadline realtime", passes=2, title="two passes at realtime"),
    Row("-auto-alt-ref 1", base="-b:v 200k -pix_fmt yuva420p", source="alpha",
        title="alt-ref frames with transparency"),
    Row("-screen-content-mode 2", base="-b:v 200k -pix_fmt yuva420p -auto-alt-ref 0",
        source="alpha", title="screen content mode 2 with transparency"),
    Row("", size="16384x16", frames=2, source="grain", title="size 16384x16", options=("s",)),
    Row("-profile:v 1", base="-b:v 200k -pix_fmt yuva420p -auto-alt-ref 0", source="alpha",
        title="profile 1 with transparency"),
]
ROWS = [Row(f"-{name} {value}") for name, values in VALUES.items() for value in values] + TOGETHER
QUICK = ("-crf 64", "-sharpness 8", "-cpu-used 17", "-arnr-type 4", "-slices 16",
         "-overshoot-pct 101", "-ts-parameters ts_number_layers=6")
for row in ROWS:
    row.refused = True
    row.frames = min(row.frames, 10)
    row.quick = row.args in QUICK
EXPLAINED = {
    "-cpu-used -17": {"status": ROOM, "messages": ROOM}, "-cpu-used 17": {"messages": RANGE},
    "-speed -17": {"status": ROOM, "messages": ROOM}, "-speed 17": {"messages": RANGE},
    "-rc_lookahead -1": {"status": LAG, "messages": LAG}, "-rc_lookahead 26": {"messages": LAG},
    "-lag-in-frames -2": {"messages": LAG}, "-lag-in-frames 26": {"messages": LAG},
    "-deadline realtime": {"messages": PASS},
}
for args in ("-drop-threshold -1", "-drop-threshold 101", "-overshoot-pct 101", "-profile:v 4",
             "-profile:v -1", "-qmin 64", "-qmax 64", "-qcomp -1", "-qcomp 1.5",
             "-qmin 40 -qmax 20", "size 16384x16"):
    EXPLAINED[args] = {"messages": OURS}
for row in ROWS:
    row.explained = EXPLAINED.get(row.args or row.title, {})
