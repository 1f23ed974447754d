#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The release of "make dist": it has every file, and can be configured and patched without git and
# without the network.
set -euo pipefail

top=$(cd "$(dirname "$0")/.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

check() { # $1: name, $2...: command
    if "${@:2}" >&2; then echo "ok $1"; else echo "not ok $1"; fi
}
fails() { ! "$@"; }

if [ -e "$top/.git" ] && ! command -v git >&2; then
    echo "skip release (this is a clone, and there is no git)"
    exit 0
fi

# Any version will do, so that this machine need not download another one.
export SOURCES="ffmpeg=>=7.1 libvpx=>=1.15 nv-codec-headers=>=11.1.5.3"
dist() { "$top/tools/package/dist" --state="$BUILD_DIR/apt" --dl="${VP8_CUDAME_DL:-$BUILD_DIR/dl}" "$1"; }
release=$(dist first)
version=$(cat "$top/VERSION")
name=vp8_cudame-$version
check name [ "$release" = "$scratch/first/$name.tar.xz" ]
(cd first && sha256sum -c "$name.tar.xz.sha256") >&2 && status=0 || status=$?
check checksum [ $status = 0 ]

tar -xf "$release"
if [ -e "$top/.git" ]; then
    check all-files diff <(git -c safe.directory="$top" -C "$top" ls-tree -r --name-only HEAD | LC_ALL=C sort) "$name/MANIFEST"
else
    check all-files diff "$top/MANIFEST" "$name/MANIFEST"
fi
others() { (cd "$name" && find . ! -type d ! -path './sources/*' ! -path ./MANIFEST) | sed 's,^\./,,' | LC_ALL=C sort; }
check no-other-files diff "$name/MANIFEST" <(others)
owners() { tar --numeric-owner -tvf "$release" | awk '{ print $2 }' | sort -u; }
check owner [ "$(owners)" = 0/0 ]
for page in CHANGELOG.md NEWS.md; do check "version-$page" grep -Fx "## $version" "$name/$page"; done
check version-packages grep -F "vp8-cudame ($version) " "$name/debian/changelog"

# From here on git and apt fail, and note that they were called.
mkdir programs
for program in git apt-get apt-cache; do
    printf '#!/bin/sh\necho "%s $*" >>"%s"\nexit 1\n' $program "$scratch/called" >"programs/$program"
    chmod +x "programs/$program"
done
cut_off() { (
    unset VP8_CUDAME_DL MAKEFLAGS
    export PATH=$scratch/programs:$PATH http_proxy=http://127.0.0.1:9 https_proxy=http://127.0.0.1:9
    cd "$scratch/$name" && "$@"
); }
check configure cut_off ./configure --minimal --nvcc=no
origin() { sed -n "s/^$1_ORIGIN := //p" "$name/config.mak"; }
for part in FFMPEG LIBVPX NVCODEC; do
    check "own-source-$part" [ "$(dirname "$(origin $part)")" = "$scratch/$name/sources" ]
done
value() { sed -n "s/^$1 := //p" "$name/config.mak"; }
stamp=$scratch/$name/build/stamp
check sources cut_off make -s "$stamp/ffmpeg-$(value FFMPEG_VERSION).src" \
    "$stamp/libvpx-$(value LIBVPX_VERSION)-patched.src" "$stamp/nvcodec"
check patched [ -e "$name/build/src/libvpx-$(value LIBVPX_VERSION)-patched/vp8/encoder/mp/hooks.c" ]
check no-apt fails grep '^apt' called

# The unpacked release makes the same release. One small tarball saves time.
export SOURCES="nv-codec-headers=>=11.1.5.3"
check small dist second
check again cut_off tools/package/dist "$scratch/third"
check git-fails-here grep '^git' called
check same-bytes cmp "second/$name.tar.xz" "third/$name.tar.xz"

# A source that is damaged is not used.
damaged=$(basename "$(origin NVCODEC)")
echo >>"$name/sources/$damaged"
check damaged fails cut_off ./configure --minimal --nvcc=no
