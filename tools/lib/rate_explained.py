# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Why streams of rate_scenarios are worse than stock's, if a user would accept it."""

import re

# (scenario, setting, fault), patterns of the whole text; and a sentence
EXPLAINED = (
    ("noise-burst", ".*", "PSNR.*|violations",
     "Noise takes 20 times the bitrate at the coarsest quantizer, and both repay it afterwards."),
    ("hard-easy", "−8 CBR 6 s", "PSNR.*", "Stock spends there the bits that it saved in second 1, at 25.6 dB."),
    ("fade", ".* CBR .*", "PSNR.*", "The pictures before the fade are better, so its first second has a smaller buffer."),
    ("slides", ".* CBR .*", "PSNR.*", "A new page of text is sharp after two seconds; stock's is after one."),
    ("frames-.*", "−8 CBR 6 s", "PSNR.*",
     "The first picture keeps the channel for half a second; stock's keeps it for two."),
    ("gop-.*", "−8 CBR 0.15 s", "step", "Key frames are better than the inter frames between them."),
    ("gop-.*", "best, two passes", "PSNR.*", "Both exceed the bitrate; stock exceeds it by more over the whole stream."),
    ("gop-2", "good 2.*|best", "PSNR.*", "Stock exceeds the bitrate by a tenth."),
)


def explanation(scenario, setting, stock, ours, fault):
    """A sentence, or an empty text: a fault."""
    if setting.buffer and stock.violations > ours.violations and fault.startswith("PSNR"):
        return f"Stock empties the buffer in {stock.violations} frames, vp8_cudame in {ours.violations}."
    for *patterns, text in EXPLAINED:
        if all(re.fullmatch(p, x) for p, x in zip(patterns, (scenario.name, setting.name, fault))):
            return text
    return ""
