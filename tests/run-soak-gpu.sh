#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Runs tests/run-soak.sh on the CUDA backend. It opens more encoders than on the CPU: the driver takes
# device memory in steps of 2 MB, and four threads need up to 100 encoders until all of them happen to
# work on large ones at once. After that the device's memory stays the same (600 encoders on an H100).
set -euo pipefail
export SOAK_CYCLES=${SOAK_CYCLES:-360}
export SOAK_BACKEND=cuda
exec "$(dirname "$0")/run-soak.sh"
