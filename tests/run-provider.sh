#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
run() { "$(dirname "$0")/run-gtest.sh" "$BUILD_DIR/provider/provider-tests"; }
run
# libvpx without AVX2
mkdir -p "$LOG_DIR/no-avx2"
LOG_DIR=$LOG_DIR/no-avx2 VPX_SIMD_CAPS_MASK=0x7f GTEST_ARGS="--gtest_filter=*FirstPass*:*Kernels*" run |
    sed -E 's,^(ok|not ok|skip) ,\1 no-avx2/,'
