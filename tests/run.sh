#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Usage: tests/run.sh [--prefix=TEXT] SUITE...   run tests/run-SUITE.sh for each SUITE
#        tests/run.sh --begin [SUITE...]         forget earlier results; expect these suites
#        tests/run.sh --failed NAME WHY          record a failure
#        tests/run.sh --within SECONDS NAME COMMAND...
#                                                run the command; record as the test NAME whether it
#                                                took at most SECONDS; its time is that of a suite NAME
#        tests/run.sh --summary                  print the time of each suite and the count of all tests
#
# A suite prints a line for each test: "ok NAME", "not ok NAME" or "skip NAME"; other lines are
# comments. A suite that fails without a line "not ok", or that runs no test, counts as a failed
# test.
#
# The Makefile sets these variables for suites:
#   BUILD_DIR             build folder           LOG_DIR       folder of logs
#   FFMPEG, FFPROBE       the programs           FFMPEG_STOCK  FFmpeg with stock libvpx
#   FFMPEG_OBJ            FFmpeg's object folder
#   CLIPS                 folder of real clips, may be empty
#
# $LOG_DIR/results holds the tests' lines and, for each suite, "expect SUITE" before it runs and
# "took SUITE SECONDS CPU_SECONDS" after it. If this script dies, the suites that it did not finish
# lack the second line, and --summary counts each as a failed test.
set -euo pipefail

tests=$(cd "$(dirname "$0")" && pwd)
results=$LOG_DIR/results
mkdir -p "$LOG_DIR"
touch "$results"

count() { grep -c "^$1 " "$2" || true; }

# counts FILE: prints the count of its tests; fails if one failed, or if there is none
counts() {
    local passed failed skipped text
    passed=$(count ok "$1")
    failed=$(count 'not ok' "$1")
    skipped=$(count skip "$1")
    text="$passed passed, $failed failed"
    if [ "$skipped" -gt 0 ]; then text+=", $skipped skipped"; fi
    echo "$text"
    [ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
}

# Adds a failed test for each suite that was expected and did not end.
unfinished() {
    awk '{ print }
        $1 == "expect" && !($2 in seen) { seen[$2] = 1; names[++n] = $2 }
        $1 == "took" { ended[$2] = 1 }
        END { for (i = 1; i <= n; i++) if (!(names[i] in ended)) print "not ok " names[i] " (the suite did not run to its end)" }'
}

# A table of the suites, in the order in which they ended.
times_of_suites() {
    awk '$1 == "took" {
            if (!($2 in seconds)) names[++n] = $2
            seconds[$2] += $3; cpu[$2] += $4
        }
        /^(ok|not ok|skip) / {
            kind = $1
            name = $1 == "not" ? $3 : $2
            # Count the test for each prefix of its name, because suite names have slashes too.
            while (name != "") {
                tests[kind, name]++
                if (!sub(/\/[^\/]*$/, "", name)) break
            }
        }
        END {
            printf "%-24s %8s %8s %8s %8s %8s\n", "suite", "seconds", "CPU s", "passed", "failed", "skipped"
            for (i = 1; i <= n; i++) {
                s = names[i]
                printf "%-24s %8d %8d %8d %8d %8d\n", s, seconds[s], cpu[s], tests["ok", s], tests["not", s], tests["skip", s]
            }
        }' "$1"
}

# cpu_seconds FILE: of the children of this shell, from the output of "times" in FILE
cpu_seconds() {
    awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, t, "m"); s += 60 * t[1] + t[2] } } END { printf "%d", s }' "$1"
}
# start_clock, stop_clock: set seconds and cpu, the time between the two calls
start_clock() {
    times >"$spent"
    cpu_start=$(cpu_seconds "$spent")
    start=$SECONDS
}
stop_clock() {
    seconds=$((SECONDS - start))
    times >"$spent"
    cpu=$(($(cpu_seconds "$spent") - cpu_start))
}

all=$(mktemp)
one=$(mktemp)
spent=$(mktemp)
trap 'rm -f "$all" "$one" "$spent"' EXIT

prefix=
case ${1:-} in
    --begin)
        shift
        : >"$results"
        for suite; do echo "expect $suite"; done >>"$results"
        exit 0 ;;
    --failed)
        echo "not ok $2 ($3)" | tee -a "$results"
        exit 1 ;;
    --within)
        limit=$2 name=$3 status=0
        shift 3
        echo "expect $name" >>"$results"
        start_clock
        "$@" || status=$?
        stop_clock
        text="$name within $limit s ($seconds s, $cpu s of CPU)"
        if [ "$seconds" -le "$limit" ]; then text="ok $text"; else text="not ok $text" status=1; fi
        echo "$text" | tee -a "$results"
        echo "took $name $seconds $cpu" >>"$results"
        exit $status ;;
    --summary)
        unfinished <"$results" >"$all"
        times_of_suites "$all"
        echo
        if grep '^not ok ' "$all"; then echo; fi
        counts "$all"
        exit ;;
    --prefix=*)
        prefix=${1#*=}
        shift ;;
esac

unset MAKEFLAGS MAKELEVEL MFLAGS
for suite; do echo "expect $prefix$suite"; done >>"$results"
for suite; do
    name=$prefix$suite
    echo "# $name"
    start_clock
    status=0
    "$tests/run-$suite.sh" 2>"$LOG_DIR/${name//\//-}.err" </dev/null |
        sed -uE "s,^(ok|not ok|skip) ,\1 $name/," | tee "$one" || status=$?
    stop_clock
    if [ "$(count 'not ok' "$one")" -eq 0 ]; then
        if [ $status -ne 0 ]; then
            tail -n 20 "$LOG_DIR/${name//\//-}.err"
            echo "not ok $name (exit status $status, see $LOG_DIR/${name//\//-}.err)" | tee -a "$one"
        elif [ "$(count ok "$one")$(count skip "$one")" = 00 ]; then
            echo "not ok $name (ran no test)" | tee -a "$one"
        fi
    fi
    grep -E '^(ok|not ok|skip) ' "$one" | tee -a "$all" >>"$results"
    echo "took $name $seconds $cpu" >>"$results"
    echo "# $name: $seconds s, $cpu s of CPU"
done
counts "$all"
