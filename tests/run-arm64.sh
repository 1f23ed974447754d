#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The unit tests of the CPU backend on arm64, cross-compiled and run by qemu. They compare kernels
# with scalar definitions and results with naive implementations, as on x86, so both machines make
# the same bytes. Highway and Google Test are compiled from their sources: their packages for arm64
# would need a foreign architecture in dpkg.
set -euo pipefail
cd "$(dirname "$0")/.."
out=$BUILD_DIR/arm64
cross=aarch64-linux-gnu-
gtest=/usr/src/googletest/googletest

skip() { echo "skip all ($1)"; exit; }
if [ "$(uname -m)" = aarch64 ]; then skip "the suite unit runs the tests on this machine"; fi
missing=$(tools/install-deps --missing cross)
if [ -n "$missing" ]; then skip "missing: $missing; tools/install-deps cross installs it"; fi
version=$(pkg-config --modversion libhwy)
tarball=$(tools/fetch-sources --state="$BUILD_DIR/apt" --dl="${VP8_CUDAME_DL:-$BUILD_DIR/dl}" highway "$version") ||
    skip "the source of highway $version cannot be fetched"

# library NAME FLAGS... -- SOURCE...: builds $out/lib/libNAME.a
library() {
    local name=$1 source
    local -a flags=() objects=()
    shift
    while [ "$1" != -- ]; do flags+=("$1"); shift; done
    shift
    for source; do
        objects+=("$out/lib/$name-$(basename "$source" .cc).o")
        "${cross}g++" -std=c++17 -O2 -fPIC "${flags[@]}" -c -o "${objects[-1]}" "$source"
    done
    "${cross}ar" rcs "$out/lib/lib$name.a" "${objects[@]}"
}

highway=$out/highway-$version
if [ ! -e "$out/lib/built-$version" ]; then
    rm -rf "$highway" "$out/lib"
    mkdir -p "$highway" "$out/lib"
    tar -xf "$tarball" -C "$highway" --strip-components=1
    library hwy -I"$highway" -- "$highway"/hwy/{aligned_allocator,per_target,targets}.cc >&2
    library gtest -I$gtest -I$gtest/include -- $gtest/src/gtest-all.cc >&2
    library gtest_main -I$gtest/include -- $gtest/src/gtest_main.cc >&2
    touch "$out/lib/built-$version"
fi

# Link statically, so that qemu needs no libraries of arm64.
if ! make -s -j"$(nproc)" -C cudame BUILD="$out/cudame" CXX="${cross}g++" AR="${cross}ar" NVCC= CUDA_CLANG= \
    CXXFLAGS=-O2 CPPFLAGS="-isystem $highway -isystem $gtest/include" LDFLAGS="-static -L$out/lib" tests >&2; then
    echo "not ok build (see $LOG_DIR/arm64.err)"
    exit
fi
echo "ok build"

program=$out/cudame/qemu-cudame-tests
printf '#!/bin/sh\nexec qemu-aarch64 "%s" "$@"\n' "$out/cudame/cudame-tests" >"$program"
chmod +x "$program"
export LOG_DIR=$LOG_DIR/arm64
mkdir -p "$LOG_DIR"
# These take too long in qemu; x86 runs them.
slow=All/FieldTest.MatchesNaive/*:All/FieldTest.MatchesNaiveAtLargeRange/*
for content in random flat extreme stripes; do slow+=:All/FieldTest.*_$content; done
slow+=:FrameTest.ScrollsAreFound:FrameTest.ShiftedContentIsFoundAndNotShiftedFurther:FrameTest.ThreadsDoNotChangeTheResult
# On arm64 Highway has one fast target, and MatchesNaive tests it.
slow+=:All/LeanTest.CpuMatchesNaiveOnEveryTarget/*:All/LeanLevelTest.MatchesNaiveWhereDrawnMacroblocksComeFromAnywhere/*
slow+=:All/LeanLevelTest.MatchesNaiveInBands/*:All/LeanTest.MatchesNaiveOfThreeReferences/*_extreme
export GTEST_ARGS="--gtest_filter=-Cuda*:$slow"
exec tests/run-gtest.sh "$program"
