#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
run=$(dirname "$0")/run-gtest.sh
# The Cuda tests compare with a device: make check-gpu.
GTEST_ARGS='--gtest_filter=-Cuda*' "$run" "$BUILD_DIR/${SANITIZED:-cudame}/cudame-tests"
# Only with the CUDA backend, but it needs no GPU.
fallback=$BUILD_DIR/${SANITIZED:-cudame}/cudame-fallback-tests
if [ -x "$fallback" ]; then "$run" "$fallback"; fi
