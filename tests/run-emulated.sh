#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The CUDA backend where there is no GPU: a driver that runs the kernels' own source on
# the CPU (cudame/tests/emulator).
set -euo pipefail
driver=$BUILD_DIR/cudame/emulated
program=$BUILD_DIR/cudame/cudame-tests
tests=$("$program" --gtest_list_tests)
if [[ $tests != *CudaMemoryTest* ]]; then
    echo "skip all (no CUDA backend: it needs nvcc or clang)"
    exit
fi
[ -e "$driver/libcuda.so.1" ] || { echo "there is no $driver/libcuda.so.1" >&2; exit 1; }
export LOG_DIR=$LOG_DIR/emulated
mkdir -p "$LOG_DIR"
export LD_LIBRARY_PATH=$driver${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} CUDAME_TEST_BACKEND=cuda
# These take long, and are of the host's code or of what the search is good for.
slow=FrameTest.ScrollsAreFound:FrameTest.ShiftedContentIsFoundAndNotShiftedFurther:FrameTest.ThreadsDoNotChangeTheResult
export GTEST_ARGS="--gtest_filter=All/FieldTest.MatchesNaive*:All/LeanTest.MatchesNaive*:All/LeanLevelTest.*:All/LeanPendingTest.*:LeanApi.*:FrameTest.*:CudaFirstPassTest.*:CudaFailureTest.*:CudaLateTest.*:CudaStartTest.*:LoopFilterTest.*:-$slow"
exec "$(dirname "$0")/run-gtest.sh" "$program"
