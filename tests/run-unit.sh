#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
# The Cuda tests compare with a device: make check-gpu.
export GTEST_ARGS='--gtest_filter=-Cuda*'
exec "$(dirname "$0")/run-gtest.sh" "$BUILD_DIR/${SANITIZED:-cudame}/cudame-tests"
