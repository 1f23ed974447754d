#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Random scenarios of the encoder: of each family those that have found a fault, and others
# for FUZZ_SECONDS (default 4).
set -euo pipefail

# FAMILY SEED...
known='general
errors 7 21 45
twopass
denoise 1 31
large
hostile
lookahead 60'

while read -r family seeds; do
    log=$LOG_DIR/fuzz-$family.log
    : >"$log"
    status=0
    for seed in $seeds; do
        "$BUILD_DIR/fuzz/vp8-fuzz" --threads 1,3,8 --family "$family" --seeds "$seed-$seed" >>"$log" 2>&1 || status=$?
    done
    "$BUILD_DIR/fuzz/vp8-fuzz" --threads 1,3,8 --family "$family" --seconds "${FUZZ_SECONDS:-4}" >>"$log" 2>&1 || status=$?
    if [ $status -eq 0 ]; then
        echo "ok $family"
        echo "# $(tail -n 1 "$log")"
    else
        grep -A1 '^FAILED' "$log" | head -n 4 | sed 's/^/#   /'
        echo "not ok $family (see $log)"
    fi
done <<<"$known"
