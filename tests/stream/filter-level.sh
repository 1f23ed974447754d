#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The stream is the same whether the GPU or libvpx tries loop-filter levels. Runs on the emulated
# driver. If a call of it fails, there is at most one warning, and nothing leaks. No GPU is needed
# or used.
# Options are split into words on purpose.
# shellcheck disable=SC2046,SC2086
. "$(dirname "$0")/lib.sh"

if [ -z "${EMULATED_CUDA:-}" ]; then
    skip cuda "there is no emulated CUDA driver: this build has no CUDA backend"
    exit 0
fi

clip in.yuv 272x250 3
clip wide.yuv 640x480 2

encode() { # BACKEND CLIP SIZE OPTIONS...: makes BACKEND.ivf
    local backend=$1 clip=$2 size=$3
    shift 3
    rm -f $backend.ivf
    eight_cores ff $(raw $clip $size) -c:v vp8_cudame -me_backend $backend $(at_once $backend) -me_first_pass cpu -me_search diamond -b:v 400k "$@" \
        -me_stats $backend.csv -f ivf $backend.ivf
}
# the number of frames whose levels the GPU tried
tried() {
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "filter_us") k = i }
             NR > 1 && $k > 0 { n++ } END { print n + 0 }' cuda.csv
}

same() { # NAME FRAMES CLIP SIZE OPTIONS...: the same stream, FRAMES of whose frames the GPU filtered
    local name=$1 frames=$2
    shift 2
    encode cpu "$@" && on_driver "$EMULATED_CUDA" -1 0 0 encode cuda "$@" || { show_log; not_ok "$name" "failed"; return; }
    if ! cmp -s cpu.ivf cuda.ivf; then
        not_ok "$name" "the stream differs"
    elif [ "$(tried)" != $frames ]; then
        not_ok "$name" "$(tried) frames by the GPU"
    else
        ok "$name"
    fi
}
same best 3 in.yuv 272x250 -deadline best
same off 2 in.yuv 272x250 -deadline best -guide off
same threads 3 in.yuv 272x250 -deadline best -threads 4
same sharpness 3 in.yuv 272x250 -deadline good -cpu-used 2 -sharpness 5
same profile-1 0 in.yuv 272x250 -deadline best -profile:v 1
same denoiser 0 in.yuv 272x250 -deadline best -noise-sensitivity 2
same error-resilient 3 in.yuv 272x250 -deadline best -error-resilient default+partitions
same partitions 3 in.yuv 272x250 -deadline best -slices 4
same sample 2 wide.yuv 640x480 -deadline best -guide aggressive
same sample-threads 2 wide.yuv 640x480 -deadline best -guide aggressive -threads 3

encode cpu in.yuv 272x250 -deadline best
on_driver "$EMULATED_CUDA" -1 0 0 encode cuda in.yuv 272x250 -deadline best
read -r calls _ <report
if [ "$calls" -gt 100 ]; then ok calls; else not_ok calls "$calls"; exit 1; fi
# Only calls between the opening and the closing of the encoder.
for fault in 2-0 719-1; do
    bad=
    noticed=0
    for ((call = calls / 3; call < calls - 30; call += 11)); do
        on_driver "$EMULATED_CUDA" $call ${fault%-*} ${fault#*-} encode auto in.yuv 272x250 -deadline best || { bad+=" call $call: failed;"; continue; }
        cmp -s cpu.ivf auto.ivf || bad+=" call $call: the stream differs;"
        n=$(grep -cE "CUDA motion estimation failed|Cannot search the loop-filter level|Cannot run motion estimation on CUDA" log)
        [ "$n" -le 1 ] || bad+=" call $call: $n warnings;"
        noticed=$((noticed + n))
        read -r _ leaked <report
        [ "$leaked" = 0 ] || bad+=" call $call: $leaked allocations leak;"
    done
    [ $noticed -gt 5 ] || bad+=" only $noticed faults were noticed"
    if [ -z "$bad" ]; then ok "fault-$fault"; else not_ok "fault-$fault" "${bad:1:200}"; fi
done
exit $failed
