# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Formats numbers, tables and paragraphs for pages."""

import math
import textwrap

WIDTH = 100


def signed(value, digits=1):
    """The number with its sign; a minus sign, not a hyphen."""
    if math.isnan(value):
        return "no overlap"
    text = f"{value:+.{digits}f}"
    if not text.strip("+-0."):
        return text[1:]
    return text.replace("-", "−")


def times(value, digits=2):
    return f"{value:.{digits}f}×"


def setting_name(setting):
    """The name of a setting; realtime settings are numbers, such as -8."""
    return "realtime −" + setting[1:] if setting.startswith("-") else setting


def table(head, rows):
    return ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)] + [
        "| " + " | ".join(map(str, row)) + " |" for row in rows]


def paragraph(text):
    return textwrap.wrap(text, WIDTH, break_long_words=False, break_on_hyphens=False)


def item(text):
    return textwrap.wrap("- " + text, WIDTH, subsequent_indent="  ", break_long_words=False,
                         break_on_hyphens=False)
