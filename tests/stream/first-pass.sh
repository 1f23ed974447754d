#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The first of two passes makes the statistics of libvpx, with CUDA or without. The first pass of a
# lookahead makes the stream of the CPU. Runs on the emulated driver. If its calls fail in turn,
# once or from then on, libvpx continues after at most one warning, and nothing leaks. No GPU is
# needed or used.
# FAULTS: "CODE-FOR_GOOD ...": tries each of these at every call. By default the four faults take
# turns, two at each call.
# Options are split into words on purpose.
# shellcheck disable=SC2046,SC2086
. "$(dirname "$0")/lib.sh"

clip in.yuv 64x48 5
clip tiny.yuv 32x16 4
clip long.yuv 256x128 514 # me_first_pass auto lets libvpx do the first 65536 macroblocks: 512 frames

# pass1 NAME CLIP SIZE OPTIONS...: writes the statistics to NAME-0.log
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

# judged NAME yes|no FILE EXPECTED COMMAND...: the command makes FILE equal to EXPECTED, and its
# first pass runs on CUDA (yes) or not (no)
judged() {
    local name=$1 cuda=$2 made=$3 expected=$4 used=no
    shift 4
    "$@" || { show_log; not_ok "$name" "failed"; return; }
    ! grep -q '^\[vp8_cudame @ .*First pass runs on CUDA$' log || used=yes
    if ! cmp -s $made $expected; then
        not_ok "$name" "$made is not $expected"
    elif [ $used != $cuda ]; then
        not_ok "$name" "with CUDA: $used"
    else
        ok "$name"
    fi
}
# same NAME CLIP yes|no OPTIONS...: the statistics are stock libvpx's
same() {
    local name=$1 clip=$2 cuda=$3 size=64x48
    shift 3
    [ $clip != long ] || size=256x128
    [ $clip != tiny ] || size=32x16
    judged "$name" $cuda out-0.log stock-$clip-0.log pass1 out $clip.yuv $size vp8_cudame "$@"
}

same cpu in no -me_first_pass cpu
same backend-cpu in no -me_backend cpu
same auto-cpu long no -me_backend cpu
same off in no -cuda_me off -me_first_pass cuda
if [ -z "${EMULATED_CUDA:-}" ]; then
    skip cuda "there is no emulated CUDA driver: this build has no CUDA backend"
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
# A filter uses the device already, so auto uses it for the first pass, too.
before="-init_hw_device cuda=c:0 -filter_hw_device c"
cuda same auto-device in yes -vf hwupload_cuda
before=

[ -s report ] || { not_ok calls "no report"; exit 1; }
cuda same cuda-tiny tiny yes -me_first_pass cuda
read -r calls _ <report
if [ "$calls" -gt 50 ]; then ok calls; else not_ok calls "$calls"; exit 1; fi

# fault STATUS: prints what is wrong with a first pass, or nothing
fault() { # STATUS
    if [ "$1" -eq 0 ]; then
        cmp -s out-0.log stock-tiny-0.log || { echo "statistics differ"; return; }
        n=$(grep -c 'First pass on CUDA failed: .*: libvpx continues' log)
        [ "$n" -le 1 ] || echo "$n warnings"
    else
        [ "$1" -lt 128 ] || [ "$1" -gt 160 ] || { echo "killed by signal $(($1 - 128))"; return; }
        [ ! -s out-0.log ] || { echo "failed after opening"; return; }
        grep -qE 'Cannot run the first pass on CUDA: .+-me_first_pass auto or cpu' log || echo "no message that says what to do"
    fi
}
# each_fault NAME CALLS STEP LEAST COMMAND...: runs the command with a fault at every STEP-th of
# CALLS calls in turn, and tests each result by fault(). At least one in LEAST faults must be
# noticed in the log.
each_fault() {
    local name=$1 calls=$2 step=$3 least=$4 turn=0 fault call status bad noticed why leaked
    shift 4
    if [ -n "${FAULTS:-}" ]; then step=1; fi
    for fault in ${FAULTS:-2-0 2-1 719-0 719-1}; do
        bad=
        noticed=0
        for ((call = turn++ % step; call < calls; call += step)); do
            status=0
            on_driver "$EMULATED_CUDA" $call ${fault%-*} ${fault#*-} "$@" || status=$?
            why=$(fault $status)
            if [ -z "$why" ]; then
                read -r _ leaked <report
                [ "$leaked" = 0 ] || why="$leaked allocations leak"
            fi
            [ -z "$why" ] || bad+=" call $call: $why;"
            ! grep -qE 'First pass on CUDA failed|Cannot run the first pass on CUDA' log || noticed=$((noticed + 1))
        done
        [ $((noticed * step)) -gt $((calls / least)) ] || bad+=" only $noticed of $((calls / step)) faults were noticed"
        if [ -z "$bad" ]; then ok "$name-$fault"; else not_ok "$name-$fault" "${bad:1:200}"; fi
    done
}
# Faults after the last frame need no warning.
each_fault fault $calls 2 2 pass1 out tiny.yuv 32x16 vp8_cudame -me_first_pass cuda

# ahead NAME OPTIONS...: encodes in one pass with a lookahead
ahead() {
    local name=$1
    shift
    rm -f $name.ivf
    ff -nostats -v verbose $(raw in.yuv 64x48) -c:v vp8_cudame -cuda_me fast -b:v 200k -lag-in-frames 4 "$@" -f ivf $name.ivf
}
ahead cpu -me_backend cpu || { show_log; not_ok ahead "failed"; exit 1; }
# ahead_same NAME yes|no OPTIONS...: the stream is that of the CPU
ahead_same() {
    local name=$1 cuda=$2
    shift 2
    judged "$name" $cuda out.ivf cpu.ivf ahead out "$@"
}
cuda ahead_same ahead-late no
cuda ahead_same ahead-auto yes -me_cuda_after 0
cuda ahead_same ahead-cpu no -me_backend cuda -me_first_pass cpu
cuda ahead_same ahead-threads yes -me_backend cuda -threads 2
# The first pass runs on a device if the search does, or if me_first_pass asks for it.
cuda ahead_same ahead-asked yes -me_first_pass cuda
cuda ahead_same ahead-cuda yes -me_backend cuda
read -r calls _ <report
# With a lookahead, faults of the search are possible as well.
fault() { # STATUS
    local n
    [ "$1" -eq 0 ] || { echo "status $1"; return; }
    cmp -s out.ivf cpu.ivf || { echo "the stream differs"; return; }
    n=$(grep -c 'First pass on CUDA failed: .*: libvpx continues' log)
    [ "$n" -le 1 ] || echo "$n warnings"
}
each_fault ahead $calls 29 30 ahead out -me_cuda_after 0
exit $failed
