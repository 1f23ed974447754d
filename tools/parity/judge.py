# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""The verdict of a row: same, better, explained, or differs."""

import dataclasses
import math

# Facts that every row compares, unless it ignores them.
COMMON = ("status", "messages", "stream", "packets", "pts", "dts", "durations", "key flags", "keys",
          "hidden", "size", "profile", "simple filter", "sharpness", "partitions", "side data",
          "tags", "decoders", "effect")
RATE_LIMIT = 0.03    # of stock's bitrate
PSNR_LIMIT = 0.1     # dB
CHANCE = 0.05        # dB: noise of one bitrate on a clip of 100 frames
SATURATED = 0.9      # of the target: below it neither encoder needs the whole target
BUCKET_LIMIT = 3     # percent of the bucket's size


@dataclasses.dataclass
class Verdict:
    word: str
    notes: list          # gains, differences, or explanations
    compared: list       # names of facts


AHEAD = "ours [took bits ahead](parity.md#rates), one second's at most"
GUIDED = ("guide and lean search evaluate fewer candidates, which costs {:.1f} % of the bits here "
          "([results](results.md#bitrate)); with `-guide off`, {:+.2f} dB")
GUIDE_LIMIT = 2      # percent: largest explained loss of the guide
WITHOUT = "the loss is no larger than without the option ({:+.2f} dB)"


def same_rate(stock, ours):
    return abs(ours - stock) <= RATE_LIMIT * stock


def quantizer_decides(row):
    low, high = row.value("qmin"), row.value("qmax")
    return not row.value("b") or row.value("crf") is not None or (low is not None and low == high)


def constant_rate(row):
    return row.value("b") and row.value("b") == row.value("minrate") == row.value("maxrate")


def better_rate(row, stock, ours):
    """Whether a bitrate that differs from stock's is an improvement."""
    if quantizer_decides(row):
        return True  # PSNR-Y is compared at equal rate
    if ours["kbps"] < stock["kbps"] and (ours.get("psnr") or 0) > (stock.get("psnr") or 0) - \
            PSNR_LIMIT:
        return True
    target = row.value("b") / 1000
    if max(ours["kbps"], stock["kbps"]) < SATURATED * target:
        return True  # the lowest quantizer decides
    return abs(ours["kbps"] - target) <= abs(stock["kbps"] - target)


def taken_ahead(row, stock, ours):
    """Whether a bitrate is above both the target and stock's by at most one second's bits."""
    if row.exact_rate or row.passes > 1 or quantizer_decides(row) or constant_rate(row):
        return False
    target = row.value("b") / 1000
    return 0 < ours["kbps"] - max(target, stock["kbps"]) <= target / ours["seconds"]


def gain_at_equal_rate(stock, ours, curve):
    """PSNR-Y gain in dB at equal rate, or None if it cannot be computed."""
    a, b = stock.get("psnr"), ours.get("psnr")
    if a is None or b is None or not (math.isfinite(a) and math.isfinite(b)):
        return None
    return b - a - curve().gain(stock["kbps"], ours["kbps"])


def compare(name, row, a, b):
    """(difference, gain) of one fact; each is a text or None."""
    if name == "status" and "killed" in b:
        return b, None
    if name == "status" and "killed" in a:
        return None, f"{b} where stock is {a}"
    if name == "bucket":
        if b > max(a, 100) + BUCKET_LIMIT:
            return f"bucket {b:.0f} %, stock's {a:.0f} %", None
        return None, f"bucket {b:.0f} %, stock's {a:.0f} %" if a > 100 and b < a - BUCKET_LIMIT \
            else None
    if name == "hidden" and row.passes == 1 and not a:
        return None, None  # ours has them by default, stock has none in one pass
    if name == "dropped":
        if b > a:
            return f"{b} frames dropped, stock {a}", None
        return None, f"{a - b} frames fewer dropped" if b < a else None
    if name == "largest key":
        return f"largest key frame {b / a:.1f} times stock's" if b > 1.1 * a else None, None
    if name == "quantizers":
        low, high = row.value("qmin") or 0, row.value("qmax")
        out = b[0] < low or b[1] > (63 if high is None else high)
        return ("quantizers out of range" if out else None), None
    if name == "alpha":
        return (f"transparency {b} dB, stock's {a}", None) if (b or 0) < (a or 0) - PSNR_LIMIT \
            else (None, None)
    return (name if a != b else None), None


def why_lower(gain, stock, curve, base, unguided):
    """An explanation of a lower PSNR-Y, or None."""
    before = gain_at_equal_rate(*base, curve) if base else None
    if before is not None and before < -PSNR_LIMIT and gain > before - PSNR_LIMIT:
        return WITHOUT.format(before)
    percent = 100 * (2 ** (-gain / curve().slope(stock["kbps"])) - 1)
    if percent < GUIDE_LIMIT:
        full = gain_at_equal_rate(stock, unguided(), curve)
        if full is not None and full > -PSNR_LIMIT:
            return GUIDED.format(percent, full)
    return None


def without_chance(gain, beside, curve):
    """The gain at the row's bitrate. A loss that noise may explain is averaged with its neighbours."""
    if gain is None or not -PSNR_LIMIT - CHANCE < gain < -PSNR_LIMIT:
        return gain
    gains = [gain] + [gain_at_equal_rate(stock, ours, curve) for stock, ours in beside()]
    return min(sum(gains) / len(gains), 0) if None not in gains else gain


def judge(row, stock, ours, curve, base, unguided, beside):
    """curve(): stock's PSNR-Y by bitrate on this source. base: facts of both encoders without the
    row's options, if that is a row too. unguided(): facts of ours without the guide. beside():
    facts of both at the neighbouring bitrates."""
    differ, better, sentences = {}, [], []
    names = [n for n in COMMON + row.about if n not in row.ignore and n not in ("psnr", "rate")]
    compared = [n for n in names if n in stock or n in ours]
    if "killed" in stock["status"]:
        compared = ["status"]
    for name in compared:
        if name not in stock or name not in ours:
            differ[name] = name
            continue
        worse, gained = compare(name, row, stock[name], ours[name])
        if worse:
            differ[name] = worse
        if gained:
            better.append(gained)
    if "kbps" in stock and "kbps" in ours and "rate" not in row.ignore:
        compared.append("rate")
        if not same_rate(stock["kbps"], ours["kbps"]):
            if better_rate(row, stock, ours):
                fewer = ours["kbps"] < stock["kbps"]
                better.append("fewer bits" if fewer else "nearer to the target")
            elif taken_ahead(row, stock, ours):
                sentences.append(AHEAD)
            else:
                differ["rate"] = f"rate {100 * (ours['kbps'] / stock['kbps'] - 1):+.1f} %"
    if "psnr" in stock and "psnr" not in row.ignore:
        compared.append("PSNR-Y")
        at_rate = gain_at_equal_rate(stock, ours, curve)
        gain = without_chance(at_rate, beside, curve)
        if gain is None:
            if stock["psnr"] != ours.get("psnr"):
                differ["psnr"] = f"PSNR-Y {ours.get('psnr')} dB, stock's {stock['psnr']}"
        elif gain > PSNR_LIMIT:
            better.append(f"PSNR-Y {gain:+.2f} dB at equal rate")
        elif gain < -PSNR_LIMIT:
            text = f"PSNR-Y {gain:+.2f} dB at equal rate"
            why = why_lower(at_rate, stock, curve, base, unguided)
            if why:
                sentences.append(f"{text}: {why}")
            else:
                differ["psnr"] = text

    unexplained = [text for name, text in differ.items() if name not in row.explained]
    stale = [f"{name}: the explanation is no longer needed" for name in row.explained
             if name not in differ and not row.at_times]
    if unexplained or stale:
        causes = [f"cause: {row.cause}"] if row.cause and "psnr" in differ else []
        return Verdict("differs", unexplained + stale + causes, compared)
    if differ or sentences:
        texts = [row.explained[n] for n in differ] + sentences
        return Verdict("explained", list(dict.fromkeys(texts)), compared)
    return Verdict("better" if better else "same", better, compared)
