#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Usage: tests/libvpx/take.sh OTHER_OBJECT OBJECT FROM=TO...
# Copies an object from another build instead of compiling it again, if all files that it depends on
# (by its .d file) are the same in the tree TO as in the tree FROM. Fails otherwise.
set -euo pipefail

other=$1
object=$2
shift 2
[ -e "$other" ] && [ -e "${other%.o}.d" ] || exit 1
renamed=$(mktemp)
trap 'rm -f "$renamed"' EXIT
sed "s,$other,$object,g" "${other%.o}.d" >"$renamed"
# Nothing can be compared if ccache has made the paths of the source tree relative.
grep -qF "${1%%=*}/" "$renamed" || exit 1
for trees; do
    from=${trees%%=*} to=${trees#*=}
    for file in $(tr -s ' \\:' '\n' <"$renamed" | grep -F "$from/" | sort -u); do
        cmp -s "$file" "$to/${file#"$from/"}" || exit 1
    done
    sed -i "s,$from/,$to/,g" "$renamed"
done
# The copy is newer than the files that it depends on.
cp "$other" "$object"
cp "$renamed" "${object%.o}.d"
