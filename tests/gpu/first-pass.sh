#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The first pass on the device writes the same statistics as libvpx's, byte for byte: if it begins
# at the first frame and if it takes over later, with scene cuts, and for the clips in CLIPS. Needs
# a device.
# Options are split into words on purpose.
# shellcheck disable=SC2086
. "$(dirname "$0")/../stream/lib.sh"

clip clip.yuv 352x288 30
zoom zoom.yuv 352x288 30
cat clip.yuv zoom.yuv clip.yuv >cuts.yuv
clip odd.yuv 333x47 20
clip large.yuv 1918x1078 12 # large enough for the device to take over in the middle

# compare NAME INPUT OPTIONS...: tests one setting
compare() {
    local name=$1 in=$2
    shift 2
    ff $in -c:v libvpx "$@" -b:v 1M -pass 1 -passlogfile libvpx -f null - || { show_log; not_ok "$name" "libvpx failed"; return; }
    for how in cuda auto; do
        ff -v verbose $in -c:v vp8_cudame -me_first_pass $how "$@" -b:v 1M -pass 1 -passlogfile ours -f null - ||
            { show_log; not_ok "$name-$how" "failed"; continue; }
        if [ $how = cuda ] || [ $name = large ]; then
            grep -q 'First pass runs on CUDA$' log || { not_ok "$name-$how" "not on the device"; continue; }
        fi
        if cmp -s libvpx-0.log ours-0.log; then ok "$name-$how"; else not_ok "$name-$how" "statistics differ"; fi
    done
}

for input in "clip 352x288" "zoom 352x288" "cuts 352x288" "odd 333x47" "large 1918x1078"; do
    set -- $input
    compare $1 "$(raw $1.yuv $2)"
done
compare breakout "$(raw cuts.yuv 352x288)" -static-thresh 500
compare sharp "$(raw cuts.yuv 352x288)" -deadline good -cpu-used 5 -sharpness 3 -profile:v 1
for clip in ${CLIPS:+"$CLIPS"/*}; do
    case $clip in *.mkv | *.mp4 | *.264 | *.h264 | *.mov | *.y4m | *.webm) ;; *) continue ;; esac
    name=$(basename "$clip")
    compare "${name%.*}" "-i $clip"
done
exit 0 # the result lines tell failures
