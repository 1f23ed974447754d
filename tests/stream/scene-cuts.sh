#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# In one pass scene cuts, and no other frames, become key frames. This also holds for guided mode
# decision, which codes fewer macroblocks intra than libvpx's own test for a scene cut expects.
# Scenes of 12 frames: generated ones, and clips of the folder CLIPS, if there are any.
# Options are split into words on purpose.
# shellcheck disable=SC2046,SC2086
. "$(dirname "$0")/lib.sh"

: "${FFPROBE:?the ffprobe to test}"
length=12

# scene NAME OPTIONS...: writes the first frames of an input to NAME.yuv
scene() {
    local name=$1
    shift
    ff "$@" -frames:v $length -pix_fmt yuv420p -f rawvideo "$name.yuv" || { show_log; exit 1; }
}

# keys OPTIONS...: prints the numbers of the key frames
keys() {
    ff $(raw joined.yuv 352x288) -c:v vp8_cudame -me_backend $ME_BACKEND "$@" -g 9999 -f ivf out.ivf || { show_log; return 1; }
    "$FFPROBE" -v error -show_entries packet=flags -of csv=p=0 out.ivf |
        awk '/K/ { printf "%s%d", n++ ? " " : "", NR - 1 }'
}

# check NAME SETTINGS SCENE...: the first frame of each scene is a key frame, and no other frame is
check() {
    local name=$1 settings=$2 n at guide expected='' got
    shift 2
    cat "${@/%/.yuv}" >joined.yuv
    for ((n = 0; n < $#; n++)); do expected+="${expected:+ }$((n * length))"; done
    for at in $settings; do
        for guide in normal aggressive; do
            got=$(keys $(speed ${at%-*}) -b:v ${at#*-} -guide $guide) || got=none
            if [ "$got" = "$expected" ]; then
                ok "$name-$at-$guide"
            else
                not_ok "$name-$at-$guide" "key frames $got instead of $expected"
            fi
        done
    done
}

generate() { scene "$1" -f lavfi -i "$2=size=352x288:rate=25$3"; }
generate bars testsrc2 ',noise=alls=8:allf=t:all_seed=1'
generate fractal mandelbrot ':start_scale=0.4:end_scale=0.1:end_pts=40'
generate dial testsrc ',rotate=t/2,noise=alls=4:allf=t:all_seed=2'
generate near mandelbrot ':start_scale=0.02:end_scale=0.01:end_pts=40,hflip,noise=alls=3:allf=t:all_seed=3'
generate slope nullsrc ',geq=lum=128+60*sin(X/23+T*3)+40*cos(Y/17-T*2):cb=128+20*sin(X/40):cr=128'
check generated "best-100k good2-100k good5-100k good5-500k" bars fractal dial near slope

scenes=()
for clip in ${CLIPS:+"$CLIPS"/*.mkv}; do
    name=$(basename "$clip" .mkv)
    scene "$name" -i "$clip" -vf scale=352:288
    scenes+=("$name")
done
[ ${#scenes[@]} -lt 2 ] || check clips "good2-100k good5-100k" "${scenes[@]}"
exit $failed
