#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Usage: tests/clients/gstreamer.sh DEBIAN TREE, in an empty folder. GStreamer of the folder DEBIAN,
# with the libraries of TREE, encodes by the element avenc_vp8_cudame, sends the stream through RTP,
# and decodes it by libvpx. Prints a line for each test.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
debian=$1
tree=$2
ffmpeg=$tree/bin/ffmpeg
frames=100

gst() { "$here/in-debian" "$debian" "$tree" "$@"; }
check() { # $1: name, $2...: command
    if "${@:2}" >&2; then echo "ok $1"; else echo "not ok $1"; fi
}
fails() { ! "$@"; }

raw=(-f rawvideo -pix_fmt yuv420p -s 320x240)
"$ffmpeg" -v error -nostdin -f lavfi -i testsrc2=s=320x240:r=25 -frames:v $frames "${raw[@]}" in.yuv
# $1: what is between the payloader and the depayloader, $2: properties of the depayloader,
# $3...: properties of the encoder. Writes out.yuv and stats.csv.
transmit() {
    rm -f out.yuv stats.csv
    # The properties and elements are split into words on purpose.
    # shellcheck disable=SC2086
    gst gst-launch-1.0 -q filesrc location=in.yuv ! rawvideoparse format=i420 width=320 height=240 framerate=25/1 ! \
        avenc_vp8_cudame me-backend=cpu me-stats=stats.csv bitrate=200000 "${@:3}" ! \
        rtpvp8pay ! $1 ! rtpvp8depay $2 ! vp8dec ! filesink location=out.yuv
}
decoded() { echo $(($(stat -c %s out.yuv) / (320 * 240 * 3 / 2))); }
key_frames() { awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } NR > 1 { n += $at["key"] } END { print n + 0 }' stats.csv; }
like_source() { # whether out.yuv has all frames, with a PSNR of more than 30 dB
    [ "$(decoded)" = $frames ] && [ "$(wc -l <stats.csv)" = $((frames + 1)) ] &&
        "$ffmpeg" -v info -nostdin "${raw[@]}" -i out.yuv "${raw[@]}" -i in.yuv -lavfi '[0:v][1:v]psnr' -f null - 2>&1 |
        awk -F'average:' '/PSNR/ { print; good = $2 + 0 > 30 } END { exit !good }'
}

check element grep -F 'vp8_cudame encoder' < <(gst gst-inspect-1.0 avenc_vp8_cudame 2>&1)
check realtime transmit identity '' deadline=realtime cpu-used=-8 lag-in-frames=0
check realtime-decodes like_source
check constant transmit identity '' deadline=realtime cpu-used=-6 minrate=200000 maxrate=200000 bufsize=200000
check constant-decodes like_source
check lookahead transmit identity '' deadline=good cpu-used=2 lag-in-frames=16
check lookahead-decodes like_source
check best transmit identity '' preset=best
check best-decodes like_source
check option-refused fails transmit identity '' preset=nonsense

# If a packet is missing, the depayloader asks upstream for a key frame.
lossy=(deadline=realtime cpu-used=-8 lag-in-frames=0 error-resilient=default gop-size=3000)
check loss transmit 'identity drop-probability=0.05' request-keyframe=true "${lossy[@]}"
check loss-noticed [ "$(decoded)" -lt $frames ]
check loss-decodes [ "$(decoded)" -ge $((frames * 3 / 4)) ]
check loss-key-frames [ "$(key_frames)" -gt 1 ]
check loss-without-request transmit 'identity drop-probability=0.05' request-keyframe=false "${lossy[@]}"
check loss-without-request-key-frames [ "$(key_frames)" = 1 ]
