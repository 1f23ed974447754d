#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Scenarios of the fuzzer under a sanitizer: libvpx's row threads, cudame's, and what both do when a
# size changes or a frame fails.
set -euo pipefail

exec "$(dirname "$0")/fuzz/run-families" "fuzz-$SANITIZED" 0 --threads 4 --hang-seconds 300 <<'END'
general 1 5 8
errors 7 21
denoise 1
END
