#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# GStreamer's vp8enc, which calls libvpx, with our libvpx.so: live streams through RTP. The machine's
# GStreamer may be linked with a libvpx of another SONAME, so its plugin is built again, from
# Debian's source package, with stock's libvpx.
set -euo pipefail

top=$(cd "$(dirname "$0")/.." && pwd)
missing=$("$top/tools/install-deps" --missing gstreamer)
if [ -n "$missing" ]; then
    echo "skip all (missing: $missing; tools/install-deps gstreamer installs it)"
    exit
fi
ours=$BUILD_DIR/libvpx-so
stock=$BUILD_DIR/libvpx-so-stock
made=$BUILD_DIR/gstreamer
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
unset VP8_CUDAME VP8_CUDAME_LOG VP8_CUDAME_GPU VP8_CUDAME_CUDA_AFTER

version=$(pkg-config --modversion gstreamer-1.0)
plugin=$made/plugin-$version-$(basename "$(readlink -f "$stock/lib/libvpx.so")")
if [ ! -e "$plugin/ext/vpx/libgstvpx.so" ]; then
    tarball=$("$top/tools/fetch-sources" --state="$BUILD_DIR/apt" --dl="${VP8_CUDAME_DL:-$BUILD_DIR/dl}" \
        gst-plugins-good1.0 "${version%.*}")
    rm -rf "$made"
    mkdir -p "$made/source"
    tar xf "$tarball" --strip-components=1 -C "$made/source"
    PKG_CONFIG_PATH=$stock/lib/pkgconfig meson setup --auto-features=disabled -Dvpx=enabled -Dexamples=disabled \
        -Dtests=disabled -Ddoc=disabled -Dnls=disabled "$plugin" "$made/source" >&2
    ninja -C "$plugin" ext/vpx/libgstvpx.so >&2
fi
# Flags are split into words on purpose.
# shellcheck disable=SC2046
${CC:-cc} -std=gnu11 -O2 -Wall -Wextra -o "$scratch/gst-test" "$top/tests/libvpx-so/gst.c" \
    $(pkg-config --cflags --libs gstreamer-1.0 gstreamer-video-1.0) >&2

export GST_PLUGIN_PATH=$plugin/ext/vpx GST_REGISTRY=$scratch/registry
check() { # $1: name, $2...: command
    if "${@:2}" >&2; then echo "ok $1"; else echo "not ok $1"; fi
}
# live LIBRARY MODE PROPERTIES: prints the hash of a stream; the file log gets messages
live() {
    LD_LIBRARY_PATH=$1/lib VP8_CUDAME=$2 VP8_CUDAME_LOG=verbose timeout 150 "$scratch/gst-test" "$3" 2>"$scratch/log" ||
        { cat "$scratch/log" >&2; return 1; }
    cat "$scratch/log" >&2
}

LD_LIBRARY_PATH=$stock/lib gst-inspect-1.0 vp8enc >"$scratch/element" 2>&1 || true
check own-plugin grep -F "$plugin" "$scratch/element"
settings=('realtime:deadline=1 cpu-used=-8 threads=1' 'webrtc:deadline=1 cpu-used=-6 threads=1 error-resilient=default token-partitions=2 static-threshold=100 max-intra-bitrate=300'
    'threads:deadline=1 cpu-used=-12 threads=4' 'good:deadline=1000000 cpu-used=3 threads=1')
for setting in "${settings[@]}"; do
    name=${setting%%:*}
    properties=${setting#*:}
    cpu=$(live "$ours" cpu "$properties") || cpu=
    check "$name" [ -n "$cpu" ]
    check "$name-is-ours" grep -E '200 frames: 2 key, 198 inter \(198 by cpu\)' "$scratch/log"
    [ "$name" != threads ] || continue
    was=$(live "$stock" '' "$properties") || was=
    off=$(live "$ours" off "$properties") || off=
    check "$name-off" [ -n "$was" -a "$was" = "$off" ]
    check "$name-differs" [ "$was" != "$cpu" ]
done
