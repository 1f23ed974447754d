#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# A flat picture that follows a noisy one shows no trace of it, even at the highest quantizer, which
# codes almost no residual.
# Options are split into words on purpose.
# shellcheck disable=SC2046,SC2086
. "$(dirname "$0")/lib.sh"

ff -f lavfi -i color=gray:size=352x288:rate=25,noise=alls=80:all_seed=7 -frames:v 6 \
    -pix_fmt yuv420p -f rawvideo rough.yuv &&
    ff -f lavfi -i color=0x888888:size=352x288:rate=25 -frames:v 2 -pix_fmt yuv420p \
        -f rawvideo flat.yuv || { show_log; exit 1; }
cat rough.yuv flat.yuv >in.yuv

for setting in best good2 good5 rt4 rt8 rt16; do
    if ! ff $(raw in.yuv 352x288) -c:v vp8_cudame -me_backend $ME_BACKEND $(speed $setting) \
        -threads 1 -b:v 20M -qmin 63 -qmax 63 -f ivf out.ivf ||
        ! ff $(raw in.yuv 352x288) -i out.ivf -lavfi psnr=stats_file=psnr -f null -; then
        show_log
        not_ok $setting "failed"
        continue
    fi
    # PSNR-Y of the seventh frame, the first flat one, in 1/100 dB.
    got=$(sed -nE '7s/.*psnr_y:(inf|([0-9]+)\.([0-9]{2})).*/\2\3/p' psnr)
    if [ "${got:-9999}" -ge 4000 ]; then
        ok $setting
        echo "# ${got:-inf} / 100 dB"
    else
        not_ok $setting "$got / 100 dB"
    fi
done
exit $failed
