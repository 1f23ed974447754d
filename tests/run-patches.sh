#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
exec "$(dirname "$0")/../tools/check-patches" --state="$BUILD_DIR/apt" --dl="${VP8_CUDAME_DL:-$BUILD_DIR/dl}"
