#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Every frame that goes in comes out. FFmpeg's and libvpx's decoders make the same frames. These
# frames are the encoder's own reconstruction: the squared errors that the encoder reports for each
# frame and plane are exactly those of the decoded frames. (Packets carry the errors as side data,
# and framemd5 prints the MD5 sum of that. So this script computes the errors, lays them out as the
# encoder does, and compares the MD5 sums.)
# Options are split into words on purpose, and A && B || C means: C if A or B fails.
# shellcheck disable=SC2046,SC2086,SC2015
. "$(dirname "$0")/lib.sh"

: "${FFPROBE:?the ffprobe to test}"

# le BYTES NUMBER: prints octal escapes of a little-endian number
le() {
    local i v=$2
    for ((i = 0; i < $1; i++)); do
        printf '\\%03o' $((v & 255))
        v=$((v >> 8))
    done
}

# sse A B WIDTH HEIGHT FRAMES: prints a line "y u v" with the squared errors of each frame
sse() {
    head -c "$(wc -c <"$2")" "$1" | cmp -l - "$2" | awk -v w="$3" -v h="$4" -v n="$5" '
        function octal(s) { return int(s / 100) * 64 + int(s / 10) % 10 * 8 + s % 10 }
        BEGIN { y = w * h; c = int((w + 1) / 2) * int((h + 1) / 2); f = y + 2 * c }
        {
            at = $1 - 1; frame = int(at / f); at -= frame * f
            plane = at < y ? 0 : at < y + c ? 1 : 2
            d = octal($2) - octal($3)
            e[frame, plane] += d * d
        }
        END { for (i = 0; i < n; i++) printf "%d %d %d\n", e[i, 0], e[i, 1], e[i, 2] }'
}

# explains MD5 Y U V: whether side data with these errors can have this MD5 sum. The side data is:
# quality (32 bits), picture type (8 bits), number of errors (8 bits), 16 unused bits, 64 bits for
# each error. The quality is a multiple of 118 and not known here, so all its values are tried.
explains() { # MD5 Y U V
    local type q errors
    errors="\\003\\000\\000$(le 8 "$2")$(le 8 "$3")$(le 8 "$4")"
    for type in 1 2; do
        for ((q = 0; q < 64; q++)); do
            # shellcheck disable=SC2059
            printf "${quality[q]}\\00$type$errors" >"guess/$type-$q"
        done
    done
    md5sum guess/* | grep "^$1" >guessed
}

mkdir -p guess
quality=()
for ((q = 0; q < 64; q++)); do quality+=("$(le 4 $((q * 118)))"); done

# check NAME CLIP WIDTH HEIGHT FRAMES OPTIONS...: tests one encode
check() {
    local name=$1 clip=$2 w=$3 h=$4 n=$5 cw ch count i=0
    shift 5
    ff $(raw "$clip" "${w}x$h") -frames:v "$n" -c:v vp8_cudame -me_backend $ME_BACKEND "$@" -f ivf out.ivf ||
        { show_log; not_ok "$name" "encoder failed"; return; }
    ff -c:v vp8 -i out.ivf -fps_mode passthrough -f rawvideo a.yuv &&
        ff -c:v libvpx -i out.ivf -fps_mode passthrough -f rawvideo b.yuv ||
        { show_log; not_ok "$name" "decoder failed"; return; }
    cmp -s a.yuv b.yuv || { not_ok "$name" "the decoders differ"; return; }
    count=$("$FFPROBE" -v error -count_frames -show_entries stream=nb_read_frames -of csv=p=0 out.ivf)
    [ "$count" = "$n" ] || { not_ok "$name" "$n frames in, $count out"; return; }
    cw=$(((w + 1) / 2)) ch=$(((h + 1) / 2))
    [ "$(wc -c <a.yuv)" -eq $((n * (w * h + 2 * cw * ch))) ] ||
        { not_ok "$name" "decoded frames have another size"; return; }

    ff $(raw "$clip" "${w}x$h") -frames:v "$n" -c:v vp8_cudame -me_backend $ME_BACKEND "$@" -flags +psnr \
        -f framemd5 out.md5 || { show_log; not_ok "$name" "encoder failed with psnr"; return; }
    # The side data of each shown frame: 8 + 3 * 8 bytes.
    sed -nE 's/.* 32, ([0-9a-f]{32})$/\1/p' out.md5 >sums
    [ "$(wc -l <sums)" -eq "$n" ] || { not_ok "$name" "no squared errors from the encoder"; return; }
    sse "$clip" a.yuv "$w" "$h" "$n" >errors
    while read -r md5 y u v; do
        explains "$md5" "$y" "$u" "$v" ||
            { not_ok "$name" "frame $i is not the encoder's reconstruction"; return; }
        i=$((i + 1))
    done < <(paste -d' ' sums errors)
    ok "$name"
}

clip a.clip 176x144 10
zoom b.clip 160x128 24
clip c.clip 176x144 24

for mode in fast splitmv tex full; do
    check "$mode-best" a.clip 176 144 10 -cuda_me $mode -deadline best -b:v 200k -threads 1
    check "$mode-good" a.clip 176 144 10 -cuda_me $mode -deadline good -cpu-used 1 -b:v 200k -threads 2
    check "$mode-rt" a.clip 176 144 10 -cuda_me $mode -deadline realtime -cpu-used -8 -b:v 200k -threads 1
    check "$mode-q4" b.clip 160 128 8 -cuda_me $mode -deadline best -b:v 2M -qmin 4 -qmax 4 -threads 1
done
check bilinear b.clip 160 128 8 -profile:v 1 -b:v 200k -threads 1
check profile3 b.clip 160 128 8 -profile:v 3 -b:v 200k -threads 1
check keyframes b.clip 160 128 12 -g 4 -b:v 200k -threads 1
check lag b.clip 160 128 24 -lag-in-frames 10 -b:v 150k -threads 1
for size in 1x1 15x16 17x33 2x100; do
    check "size-$size" a.clip "${size%x*}" "${size#*x}" 8 -b:v 100k -threads 1
done

# hidden NAME FRAMES: the last file of check has more packets than frames
hidden() {
    local n
    n=$(packets out.ivf)
    if [ "$n" -gt "$2" ]; then ok "$1"; else not_ok "$1" "$n packets of $2 frames"; fi
}

# Two passes make a hidden altref frame, for which the encoder reports no errors.
two="-deadline good -cpu-used 2 -auto-alt-ref 1 -lag-in-frames 16 -arnr-maxframes 5 -b:v 150k -threads 1 -passlogfile two"
for first in libvpx vp8_cudame; do
    name=2pass-$first
    if ff $(raw c.clip 176x144) -c:v $first $two -pass 1 -f null -; then
        check $name c.clip 176 144 24 $two -pass 2
        hidden $name-hidden 24
    else
        show_log
        not_ok $name "first pass failed"
    fi
done

# One pass makes them by itself: IVF and framemd5 take equal timestamps.
check ahead c.clip 176 144 24 -lag-in-frames 16 -b:v 150k -threads 1
hidden ahead-hidden 24

# Transparency: both decoders get the same colour and alpha from a WebM file.
if ff -f lavfi -i "testsrc2=size=96x80:rate=25:alpha=100" -frames:v 8 -pix_fmt yuva420p -c:v vp8_cudame \
    -me_backend $ME_BACKEND -auto-alt-ref 0 -b:v 300k -threads 1 -f webm alpha.webm &&
    ff -c:v vp8 -i alpha.webm -pix_fmt yuva420p -fps_mode passthrough -f framemd5 a.md5 &&
    ff -c:v libvpx -i alpha.webm -pix_fmt yuva420p -fps_mode passthrough -f framemd5 b.md5; then
    if [ "$(grep -vc '^#' a.md5)" -ne 8 ]; then
        not_ok alpha "frames are missing"
    elif cmp -s a.md5 b.md5; then
        ok alpha
    else
        not_ok alpha "the decoders differ"
    fi
else
    show_log
    not_ok alpha "failed"
fi
exit $failed
