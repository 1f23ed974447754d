#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Wrong options and inputs end with a message that says what to do. Unusual ones work. vp8_cudame
# does with them what libvpx does.
# Options are split into words on purpose, and A && B || C means: C if A or B fails.
# shellcheck disable=SC2046,SC2086,SC2015
. "$(dirname "$0")/lib.sh"

src=(-f lavfi -i "testsrc2=size=64x48:rate=25,format=yuv420p" -frames:v 4)
enc=(-c:v vp8_cudame -threads 1 -b:v 200k)

# fails NAME PATTERN OPTIONS...: an error, not a crash, with the pattern in the log
fails() {
    local name=$1 pattern=$2 status=0
    shift 2
    ff "${src[@]}" "${enc[@]}" "$@" -f null - || status=$?
    if [ $status -eq 0 ]; then
        not_ok "$name" "accepted"
    elif [ $status -ge 128 ] && [ $status -lt 160 ]; then
        not_ok "$name" "killed by signal $((status - 128))"
    elif ! grep -qE -- "$pattern" log; then
        show_log
        not_ok "$name" "no message like '$pattern'"
    else
        ok "$name"
    fi
}

# works NAME FRAMES OPTIONS...: ffmpeg with these options, without the output file, makes FRAMES
# frames
works() {
    local name=$1 n=$2 count
    shift 2
    ff "$@" -f ivf works.ivf || { show_log; not_ok "$name" "failed"; return; }
    ff -i works.ivf -fps_mode passthrough -f framemd5 works.md5 ||
        { show_log; not_ok "$name" "the stream does not decode"; return; }
    count=$(grep -vc '^#' works.md5)
    if [ "$count" -eq "$n" ]; then ok "$name"; else not_ok "$name" "$count frames, not $n"; fi
}

fails mode-word 'cuda_me|Undefined constant' -cuda_me nope
fails mode-negative 'cuda_me' -cuda_me -1
fails mode-large 'cuda_me' -cuda_me 5
fails search-word 'me_search|Undefined constant' -me_search nope
fails backend-word 'me_backend|Undefined constant' -me_backend nope
fails range-large 'me_range 129 is not within 1 to 128' -me_backend cpu -me_range 129
fails range-absurd 'me_range 2147483647 is not within' -me_backend cpu -me_range 2147483647
fails range-negative 'me_range -5 is not within' -me_backend cpu -me_range -5
fails range-diamond 'add -me_search full' -me_backend cpu -cuda_me fast -me_range 16
fails gpu-negative 'gpu' -gpu -3
fails gpu-cpu 'gpu 0 selects a CUDA device, but me_backend is cpu' -me_backend cpu -gpu 0
fails band-rows-cpu 'me_band_rows applies only to CUDA' -me_backend cpu -me_band_rows 2
fails band-rows-negative 'me_band_rows' -me_band_rows -1
fails band-rows-large 'me_band_rows' -me_band_rows 1025
fails stats-folder 'Could not open me_stats' -me_backend cpu -me_stats no/such/folder/x.csv
fails cuda-after-negative 'me_cuda_after' -me_cuda_after -2
fails cuda-after-cpu 'me_cuda_after applies only to me_backend auto' -me_cuda_after 5 -me_backend cpu
fails guide-word 'guide|Undefined constant' -guide nope
fails guide-large 'guide' -guide 5
fails guide-negative 'guide' -guide -1
fails threads '' -threads nope
fails lag-large 'lag-in-frames.* out of range' -lag-in-frames 26
fails pass1-realtime 'The first of two passes makes no statistics with deadline realtime' -deadline realtime -pass 1 -passlogfile none
fails pass1-live 'The first of two passes makes no statistics with deadline realtime' -preset live -pass 1 -passlogfile none
: >empty-0.log
fails pass2-empty 'The statistics of the first pass are empty' -pass 2 -passlogfile empty
fails auto-alt-ref-alpha 'auto_alt_ref does not work' -pix_fmt yuva420p -auto-alt-ref 1 -me_backend cpu

# Values that libvpx refuses when it is opened: one line of the encoder gives the reason, without a
# list of libvpx's settings.
while read -r name reason options; do
    fails $name "${reason//_/ }" -me_backend cpu $options
    count=$(grep -c '^\[vp8_cudame @' log)
    if [ "$count" -eq 1 ]; then ok $name-short; else not_ok $name-short "$count lines"; fi
done <<'END'
qmin-large qmin_64_is_not_within_0_to_63 -qmin 64
qmax-large qmax_64_is_not_within_0_to_63 -qmax 64
qmin-above qmin_40_is_larger_than_qmax_20 -qmin 40 -qmax 20
qmax-below qmin_4,_the_default,_is_larger_than_qmax_2 -qmax 2
profile-large profile_4_is_not_within_0_to_3 -profile:v 4
drop-large drop-threshold_101_is_not_within_0_to_100 -drop-threshold 101
drop-negative drop-threshold_-1_is_not_within_0_to_100 -drop-threshold -1
overshoot-large overshoot-pct_101_is_not_within_0_to_100 -overshoot-pct 101
qcomp-large qcomp_1.5_is_not_within_0_to_1 -qcomp 1.5
END
works limits 4 "${src[@]}" "${enc[@]}" -me_backend cpu -qmin 0 -qmax 63 -profile:v 3 -drop-threshold 100 \
    -overshoot-pct 100 -qcomp 1 -lag-in-frames 25

works range-1 4 "${src[@]}" "${enc[@]}" -me_backend cpu -me_range 1
works range-128 4 "${src[@]}" "${enc[@]}" -me_backend cpu -me_range 128
works threads-many 4 "${src[@]}" "${enc[@]}" -me_backend cpu -threads 200
works threads-auto 4 "${src[@]}" "${enc[@]}" -me_backend cpu -threads 0

# Guided mode decision needs cuda_me full. Without it a message says so; it is no error.
works guide-fast 4 "${src[@]}" "${enc[@]}" -me_backend cpu -cuda_me fast -guide safe
ff "${src[@]}" "${enc[@]}" -me_backend cpu -cuda_me fast -guide safe -f null - || true
if grep -q 'guide has no effect without cuda_me full' log; then ok guide-fast-said; else not_ok guide-fast-said "no message"; fi

# Backends.
if ff "${src[@]}" "${enc[@]}" -me_backend cuda -f null -; then
    ok backend-cuda
    no_driver=0
else
    grep -qE 'Cannot run motion estimation on CUDA: .+(Rebuild|Check the driver)' log &&
        grep -q -- '-me_backend auto or cpu' log && ok backend-cuda ||
        { show_log; not_ok backend-cuda "no message that says what to do"; }
    no_driver=1
fi
works backend-auto 4 "${src[@]}" "${enc[@]}" -me_backend auto
works band-rows 4 "${src[@]}" "${enc[@]}" -me_band_rows 3
# Without a driver, one line of information for all encoders of a process, and no warning.
three=("${src[@]:0:4}")
for _ in 1 2 3; do three+=(-frames:v 4 "${enc[@]}" -f null -); done
ff "${three[@]}"
count=$(grep -c 'Motion estimation runs on the CPU, without CUDA: ' log)
if [ "$count" -eq $no_driver ]; then ok backend-auto-says; else show_log; not_ok backend-auto-says "$count lines, not $no_driver"; fi
ff -v warning "${three[@]}"
if [ ! -s log ]; then ok backend-auto-quiet; else show_log; not_ok backend-auto-quiet "a warning"; fi
if [ $no_driver = 1 ]; then
    ff "${src[@]}" "${enc[@]}" -me_cuda_after 0 -f null -
    if grep -q 'running it on the CPU. Use -me_backend cpu to avoid this warning$' log; then
        ok backend-auto-advice
    else
        show_log
        not_ok backend-auto-advice "no warning that says how to avoid it"
    fi
fi
ff "${src[@]}" "${enc[@]}" -me_backend cpu -f null -
if grep -q CUDA log; then not_ok backend-cpu-quiet "the log mentions CUDA"; else ok backend-cpu-quiet; fi
ff "${src[@]}" "${enc[@]}" -cuda_me off -me_backend cuda -f null - &&
    ok off-needs-nothing || { show_log; not_ok off-needs-nothing "cuda_me off failed"; }

# said NAME COUNT PATTERN OPTIONS...: it works, and COUNT lines of the log match the pattern
said() {
    local name=$1 n=$2 pattern=$3 count
    shift 3
    ff "${src[@]}" "${enc[@]}" "$@" -f null - || { show_log; not_ok "$name" "failed"; return; }
    count=$(grep -cE -- "^\[vp8_cudame @ [^]]*\] ($pattern)\$" log)
    if [ "$count" -eq "$n" ]; then ok "$name"; else show_log; not_ok "$name" "$count lines like '$pattern', not $n"; fi
}

# Where libvpx searches, options of ours have no effect: one line names them.
said off-options 1 'me_backend, gpu, me_search, me_range, me_stats have no effect with cuda_me off' \
    -cuda_me off -me_range 16 -gpu 0 -me_backend cuda -me_search full -me_stats off.csv
said off-option 1 'guide has no effect with cuda_me off' -cuda_me off -guide safe
said off-quiet 0 '.* no effect with .*' -cuda_me off -preset fast
said profile3-options 1 'me_backend, guide have no effect with profile 3, .*' -profile:v 3 -me_backend cuda -guide safe
said profile3-quiet 0 '.*(CUDA|cuda|lean|no effect).*' -profile:v 3 -v verbose
said profile3-cpu 0 '.* no effect with .*' -profile:v 3 -me_backend cpu
said profile3-search 1 "deadline good, cpu-used 1, profile 3 with the motion search of libvpx, 25 frames of lookahead, 1 threads" \
    -profile:v 3 -v verbose
said profile2-search 1 'deadline .*, me_search lean level 0, .*' -profile:v 2 -me_backend cpu -v verbose

# lag-in-frames without a lookahead: one line says what rules it out.
while read -r name cause options; do
    said lag-$name 1 "lag-in-frames has no effect with ${cause//_/ }" -lag-in-frames 25 -me_backend cpu $options
    said lag-$name-quiet 0 'lag-in-frames .*' -me_backend cpu $options
done <<'END'
live deadline_realtime -preset live
low-delay flags_low.delay -flags low_delay
error-resilient error-resilient -error-resilient default
key-frames key_frames_alone -g 1
quantizer qmin_equal_to_qmax -qmin 20 -qmax 20
cbr a_constant_bitrate -minrate 200k -maxrate 200k
alpha transparency -pix_fmt yuva420p -auto-alt-ref 0
END
said lag-off 1 'lag-in-frames has no effect with cuda.me off' -lag-in-frames 25 -cuda_me off
said lag-none 0 'lag-in-frames .*' -lag-in-frames 0 -me_backend cpu -preset live
said lag-used 0 'lag-in-frames .*' -lag-in-frames 25 -me_backend cpu
said pass1-stats 1 'me_stats has no effect in the first of two passes' -pass 1 -passlogfile stats -me_stats pass1.csv
said pass2-stats 0 'me_stats .*' -pass 2 -passlogfile stats -me_stats pass2.csv -me_backend cpu
said pass2-lag 0 'lag-in-frames .*' -pass 2 -passlogfile stats -lag-in-frames 25 -me_backend cpu

# -gpu list prints the devices, as NVENC's encoders do, and nothing is encoded.
works gpu-any 4 "${src[@]}" "${enc[@]}" -me_backend auto -gpu any
if [ -n "${FAKE_CUDA:-}" ]; then
    status=0
    rm -f list.ivf
    on_driver "$FAKE_CUDA" -1 0 0 ff "${src[@]}" "${enc[@]}" -me_backend cpu -gpu list -f ivf list.ivf || status=$?
    if [ $status -eq 0 ] && grep -q '\] gpu 0: fake, compute capability 9.0$' log && [ ! -s list.ivf ]; then
        ok gpu-list
    else
        show_log
        not_ok gpu-list "status $status"
    fi
    # Each call of the driver fails in turn.
    on_driver "$FAKE_CUDA" -1 0 0 ff "${src[@]}" "${enc[@]}" -gpu list -f null -
    read -r calls _ <report
    bad=
    for ((call = 0; call < calls; call++)); do
        on_driver "$FAKE_CUDA" $call 100 1 ff "${src[@]}" "${enc[@]}" -gpu list -f null - && bad+=" $call"
        grep -q 'Cannot list the CUDA devices: ' log || bad+=" $call (no message)"
    done
    if [ "$calls" -gt 3 ] && [ -z "$bad" ]; then ok gpu-list-fails; else not_ok gpu-list-fails "of $calls calls:$bad"; fi
elif ff "${src[@]}" "${enc[@]}" -gpu list -f null -; then
    if grep -q '\] gpu 0: .*, compute capability ' log; then ok gpu-list; else show_log; not_ok gpu-list "no list"; fi
else
    fails gpu-list-fails 'Cannot list the CUDA devices: .' -gpu list
fi

# The first of two passes does not search with cudame. It runs on CUDA if me_first_pass asks for it.
ff "${src[@]}" "${enc[@]}" -me_backend cuda -pass 1 -passlogfile pass1 -f null - &&
    ok pass1-needs-no-gpu || { show_log; not_ok pass1-needs-no-gpu "-me_backend cuda -pass 1 failed"; }
fails pass1-checks 'me_range 129 is not within' -me_backend cpu -me_range 129 -pass 1 -passlogfile pass1

fails first-pass-word 'me_first_pass|Undefined constant' -me_first_pass nope
fails first-pass-cpu 'me_first_pass cuda needs a CUDA device, but me_backend is cpu' -me_first_pass cuda -me_backend cpu
for pass in "-pass 1 -passlogfile pass1" "-lag-in-frames 4"; do
    name=first-pass-cuda-${pass:1:3}
    if ff "${src[@]}" "${enc[@]}" -me_first_pass cuda $pass -f null -; then
        ok $name
    else
        grep -qE 'Cannot run the first pass on CUDA: .+(Rebuild|Check the driver).+-me_first_pass auto or cpu' log && ok $name ||
            { show_log; not_ok $name "no message that says what to do"; }
    fi
done
works first-pass-elsewhere 4 "${src[@]}" "${enc[@]}" -lag-in-frames 0 -me_first_pass cuda

# me_stats: a header and a line for each frame.
if ff "${src[@]}" "${enc[@]}" -me_backend cpu -me_stats stats.csv -f null - &&
    [ "$(wc -l <stats.csv)" -eq 5 ] && [ "$(awk -F, '{ print NF }' stats.csv | sort -u)" = 42 ]; then
    ok stats
else
    show_log
    not_ok stats "not a line of 42 fields for each of 4 frames"
fi

# A message says that a file could not be written, when it is closed, as ffmpeg does for its
# outputs.
if [ -e /dev/full ]; then
    said stats-full 1 "Could not write all of me_stats file '/dev/full': No space left on device" \
        -me_backend cpu -me_stats /dev/full
fi

# Pixel formats are taken directly, or converted as for libvpx.
for format in yuv420p nv12 yuva420p; do
    works "format-$format" 4 -f lavfi -i "testsrc2=size=64x48:rate=25" -frames:v 4 -pix_fmt $format \
        "${enc[@]}" -me_backend cpu -auto-alt-ref 0
    if grep -q Incompatible log; then not_ok "format-$format-direct" "converted"; else ok "format-$format-direct"; fi
done
for format in yuv444p yuv420p10le rgb24 gray; do
    for codec in libvpx "vp8_cudame -cuda_me off"; do
        ff -f lavfi -i "testsrc2=size=64x48:rate=25" -frames:v 4 -pix_fmt $format -c:v $codec -threads 1 \
            -b:v 200k -f ivf "${codec%% *}.ivf"
        echo $? >"${codec%% *}.status"
        cp log "${codec%% *}.log"
    done
    if cmp -s libvpx.status vp8_cudame.status && cmp -s libvpx.ivf vp8_cudame.ivf; then
        ok "format-$format"
    else
        show_log
        not_ok "format-$format" "differs from libvpx"
    fi
done

# Sizes.
for size in 1x1 1x64 64x1 16x16 17x17; do
    works "size-$size" 3 -f lavfi -i "color=gray:size=$size:rate=25,format=yuv420p,noise=alls=40:allf=t:all_seed=1" \
        -frames:v 3 "${enc[@]}" -me_backend cpu
done
for size in 16383x16 16x16383 16370x17; do
    works "size-$size" 3 -f lavfi -i "testsrc2=size=$size:rate=25,format=yuv420p" -frames:v 3 "${enc[@]}" \
        -me_backend cpu -cuda_me fast
    works "size-$size-full" 2 -f lavfi -i "testsrc2=size=$size:rate=25,format=yuv420p" -frames:v 2 "${enc[@]}" \
        -me_backend cpu -cuda_me full -me_range 4
done
src=(-f lavfi -i "color=gray:size=16384x16:rate=25,format=yuv420p" -frames:v 2)
fails size-16384x16 'VP8 does not support 16384x16 pixels, only up to 16383x16383' -me_backend cpu

# The size changes in mid-stream. ffmpeg scales to the first size, or with -noautoscale passes the
# frames on as they are. In both cases the result is libvpx's.
for size in 64x48 96x80; do
    ff -f lavfi -i "testsrc2=size=$size:rate=25,format=yuv420p" -frames:v 5 -c:v libvpx -f ivf $size.ivf
done
printf 'file 64x48.ivf\nfile 96x80.ivf\n' >larger.txt
for codec in libvpx "vp8_cudame -cuda_me off" "vp8_cudame -me_backend cpu"; do
    name=${codec##* }
    for scale in autoscale noautoscale; do
        timeout 60 "$FFMPEG" -hide_banner -nostdin -y -f concat -i larger.txt -$scale -c:v $codec -threads 1 \
            -b:v 200k -f ivf "$name-$scale.ivf" >log 2>&1
        echo $? >"$name-$scale.status"
        ff -i "$name-$scale.ivf" -fps_mode passthrough -f framemd5 "$name-$scale.md5"
        grep -vc '^#' "$name-$scale.md5" >"$name-$scale.count"
    done
done
# Of a smaller frame libvpx would read memory beyond its end, so it is refused.
printf 'file 96x80.ivf\nfile 64x48.ivf\n' >smaller.txt
src=(-f concat -i smaller.txt)
fails resize-smaller 'The frame has 64x48 pixels, but the encoder was opened for 96x80' -noautoscale -me_backend cpu
fails resize-two-passes 'the size cannot change in two passes' -noautoscale -me_backend cpu \
    -frame_size_changes 1 -pass 1 -passlogfile resize
# With frame_size_changes each frame is coded, with or without a queue.
for list in larger smaller; do
    for lag in 0 5; do
        works "resize-$list-lag$lag" 10 -f concat -i $list.txt -noautoscale "${enc[@]}" -me_backend cpu \
            -lag-in-frames $lag -frame_size_changes 1
    done
    works "resize-$list-live" 10 -f concat -i $list.txt -noautoscale "${enc[@]}" -me_backend cpu \
        -preset live -frame_size_changes 1
done
for scale in autoscale noautoscale; do
    if cmp -s "libvpx-$scale.status" "off-$scale.status" && cmp -s "libvpx-$scale.ivf" "off-$scale.ivf"; then
        ok "resize-$scale-off"
    else
        not_ok "resize-$scale-off" "differs from libvpx"
    fi
    if cmp -s "libvpx-$scale.status" "cpu-$scale.status" && cmp -s "libvpx-$scale.count" "cpu-$scale.count"; then
        ok "resize-$scale"
    else
        not_ok "resize-$scale" "differs from libvpx: status $(cat "cpu-$scale.status"), $(cat "cpu-$scale.count") frames"
    fi
done
exit $failed
