#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Usage: tests/run-gtest.sh PROGRAM...
# Runs Google Test programs with the arguments GTEST_ARGS, in one process for each core, and prints
# a line for each test.
set -euo pipefail

[ -n "$*" ] || { echo "no test program" >&2; exit 1; }
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
