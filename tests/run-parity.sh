#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Runs the quick rows of tools/parity: the same commands with stock libvpx and with vp8_cudame.
set -euo pipefail

"$(dirname "$0")/../tools/parity/parity.py" --quick
