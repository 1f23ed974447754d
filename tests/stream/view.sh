#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# tools/view reads from a stream what the encoder reports in me_stats, and draws every macroblock.
# Options are split into words on purpose.
# shellcheck disable=SC2046,SC2086
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/lib.sh"
: "${VP8_MODES:=$root/build/view/vp8-modes}"
export VP8_MODES FFMPEG

view() { python3 "$root/tools/view/view.py" "$@" >view.out 2>view.err; }

clip 130x98.yuv 130x98 30
zoom 176x144.yuv 176x144 30
columns=key,hidden,intra16x16,intra4x4,zero,nearest,near,new,split,ref_last,ref_golden,ref_altref,quantizer
columns+=,segment0,segment1,segment2,segment3,quantizer0,quantizer1,quantizer2,quantizer3

# expected FILE: prints the columns of me_stats as the tool prints its counts
expected() {
    awk -F, -v OFS='\t' -v names=frame,$columns '
        NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; n = split(names, name, ",") }
        { for (i = 1; i <= n; i++) printf "%s%s", $at[name[i]], i < n ? OFS : "\n" }' "$1"
}

while read -r name size options; do
    if ! ff $(raw $size.yuv $size) -c:v vp8_cudame -me_backend $ME_BACKEND -b:v 150k -threads 1 \
        $options -me_stats $name.csv -f ivf $name.ivf; then
        show_log
        not_ok $name "failed"
    elif ! view $name.ivf --counts; then
        not_ok $name "$(tail -n 1 view.err)"
    elif ! expected $name.csv | cmp -s - view.out; then
        expected $name.csv | diff - view.out | sed -n '1,4s/^/#   /p'
        not_ok $name "counts differ from me_stats"
    else
        ok $name
    fi
done <<END
best 130x98 $(speed best)
rt8 130x98 $(speed rt8)
hidden 130x98 $(speed good2) -auto-alt-ref 1 -lag-in-frames 12 -enc_time_base 1:1000
refresh 130x98 $(speed rt8) -error-resilient default
importance 176x144 $(speed best) -b:v 50k
END
if awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "hidden") at = i } $at == 1 { n++ } END { exit !n }' hidden.csv; then
    ok "a hidden frame"
else
    not_ok "a hidden frame" "there is none"
fi

# Draws frames 2 to 14. Only shown frames have a picture.
shown=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "hidden") at = i }
    NR >= 3 && NR <= 15 && !$at' hidden.csv | wc -l)
if view hidden.ivf --frames 2-14 --out drawn &&
    python3 - $shown drawn/frame-*.svg 2>view.err <<'END'
import sys
import xml.etree.ElementTree as tree

SVG = "{http://www.w3.org/2000/svg}"
shown, *paths = sys.argv[1:]
assert len(paths) == 13, paths
pictures = 0
for path in paths:
    root = tree.parse(path).getroot()
    assert len(root.findall(f".//{SVG}title")) == 9 * 7, path
    pictures += len(root.findall(f"{SVG}image"))
assert pictures == int(shown), f"{pictures} pictures of {shown} frames that are shown"
END
then
    ok drawn
else
    not_ok drawn "$(tail -n 1 view.err)"
fi

# Draws the quantizers of a frame that has segments, by me_stats.
for name in refresh importance; do
    frame=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { for (i = 0; i < 4; i++) if ($at["segment" i] && $at["quantizer" i] < $at["quantizer"]) { print $1; exit } }' $name.csv)
    if [ -z "$frame" ]; then
        not_ok $name-quantizers "no frame has segments"
    elif view $name.ivf --frames $frame --out quantizers --quantizers &&
        [ "$(grep -c 'fill="#0c0"' quantizers/frame-$frame.svg)" -gt 0 ]; then
        ok $name-quantizers
    else
        not_ok $name-quantizers "$(tail -n 1 view.err)"
    fi
done

if view 130x98.yuv --counts || view best.ivf --frames 99 || view best.ivf --frames 0; then
    not_ok refused "wrong input is accepted"
else
    ok refused
fi
exit $failed
