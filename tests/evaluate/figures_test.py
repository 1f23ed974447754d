# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tests tools/evaluate with known figures."""

import contextlib
import io
import math
import os
import sys
import tempfile
import types

import blocks
import figures
import others
import pages
import plotdata
from lib import markdown
from lib.bdrate import bd_rate
from lib.raw import Source, lengthen, turning
from lib.table import Table
from measure import FIELDS, TRACED, latencies, percentiles, trace


def near(a, b, by=1e-6):
    return abs(a - b) < by


def bd_rate_is_scipys():
    """The expected values are from SciPy 1.10.1's PchipInterpolator."""
    for anchor, other, expected in (
            ([(100, 30), (200, 33), (400, 36.5), (800, 39)],
             [(90, 30.2), (190, 33.4), (390, 36.4), (800, 39.5)], -8.530164),
            ([(100, 30), (200, 33), (400, 32.5)], [(90, 29), (150, 31), (300, 34)], -41.050784),
            ([(100, 30), (200, 33)], [(95, 31), (300, 35)], -20.221410)):
        assert near(bd_rate(anchor, other), expected), bd_rate(anchor, other)


def bd_rate_of_a_tenth_more():
    curve = [(100, 30), (210, 33), (400, 36), (900, 40)]
    assert near(bd_rate(curve, [(1.1 * r, q) for r, q in curve]), 10)
    assert near(bd_rate(curve, curve), 0)
    assert math.isnan(bd_rate(curve, [(100, 41), (200, 42)]))
    # of two points with one quality the lower bitrate counts
    assert near(bd_rate(curve, curve + [(1000, 40)]), 0)


def row(clip, encoder, point, kbps, psnr, cpu, run="r"):
    known = dict(clip=clip, encoder=encoder, setting="best", point=point, threads=1, frames=10,
                 repeat=1, build="b", kbps=kbps, psnr_y=psnr, ssim_y=0.9, cpu_s=cpu, wall_s=cpu,
                 run=run)
    return {f: str(known.get(f, "")) for f in FIELDS}


def add_curve(table, clip, encoder, kind, factor, cpu):
    """Rows of four points; factor: of their bitrates."""
    for n, (kbps, psnr) in enumerate(((100, 30), (210, 33), (400, 36), (900, 40))):
        table.rows.append(row(clip, encoder, f"{kind}{n}", kbps * factor, psnr, cpu))


def small_table(path):
    """Two clips: ours needs a tenth less bitrate on one, a fifth more on the other, in half the time."""
    table = Table(path, FIELDS)
    table.note("run", {"id": "r", "version": "0"}, "id")
    for clip, factor in (("a", 0.9), ("b", 1.2)):
        table.note("clip", {"clip": clip, "size": "16x16"}, "clip")
        add_curve(table, clip, "stock", "q", 1, 2)
        add_curve(table, clip, "ours", "q", factor, 1)
    for encoder in ("stock", "ours"):
        table.note("setting", {"encoder": encoder, "setting": "best"}, "encoder", "setting")
    return table


def tables_are_read_as_written():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "t.tsv")
        table = small_table(path)
        table.write()
        table.append(row("a", "ours", "q9", 1, 2, 3))
        again = Table.load(path)
        assert (again.rows, again.notes, again.fields) == (table.rows, table.notes, table.fields)
        with open(path, "a") as f:
            f.write("half a li")
        assert Table.load(path).rows == table.rows
        again.rows = [r for r in again.rows if r["clip"] == "a"]
        again.prune()
        assert [n["clip"] for n in again.notes["clip"]] == ["a"]


def summaries():
    table = small_table("t.tsv")
    by_clip = figures.bd_by_clip(table, ("stock", "best"), ("ours", "best"), "q")
    one = figures.summary(by_clip)
    assert near(by_clip["a"], -10) and near(by_clip["b"], 20)
    assert near(one.mean, 5) and near(one.median, 5)
    assert (one.best_clip, one.worst_clip, one.clips, one.apart) == ("a", "b", 2, ())
    ratios = figures.ratio_by_clip(table, ("stock", "best"), ("ours", "best"), "q")
    assert near(ratios["a"], 0.5) and near(figures.saving(ratios["a"]), 50)
    # times of different runs are not compared, and ratios need all clips
    for r in table.rows:
        r["run"] = r["encoder"] if r["clip"] == "b" else r["run"]
    assert not figures.ratio_by_clip(table, ("stock", "best"), ("ours", "best"), "q")
    for r in table.rows:
        r["run"] = r["encoder"]
    assert not figures.ratio_by_clip(table, ("stock", "best"), ("ours", "best"), "q")


def a_setting_may_be_in_two_runs():
    """Some encoders are compared with it in one run, others in another run."""
    table = small_table("t.tsv")
    for r in [r for r in table.rows if r["encoder"] == "stock"]:
        table.rows.append(dict(r, run="s", cpu_s="8"))
        table.rows.append(dict(r, run="s", encoder="third", cpu_s="1"))
    for encoder, ratio, bd in (("ours", 0.5, 5), ("third", 0.125, 0)):
        one = figures.summary(figures.bd_by_clip(table, ("stock", "best"), (encoder, "best"), "q"))
        ratios = figures.ratio_by_clip(table, ("stock", "best"), (encoder, "best"), "q")
        assert near(one.mean, bd) and near(ratios["a"], ratio) and near(ratios["b"], ratio), encoder


def density_is_shown_by_size():
    fields = ("size", "encoder", "speed", "threads", "processes", "mps", "gpus", "cores", "key_every", "streams", "fails_at", "p999", "max",
              "cpu_percent", "gpu_percent", "on_gpu_percent", "wait_ms", "rate", "psnr_y")
    table = Table("density.tsv", fields)
    table.rows = [dict(zip(fields, line)) for line in (
        ("1920x1080", "gpu", "-8", "1", "many", "yes", "1", "16", "10", "20", "22", "30.1", "40.0", "77", "12", "96", "0.5",
         "2049900", "36.5"),
        ("1280x720", "stock", "-8", "1", "one", "no", "0", "16", "0", "9", "", "31.0", "35.0", "50", "", "", "", "999000", "36.5"),
        ("1280x720", "cpu", "-8", "1", "one", "no", "0", "16", "0", "8", "", "31.0", "35.0", "50", "", "0", "4.1", "999000", "36.5"))]
    lines = others.density({"density": table}, "1920x1080")
    assert lines[2:] == ["| vp8_cudame, GPU | realtime −8 | 1 | many, MPS | 16 + 1 | 10 | **20** | 22 | 30.1 | 40.0 | 77 | 12 | 96 | "
                         "0.5 | 2050 | 36.5 |"], lines
    lines = others.density({"density": table}, "1280x720")
    assert len(lines) == 4 and lines[3].endswith("| 50 |  |  |  | 999 | 36.5 |"), lines  # the CPU backend's wait is its own search
    assert plotdata.streams({"density": table}) == [("1280x720", "stock", "-8", 1, 16, 0, 9),
                                                   ("1280x720", "cpu", "-8", 1, 16, 0, 8)]


def parity_is_counted_by_verdict_and_explanation():
    table = Table("parity.tsv", ("verdict", "notes"))
    table.rows = [dict(zip(table.fields, line)) for line in (
        ("same", ""), ("explained", "PSNR-Y -0.18 dB at equal rate: the guide, which costs 1.8 % of the bits"),
        ("explained", "the guide, which costs 1.3 %"), ("explained", "no drops ([why](options.md#a))"))]
    lines = others.parity({"parity": table})
    assert [line.split(" | ")[:2] for line in lines[2:]] == [["| same", "1"], ["| better", "0"], ["| explained", "3"],
                                                             ["| differs", "0"]], lines
    text = " ".join(others.parity_explained({"parity": table}))
    assert text == "Explained, with the number of rows: the guide, which costs bits (2); one explanation each (1).", text


def commands_of_a_place_are_one_item():
    run = {"date": "2026-01-01", "cores": 2, "cpu": "X", "gpu": "", "version": "1", "commit": "a", "ffmpeg": "9",
           "libvpx": "1"}
    lines = blocks.run_items("t", [dict(run, command="one"), dict(run, command="two"), dict(run, cores=4, command="three")])
    assert [line[:2] for line in lines if line.startswith("- ")] == ["- ", "- "], lines
    assert "`one`, `two`" in " ".join(lines) and "4 × X" in " ".join(lines), lines


def what_has_no_overlap_is_said_by_clip():
    one = types.SimpleNamespace(apart=["a", "b"])
    lines = blocks.apart({"best": one, "-8": types.SimpleNamespace(apart=["a"]), "good 2": None}, "bitrates")
    assert lines[1].startswith("Not in the figures at bitrates: a at best, realtime −8; b at best:"), lines
    assert blocks.apart({"best": types.SimpleNamespace(apart=[])}, "bitrates") == []


def starts_are_taken_off():
    table = Table("t.tsv", FIELDS)
    table.note("clip", {"clip": "a", "size": "16x16"}, "clip")
    for encoder, start, frame in (("stock", 0.0, 0.04), ("ours", 0.5, 0.01)):
        for frames in (2, 102):
            made = row("a", encoder, "q28", 0, 0, start + frame * frames)
            made.update(frames=str(frames))
            table.rows.append(made)
    whole, rest = figures.speed_ups(table, ("stock", "best"), ("ours", "best"))
    assert near(rest["a"], 4) and near(whole["a"], 0.04 / (1.52 / 102))


def clips_turn():
    assert list(turning(3, 8)) == [0, 1, 2, 1, 0, 1, 2, 1]
    assert list(turning(1, 3)) == [0, 0, 0]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "c.y4m")
        frames = [b"FRAME\n" + bytes([n] * 6) for n in range(3)]
        with open(path, "wb") as f:
            f.write(b"YUV4MPEG2 W2 H2 F30000:1001 Ip\n" + b"".join(frames))
        source = Source.of(path)
        assert (source.frames, source.rate) == (3, "30000/1001")
        longer = lengthen(source, 5, os.path.join(folder, "d.y4m"))
        with open(longer.path, "rb") as f:
            f.readline()
            assert f.read() == b"".join(frames[n] for n in (0, 1, 2, 1, 0))


def latencies_are_read():
    said = ("[x] muxer <- pts:0 size:1 latency(total:81.202ms, demux-decode: 19.83ms/24%, "
            "encode 9.168ms/11%)\n[x] muxer <- pts:1 size:1 latency(total:100ms, demux-decode: "
            "50.173ms/50%)\n")
    assert latencies(said) == [9.168, 5.0]
    spread = percentiles(range(101))
    assert spread == list(figures.PERCENTILES)


def the_median_frame_is_traced():
    lines = [{c: n for c in TRACED} for n in range(6)]
    assert trace([9, 9, 9, 5, 3, 4], lines).startswith("frame=4000 begin=5 ref=5 ")


def blocks_are_made_again():
    text = "a\n<!-- evaluate by-clip t q -->\nold\n<!-- /evaluate -->\nb\n"
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "t.tsv")
        small_table(path).write()
        made = pages.made(text, pages.Tables(folder))
        assert "| a | −10.0 |" in made and "old" not in made, made
        assert pages.made(made, pages.Tables(folder)) == made
        assert pages.MISSING in pages.made(text, pages.Tables("nowhere"))


def checks_find_faults():
    """Find a figure that differs from its table, and one outside a block."""
    text = "## Results\n\nsaves 12 %\n<!-- evaluate by-clip t q -->\n| 3 % |\n<!-- /evaluate -->\n"
    assert pages.loose_figures(text, "Results") == ["saves 12 %"]
    assert not pages.loose_figures("text\n\n## Results\n\nnone\n\n## Use\n\n5 %\n", "Results")
    with tempfile.TemporaryDirectory() as folder:
        small_table(os.path.join(folder, "t.tsv")).write()
        page = os.path.join(folder, "page.md")
        tables = pages.Tables(folder)
        kept = pages.pages, pages.ALL_FIGURES
        pages.pages, pages.ALL_FIGURES = lambda: [page], {}
        try:
            for body, words in ((text, "not ok"), (pages.made(text, tables), "ok")):
                pages.write(page, body)
                said = io.StringIO()
                with contextlib.redirect_stdout(said):
                    pages.check(tables)
                line = [s for s in said.getvalue().splitlines() if "by-clip" in s]
                assert len(line) == 1 and line[0].startswith(words + " "), said.getvalue()
                # the table is of another version
                assert "not ok table-t" in said.getvalue()
        finally:
            pages.pages, pages.ALL_FIGURES = kept


def readme_has_gain_cpu_time_and_gpu():
    bitrates, timed = Table("bitrates.tsv", FIELDS), Table("speed.tsv", FIELDS)
    bitrates.note("clip", {"clip": "a", "size": "16x16"}, "clip")
    timed.note("clip", {"clip": "a", "size": "16x16"}, "clip")
    for encoder, factor, cpu in (("stock", 1, 2), ("ours", 0.9, 1)):
        bitrates.note("setting", {"encoder": encoder, "setting": "best"}, "encoder", "setting")
        add_curve(bitrates, "a", encoder, "b", factor, cpu)
    for encoder, frame in (("stock", 0.04), ("ours", 0.02), ("cuda", 0.005)):
        timed.note("setting", {"encoder": encoder, "setting": "best"}, "encoder", "setting")
        for frames in (2, 102):
            timed.rows.append(dict(row("a", encoder, "q28", 0, 0, 0.5 + frame * frames), frames=str(frames)))

    class Known(dict):
        names = dict.keys

    lines = blocks.brief(Known(bitrates=bitrates, speed=timed))
    assert lines[-1] == "| best | **−10.0 %** | −10.0 % | 0.50× | 75 % |", lines
    lines = blocks.brief(Known(bitrates=bitrates))
    assert lines[-1] == "| best | **−10.0 %** | −10.0 % | 0.50× |  |", lines


def clips_that_nothing_was_tuned_on_are_stated_apart():
    def made(*clips):
        bitrates = Table("bitrates.tsv", FIELDS)
        for encoder in ("stock", "ours"):
            bitrates.note("setting", {"encoder": encoder, "setting": "best"}, "encoder", "setting")
        for clip, size, factor in clips:
            bitrates.note("clip", {"clip": clip, "size": size}, "clip")
            add_curve(bitrates, clip, "stock", "b", 1, 2)
            add_curve(bitrates, clip, "ours", "b", factor, 1)
        return Known(bitrates=bitrates)

    class Known(dict):
        names = dict.keys

    known, unknown, renamed = ("cif_foreman", "352x288", 0.8), ("a", "16x16", 0.9), ("vtest", "16x16", 1.1)
    mixed = made(known, unknown, renamed)
    lines = blocks.headline(mixed)
    assert "3 clips, 2 of which the encoder was not tuned on" in " ".join(lines), lines
    assert "| best | −6.7 | −10.0 | +10.0 | 0.50× |" in lines, lines
    assert lines[-1] == "| best | 0.0 | 0.0 | +10.0 |", lines
    lines = blocks.by_clip(mixed, "bitrates", "b")
    assert "| 2 other clips, worst | +10.0 |" in lines, lines
    assert blocks.brief(mixed)[-1] == "| best | 0.0 | 0.0 | +10.0 |"
    for clips, words in (((known,), "1 clip that the encoder was tuned on"),
                         ((unknown, renamed), "2 clips that the encoder was not tuned on")):
        lines = blocks.headline(made(*clips))
        assert words in " ".join(lines) and not any("other" in line for line in lines), lines
        assert not any("other" in line for line in blocks.by_clip(made(*clips), "bitrates", "b"))


def readme_has_live_streams_of_one_machine():
    fields = ("size", "encoder", "speed", "threads", "processes", "gpus", "cores", "key_every", "streams", "rate")
    table = Table("density.tsv", fields)
    table.note("run", {"id": "r", "gpu": "G"}, "id")
    table.rows = [dict(zip(fields, line), run="r") for line in (
        ("1280x720", "stock", "-8", "1", "one", "0", "16", "0", "31", "2042734"),
        ("1280x720", "cpu", "-8", "1", "one", "0", "16", "0", "30", "769147"),
        ("1280x720", "gpu", "-8", "1", "one", "1", "16", "10", "55", "769147"),
        ("1280x720", "gpu", "-16", "1", "one", "1", "16", "10", "57", "866774"),
        ("1280x720", "gpu", "-8", "1", "many", "1", "16", "10", "45", "769147"),
        ("1280x720", "gpu", "-8", "1", "one", "1", "32", "10", "73", "769147"))]
    lines = blocks.live({"density": table})
    assert lines[-1] == "| 1280×720 | 1 | 2043 | 769 | 31 | 30 | 55 |" and lines[-2].startswith("|---"), lines
    assert "16 cores and one G," in " ".join(lines), lines
    assert "none (stock libvpx; vp8_cudame, CPU), one on demand every 10 s (vp8_cudame, GPU)." in " ".join(lines), lines


def numbers_are_written():
    assert [markdown.signed(v) for v in (0.04, -0.04, -3.55, 12)] == ["0.0", "0.0", "−3.5", "+12.0"]
    assert markdown.signed(math.nan) == "no overlap"


def main():
    bad = 0
    for name, test in list(globals().items()):
        if callable(test) and getattr(test, "__module__", "") == "__main__" and \
                not test.__code__.co_argcount and name != "main":
            try:
                test()
                print(f"ok figures-{name.replace('_', '-')}")
            except AssertionError as error:
                print(f"not ok figures-{name.replace('_', '-')} ({error})")
                bad = 1
    return bad


if __name__ == "__main__":
    sys.exit(main())
