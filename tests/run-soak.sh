#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Memory, open files and threads do not grow: in streams of SOAK_FRAMES frames, while SOAK_CYCLES
# encoders are opened and closed, and while four threads do so at once. SOAK_BACKEND (default: cpu):
# with cuda the device's memory must not grow either. With cpu some cycles also run on the fake CUDA
# driver.
set -euo pipefail

backend=${SOAK_BACKEND:-cpu}
frames=${SOAK_FRAMES:-600}
cycles=${SOAK_CYCLES:-96}
log=$LOG_DIR/soak-$backend.log
: >"$log"

# soak ARGUMENTS...: runs vp8-soak; the log gets the values over time
soak() {
    local status=0
    "$BUILD_DIR/soak/vp8-soak" "$@" >"$log.part" 2>&1 </dev/null || status=$?
    { echo "# vp8-soak $*"; cat "$log.part"; } >>"$log"
    grep -E '^(ok|not ok|# .* since) ' "$log.part" || true
    if [ $status -ne 0 ] && ! grep -q '^not ok ' "$log.part"; then
        echo "not ok $* (exit status $status, see $log)"
    fi
    rm "$log.part"
}

soak stream ahead "$backend" "$frames"
soak stream rt8-cbr "$backend" "$frames"
soak cycles "$backend" "$cycles"
soak threads "$backend" "$cycles"
if [ "$backend" = cpu ]; then
    fake=$BUILD_DIR/cudame/fake
    if [ -e "$fake/libcuda.so.1" ]; then
        LD_LIBRARY_PATH=$fake soak cycles cuda "$cycles" | sed 's/cycles-cuda/cycles-fake-cuda/'
    else
        echo "skip cycles-fake-cuda (there is no fake CUDA driver: this build has no CUDA backend)"
    fi
fi
