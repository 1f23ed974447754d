#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Whole encodes on the fake driver, which fails at each of its calls in turn, once or from then on,
# with "out of memory" (2) or "launch failure" (719). With me_backend auto the stream is that of the
# CPU, and there is exactly one warning. With cuda the encoder does not open and says why, or libvpx
# continues. Nothing leaks. No GPU is needed or used. first-pass.sh does the same for the first
# pass.
# FAULTS: "CODE-FOR_GOOD ...": tries each of these at every call. By default the four faults take
# turns, one at each call.
# Options are split into words on purpose.
# shellcheck disable=SC2046,SC2086
. "$(dirname "$0")/lib.sh"

[ -n "${FAKE_CUDA:-}" ] || { echo "there is no fake CUDA driver: this build has no CUDA backend"; exit 77; }

clip in.yuv 64x48 3
encode() { # BACKEND THREADS OUTPUT
    ff -v warning $(raw in.yuv 64x48) -c:v vp8_cudame -cuda_me fast -me_first_pass cpu -me_backend $1 $(at_once $1) -threads $2 -b:v 200k -f ivf "$3"
}
# encode on the fake driver, which fails at CALL with CODE; FOR_GOOD: 1 also at later calls, 0 once
faulty() { # CALL CODE FOR_GOOD BACKEND THREADS OUTPUT
    rm -f "$6"
    on_driver "$FAKE_CUDA" "$1" "$2" "$3" encode "$4" "$5" "$6"
}
warnings() { grep -c "^\[vp8_cudame @" log; }

# Without a fault. The fake driver's searches have no result, so that libvpx searches.
for threads in 1 2; do
    encode cpu $threads cpu$threads.ivf || { show_log; not_ok cpu "failed"; exit 1; }
    faulty -1 0 0 cuda $threads libvpx$threads.ivf || { show_log; not_ok cuda "failed"; exit 1; }
done
read -r calls _ <report
if [ "$calls" -gt 100 ]; then ok "calls"; else not_ok "calls" "only $calls calls: this is not the fake driver"; exit 1; fi

# auto STATUS THREADS, cuda STATUS THREADS: print what is wrong with an encode, or nothing
auto() {
    [ "$1" -eq 0 ] || { echo "status $1"; return; }
    cmp -s out.ivf cpu$2.ivf || { echo "not the stream of the CPU"; return; }
    [ "$(warnings)" = 1 ] || { echo "$(warnings) warnings"; return; }
    grep -qE 'Cannot run motion estimation on CUDA \(.+\): running it on the CPU|CUDA motion estimation failed: .+: the CPU backend continues' log ||
        echo "unexpected warning"
}
cuda() {
    if [ "$1" -eq 0 ]; then
        cmp -s out.ivf libvpx$2.ivf || { echo "not the stream of libvpx"; return; }
        [ "$(warnings)" = 1 ] || { echo "$(warnings) warnings"; return; }
        grep -q 'Motion estimation failed (.*): libvpx continues' log || echo "unexpected warning"
    else
        [ "$1" -lt 128 ] || [ "$1" -gt 160 ] || { echo "killed by signal $(($1 - 128))"; return; }
        [ ! -s out.ivf ] || { echo "failed after opening"; return; }
        grep -qE 'Cannot run motion estimation on CUDA: .+-me_backend auto or cpu' log || echo "no message that says what to do"
    fi
}

step=1
if [ -z "${FAULTS:-}" ]; then step=4; fi
for backend in auto cuda; do
    turn=0
    for fault in ${FAULTS:-2-0 2-1 719-0 719-1}; do
        bad=
        for ((call = turn++ % step; call < calls; call += step)); do
            threads=$((1 + call / 4 % 2))
            status=0
            faulty $call ${fault%-*} ${fault#*-} $backend $threads out.ivf || status=$?
            why=$($backend $status $threads)
            if [ -z "$why" ]; then
                read -r _ leaked <report
                [ "$leaked" = 0 ] || why="$leaked allocations leak"
            fi
            [ -z "$why" ] || bad+=" call $call: $why;"
        done
        if [ -z "$bad" ]; then ok "$backend-$fault"; else not_ok "$backend-$fault" "${bad:1:200}"; fi
    done
done
exit $failed
