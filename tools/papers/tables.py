# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads and extends tables of tools/evaluate's format."""

import glob
import os

from lib.table import Table


def read(path):
    return Table.open(path).rows


def renew(folder, run):
    """Drop rows of other commits than the run's."""
    for path in glob.glob(os.path.join(folder, "papers-*.tsv")):
        table = Table.open(path)
        if table.drop_others(run["commit"]):
            table.write()


def add(path, columns, run, *rows):
    """Append rows. run: the note from machine.describe()."""
    table = Table.open(path, columns + ("run",))
    if all(note["id"] != run["id"] for note in table.notes.get("run", [])):
        table.note("run", run, "id")
        table.write()
    for row in rows:
        table.append(dict(row, run=run["id"]))
