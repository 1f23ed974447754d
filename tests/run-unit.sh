#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The unit tests of the cudame library on the CPU. SANITIZED: the build folder below BUILD_DIR
# (default: cudame). FAST: without the tests that take longest (make check-fast). REST: only these.
set -euo pipefail
run=$(dirname "$0")/run-gtest.sh
program=$BUILD_DIR/${SANITIZED:-cudame}/cudame
long=All/*.CpuMatchesNaiveOnEveryTarget/*:All/*.MatchesNaiveAtLargeRange/*
long+=:All/*.MatchesNaiveOfThreeReferences/*:All/*.MatchesNaiveInBands/*
long+=:All/*.MatchesNaiveWhereDrawnMacroblocksComeFromAnywhere/*
# The Cuda tests need a device: make check-gpu.
if [ -n "${FAST:-}" ]; then filter=-Cuda*:$long; elif [ -n "${REST:-}" ]; then filter=$long; else filter=-Cuda*; fi
GTEST_ARGS="--gtest_filter=$filter" "$run" "$program-tests"
# The program exists only with a CUDA backend, but its tests need no GPU.
if [ -x "$program-fallback-tests" ]; then "$run" "$program-fallback-tests"; fi
