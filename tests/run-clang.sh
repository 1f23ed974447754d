#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Compiles the GPU kernels by clang without the CUDA toolkit, also if nvcc was configured. Tests
# that the result has every kernel that the host asks for, and that ptxas, if there is one, accepts
# it for compute capabilities 7.5 and 9.0.
set -euo pipefail
cd "$(dirname "$0")/.."
clang=$(command -v clang || true)
if [ -z "$clang" ]; then
    echo "skip kernels (there is no clang)"
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
if [ -z "$missing" ]; then echo "ok entries"; else echo "not ok entries (missing:$missing)"; fi

ptxas=$(command -v ptxas || command -v "${CUDA_HOME:-/usr/local/cuda}/bin/ptxas" || true)
for arch in sm_75 sm_90; do
    if [ -z "$ptxas" ]; then
        echo "skip $arch (there is no ptxas)"
    elif tr -d '\0' <"$ptx" >"$out/kernels.ptx" && "$ptxas" -arch=$arch -o "$out/kernels.cubin" "$out/kernels.ptx" >&2; then
        echo "ok $arch"
    else
        echo "not ok $arch (ptxas refuses it)"
    fi
done
