#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# CUDA frames make the same bytes as frames in host memory, with every backend. What is not possible
# ends with a message that says so. With ME_BACKEND=cuda it runs on the device; otherwise on the
# fake driver, whose memory and downloads work and whose searches all fail, so that auto falls back.
# Options are split into words on purpose, and A && B || C means: C if A or B fails.
# shellcheck disable=SC2046,SC2086,SC2015
. "$(dirname "$0")/lib.sh"

sizes="176x144 17x34 2x2 66x18"
first_pass=
if [ "$ME_BACKEND" = cuda ]; then
    backends="cuda cpu"
    sizes+=" 1366x768 1918x1078"
elif [ -n "${FAKE_CUDA:-}" ]; then
    backends="auto cpu"
    cuda() { LD_LIBRARY_PATH=$FAKE_CUDA ff "$@"; }
    # The fake driver's first pass counts nothing.
    first_pass="-me_first_pass cpu"
else
    echo "there is no fake CUDA driver: this build has no CUDA backend"
    exit 77
fi
if [ "$ME_BACKEND" = cuda ]; then cuda() { ff "$@"; }; fi

device="-init_hw_device cuda=gpu:0 -filter_hw_device gpu"

# same NAME FRAMES INPUT FILTER OPTIONS...: the stream is that of host frames on the CPU backend
same() {
    local name=$1 n=$2 in=$3 filter=$4
    shift 4
    ff $in -frames:v $n -c:v vp8_cudame "$@" -me_backend cpu -f ivf host.ivf ||
        { show_log; not_ok "$name" "failed with host frames"; return; }
    for backend in $backends; do
        rm -f cuda.ivf
        if ! cuda -v verbose $device $in -vf "$filter" -frames:v $n -c:v vp8_cudame "$@" -me_backend $backend $first_pass -f ivf cuda.ivf; then
            show_log
            not_ok "$name-$backend" "failed"
        elif ! grep -q 'Using input frames context (format cuda)' log; then
            not_ok "$name-$backend" "the encoder did not get CUDA frames"
        elif cmp -s host.ivf cuda.ivf; then
            ok "$name-$backend"
        else
            not_ok "$name-$backend" "the stream differs from that of host frames"
        fi
    done
}

clip a.clip 1918x1078 10
for size in $sizes; do
    n=10
    case $size in ????x*) n=4 ;; esac
    for format in nv12 yuv420p; do
        same "$format-$size" $n "$(raw a.clip $size)" "format=$format,hwupload" -b:v 300k -threads 1
    done
done

clip b.clip 176x144 16
in=$(raw b.clip 176x144)
for mode in off fast splitmv tex full; do
    for s in best good5 rt8; do
        same "$mode-$s" 12 "$in" "format=nv12,hwupload" -cuda_me $mode $(speed $s) -b:v 200k -threads 2
    done
done
same hwupload_cuda 8 "$in" "format=nv12,hwupload_cuda" -b:v 200k -threads 1
# Frames that are coded later than they arrive, changed before, or dropped.
same lag 16 "$in" "format=nv12,hwupload" -lag-in-frames 8 -b:v 200k -threads 1
same denoise 16 "$in" "format=nv12,hwupload" $(speed rt8) -noise-sensitivity 2 -b:v 200k -threads 1
same drop 16 "$in" "format=nv12,hwupload" $(speed rt8) -b:v 20k -minrate 20k -maxrate 20k -bufsize 20k \
    -drop-threshold 80 -threads 1

two="-deadline good -cpu-used 2 -auto-alt-ref 1 -lag-in-frames 12 -arnr-maxframes 5 -b:v 100k -threads 1"
for kind in host cuda; do
    options=
    if [ $kind = cuda ]; then options="-vf format=nv12,hwupload"; fi
    for pass in 1 2; do
        cuda $device $in $options -c:v vp8_cudame $two -pass $pass -passlogfile $kind -f ivf $kind.ivf ||
            { show_log; not_ok "2pass-$kind" "pass $pass failed"; }
    done
done
if cmp -s host.ivf cuda.ivf; then ok 2pass; else not_ok 2pass "the stream differs from that of host frames"; fi

# If cudame cannot download the frames, for example because the device is too old for its kernels,
# libavutil does.
if [ "$ME_BACKEND" != cuda ]; then
    ff $in -frames:v 3 -c:v vp8_cudame -cuda_me off -b:v 200k -threads 1 -f ivf host.ivf || show_log
    for format in nv12 yuv420p; do
        if ! FAKE_CUDA_OLD=1 cuda -v verbose $device $in -vf format=$format,hwupload -frames:v 3 \
            -c:v vp8_cudame -cuda_me off -b:v 200k -threads 1 -f ivf cuda.ivf; then
            show_log
            not_ok libavutil-$format "failed"
        elif ! grep -q 'CUDA frames are read by libavutil' log; then
            not_ok libavutil-$format "the log does not say so"
        elif cmp -s host.ivf cuda.ivf; then
            ok libavutil-$format
        else
            not_ok libavutil-$format "the stream differs from that of host frames"
        fi
    done
fi

# The device that -init_hw_device opened is also used for host frames.
encode="-c:v vp8_cudame -b:v 200k -threads 1"
if cuda -v verbose $device $in $encode -gpu 0 $first_pass -f ivf a.ivf && grep -q 'Using device gpu (type cuda)' log &&
    ff $in $encode -me_backend cpu -f ivf b.ivf && cmp -s a.ivf b.ivf; then
    ok device-given
else
    show_log
    not_ok device-given "not used, or another stream"
fi

# fails NAME PATTERN FILTER OPTIONS...: an error, with the pattern in the log
fails() {
    local name=$1 pattern=$2 filter=$3 status=0
    shift 3
    cuda $device $in -vf "$filter" $encode "$@" -f ivf x.ivf || status=$?
    if [ $status -eq 0 ]; then
        not_ok "$name" "accepted"
    elif ! grep -qE -- "$pattern" log; then
        show_log
        not_ok "$name" "no message like '$pattern'"
    else
        ok "$name"
    fi
}
for format in p010le yuv444p; do
    fails "format-$format" "CUDA frames of format $format cannot be encoded, only nv12 and yuv420p" "format=$format,hwupload"
done
fails gpu-contradiction 'CUDA context given is not one of device 999\. Remove the option gpu' \
    format=nv12,hwupload -gpu 999
fails gpu-contradiction-cuda 'CUDA context given is not one of device 999\. Remove the option gpu' \
    format=nv12,hwupload -gpu 999 -me_backend cuda

# Frames that become smaller in mid-stream and are not scaled are refused.
ff $in -c:v libvpx -f ivf large.ivf && ff $(raw b.clip 96x80) -c:v libvpx -f ivf small.ivf || show_log
printf 'file large.ivf\nfile small.ivf\n' >smaller.txt
if cuda $device -f concat -i smaller.txt -noautoscale -vf format=nv12,hwupload $encode -xerror -f ivf x.ivf; then
    not_ok smaller-frames "accepted"
elif grep -q 'The frame has 96x80 pixels, but the encoder was opened for 176x144' log; then
    ok smaller-frames
else
    show_log
    not_ok smaller-frames "no message that says so"
fi
exit $failed
