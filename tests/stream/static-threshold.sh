#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# A static threshold costs as much quality as with stock libvpx: about as many macroblocks are coded
# without residual.
# Options are split into words on purpose.
# shellcheck disable=SC2046,SC2086
. "$(dirname "$0")/lib.sh"

zoom qcif.yuv 176x144 30

# loss PROGRAM OPTIONS...: prints the loss of PSNR-Y by a static threshold, in 1/100 dB
loss() {
    local program=$1 threshold psnr before
    shift
    for threshold in 0 30000; do
        $program $(raw qcif.yuv 176x144) "$@" -threads 1 -b:v 20M -qmin 20 -qmax 20 \
            -static-thresh $threshold -f ivf a.ivf &&
            ff $(raw qcif.yuv 176x144) -i a.ivf -lavfi psnr -f null - || return
        psnr=$(sed -nE 's/.*PSNR y:([0-9]+)\.([0-9]{2}).*/\1\2/p' log)
        [ $threshold -ne 0 ] || before=$psnr
    done
    echo $((before - psnr))
}

for setting in good5 rt4 rt8 rt16; do
    if ! theirs=$(loss stock -c:v libvpx $(speed $setting)) ||
        ! ours=$(loss ff -c:v vp8_cudame -me_backend $ME_BACKEND $(speed $setting)); then
        show_log
        not_ok $setting "failed"
    elif [ $theirs -lt 300 ]; then
        not_ok $setting "stock libvpx loses $theirs/100 dB: too little to tell"
    elif [ $ours -gt $((theirs + 100)) ] || [ $ours -lt $((theirs - 150)) ]; then
        not_ok $setting "costs $ours/100 dB, stock libvpx $theirs/100"
    else
        ok $setting
        echo "# costs $ours/100 dB, stock libvpx $theirs/100"
    fi
done
exit $failed
