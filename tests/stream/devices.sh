#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Devices that cannot be used: another process has them exclusively, or they have too little memory.
# With me_backend auto there is one warning, and the stream is that of the CPU, whether CUDA starts
# at once or later. With cuda there is an error. Runs on the emulated driver, which runs one thread
# block after the other, like a device with one multiprocessor. No GPU is needed or used.
# Options are split into words on purpose.
# shellcheck disable=SC2046,SC2086
. "$(dirname "$0")/lib.sh"

if [ -z "${EMULATED_CUDA:-}" ]; then
    skip devices "there is no emulated CUDA driver: this build has no CUDA backend"
    exit 0
fi

clip in.yuv 96x80 40
in=$(raw in.yuv 96x80)
encode() { # NAME OPTIONS...
    local name=$1
    shift
    rm -f $name.ivf
    ff $pace $in -c:v vp8_cudame -b:v 200k -threads 2 $options "$@" -me_stats $name.csv -f ivf $name.ivf
}
pace=
options=$(speed rt8)
warnings() { grep -c '^\[vp8_cudame @' log; }
on_cuda() { awk -F, '$2 == "cuda" { n++ } END { print n + 0 }' $1.csv; }
leaks() { read -r _ leaked <report; [ "$leaked" = 0 ] || echo " $leaked allocations leak;"; }

# auto NAME PATTERN OPTIONS...: the CPU's stream, and one warning that matches
auto() {
    local name=$1 pattern=$2 wrong=''
    shift 2
    encode cpu -me_backend cpu "$@" || { show_log; not_ok "$name" "failed on the CPU"; return; }
    on_driver "$EMULATED_CUDA" -1 0 0 encode auto -me_backend auto $after "$@" -v warning ||
        { show_log; not_ok "$name" "failed"; return; }
    cmp -s cpu.ivf auto.ivf || wrong+=" the stream differs;"
    [ "$(warnings)" = 1 ] || wrong+=" $(warnings) warnings;"
    grep -qE -- "$pattern" log || wrong+=" no warning like '$pattern';"
    wrong+=$(leaks)
    if [ -z "$wrong" ]; then ok "$name"; else show_log; not_ok "$name" "${wrong:1}"; fi
}
# cuda NAME PATTERN OPTIONS...: an error that matches, before anything is written
cuda() {
    local name=$1 pattern=$2 wrong='' status=0
    shift 2
    on_driver "$EMULATED_CUDA" -1 0 0 encode cuda -me_backend cuda "$@" -v warning || status=$?
    case $status in 0 | 1[2345]?) wrong+=" status $status;" ;; esac
    [ ! -s cuda.ivf ] || wrong+=" the output is not empty;"
    grep -qE -- "$pattern" log || wrong+=" no error like '$pattern';"
    wrong+=$(leaks)
    if [ -z "$wrong" ]; then ok "$name"; else show_log; not_ok "$name" "${wrong:1}"; fi
}

taken='CUDA device 0 admits no other process: its compute mode is exclusive or prohibited'
memory='cuMem[A-Za-z]*: .* \(.*\)'
for when in at-once later; do
    if [ $when = at-once ]; then
        pace='' after="-me_cuda_after 0"
        first="Cannot run motion estimation on CUDA \((%s)\): running it on the CPU"
    else
        # -readrate: also on a slow machine CUDA starts before the clip ends
        pace="-readrate 10" after="-me_cuda_after 1"
        first="CUDA motion estimation failed: %s: the CPU backend continues"
    fi
    # shellcheck disable=SC2059
    says() { printf "$first" "$1"; }
    export FAKE_CUDA_TAKEN="0 46"
    auto taken-$when "$(says "$taken")"
    # No warning if only the other device is taken.
    export FAKE_CUDA_TAKEN="1 46"
    on_driver "$EMULATED_CUDA" -1 0 0 encode auto -me_backend auto $after -v warning || show_log
    if [ "$(on_cuda auto)" -ge 2 ] && [ "$(warnings)" = 0 ]; then ok other-taken-$when; else not_ok other-taken-$when "on CUDA: $(on_cuda auto) frames"; fi
    # No memory for a context.
    export FAKE_CUDA_TAKEN="0 2"
    auto no-context-$when "$(says 'cuDevicePrimaryCtxRetain: .* \(.*\)')"
    unset FAKE_CUDA_TAKEN
    # Memory for a context, but not for the search.
    for bytes in 0 5000 50000; do
        export FAKE_CUDA_MEMORY=$bytes
        auto memory-$bytes-$when "$(says "$memory")"
    done
    unset FAKE_CUDA_MEMORY
done
pace=
export FAKE_CUDA_TAKEN="0 46"
cuda taken "Cannot run motion estimation on CUDA: $taken\. Check the driver and the option gpu, or use -me_backend auto or cpu"
export FAKE_CUDA_TAKEN="0 2"
cuda no-context 'Cannot run motion estimation on CUDA: cuDevicePrimaryCtxRetain: .* Free memory of the device, or select another one with the option gpu, or use'
unset FAKE_CUDA_TAKEN
export FAKE_CUDA_MEMORY=5000
cuda memory "Cannot run motion estimation on CUDA: $memory\. Free memory of the device"

# The least memory with which a stream runs on CUDA. With half of it the search begins and then
# falls back, and the stream does not end.
after="-me_cuda_after 0"
bytes=65536
until FAKE_CUDA_MEMORY=$bytes on_driver "$EMULATED_CUDA" -1 0 0 encode cuda -me_backend cuda -v warning && [ "$(warnings)" = 0 ]; do
    bytes=$((bytes * 5 / 4))
    [ $bytes -lt 10000000 ] || { show_log; not_ok small "10 MB are too little"; exit 1; }
done
encode cpu -me_backend cpu
if cmp -s cpu.ivf cuda.ivf && [ "$(on_cuda cuda)" -ge 39 ]; then
    ok small
    echo "# 96x80 at realtime take at most $bytes bytes"
else
    not_ok small "the stream differs, or CUDA was not used, with $bytes bytes"
fi
export FAKE_CUDA_MEMORY=$((bytes / 2))
auto half "CUDA motion estimation failed: $memory: the CPU backend continues"
{ read -r _ && read -r launches _; } <report
if [ "$launches" -gt 0 ]; then ok half-begins; else not_ok half-begins "nothing was launched on the device"; fi
exit $failed
