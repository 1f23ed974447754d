#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# libvpx's own tests of VP8, for stock libvpx and for ours without a motion provider (off) and with
# cudame as the provider (on). A program that is linked with stock's libvpx.so runs with ours, at
# VP8_CUDAME=off (so-off) and cpu (so-on). All read the same stand-ins for libvpx's test data. Ours
# must pass each test that stock passes, and without a provider must make stock's streams. A test
# that stock fails is skipped.
#   LIBVPX_TESTS  "all" includes the tests that are left out below; anything else is a filter of Google Test
#   LIBVPX_GUIDE  the provider's guide (default: auto)
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
folder=$BUILD_DIR/libvpx-tests
logs=$LOG_DIR/libvpx
parts=8

# Never run: tests that need upstream's own files (MD5 sums of y4m clips, broken streams and the
# decoder's results for them), and the test that every suite has instances.
never='*Y4mVideo*:*InvalidFile*:GoogleTestVerification.*'
# Run only with LIBVPX_TESTS=all:
# - kernels that VP8 shares with VP9, which are not patched;
# - the slowest settings of tests whose other settings are run (parameter 1 is good in one pass, 2
#   is best in one pass, 3 and 4 are the same in two passes), and tests of realtime rate control
#   with clips of 640x480 and more;
# - the test vectors with threads, which test the unpatched decoder 434 times.
long='*SAD*:*Variance*:*SSE*:*Sse*:*Mse*:*SumOfSq*:*PostProc*:*AddNoise*:*CopyFrame*:*ExtendBorder*'
long+=':*DatarateTestLarge.Denoiser*/2:*DatarateTestLarge.Denoiser*/4'
long+=':*DatarateTestLarge.BasicBufferModel/2:*DatarateTestLarge.BasicBufferModel/4'
long+=':*DatarateTestLarge.DenoiserLevels/1:*DatarateTestLarge.DenoiserLevels/3'
long+=':*DatarateTestLarge.BasicBufferModel/3:*MultiThreads/2:*MultiThreads/4'
long+=':*.CodecControl3TemporalLayers/1:*.CodecControl3TemporalLayers/2:*.2LayersNoRefLast/2'
long+=':*RealtimeTest.IntegerOverflow/*:VP8MultiThreaded/*'
for i in 0 1 3 4 6 7; do long+=":*Vp8RcInterfaceTest.*/$i"; done
# Run in one process, while no other runs: libvpx's threads wait by spinning, and a suite that
# compares the results of its tests at its end needs all of them in one process.
alone='*MultiThreads*:*RegionOfInterest*:*ThreadCount*:*CQTest*'
# Not with libvpx.so, unless LIBVPX_TESTS=all: the slowest tests, which take a quarter of the time. off
# and on run them.
slow='*DatarateTestLarge.BasicBufferModel/1:*DatarateTestLarge.DenoiserOffOn/1:*DatarateTestLarge.DenoiserOffOn/3'
slow+=':*.2LayersNoRefLast/1:*ErrorResilienceTestLarge.OnVersusOff/2'
# Not for so-on, in which g_lag_in_frames is a lookahead in one pass too, with hidden frames:
# - the test that one pass has no lag;
# - a test that numbers the packets, and not the pictures, to find a key frame on demand; the case
#   forced-key of tests/libvpx-so looks for the picture.
lag='*ConfigTest.LagIsDisabled/1:*ConfigTest.LagIsDisabled/2:*AltRefForcedKeyTestLarge.ForcedFrameIsKey/*'

tests=${LIBVPX_TESTS:-}
case $tests in
    '')  filter="*-$never:$long" so_without=$slow ;;
    all) filter="*-$never" so_without=$never ;;
    *)   filter=$tests so_without=$never ;;
esac
without() { # FILTER TESTS
    case $1 in
        *-*) echo "$1:$2" ;;
        *)   echo "$1-$2" ;;
    esac
}
shared=$(without "$filter" "$alone")
# The tests of $alone that the filter selects. Google Test's filters have no intersection.
list() { # PROGRAM FILTER
    LD_LIBRARY_PATH=$BUILD_DIR/libvpx-so/lib "$folder/$1/libvpx-tests" --gtest_list_tests --gtest_filter="$2" |
        awk '/^[^ ]/ { suite = $1; next } { print suite $1 }'
}
apart=$(comm -12 <(list stock "$filter" | sort) <(list stock "$alone" | sort) | paste -sd:)

rm -rf "$logs" "$folder/data"
mkdir -p "$logs"
export LIBVPX_TEST_DATA_PATH=$folder/data
"$here/libvpx/stand-ins.sh" "$BUILD_DIR/src/$LIBVPX_STOCK" "$LIBVPX_TEST_DATA_PATH" ${tests:+all}

# The program for libvpx.so lacks the tests that call internal functions: upstream's test.mk has them
# for static libraries only.
list shared "$(without "$filter" "$so_without")" >"$logs/so-off.list"
list shared "$(without "$filter" "$so_without:$lag")" >"$logs/so-on.list"

# run VARIANT NAME FILTER: the log ends with the exit status.
run() (
    local program=$folder/patched/libvpx-tests provider=off filter=$3 status=0
    case $1 in
        stock) program=$folder/stock/libvpx-tests ;;
        on)    provider=${LIBVPX_GUIDE:-auto} ;;
        so-*)  program=$folder/shared/libvpx-tests
               filter=$(without "$3" "$so_without")
               export LD_LIBRARY_PATH=$BUILD_DIR/libvpx-so/lib VP8_CUDAME=off
               if [ "$1" = so-on ]; then
                   VP8_CUDAME=cpu
                   filter+=:$lag
               fi ;;
    esac
    MOTION_PROVIDER=$provider "$program" --gtest_filter="$filter" >"$logs/$1-$2.log" 2>&1 </dev/null ||
        status=$?
    echo "EXIT $status" >>"$logs/$1-$2.log"
)
part() { GTEST_TOTAL_SHARDS=$parts GTEST_SHARD_INDEX=$2 run "$1" "$2" "$shared"; }
export -f run part without
export folder logs parts shared so_without lag

if [ -n "$apart" ]; then
    for variant in stock off on so-off so-on; do run $variant alone "$apart"; done
fi
# shellcheck disable=SC2016
for ((i = 0; i < parts; i++)); do printf '%s\n' "stock $i" "off $i" "on $i" "so-off $i" "so-on $i"; done |
    xargs -P "$(nproc)" -I{} bash -c 'part ${1% *} ${1#* }' - {}

awk -f "$here/libvpx/judge.awk" "$logs"/so-{off,on}.list "$logs"/{stock,off,on,so-off,so-on}-*.log
