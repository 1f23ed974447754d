# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""A Row is one command that is run with both encoders."""

import dataclasses
import re
import shlex


# Known causes of a lower PSNR-Y.
LEAN = "the lean search; with `-me_search full` nothing is lost"
GUIDE = "the guide; with `-guide off` nothing is lost"


@dataclasses.dataclass
class Row:
    args: str                # the encoder options that the row tests
    options: tuple = ()      # names of the tested options, if args does not have them
    title: str = None        # default: args
    base: str = "-b:v 200k"  # the other encoder options
    source: str = "drift"
    size: str = "176x144"
    frames: int = 100
    before: str = ""         # ffmpeg options before the input
    vf: str = ""             # filters between source and encoder
    passes: int = 1
    container: str = "matroska"
    about: tuple = ()        # facts that are compared in addition to the common ones
    ignore: tuple = ()       # common facts that are not compared
    exact_rate: bool = False  # the row tests the bitrate itself
    refused: bool = False    # both refuse: only status and messages are compared
    explained: dict = dataclasses.field(default_factory=dict)  # fact -> explanation
    cause: str = None        # known cause of a lower PSNR-Y, which is still a fault
    at_times: bool = False   # an explanation may be unused: on a real clip, or by chance
    quick: bool = False      # make check runs it too
    group: str = ""

    def __post_init__(self):
        if not self.options:
            self.options = tuple(a.split(":")[0].lstrip("-") for a in shlex.split(self.args)
                                 if re.match(r"-[A-Za-z]", a))

    @property
    def name(self):
        return self.title or self.args

    def command(self):
        """A key that is equal for rows with the same command."""
        return (tuple(sorted(shlex.split(f"{self.base} {self.args}"))), self.source, self.size,
                self.frames, self.before, self.vf, self.passes, self.container)

    def value(self, option):
        """The number given for an option, or None."""
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
    # These modules import Row.
    from . import bad, frames, generic, options, rate
    rows = []
    for module in (options, generic, rate, frames, bad):
        for row in module.ROWS:
            row.group = row.group or module.TITLE
            rows.append(row)
    return rows
