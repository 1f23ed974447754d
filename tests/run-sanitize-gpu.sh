#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Runs all kernels under compute-sanitizer, on small frames, and an encode of CUDA frames.
# COMPUTE_SANITIZER is the program; by default it is searched for in PATH and beside nvcc.
set -euo pipefail

sanitizer=${COMPUTE_SANITIZER:-}
for candidate in compute-sanitizer "${CUDA_HOME:-/usr/local/cuda}/bin/compute-sanitizer" \
    "${CUDA_HOME:-/usr/local/cuda}/compute-sanitizer/compute-sanitizer"; do
    if [ -z "$sanitizer" ]; then sanitizer=$(command -v "$candidate" || true); fi
done
[ -n "$sanitizer" ] || { echo "there is no compute-sanitizer (a part of the CUDA toolkit): name it with COMPUTE_SANITIZER" >&2; exit 1; }

work=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM

# check TOOL NAME PROGRAM...: starts a check; as many run at once as there are cores.
check() {
    while [ "$(jobs -rp | wc -l)" -ge "$(nproc)" ]; do wait -n || true; done
    run_check "$@" &
    pids+=($!)
}
pids=()
run_check() {
    local tool=$1 name=$1-$2 log=$LOG_DIR/sanitize-$1-$2.log
    shift 2
    if ! "$sanitizer" --tool "$tool" --error-exitcode 99 "$@" >"$log" 2>&1 </dev/null; then
        echo "not ok $name (see $log)"
    elif ! grep -qE 'ERROR SUMMARY: 0 errors|RACECHECK SUMMARY: 0 hazards' "$log"; then
        echo "not ok $name (no summary, see $log)"
    else
        echo "ok $name"
    fi
}

export CUDAME_TEST_BACKEND=cuda
drawn=All/LeanLevelTest.MatchesNaiveWhereDrawnMacroblocksComeFromAnywhere/Level1
searches='All/FieldTest.MatchesNaive/*_moving:All/FieldTest.MatchesNaiveAtOddSizes/*_random:All/LeanTest.MatchesNaive*/*_moving'
for tool in memcheck racecheck synccheck; do
    check "$tool" searches "$BUILD_DIR/cudame/cudame-tests" --gtest_filter="$searches"
    check "$tool" drawn "$BUILD_DIR/cudame/cudame-tests" --gtest_filter="$drawn"
    check "$tool" first-pass "$BUILD_DIR/cudame/cudame-tests" \
        --gtest_filter='CudaFirstPassTest.EqualsTheDefinitionAtOddSizes'
    check "$tool" loop-filter "$BUILD_DIR/cudame/cudame-tests" \
        --gtest_filter='LoopFilterTest.*OddSizes:LoopFilterTest.Samples*'
    check "$tool" downloads "$BUILD_DIR/cudame/cudame-tests" \
        --gtest_filter='CudaDownload.AllSizesAndAlignments:CudaDownload.SourcesOnTheDeviceAreSearchedThere'
done
# The caller of the coder waits longer, because the checker slows down the device. racecheck is left
# out: it did not end in 40 s.
export CUDAME_TEST_PATIENCE=1000
whole=WholeFrameTest.EqualsTheScalarReference
for tool in memcheck synccheck; do
    check "$tool" token-writer "$BUILD_DIR/cudame/cudame-tests" --gtest_filter='CudaTokenWriterTest.*'
    check "$tool" whole-frames "$BUILD_DIR/cudame/cudame-tests" \
        --gtest_filter="$whole:${whole}WithManyFrames:${whole}WithManyFramesWithoutSmallBlocks:${whole}InSeveralGroupsOfRows"
done
for format in nv12 yuv420p; do
    check memcheck "encode-$format" "$FFMPEG" -hide_banner -nostdin -y -init_hw_device cuda=gpu:0 -filter_hw_device gpu \
        -f lavfi -i testsrc2=size=354x290:rate=25 -frames:v 8 -vf "format=$format,hwupload" \
        -c:v vp8_cudame -me_backend cuda -b:v 500k -threads 2 -f ivf "$work/$format.ivf"
done
for pid in "${pids[@]}"; do wait "$pid"; done
