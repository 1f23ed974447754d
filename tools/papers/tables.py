# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of raw figures (lib/table.py) to which rows are added one by one."""

import glob
import os

from lib.table import Table


def read(path):
    return Table.open(path).rows


def renew(folder, run):
    """Drop rows that are not of the run's commit."""
    for path in glob.glob(os.path.join(folder, "papers-*.tsv")):
        table = Table.open(path)
        if table.drop_others(run["commit"]):
            table.write()


def add(path, columns, run, *rows):
    """Add rows. run: the description by machine.describe()."""
    table = Table.open(path, columns + ("run",))
    if all(note["id"] != run["id"] for note in table.notes.get("run", [])):
        table.note("run", run, "id")
        table.write()
    for row in rows:
        table.append(dict(row, run=run["id"]))
