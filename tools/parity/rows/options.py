# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Options of FFmpeg's VP8 encoder `libvpx`."""

from . import GUIDE, LEAN, Row

TITLE = "Options of the encoder"

IMPORTANCE = ("ours sets the quantizers of macroblocks from the frames ahead "
              "([options](options.md#mb_quantizers))")
LAG = ("in one pass stock ignores the option, ours has a lookahead "
       "([options](options.md#lag-in-frames-and-auto-alt-ref))")
ALTREF = ("in one pass stock ignores the option, ours codes hidden alt-ref frames "
          "([options](options.md#lag-in-frames-and-auto-alt-ref))")
NO_TICK = ("in one pass stock ignores the option; ours warns that this time base leaves no time "
           "for a hidden frame ([options](options.md#lag-in-frames-and-auto-alt-ref))")
FILTERED = ("stock's default is 0, ours has a filter of its own if the option is not given "
            "([options](options.md#filter_source))")
LOW_QUANTIZERS = "the option changes quantizer indices above 40; ours has none in this stream"
NOTHING_SAVED = "the option limits the use of saved bits; with a lookahead ours saves none"
TWO = "-b:v 100k -auto-alt-ref 1 -lag-in-frames 16"
BREAKOUT = "ours evaluates more with any threshold; in stock only higher ones have an effect"
NO_DROPS = "ours holds the bitrate without dropping a frame"
REALTIME = "-b:v 200k -deadline realtime -cpu-used -8"


def layers(count, mode, rates, decimators, ids):
    return (f"-ts-parameters ts_number_layers={count}:ts_target_bitrate={rates}:"
            f"ts_rate_decimator={decimators}:ts_periodicity={len(ids.split(','))}:"
            f"ts_layer_id={ids}" + (f":ts_layering_mode={mode}" if mode else ""))


LAYERS = [
    Row(layers(2, 0, "120,200", "2,1", "0,1"), title="two temporal layers, no flags"),
    Row(layers(2, 2, "120,200", "2,1", "0,1"), title="two temporal layers, mode 2", quick=True),
    Row(layers(3, 3, "80,120,200", "4,2,1", "0,2,1,2"), title="three temporal layers, mode 3"),
    Row(layers(3, 4, "80,120,200", "4,2,1", "0,2,1,2"), title="three temporal layers, mode 4"),
    Row(layers(3, 4, "80,120,200", "4,2,1", "0,2,1,2") + " -error-resilient default",
        title="three temporal layers, mode 4, error resilient"),
]
for row in LAYERS:
    row.base = REALTIME
    row.about = ("references",)
LAYERS.append(Row(layers(2, 2, "120,200", "2,1", "0,1"), about=("references",),
                  title="two temporal layers at good"))

ROWS = [
    Row("-deadline best"),
    Row("-deadline good -cpu-used 2", quick=True),
    Row("-deadline realtime -cpu-used -4"),
    Row("-deadline realtime -cpu-used -8", quick=True),
    Row("-deadline realtime -cpu-used -16"),
    Row("-deadline 30000 -cpu-used -4"),
    Row("-deadline 50000 -cpu-used 2"),
    Row("-quality best"),
    Row("-quality realtime -speed -8"),
    Row("-speed 5"),
    *(Row(f"-cpu-used {n}") for n in (-16, -5, 0, 3, 4, 5, 16)),
    *(Row(f"-sharpness {n}", quick=n == 5) for n in (0, 3, 5, 7)),
    *(Row(f"-crf {n}", base="-b:v 2M", about=("quantizers",), quick=n == 20, cause=GUIDE)
      for n in (4, 10, 20, 32, 50, 63)),
    Row("-crf 20", base="", title="-crf without a bitrate"),
    Row("-tune psnr"),
    Row("-tune ssim"),
    Row("-error-resilient default", about=("kept probabilities",), quick=True),
    Row("-error-resilient partitions", about=("kept probabilities",)),
    Row("-error-resilient default+partitions -slices 4", about=("kept probabilities",)),
    Row("-vp8flags error_resilient", about=("kept probabilities",)),
    Row("-vp8flags altref", about=("hidden",), explained={"messages": NO_TICK}),
    Row("-vp8flags altref+error_resilient", about=("hidden", "kept probabilities")),
    Row("-max-intra-rate 0", base="-b:v 200k -g 20"),
    Row("-max-intra-rate 100", base="-b:v 200k -g 20", about=("largest key",)),
    Row("-max-intra-rate 300", base=REALTIME + " -g 20", about=("largest key",)),
    Row("-static-thresh 1", explained={"effect": BREAKOUT}),
    Row("-static-thresh 500", base=REALTIME, source="still"),
    Row("-static-thresh 1000", source="still"),
    Row("-static-thresh 1000", base=REALTIME, source="screen", quick=True),
    Row("-static-thresh 30000", base=REALTIME),
    *(Row(f"-noise-sensitivity {n}", quick=n == 1) for n in (1, 2, 3, 4)),
    Row("-noise-sensitivity 3", base=REALTIME),
    Row("-undershoot-pct 0"),
    Row("-undershoot-pct 100"),
    Row("-overshoot-pct 0", explained={"effect": NOTHING_SAVED}),
    Row("-overshoot-pct 0", base="-b:v 200k -lag-in-frames 0", title="-overshoot-pct without lag"),
    Row("-overshoot-pct 100"),
    *(Row(f"-undershoot-pct {n} -overshoot-pct {n}", base=REALTIME + " -minrate 200k -maxrate 200k "
          "-bufsize 200k", about=("bucket",)) for n in (15, 95)),
    Row("-drop-threshold 0", base=REALTIME),
    *(Row(f"-drop-threshold {n}", base="-b:v 40k -minrate 40k -maxrate 40k -bufsize 20k "
          "-deadline realtime -cpu-used -8", about=("dropped", "bucket"), quick=n == 60,
          explained={"effect": NO_DROPS} if n < 90 else {},
          ignore=("packets", "pts", "durations", "keys")) for n in (30, 60, 90)),
    Row("-drop-threshold 60", base="-b:v 40k", about=("dropped",),
        ignore=("packets", "pts", "durations", "keys")),
    Row("", base=REALTIME, source="screen", options=("b",), title="a screen, realtime"),
    Row("", source="screen", options=("b",), title="a screen"),
    Row("-screen-content-mode 0", base=REALTIME, source="screen"),
    Row("-screen-content-mode 1", base=REALTIME, source="screen", quick=True,
        explained={"effect": LOW_QUANTIZERS}),
    Row("-screen-content-mode 2", base="-b:v 60k -minrate 60k -maxrate 60k -bufsize 60k "
        "-deadline realtime -cpu-used -8", source="screen", about=("dropped", "bucket"),
        ignore=("packets", "pts", "durations")),
    Row("-screen-content-mode 1", source="screen"),
    *LAYERS,

    Row("-lag-in-frames 0", explained={"effect": LAG}, quick=True),
    Row("-lag-in-frames 10", explained={"effect": LAG}),
    Row("-lag-in-frames 25", base="-b:v 200k -cpu-used 5", explained={"effect": LAG}),
    Row("-rc_lookahead 0", explained={"effect": LAG}),
    Row("-rc_lookahead 16", explained={"effect": LAG}),
    Row("-auto-alt-ref 0"),
    Row("-auto-alt-ref 1", explained={"effect": ALTREF}),
    Row("-auto-alt-ref 1", container="avi", title="alt-ref frames in AVI",
        explained={"messages": NO_TICK}),
    Row("-auto-alt-ref 1 -lag-in-frames 16", base="-b:v 200k -enc_time_base 1:1000",
        explained={"effect": ALTREF}),
    Row("-auto-alt-ref 1 -lag-in-frames 16", base="-b:v 100k", passes=2,
        about=("statistics", "altref"), title="alt-ref frames in two passes", cause=LEAN),
    Row("-auto-alt-ref 2 -lag-in-frames 25", base="-b:v 100k", passes=2, about=("altref",),
        title="alt-ref frames in two passes, 25 ahead", cause=LEAN),
    Row("-auto-alt-ref 1 -lag-in-frames 16", base="-b:v 100k -deadline best", passes=2,
        about=("altref",), title="alt-ref frames in two passes at best", cause=LEAN),
    Row("-lag-in-frames 16", base="-b:v 100k", passes=2, quick=True, about=("statistics",),
        title="two passes without alt-ref", explained={"effect": IMPORTANCE}),
    Row("-lag-in-frames 0", base="-b:v 100k", passes=2, title="two passes without lag",
        explained={"effect": IMPORTANCE}),
    Row("-arnr-maxframes 0", base=TWO, passes=2, about=("altref",), cause=LEAN,
        explained={"effect": FILTERED}),
    *(Row(f"-arnr-maxframes {n}", base=TWO, passes=2, about=("altref",), cause=LEAN)
      for n in (7, 15)),
    *(Row(f"-arnr-strength {n}", base=TWO + " -arnr-maxframes 7", passes=2, about=("altref",))
      for n in (0, 6)),
    *(Row(f"-arnr-type {n}", base=TWO + " -arnr-maxframes 7", passes=2, about=("altref",))
      for n in ("backward", "forward", "centered")),
    Row("-arnr_max_frames 7 -arnr_strength 5 -arnr_type 2", base=TWO, passes=2,
        about=("altref",), cause=LEAN),
    Row("-arnr-maxframes 7"),
]
