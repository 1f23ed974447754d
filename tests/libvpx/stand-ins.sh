#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Usage: FFMPEG=... tests/libvpx/stand-ins.sh LIBVPX_SOURCE FOLDER [all]
# Writes stand-ins for libvpx's test data, which can only be fetched from the network: files with
# the same names, picture sizes and lengths. "all" includes the large ones.
set -euo pipefail

vectors=$(grep -o 'vp80-[^"]*\.ivf' "$1/test/test_vectors.cc")
mkdir -p "$2"
cd "$2"
ff() { "$FFMPEG" -hide_banner -nostdin -v error -y "$@"; }
raw() { ff -f lavfi -i "$1" -frames:v "$2" -pix_fmt yuv420p -f rawvideo "$3"; }

# Upstream's clip has a scene cut at every 30th frame, and its tests look for the key frame of the
# second scene. Other tests check bitrates. A rate control that met libvpx's targets exactly would
# fail them: filling the buffer from 0.5 s to 5 s takes 36 % of the bits of 140 frames, and the
# tests allow 29 %. So the clip needs cuts that take more bits than their targets: from the third
# scene on, one at every 15th frame. And it needs scenes that zoom in quickly: libvpx lowers the
# quantizer slowly after a cut if the frames that follow take few bits, the fewer the better they
# are coded. The first scene has little grain, for the tests of constant quality.
collage() {
    # Each scene of the Mandelbrot set: x, y, scale at the first and at the 150th frame (at the 200th of the first two scenes)
    local places=('-0.74364388 -0.1318259 0.3 0.2' '-1.25066 0.02012 0.1 0.07'
        '-0.748 0.1 0.05 0.04' '-0.170337 -1.06506 0.2 0.12' '0.42884 -0.231345 0.1 0.08'
        '-1.62917 -0.0203968 0.3 0.15' '-0.761574 -0.0847596 0.05 0.03'
        '-0.5503432753 0.6259308507 0.1 0.06' '0.3245046418 0.0485510113 0.05 0.035'
        '-0.235125 0.827215 0.1 0.08')
    local inputs=() graph='' scenes='' n=0 frames=0 length x y from to source
    while [ $frames -lt 300 ]; do
        read -r x y from to <<<"${places[n % ${#places[@]}]}"
        length=$((n < 2 ? 30 : 15))
        source="mandelbrot=size=352x288:rate=30:start_x=$x:start_y=$y:start_scale=$from"
        inputs+=(-f lavfi -i "$source:end_scale=$to:end_pts=$((n < 2 ? 200 : 150)):maxiter=512")
        graph+="[$n]trim=end_frame=$length$([ $n -lt ${#places[@]} ] || echo ,hflip),"
        graph+="noise=alls=$((n ? 3 : 2)):allf=t:all_seed=$n,format=yuv420p,setsar=1[v$n];"
        scenes+="[v$n]"
        n=$((n + 1))
        frames=$((frames + length))
    done
    ff "${inputs[@]}" -filter_complex "$graph${scenes}concat=n=$n" -frames:v 300 -f rawvideo "$1"
}
collage hantro_collage_w352h288.yuv
ff -f rawvideo -video_size 352x288 -i hantro_collage_w352h288.yuv -frames:v 100 -pix_fmt nv12 \
    -f rawvideo hantro_collage_w352h288_nv12.yuv

# Most tests read 30 frames of this clip; those of realtime rate control read all.
desktop_frames=30
if [ "${3:-}" = all ]; then
    desktop_frames=300
    raw 'mandelbrot=size=640x480:rate=30:start_scale=0.4:end_scale=0.1:end_pts=400,noise=alls=4:allf=t:all_seed=3' \
        470 niklas_640_480_30.yuv
fi
raw 'testsrc2=size=1280x720:rate=30,noise=alls=3:allf=t:all_seed=1' $desktop_frames \
    desktop_office1.1280_720-020.yuv

# Files that upstream's fuzzers found: only their odd size matters. testsrc2 makes even sizes only.
odd() { echo "testsrc2=size=$1x$2:rate=30,format=yuv420p,scale=$1:$2,noise=alls=60:allf=t:all_seed=2"; }
ff -f lavfi -i "$(odd 4097 16)" -frames:v 3 -f yuv4mpegpipe repro-oss-fuzz-69906.y4m
raw "$(odd 253 252)" 8 repro-oss-fuzz-471723682.yuv

# Test vectors: our streams, each with other settings, and the MD5 sums of FFmpeg's own VP8 decoder.
encodes=()
decodes=()
n=0
for vector in $vectors; do
    options=(-cpu-used $((n % 6)) -b:v $((100 + 20 * (n % 7)))k -auto-alt-ref $((n % 2))
        -error-resilient $((n % 5 == 0)))
    case $vector in
        *-comprehensive-*) options+=(-profile:v $((n % 4)) -slices $((1 << n % 3)))
                           if [ $((n % 6)) -eq 5 ]; then options+=(-s 175x143); fi ;;
        *-intra-*)         options+=(-g 1) ;;
        *-segmentation-*)  options+=(-vf "addroi=x=$((n % 80)):y=32:w=64:h=64:qoffset=-0.$((2 + n % 6))") ;;
        *-partitions-*)    options+=(-slices $((2 << n % 3))) ;;
        *-sharpness-*)     options+=(-sharpness $((n % 7 + 1))) ;;
        *-smallsize*)      options+=(-s 16x16) ;;
    esac
    encodes+=(-map 0:v -frames:v 30 -c:v vp8_cudame -me_backend cpu -lag-in-frames 10
        "${options[@]}" -threads 1 -f ivf "$vector")
    decodes+=(-map "$n:v" -fps_mode passthrough -f framemd5 "$vector.framemd5")
    n=$((n + 1))
done
ff -f lavfi -i 'testsrc2=size=176x144:rate=30,noise=alls=8:allf=t:all_seed=5' "${encodes[@]}"
# shellcheck disable=SC2086,SC2046
ff $(printf -- '-c:v vp8 -i %s ' $vectors) "${decodes[@]}"
for vector in $vectors; do
    awk -F', *' '!/^#/ { print $6 "  " NR }' "$vector.framemd5" >"$vector.md5"
    rm "$vector.framemd5"
done
