#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# tools/chunks by a Slurm job array, on a Slurm cluster that this script starts.
set -euo pipefail

scratch=$(mktemp -d)
trap 'slurm_stop || true; rm -rf "$scratch"' EXIT
# shellcheck source=tests/scale/lib.sh
. "$(dirname "$0")/scale/lib.sh"
# shellcheck source=tests/scale/slurm.sh
. "$(dirname "$0")/scale/slurm.sh"
cd "$scratch"
chmod 755 .
slurm_start 4
run() { timeout 300 "$python" "$tool" run "$@"; }

make_source in.webm
expect parallel run in.webm parallel.webm --seconds 2 --workers 2 -- "${encoder[@]}"
expect array run in.webm array.webm --seconds 2 --engine slurm --keep -- "${encoder[@]}"
same array-bytes parallel.webm array.webm
if grep -q 'chunk 0 of' array.webm.chunks/slurm-0.txt; then ok by-slurm; else not_ok by-slurm "no output of a task"; fi
expect one-at-a-time run in.webm one.webm --seconds 2 --engine slurm --workers 1 \
    --engine-options '--cpus-per-task=2 --time=10' -- "${encoder[@]}"
same one-at-a-time-bytes parallel.webm one.webm

# A task and its ffmpeg are killed in the middle of a chunk.
cat >killed <<END
#!/bin/bash
if [[ "\$*" == *chunk-00001.*part* ]] && mkdir "$scratch/died" 2>/dev/null; then
    "$FFMPEG" -readrate 1 "\$@" &
    sleep 0.7
    kill -9 \$PPID \$!
    exit 1
fi
exec "$FFMPEG" "\$@"
END
chmod +x killed
FFMPEG=$scratch/killed expect killed run in.webm killed.webm --seconds 2 --engine slurm -- "${encoder[@]}"
if [ -d died ]; then ok died; else not_ok died "nothing was killed"; fi
same killed-bytes parallel.webm killed.webm
# If a node goes down, Slurm runs its tasks again, with the same array index.
cat >requeued <<END
#!/bin/bash
if [[ "\$*" == *chunk-00002.*part* ]] && mkdir "$scratch/went" 2>/dev/null; then
    scontrol requeue "\$SLURM_JOB_ID"
    sleep 60
fi
exec "$FFMPEG" "\$@"
END
chmod +x requeued
FFMPEG=$scratch/requeued expect requeued run in.webm requeued.webm --seconds 2 --engine slurm --keep -- "${encoder[@]}"
if [ -d went ]; then ok went; else not_ok went "nothing was requeued"; fi
same requeued-bytes parallel.webm requeued.webm
