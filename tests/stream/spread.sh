#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Encoders without -gpu are spread over two devices, and make the CPU's streams there. Runs on the
# emulated driver, which counts the launches of each device.
# Options are split into words on purpose.
# shellcheck disable=SC2046,SC2086
. "$(dirname "$0")/lib.sh"

if [ -z "${EMULATED_CUDA:-}" ]; then
    skip spread "there is no emulated CUDA driver: this build has no CUDA backend"
    exit 0
fi
export FAKE_CUDA_DEVICES=2 FAKE_CUDA_ALIKE=1
clip in.yuv 96x80 12
in=$(raw in.yuv 96x80)
enc="-c:v vp8_cudame -b:v 300k -threads 1 $(speed rt8)"
ff $in $enc -me_backend cpu -f ivf cpu.ivf || { show_log; not_ok cpu "failed"; exit 1; }
# spread NAME FIRST SECOND COMMAND...: whether each device launched kernels: some or none
spread() {
    local name=$1 wanted="$2 $3" n0 n1 leaked did file
    shift 3
    rm -f ./?.ivf
    on_driver "$EMULATED_CUDA" -1 0 0 "$@" || { show_log; not_ok "$name" "failed"; return; }
    { read -r _ leaked && read -r n0 n1; } <report
    did="$([ "$n0" -gt 0 ] && echo some || echo none) $([ "$n1" -gt 0 ] && echo some || echo none)"
    [ "$leaked" = 0 ] || { not_ok "$name" "$leaked allocations leak"; return; }
    [ "$did" = "$wanted" ] || { not_ok "$name" "devices did $did, not $wanted"; return; }
    for file in ./?.ivf; do
        cmp -s cpu.ivf "$file" || { not_ok "$name" "$file is not the CPU's stream"; return; }
    done
    ok "$name"
}
for backend in cuda auto; do
    out="-map 0:v $enc -me_backend $backend $(at_once $backend) -f ivf"
    spread two-$backend some some ff $in $out a.ivf $out b.ivf
    spread four-$backend some some ff $in $out a.ivf $out b.ivf $out c.ivf $out d.ivf
    # An encoder takes the device with more free memory.
    FAKE_NVML_TAKEN="90 10" spread memory-$backend none some ff $in $out a.ivf
    FAKE_NVML_TAKEN="10 90" spread memory-other-$backend some none ff $in $out a.ivf
    # A device that another process uses exclusively is not taken.
    FAKE_CUDA_TAKEN="0 46" spread taken-$backend none some ff $in $out a.ivf $out b.ivf
    FAKE_CUDA_TAKEN="1 46" spread taken-other-$backend some none ff $in $out a.ivf $out b.ivf
done
# Frames that are on a device are searched there.
second="-init_hw_device cuda=gpu:1 -filter_hw_device gpu"
spread frames none some ff $second $in -vf format=nv12,hwupload $enc -me_backend cuda -f ivf a.ivf
exit $failed
