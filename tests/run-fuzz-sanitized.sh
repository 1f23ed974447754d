#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Scenarios of the fuzzer with a sanitizer: threads of libvpx and of cudame, changes of the size,
# and frames that fail.
set -euo pipefail

exec "$(dirname "$0")/fuzz/run-families" "fuzz-$SANITIZED" 0 --threads 4 --hang-seconds 300 <<'END'
general 1 5 8
errors 7 21
denoise 1
END
