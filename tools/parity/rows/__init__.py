# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""The rows to compare. A Row is one command, which is run with both encoders."""

import dataclasses
import re
import shlex


# Causes of a lower PSNR.
LEAN = "the lean search; with `-me_search full` nothing is lost"
GUIDE = "the guide; with `-guide off` nothing is lost"


@dataclasses.dataclass
class Row:
    args: str                # options of the encoder that the row tests
    options: tuple = ()      # names of the options, if args does not contain them
    title: str = None        # default: args
    base: str = "-b:v 200k"  # options that the row does not test
    source: str = "drift"
    size: str = "176x144"
    frames: int = 100
    before: str = ""         # ffmpeg's options before the input
    vf: str = ""             # filters between source and encoder
    passes: int = 1
    container: str = "matroska"
    about: tuple = ()        # facts to compare, in addition to the common ones
    ignore: tuple = ()       # common facts not to compare
    exact_rate: bool = False  # the row tests the bitrate
    refused: bool = False    # both fail: compare only status and messages
    explained: dict = dataclasses.field(default_factory=dict)  # fact -> sentence
    cause: str = None        # the cause of a difference, if it is known; the difference is still a fault
    at_times: bool = False   # the explained differences may be absent: on a real clip, or by chance
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
        """The key that rows with the same command share."""
        return (tuple(sorted(shlex.split(f"{self.base} {self.args}"))), self.source, self.size,
                self.frames, self.before, self.vf, self.passes, self.container)

    def value(self, option):
        """The value of an option as a number, or None."""
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
    # Imported here, since these modules need Row.
    from . import bad, frames, generic, options, rate
    rows = []
    for module in (options, generic, rate, frames, bad):
        for row in module.ROWS:
            row.group = row.group or module.TITLE
            rows.append(row)
    return rows
