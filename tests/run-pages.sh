#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The tables in pages agree with the raw figures in doc/results, and tools/evaluate makes such
# figures. Needs Python without any library.
set -euo pipefail

tests=$(dirname "$0")
bad=0
"$tests/../tools/evaluate/pages.py" --check || bad=1
PYTHONPATH=$tests/../tools/evaluate PYTHONDONTWRITEBYTECODE=1 python3 "$tests/evaluate/figures_test.py" || bad=1
"$tests/evaluate/run.sh" || bad=1
exit $bad
