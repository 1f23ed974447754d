#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
# The Cuda tests compare with a device: make check-gpu.
export GTEST_ARGS='--gtest_filter=-Cuda*'
programs=("$BUILD_DIR/${SANITIZED:-cudame}/cudame-tests")
# Only with the CUDA backend, but it needs no GPU.
fallback=$BUILD_DIR/${SANITIZED:-cudame}/cudame-fallback-tests
if [ -x "$fallback" ]; then programs+=("$fallback"); fi
exec "$(dirname "$0")/run-gtest.sh" "${programs[@]}"
