#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# valgrind finds no use of memory that was never written: not in a first frame, whose borders are
# new, and not in frames whose size is no multiple of 16. The sanitizers that we use do not detect
# this.
# Options are split into words on purpose.
# shellcheck disable=SC2046,SC2086
. "$(dirname "$0")/lib.sh"

if [ "$ME_BACKEND" != cpu ]; then
    skip defined "valgrind cannot run drivers of devices"
    exit 0
fi
if ! command -v valgrind >/dev/null; then
    skip defined "there is no valgrind"
    exit 0
fi

# When Highway's library is loaded, it measures the timer's resolution by rdtscp. valgrind refuses
# that instruction on processors that do not report it. Nothing else in the program uses it, so it
# is replaced.
if ! c++ -shared -fPIC -x c++ -o timer.so - >log 2>&1 <<'END'; then
namespace hwy { namespace platform { unsigned long TimerResolution() { return 1; } } }
END
    not_ok timer "libhwy's timer was not replaced"
    show_log
    exit 0
fi

clip in.yuv 90x60 8
# defined NAME OPTIONS...: valgrind reports nothing
defined() {
    local name=$1
    shift
    if ! LD_PRELOAD=$PWD/timer.so valgrind -q --error-limit=no --error-exitcode=9 --log-file=report "$FFMPEG" -nostdin -v error -y \
        $(raw in.yuv 90x60) -c:v vp8_cudame -me_backend cpu "$@" -f ivf out.ivf >log 2>&1; then
        not_ok "defined-$name" "$(grep -c 'uninitialised\|Invalid' report) reports"
        head -n 12 report | sed 's/^/#   /'
        show_log
        return
    fi
    ok "defined-$name"
}
defined realtime -deadline realtime -cpu-used -8 -threads 1
defined good5 -deadline good -cpu-used 5 -threads 2
defined ahead -deadline good -cpu-used 2 -auto-alt-ref 1 -lag-in-frames 4 -threads 1
