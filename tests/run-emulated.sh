#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The CUDA backend without a GPU: on a driver that runs the kernels' own source on the CPU
# (cudame/tests/emulator). FAST, REST: see run-gtest.sh.
set -euo pipefail
driver=$BUILD_DIR/cudame/emulated
program=$BUILD_DIR/cudame/cudame-tests
tests=$("$program" --gtest_list_tests)
if [[ $tests != *CudaMemoryTest* ]]; then
    echo "skip all (this build has no CUDA backend: it needs nvcc or clang)"
    exit
fi
[ -e "$driver/libcuda.so.1" ] || { echo "there is no $driver/libcuda.so.1" >&2; exit 1; }
export LOG_DIR=$LOG_DIR/emulated
mkdir -p "$LOG_DIR"
export LD_LIBRARY_PATH=$driver${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH} CUDAME_TEST_BACKEND=cuda
# These take long, and test the host's code or what the search finds.
without=FrameTest.ScrollsAreFound:FrameTest.ShiftedContentIsFoundAndNotShiftedFurther:FrameTest.ThreadsDoNotChangeTheResult
all=All/FieldTest.MatchesNaive*:All/LeanTest.MatchesNaive*:All/LeanLevelTest.*:All/LeanPendingTest.*:LeanApi.*
all+=:FrameTest.*:CudaFirstPassTest.*:CudaFailureTest.*:CudaLateTest.*:CudaStartTest.*:CudaTokenWriterTest.*:LoopFilterTest.*:WholeFrameTest.*
long=All/LeanPendingTest.*:CudaFailureTest.*:CudaLateTest.*:CudaStartTest.*:CudaFirstPassTest.EqualsTheDefinition
for kind in Field Lean LeanLevel; do
    for content in extreme flat random stripes; do long+=:All/${kind}Test.MatchesNaive/*_$content; done
    for test in MatchesNaive{AtLargeRange,AtOddSizes,InBands,OfThreeReferences,WhereDrawnMacroblocksComeFromAnywhere} \
        ThreadsDoNotChangeTheResult; do
        long+=:All/${kind}Test.$test/*
    done
done
export GTEST_ALL=$all:-$without GTEST_LONG=$long
exec "$(dirname "$0")/run-gtest.sh" "$program"
