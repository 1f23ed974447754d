#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Our tests in FFmpeg's own test suite (tests/fate/vp8-cudame.mak). With GEN=1 it writes the
# references instead, into the build's source tree.
set -euo pipefail

cd "$FFMPEG_OBJ"
# If the build has shared libraries, the programs must find them.
if compgen -G "libavcodec/*.so" >/dev/null; then
    libraries=("$FFMPEG_OBJ"/lib*/)
    LD_LIBRARY_PATH=$(IFS=:; echo "${libraries[*]}")${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
    export LD_LIBRARY_PATH
fi
mapfile -t names < <(make -s fate-list | grep '^fate-vp8-cudame-')
[ ${#names[@]} -gt 0 ] || { echo "FFmpeg lists no test of ours" >&2; exit 1; }
for name in "${names[@]}"; do rm -f "tests/data/fate/${name#fate-}".{rep,err}; done
make -k -j"$(nproc)" ${GEN:+GEN=1} "${names[@]}" >"$LOG_DIR/fate.log" 2>&1 || true
for name in "${names[@]}"; do
    report=tests/data/fate/${name#fate-}.rep
    if [ -f "$report" ] && [ "$(cut -d: -f2 "$report")" = 0 ]; then
        echo "ok $name"
    else
        echo "not ok $name (see $LOG_DIR/fate.log)"
    fi
done
