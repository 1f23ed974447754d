#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Scenarios of the fuzzer under a sanitizer: libvpx's row threads, cudame's, and what both do when a
# size changes or a frame fails.
set -euo pipefail

while read -r family seeds; do
    log=$LOG_DIR/fuzz-$SANITIZED-$family.log
    : >"$log"
    status=0
    for seed in $seeds; do
        "$BUILD_DIR/fuzz/vp8-fuzz" --threads 4 --hang-seconds 300 --family "$family" \
            --seeds "$seed-$seed" >>"$log" 2>&1 || status=$?
    done
    if [ $status -eq 0 ] && ! grep -q 'WARNING: [A-Za-z]*Sanitizer\|ERROR: [A-Za-z]*Sanitizer\|runtime error' "$log"; then
        echo "ok $family"
    else
        grep -m 3 'SUMMARY: [A-Za-z]*Sanitizer\|runtime error\|^FAILED' "$log" | sed 's/^/#   /' || true
        echo "not ok $family (see $log)"
    fi
done <<'END'
general 1 5 8
errors 7 21
denoise 1
END
