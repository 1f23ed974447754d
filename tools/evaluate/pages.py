#!/usr/bin/env python3
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Generates blocks and plots of pages from the tables of raw figures, or checks them.

  pages.py [--tables FOLDER] [--check] [PAGE...]
  pages.py --tables FOLDER --to FOLDER    results.md for other tables, in another folder

A page has blocks between <!-- evaluate NAME ARGUMENTS --> and <!-- /evaluate -->; the functions in
MODULES make their lines. Plots need matplotlib. --check needs Python alone, and compares a
checksum of the figures in each plot. It prints "ok" or "not ok" for each block, plot and table. It
also fails if a page in ALL_FIGURES has a figure outside a block.
"""

import argparse
import glob
import hashlib
import os
import re
import sys

import blocks
import others
import plotdata
from lib import machine
from lib.table import Table

MODULES = (blocks, others)
BLOCKS = {name: make for module in MODULES for name, make in module.BLOCKS.items()}
MARKED = re.compile(r"(<!-- evaluate (\S+)(.*?) -->\n)(.*?)(<!-- /evaluate -->)", re.S)
# Pages, or one section of a page, that must not have figures outside blocks.
ALL_FIGURES = {"doc/results.md": None, "doc/kernels.md": None, "README.md": "Results"}
FIGURE = re.compile(r"\d(?:[\d.,]*\d)?\s?(?:%|×(?!\d)|dB\b|ms\b|percent\b|times\b|frames/s\b)")
MISSING = "Not measured in this version yet; run `make evaluate`."


class Tables:
    """The tables of a folder by name, read on first use."""

    def __init__(self, folder):
        self.folder, self.read = folder, {}

    def __getitem__(self, name):
        if name not in self.read:
            self.read[name] = Table.load(os.path.join(self.folder, f"{name}.tsv"))
        return self.read[name]

    def names(self):
        return sorted(os.path.splitext(os.path.basename(p))[0]
                      for p in glob.glob(os.path.join(self.folder, "*.tsv")))


def make_block(tables, name, arguments):
    try:
        lines = BLOCKS[name](tables, *arguments.split())
    except FileNotFoundError:
        lines = [MISSING]
    return "".join(line + "\n" for line in lines)


def made(text, tables):
    return MARKED.sub(lambda m: m[1] + make_block(tables, m[2], m[3]) + m[5], text)


def pages():
    found = [os.path.join(machine.TOP, "README.md")]
    found += sorted(glob.glob(os.path.join(machine.TOP, "doc", "*.md")))
    return [p for p in found if MARKED.search(read(p))]


def read(path):
    with open(path) as f:
        return f.read()


def write(path, text):
    with open(path, "w") as f:
        f.write(text)


def loose_figures(text, section):
    """Lines with a figure outside a generated block."""
    if section:
        match = re.search(rf"^## {section}$.*?(?=^## |\Z)", text, re.S | re.M)
        text = match[0] if match else ""
    text = MARKED.sub("", text)
    text = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    return [line for line in text.splitlines() if FIGURE.search(line)
            and not line.startswith("    ")]


def sum_in(path):
    """The checksum of the figures in a plot file, or None."""
    match = re.search(r"figures ([0-9a-f]{12})", read(path)) if os.path.exists(path) else None
    return match[1] if match else None


def sum_of(data):
    return hashlib.sha1(repr(data).encode()).hexdigest()[:12]


def check(tables):
    bad = 0

    def judge(name, fine, why=""):
        nonlocal bad
        bad += not fine
        print(("ok " if fine else "not ok ") + name + (f" ({why})" if why and not fine else ""))

    for path in pages():
        text = read(path)
        short = os.path.relpath(path, machine.TOP)
        for number, m in enumerate(MARKED.finditer(text), 1):
            judge(f"{short}-{number}-{m[2]}", m[4] == make_block(tables, m[2], m[3]),
                  "differs from the tables: run make pages")
    for short, section in ALL_FIGURES.items():
        for line in loose_figures(read(os.path.join(machine.TOP, short)), section):
            print(f"# {line}")
            judge(f"{short}-figures", False, "a figure outside a generated block")
    for name, make in plotdata.PLOTS.items():
        try:
            data = make(tables)
        except FileNotFoundError:
            continue
        path = os.path.join(tables.folder, f"{name}.svg")
        judge(f"plot-{name}", sum_in(path) == sum_of(data) if data else not os.path.exists(path),
              "drawn from other figures: run make pages")
    # The pages name the version of each table, which may be an older one.
    released = set(re.findall(r"(?m)^## ([0-9.]+)$", read(os.path.join(machine.TOP, "CHANGELOG.md"))))
    for name in tables.names():
        versions = {run["version"] for run in tables[name].notes.get("run", [])}
        judge(f"table-{name}", versions and versions <= released,
              f"measured with version {', '.join(sorted(versions)) or 'unknown'}: run make evaluate")
    return bad


def draw(tables, folder):
    """Draw missing and outdated plots, if matplotlib is installed."""
    wanted = {}
    for name, make in plotdata.PLOTS.items():
        try:
            data = make(tables)
        except FileNotFoundError:
            continue
        if data and sum_in(os.path.join(folder, f"{name}.svg")) != sum_of(data):
            wanted[name] = data
    if not wanted:
        return
    try:
        import plots
    except ImportError:
        print("pages: matplotlib is not installed (Debian: python3-matplotlib); not drawn: " +
              ", ".join(wanted), file=sys.stderr)
        return
    for name, data in wanted.items():
        plots.draw(name, data, sum_of(data), os.path.join(folder, f"{name}.svg"))
        print(os.path.join(folder, f"{name}.svg"))


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", default=os.path.join(machine.TOP, "doc", "results"))
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--to", help="write doc/results.md of these tables to this folder")
    args = parser.parse_args()
    tables = Tables(args.tables)
    if args.check:
        return 1 if check(tables) else 0
    if args.to:
        text = made(read(os.path.join(machine.TOP, "doc", "results.md")), tables)
        write(os.path.join(args.to, "results.md"), text.replace("(results/", "("))
        draw(tables, args.to)
        print(os.path.join(args.to, "results.md"))
        return 0
    for path in pages():
        text = read(path)
        if made(text, tables) != text:
            write(path, made(text, tables))
            print(os.path.relpath(path, machine.TOP))
    draw(tables, tables.folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
