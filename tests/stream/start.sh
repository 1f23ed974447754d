#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# me_backend auto starts on the CPU and starts CUDA after me_cuda_after milliseconds of search. The
# stream is that of the CPU, at whatever frame it moves to CUDA. A short stream does not start CUDA.
# A failure is reported once. Runs on the emulated driver. No GPU is needed or used.
# Options are split into words on purpose.
# shellcheck disable=SC2015,SC2046,SC2086
. "$(dirname "$0")/lib.sh"

if [ -z "${EMULATED_CUDA:-}" ]; then
    skip cuda "there is no emulated CUDA driver: this build has no CUDA backend"
    exit 0
fi

# The clips are long enough for several milliseconds of search.
clip in.yuv 64x48 60
clip large.yuv 96x80 50
for size in 64x48 96x80; do
    ff -f lavfi -i "testsrc2=size=$size:rate=25,format=yuv420p" -frames:v 30 -c:v libvpx -f ivf $size.ivf || show_log
done
printf 'file 64x48.ivf\nfile 96x80.ivf\n' >larger.txt
in=$(raw in.yuv 64x48)
options= # of all encodes
pace=    # options of the input: with -readrate CUDA starts before the clip ends, also on a slow machine
encode() { # NAME OPTIONS...
    local name=$1
    shift
    rm -f $name.ivf
    eight_cores ff -v verbose $pace $in -c:v vp8_cudame -b:v 200k $options "$@" -me_stats $name.csv -f ivf $name.ivf
}
# backends: prints the backends in the order in which frames used them, such as "cpu cuda"
backends() { awk -F, 'NR > 1 && $2 != last { printf "%s%s", n++ ? " " : "", last = $2 }' auto.csv; }
warnings() { grep -cE "CUDA motion estimation failed|Cannot run motion estimation on CUDA|Motion estimation failed" log; }

# auto NAME BACKENDS OPTIONS...: the stream is the CPU's, on those backends, without a warning
auto() {
    local name=$1 expected=$2 first said
    shift 2
    encode cpu -me_backend cpu "$@" &&
        on_driver "$EMULATED_CUDA" -1 0 0 encode auto -me_backend auto $after "$@" || { show_log; not_ok "$name" "failed"; return; }
    first=$(awk -F, '$2 == "cuda" { print $1; exit }' auto.csv)
    said=$(sed -n 's/.*Motion estimation runs on CUDA from frame \([0-9]*\) on$/\1/p' log)
    if ! cmp -s cpu.ivf auto.ivf; then
        not_ok "$name" "the stream differs"
    elif [ "$(backends)" != "$expected" ]; then
        not_ok "$name" "on $(backends)"
    elif [ "$expected" = "cpu cuda" ] && [ "$first" != "$said" ]; then
        not_ok "$name" "on cuda from frame $first, the log says $said"
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

# A failure is reported once.
after="-me_cuda_after 1"
options="$(speed rt8) -me_search iterative -frames:v 20"
pace="-readrate 10"
encode cpu -me_backend cpu || show_log
on_driver "$EMULATED_CUDA" -1 0 0 encode auto -me_backend auto $after || show_log
read -r calls _ <report
for fault in 100-1 2-0 719-1; do
    bad=
    said=0
    for ((call = 0; call < calls; call += 1 + calls / 13)); do
        on_driver "$EMULATED_CUDA" $call ${fault%-*} ${fault#*-} encode auto -me_backend auto $after || { bad+=" call $call: failed;"; continue; }
        cmp -s cpu.ivf auto.ivf || bad+=" call $call: the stream differs;"
        n=$(warnings)
        [ "$n" -le 1 ] || bad+=" call $call: $n warnings;"
        said=$((said + n))
        [ "$n" = 0 ] || grep -q 'CUDA motion estimation failed: .*: the CPU backend continues' log ||
            bad+=" call $call: unexpected warning;"
        read -r _ leaked <report
        [ "$leaked" = 0 ] || bad+=" call $call: $leaked allocations leak;"
    done
    [ $said -ge 3 ] || bad+=" only $said faults were reported"
    if [ -z "$bad" ]; then ok "fault-$fault"; else not_ok "fault-$fault" "${bad:1:200}"; fi
done
exit $failed
