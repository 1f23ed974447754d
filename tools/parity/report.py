# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Prints and writes the results of the rows."""

from judge import COMMON

HEAD = """# Parity with libvpx

Each row is one command of `ffmpeg`, run with FFmpeg's encoder `libvpx` on stock libvpx, and with
`vp8_cudame`. What the option is about is compared, and what any stream has: exit status, warnings
and errors, packets, time stamps and durations, key frames, hidden frames, sizes, profile, loop
filter, token partitions, side data, whether the option changes the stream at all, bitrate, PSNR-Y,
and that FFmpeg's decoder and libvpx's give the same frames.

| verdict | meaning |
|---|---|
| same | all facts are equal, the bitrate within 3 %, PSNR-Y not lower by more than 0.1 dB |
| better | as same, but for a bitrate nearer to its target, a higher PSNR-Y, or a bucket less full |
| explained | a fact differs on purpose; the row says why |
| differs | anything else: a fault |

A bucket is a leaky one of `-bufsize` bits, drained at `-maxrate`, else at `-b:v`: what it holds at
most, in percent of its size. Clips are generated, 100 frames of 176×144 where the row does not say
another number. The other options of a row are `{base}` where it has no `-b:v`, and `-threads 1`.

## Rates

PSNR-Y is compared at equal rate: more or fewer bits are weighed by stock's curve of that clip at
fixed quantizers. At a variable bitrate in one pass ours may take bits ahead, which it makes up for
within 8 seconds ([design](design.md#rate-control)). The clips are of 4 seconds, so a bitrate that
is above its target by less than a second's bits is explained. The rows of
[rate control](#rate-control) are of 30 seconds, and the bitrate is held to 3 % there. Where both
encoders need less than 90 % of the target, the lowest quantizer decides, and only PSNR-Y at equal
rate counts. One bitrate is chance by 0.05 dB: where that decides whether a row at a variable bitrate
is the same, the mean of three counts, 6 % apart.

A PSNR-Y that is lower by what 2 % of the bits are worth is explained if nothing is lost with
`-guide off` ([results](results.md#bitrate)). What is more is a fault, also where its cause is known.

"""


def short(value):
    if isinstance(value, tuple):
        words = [short(v) for v in value]
        if len(words) > 6:
            words = words[:4] + [f"… ({len(words)})"]
        return " ".join(words) or "none"
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:.1f}"
    return str(value)


def cell(row, facts, other):
    """The facts of one encoder in a few words."""
    if facts.get("status") != "works" or row.refused:
        text = facts.get("status", "?")
        if facts["messages"] != other["messages"] and facts["messages"]:
            text += ": " + facts["messages"][0].split(": ", 1)[1]
        return text
    words = []
    for name in row.about:
        if name == "largest key":
            words.append(f"largest key frame {facts[name]:.0f} kb")
        elif name == "bucket":
            words.append(f"bucket {facts['bucket']:.0f} %")
        elif name == "alpha":
            words.append(f"alpha {facts.get('alpha')} dB")
        elif name in facts:
            words.append(f"{name} {short(facts[name])}")
    for name in facts:
        if name not in COMMON or name in row.about or name in row.ignore:
            continue
        if facts[name] != other.get(name):
            text = short(facts[name])
            if name == "messages":
                text = "; ".join(m for m in facts[name] if m not in other[name]) or "none"
            words.append(f"{name} {text}")
    if "kbps" in facts and "rate" not in row.ignore:
        words.append(f"{facts['kbps']:.1f} kb/s")
    if facts.get("psnr") is not None:
        words.append(f"{facts['psnr']:.2f} dB")
    return ", ".join(words)


def escape(text):
    return text.replace("|", "\\|").replace("\n", " ")


def cells(result):
    row, stock, ours, verdict = result
    what = f"`{row.args or row.base}`" if not row.title else row.title
    extra = [row.source] if row.source != "drift" else []
    if row.size != "176x144":
        extra.append(row.size)
    if row.frames != 100:
        extra.append(f"{row.frames} frames")
    if row.title and row.args:
        what += f": `{row.args}`"
    if extra:
        what += f" ({', '.join(extra)})"
    about = ", ".join(row.about) or ("message" if row.refused else "stream")
    text = verdict.word
    if verdict.notes:
        text += ": " + "; ".join(verdict.notes)
    return [escape(c) for c in (what, about, cell(row, stock, ours), cell(row, ours, stock), text)]


def write(path, results, base, command, versions):
    groups = {}
    for result in results:
        groups.setdefault(result[0].group, []).append(result)
    words = [r[3].word for r in results]
    with open(path, "w") as f:
        f.write(HEAD.replace("{base}", base))
        counts = ", ".join(f"{words.count(w)} {w}" for w in ("same", "better", "explained",
                                                              "differs"))
        f.write(f"{len(results)} rows: {counts}. {versions}. Written by\n\n    {command}\n")
        for title, group in groups.items():
            f.write(f"\n## {title}\n\n| options | compared | stock | ours | verdict |\n"
                    "|---|---|---|---|---|\n")
            for result in group:
                f.write("| " + " | ".join(cells(result)) + " |\n")
