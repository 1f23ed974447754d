# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads what tools/guide/overlay/vp8/encoder/mp/mode/log.c writes."""

import numpy as np

I4 = "<i4"
RD = np.dtype([("rd", I4), ("rate", I4), ("dist", I4)])
INTER = np.dtype([("ref", I4), ("mode", I4), ("cost", I4), ("rate", I4), ("mv", I4), ("sse", I4), ("uv_sse", I4),
                  ("rd", RD)])
SPLIT = np.dtype([("estimate", I4), ("cost", I4), ("rate", I4), ("rd", RD)])
RECORD = np.dtype([
    ("size", I4), ("frame", I4), ("q_index", I4), ("mb_row", I4), ("mb_col", I4), ("lambda", I4),
    ("rdmult", I4), ("rddiv", I4), ("step", I4), ("split_rate", I4, 3), ("dist", I4, 3),
    ("inter", INTER, 12), ("split", SPLIT, (3, 4)), ("satd16", I4, 4), ("ref_rate", I4),
    ("cost4", I4), ("bpred_rate", I4), ("cost16", I4), ("mode16", I4), ("intra16", RD),
    ("bpred", RD, 3), ("ns", I4, 9)])


def load(path):
    log = np.fromfile(path, dtype=RECORD)
    if len(log) == 0 or (log["size"] != RECORD.itemsize).any():
        raise SystemExit(f"{path}: not a log of this version")
    return log
