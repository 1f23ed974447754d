#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The CUDA and the CPU backend make the same bytes: with every cuda_me at best, good and realtime,
# with one and eight threads, at sizes that are no multiples of 16, and with work divided into other
# bands. Needs a device.
# Options are split into words on purpose.
# shellcheck disable=SC2015,SC2046,SC2086
. "$(dirname "$0")/../stream/lib.sh"

clip large.yuv 1918x1078 4
top=$PWD

# compare NAME INPUT OPTIONS_OF_CUDA OPTIONS...: tests one setting; several run at once
compare() (
    name=$1
    in=$2
    more=$3
    shift 3
    mkdir -p "$top/$name"
    cd "$top/$name" || exit 1
    for backend in cpu "cuda $more"; do
        ff $in -c:v vp8_cudame -me_backend $backend -me_stats stats.csv "$@" -f ivf "${backend%% *}.ivf" ||
            { show_log; not_ok "$name" "failed with $backend"; exit; }
        # The backend searched all frames but the key frame.
        [ "$(awk -F, -v b="${backend%% *}" '$2 == b && !$4 && $5' stats.csv | wc -l)" -ge 2 ] && ! grep -q ',none,' stats.csv ||
            { not_ok "$name" "not searched by $backend"; exit; }
    done
    if cmp -s cpu.ivf cuda.ivf; then ok "$name"; else not_ok "$name" "CUDA and CPU differ"; fi
    rm -rf "${top:?}/$name"
)
jobs=$(nproc)
start() {
    while [ "$(jobs -rp | wc -l)" -ge "$jobs" ]; do wait -n; done
    compare "$@" &
}

for size in 1918x1078 1366x768 17x33; do
    n=4
    if [ $size = 17x33 ]; then n=20; fi
    in="$(raw "$top/large.yuv" $size) -frames:v $n"
    for mode in fast splitmv tex full; do
        for s in best good0 rt8; do
            for threads in 1 8; do
                start $mode-$s-t$threads-$size "$in" "" -cuda_me $mode $(speed $s) -threads $threads -b:v 2M
            done
        done
    done
done
in="$(raw "$top/large.yuv" 1366x768) -frames:v 3"
for rows in 1 2 7 1024; do
    for mode in fast full; do
        start bands-$rows-$mode "$in" "-me_band_rows $rows" -cuda_me $mode -b:v 2M -threads 1
    done
done
wait
exit 0 # the result lines tell failures
