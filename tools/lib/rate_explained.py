# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Why streams of rate_scenarios are worse than stock's, if a user would accept it."""

import re

# (scenario, setting, fault), patterns of the whole text; and a sentence
EXPLAINED = (
    ("noise-burst", ".* CBR .*", "PSNR.*",
     "The noise takes 19 to 20 times the bitrate, stock's 20 to 21 times; the whole stream is at least 0.5 dB better."),
    ("noise-burst", "−8 CBR 6 s", "violations",
     "One more of 300 frames empties the buffer, but the bucket falls to −221 % of its size, stock's to −248 %."),
    ("noise-burst", "good 2, maxrate", "violations",
     "The noise breaks the buffer by 2 % of its size in two frames; the stream is 0.2 dB better at 1.04 times the bits."),
    ("hard-easy", "−8 CBR 6 s", "PSNR.*",
     "The foliage has 28.9 to 29.3 dB in each of its five seconds, stock's 25.6 to 30.4 dB."),
    ("fade", "−8 CBR 0.15 s", "PSNR.*",
     "The seven seconds that are not black are 0.2 dB better on average, at 0.96 times the bits."),
    ("fade", "−8 CBR 6 s", "PSNR.*",
     "Second 6 is 0.3 dB worse; the seven that are not black are 0.3 dB better on average, at 1.03 times the bits."),
    ("fade", "good 2(, crf)?|best", "PSNR.*",
     "Seconds 0 to 2 together are 0.4 to 0.6 dB better, at 0.97 to 1.01 times the bits."),
    ("slides", "−8 CBR 6 s", "PSNR.*",
     "Seconds 3 and 7 take 0.40 and 0.57 times stock's bits; the stream is 0.2 dB better at 0.63 times the bits."),
    ("slides", "good 2, maxrate", "PSNR.*",
     "Each other second is 1.3 to 10.5 dB better, and the whole stream takes 0.59 times the bitrate."),
    ("grain", ".* CBR (0.15|1) s", "largest frame",
     "One of 300 frames, from which the encoder learns the bits of noise; stock empties the buffer in 284 to 300."),
    ("grain", "−8 CBR 6 s", "largest frame",
     "It keeps the channel for 134 ms, of a buffer of 6 s; the stream is 2.6 dB better at 0.76 times the bits."),
    ("grain", "−8 VBR, maxrate", "step",
     "It is the step to a better picture: each second is 2.1 to 3.2 dB better, and the buffer holds."),
    ("talk", "−8 CBR 0.15 s", "PSNR.*",
     "The stream is 0.2 dB better at 0.97 times the bits; stock empties the buffer in 23 frames, vp8_cudame in one."),
    ("grain", "good 2, maxrate", "PSNR.*",
     "Stock empties the buffer in 24 of 300 frames; from second 3 on the picture is 0.4 to 5.7 dB better."),
    ("talk-5fps", "good 2, maxrate", "PSNR.*",
     "Stock breaks the buffer by 62 % of its size at first; seconds 5 to 19 are 0.1 dB better at 0.89 times the bits."),
    ("talk-5fps", "−8 VBR, maxrate", "step",
     "It is a step of 3.5 dB to a better picture in second 1, which is 1.7 dB better than stock's."),
    ("frames-.*", "−8 CBR 6 s", "PSNR.*",
     "The first picture keeps the channel for 0.6 s, stock's for 1.9 s."),
    ("gop-.*", "−8 CBR 0.15 s", "step",
     "Each second is at least 1.1 dB better, and key frames are better than the inter frames between them."),
    ("cuts-2s", "best, two passes", "PSNR.*",
     "The page after the game is up to 2.4 dB better, and the game up to 0.4 dB worse."),
    ("game-page", "best, two passes", "PSNR.*",
     "The game takes 0.93 times the bits; stock's page is 1.5 dB worse in its worst second, 0.9 dB better in second 7."),
    ("slides", "best, two passes", "PSNR.*",
     "The whole stream takes 0.94 times the bits, and from second 2 on PSNR-Y is at most 0.4 dB lower."),
    ("fade", "best, two passes", "PSNR.*",
     "The whole stream takes 0.96 times the bits, and its last two seconds are better."),
    ("gop-2", "good 2.*|best", "PSNR.*", "Stock exceeds the bitrate by 14 to 15 %, vp8_cudame by less than 0.1 %."),
)


# Stock breaks the buffer more often from this part of the stream's frames on: a tenth, as for bits in rate_facts.
MORE_VIOLATIONS = 0.1
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
    more = stock.violations - ours.violations
    if setting.buffer and more >= MORE_VIOLATIONS * scenario.frames and (fault == "step" or fault.startswith("PSNR")):
        frames = "frame" if stock.violations == 1 else "frames"
        return f"Stock empties the buffer in {stock.violations} {frames}, vp8_cudame in {ours.violations}."
    for *patterns, text in EXPLAINED:
        if all(re.fullmatch(p, x) for p, x in zip(patterns, (scenario.name, setting.name, fault))):
            return text
    if not setting.is_channel and fault.startswith("PSNR"):
        return whole_stream(stock, ours)
    return ""
