#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Two runs make the same bytes, with any number of threads. NV12 input makes the same bytes as
# yuv420p.
# Options are split into words on purpose, and A && B || C means: C if A or B fails.
# shellcheck disable=SC2046,SC2086,SC2015
. "$(dirname "$0")/lib.sh"

clip cif.yuv 352x288 8
zoom qcif.yuv 176x144 10

encode() { # OUTPUT OPTIONS...
    local out=$1
    shift
    eight_cores ff "$@" -f ivf "$out" || { show_log; return 1; }
}

# same NAME WHY A B: the files A and B are equal
same() { if cmp -s "$3" "$4"; then ok "$1"; else not_ok "$1" "$2"; fi; }

for s in best good2 rt8; do
    in="$(raw cif.yuv 352x288) $(speed $s) -b:v 400k"
    for mode in fast splitmv tex full lean; do
        c="-c:v vp8_cudame -me_backend $ME_BACKEND -cuda_me $mode"
        [ $mode = lean ] && c="-c:v vp8_cudame -me_backend $ME_BACKEND -me_search lean"
        encode a.ivf $in $c -threads 1 && encode b.ivf $in $c -threads 1 ||
            { not_ok "$s-$mode" "encoder failed"; continue; }
        same "$s-$mode-runs" "two runs differ" a.ivf b.ivf
        for threads in 2 4 8; do
            encode b.ivf $in $c -threads $threads && encode c.ivf $in $c -threads $threads ||
                { not_ok "$s-$mode-t$threads" "encoder failed"; continue; }
            same "$s-$mode-t$threads-runs" "two runs with $threads threads differ" b.ivf c.ivf
            same "$s-$mode-t$threads" "one and $threads threads differ" a.ivf b.ivf
        done
    done
done

# Frames of one macroblock row or column: libvpx's threads have nothing to share, but cudame's have.
for size in 352x16 16x288; do
    for mode in fast splitmv tex full; do
        in="$(raw cif.yuv $size) -frames:v 12 -b:v 100k -c:v vp8_cudame -me_backend $ME_BACKEND -cuda_me $mode"
        encode a.ivf $in -threads 1 && encode b.ivf $in -threads 8 ||
            { not_ok "$size-$mode-threads" "encoder failed"; continue; }
        same "$size-$mode-threads" "one and eight threads differ" a.ivf b.ivf
    done
done

# -tune ssim: a thread measures a row's activity by coding it, which must not depend on the row that
# it coded before.
for size in 176x17 96x81; do
    in="$(raw qcif.yuv $size) -frames:v 8 -deadline best -b:v 300k -tune ssim -c:v vp8_cudame -me_backend $ME_BACKEND"
    encode a.ivf $in -threads 1 || { not_ok "ssim-$size" "encoder failed"; continue; }
    for threads in 2 4 8; do
        encode b.ivf $in -threads $threads || { not_ok "ssim-$size-t$threads" "encoder failed"; continue; }
        same "ssim-$size-t$threads" "one and $threads threads differ" a.ivf b.ivf
    done
done

ff -f lavfi -i color=gray:size=91x288:rate=25,noise=alls=90:allf=t:all_seed=5 -pix_fmt yuv420p \
    -frames:v 10 -f rawvideo noise.yuv || { show_log; exit 1; }
in="$(raw noise.yuv 91x288) -c:v vp8_cudame -me_backend $ME_BACKEND -cuda_me fast -deadline best -b:v 20M"
in+=" -crf 50 -screen-content-mode 1 -tune ssim"
encode a.ivf $in -threads 1 || not_ok ssim-noise "encoder failed"
for threads in 2 6; do
    encode b.ivf $in -threads $threads || { not_ok "ssim-noise-t$threads" "encoder failed"; continue; }
    same "ssim-noise-t$threads" "one and $threads threads differ" a.ivf b.ivf
done

for size in 176x144 33x17 16x16 1x1; do
    in="$(raw qcif.yuv $size) -frames:v 6"
    out="-c:v vp8_cudame -me_backend $ME_BACKEND -cuda_me full -b:v 150k -threads 1"
    ff $in -vf format=nv12 -f rawvideo nv12.yuv || { show_log; not_ok "nv12-$size" "conversion failed"; continue; }
    encode a.ivf $in $out && encode b.ivf $(raw nv12.yuv $size nv12) -pix_fmt nv12 $out ||
        { not_ok "nv12-$size" "encoder failed"; continue; }
    same "nv12-$size" "NV12 input makes another stream than yuv420p" a.ivf b.ivf
done
exit $failed
