# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of tab-separated values that grow by a row, under a line of names."""

import os


def read(path):
    if not os.path.exists(path):
        return []
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n").split("\t") for line in file]
    return [dict(zip(lines[0], line)) for line in lines[1:]]


def add(path, columns, row):
    new = not os.path.exists(path)
    with open(path, "a", encoding="utf-8") as file:
        if new:
            file.write("\t".join(columns) + "\n")
        file.write("\t".join(str(row[column]) for column in columns) + "\n")
