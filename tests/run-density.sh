#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# tools/density: unit tests, and live streams of small pictures for some seconds.
set -euo pipefail

top=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
streams=$BUILD_DIR/density/streams
python=$(python3 -c 'import sys; print(sys.executable)')
ok() { echo "ok $1"; }
not_ok() { echo "not ok $1 ($2)"; }

PYTHONPATH=$top/tools/density "$python" "$top/tests/density/density_test.py" -v 2>&1 | tee /dev/stderr |
    sed -nE 's/^(test_[a-z_]*) .* \.\.\. (ok|FAIL|ERROR)$/\2 \1/p' | sed -E 's/^(FAIL|ERROR) /not ok /'

if [ "${SHARED:-}" = yes ]; then
    echo "skip streams (the libraries are shared, the program is static)"
    exit 0
fi
cd "$scratch"
mkdir clips
"$FFMPEG" -v error -nostdin -f lavfi -i testsrc2=s=64x48:r=30 -frames:v 30 -pix_fmt yuv420p -c:v ffv1 clips/a.mkv
"$FFMPEG" -v error -nostdin -i clips/a.mkv -pix_fmt yuv420p -f rawvideo a.yuv
run() { "$@" 2>log || { sed 's/^/# /' log; return 1; }; }

# Each packet is counted, comes after its frame, and not before the frame is due.
start=$(date +%s%N)
date +%s.%N | run "$streams" 64x48 a.yuv -- --streams 3 --fps 30 --frames 45 --skip 15 me_backend=cpu \
    deadline=realtime cpu-used=-8 >out
took=$((($(date +%s%N) - start) / 1000000))
if [ "$(grep -cE '^[0-9]+$' out)" -eq 90 ]; then ok frames; else not_ok frames "$(wc -l <out) lines"; fi
if [ $took -ge 1450 ]; then ok paced; else not_ok paced "45 frames in $took ms"; fi
for program in streams streams-stock; do
    echo 0 | run "$BUILD_DIR/density/$program" 64x48 a.yuv -- --encoder libvpx --fps 0 --frames 30 deadline=realtime cpu-used=-8 b=100000 >out
    if grep -qE '^coded [1-9][0-9]* [0-9]+\.[0-9]*[1-9]' out; then ok "coded-$program"; else not_ok "coded-$program" "$(cat out)"; fi
done
mkdir stats
date +%s.%N | run "$streams" 64x48 a.yuv -- --streams 3 --fps 30 --frames 45 --key-every 1 --stats stats me_backend=cpu \
    deadline=realtime cpu-used=-8 g=99999 >out
# Beside the first frames: 30 of the first stream, 10 and 40 of the second, 20 of the third.
keys=$(awk -F, 'FNR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next } { n += $at["key"] } END { print n + 0 }' stats/*.csv)
if [ "$keys" -eq 7 ]; then ok keys; else not_ok keys "$keys key frames"; fi
if echo 0 | "$streams" 64x48 a.yuv -- nosuch=1 >out 2>&1; then not_ok option "accepted"
elif grep -q nosuch out; then ok option; else not_ok option "$(cat out)"; fi

"$FFMPEG" -v error -nostdin -f lavfi -i testsrc2=s=640x360:r=30 -frames:v 30 -pix_fmt yuv420p -c:v ffv1 clips/b.mkv
density() { "$python" "$top/tools/density/density.py" "$1" --clips clips --sizes 640x360 --rates 500000 --seconds 1 "${@:2}" >log 2>&1; }
table() { awk -F'\t' -v name="$1" '/^#/ { next } !n++ { for (i = 1; i <= NF; i++) at[$i] = i; next } { print $at[name] }' t.tsv | paste -sd ' '; }
if density t.tsv --encoders stock:-8,cpu:-8 --budget 60; then ok table; else not_ok table "$(tail -n 1 log)"; fi
if [ "$(table encoder) $(table processes)" = "stock stock cpu cpu one many one many" ]; then ok rows; else not_ok rows "$(table encoder)"; fi
# The counted streams were in time, and more were not. On a busy machine the count may be 0.
if awk -F'\t' '/^#/ { next } !rows++ { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { n = $at["streams"]; bad += n && $at["p999"] > 33.34 || $at["fails_at"] != "" && $at["fails_at"] <= n || !$at["frames"] }
    END { exit bad || rows != 5 }' t.tsv; then ok carried; else not_ok carried "$(cat t.tsv)"; fi
before=$(cat t.tsv)
density t.tsv --encoders stock:-8,cpu:-8
if [ "$before" = "$(cat t.tsv)" ]; then ok not-again; else not_ok not-again "measured again"; fi
# No machine codes a frame in 0.1 ms.
rm t.tsv
density t.tsv --encoders cpu:-8 --processes one --fps 10000 --budget 20
if [ "$(table streams)" = 0 ]; then ok too-fast; else not_ok too-fast "$(table streams) streams"; fi
rm t.tsv
density t.tsv --encoders cpu:-8 --processes 2 --guess 3 --budget 20
if [ "$(table processes)" = 2 ]; then ok processes; else not_ok processes "$(table processes)"; fi
status=0
density u.tsv --encoders cpu:-8 --sizes 32x32 || status=$?
if [ $status -eq 1 ] && grep -q 'no clip in clips has 32x32 pixels' log; then ok no-clip; else not_ok no-clip "status $status"; fi
if [ -e "$BUILD_DIR/cudame/fake/libcuda.so.1" ]; then
    # The fake driver never returns results, so the CPU backend searches.
    if LD_LIBRARY_PATH=$BUILD_DIR/cudame/fake density g.tsv --encoders gpu:-8 --processes many --budget 15 && grep -q gpu g.tsv; then
        ok gpu
    else
        not_ok gpu "$(tail -n 1 log)"
    fi
else
    echo "skip gpu (this build has no CUDA backend)"
fi
