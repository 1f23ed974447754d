#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# At a realtime deadline the stream is the same whether CUDA codes whole frames, CUDA only searches,
# the scalar reference codes them, or libvpx codes them on the CPU. If a call of the driver fails,
# libvpx codes on after one warning, and nothing leaks. Runs on the emulated driver. No GPU is
# needed or used.
# Options are split into words on purpose.
# shellcheck disable=SC2015,SC2046,SC2086
. "$(dirname "$0")/lib.sh"

# still NAME SOURCE FRAMES: makes a raw clip of the first picture of ffmpeg's SOURCE, 96x80
still() {
    ff -f lavfi -i "$2=size=96x80:rate=25" -vf "select=eq(n\,0),loop=$(($3 - 1)):1" -pix_fmt yuv420p -frames:v "$3" -f rawvideo "$1" ||
        { show_log; exit 1; }
}
clip in.yuv 96x80 8
clip odd.yuv 33x17 10
clip wide.yuv 208x32 5 # 13 columns, so that rows are in several threads
zoom zoom.yuv 96x80 8
# A picture, another one, and the first one again, each for as long as it takes to be remembered
still one.yuv testsrc2 20
still other.yuv mandelbrot 20
cat one.yuv other.yuv one.yuv >returns.yuv
# Planes of 64 KB are registered with the driver after four copies, and then copied in place.
zoom large.yuv 640x480 10
zoom flat.yuv 4096x16 12 # not the chroma of its source
still still.yuv testsrc2 8

encode() { # NAME INPUT OPTIONS...: makes NAME.ivf and NAME.csv
    local name=$1 in=$2 size=96x80
    shift 2
    [ $in != odd ] || size=33x17
    [ $in != wide ] || size=208x32
    [ $in != large ] || size=640x480
    [ $in != flat ] || size=4096x16
    rm -f $name.ivf $name.csv
    eight_cores ff -v warning $(raw $in.yuv $size) -c:v vp8_cudame -b:v 200k "$@" -me_stats $name.csv -f ivf $name.ivf
}
on_cuda() { on_driver "$EMULATED_CUDA" -1 0 0 "$@"; }

# coded NAME whole|rows [inter|key]: prints the number of these frames that were coded whole, or not
coded() {
    awk -F, -v whole=$2 -v key=${3:-} 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next }
        (key == "" || $c["key"] == (key == "key")) && $c["whole"] == (whole == "whole") { n++ } END { print n + 0 }' $1.csv
}
backends() { awk -F, 'NR > 1 && !$4 { print $2 }' $1.csv | sort -u | tr '\n' ' '; }

# check NAME EXPECTED WHOLE BACKEND: prints what is wrong with the encode NAME, or nothing.
# WHOLE: yes: all frames were coded as whole frames; inter, key: those alone were; no: none was
check() {
    local kind whole rows
    cmp -s $1.ivf $2.ivf || echo " $1: the stream differs;"
    for kind in inter key; do
        whole=$(coded $1 whole $kind)
        rows=$(coded $1 rows $kind)
        if [ $3 = yes ] || [ $3 = $kind ]; then
            [ "$whole" -ge 1 ] && [ "$rows" = 0 ] || echo " $1: of $kind frames $whole are whole, $rows not;"
        else
            [ "$rows" -ge 1 ] && [ "$whole" = 0 ] || echo " $1: of $kind frames $whole are whole, $rows not;"
        fi
    done
    [ "$(backends $1)" = "$4 " ] || echo " $1: on $(backends $1);"
    ! grep -qE 'failed|Cannot' log || echo " $1: a warning;"
}

# same NAME INPUT OPTIONS...: all ways make the same stream
same() {
    local name=$1 wrong=
    shift
    encode cpu "$@" -me_backend cpu || { show_log; not_ok "$name" "cpu failed"; return; }
    wrong+=$(check cpu cpu no cpu)
    encode scalar "$@" -me_backend cpu -me_offload frame && wrong+=$(check scalar cpu yes cpu) || { show_log; wrong+=" scalar failed;"; }
    if [ -n "${EMULATED_CUDA:-}" ]; then
        on_cuda encode frame "$@" -me_backend cuda -me_offload frame && wrong+=$(check frame cpu yes cuda) || { show_log; wrong+=" frame failed;"; }
        on_cuda encode frame4 "$@" -me_backend cuda -me_offload frame -threads 4 && wrong+=$(check frame4 cpu yes cuda) || { show_log; wrong+=" frame with 4 threads failed;"; }
        on_cuda encode search "$@" -me_backend cuda -me_offload search && wrong+=$(check search cpu no cuda) || { show_log; wrong+=" search failed;"; }
    fi
    if [ -z "$wrong" ]; then ok "$name"; else not_ok "$name" "${wrong:1:300}"; fi
}

cbr="-b:v 100k -minrate 100k -maxrate 100k -bufsize 50k"
same rt4 in $(speed rt4)
same rt8 in $(speed rt8)
same rt8-zoom zoom $(speed rt8)
same rt8-key zoom $(speed rt8) -g 2 -b:v 1M
same rt4-key-coarse in $(speed rt4) -g 3 -b:v 20k
same rt16-key-odd odd $(speed rt16) -g 2
same rt6-static in $(speed rt6) -static-thresh 1
same rt6-still still $(speed rt6) -static-thresh 1
same rt8-still-fine still $(speed rt8) -b:v 4M -qmin 4 -qmax 4
same rt8-sharpness in $(speed rt8) -sharpness 3
same rt16-cbr in $(speed rt16) $cbr
same rt16-cbr-zoom zoom $(speed rt16) $cbr
same rt12-high zoom $(speed rt12) -b:v 4M
same odd-rt8 odd $(speed rt8)
same odd-rt6 odd $(speed rt6) -static-thresh 1
same odd-rt16 odd $(speed rt16) $cbr
same wide-rt8 wide $(speed rt8) -slices 4
same full-rt6 in $(speed rt6) -cuda_me full -me_search lean
same returns returns $(speed rt8) $cbr
same denoiser in $(speed rt8) -noise-sensitivity 2
same denoiser-zoom zoom $(speed rt6) $cbr -noise-sensitivity 4 -static-thresh 1
same denoiser-odd odd $(speed rt6) -noise-sensitivity 1
same denoiser-returns returns $(speed rt6) $cbr -noise-sensitivity 3

if [ -z "${EMULATED_CUDA:-}" ]; then
    skip cuda "there is no emulated CUDA driver: this build has no CUDA backend"
    exit $failed
fi

# auto NAME WHOLE OPTIONS...: me_offload auto takes whole frames while CUDA is in use
auto() {
    local name=$1 whole=$2 backend=$3 wrong
    shift 3
    encode cpu in $(speed rt8) -me_backend cpu && on_cuda encode auto in $(speed rt8) "$@" || { show_log; not_ok "$name" "failed"; return; }
    wrong=$(check auto cpu $whole $backend)
    if [ -z "$wrong" ]; then ok "$name"; else not_ok "$name" "$wrong"; fi
}
auto auto-cuda yes cuda -me_backend cuda
auto auto-at-once yes cuda -me_backend auto -me_cuda_after 0
auto auto-cpu no cpu -me_backend cpu
auto auto-search no cuda -me_backend cuda -me_offload search

# Frames that are no whole frames: the stream is that of the search.
not_whole() { # NAME OPTIONS...
    local name=$1 wrong
    shift
    encode cpu in "$@" -me_backend cpu && on_cuda encode frame in "$@" -me_backend cuda -me_offload frame || { show_log; not_ok "$name" "failed"; return; }
    wrong=$(check frame cpu no cuda)
    if [ -z "$wrong" ]; then ok "$name"; else not_ok "$name" "$wrong"; fi
}
not_whole good $(speed good5) -guide aggressive
not_whole rt2 $(speed rt2)
not_whole profile-1 $(speed rt8) -profile:v 1
not_whole guide-safe $(speed rt8) -guide safe
not_whole fast $(speed rt8) -cuda_me fast # has no guide
not_whole diamond $(speed rt6) -me_search diamond # CUDA codes whole frames with the lean search

# Planes that are copied in place, and faults of the device in the second half of the frames.
in_place="$(speed rt8) -b:v 1M"
for in in large flat; do
    encode cpu $in $in_place -me_backend cpu && on_cuda encode frame $in $in_place -me_backend cuda -me_offload frame || { show_log; not_ok in-place-$in "failed"; continue; }
    wrong=$(check frame cpu yes cuda)
    if [ -z "$wrong" ]; then ok in-place-$in; else not_ok in-place-$in "$wrong"; fi
done
read -r calls _ <report
bad=
noticed=0
faults=0
for ((call = calls * 2 / 5; call < calls * 13 / 20; call += calls / 40)); do
    # The device fails for good, or for one call, or lacks memory in one call.
    fault=$((faults++ % 3))
    [ $fault = 2 ] && code="2 0" || code="719 $fault"
    on_driver "$EMULATED_CUDA" $call $code encode whole flat $in_place -me_backend auto -me_cuda_after 0 -me_offload frame ||
        { bad+=" call $call: failed;"; continue; }
    cmp -s cpu.ivf whole.ivf || bad+=" call $call: the stream differs;"
    read -r _ leaked <report
    [ "$leaked" = 0 ] || bad+=" call $call: $leaked allocations leak;"
    noticed=$((noticed + $(grep -c "^\[vp8_cudame @" log)))
done
[ $noticed -ge 5 ] || bad+=" only $noticed faults were noticed;"
if [ -z "$bad" ]; then ok fault-in-place; else not_ok fault-in-place "${bad:1:300}"; fi

# Faults. Only calls between the opening and the closing of the encoder.
tiny="-frames:v 5 $(speed rt8)"
for way in auto frame; do
    # The denoiser has memory and pictures of its own.
    [ $way = auto ] || tiny+=" -noise-sensitivity 2"
    encode cpu odd $tiny -me_backend cpu && on_cuda encode whole odd $tiny -me_backend auto -me_cuda_after 0 -me_offload $way ||
        { show_log; not_ok fault-$way "failed"; continue; }
    read -r calls _ <report
    [ "$calls" -gt 100 ] && [ "$(coded whole rows inter)" = 0 ] || { not_ok fault-$way "$calls calls, $(coded whole rows inter) frames were not coded whole"; continue; }
    turn=0
    for fault in 2-0 2-1 719-0 719-1; do
        bad=
        noticed=0
        runs=0
        mixed=0 # number of streams of which some frames were coded whole
        # Without memory CUDA first fails to code whole frames, and then to search.
        most=1
        [ $fault != 2-1 ] || most=2
        for ((call = 1 + turn++; call < calls * 2 / 3; call += 12)); do
            runs=$((runs + 1))
            on_driver "$EMULATED_CUDA" $call ${fault%-*} ${fault#*-} encode whole odd $tiny -me_backend auto -me_cuda_after 0 -me_offload $way -threads $((1 + call % 2 * 3)) ||
                { bad+=" call $call: failed;"; continue; }
            cmp -s cpu.ivf whole.ivf || bad+=" call $call: the stream differs;"
            n=$(grep -c "^\[vp8_cudame @" log)
            [ "$n" -le $most ] || bad+=" call $call: $n warnings;"
            [ "$n" = 0 ] || grep -qE 'CUDA motion estimation failed|Cannot (run motion estimation|code whole frames|search the loop-filter level) on CUDA' log ||
                bad+=" call $call: unexpected warning;"
            noticed=$((noticed + n))
            if [ "$(coded whole rows)" -gt 0 ] && [ "$(coded whole whole)" -gt 0 ]; then mixed=$((mixed + 1)); fi
            read -r _ leaked <report
            [ "$leaked" = 0 ] || bad+=" call $call: $leaked allocations leak;"
        done
        # If one early allocation fails, the first frame makes it.
        percent=53
        [ $fault != 2-0 ] || percent=35
        [ $((noticed * 100)) -gt $((runs * percent)) ] || bad+=" only $noticed of $runs faults were noticed;"
        [ $mixed -ge 3 ] || bad+=" CUDA failed within only $mixed streams;"
        if [ -z "$bad" ]; then ok "fault-$way-$fault"; else not_ok "fault-$way-$fault" "${bad:1:300}"; fi
    done
done
exit $failed
