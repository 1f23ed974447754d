#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The first of two passes: whoever does its frames, the statistics are those of
# libvpx. On a driver that runs the kernels on the CPU, and that fails at every
# call in turn, once or for good: libvpx continues after one warning, and nothing
# leaks. No GPU is needed, or used. FAULTS: "CODE-FOR_GOOD ...", each at every call;
# without it the four take turns, two at each call.
# Options are words on purpose.
# shellcheck disable=SC2046,SC2086
. "$(dirname "$0")/lib.sh"

clip in.yuv 64x48 5
clip tiny.yuv 32x16 4
clip long.yuv 256x128 514 # libvpx does 65536 macroblocks, 512 frames

# pass1 NAME CLIP SIZE OPTIONS...: the statistics are in NAME-0.log
pass1() {
    local name=$1 clip=$2 size=$3
    shift 3
    rm -f "$name-0.log"
    ff -nostats -v verbose ${before:-} $(raw $clip $size) -c:v "$@" -threads 1 -b:v 200k -pass 1 -passlogfile $name -f null -
}
stock_pass1() { pass1 stock-$3 $1 $2 libvpx || { show_log; not_ok stock "failed"; exit 1; }; }
stock_pass1 in.yuv 64x48 in
stock_pass1 tiny.yuv 32x16 tiny
stock_pass1 long.yuv 256x128 long

# same NAME CLIP yes|no OPTIONS...: and whether it is done with CUDA
same() {
    local name=$1 clip=$2 cuda=$3 size=64x48 used=no
    shift 3
    [ $clip != long ] || size=256x128
    [ $clip != tiny ] || size=32x16
    pass1 out $clip.yuv $size vp8_cudame "$@" || { show_log; not_ok "$name" "failed"; return; }
    ! grep -q '^\[vp8_cudame @ .*First pass with CUDA$' log || used=yes
    if ! cmp -s out-0.log stock-$clip-0.log; then
        not_ok "$name" "other statistics"
    elif [ $used != $cuda ]; then
        not_ok "$name" "with CUDA: $used"
    else
        ok "$name"
    fi
}

same cpu in no -me_first_pass cpu
same backend-cpu in no -me_backend cpu
same auto-cpu long no -me_backend cpu
same off in no -cuda_me off -me_first_pass cuda
if [ -z "${EMULATED_CUDA:-}" ]; then
    skip cuda "no emulated CUDA driver: this build has no CUDA backend"
    exit $failed
fi

cuda() { on_driver "$EMULATED_CUDA" -1 0 0 "$@"; }
cuda same cuda in yes -me_first_pass cuda
cuda same cuda-off in no -cuda_me off -me_first_pass cuda
cuda same cuda-static in yes -me_first_pass cuda -static-thresh 1000
cuda same auto-short in no
cuda same auto-long long yes
cuda same auto-cuda-long long yes -me_backend cuda
cuda same cpu-long long no -me_first_pass cpu
# the device is in use anyway
before="-init_hw_device cuda=c:0 -filter_hw_device c"
cuda same auto-device in yes -vf hwupload_cuda
before=

[ -s report ] || { not_ok calls "no report"; exit 1; }
cuda same cuda-tiny tiny yes -me_first_pass cuda
read -r calls _ <report
if [ "$calls" -gt 50 ]; then ok calls; else not_ok calls "$calls"; exit 1; fi

# why it is wrong, or nothing
fault() { # STATUS
    if [ "$1" -eq 0 ]; then
        cmp -s out-0.log stock-tiny-0.log || { echo "other statistics"; return; }
        n=$(grep -c 'First pass with CUDA failed: .*: libvpx continues' log)
        [ "$n" -le 1 ] || echo "$n warnings"
    else
        [ "$1" -lt 128 ] || [ "$1" -gt 160 ] || { echo "killed by signal $(($1 - 128))"; return; }
        [ ! -s out-0.log ] || { echo "failed after opening"; return; }
        grep -qE 'No first pass with CUDA: .+-me_first_pass auto or cpu' log || echo "no message that says what to do"
    fi
}
step=1
if [ -z "${FAULTS:-}" ]; then step=2; fi
turn=0
for fault in ${FAULTS:-2-0 2-1 719-0 719-1}; do
    bad=
    noticed=0
    for ((call = turn++ % step; call < calls; call += step)); do
        status=0
        on_driver "$EMULATED_CUDA" $call ${fault%-*} ${fault#*-} pass1 out tiny.yuv 32x16 vp8_cudame -me_first_pass cuda || status=$?
        why=$(fault $status)
        if [ -z "$why" ]; then
            read -r _ leaked <report
            [ "$leaked" = 0 ] || why="$leaked allocations leak"
        fi
        [ -z "$why" ] || bad+=" call $call: $why;"
        ! grep -qE 'First pass with CUDA failed|No first pass with CUDA' log || noticed=$((noticed + 1))
    done
    # none needs be said of those after the last frame
    [ $((noticed * step)) -gt $((calls / 2)) ] || bad+=" only $noticed of $((calls / step)) faults were noticed"
    if [ -z "$bad" ]; then ok "fault-$fault"; else not_ok "fault-$fault" "${bad:1:200}"; fi
done
exit $failed
