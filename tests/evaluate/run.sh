#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# A tiny evaluation: it is made, continued, and repeated for another commit.
set -euo pipefail

evaluate=$(cd "$(dirname "$0")/../../tools/evaluate" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export COMMIT=aaaa
"$FFMPEG" -v error -f lavfi -i 'testsrc2=s=96x80:r=25,noise=alls=8:all_seed=1' -frames:v 6 -pix_fmt yuv420p \
    -f yuv4mpegpipe "$work/bars.y4m"
run() {
    "$evaluate/evaluate.py" --plan tiny --clips "$work/bars.y4m" --out "$work/out" --work "$work/raw" "$@" >>"$work/log" 2>&1
}
rows() { grep -vc '^#' "$work/out/$1.tsv"; }
told() { # $1: name, then a command
    local name=$1
    shift
    if "$@"; then echo "ok evaluate-$name"; else
        echo "not ok evaluate-$name"
        bad=1
        tail -n 20 "$work/log" >&2
    fi
}
bad=0
made() {
    run && [ "$(rows quantizers)" = 7 ] && [ "$(rows latency)" = 3 ] &&
        grep -q "^bars	ours	-8	b[0-9]*k	1	9	1	aaaa	" "$work/out/bitrates.tsv"
}
# Rows that exist do not change; a row that is missing is measured.
continued() {
    local before
    before=$(sort "$work/out/quantizers.tsv" | grep -v "	q30	")
    sed -i '/	q30	/d' "$work/out/quantizers.tsv"
    run --part quantizers && [ "$(rows quantizers)" = 7 ] &&
        [ "$(sort "$work/out/quantizers.tsv" | grep -v "	q30	")" = "$before" ]
}
# For another commit our rows are measured again; stock's rows stay, except those of times.
renewed() {
    local stock
    stock=$(grep "^bars	stock" "$work/out/quantizers.tsv" | sort)
    COMMIT=bbbb run && ! grep -q "	aaaa	" "$work"/out/*.tsv && [ "$(rows quantizers)" = 7 ] &&
        [ "$(grep "^bars	stock" "$work/out/quantizers.tsv" | sort)" = "$stock" ] &&
        [ "$(grep -c '^# run' "$work/out/latency.tsv")" = 1 ]
}
page() {
    "$evaluate/pages.py" --tables "$work/out" --to "$work/out" >>"$work/log" 2>&1 &&
        grep -q "^| bars | [−+0-9]" "$work/out/results.md"
}
limited() {
    local status=0
    rm "$work/out/quantizers.tsv"
    run --part quantizers --limit 0.001 || status=$?
    [ "$status" = 3 ] && [ "$(rows quantizers)" = 1 ]
}
told made made
told continued continued
told renewed renewed
told page page
told limited limited
exit $bad
