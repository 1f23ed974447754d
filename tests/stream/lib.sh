# shellcheck shell=bash disable=SC2034
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Shared by the tests in this folder. Environment:
#   FFMPEG, FFPROBE  the programs
#   FFMPEG_STOCK     FFmpeg with unpatched libvpx
#   WORKDIR          folder to work in (default: the current one)
#   ME_BACKEND       default: cpu; make check-gpu sets cuda
#   FAKE_CUDA        folder of the fake CUDA driver; its searches have no result
#   EMULATED_CUDA    folder of the emulated CUDA driver, which runs the kernels on the CPU
#   FAKE_CORES       library for LD_PRELOAD that reports eight cores
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

# The file log gets the output of ffmpeg. show_log prints its end after a failure.
ff() { "$FFMPEG" -hide_banner -nostdin -y "$@" >log 2>&1; }
stock() { "$FFMPEG_STOCK" -hide_banner -nostdin -y "$@" >log 2>&1; }
show_log() { tail -n 5 log | sed 's/^/#   /'; }

# packets FILE: prints the number of packets
packets() { "$FFPROBE" -v error -count_packets -show_entries stream=nb_read_packets -of csv=p=0 "$1"; }

# clip NAME WIDTHxHEIGHT FRAMES: makes a raw yuv420p clip with motion and grain
clip() {
    local size=$2 n=$3
    ff -f lavfi -i "testsrc2=size=$size:rate=25,noise=alls=10:allf=t:all_seed=7" \
        -pix_fmt yuv420p -frames:v "$n" -f rawvideo "$1" || { show_log; exit 1; }
}

# zoom NAME WIDTHxHEIGHT FRAMES: makes a raw yuv420p clip that zooms, with grain
zoom() {
    ff -f lavfi -i "mandelbrot=size=$2:rate=25:start_scale=0.4:end_scale=0.1:end_pts=40" \
        -vf noise=alls=6:allf=t:all_seed=3 -pix_fmt yuv420p -frames:v "$3" \
        -f rawvideo "$1" || { show_log; exit 1; }
}

# raw NAME WIDTHxHEIGHT [FORMAT]: prints ffmpeg's options that read a raw clip
raw() { echo "-f rawvideo -pix_fmt ${3:-yuv420p} -video_size $2 -framerate 25 -i $1"; }

# on_driver FOLDER CALL CODE FOR_GOOD COMMAND...: runs the command on the CUDA driver in FOLDER. The
# driver fails at its call number CALL (-1: never) with the error CODE; with FOR_GOOD 1 also at all
# later calls. The file report gets the number of calls and, on the same line, of allocations that
# were not freed.
on_driver() {
    local LD_LIBRARY_PATH=$1 FAKE_CUDA_FAIL="$2 $3 $4" FAKE_CUDA_REPORT=report
    export LD_LIBRARY_PATH FAKE_CUDA_FAIL FAKE_CUDA_REPORT
    shift 4
    rm -f report
    "$@"
}

# eight_cores COMMAND...: runs the command as on a machine with eight cores, if FAKE_CORES is set:
# libvpx starts no more threads than there are cores
eight_cores() {
    local LD_PRELOAD=${FAKE_CORES:-}
    if [ -n "$LD_PRELOAD" ]; then export LD_PRELOAD; fi
    "$@"
}

# speed NAME: prints the options of a setting such as best, good2, rt8. The cpu-used of realtime is
# negative: with a positive one the stream depends on the clock.
speed() {
    case $1 in
        best)  echo "-deadline best" ;;
        good*) echo "-deadline good -cpu-used ${1#good}" ;;
        rt*)   echo "-deadline realtime -cpu-used -${1#rt}" ;;
    esac
}

# at_once BACKEND: prints the option that lets me_backend auto start CUDA before the first frame
at_once() { [ "$1" != auto ] || echo -me_cuda_after 0; }
