#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Usage: tests/run-stream.sh [SCRIPT...]
# Runs the scripts (default: tests/stream/*.sh), each in an empty folder, with the environment of
# tests/run.sh. Each line "ok NAME", "not ok NAME" or "skip NAME" of a script is a test. A script
# without such a line is one test, by its exit status (77: skipped). STREAM_LEAVE: names of scripts
# not to run. The longest scripts start first, so that none of them runs alone at the end.
set -euo pipefail

run_one() {
    local name log work status=0 start=$SECONDS
    name=$(basename "$1" .sh)
    log=$LOG_DIR/${STREAM_PREFIX:-}stream-$name.log
    work=$(mktemp -d)
    (cd "$work" && bash "$1") >"$log" 2>&1 </dev/null || status=$?
    rm -rf "$work"
    sed -nE "s,^(ok|not ok|skip) ,\1 $name/,p" "$log"
    echo "# $name: $((SECONDS - start)) s"
    if grep -qE '^not ok ' "$log"; then return; fi
    case $status in
        0)  if ! grep -qE '^(ok|skip) ' "$log"; then echo "ok $name"; fi ;;
        77) echo "skip $name" ;;
        *)  echo "not ok $name (exit status $status, see $log)" ;;
    esac
}
export -f run_one

here=$(cd "$(dirname "$0")" && pwd)
if [ -e "$BUILD_DIR/cudame/fake/libcuda.so.1" ]; then export FAKE_CUDA=$BUILD_DIR/cudame/fake; fi
if [ -e "$BUILD_DIR/cudame/emulated/libcuda.so.1" ]; then export EMULATED_CUDA=$BUILD_DIR/cudame/emulated; fi
if [ -e "$BUILD_DIR/fake_cores.so" ]; then export FAKE_CORES=$BUILD_DIR/fake_cores.so; fi
if [ $# -eq 0 ]; then
    mapfile -t scripts < <(find "$here/stream" -name '*.sh' ! -name 'lib*' | sort)
    set --
    last=()
    for script in "${scripts[@]}"; do
        name=$(basename "$script" .sh)
        case " ${STREAM_LEAVE:-} " in *" $name "*) continue ;; esac
        case $name in
            clips | whole-frames | fault | filter-level) set -- "$@" "$script" ;;
            *) last+=("$script") ;;
        esac
    done
    set -- "$@" "${last[@]}"
fi
printf '%s\n' "$@" | xargs -r -P "$(nproc)" -I{} bash -c 'set -euo pipefail; run_one "$1" >"$LOG_DIR/$(basename "$1").result"; cat "$LOG_DIR/$(basename "$1").result"' - {}
