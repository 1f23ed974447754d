#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Frames that the device codes as a whole, at a realtime deadline: the stream is that of the CPU
# backend, with one and eight threads, at sizes that are no multiples of 16. Needs a device.
# tests/stream/whole-frames.sh does the same with small pictures on the emulated driver.
# Options are split into words on purpose.
# shellcheck disable=SC2015,SC2046,SC2086
. "$(dirname "$0")/../stream/lib.sh"

clip large.yuv 1918x1078 12
zoom zoom.yuv 1366x768 12
clip small.yuv 33x17 40
zoom middle.yuv 640x368 30
ff -f lavfi -i "testsrc2=size=640x368:rate=25" -vf "select=eq(n\,0),loop=19:1" -pix_fmt yuv420p -frames:v 20 -f rawvideo still.yuv ||
    { show_log; exit 1; }

# whole FILE 0|1 [key]: prints the number of frames, or of key frames, that were coded whole, or not
whole() {
    awk -F, -v whole=$2 -v key=${3:-} 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
        $c["whole"] == whole && (key == "" || $c["key"]) { n++ } END { print n + 0 }' $1
}

# same NAME CLIP SIZE OPTIONS...: the CPU, the search on the device and whole frames on the device
# make the same stream. A device that others use may be late with some frames, which libvpx codes.
same() {
    local name=$1 in threads wrong=
    in=$(raw $2.yuv $3)
    shift 3
    ff $in -c:v vp8_cudame -me_backend cpu -threads 4 "$@" -me_stats cpu.csv -f ivf cpu.ivf || { show_log; not_ok "$name" "cpu failed"; return; }
    ff $in -c:v vp8_cudame -me_backend cuda -me_offload search -threads 4 "$@" -me_stats search.csv -f ivf search.ivf ||
        { show_log; not_ok "$name" "search failed"; return; }
    cmp -s cpu.ivf search.ivf || wrong+=" the search differs;"
    [ "$(whole search.csv 1)" = 0 ] || wrong+=" the search coded whole frames;"
    for threads in 1 8; do
        ff $in -c:v vp8_cudame -me_backend cuda -me_offload frame -threads $threads "$@" -me_stats whole.csv -f ivf whole.ivf ||
            { show_log; wrong+=" whole frames failed;"; continue; }
        cmp -s cpu.ivf whole.ivf || wrong+=" whole frames with $threads threads differ;"
        [ "$(whole whole.csv 1)" -gt "$(whole whole.csv 0)" ] || wrong+=" only $(whole whole.csv 1) whole frames, $(whole whole.csv 0) others;"
        [ "$(whole whole.csv 1 key)" -gt 0 ] || wrong+=" no whole key frame;"
        ! grep -qE 'failed|Cannot' log || wrong+=" a warning;"
    done
    if [ -z "$wrong" ]; then ok "$name"; else not_ok "$name" "${wrong:1}"; fi
}

cbr="-minrate 1M -maxrate 1M -bufsize 500k -b:v 1M"
for speed in 4 6 8 12 16; do
    same large-rt$speed large 1918x1078 $(speed rt$speed) -b:v 3M
    same zoom-rt$speed-cbr zoom 1366x768 $(speed rt$speed) $cbr
    same zoom-rt$speed-static zoom 1366x768 $(speed rt$speed) -b:v 2M -static-thresh 1
    same middle-rt$speed middle 640x368 $(speed rt$speed) -b:v 500k -slices 4
    same middle-rt$speed-key middle 640x368 $(speed rt$speed) -b:v 1M -g 3
    same middle-rt$speed-high middle 640x368 $(speed rt$speed) -b:v 20M -qmin 2 -qmax 6
    same still-rt$speed still 640x368 $(speed rt$speed) -b:v 1M -static-thresh 1000
    same small-rt$speed small 33x17 $(speed rt$speed) -b:v 100k
done
exit $failed
