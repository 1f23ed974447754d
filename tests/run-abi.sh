#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The declarations of two interfaces have not changed since their version got its number.
set -euo pipefail

top=$(cd "$(dirname "$0")/.." && pwd)
list=$top/tests/abi/declarations
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# sum FILE...: of the text without comments and spaces
sum() { cat "$@" | perl -0pe 's{/\*.*?\*/}{}gs; s{//[^\n]*}{}g; s{\s+}{}g' | sha256sum | cut -c 1-16; }
same() { # NAME VERSION FILE...
    local line
    line="$1 $2 $(sum "${@:3}")"
    if grep -Fxq "$line" "$list"; then
        echo "ok $1"
    else
        echo "not ok $1 (the declarations have changed: raise the version, and add a line to tests/abi/declarations: $line)"
    fi
}

provider=$top/libvpx/vpx/vp8_motion_provider.h
version=$(sed -n 's/^#define VP8E_MP_ABI_VERSION //p' "$provider")
same provider "$version" "$provider" "$top/libvpx/vpx/vp8_mp_whole_frame.h"
soname=$(sed -n 's/^SONAME.*= //p' "$top/cudame/Makefile")
node=$(sed -n 's/^\(CUDAME_[0-9]*\) {/\1/p' "$top/cudame/libcudame.map" | tail -n 1)
same cudame "$soname,$node" "$top"/cudame/include/cudame/*.h

# A version has one line. A comment does not change the sum, and a field does.
twice=$(awk '!/^#/ { print $1, $2 }' "$list" | LC_ALL=C sort | uniq -d)
if [ -z "$twice" ]; then echo 'ok one-line-each'; else echo "not ok one-line-each ($twice)"; fi
sed 's,priv;.*,priv; /**< another comment */,' "$provider" >"$scratch/comment.h"
sed 's,int mbtree;,& int field;,' "$provider" >"$scratch/field.h"
if [ "$(sum "$scratch/comment.h")" = "$(sum "$provider")" ]; then echo 'ok comment'; else echo 'not ok comment'; fi
if [ "$(sum "$scratch/field.h")" != "$(sum "$provider")" ]; then echo 'ok field'; else echo 'not ok field'; fi
