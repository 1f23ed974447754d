#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# me_backend auto starts CUDA when it pays: the stream is that of the CPU whenever it goes
# over, a short one never starts CUDA, and what fails is said once. On a driver that runs the
# kernels on the CPU. No GPU is needed, or used.
# Options are words on purpose.
# shellcheck disable=SC2015,SC2046,SC2086
. "$(dirname "$0")/lib.sh"

if [ -z "${EMULATED_CUDA:-}" ]; then
    skip cuda "no emulated CUDA driver: this build has no CUDA backend"
    exit 0
fi

# Searches take several milliseconds.
clip in.yuv 64x48 60
clip large.yuv 96x80 50
for size in 64x48 96x80; do
    ff -f lavfi -i "testsrc2=size=$size:rate=25,format=yuv420p" -frames:v 30 -c:v libvpx -f ivf $size.ivf || show_log
done
printf 'file 64x48.ivf\nfile 96x80.ivf\n' >larger.txt
in=$(raw in.yuv 64x48)
options= # of all encodes
pace=    # of the input: a slow machine has to start CUDA meanwhile
encode() { # NAME OPTIONS...
    local name=$1
    shift
    rm -f $name.ivf
    eight_cores ff -v verbose $pace $in -c:v vp8_cudame -b:v 200k $options "$@" -me_stats $name.csv -f ivf $name.ivf
}
# backends of the frames, in their order, each once: "cpu cuda"
backends() { awk -F, 'NR > 1 && $2 != last { printf "%s%s", n++ ? " " : "", last = $2 }' auto.csv; }
warnings() { grep -cE "CUDA motion estimation failed|No motion estimation with CUDA|Motion estimation failed" log; }

# auto NAME BACKENDS OPTIONS...: as the CPU's, on those backends, without a warning
auto() {
    local name=$1 expected=$2 first said
    shift 2
    encode cpu -me_backend cpu "$@" &&
        on_driver "$EMULATED_CUDA" -1 0 0 encode auto -me_backend auto $after "$@" || { show_log; not_ok "$name" "failed"; return; }
    first=$(awk -F, '$2 == "cuda" { print $1; exit }' auto.csv)
    said=$(sed -n 's/.*Motion estimation on cuda from frame \([0-9]*\) on$/\1/p' log)
    if ! cmp -s cpu.ivf auto.ivf; then
        not_ok "$name" "another stream"
    elif [ "$(backends)" != "$expected" ]; then
        not_ok "$name" "on $(backends)"
    elif [ "$expected" = "cpu cuda" ] && [ "$first" != "$said" ]; then
        not_ok "$name" "on cuda from frame $first, said $said"
    elif [ "$(warnings)" != 0 ]; then
        not_ok "$name" "$(warnings) warnings"
    elif [ "$expected" = cpu ] && [ "$(head -n 1 report | cut -d' ' -f1)" != 0 ]; then
        not_ok "$name" "CUDA was started"
    else
        ok "$name"
    fi
}

after="-me_cuda_after 1"
pace="-readrate 10"
auto full "cpu cuda" -deadline good -cpu-used 3 -me_range 8
in=$(raw large.yuv 96x80)
auto lean "cpu cuda" $(speed best) -me_search lean
in=$(raw in.yuv 64x48)
auto threads "cpu cuda" $(speed rt8) -me_search iterative -threads 3
auto lag "cpu cuda" -deadline good -cpu-used 3 -me_search iterative -auto-alt-ref 1 -lag-in-frames 8
in="-f concat -i larger.txt -noautoscale"
auto resize "cpu cuda" $(speed rt8) -me_search iterative
in=$(raw in.yuv 64x48)
pace=
after=
auto short cpu $(speed rt8)
after="-me_cuda_after 0"
auto at-once cuda $(speed rt8)

# What fails is said once, with what it costs.
after="-me_cuda_after 1"
options="$(speed rt8) -me_search iterative -frames:v 20"
pace="-readrate 10"
encode cpu -me_backend cpu || show_log
on_driver "$EMULATED_CUDA" -1 0 0 encode auto -me_backend auto $after || show_log
read -r calls _ <report
for fault in 100-1 2-0 719-1; do
    bad=
    said=0
    for ((call = 0; call < calls; call += 1 + calls / 7)); do
        on_driver "$EMULATED_CUDA" $call ${fault%-*} ${fault#*-} encode auto -me_backend auto $after || { bad+=" call $call: failed;"; continue; }
        cmp -s cpu.ivf auto.ivf || bad+=" call $call: another stream;"
        n=$(warnings)
        [ "$n" -le 1 ] || bad+=" call $call: $n warnings;"
        said=$((said + n))
        [ "$n" = 0 ] || grep -q 'CUDA motion estimation failed: .*: the CPU backend continues, with -me_search iterative' log ||
            bad+=" call $call: another warning;"
        read -r _ leaked <report
        [ "$leaked" = 0 ] || bad+=" call $call: $leaked allocations leak;"
    done
    [ $said -ge 3 ] || bad+=" only $said faults were said"
    if [ -z "$bad" ]; then ok "fault-$fault"; else not_ok "fault-$fault" "${bad:1:200}"; fi
done
exit $failed
