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
    ("fade", "good 2(, crf)?|best", "PSNR.*",
     "The two seconds before the fade, and three after it, are better by 0.7 to 3.6 dB."),
    ("slides", ".* CBR .*", "PSNR.*", "A new page of text is sharp after two seconds; stock's is after one."),
    ("game-page", "−16 CBR 1 s", "violations",
     "The page jumps several times in this second; stock's picture is 15 dB worse then."),
    ("talk-5fps", "−16 CBR 1 s", "largest frame",
     "A frame lasts 200 ms: the golden frame takes the channel for 2.4 frames, stock's for 1.9."),
    ("talk-60fps", "−8 CBR 0.15 s", "step",
     "The picture is 1.3 dB better than stock's while the head rests, and as good when it moves."),
    ("frames-.*", "−8 CBR 6 s", "PSNR.*",
     "The first picture keeps the channel for half a second; stock's keeps it for two."),
    ("gop-.*", "−8 CBR 0.15 s", "step", "Key frames are better than the inter frames between them."),
    ("cuts-2s", "best, two passes", "PSNR.*",
     "The page after the game is up to 2.5 dB better, and the game up to 0.4 dB worse."),
    ("game-page", "best, two passes", "PSNR.*",
     "Stock's page is 1.4 dB worse in its worst second, and 0.8 dB better where nothing moves."),
    ("slides", "best, two passes", "PSNR.*",
     "A page that scrolls in is sharp when it stands; the whole stream takes 0.92 times the bits."),
    ("fade", "best, two passes", "PSNR.*",
     "The whole stream takes 0.97 times the bits, and its last two seconds are better."),
    ("gop-.*", "best, two passes", "PSNR.*", "Stock exceeds the bitrate by more over the whole stream."),
    ("gop-2", "good 2.*|best", "PSNR.*", "Stock exceeds the bitrate by a tenth."),
)


# A whole stream is better from these gains on: of the mean or the worst second, in dB, at no more than SAME_BITS
# times the bits, or in bits.
BETTER_DB = 0.25
BETTER_WORST_DB = 0.5
SAME_BITS = 1.01
FEWER_BITS = 0.95


def whole_stream(stock, ours):
    """How a stream of a variable bitrate is better as a whole, or an empty text."""
    db = ours.mean_db() - stock.mean_db()
    bits = sum(ours.kbits) / sum(stock.kbits)
    if db >= BETTER_DB and bits <= SAME_BITS:
        return f"The whole stream is {db:.1f} dB better at {bits:.2f} times the bits."
    if abs(db) < BETTER_DB / 2 and bits <= FEWER_BITS:
        return f"The whole stream takes {bits:.2f} times the bits at the same PSNR-Y."
    worst = ours.worst_db() - stock.worst_db()
    if worst >= BETTER_WORST_DB and bits <= SAME_BITS:
        return f"The worst second is {worst:.1f} dB better; the whole stream takes {bits:.2f} times the bits."
    return ""


def explanation(scenario, setting, stock, ours, fault):
    """A sentence, or an empty text: a fault."""
    if setting.buffer and stock.violations > ours.violations and (fault == "step" or fault.startswith("PSNR")):
        frames = "frame" if stock.violations == 1 else "frames"
        return f"Stock empties the buffer in {stock.violations} {frames}, vp8_cudame in {ours.violations}."
    for *patterns, text in EXPLAINED:
        if all(re.fullmatch(p, x) for p, x in zip(patterns, (scenario.name, setting.name, fault))):
            return text
    if not setting.is_channel and fault.startswith("PSNR"):
        return whole_stream(stock, ours)
    return ""
