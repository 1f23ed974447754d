#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Installs into an empty folder and builds a program against nothing else.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
prefix=$BUILD_DIR/embed
rm -rf "$prefix"
make -s -C "$here/.." install PREFIX="$prefix" >&2

for file in bin/ffmpeg bin/ffprobe lib/libavcodec.a lib/libvpx.a lib/libcudame.a \
            include/libavcodec/avcodec.h include/cudame/cudame.h lib/pkgconfig/cudame.pc; do
    if [ -e "$prefix/$file" ]; then echo "ok installed-$file"; else echo "not ok installed-$file"; fi
done
if grep -n "$BUILD_DIR/\(prefix\|stage\)" "$prefix"/lib/pkgconfig/*.pc >&2; then
    echo "not ok pkgconfig-names-no-build-folder"
else
    echo "ok pkgconfig-names-no-build-folder"
fi

export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
flags=$(pkg-config --static --cflags --libs libavcodec libavutil)
if ${CC:-cc} -Wall -o "$prefix/embed" "$here/embed/embed.c" $flags ${BASE_LDFLAGS:-} >&2; then
    echo "ok link"
    if "$prefix/embed" >&2; then echo "ok encode"; else echo "not ok encode"; fi
else
    echo "not ok link"
fi
if "$prefix/bin/ffmpeg" -hide_banner -v error -h encoder=vp8_cudame | grep cuda_me >/dev/null; then
    echo "ok installed-program"
else
    echo "not ok installed-program"
fi
