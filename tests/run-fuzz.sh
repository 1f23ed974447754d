#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Random scenarios of the encoder. Each family begins with the seeds that once found a fault, listed
# below, and goes on with new ones for FUZZ_SECONDS (default 4).
set -euo pipefail

exec "$(dirname "$0")/fuzz/run-families" fuzz "${FUZZ_SECONDS:-4}" --threads 1,3,8 <<'END'
general
errors 7 21 45
twopass
denoise 1 31
large
hostile
lookahead 60
END
