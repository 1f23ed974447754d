#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
exec "$(dirname "$0")/run-gtest.sh" "$BUILD_DIR/${SANITIZED:-cudame}/cudame-tests"
