#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# tools/papers: unit tests, and its encodes with small pictures on the CPU.
set -euo pipefail

top=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python=$(python3 -c 'import sys; print(sys.executable)')
ok() { echo "ok $1"; }
not_ok() { echo "not ok $1 ($2)"; }

PYTHONPATH=$top/tools/papers "$python" "$top/tests/papers/papers_test.py" -v 2>&1 | tee /dev/stderr |
    sed -nE 's/^(test_[a-z_]*) .* \.\.\. (ok|FAIL|ERROR)$/\2 \1/p' | sed -E 's/^(FAIL|ERROR) /not ok /'

cd "$scratch"
mkdir clips
# The stream has side data, which ffprobe prints after the size.
"$FFMPEG" -v error -nostdin -f lavfi -i mandelbrot=s=96x64:r=25 -frames:v 4 -pix_fmt yuv420p -c:v ffv1 \
    -metadata:s:v stereo_mode=left_right clips/a.mkv
papers() { "$python" "$top/tools/papers/papers.py" "$@" >log 2>&1; }
run() { papers run out --clips clips --size 96x64 --frames 4 --threads 1,2 --backend cpu --parts encodes "$@"; }
status=0
run --budget 0 || status=$?
if [ $status -eq 1 ] && grep -q 'the same command goes on' log; then ok budget; else not_ok budget "status $status"; fi
if run; then ok run; else not_ok run "$(tail -n 1 log)"; fi
# five encoders at 4 + 5 bitrates, five at every second bitrate, four at 4 quantizers
lines=$(grep -vc "^#" out/papers-encodes.tsv)
if [ "$lines" -eq $((1 + 5 * 9 + 5 * 4 + 4 * 4)) ]; then ok rows; else not_ok rows "$lines lines"; fi
before=$(cat out/papers-encodes.tsv)
run
if [ "$before" = "$(cat out/papers-encodes.tsv)" ]; then ok not-again; else not_ok not-again "measured again"; fi
if papers report out && grep -q '^| tex | [0-9.]*× |' log; then ok report; else not_ok report "$(tail -n 1 log)"; fi
status=0
papers run other --clips . --parts encodes || status=$?
if [ $status -eq 1 ] && grep -q 'no clip in . has 1920x1080 pixels' log; then ok no-clip; else not_ok no-clip "status $status"; fi
status=0
BUILD_DIR=nowhere papers run other --parts kernels || status=$?
if [ $status -eq 1 ] && grep -q 'cudame-bench is not there' log; then ok no-bench; else not_ok no-bench "status $status"; fi
