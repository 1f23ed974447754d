#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Runs tests/run-soak.sh on the CUDA backend.
set -euo pipefail
export SOAK_BACKEND=cuda
exec "$(dirname "$0")/run-soak.sh"
