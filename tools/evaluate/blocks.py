# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Blocks of the tables of encodes. Each function returns the lines of a block; its arguments are the
words after the block's name in the page's marker."""

import statistics

import figures
import plotdata
import tuned
from lib import machine
from lib.markdown import item, paragraph, setting_name, signed, table, times

# The encoders of live streams.
STREAMS = {"stock": "stock libvpx", "cpu": "vp8_cudame, CPU", "gpu": "vp8_cudame, GPU"}

ENCODER_NAMES = {"stock": "stock libvpx", "ours": "vp8_cudame, CPU", "cuda": "vp8_cudame, `cuda`",
                 "auto": "vp8_cudame, `auto`"}
KINDS = {"q": "quantizers", "b": "bitrates", "c": "bitrates"}


def compared(tables, name, kind):
    """Settings that both encoders have in a table."""
    settings = figures.settings_of(tables[name])
    return [s for e, s in settings if e == "ours" and ("stock", s) in settings and
            figures.rows_of(tables[name], e, s, kind)]


def apart(summaries, name):
    """A sentence that lists clips without common qualities."""
    settings = {}
    for s, one in summaries.items():
        for c in one.apart if one else ():
            settings.setdefault(c, []).append(setting_name(s))
    if not settings:
        return []
    clips = [f"{c} at {', '.join(at)}" for c, at in sorted(settings.items())]
    return [""] + paragraph(f"Not in the figures at {name}: " + "; ".join(clips) + ": there the qualities of both "
                            "encoders have no overlap.")


def gains(one):
    """Mean, median and worst BD-rate as cells."""
    return [signed(one.mean), signed(one.median), signed(one.worst)] if one else [""] * 3


def of_clips(by_clip, clips):
    return {c: v for c, v in by_clip.items() if c in clips}


def other_gains(tables, parts, settings):
    """A table of the gains on clips that the encoder was not tuned on, if it was tuned on others."""
    other = {name: tuned.other_clips(tables[name]) for name, _ in parts}
    if not any(0 < len(clips) < len(figures.clips_of(tables[name])) for name, clips in other.items()):
        return []
    head, rows = ["other clips"], {s: [setting_name(s)] for s in settings}
    for name, kind in parts:
        head += [f"at {name}: mean", "median", "worst clip"]
        for s in settings:
            by_clip_of_all = figures.bd_by_clip(tables[name], ("stock", s), ("ours", s), kind)
            one = figures.summary(of_clips(by_clip_of_all, other[name]))
            rows[s] += gains(one)
    return ["", *paragraph("The same for the clips that the encoder was not tuned on:"), ""] + table(head, rows.values())


def headline(tables):
    """Gains and CPU time of the settings."""
    parts = [(name, kind) for name, kind in (("quantizers", "q"), ("bitrates", "b"))
             if name in tables.names()]
    # Prefer the settings at bitrates, which are how people encode.
    settings = compared(tables, *parts[-1]) if parts else []
    if not settings:
        raise FileNotFoundError("quantizers")
    head, rows, missing = ["setting"], {s: [setting_name(s)] for s in settings}, []
    for name, kind in parts:
        summaries = {}
        head += [f"at {name}: mean", "median", "worst clip"]
        for s in settings:
            one = figures.summary(figures.bd_by_clip(tables[name], ("stock", s), ("ours", s), kind))
            rows[s] += gains(one)
            summaries[s] = one
        missing += apart(summaries, name)
    about = ("BD-rate in percent by PSNR-Y against stock libvpx at the same setting, "
             f"{tuned.said(tables[parts[-1][0]])}, one thread, no GPU; negative needs less bitrate.")
    for name, kind in reversed(parts):
        ratios = {s: figures.summary(
            figures.ratio_by_clip(tables[name], ("stock", s), ("ours", s), kind),
            statistics.geometric_mean) for s in settings}
        if all(ratios[s] for s in compared(tables, name, kind) if s in settings):
            about += f" CPU time is that of the encodes at {name}, in times of stock's."
            head.append("CPU time")
            for s in settings:
                rows[s].append(times(ratios[s].mean) if ratios[s] else "")
            break
    return paragraph(about) + [""] + table(head, rows.values()) + other_gains(tables, parts, settings) + missing


def by_clip(tables, name, kind, encoder="ours", metric="psnr_y"):
    """BD-rates by clip, with mean, median, best and worst."""
    columns = {s: figures.bd_by_clip(tables[name], ("stock", s), (encoder, s), kind, metric)
               for s in compared(tables, name, kind)}
    if not columns:
        raise FileNotFoundError(name)
    clips = figures.clips_of(tables[name])
    rows = [[c] + [signed(v[c]) if c in v else "" for v in columns.values()] for c in clips]
    summaries = {s: figures.summary(v) for s, v in columns.items()}
    for title, what in (("mean", "mean"), ("median", "median"), ("best clip", "best"),
                        ("worst clip", "worst")):
        rows.append([f"**{title}**"] + [signed(getattr(one, what)) if one else ""
                                       for one in summaries.values()])
    other = tuned.other_clips(tables[name])
    if other and len(other) < len(clips):
        cells = [gains(figures.summary(of_clips(v, other))) for v in columns.values()]
        for title, row in zip(("mean", "median", "worst"), zip(*cells)):
            rows.append([f"{len(other)} other clips, {title}", *row])
    if metric == "psnr_y":
        ssim = {s: figures.summary(figures.bd_by_clip(tables[name], ("stock", s), (encoder, s), kind,
                                                      "ssim_y")) for s in columns}
        rows.append(["SSIM, mean"] + [signed(one.mean) if one else "" for one in ssim.values()])
        rows.append(["SSIM, worst"] + [signed(one.worst) if one else "" for one in ssim.values()])
    return table([""] + [setting_name(s) for s in columns], rows)


def costs(tables, name, kind):
    """CPU time of the encodes of by_clip() against stock's."""
    rows = []
    for s in compared(tables, name, kind):
        one = figures.summary(figures.ratio_by_clip(tables[name], ("stock", s), ("ours", s), kind),
                              statistics.geometric_mean)
        if one:
            rows.append([setting_name(s), times(one.mean), times(one.median),
                         f"{times(one.best)} ({one.best_clip})",
                         f"{times(one.worst)} ({one.worst_clip})",
                         f"{signed(figures.saving(one.mean), 0)} %"])
    if not rows:
        raise FileNotFoundError(name)
    return table(["CPU time relative to stock", "mean", "median", "best clip", "worst clip", "saved"], rows)


def anchored(tables, name, kind):
    """All settings against stock at best in one pass."""
    anchor = ("stock", "best")
    rows = []
    for encoder, setting in figures.settings_of(tables[name]):
        bd = figures.summary(figures.bd_by_clip(tables[name], anchor, (encoder, setting), kind))
        ratios = figures.ratio_by_clip(tables[name], anchor, (encoder, setting), kind)
        if bd:
            rows.append([ENCODER_NAMES.get(encoder, encoder), setting_name(setting), signed(bd.mean),
                         signed(bd.median), signed(bd.best), signed(bd.worst),
                         times(1 / statistics.geometric_mean(ratios.values()), 1) if ratios else ""])
    head = ["encoder", "setting", "mean", "median", "best clip", "worst clip", "faster"]
    order = list(dict.fromkeys(row[0] for row in rows))
    if all(row[-1] for row in rows):
        rows.sort(key=lambda row: (order.index(row[0]), float(row[-1][:-1])))
    else:
        rows, head = [row[:-1] for row in rows], head[:-1]
        rows.sort(key=lambda row: order.index(row[0]))
    return table(head, rows)


def speed(tables):
    """Speed-ups over stock in CPU time."""
    found = tables["speed"]
    rows = []
    for encoder, setting in figures.settings_of(found):
        if encoder == "stock":
            continue
        whole, rest = (figures.summary(v, statistics.geometric_mean) for v in
                       figures.speed_ups(found, ("stock", setting), (encoder, setting)))
        if whole and rest:
            rows.append([setting_name(setting), ENCODER_NAMES[encoder], times(whole.mean),
                         times(rest.mean), times(rest.median),
                         f"{times(rest.best)} ({rest.best_clip})",
                         f"{times(rest.worst)} ({rest.worst_clip})"])
    lines = table(["setting", "encoder", "with start", "without start", "median", "slowest clip",
                   "fastest clip"], rows)
    missing = [f"{clip} at {setting_name(s)}" for s, clip in figures.without_times(found)]
    if missing:
        lines += [""] + paragraph("Not in these figures, because times are missing: " + ", ".join(missing) + ".")
    return lines


def brief(tables):
    """The README's table: gain at bitrates, CPU time of the same encodes, and the part of it that a GPU saves."""
    found, name = tables["bitrates"], "bitrates"
    timed = tables["speed"] if "speed" in tables.names() else None
    rows, summaries = [], {}
    for s in compared(tables, name, "b"):
        bd = figures.summary(figures.bd_by_clip(found, ("stock", s), ("ours", s), "b"))
        cpu = figures.summary(figures.ratio_by_clip(found, ("stock", s), ("ours", s), "b"), statistics.geometric_mean)
        gpu = timed and figures.summary(figures.speed_ups(timed, ("cuda", s), ("ours", s))[1], statistics.geometric_mean)
        summaries[s] = bd
        rows.append([setting_name(s)] + ([f"**{signed(bd.mean)} %**", f"{signed(bd.worst)} %"] if bd else ["", ""]) +
                    [times(cpu.mean) if cpu else "", f"{figures.saving(gpu.mean):.0f} %" if gpu else ""])
    if not rows:
        raise FileNotFoundError(name)
    about = (f"Against stock libvpx at the same setting: {tuned.said(found)}, variable bitrates, one "
             "thread. *Bitrate* is the BD-rate by PSNR-Y: −10 % needs a tenth less bitrate for the same quality. *CPU time* "
             "is user and system time of the same encodes without a GPU, divided by stock's. *GPU saves* is the part of our "
             "own CPU time that a GPU saves in a long stream, at a fixed quantizer without a lookahead.")
    return paragraph(about) + [""] + table(["setting", "bitrate, mean", "worst clip", "CPU time", "GPU saves"], rows) + \
        other_gains(tables, [(name, "b")], list(summaries)) + apart(summaries, name)


def live(tables):
    """The README's live streams: realtime −8, all streams in one process, stock and ours on the same machine."""
    groups = {}
    for row in tables["density"].rows:
        if row["processes"] == "one" and row["speed"] == "-8" and int(row["gpus"]) <= 1:
            groups.setdefault((row["size"], row["threads"], row["cores"]), {})[row["encoder"]] = row
    runs = {note["id"]: note for note in tables["density"].notes.get("run", [])}
    lines, machines, demanded = [], {}, {}
    for (size, threads_each, cores), row in groups.items():
        if {"stock", "cpu", "gpu"} <= set(row):
            rates = [f"{int(row[e]['rate']) / 1000:.0f}" for e in ("stock", "gpu")]
            lines.append([size.replace("x", "×"), threads_each] + rates + [row[e]["streams"] for e in ("stock", "cpu", "gpu")])
            machines[f"{cores} cores and one {runs[row['gpu']['run']]['gpu']}"] = None
            for e in ("stock", "cpu", "gpu"):
                demanded.setdefault(row[e]["key_every"], {})[STREAMS[e]] = None
    if not lines:
        raise FileNotFoundError("density")
    about = (f"Live streams of 30 frames a second on {' or '.join(machines)}, realtime −8: their number is the highest at "
             "which 99.9 % of the packets come within 33.3 ms of their frame. The mean PSNR-Y of all clips is the same for stock and ours, not that of each clip. There "
             "are no scene cuts. Key frames after the first one: " +
             ", ".join(("none" if every == "0" else f"one on demand every {every} s") + f" ({'; '.join(of)})"
                       for every, of in demanded.items()) + ".")
    return paragraph(about) + [""] + table(["picture", "threads a stream", "kb/s: stock", "ours", "streams: stock", "ours, no GPU",
                                            "ours, one GPU"], lines)


def frame_costs(tables):
    """CPU milliseconds per frame, without the start."""
    found = tables["speed"]
    clips = figures.clips_of(found)
    rows = []
    for encoder, setting in figures.settings_of(found):
        cells = [figures.frame_times(found, encoder, setting, c) for c in clips]
        if any(cells):
            rows.append([setting_name(setting), ENCODER_NAMES[encoder]] +
                        [f"{c[1]:.2f}" if c else "" for c in cells])
    return table(["setting", "encoder"] + clips, rows)


def threads(tables):
    """Wall time per frame by number of threads."""
    found = tables["threads"]
    counts = sorted({int(r["threads"]) for r in found.rows})
    rows = []
    for encoder, setting in figures.settings_of(found):
        for clip in figures.clips_of(found):
            cells = []
            for n in counts:
                own = figures.frame_times(found, encoder, setting, clip, "wall_s", threads=n)
                stock = figures.frame_times(found, "stock", setting, clip, "wall_s", threads=n)
                cells.append("" if not own else f"{own[1]:.1f}" + (
                    f" ({own and stock and stock[1] / own[1]:.1f}×)"
                    if encoder != "stock" and stock and own[1] > 0 else ""))
            if any(cells):
                rows.append([clip, setting_name(setting), ENCODER_NAMES[encoder]] + cells)
    return table(["ms per frame", "setting", "threads:"] + [str(n) for n in counts], rows)


def latency(tables):
    """Percentiles of the milliseconds from a frame to its packet."""
    found = tables["latency"]
    rows = []
    for row in sorted(found.rows, key=lambda r: (figures.clips_of(found).index(r["clip"]),
                                                 r["setting"], int(r["threads"]),
                                                 list(ENCODER_NAMES).index(r["encoder"]))):
        named = dict(zip(figures.PERCENTILES, map(float, row["latency_ms"].split())))
        rows.append([row["clip"], setting_name(row["setting"]), row["threads"],
                     ENCODER_NAMES[row["encoder"]]] +
                    [f"{named[p]:.1f}" for p in (50, 90, 99, 100)])
    return table(["clip", "setting", "threads", "encoder", "median", "90 %", "99 %", "longest"], rows)


def timeline(tables):
    """Stages of one frame of the largest clip, one thread, in milliseconds."""
    rows = []
    for encoder, setting, parts in plotdata.timeline(tables):
        rows.append([setting_name(setting), ENCODER_NAMES[encoder]] +
                    [f"{parts[p] / 1e3:.2f}" for p in plotdata.TIMELINE + ("frame", "search")])
    return table(["setting", "encoder", "hand over", "rows", "filter level", "end", "libvpx",
                  "total", "search"], rows)


def run_items(name, runs):
    """List items with date, machine, versions and commands of a table's runs, one per machine."""
    commands = {}
    for run in runs:
        where = (f"{run['cores']} × " if run["cores"] else "") + run["cpu"] + (f", {run['gpu']}" if run["gpu"] else "")
        jobs = f"; {run['jobs']} encodes at a time" if "jobs" in run else ""
        place = (f"[{name}](results/{name}.tsv): {run['date']}, {where}; version {run['version']}, "
                 f"commit {run['commit']}, FFmpeg {run['ffmpeg']}, libvpx {run['libvpx']}{jobs}: ")
        commands.setdefault(place, []).append(f"`{run['command']}`")
    return [line for place, all_of in commands.items() for line in item(place + ", ".join(all_of))]


def source(tables, *names):
    """Runs of tables, and a note if the encoder's streams have changed since."""
    lines, known = [], []
    for name in names:
        if name not in tables.names():
            lines += item(f"{name}: not measured in this version yet.")
            continue
        known.append(name)
        lines += run_items(name, tables[name].notes["run"])
    # Stock's rows of an older run stay valid.
    old = [n for n in known
           if any(run["streams"] != machine.streams() and
                  any((r["run"], r["build"]) == (run["id"], run["commit"]) for r in tables[n].rows)
                  for run in tables[n].notes["run"])]
    if old:
        lines += [""] + paragraph(f"The encoder's streams have changed since the run of {', '.join(old)}; run `make "
                                  "evaluate` to measure again.")
    return lines


def options(tables, *names):
    """The options of the settings."""
    seen = {}
    for name in names:
        for note in tables[name].notes["setting"]:
            called = f"`{note['options']}`" + (" in two passes" if note["passes"] == 2 else "")
            seen.setdefault((ENCODER_NAMES.get(note["encoder"], note["encoder"]),
                             setting_name(note["setting"]), called), []).append(name)
    return table(["encoder", "setting", "options", "tables"],
                 [[*key, ", ".join(where)] for key, where in seen.items()])


def clips(tables, name):
    """The clips of a table."""
    return table(["clip", "size", "frames per second", "frames", "source"],
                 [[n["clip"], n["size"].replace("x", "×"), n["rate"].removesuffix("/1"), n["frames"],
                   n["origin"]] for c in figures.clips_of(tables[name])
                  for n in tables[name].notes["clip"] if n["clip"] == c])


def plot(tables, name, *about):
    """An image link, if the plot has figures. ABOUT is the caption; README comes first on that page."""
    where = "doc/results" if about[0] == "README" else "results"
    if not plotdata.PLOTS[name](tables):
        raise FileNotFoundError(name)
    return [f"![{' '.join(about[1:] if about[0] == 'README' else about)}]({where}/{name}.svg)"]


BLOCKS = {"headline": headline, "by-clip": by_clip, "costs": costs, "anchored": anchored,
          "speed": speed, "frame-costs": frame_costs, "threads": threads, "latency": latency, "timeline": timeline,
          "brief": brief, "live": live, "source": source, "options": options, "plot": plot,
          "clips": clips}
