# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""The compared encoders and settings, as options of ffmpeg."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class Setting:
    encoder: str   # stock; ours, cuda or auto (vp8_cudame with that backend); or a peer
    setting: str   # its name on pages
    options: str
    passes: int = 1
    # Upper bound in seconds per pixel, for --limit.
    cost: float = 500e-9

    @property
    def program(self):
        return {"stock": "stock", "ours": "ffmpeg", "cuda": "ffmpeg",
                "auto": "ffmpeg"}.get(self.encoder, "peer")


LEVELS = {
    "best": ("-deadline best", 600e-9),
    "good 0": ("-deadline good -cpu-used 0", 400e-9),
    "good 2": ("-deadline good -cpu-used 2", 250e-9),
    "good 5": ("-deadline good -cpu-used 5", 60e-9),
    "-4": ("-deadline realtime -cpu-used -4", 60e-9),
    "-8": ("-deadline realtime -cpu-used -8", 50e-9),
    "-12": ("-deadline realtime -cpu-used -12", 45e-9),
    "-16": ("-deadline realtime -cpu-used -16", 40e-9),
}
ENCODERS = {
    "stock": "-c:v libvpx",
    "ours": "-c:v vp8_cudame -me_backend cpu",
    "cuda": "-c:v vp8_cudame -me_backend cuda",
    "auto": "-c:v vp8_cudame -me_backend auto",
}
ALTREF = "-auto-alt-ref 1 -lag-in-frames 25"


def vp8(encoder, level, more="", name="", passes=1):
    """A setting: a level of a VP8 encoder with more options; NAME is appended to the level's name."""
    options, cost = LEVELS[level]
    return Setting(encoder, level + name, " ".join(filter(None, (ENCODERS[encoder], options, more))),
                   passes, cost * passes)


def pairs(levels, encoders=("stock", "ours"), ours=""):
    """Settings of several encoders at several levels; OURS: more options for all except stock."""
    return [vp8(e, level, "" if e == "stock" else ours) for level in levels for e in encoders]


def two_passes(levels, encoders=("stock", "ours")):
    return [vp8(e, level, ALTREF, ", two passes", 2) for level in levels for e in encoders]


# One pass at a bitrate, one thread, no psychovisual tuning. They run only if FFMPEG_PEERS names
# an ffmpeg that has them.
PEERS = [
    Setting(f"x264 {profile}", preset,
            f"-c:v libx264 -profile:v {profile} -preset {preset} -tune psnr", cost=300e-9)
    for profile in ("baseline", "high") for preset in ("ultrafast", "veryfast", "medium")
] + [
    Setting("SVT-AV1", f"preset {preset}", f"-c:v libsvtav1 -preset {preset}", cost=600e-9)
    for preset in (12, 10, 8, 6)
]
