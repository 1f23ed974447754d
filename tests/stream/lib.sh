# shellcheck shell=bash disable=SC2034
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Shared by the tests in this folder. Environment: FFMPEG, FFPROBE, FFMPEG_STOCK
# (FFmpeg with unpatched libvpx), WORKDIR (default: where it runs), ME_BACKEND
# (default: cpu; make check-gpu says cuda), FAKE_CUDA (folder of the fake driver),
# EMULATED_CUDA (of the one that runs the kernels on the CPU), FAKE_CORES (library of a
# machine of eight cores).
#
# A test prints "ok NAME", "not ok NAME (why)" or "skip NAME (why)" for each case.
set -uo pipefail

: "${FFMPEG:?the ffmpeg to test}"
cd "${WORKDIR:-.}" || exit 1

export AV_LOG_FORCE_NOCOLOR=1
: "${ME_BACKEND:=cpu}"
failed=0

ok() { echo "ok $1"; }
skip() { echo "skip $1 ($2)"; }
not_ok() {
    echo "not ok $1 ($2)"
    failed=1
}

# What ffmpeg prints goes to the file log, which failures show.
ff() { "$FFMPEG" -hide_banner -nostdin -y "$@" >log 2>&1; }
stock() { "$FFMPEG_STOCK" -hide_banner -nostdin -y "$@" >log 2>&1; }
show_log() { tail -n 5 log | sed 's/^/#   /'; }

# clip NAME WIDTHxHEIGHT FRAMES: raw yuv420p of things that move, with grain.
clip() {
    local size=$2 n=$3
    ff -f lavfi -i "testsrc2=size=$size:rate=25,noise=alls=10:allf=t:all_seed=7" \
        -pix_fmt yuv420p -frames:v "$n" -f rawvideo "$1" || { show_log; exit 1; }
}

# zoom NAME WIDTHxHEIGHT FRAMES: the same, of something that zooms.
zoom() {
    ff -f lavfi -i "mandelbrot=size=$2:rate=25:start_scale=0.4:end_scale=0.1:end_pts=40" \
        -vf noise=alls=6:allf=t:all_seed=3 -pix_fmt yuv420p -frames:v "$3" \
        -f rawvideo "$1" || { show_log; exit 1; }
}

# Options that read a raw clip.
raw() { echo "-f rawvideo -pix_fmt ${3:-yuv420p} -video_size $2 -framerate 25 -i $1"; }

# on_driver FOLDER CALL CODE FOR_GOOD COMMAND...: with the fake or the emulated driver, which
# fails at CALL (-1: never) with CODE, FOR_GOOD (1) or once (0). Its calls, and the allocations
# that are left, are in the file report.
on_driver() {
    local LD_LIBRARY_PATH=$1 FAKE_CUDA_FAIL="$2 $3 $4" FAKE_CUDA_REPORT=report
    export LD_LIBRARY_PATH FAKE_CUDA_FAIL FAKE_CUDA_REPORT
    shift 4
    rm -f report
    "$@"
}

# eight_cores COMMAND...: libvpx starts no more threads than the machine has cores. A real
# machine's, where that library is not.
eight_cores() {
    local LD_PRELOAD=${FAKE_CORES:-}
    if [ -n "$LD_PRELOAD" ]; then export LD_PRELOAD; fi
    "$@"
}

# Settings by name. Realtime only with negative cpu-used: positive ones adapt to
# the clock and are not reproducible.
speed() {
    case $1 in
        best)  echo "-deadline best" ;;
        good*) echo "-deadline good -cpu-used ${1#good}" ;;
        rt*)   echo "-deadline realtime -cpu-used -${1#rt}" ;;
    esac
}

# BACKEND: what has me_backend auto start CUDA before the first frame
at_once() { [ "$1" != auto ] || echo -me_cuda_after 0; }
