# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Describes rows in words, and writes them as a table of tools/evaluate."""

from judge import COMMON
from lib import machine
from lib.table import Table

COLUMNS = ("group", "options", "compared", "stock", "ours", "verdict", "notes", "run")


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
    """The facts of one encoder that the row compares, in a few words."""
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


def cells(result):
    """A row of the table, without its run."""
    row, stock, ours, verdict = result
    options = f"`{row.args or row.base}`" if not row.title else row.title
    extra = [row.source] if row.source != "drift" else []
    if row.size != "176x144":
        extra.append(row.size)
    if row.frames != 100:
        extra.append(f"{row.frames} frames")
    if row.title and row.args:
        options += f": `{row.args}`"
    if extra:
        options += f" ({', '.join(extra)})"
    about = ", ".join(row.about) or ("message" if row.refused else "stream")
    texts = (row.group, options, about, cell(row, stock, ours), cell(row, ours, stock),
             verdict.word, "; ".join(verdict.notes))
    return dict(zip(COLUMNS, (" ".join(text.split()) for text in texts)))


def write(path, results, programs, command):
    """Write all rows as one run."""
    table = Table(path, COLUMNS)
    run = machine.describe(programs, command)
    table.note("run", run, "id")
    table.rows = [dict(cells(result), run=run["id"]) for result in results]
    table.write()
