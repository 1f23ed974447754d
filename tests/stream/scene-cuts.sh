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
: "${FFMPEG_STOCK:?an ffmpeg with the stock libvpx}"
length=12

# scene NAME OPTIONS...: writes the first frames of an input to NAME.yuv
scene() {
    local name=$1
    shift
    ff "$@" -frames:v $length -pix_fmt yuv420p -f rawvideo "$name.yuv" || { show_log; exit 1; }
}

# key_frames FILE: prints the numbers of the key frames
key_frames() {
    "$FFPROBE" -v error -show_entries packet=flags -of csv=p=0 "$1" |
        awk '/K/ { printf "%s%d", n++ ? " " : "", NR - 1 }'
}

# keys OPTIONS...: prints the numbers of the key frames of our encoder
keys() {
    ff $(raw joined.yuv 352x288) -c:v vp8_cudame -me_backend $ME_BACKEND "$@" -g 9999 -f ivf out.ivf || { show_log; return 1; }
    key_frames out.ivf
}

# stock_keys OPTIONS...: prints the numbers of the key frames of stock libvpx in two passes
stock_keys() {
    local pass
    for pass in 1 2; do
        stock $(raw joined.yuv 352x288) -c:v libvpx "$@" -g 9999 -pass $pass -passlogfile stock -f ivf stock.ivf ||
            { show_log; return 1; }
    done
    key_frames stock.ivf
}

# check NAME SETTINGS SCENE...: the first frame of each scene is a key frame, and no other frame is.
# Good 2 has a lookahead, and the test of libvpx's second pass finds its cuts: there a cut that stock
# libvpx does not find in two passes (from one page of text to another) is none.
check() {
    local name=$1 settings=$2 n at guide starts='' expected got
    shift 2
    cat "${@/%/.yuv}" >joined.yuv
    for ((n = 0; n < $#; n++)); do starts+="${starts:+ }$((n * length))"; done
    for at in $settings; do
        expected=$starts
        if [ ${at%-*} = good2 ]; then
            expected=$(stock_keys $(speed good2) -b:v ${at#*-}) || { not_ok "$name-$at-stock"; continue; }
        fi
        # Stock must find nearly all cuts, and nothing else, or the comparison says nothing.
        n=0
        for got in $expected; do [[ " $starts " == *" $got "* ]] || n=$#; n=$((n + 1)); done
        if [ $n -gt $# ] || [ $((n + 1)) -lt $# ]; then
            not_ok "$name-$at-stock" "stock libvpx has key frames $expected"
            continue
        fi
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
