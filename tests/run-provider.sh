#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The tests of the patched libvpx, and some again without AVX2. FAST, REST: see run-gtest.sh.
set -euo pipefail
run() { "$(dirname "$0")/run-gtest.sh" "$BUILD_DIR/provider/provider-tests"; }
long=All/Vbr.*:All/Provider.VectorsChangeTheStreamAndKeepItValid/*:All/FilterLevel.*:Levels/Denoiser.*
# Each test of guided mode decision runs with 88 settings: run only two of these tests.
for test in DoesNotDependOnThreads HostileRecordsKeepTheStreamValid KeyFramesAreBegunForTheirEstimates \
    OneVectorEndsAtTheEdges RowsOfReferencesNotInUseAreIgnored WithoutEstimatesIsNotGuided; do
    long+=:All/Guided.$test/*
done
long+=:*.TakesTheBitrate*:*.*ThreadsMakeTheSameStream:*.*DoesNotDependOnThreads:*.IsNotWhereItDoesNotBelong
GTEST_ALL='*' GTEST_LONG=$long run
if [ -n "${FAST:-}" ]; then exit; fi
# Again without AVX2.
mkdir -p "$LOG_DIR/no-avx2"
LOG_DIR=$LOG_DIR/no-avx2 VPX_SIMD_CAPS_MASK=0x7f GTEST_ARGS="--gtest_filter=*FirstPass*:*Kernels*" run |
    sed -E 's,^(ok|not ok|skip) ,\1 no-avx2/,'
