#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The unit tests of the cudame library on the CPU. SANITIZED: the build folder below BUILD_DIR
# (default: cudame). FAST: without the tests that take longest (make check-fast).
set -euo pipefail
run=$(dirname "$0")/run-gtest.sh
program=$BUILD_DIR/${SANITIZED:-cudame}/cudame
# The Cuda tests need a device: make check-gpu.
without=Cuda*
if [ -n "${FAST:-}" ]; then
    without+=:All/*.CpuMatchesNaiveOnEveryTarget/*:All/*.MatchesNaiveAtLargeRange/*
    without+=:All/*.MatchesNaiveOfThreeReferences/*:All/*.MatchesNaiveInBands/*
    without+=:All/*.MatchesNaiveWhereDrawnMacroblocksComeFromAnywhere/*
fi
GTEST_ARGS="--gtest_filter=-$without" "$run" "$program-tests"
# The program exists only with a CUDA backend, but its tests need no GPU.
if [ -x "$program-fallback-tests" ]; then "$run" "$program-fallback-tests"; fi
