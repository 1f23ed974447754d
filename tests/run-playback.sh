#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# A headless Chromium plays our WebM files (tools/play), and a second process receives our RTP
# stream.
set -euo pipefail

top=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$scratch"' EXIT
cd "$scratch"
frames=75

ff() { "$FFMPEG" -v error -nostdin -y "$@"; }
ours() { # $1: filters, $2...: options and file
    ff -f lavfi -i "$1" -frames:v $frames -c:v vp8_cudame -me_backend cpu -b:v 400k -g 30 "${@:2}"
}
play() { # $1: name, $2...: arguments of play.py
    if "$top/tools/play/play.py" "${@:2}" >&2; then echo "ok $1"; else echo "not ok $1"; fi
}
refuses() { # $1: name, $2: what it says, $3...: arguments of play.py
    local said
    if said=$("$top/tools/play/play.py" "${@:3}" 2>&1); then
        echo "not ok $1 (it plays)"
    elif grep -q "$2" <<<"$said"; then
        echo "ok $1"
    else
        echo "not ok $1 ($said)"
    fi
}

# ---- Chromium --------------------------------------------------------------

moving=testsrc2=s=320x240:r=25
# A slow zoom, for which hidden frames pay.
zoom=mandelbrot=s=320x240:r=25:start_scale=0.4:end_scale=0.3:end_pts=200,format=yuv420p
# A small picture; the area around it is transparent.
alpha="color=c=black@0:s=320x240:r=25,format=yuva420p[empty]; testsrc2=s=160x120:r=25,format=yuva420p[small];
       [empty][small]overlay=80:60:format=auto,format=yuva420p"

ours $moving -deadline best opaque.webm
play opaque opaque.webm=$frames
ours $moving -deadline realtime -cpu-used -8 -lag-in-frames 0 -error-resilient default realtime.webm
play realtime realtime.webm=$frames
# has_hidden NAME FILE: the file has hidden frames, so it has more packets than frames
has_hidden() {
    local packets
    packets=$("$FFPROBE" -v error -count_packets -show_entries stream=nb_read_packets -of csv=p=0 "$2")
    if [ "$packets" -gt $frames ]; then echo "ok $1"; else echo "not ok $1 ($packets packets)"; fi
}
# In one pass by default, in two passes with auto-alt-ref.
ours $zoom -deadline best hidden.webm
has_hidden hidden-frames hidden.webm
play hidden hidden.webm=$frames
for pass in 1 2; do
    ours $zoom -deadline good -cpu-used 2 -auto-alt-ref 1 -lag-in-frames 25 -pass $pass twopass.webm
done
has_hidden hidden-frames-of-two-passes twopass.webm
play two-pass twopass.webm=$frames
ours "$alpha" -deadline good -auto-alt-ref 0 alpha.webm
play alpha --alpha alpha.webm=$frames

# The checks above can fail.
refuses frames-counted "75 frames of 76" opaque.webm=76
refuses alpha-looked-at "alpha is 255" --alpha opaque.webm
head -c 20000 opaque.webm >cut.webm
refuses cut-noticed "cut.webm: " cut.webm=$frames

# ---- RTP -------------------------------------------------------------------

md5() { ff "$@" -map 0:v -fps_mode passthrough -f framemd5 - | awk '!/^#/ { print $NF }'; }
rtp() { # $1: name, $2...: options
    local port status=0
    # RTP takes an even port, and RTCP the next one.
    port=$((20000 + 2 * (RANDOM % 5000)))
    printf '%s\n' v=0 'o=- 0 0 IN IP4 127.0.0.1' s=test 'c=IN IP4 127.0.0.1' t=0\ 0 \
        "m=video $port RTP/AVP 96" 'a=rtpmap:96 VP8/90000' >rtp.sdp
    # One thread: more would hold frames back until others arrive.
    md5 -threads 1 -protocol_whitelist file,udp,rtp -buffer_size 4000000 -i rtp.sdp -frames:v $frames >received &
    local receiver=$!
    sleep 1
    # Write the stream twice: to RTP, and to a file to compare with.
    ff -re -f lavfi -i $moving -frames:v $frames -map 0:v -c:v vp8_cudame -me_backend cpu -b:v 400k -g 30 \
        "${@:2}" -flags +global_header -f tee "[f=rtp]rtp://127.0.0.1:$port|[f=ivf]sent.ivf" >&2
    for _ in $(seq 100); do
        kill -0 $receiver 2>/dev/null || break
        sleep .1
    done
    kill $receiver 2>/dev/null || true
    wait $receiver || status=$?
    md5 -i sent.ivf >sent
    if [ $status -ne 0 ]; then
        echo "not ok $1 (the receiver ends with $status, after $(wc -l <received) frames)"
    elif [ "$(wc -l <sent)" = $frames ] && cmp -s sent received; then
        echo "ok $1"
    else
        echo "not ok $1 ($(wc -l <received) frames arrive, $(comm -12 <(sort sent) <(sort received) | wc -l) as sent)"
    fi
}
if "$FFMPEG" -v error -muxers | grep ' rtp ' >/dev/null; then
    rtp rtp-realtime -deadline realtime -cpu-used -8 -lag-in-frames 0
    rtp rtp-good -deadline good -cpu-used 4
else
    echo "not ok rtp (this ffmpeg has no RTP: configure without --minimal)"
fi
