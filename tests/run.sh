#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Usage: tests/run.sh [--prefix=TEXT] SUITE...   run tests/run-SUITE.sh each
#        tests/run.sh --begin                    forget earlier results
#        tests/run.sh --summary                  print the count of all results
#
# A suite prints a line for each test: "ok NAME", "not ok NAME" or "skip NAME";
# other lines are comments. It gets, from the Makefile, in its environment:
#   BUILD_DIR             build folder           LOG_DIR       logs go here
#   FFMPEG, FFPROBE       the programs           FFMPEG_STOCK  with stock libvpx
#   FFMPEG_OBJ            FFmpeg's object folder
#   CLIPS                 folder of real clips, may be empty
# A suite that fails without saying so, or that runs no test, is a failure too.
set -euo pipefail

tests=$(cd "$(dirname "$0")" && pwd)
results=$LOG_DIR/results
mkdir -p "$LOG_DIR"
unset MAKEFLAGS MAKELEVEL MFLAGS

count() { grep -c "^$1 " "$2" || true; }

summary() { # $1: file
    local passed failed skipped text
    passed=$(count ok "$1")
    failed=$(count 'not ok' "$1")
    skipped=$(count skip "$1")
    text="$passed passed, $failed failed"
    if [ "$skipped" -gt 0 ]; then text+=", $skipped skipped"; fi
    echo "$text"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}

prefix=
case ${1:-} in
    --begin)    : >"$results"; exit 0 ;;
    --summary)
        if grep '^not ok ' "$results"; then echo; fi
        summary "$results"
        exit ;;
    --prefix=*) prefix=${1#*=}; shift ;;
esac

# Seconds of CPU in what `times` printed of the children of this shell.
cpu() {
    awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, "m"); s += 60 * t[1] + t[2] } } END { printf "%d", s }' "$1"
}

all=$(mktemp)
one=$(mktemp)
spent=$(mktemp)
trap 'rm -f "$all" "$one" "$spent"' EXIT
for suite; do
    name=$prefix$suite
    echo "# $name"
    start=$SECONDS
    times >"$spent"
    cpu_start=$(cpu "$spent")
    status=0
    "$tests/run-$suite.sh" 2>"$LOG_DIR/${name//\//-}.err" </dev/null |
        sed -uE "s,^(ok|not ok|skip) ,\1 $name/," | tee "$one" || status=$?
    if [ "$(count 'not ok' "$one")" -eq 0 ]; then
        if [ $status -ne 0 ]; then
            tail -n 20 "$LOG_DIR/${name//\//-}.err"
            echo "not ok $name (exit status $status, see $LOG_DIR/${name//\//-}.err)" | tee -a "$one"
        elif [ "$(count ok "$one")$(count skip "$one")" = 00 ]; then
            echo "not ok $name (ran no test)" | tee -a "$one"
        fi
    fi
    grep -E '^(ok|not ok|skip) ' "$one" >>"$all"
    times >"$spent"
    echo "# $name: $((SECONDS - start)) s, $(($(cpu "$spent") - cpu_start)) s of CPU"
done
cat "$all" >>"$results"
summary "$all"
