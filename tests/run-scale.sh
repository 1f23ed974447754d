#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# tools/chunks: chunks encoded by GNU parallel give the same file as one process.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# shellcheck source=tests/scale/lib.sh
. "$(dirname "$0")/scale/lib.sh"
cd "$scratch"
run() { chunks run "$@"; }

# ---- the same frames as one process ----------------------------------------

make_source -metadata title=film cfr.webm
# Frames of 40 and of 80 ms, and a few of a second. The file starts at 1.4 s, in units of 1/90000 s.
vary='setpts=(N+floor(N/2)+floor(N/50)*20+35)/25/TB,settb=1/90000'
make_source -vf "$vary" -fps_mode passthrough -enc_time_base filter vfr.nut
# Hidden frames (altref).
for pass in 1 2; do
    ff -f lavfi -i "$moving" -c:v libvpx -g 40 -deadline good -cpu-used 5 -auto-alt-ref 1 -lag-in-frames 20 \
        -b:v 100k -pass $pass alt-ref.webm
done
# One key frame.
make_source -g 9999 long.mkv
# Sound that starts before the video.
ff -f lavfi -i sine=d=10 -itsoffset 0.5 -i cfr.webm -map 1:v -map 0:a -c:v copy -c:a pcm_s16le \
    -metadata:s:a:0 language=fin sound.mkv

for name in cfr.webm vfr.nut alt-ref.webm long.mkv sound.mkv; do
    # Lossless, so that every pixel is compared.
    expect "run-$name" run "$name" "$name.mkv" --seconds 2 --workers 3 -- -c:v ffv1
    whole "$name" "$name.whole.mkv" -c:v ffv1 -map 0:a? -c:a copy
    pictures "$name.mkv" >"$name.is"
    pictures "$name.whole.mkv" >"$name.should"
    if [ "$(wc -l <"$name.is")" -eq $source_frames ]; then ok "count-$name"; else not_ok "count-$name" "$(wc -l <"$name.is") frames"; fi
    same "frames-$name" "$name.is" "$name.should"
    if [ ! -e "$name.mkv.chunks" ]; then ok "cleaned-$name"; else not_ok "cleaned-$name" "chunks are left"; fi
done

if [ -n "$CLIPS" ]; then
    # H.264 with B-frames
    for clip in "$CLIPS"/cif_*.mkv; do
        ff -i "$clip" -map 0:v:0 -c copy -frames:v 200 clip.mkv
        expect run-h264 run clip.mkv clip.out.mkv --seconds 3 --workers 2 -- -c:v ffv1
        whole clip.mkv clip.whole.mkv -c:v ffv1
        pictures clip.out.mkv >clip.is
        pictures clip.whole.mkv >clip.should
        same frames-h264 clip.is clip.should
    done
else
    echo "skip run-h264 (CLIPS has no clips)"
fi

# ---- the same bytes for any number of workers ------------------------------

expect one-worker run cfr.webm one.webm --seconds 2 --workers 1 --keep -- "${encoder[@]}"
expect four-workers run cfr.webm four.webm --seconds 2 --workers 4 -- "${encoder[@]}"
same workers one.webm four.webm
chunks=$(find one.webm.chunks -name 'chunk-*.mkv' | wc -l)
if [ "$chunks" -eq 3 ]; then ok cut; else not_ok cut "$chunks chunks"; fi
# Without an engine, from the last chunk to the first.
expect plan chunks plan cfr.webm by-hand.webm --seconds 2 -- "${encoder[@]}"
expect by-hand chunks encode by-hand.webm.chunks $(seq $((chunks - 1)) -1 0)
expect join chunks join by-hand.webm.chunks
same by-hand-bytes one.webm by-hand.webm
whole cfr.webm whole.webm "${encoder[@]}"
times one.webm >is
times whole.webm >should
same times is should
expect two-passes run cfr.webm two.webm --seconds 2 --passes 2 -- -c:v vp8_cudame -me_backend cpu -deadline good \
    -cpu-used 5 -auto-alt-ref 1 -lag-in-frames 16 -b:v 100k
times two.webm >is
same two-passes-times is should
packets=$("$FFPROBE" -v error -count_packets -show_entries stream=nb_read_packets -of csv=p=0 two.webm)
if [ "$packets" -gt $source_frames ]; then ok hidden-frames; else not_ok hidden-frames "$packets packets"; fi

# ---- sound and metadata ----------------------------------------------------

streams() { "$FFPROBE" -v error -show_entries "$2" -of csv=p=0 "$1" | sort; }
sound() { ff -copyts -i "$1" -map 0:a -c copy -f framecrc -; }
sound sound.mkv >should
sound sound.mkv.mkv >is
same sound-packets is should
if streams sound.mkv.mkv stream_tags=language | grep fin >/dev/null; then ok language; else not_ok language "lost"; fi
if streams one.webm format_tags=title | grep film >/dev/null; then ok title; else not_ok title "lost"; fi
expect sound-coded run sound.mkv coded.mkv --seconds 2 --rest '-c:a pcm_s16le -ar 22050' -- -c:v ffv1
if streams coded.mkv stream=sample_rate | grep 22050 >/dev/null; then ok sound-options; else not_ok sound-options "ignored"; fi
ff -f lavfi -i "$moving,setsar=4/3" -c:v libvpx -b:v 200k sar.webm
expect sar run sar.webm sar.out.webm --seconds 4 -- "${encoder[@]}"
streams sar.webm stream=sample_aspect_ratio >should
streams sar.out.webm stream=sample_aspect_ratio >is
if grep -q 160 should; then same sar-kept is should; else not_ok sar-kept "the source has none"; fi
expect filter run cfr.webm small.webm --seconds 4 --filter scale=80:48 -- "${encoder[@]}"
if [ "$(streams small.webm stream=width,height)" = 80,48 ]; then ok filtered; else not_ok filtered "another size"; fi

# ---- processes that die, and resuming --------------------------------------

# killer WHO: makes a program that acts as ffmpeg, and once, in the middle of chunk 1, kills ffmpeg
# (WHO is ffmpeg) or ffmpeg and its worker (WHO is worker).
killer() {
    cat >"killed-$1" <<END
#!/bin/bash
if [[ "\$*" == *chunk-00001.*part* ]] && mkdir "died-$1" 2>/dev/null; then
    "$FFMPEG" -readrate 1 "\$@" &
    sleep 0.7
    if [ $1 = worker ]; then kill -9 \$PPID; fi
    kill -9 \$!
    wait \$!
    exit
fi
exec "$FFMPEG" "\$@"
END
    chmod +x "killed-$1"
}
for who in ffmpeg worker; do
    killer $who
    FFMPEG=$PWD/killed-$who expect "killed-$who" run cfr.webm "killed-$who.webm" --seconds 2 --workers 2 -- "${encoder[@]}"
    if [ -d "died-$who" ]; then ok "died-$who"; else not_ok "died-$who" "nothing was killed"; fi
    same "killed-$who-bytes" one.webm "killed-$who.webm"
done
# The whole command was stopped: chunks that are finished are not encoded again.
chunks plan cfr.webm again.webm --seconds 2 -- "${encoder[@]}" >&2
chunks encode again.webm.chunks 0 2 >&2
before=$(stat -c '%i %y' again.webm.chunks/chunk-0000[02].mkv)
touch again.webm.chunks/chunk-00001.here.1.part # left by a machine that was switched off
expect again run cfr.webm again.webm --seconds 2 --keep -- "${encoder[@]}"
if [ "$before" = "$(stat -c '%i %y' again.webm.chunks/chunk-0000[02].mkv)" ]; then ok not-again; else not_ok not-again "coded again"; fi
same again-bytes one.webm again.webm
# A demuxer that seeks to a later frame than it should.
cat >late <<END
#!/bin/bash
words=()
for word; do
    if [ "\$before" = -ss ] && mkdir late-once 2>/dev/null; then word=\$(awk "BEGIN { print \$word + 4 }"); fi
    words+=("\$word")
    before=\$word
done
exec "$FFMPEG" "\${words[@]}"
END
chmod +x late
FFMPEG=$PWD/late expect late-seek run cfr.webm late.webm --seconds 2 --keep -- "${encoder[@]}"
same late-bytes one.webm late.webm
if grep -q 'behind a seek' late.webm.chunks/*.log; then ok late-noticed; else not_ok late-noticed "not in a log"; fi

# ---- errors ----------------------------------------------------------------

fails() { # NAME PATTERN COMMAND...
    local status=0
    "${@:3}" >log 2>&1 || status=$?
    if [ $status -ne 1 ] && [ $status -ne 2 ]; then
        not_ok "$1" "status $status" log
    elif ! grep -qE -- "$2" log || grep -q Traceback log; then
        not_ok "$1" "no message like $2" log
    else
        ok "$1"
    fi
}
fails no-input 'nothing.webm: no such file' run nothing.webm x.webm
ff -f lavfi -i sine=d=1 -c:a pcm_s16le only-sound.mkv
fails only-sound 'only-sound.mkv has no video' run only-sound.mkv x.webm
fails container 'x.avi: the result is .webm or .mkv' run cfr.webm x.avi
fails option 'the encoder: .*nosuch' run cfr.webm x.webm -- -c:v vp8_cudame -nosuch 1
fails value 'the encoder: .*cpu-used' run cfr.webm x.webm -- -c:v vp8_cudame -cpu-used 99
fails filter-word 'the encoder: .*nosuch' run cfr.webm x.webm --filter nosuch
fails pass '-pass is not the encoder' run cfr.webm x.webm -- -c:v vp8_cudame -pass 1
fails seconds 'above zero' run cfr.webm x.webm --seconds 0
fails workers 'above zero' run cfr.webm x.webm --workers 0
fails sound-codec 'the streams beside the video: ' run sound.mkv x.webm -- "${encoder[@]}"
fails frames-lost 'frames were coded of ' run cfr.webm lost.webm --seconds 5 --filter fps=5 -- "${encoder[@]}"
fails other-options 'is of another options' run cfr.webm again.webm --seconds 2 -- -c:v ffv1
fails no-plan 'holds no plan' chunks encode nowhere 0
fails no-chunk 'there is no chunk 99' chunks encode again.webm.chunks 99
rm again.webm.chunks/chunk-00001.mkv
fails join-early '1 of [0-9]* chunks are missing, the first is 1' chunks join again.webm.chunks
sed -i '65s/0x.*/0x00000000/' again.webm.chunks/frames.txt
fails other-pictures 'chunk 1: the file is decoded differently each time' chunks encode again.webm.chunks 1
touch cfr.webm
fails other-input 'cfr.webm has changed since it was cut' chunks encode again.webm.chunks 1
# A stream without its first packet has no key frame.
"$python" - <<'END'
import os, subprocess
subprocess.run([os.environ["FFMPEG"], "-v", "error", "-i", "long.mkv", "-c", "copy", "long.ivf"], check=True)
data = open("long.ivf", "rb").read()
size = int.from_bytes(data[32:36], "little")
open("no-key.ivf", "wb").write(data[:32] + data[44 + size:])
END
fails no-key-frame 'no-key.ivf has no key frame to decode from' run no-key.ivf x.webm
mkdir bare
fails no-parallel 'GNU parallel is missing' env PATH="$PWD/bare" "$python" "$tool" run cfr.webm x.webm
fails no-slurm "Slurm's sbatch is missing" env PATH="$PWD/bare" "$python" "$tool" run cfr.webm x.webm --engine slurm
