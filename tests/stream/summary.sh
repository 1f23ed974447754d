#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# me_stats and the summary at the end of the log count each macroblock once, equally with one and
# with four threads. They say which backend searched the frames, and why another one did not.
# Options are split into words on purpose.
# shellcheck disable=SC2046,SC2086
. "$(dirname "$0")/lib.sh"

clip in.yuv 130x98 40
mbs=63 # 9 x 7

encode() { # NAME OPTIONS...
    local name=$1
    shift
    eight_cores ff -v verbose $(raw in.yuv 130x98) -c:v vp8_cudame -b:v 100k "$@" -me_stats $name.csv \
        -f null - || { show_log; return 1; }
    sed -n 's/^\[vp8_cudame @ [^]]*\] //p' log | grep -E '^([0-9]+ frames: |Waited|[0-9]+ macroblocks: |Modes in )' >$name.summary
}
# wrong_sums FILE: prints which columns of me_stats contradict each other, or nothing
wrong_sums() {
    awk -F, -v mbs=$mbs '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        function v(name) { return $at[name] }
        function inter() { return v("zero") + v("nearest") + v("near") + v("new") + v("split") }
        function segments() { return v("segment0") + v("segment1") + v("segment2") + v("segment3") }
        v("macroblocks") != mbs                               { print "macroblocks"; exit }
        inter() + v("intra16x16") + v("intra4x4") != mbs      { print "modes"; exit }
        v("ref_last") + v("ref_golden") + v("ref_altref") != inter() { print "references"; exit }
        v("guided") > mbs || v("untried") > v("guided")       { print "guided"; exit }
        v("guided") - v("untried") > v("evaluated")           { print "evaluated"; exit }
        v("key") && inter()                                   { print "key frame"; exit }
        v("skipped") > mbs                                    { print "skipped"; exit }
        segments() && segments() != mbs                       { print "segments"; exit }
        !segments() && v("quantizer") != v("quantizer3")      { print "quantizers"; exit }
        v("golden") && v("key")                               { print "golden"; exit }' "$1"
}
# sum COLUMN FILE: prints the sum of a column
sum() {
    awk -F, -v name=$1 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == name) at = i; next }
        { n += $at } END { print n + 0 }' $2
}
# counts NAME: prints the summary without times
counts() { grep -v '^Waited' $1.summary; }

# summary NAME OPTIONS...: tests the counts of an encode
summary() {
    local name=$1 frames macroblocks why
    shift
    encode one -me_backend $ME_BACKEND -threads 1 "$@" && encode four -me_backend $ME_BACKEND -threads 4 "$@" ||
        { not_ok "$name" failed; return; }
    frames=$(($(wc -l <one.csv) - 1))
    macroblocks=$((frames * mbs))
    why=$(wrong_sums one.csv)
    if [ -n "$why" ]; then
        not_ok "$name" "columns do not add up: $why"
    elif ! cmp -s <(cut -d, -f1,4,16- one.csv) <(cut -d, -f1,4,16- four.csv); then
        not_ok "$name" "counts with four threads differ"
    elif [ "$(wc -l <one.summary)" != 4 ] || [ "$(counts one)" != "$(counts four)" ]; then
        not_ok "$name" "no summary, or another one with four threads"
    elif ! grep -qE "^$frames frames: $(sum key one.csv) key, .*, $(sum hidden one.csv) hidden$" one.summary ||
        ! grep -q "^$macroblocks macroblocks: " one.summary; then
        sed 's/^/#   /' one.summary
        not_ok "$name" "the summary counts other frames"
    elif ! grep -q 'fallbacks: none$' one.summary; then
        not_ok "$name" "the backend fell back"
    else
        ok "$name"
    fi
}
# The summary has a line that matches.
says() { # NAME PATTERN
    if grep -qE "$2" one.summary; then ok "$1"; else sed 's/^/#   /' one.summary; not_ok "$1" "not: $2"; fi
}

summary best $(speed best)
says best-searched "inter \([0-9, a-z]*[1-9][0-9]* by $ME_BACKEND"
summary altref $(speed good2) -auto-alt-ref 1 -enc_time_base 1:1000 -lag-in-frames 12
says altref-hidden '[1-9][0-9]* golden, [1-9][0-9]* hidden$'
summary rt8 $(speed rt8) -g 15
summary rt16 $(speed rt16) -error-resilient default
says rt16-segments 'segments: 0 '
summary unguided $(speed good5) -guide off
says unguided-guide ': 0.0 % guided, 0.0 % without evaluation'
summary profile3 $(speed good2) -profile:v 3
says profile3-searched 'inter \([1-9][0-9]* by libvpx\);'

if [ -n "${FAKE_CUDA:-}" ] && [ "$ME_BACKEND" = cpu ]; then
    # The driver fails from its eighth call on.
    on_driver "$FAKE_CUDA" 8 719 1 encode one -me_backend auto -me_cuda_after 0 -threads 1 || not_ok fallback failed
    says fallback 'fallbacks: cuda to cpu \(.+\)$'
    on_driver "$FAKE_CUDA" -1 0 0 encode one -me_backend cuda -threads 1 || not_ok fallback-libvpx failed
    says fallback-libvpx 'fallbacks: to libvpx \(.+\)$'
fi

# No summary without a provider, and none if it is not asked for.
ff -v verbose $(raw in.yuv 130x98) -c:v vp8_cudame -cuda_me off -b:v 100k -f null - || show_log
if grep -q 'macroblocks: ' log; then not_ok off "there is a summary"; else ok off; fi
ff -v info $(raw in.yuv 130x98) -c:v vp8_cudame -me_backend $ME_BACKEND -b:v 100k -f null - || show_log
if grep -q 'macroblocks: ' log; then not_ok quiet "there is a summary"; else ok quiet; fi
exit $failed
