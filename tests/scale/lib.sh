# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
# Variables set here are for the caller.
# shellcheck disable=SC2034
#
# Shared by the tests of tools/chunks, which write to their current folder. FFMPEG and FFPROBE are
# the programs.

tool=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../tools/chunks" && pwd)/chunks.py
# The interpreter itself: a wrapper such as pyenv's takes longer than the tool.
python=$(python3 -c 'import sys; print(sys.executable)')
chunks() { "$python" "$tool" "$@"; }
export FFMPEG FFPROBE
encoder=(-c:v vp8_cudame -me_backend cpu -deadline realtime -cpu-used -8 -threads 1 -b:v 200k)

ff() { "$FFMPEG" -v error -nostdin -y "$@"; }
ok() { echo "ok $1"; }
not_ok() { # NAME WHY [FILE]: prints FILE, too
    echo "not ok $1 ($2)"
    if [ $# -gt 2 ]; then sed 's/^/# /' "$3"; fi
}
expect() { # NAME COMMAND...: the command must succeed
    if "${@:2}" >"$1.log" 2>&1; then ok "$1"; else not_ok "$1" "failed" "$1.log"; fi
}
same() { # NAME FILE FILE
    if cmp "$2" "$3" >&2; then ok "$1"; else not_ok "$1" "$2 and $3 differ"; fi
}
# pictures FILE: the time and the checksum of each frame
pictures() { ff -i "$1" -map 0:v:0 -fps_mode passthrough -enc_time_base demux -f framecrc - | grep -v '^#'; }
# times FILE: the time of each frame, from the start of the file
times() { "$FFPROBE" -v error -select_streams v:0 -show_entries frame=pts_time -of csv=p=0 "$1" | tr -d ,; }
whole() { # IN OUT OPTION...: encodes without chunks
    ff -i "$1" -map 0:v:0 -fps_mode passthrough -enc_time_base demux "${@:3}" "$2"
}

# Six seconds of motion with a scene cut; make_source sets a key frame each 1.2 s.
moving="testsrc2=s=160x96:r=25:d=3[a];mandelbrot=s=160x96:r=25,trim=duration=3[b];[a][b]concat,format=yuv420p"
source_frames=150
make_source() { # OUT OPTION...
    ff -f lavfi -i "$moving" -c:v libvpx -g 30 -deadline realtime -cpu-used -8 -b:v 200k "$@"
}
