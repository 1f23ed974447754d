#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The kernels by clang alone, where there is one, whatever compiler was configured: they
# compile without the CUDA toolkit, all that the host asks for is there, and a ptxas, if
# there is one, takes them for the oldest and for a later device.
set -euo pipefail
cd "$(dirname "$0")/.."
clang=$(command -v clang || true)
if [ -z "$clang" ]; then
    echo "skip kernels (no clang)"
    exit
fi
out=$BUILD_DIR/clang
ptx=$out/cuda/kernels.fatbin
if ! make -s -C cudame BUILD="$out" NVCC= CUDA_CLANG="$clang" "$ptx" >&2; then
    echo "not ok kernels ($clang does not compile them)"
    exit
fi
echo "ok kernels"

missing=
for kernel in $(grep -rhoE '"cudame_[a-z_]+"' cudame/cuda/kernel_table.h | tr -d '"' | sort -u); do
    tr -d '\0' <"$ptx" | grep -E "\.entry $kernel\(" >/dev/null || missing+=" $kernel"
done
if [ -z "$missing" ]; then echo "ok entries"; else echo "not ok entries (lacks$missing)"; fi

ptxas=$(command -v ptxas || command -v "${CUDA_HOME:-/usr/local/cuda}/bin/ptxas" || true)
for arch in sm_75 sm_90; do
    if [ -z "$ptxas" ]; then
        echo "skip $arch (no ptxas)"
    elif tr -d '\0' <"$ptx" >"$out/kernels.ptx" && "$ptxas" -arch=$arch -o "$out/kernels.cubin" "$out/kernels.ptx" >&2; then
        echo "ok $arch"
    else
        echo "not ok $arch (ptxas refuses it)"
    fi
done
