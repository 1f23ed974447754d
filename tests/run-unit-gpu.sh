#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The unit tests of cudame on a GPU: those that both backends share, and the comparisons of the two.
set -euo pipefail
export CUDAME_TEST_BACKEND=cuda GTEST_ARGS='--gtest_filter=-Cpu*:*.Cpu*'
exec "$(dirname "$0")/run-gtest.sh" "$BUILD_DIR/cudame/cudame-tests"
