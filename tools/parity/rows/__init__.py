# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""What is compared: a Row is one command, run with both encoders."""

import dataclasses
import re
import shlex


# Causes of a lower PSNR.
LEAN = "the lean search; with `-me_search full` nothing is lost"
GUIDE = "the guide; with `-guide off` nothing is lost"


@dataclasses.dataclass
class Row:
    args: str                # the encoder's options that the row is about
    options: tuple = ()      # their names, if args does not say them
    title: str = None        # else args
    base: str = "-b:v 200k"  # the options around them
    source: str = "drift"
    size: str = "176x144"
    frames: int = 100
    before: str = ""         # ffmpeg's options before the input
    vf: str = ""             # filters between source and encoder
    passes: int = 1
    container: str = "matroska"
    about: tuple = ()        # facts that are compared beside the common ones
    ignore: tuple = ()       # common facts that mean nothing here
    exact_rate: bool = False  # the row is about the bitrate
    refused: bool = False    # both fail: nothing but status and messages is compared
    explained: dict = dataclasses.field(default_factory=dict)  # fact -> sentence
    cause: str = None        # why it differs, if that is known: still a fault
    at_times: bool = False   # what is explained need not happen: on a real clip, or by chance
    quick: bool = False      # also in make check
    group: str = ""

    def __post_init__(self):
        if not self.options:
            self.options = tuple(a.split(":")[0].lstrip("-") for a in shlex.split(self.args)
                                 if re.match(r"-[A-Za-z]", a))

    @property
    def name(self):
        return self.title or self.args

    def command(self):
        """What tells rows that run the same command."""
        return (tuple(sorted(shlex.split(f"{self.base} {self.args}"))), self.source, self.size,
                self.frames, self.before, self.vf, self.passes, self.container)

    def value(self, option):
        """What is given for an option, as a number, or None."""
        words = shlex.split(self.base + " " + self.args)
        found = None
        for at, word in enumerate(words[:-1]):
            if word.split(":")[0] == "-" + option:
                found = words[at + 1]
        if found is None:
            return None
        match = re.fullmatch(r"(-?[\d.]+)([kM]?)", found)
        return float(match[1]) * {"": 1, "k": 1e3, "M": 1e6}[match[2]] if match else None


def all_rows():
    # Here, as these modules need Row.
    from . import bad, frames, generic, options, rate
    rows = []
    for module in (options, generic, rate, frames, bad):
        for row in module.ROWS:
            row.group = row.group or module.TITLE
            rows.append(row)
    return rows
