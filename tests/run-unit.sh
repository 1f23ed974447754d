#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The unit tests of the cudame library on the CPU. SANITIZED: the build folder below BUILD_DIR
# (default: cudame). FAST, REST: see run-gtest.sh.
set -euo pipefail
run=$(dirname "$0")/run-gtest.sh
program=$BUILD_DIR/${SANITIZED:-cudame}/cudame
long=All/*.CpuMatchesNaiveOnEveryTarget/*:All/*.MatchesNaiveAtLargeRange/*
long+=:All/*.MatchesNaiveOfThreeReferences/*:All/*.MatchesNaiveInBands/*
long+=:All/*.MatchesNaiveWhereDrawnMacroblocksComeFromAnywhere/*
# The Cuda tests need a device: make check-gpu.
GTEST_ALL='*:-Cuda*' GTEST_LONG=$long "$run" "$program-tests"
# The program exists only with a CUDA backend, but its tests need no GPU. None takes long.
if [ -x "$program-fallback-tests" ] && [ -z "${REST:-}" ]; then "$run" "$program-fallback-tests"; fi
