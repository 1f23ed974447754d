#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The encoder vp8_cudame with cuda_me off, and the encoder libvpx of our FFmpeg, make the same bytes
# as the encoder libvpx of an FFmpeg with unpatched libvpx.
# Options are split into words on purpose, and A && B || C means: C if A or B fails.
# shellcheck disable=SC2046,SC2086,SC2015
. "$(dirname "$0")/lib.sh"

[ -n "${FFMPEG_STOCK:-}" ] || { echo "FFMPEG_STOCK is not set"; exit 77; }

clip cif.yuv 352x288 15
zoom qcif.yuv 176x144 24

# encode RUNNER CODEC PASSES OUTPUT OPTIONS...: makes an IVF file; RUNNER is ff or stock
encode() {
    local runner=$1 codec=$2 passes=$3 out=$4
    shift 4
    if [ "$passes" = 2 ]; then
        $runner "$@" -c:v $codec -pass 1 -passlogfile "$out" -f null - &&
            $runner "$@" -c:v $codec -pass 2 -passlogfile "$out" -f ivf "$out"
    else
        $runner "$@" -c:v $codec -f ivf "$out"
    fi
}

# compare NAME PASSES OPTIONS...: all three make the same bytes
compare() {
    local name=$1 passes=$2
    shift 2
    encode stock libvpx "$passes" a.ivf "$@" ||
        { show_log; not_ok "$name" "stock libvpx failed"; return; }
    case $name in
    *-t2)
        encode stock libvpx "$passes" b.ivf "$@"
        cmp -s a.ivf b.ivf || { skip "$name" "stock libvpx differs from run to run"; return; }
    esac
    encode ff "vp8_cudame -cuda_me off" "$passes" b.ivf "$@" ||
        { show_log; not_ok "$name" "vp8_cudame failed"; return; }
    cmp -s a.ivf b.ivf || { not_ok "$name" "cuda_me off differs from stock libvpx"; return; }
    encode ff libvpx "$passes" b.ivf "$@" ||
        { show_log; not_ok "$name" "libvpx failed"; return; }
    cmp -s a.ivf b.ivf || { not_ok "$name" "patched libvpx differs from stock libvpx"; return; }
    ok "$name"
}

for threads in 1 2; do
    for s in best good0 good1 good2 good3 good4 good5 rt1 rt4 rt8 rt12 rt16; do
        compare "1pass-$s-t$threads" 1 $(raw cif.yuv 352x288) $(speed $s) \
            -b:v 500k -threads $threads
        # libvpx refuses two passes for realtime.
        case $s in rt*) continue ;; esac
        compare "2pass-$s-t$threads" 2 $(raw qcif.yuv 176x144) $(speed $s) \
            -b:v 150k -auto-alt-ref 1 -lag-in-frames 16 -arnr-maxframes 5 -threads $threads
    done
done

# The statistics of the first pass are libvpx's, for every cuda_me.
for threads in 1 2; do
    for mode in off full; do
        name=pass1-$mode-t$threads
        options="$(speed good1) -b:v 150k -auto-alt-ref 1 -lag-in-frames 16 -threads $threads -pass 1"
        if stock $(raw cif.yuv 352x288) -c:v libvpx $options -passlogfile a -f null - &&
            ff $(raw cif.yuv 352x288) -c:v vp8_cudame -cuda_me $mode $options -passlogfile b -f null -; then
            if cmp -s a-0.log b-0.log; then ok $name; else not_ok $name "statistics differ from stock libvpx's"; fi
        else
            show_log
            not_ok $name "failed"
        fi
    done
done

# Other settings that use patched code.
{
    compare lag 1 $(raw qcif.yuv 176x144) -lag-in-frames 12 -auto-alt-ref 1 -b:v 120k -threads 1
    compare cbr-drop 1 $(raw cif.yuv 352x288) $(speed rt6) -b:v 60k -minrate 60k \
        -maxrate 60k -bufsize 60k -drop-threshold 60 -threads 1
    compare layers 1 $(raw cif.yuv 352x288) $(speed rt6) -b:v 300k -error-resilient 1 \
        -ts-parameters ts_number_layers=3:ts_target_bitrate=100,180,300:ts_layering_mode=3 -threads 1
    compare profile3 1 $(raw qcif.yuv 176x144) -profile:v 3 -b:v 150k -threads 1
    compare denoise 1 $(raw qcif.yuv 176x144) $(speed rt4) -noise-sensitivity 2 -b:v 150k -threads 1
    compare screen 1 $(raw qcif.yuv 176x144) $(speed rt4) -screen-content-mode 1 -b:v 150k -threads 1
    compare slices 1 $(raw cif.yuv 352x288) -slices 4 -tune ssim -sharpness 3 -b:v 300k -threads 1
    compare cq 1 $(raw qcif.yuv 176x144) $(speed good2) -crf 20 -b:v 400k -g 5 -threads 1
    compare odd-size 1 $(raw qcif.yuv 97x81) -b:v 150k -threads 1
}
exit $failed
