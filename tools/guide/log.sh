#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Logs decisions for derive.py: tools/guide/log.sh FOLDER CLIP...
# makes build/bin/ffmpeg-guide and writes FOLDER/CLIP-QUANTIZER.log.
# FRAMES, Q, EVERY (one macroblock of so many), JOBS and FFMPEG from the environment.
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

# Safe, with every reference: what is logged hangs on neighbours that were decided well.
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
