#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Two devices: -gpu selects one, both work at once, frames are searched on the device that they are
# on, and all streams are the CPU's. With ME_BACKEND=cuda it runs on two real devices; otherwise on
# the emulated driver, which counts the launches of each device.
# Options are split into words on purpose, and A && B || C means: C if A or B fails.
# shellcheck disable=SC2015,SC2046,SC2086,SC2317
. "$(dirname "$0")/lib.sh"

if [ "$ME_BACKEND" = cuda ]; then
    real=yes size=640x480 frames=40
    gpu() { "$@"; }
elif [ -n "${EMULATED_CUDA:-}" ]; then
    real="" size=96x80 frames=12
    gpu() { FAKE_CUDA_DEVICES=2 on_driver "$EMULATED_CUDA" -1 0 0 "$@"; }
else
    skip two-gpus "there is no emulated CUDA driver: this build has no CUDA backend"
    exit 0
fi

clip in.yuv $size $frames
in=$(raw in.yuv $size)
gpu ff $in -c:v vp8_cudame -gpu list -f null -
found=$(grep -c '\] gpu [0-9]*: ' log)
if [ "$found" -lt 2 ]; then
    if [ -n "$real" ]; then skip two-gpus "there is one device only"; else not_ok list "$found devices"; fi
    exit $failed
fi
if grep -q '\] gpu 0: ' log && grep -q '\] gpu 1: ' log; then ok list; else not_ok list "not by their numbers"; fi

# ran: prints 1 or 0 for each of the two devices: whether it launched kernels. Only the emulated
# driver counts that. For real devices the tests look only at me_stats, which do not tell the
# device.
ran() {
    local n0 n1
    { read -r _ && read -r n0 n1; } <report
    echo "$((n0 > 0)) $((n1 > 0))"
}
# on NAME DEVICES COMMAND...: the command works, and these devices launch kernels ("0 1": only the
# second)
on() {
    local name=$1 devices=$2 leaked=0
    shift 2
    gpu "$@" || { show_log; not_ok "$name" "failed"; return 1; }
    [ -n "$real" ] && return
    read -r _ leaked <report
    [ "$(ran)" = "$devices" ] || { not_ok "$name" "devices that worked: $(ran), not $devices"; return 1; }
    [ "$leaked" = 0 ] || { not_ok "$name" "$leaked allocations leak"; return 1; }
}
same() { # NAME FILE...
    local name=$1 file
    shift
    for file; do
        cmp -s cpu.ivf $file || { not_ok "$name" "$file is not the CPU's stream"; return; }
    done
    ok "$name"
}
# searched STATS: whether CUDA searched every frame but the first
searched() { [ "$(awk -F, '$2 == "cuda" && !$4 && $5' $1 | wc -l)" -ge $((frames - 2)) ]; }

enc="-c:v vp8_cudame -b:v 300k -threads 2 $(speed good5)"
ff $in $enc -me_backend cpu -f ivf cpu.ivf || { show_log; not_ok cpu "failed"; exit 1; }
for backend in cuda auto; do
    for device in 0 1; do
        worked=$([ $device = 0 ] && echo 1 0 || echo 0 1)
        on $backend-$device "$worked" ff $in $enc -gpu $device -me_backend $backend $(at_once $backend) \
            -me_stats stats.csv -f ivf out.ivf || continue
        if searched stats.csv; then same $backend-$device out.ivf; else not_ok $backend-$device "not searched on CUDA"; fi
    done
done
on any "1 0" ff $in $enc -me_backend cuda -f ivf out.ivf && same any out.ivf

# Both devices at once, in one process and in two.
both="$enc -me_backend cuda"
on at-once "1 1" ff $in -map 0:v $both -gpu 0 -f ivf a.ivf -map 0:v $both -gpu 1 -f ivf b.ivf \
    -map 0:v $both -gpu 1 -f ivf c.ivf && same at-once a.ivf b.ivf c.ivf
processes() {
    "$FFMPEG" -hide_banner -nostdin -y $in $both -gpu 0 -f ivf a.ivf >log.0 2>&1 &
    FAKE_CUDA_REPORT=report.1 "$FFMPEG" -hide_banner -nostdin -y $in $both -gpu 1 -f ivf b.ivf >log.1 2>&1 &
    wait $! && wait %1
}
rm -f a.ivf b.ivf
gpu processes && same processes a.ivf b.ivf || { cat log.0 log.1 >log; show_log; not_ok processes "failed"; }

# Frames on the second device are searched there, or downloaded for the CPU backend.
second="-init_hw_device cuda=gpu:1 -filter_hw_device gpu"
upload="-vf format=nv12,hwupload"
for backend in cuda auto; do
    on frames-$backend "0 1" ff -v verbose $second $in $upload $enc -me_backend $backend $(at_once $backend) -f ivf out.ivf || continue
    if grep -q 'Using input frames context (format cuda)' log; then same frames-$backend out.ivf
    else not_ok frames-$backend "no CUDA frames"; fi
done
gpu ff $second $in $upload $enc -me_backend cpu -f ivf out.ivf && same frames-cpu out.ivf || not_ok frames-cpu "failed"
on frames-named "0 1" ff $second $in $upload $enc -gpu 1 -me_backend cuda -f ivf out.ivf && same frames-named out.ivf
# One input goes to an encoder on each device.
on frames-both "1 1" ff -init_hw_device cuda=one:0 -init_hw_device cuda=two:1 -filter_hw_device one $in \
    -filter_complex "format=nv12,split[x][b];[x]hwupload[a]" -map "[b]" $both -gpu 1 -f ivf b.ivf \
    -map "[a]" $both -f ivf a.ivf && same frames-both a.ivf b.ivf
# fails NAME PATTERN OPTIONS...: an error, with the pattern in the log
fails() {
    local name=$1 pattern=$2 status=0
    shift 2
    gpu ff "$@" -f ivf x.ivf || status=$?
    if [ $status -eq 0 ]; then not_ok "$name" "accepted"
    elif ! grep -qE -- "$pattern" log; then show_log; not_ok "$name" "no message like '$pattern'"
    else ok "$name"; fi
}
fails contradiction 'CUDA context given is not one of device 0\. Remove the option gpu' $second $in $upload $enc -gpu 0
fails too-large "there is no CUDA device $found, only $found" $in $enc -gpu $found -me_backend cuda

# The first of two passes.
two="-c:v vp8_cudame -deadline good -cpu-used 2 -auto-alt-ref 1 -lag-in-frames 12 -b:v 100k -threads 1"
second="-gpu 1 -me_backend cuda -me_first_pass cuda"
for pass in 1 2; do
    ff $in $two -me_backend cpu -pass $pass -passlogfile cpu -f ivf two-cpu.ivf || show_log
    on pass-$pass "0 1" ff $in $two $second -pass $pass -passlogfile cuda -f ivf two-cuda.ivf || true
done
if cmp -s two-cpu.ivf two-cuda.ivf; then ok two-passes; else not_ok two-passes "the stream differs"; fi
exit $failed
