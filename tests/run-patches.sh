#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The patches apply to every supported version, and every prefix of libvpx's series builds and
# encodes. Our files in libavcodec have no circle of calls.
set -euo pipefail

tools=$(dirname "$0")/../tools
fetch=(--state="$BUILD_DIR/apt" --dl="${VP8_CUDAME_DL:-$BUILD_DIR/dl}")
bad=0
"$tools/check-patches" "${fetch[@]}" || bad=1
# Build the newest libvpx with every prefix of the series.
tarball=$("$tools/fetch-sources" "${fetch[@]}" libvpx 1.17 1.15)
"$tools/check-series" "$tarball" || bad=1
if "$tools/overlay-graph" --check "$tools/../libavcodec"; then
    echo ok libavcodec-no-circles
else
    echo not ok libavcodec-no-circles
    bad=1
fi
exit $bad
