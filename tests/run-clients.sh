#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Programs that use the shared libraries in $BUILD_DIR/clients/tree: PyAV and mpv, built against
# them, GStreamer and aiortc, as Debian built them. They ask for the encoder by its name.
set -euo pipefail

here=$(cd "$(dirname "$0")/clients" && pwd)
clients=$BUILD_DIR/clients
tree=$clients/tree
: "${PYTHON:=/usr/bin/python3}"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

DL=$BUILD_DIR/dl APT=$BUILD_DIR/apt "$here/build" "$tree" "$clients" >&2

export LD_LIBRARY_PATH=$tree/lib:$clients/lib
ffmpeg=$tree/bin/ffmpeg

PYTHONPATH=$clients/pyav "$PYTHON" "$here/pyav.py" "$ffmpeg" | sed -E 's,^(ok|not ok) ,\1 pyav-,'

# ---- mpv -------------------------------------------------------------------

check() { # $1: name, $2...: command
    if "${@:2}" >&2; then echo "ok mpv-$1"; else echo "not ok mpv-$1"; fi
}
fails() { ! "$@"; }
mpv() {
    "$clients/mpv/mpv" --no-config --no-audio --term-status-msg= in.y4m --o="$1" --ovc="$2" --ovcopts="$3"
}
frames() {
    "$tree/bin/ffprobe" -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 "$1"
}
like_source() { # $1: file. Whether it has all frames, with a PSNR of more than 30 dB.
    [ "$(frames "$1")" = 50 ] &&
        "$ffmpeg" -v info -nostdin -i "$1" -i in.y4m -lavfi '[0:v][1:v]psnr' -f null - 2>&1 |
        awk -F'average:' '/PSNR/ { print; good = $2 + 0 > 30 } END { exit !good }'
}
"$ffmpeg" -v error -nostdin -f lavfi -i testsrc2=s=320x240:r=25:d=2 -pix_fmt yuv420p in.y4m
check realtime mpv rt.webm vp8_cudame b=600k,deadline=realtime,cpu-used=-8,me_backend=cpu,me_stats=rt.csv
check realtime-decodes like_source rt.webm
check realtime-is-ours [ "$(wc -l <rt.csv)" = 51 ]
check best mpv best.webm vp8_cudame b=600k,deadline=best,auto-alt-ref=1,lag-in-frames=16,me_backend=cpu
check best-decodes like_source best.webm
# mpv only warns of an option that it cannot set.
check option-refused grep "Could not set AVOption cuda_me='nonsense'" \
    < <(mpv no.webm vp8_cudame b=600k,cuda_me=nonsense 2>&1)
check other-name fails mpv no.webm vp8_cudame_not b=600k

# ---- GStreamer -------------------------------------------------------------

mkdir gstreamer
(cd gstreamer && "$here/gstreamer.sh" "$clients/debian" "$tree") | sed -E 's,^(ok|not ok) ,\1 gstreamer-,'

# ---- aiortc and Chromium ---------------------------------------------------

"$ffmpeg" -v error -nostdin -f lavfi -i testsrc2=s=640x360:r=25,noise=alls=12:allf=t -frames:v 50 \
    -f rawvideo -pix_fmt yuv420p in.yuv
webrtc() { # $1: mode, $2: a folder for PYTHONPATH
    PYTHONPATH=$2 "$here/in-debian" "$clients/debian" "$tree" python3.13 -B "$here/webrtc.py" "$1" in.yuv |
        sed -E "s,^(ok|not ok) ,\\1 aiortc-$1-,"
}
webrtc unchanged ''
webrtc changed "$clients/aiortc"
