# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
"""Clips that the encoder was tuned on: a number, a limit or a rule of it was chosen by its results on
them. Results on other clips are usually worse, so they are stated apart."""

# name: size
TUNED = {
    "1080p_bbb_scenecut": "1920x1080", "1080p_roofpan": "1920x1080", "1080p_street_redtree": "1920x1080",
    "1280p_waterfall_portrait": "720x1280", "374p_kitti_driving": "1242x374", "406p_film_launch": "560x406",
    "480p_foliage": "720x480", "480p_webcam_signing": "640x480", "576p_surveillance_vtest": "768x576",
    "720p_bee_macro": "1280x720", "720p_game_hexgl": "1280x720", "720p_juggle_grass": "1280x720",
    "720p_screen_codescroll": "1280x720", "720p_screen_slidecapture": "1280x720", "768p_screen_pdf": "1024x768",
    "cif_foreman": "352x288",
    # From packages or generated: clips of the tests and of the demonstration.
    "vtest": "768x576", "city": "640x360", "swing": "640x360", "drift": "352x288", "cuts": "640x360",
}


def other_clips(table):
    """The names of the other clips."""
    return {n["clip"] for n in table.notes.get("clip", []) if TUNED.get(n["clip"]) != n["size"]}


def said(table):
    """The number of clips, and of those that the encoder was not tuned on."""
    count, other = len(table.notes.get("clip", [])), len(other_clips(table))
    clips = f"{count} clip" + ("s" if count != 1 else "")
    if not other:
        return f"{clips} that the encoder was tuned on"
    if other == count:
        return f"{clips} that the encoder was not tuned on"
    return f"{clips}, {other} of which the encoder was not tuned on"
