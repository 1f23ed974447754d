#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Runs libFuzzer's corpora and a fixed number of inputs made from them, with a fixed seed.
# "make libfuzzer-run" searches for more.
set -euo pipefail
cd "$(dirname "$0")/.."

export UBSAN_OPTIONS=print_stacktrace=1
while read -r name program runs; do
    log=$LOG_DIR/libfuzzer-$name.log
    out=$BUILD_DIR/libfuzzer/check/$name
    if ! tests/fuzz/has-libfuzzer "$CLANGXX"; then
        echo "skip $name ($CLANGXX has no libFuzzer)"
        continue
    fi
    rm -rf "$out"
    mkdir -p "$out/corpus"
    if "$BUILD_DIR/libfuzzer/$program" -seed=1 -runs="$runs" -len_control=0 -max_len=512 \
        -timeout=60 -artifact_prefix="$out/" "$out/corpus" "tests/fuzz/corpus/$name" >"$log" 2>&1; then
        echo "ok $name"
        echo "# $(grep '^Done' "$log")"
    else
        grep -m 4 '^FAILED\|^SUMMARY\|runtime error' "$log" | sed 's/^/#   /' || true
        echo "not ok $name (see $log)"
    fi
done <<'END'
encoder vp8-libfuzzer    250
cudame  cudame-libfuzzer 4000
END
