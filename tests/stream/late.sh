#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# If the GPU is late with rows (late rows), the CPU searches them. If it is late repeatedly, the CPU
# searches whole frames. The stream does not change. me_backend cuda waits instead. Runs on the
# emulated driver, which can delay kernels. No GPU is needed or used.
# Options are split into words on purpose.
# shellcheck disable=SC2015,SC2046,SC2086
. "$(dirname "$0")/lib.sh"

if [ -z "${EMULATED_CUDA:-}" ]; then
    skip late "there is no emulated CUDA driver: this build has no CUDA backend"
    exit 0
fi

clip in.yuv 96x80 40
in=$(raw in.yuv 96x80)
encode() { # NAME OPTIONS...
    local name=$1
    shift
    rm -f $name.ivf
    eight_cores ff $in -c:v vp8_cudame -b:v 200k "$@" -me_stats $name.csv -f ivf $name.ivf
}
# frames BACKEND: the number of inter frames that it searched; late_rows: the number of late rows
frames() { awk -F, -v b=$1 'NR > 1 && $2 == b && !$4 { n++ } END { print n + 0 }' late.csv; }
late_rows() {
    awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "late_rows") k = i; next }
        { n += $k } END { print n + 0 }' late.csv
}

# late NAME HOLD BACKEND OPTIONS...: the driver answers HOLD queries for a launch with "not ready",
# one in each millisecond (-1: it is never late)
late() {
    local name=$1 hold=$2 backend="-me_backend $3" wrong=
    backend+=" $(at_once $3)"
    shift 3
    encode cpu -me_backend cpu "$@" &&
        FAKE_CUDA_HOLD=$hold on_driver "$EMULATED_CUDA" -1 0 0 encode late $backend "$@" || { show_log; not_ok "$name" "failed"; return; }
    cmp -s cpu.ivf late.ivf || wrong+=" the stream differs;"
    ! grep -q 'failed' log || wrong+=" a warning;"
    read -r _ leaked <report
    [ "$leaked" = 0 ] || wrong+=" $leaked allocations leak;"
    wrong+=$(expected)
    if [ -z "$wrong" ]; then ok "$name"; else not_ok "$name" "$(frames cuda) frames on cuda, $(frames cpu) on cpu, $(late_rows) late rows:$wrong"; fi
}

expected() { [ "$(frames cuda)" -ge 4 ] && [ "$(frames cpu)" -ge 16 ] && [ "$(late_rows)" -ge 10 ] || echo " too few late rows or frames on the CPU;"; }
# Frames that CUDA codes as a whole have no rows that could be late.
late realtime 1 auto $(speed rt8) -me_offload search
late best 1 auto $(speed best)
late threads 1 auto $(speed rt8) -threads 3 -me_offload search
late lag 1 auto -deadline good -cpu-used 5 -auto-alt-ref 1 -lag-in-frames 8
late bilinear 1 auto $(speed rt8) -profile:v 2
expected() { [ "$(frames cpu)" = 0 ] && [ "$(late_rows)" = 0 ] || echo " me_backend cuda did not wait;"; }
late cuda 1 cuda $(speed rt8) -me_offload search
expected() { [ "$(frames cpu)" = 0 ] || echo " frames went to the CPU;"; }
late in-time -1 auto $(speed rt8) -me_offload search
# If the device is late with whole frames, libvpx codes them from rows of the device's search.
from_rows() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) c[$i] = i; next } !$c["key"] && $c["rows"] { n++ } END { print n + 0 }' late.csv; }
expected() { [ "$(frames cpu)" = 0 ] && [ "$(from_rows)" -ge 10 ] || echo " $(from_rows) frames from rows;"; }
late whole 1 cuda $(speed rt8)
late whole-threads 20 cuda $(speed rt16) -threads 3 -static-thresh 1
expected() { [ "$(frames cuda)" -ge 30 ] && [ "$(from_rows)" = 0 ] || echo " $(from_rows) frames from rows;"; }
late whole-in-time -1 auto $(speed rt8)
exit $failed
