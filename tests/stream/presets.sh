#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# A preset makes the same bytes as the options that it stands for. An option that is given as well
# takes precedence, also if its value is libvpx's default.
# Options are split into words on purpose, and A && B || C means: C if A or B fails.
# shellcheck disable=SC2046,SC2086,SC2015
. "$(dirname "$0")/lib.sh"

zoom qcif.yuv 176x144 12

encode() {
    local out=$1
    shift
    ff -v verbose $(raw qcif.yuv 176x144) -c:v vp8_cudame -me_backend $ME_BACKEND -threads 1 \
        -b:v 120k "$@" -f ivf "$out"
}

# same NAME SETTINGS OPTIONS...: OPTIONS make the stream of SETTINGS, and the same line in the log
same() {
    local name=$1 settings=$2 says
    shift 2
    encode a.ivf $settings || { show_log; not_ok "$name" "failed without a preset"; return; }
    says=$(grep -o 'deadline .*, cuda_me .*' log)
    encode b.ivf "$@" || { show_log; not_ok "$name" "failed"; return; }
    if ! cmp -s a.ivf b.ivf; then
        not_ok "$name" "not the stream of $settings"
    elif [ -z "$says" ] || ! grep -qF "$says" log; then
        not_ok "$name" "the log does not say: $says"
    else
        ok "$name"
    fi
}

# differ NAME SETTINGS OPTIONS...: the streams differ; otherwise "same" would prove nothing
differ() {
    local name=$1 settings=$2
    shift 2
    encode a.ivf $settings && encode b.ivf "$@" || { show_log; not_ok "$name" "failed"; return; }
    if cmp -s a.ivf b.ivf; then not_ok "$name" "the stream of $settings"; else ok "$name"; fi
}

same none "" -preset none
same none-given "$(speed rt8)" -preset none $(speed rt8)
while read -r preset settings; do
    same $preset "$(speed $settings)" -preset $preset
done <<'END'
best best
slow good1
medium good2
fast good5
live rt8
livefast rt16
END

same cpu-used "$(speed good4)" -preset medium -cpu-used 4
same cpu-used-before "$(speed rt4)" -cpu-used -4 -preset live
same cpu-used-default "$(speed good1)" -preset fast -cpu-used 1
same speed "$(speed rt12)" -preset live -speed -12
same deadline-same "$(speed good5)" -preset fast -deadline good
# The cpu-used of a preset is for its own deadline: with another deadline it is not used.
same deadline-other "-deadline good" -preset live -deadline good
same quality "$(speed best)" -preset live -quality best
same both "$(speed good3)" -preset live -deadline good -cpu-used 3
same search "$(speed good2) -me_search diamond" -preset medium -me_search diamond
same guide "$(speed rt8) -guide off" -preset live -guide off
same off "$(speed rt8) -cuda_me off" -preset live -cuda_me off
differ best-live "$(speed best)" -preset live
differ slow-fast "-preset slow" -preset fast

# Both of two passes.
pass() {
    local out=$1
    shift
    encode $out "$@" -auto-alt-ref 1 -lag-in-frames 8 -pass 1 -passlogfile $out &&
        encode $out "$@" -auto-alt-ref 1 -lag-in-frames 8 -pass 2 -passlogfile $out
}
if pass a.ivf $(speed good5) && pass b.ivf -preset fast && cmp -s a.ivf b.ivf && cmp -s a.ivf-0.log b.ivf-0.log
then ok two-passes; else show_log; not_ok two-passes "not the stream of $(speed good5)"; fi

# The internal options that tell which options were given are not shown, and the encoder libvpx has
# no options of ours.
ff -h encoder=vp8_cudame
for option in deadline quality cpu-used speed preset; do
    n=$(grep -c -- "^ *-$option " log)
    if [ "$n" -eq 1 ]; then ok help-$option; else not_ok help-$option "shown $n times"; fi
done
ff -h encoder=libvpx
if grep -qE -- '-(preset|cuda_me) |from -17' log; then not_ok libvpx "it has options of ours"; else ok libvpx; fi

# The encoder has all options of libvpx. An option that works differently has another help text.
names() { grep -oE '^ +-[^ ]+' log | sort; }
names >theirs
ff -h encoder=vp8_cudame
names >ours
missing=$(comm -23 theirs ours | xargs)
if [ -s theirs ] && [ -z "$missing" ]; then ok help-all; else not_ok help-all "without $missing"; fi
if grep -q -- '-lag-in-frames .*(-1: 25; in one pass 0 at realtime, .*(from -1 to 25)' log; then ok help-lag; else not_ok help-lag "no default"; fi
if grep -q -- '-auto-alt-ref .*or with a lookahead' log; then ok help-auto-alt-ref; else not_ok help-auto-alt-ref "2-pass only"; fi

if encode a.ivf -preset quick; then not_ok unknown "accepted"; else ok unknown; fi
exit $failed
