#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Real clips from the folder CLIPS: every frame comes out, and FFmpeg's and libvpx's decoders agree.
# CLIP_FRAMES: frames of each clip (default: 3; 0: all).
# Options are split into words on purpose, and A && B || C means: C if A or B fails.
# shellcheck disable=SC2046,SC2086,SC2015
. "$(dirname "$0")/lib.sh"

: "${FFPROBE:?the ffprobe to test}"
frames=${CLIP_FRAMES:-3}
limit=
if [ "$frames" -gt 0 ]; then limit="-frames:v $frames"; fi

found=0
threads=1
for clip in ${CLIPS:+"$CLIPS"/*}; do
    case $clip in *.mkv | *.mp4 | *.webm | *.ivf | *.y4m | *.264 | *.h264 | *.avi | *.mov) ;; *) continue ;; esac
    found=1
    threads=$((3 - threads)) # so that each mode has clips with one and with two threads
    name=$(basename "$clip")
    name=${name%.*}
    ff -i "$clip" -map 0:v:0 $limit -pix_fmt yuv420p -fps_mode passthrough -c:v rawvideo -f nut in.nut ||
        { show_log; not_ok "$name" "does not decode"; continue; }
    in=$(packets in.nut)
    for mode in fast splitmv tex full; do
        threads=$((3 - threads))
        ff -i in.nut -fps_mode passthrough -c:v vp8_cudame -me_backend $ME_BACKEND -cuda_me $mode \
            -b:v 2M -threads $threads -f webm out.webm ||
            { show_log; not_ok "$name-$mode-t$threads" "encoder failed"; continue; }
        ff -c:v vp8 -i out.webm -fps_mode passthrough -f framemd5 a.md5 &&
            ff -c:v libvpx -i out.webm -fps_mode passthrough -f framemd5 b.md5 ||
            { show_log; not_ok "$name-$mode-t$threads" "decoder failed"; continue; }
        out=$(grep -vc '^#' a.md5)
        if [ "$in" != "$out" ]; then
            not_ok "$name-$mode-t$threads" "$in frames in, $out out"
        elif ! cmp -s a.md5 b.md5; then
            not_ok "$name-$mode-t$threads" "the decoders differ"
        else
            ok "$name-$mode-t$threads"
        fi
    done
done
[ $found = 1 ] || { echo "CLIPS has no clips"; exit 77; }
exit $failed
