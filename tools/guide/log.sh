#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Usage: tools/guide/log.sh FOLDER CLIP...
# Logs decisions for derive.py: builds build/bin/ffmpeg-guide (libvpx with tools/guide/overlay), and
# writes FOLDER/CLIP-QUANTIZER.log. From the environment: FRAMES of each clip, the quantizers Q,
# EVERY=N to log one of N macroblocks, JOBS at a time, and FFMPEG instead of the built one.
set -euo pipefail

[ $# -ge 2 ] || { echo "Usage: tools/guide/log.sh FOLDER CLIP..." >&2; exit 2; }
out=$1
shift
if [ -z "${FFMPEG:-}" ]; then
    top=$(cd "$(dirname "$0")/../.." && pwd)
    make -C "$top" ffmpeg-guide
    FFMPEG=$top/build/bin/ffmpeg-guide
fi
mkdir -p "$out"

# The level of safe with all references: what is logged depends on well decided neighbours.
points=()
for q in 7 18 31 55 88; do points+=(275,100000,1300,4,1250,1200,1200,1100,2000,0,0,0,0,1000); done
level=$(IFS=,; echo "${points[*]}")
for q in ${Q:-6 14 26 38 50}; do
    for clip in "$@"; do
        name=$(basename "${clip%.*}")-$q
        printf '%s\0%s\0' "$clip" "$out/$name.log"
    done
done | FFMPEG=$FFMPEG VP8_MP_MODE_LEVEL=$level VP8_MP_MODE_LOG_EVERY=${EVERY:-10} \
    xargs -0 -n 2 -P "${JOBS:-$(nproc)}" bash -c '
        q=${1##*-}
        VP8_MP_MODE_LOG=$1 "$FFMPEG" -v error -nostdin -y -i "$0" -frames:v '"${FRAMES:-30}"' -c:v vp8_cudame \
            -deadline best -guide safe -qmin ${q%.log} -qmax ${q%.log} -b:v 200M -threads 1 -f null -'
