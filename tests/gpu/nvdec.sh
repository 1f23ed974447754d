#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Frames that stay on the device from decoder to encoder make the same bytes as frames that are
# downloaded in between, and as frames on the CPU. Uses the H.264 clips of CLIPS that the device
# decodes, and also scales them there. Needs a device.
# Options are split into words on purpose.
# shellcheck disable=SC2086
. "$(dirname "$0")/../stream/lib.sh"

"$FFMPEG" -v error -hwaccels | grep -x cuda >/dev/null || { echo "this FFmpeg has no NVDEC"; exit 77; }
encode="-frames:v 6 -fps_mode passthrough -c:v vp8_cudame -b:v 3M -threads 2 -f ivf"
cuda="-hwaccel cuda -hwaccel_output_format cuda"
on_device() { grep -q 'Using input frames context (format cuda)' log; }

found=0
for clip in ${CLIPS:+"$CLIPS"/*}; do
    case $clip in *.mkv | *.mp4 | *.264 | *.h264 | *.mov) ;; *) continue ;; esac
    name=$(basename "$clip")
    name=${name%.*}
    # If the device cannot decode the clip, FFmpeg decodes it on the CPU: skip it.
    ff -v verbose $cuda -i "$clip" $encode device.ivf && on_device || continue
    found=1
    same() { if cmp -s "$2" "$3"; then ok "$1"; else not_ok "$1" "$4"; fi; }
    ff -i "$clip" -me_backend cpu $encode cpu.ivf || show_log
    same "$name" device.ivf cpu.ivf "differs from pictures decoded and searched on the CPU"
    ff $cuda -i "$clip" -vf hwdownload,format=nv12 -me_backend cuda $encode host.ivf || show_log
    same "$name-hwdownload" device.ivf host.ivf "differs from pictures downloaded by a filter"
    if ff -v verbose $cuda -c:v h264_cuvid -i "$clip" -me_backend cuda $encode device.ivf && on_device &&
        ff $cuda -c:v h264_cuvid -i "$clip" -vf hwdownload,format=nv12 -me_backend cpu $encode host.ivf; then
        same "$name-cuvid" device.ivf host.ivf "differs with h264_cuvid"
    else
        show_log
        not_ok "$name-cuvid" "failed with h264_cuvid"
    fi
    "$FFMPEG" -v error -filters | grep ' scale_cuda ' >/dev/null || { skip "$name-scale" "this FFmpeg has no scale_cuda"; continue; }
    for format in nv12 yuv420p; do
        scale=scale_cuda=854:480:format=$format
        if ff -v verbose $cuda -i "$clip" -vf $scale -me_backend cuda $encode device.ivf && on_device &&
            ff $cuda -i "$clip" -vf $scale,hwdownload,format=$format -me_backend cpu $encode host.ivf; then
            same "$name-scale-$format" device.ivf host.ivf "differs from scaled pictures downloaded by a filter"
        else
            show_log
            not_ok "$name-scale-$format" "failed"
        fi
    done
done
[ $found = 1 ] || { echo "CLIPS has no clip that the device decodes"; exit 77; }
exit $failed
