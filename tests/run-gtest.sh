#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Usage: tests/run-gtest.sh PROGRAM...
# Runs Google Test programs with the arguments GTEST_ARGS, in one process for each core, and prints
# a line for each test.
# GTEST_ALL and GTEST_LONG, instead of GTEST_ARGS: filters of the tests to run and, without a
# negative part, of those that take longest. FAST: without the longest ones (make check-fast).
# REST: only these.
set -euo pipefail

[ -n "$*" ] || { echo "no test program" >&2; exit 1; }
if [ -n "${GTEST_LONG:-}" ]; then
    filter=$GTEST_ALL
    if [ -n "${FAST:-}" ]; then
        # Continue the negative part, or begin one.
        case $filter in *:-*) filter+=:$GTEST_LONG ;; *) filter+=:-$GTEST_LONG ;; esac
    elif [ -n "${REST:-}" ]; then
        filter=$GTEST_LONG
    fi
    GTEST_ARGS=--gtest_filter=$filter
fi
shards=$(nproc)
for program; do
    log=$LOG_DIR/$(basename "$program")
    pids=()
    for ((i = 0; i < shards; i++)); do
        GTEST_TOTAL_SHARDS=$shards GTEST_SHARD_INDEX=$i "$program" ${GTEST_ARGS:-} >"$log.$i.log" 2>&1 </dev/null &
        pids+=($!)
    done
    for ((i = 0; i < shards; i++)); do
        status=0
        wait "${pids[$i]}" || status=$?
        # A test that began and did not end crashed the program.
        awk -v status=$status -v log_file="$log.$i.log" '
            / RUN /            { running = $NF; sub(/.*RUN *\] /, ""); running = $1; next }
            /^\[       OK \] / { print "ok " $4; n++; running = ""; next }
            /^\[  SKIPPED \] .*\(/ { print "skip " $4; n++; running = ""; next }
            /^\[  FAILED  \] .* ms\)$/ { name = $4; sub(/,$/, "", name); print "not ok " name " (see " log_file ")"; n++; bad++; running = ""; next }
            END {
                if (running != "")            print "not ok " running " (died with status " status ", see " log_file ")"
                else if (status && !bad)      print "not ok (exit status " status ", see " log_file ")"
            }' "$log.$i.log"
    done
done
