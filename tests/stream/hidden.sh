#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Hidden altref frames by default. Formats that take equal timestamps have them, with the usual time
# base; others have them if the time base leaves room. Shown frames keep their timestamps, nothing is
# warned about, and a copy of the packets has the same frames.
# Options are split into words on purpose, and A && B || C means: C if A or B fails.
# shellcheck disable=SC2046,SC2086,SC2015
. "$(dirname "$0")/lib.sh"

: "${FFPROBE:?the ffprobe to test}"

frames=40
clip in.clip 176x144 $frames

# times FILE: the timestamps of the decoded frames, in milliseconds
times() {
    "$FFPROBE" -v error -show_entries frame=pts_time -of csv=p=0 "$1" |
        awk '{ printf "%d\n", $1 * 1000 + 0.5 }'
}
for ((i = 0; i < frames; i++)); do echo $((i * 40)); done >expected

# makes NAME hidden|none FORMAT OPTIONS...: whether the file has hidden frames
makes() {
    local name=$1 kind=$2 format=$3 n
    shift 3
    "$FFMPEG" -v warning -nostdin -y $(raw in.clip 176x144) -c:v vp8_cudame -me_backend $ME_BACKEND \
        -deadline good -cpu-used 2 -b:v 150k -threads 1 "$@" -f "$format" out 2>all ||
        { cat all >&2; not_ok "$name" "encoder failed"; return; }
    grep -v 'Estimating duration' all >warnings # of the raw input
    [ ! -s warnings ] || { cat warnings >&2; not_ok "$name" "warnings"; return; }
    n=$(packets out)
    case $kind in
    hidden) [ "$n" -gt $frames ] || { not_ok "$name" "no hidden frames"; return; } ;;
    none) [ "$n" -eq $frames ] || { not_ok "$name" "$n packets"; return; } ;;
    esac
    times out | cmp -s - expected || { times out | diff - expected >&2; not_ok "$name" "timestamps"; return; }
    "$FFMPEG" -v warning -nostdin -y -i out -c copy -f "$format" copy 2>warnings && [ ! -s warnings ] ||
        { cat warnings >&2; not_ok "$name" "copy failed"; return; }
    times copy | cmp -s - expected || { not_ok "$name" "timestamps of a copy"; return; }
    ok "$name"
}

for format in webm matroska ivf; do
    makes $format hidden $format
    makes $format-off none $format -auto-alt-ref 0
    makes $format-between none $format -alt_ref_dts between
done
for format in nut avi; do makes $format none $format; done
makes nut-fine hidden nut -enc_time_base 1:1000
makes nut-next none nut -lag-in-frames 0 -alt_ref_dts next
makes realtime none webm -deadline realtime -cpu-used -8
makes low-delay none webm -flags low_delay
makes cbr none webm -minrate 150k -maxrate 150k -bufsize 150k

# In two passes stock's default is no hidden frame.
for pass in 1 2; do
    ff $(raw in.clip 176x144) -c:v vp8_cudame -me_backend $ME_BACKEND -b:v 150k -threads 1 \
        -pass $pass -passlogfile two -f webm out || { show_log; not_ok two-passes "failed"; }
done
if [ "$(packets out)" -eq $frames ]; then
    ok two-passes
else
    not_ok two-passes "hidden frames"
fi
exit $failed
