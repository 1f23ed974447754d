#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# FFMPEG_STOCK is the same FFmpeg with a libvpx without motion provider, so that comparisons with it
# are comparisons with stock libvpx.
. "$(dirname "$0")/lib.sh"

encode=(-f lavfi -i "testsrc2=size=64x48:rate=25,format=yuv420p" -frames:v 4 -c:v vp8_cudame
    -me_backend cpu -f null -)

if ff "${encode[@]}"; then ok patched; else show_log; not_ok patched "vp8_cudame failed"; fi
if stock "${encode[@]}"; then
    not_ok stock "its libvpx takes a motion provider"
elif grep -q 'does not accept motion provider' log; then
    ok stock
else
    show_log
    not_ok stock "another error"
fi
exit $failed
