#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# libvpx.so (make libvpx) under programs that were built for stock libvpx: vpxenc, vpxdec, and
# tests/libvpx-so. Stock's library is built from the same source with the same options.
set -euo pipefail

top=$(cd "$(dirname "$0")/.." && pwd)
ours=$BUILD_DIR/libvpx-so
stock=$BUILD_DIR/libvpx-so-stock
so_test=$BUILD_DIR/libvpx-so-tests/so-test
emulated=$BUILD_DIR/cudame/emulated
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
unset VP8_CUDAME VP8_CUDAME_LOG VP8_CUDAME_GPU VP8_CUDAME_CUDA_AFTER

check() { # $1: name, $2...: command
    if "${@:2}" >&2; then echo "ok $1"; else echo "not ok $1"; fi
}
fails() { ! "$@"; }
# with_stock, with_ours MODE, on_emulator COMMAND...: run the command with a library
with_stock() { LD_LIBRARY_PATH=$stock/lib "$@"; }
with_ours() { LD_LIBRARY_PATH=$ours/lib VP8_CUDAME=$1 "${@:2}"; }
on_emulator() { LD_LIBRARY_PATH=$emulated:$ours/lib VP8_CUDAME=cuda "$@"; }

# ---- symbols ---------------------------------------------------------------

symbols() { nm -D --defined-only "$1" | awk '{ print $2, $3 }' | LC_ALL=C sort; }
soname() { readelf -d "$1" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p'; }
symbols "$stock/lib/libvpx.so" >stock.symbols
symbols "$ours/lib/libvpx.so" >ours.symbols
check symbols diff stock.symbols ours.symbols
check symbols-of-vpx-only fails grep -v ' vpx_' ours.symbols
name=$(soname "$ours/lib/libvpx.so")
check soname [ "$name" = "$(soname "$stock/lib/libvpx.so")" ]

# ---- Debian's packages of the same version -----------------------------------

# The library, the headers and the programs, in $debian/PACKAGE. Only unstable keeps some versions,
# and then only the library.
debian=$BUILD_DIR/libvpx-debian
version=${LIBVPX_STOCK#libvpx-}
library=libvpx${name#libvpx.so.}
fetch() { "$top/tools/fetch-sources" --state="$BUILD_DIR/apt" --dl="${VP8_CUDAME_DL:-$BUILD_DIR/dl}" --deb "$@"; }
unpack() {
    local suite package file files
    rm -rf "$debian"
    for suite in unstable trixie testing; do
        files=$(fetch {"$library",libvpx-dev,vpx-tools}/$suite || fetch "$library/$suite") || continue
        for file in $files; do
            [[ $(dpkg-deb -f "$file" Version) =~ ^(.*:)?"$version"([-+].*)?$ ]] || continue
            package=$(dpkg-deb -f "$file" Package)
            mkdir -p "$debian/$package"
            dpkg-deb -x "$file" "$debian/$package"
            dpkg-deb -e "$file" "$debian/$package/DEBIAN"
        done
        if [ -e "$debian/$library" ]; then return 0; fi
    done
    return 1
}
unpack >&2 || true
theirs=$(compgen -G "$debian/$library/usr/lib/*/$name" || true)

same_as_listed() { # LIST: whether our library has the symbols of this list, and no others
    mkdir -p tree/usr/lib
    cp "$ours/lib/$name" tree/usr/lib/
    dpkg-gensymbols -c4 -p"$library" -v"$version" -Ptree -etree/usr/lib/"$name" -I"$1" -O/dev/null
}
if [ -n "$theirs" ]; then
    symbols "$theirs" >debian.symbols
    check symbols-of-package diff debian.symbols ours.symbols
    check symbols-as-listed same_as_listed "$debian/$library/DEBIAN/symbols"
    sed 's/vpx_codec_get_cx_data/vpx_codec_get_cx_data_lost/' "$debian/$library/DEBIAN/symbols" >lost.symbols
    check symbols-sees-lost fails same_as_listed lost.symbols
    check soname-of-package [ "$(soname "$theirs")" = "$name" ]
else
    for test in symbols-of-package symbols-as-listed soname-of-package; do
        echo "skip $test (no mirror gives $library $version)"
    done
fi
# The structures of the interface are those of the headers.
headers=$debian/libvpx-dev/usr/include/vpx
if [ -e "$headers" ]; then
    for header in "$headers"/*; do check "header-$(basename "$header")" diff "$header" "$ours/include/vpx/"; done
else
    echo "skip headers (no mirror gives libvpx-dev $version)"
fi

# ---- ABI ---------------------------------------------------------------------

# Functions, and the types of the public headers, by the debug information of both libraries.
abi() { # HEADERS LIBRARY HEADERS LIBRARY
    # Without debug information abidiff compares symbols only.
    local file
    for file in "$2" "$4"; do readelf -S "$file" | grep -F .debug_info >/dev/null || return 1; done
    abidiff --no-show-locs --headers-dir1 "$1" --headers-dir2 "$3" "$2" "$4"
}
check abi abi "$stock/include" "$stock/lib/$name" "$ours/include" "$ours/lib/$name"
# It sees a structure that has grown.
cp -R "$stock/include" grown
sed -i 's/^  unsigned int g_w;/  unsigned int g_new;\n&/' grown/vpx/vpx_encoder.h
for headers in "$stock/include" grown; do
    ${CC:-cc} -g -shared -fPIC -I"$headers" -o "${headers##*/}.so" -x c - <<'END'
#include "vpx/vpx_encoder.h"
vpx_codec_err_t vpx_codec_enc_config_set(vpx_codec_ctx_t *ctx, const vpx_codec_enc_cfg_t *cfg) {
    return ctx->config.enc == cfg ? VPX_CODEC_OK : VPX_CODEC_ERROR;
}
END
done
check abi-of-equal abi "$stock/include" include.so "$stock/include" include.so
check abi-sees-grown fails abi "$stock/include" include.so grown grown.so

# ---- vpxenc ----------------------------------------------------------------

"$FFMPEG" -v error -nostdin -y -f lavfi -i "mandelbrot=size=320x240:rate=30:start_scale=0.4:end_scale=0.1:end_pts=40" \
    -vf "noise=alls=6:allf=t:all_seed=3,format=yuv420p" -frames:v 60 in.y4m >&2

vpxenc() { "$stock/bin/vpxenc" -q --ivf --threads=1 in.y4m "$@"; }
# same_bytes NAME MODE OPTION...: vpxenc's file is the same with both libraries
same_bytes() {
    local name=$1 mode=$2
    shift 2
    with_stock "$stock/bin/vpxenc" -q --ivf in.y4m "$@" -o stock.ivf
    with_ours "$mode" "$stock/bin/vpxenc" -q --ivf in.y4m "$@" -o ours.ivf
    check "$name" cmp stock.ivf ours.ivf
}
rt=(--codec=vp8 --passes=1 --rt --cpu-used=-8 --target-bitrate=250)
good=(--codec=vp8 --passes=1 --good --cpu-used=2 --target-bitrate=250)
same_bytes off-realtime off "${rt[@]}" --threads=1
same_bytes off-cbr off "${rt[@]}" --threads=1 --end-usage=cbr --buf-sz=1000 --error-resilient=1 --noise-sensitivity=4
same_bytes off-good off "${good[@]}" --threads=1
same_bytes off-best off "${good[@]}" --threads=1 --best --limit=20
same_bytes off-lag off "${good[@]}" --threads=1 --lag-in-frames=16 --auto-alt-ref=1
same_bytes off-two-passes off --codec=vp8 --passes=2 --good --cpu-used=3 --target-bitrate=250 --threads=1 \
    --lag-in-frames=25 --auto-alt-ref=1 --arnr-maxframes=5
for mode in off cpu; do
    same_bytes "vp9-realtime-$mode" $mode --codec=vp9 --passes=1 --rt --cpu-used=8 --target-bitrate=250 --threads=1
    same_bytes "vp9-two-passes-$mode" $mode --codec=vp9 --passes=2 --good --cpu-used=5 --target-bitrate=250 --limit=20 --threads=1
done
cp ours.ivf vp9.ivf
# The statistics of the first pass are libvpx's.
for library in with_stock 'with_ours cpu'; do
    $library "$stock/bin/vpxenc" -q --codec=vp8 --passes=2 --pass=1 --fpf="${library%% *}.fpf" in.y4m -o pass1.ivf
done
check first-pass cmp with_stock.fpf with_ours.fpf

# With a provider the stream is that of FFmpeg's encoder vp8_cudame.
packets() { "$FFMPEG" -v error -nostdin -i "$1" -c copy -f framemd5 - | awk -F, '!/^#/ { print $5, $6 }'; }
ffmpeg() { "$FFMPEG" -v error -nostdin -y -i in.y4m -c:v vp8_cudame -me_backend cpu -threads 1 -b:v 250k -g 128 "$@"; }
same_packets() { # $1: name, $2, $3: files
    packets "$2" >first.packets
    packets "$3" >second.packets
    if [ -s first.packets ]; then check "$1" diff first.packets second.packets; else echo "not ok $1 (no packets)"; fi
}
with_ours cpu vpxenc "${rt[@]}" -o rt.ivf
ffmpeg -deadline realtime -cpu-used -8 rt-ffmpeg.ivf >&2
same_packets as-ffmpeg-realtime rt.ivf rt-ffmpeg.ivf
with_ours cpu vpxenc "${good[@]}" -o good.ivf
ffmpeg -deadline good -cpu-used 2 -lag-in-frames 0 good-ffmpeg.ivf >&2
same_packets as-ffmpeg-good good.ivf good-ffmpeg.ivf
with_ours cpu vpxenc "${good[@]}" --lag-in-frames=25 -o lag.ivf
ffmpeg -deadline good -cpu-used 2 -lag-in-frames 25 -auto-alt-ref 0 lag-ffmpeg.ivf >&2
same_packets as-ffmpeg-lookahead lag.ivf lag-ffmpeg.ivf
LD_PRELOAD=$ours/lib/libvpx.so VP8_CUDAME=cpu with_stock vpxenc "${rt[@]}" -o preload.ivf
check preload cmp preload.ivf rt.ivf
with_ours auto vpxenc "${rt[@]}" -o auto.ivf
check auto cmp auto.ivf rt.ivf

# The decoders are libvpx's.
for file in rt.ivf lag.ivf vp9.ivf; do
    frames=$(with_stock "$stock/bin/vpxdec" --i420 --md5 "$file")
    check "decoded-$file" [ "$(with_ours cpu "$stock/bin/vpxdec" --i420 --md5 "$file")" = "$frames" ]
done

# ---- Debian's programs -------------------------------------------------------

tools=$debian/vpx-tools/usr/bin
with_debian() { LD_LIBRARY_PATH=$(dirname "$theirs") "$@"; } # with Debian's library
if [ ! -e "$tools/vpxenc" ]; then
    echo "skip tools-of-package (no mirror gives vpx-tools $version)"
elif ! with_debian "$tools/vpxenc" --help >&2; then
    echo "skip tools-of-package (Debian's vpxenc does not run on this machine)"
else
    for tool in vpxenc vpxdec; do
        check "package-$tool-takes-ours" grep -F "$ours/lib/$name" < <(with_ours cpu ldd "$tools/$tool")
    done
    package_vpxenc() { "$tools/vpxenc" -q --ivf --threads=1 in.y4m "$@"; }
    # With our library, Debian's vpxenc makes the streams of stock's.
    with_ours cpu package_vpxenc "${rt[@]}" -o package.ivf
    check package-realtime cmp package.ivf rt.ivf
    with_ours cpu package_vpxenc "${good[@]}" --lag-in-frames=25 -o package.ivf
    check package-lookahead cmp package.ivf lag.ivf
    # Without our encoder, Debian's library and ours make the same streams.
    two_passes=(--passes=2 --good --cpu-used=3 --target-bitrate=250 --lag-in-frames=25 --auto-alt-ref=1)
    for setting in "off-realtime ${rt[*]}" "off-two-passes --codec=vp8 ${two_passes[*]}" "vp9 --codec=vp9 --limit=20 ${two_passes[*]}"; do
        read -r test options <<<"$setting"
        # shellcheck disable=SC2086
        with_debian package_vpxenc $options -o theirs.ivf
        # shellcheck disable=SC2086
        with_ours off package_vpxenc $options -o package.ivf
        check "package-$test" cmp package.ivf theirs.ivf
        check "package-$test-decoded" [ "$(with_ours cpu "$tools/vpxdec" --i420 --md5 theirs.ivf)" = "$(with_debian "$tools/vpxdec" --i420 --md5 theirs.ivf)" ]
    done
    # Stock's programs are built without WebM.
    with_ours cpu "$tools/vpxenc" -q --webm --threads=1 in.y4m "${rt[@]}" -o package.webm
    same_packets package-webm package.webm rt.ivf
    check package-webm-decoded [ "$(with_ours cpu "$tools/vpxdec" --i420 --md5 package.webm)" = "$(with_stock "$stock/bin/vpxdec" --i420 --md5 rt.ivf)" ]
fi

# ---- quality -----------------------------------------------------------------

# At the bitrate of ours, stock's PSNR, interpolated between its own bitrates, is lower.
"$FFMPEG" -v error -nostdin -y -f lavfi -i "testsrc2=size=320x240:rate=30,noise=alls=4:allf=t:all_seed=3" \
    -vf format=yuv420p -frames:v 60 drawn.y4m >&2
psnr() { # LIBRARY KBPS...: prints bytes and PSNR-Y for each target
    local kbps library=$1
    shift
    for kbps; do
        $library "$stock/bin/vpxenc" -q --ivf drawn.y4m "${good[@]}" --threads=1 --target-bitrate="$kbps" --psnr -o psnr.ivf 2>psnr.log
        echo "$(stat -c %s psnr.ivf) $(tr '\r' '\n' <psnr.log | awk '/PSNR \(Overall/ { print $7 }')"
    done
}
psnr 'with_ours cpu' 250 >ours.psnr
psnr with_stock 120 250 500 1000 >stock.psnr
judge() { # FILE: its first line has a PSNR that is higher by 0.2 dB
    awk 'NR == FNR { if (NR == 1) { bytes = $1; psnr = $2 } next }
        { if (last && last <= bytes && bytes <= $1) { found = lastp + ($2 - lastp) * log(bytes / last) / log($1 / last) }
          last = $1; lastp = $2 }
        END { printf "%d bytes, %s dB; stock %s dB\n", bytes, psnr, found; exit !(found && psnr > found + 0.2) }' "$1" stock.psnr
}
check quality judge ours.psnr
check quality-of-stock fails judge stock.psnr

# ---- programs that call libvpx --------------------------------------------------

# Each case checks its stream; it prints a hash.
run() { timeout 120 "$so_test" "$1"; }
mapfile -t cases < <(with_stock "$so_test")
for case in "${cases[@]}"; do
    cpu=$(with_ours cpu run "$case") || cpu=
    check "cpu-$case" [ -n "$cpu" ]
    case $case in
        # In stock, threads may change a stream, and a child process hangs.
        threads-4|many|at-once|fork-threads|fork-close|fork-lookahead-threads) continue ;;
    esac
    was=$(with_stock run "$case") || was=
    off=$(with_ours off run "$case") || off=
    check "off-$case" [ -n "$was" -a "$off" = "$was" ]
    case $case in
        unused|detached) check "same-$case" [ -n "$was" -a "$cpu" = "$was" ] ;;
        *)               check "differs-$case" [ -n "$cpu" -a "$cpu" != "$was" ] ;;
    esac
done
for case in threads-4 yv12; do
    check "same-as-realtime-$case" [ "$(with_ours cpu run $case)" = "$(with_ours cpu run realtime)" ]
done
if [ -e "$emulated/libcuda.so.1" ]; then
    for case in realtime size fork; do
        check "cuda-$case" [ "$(on_emulator run $case)" = "$(with_ours cpu run $case)" ]
    done
else
    echo 'skip cuda (this build has no CUDA backend)'
fi

# ---- the environment ---------------------------------------------------------

says() { # TEXT COMMAND...: the command's stderr has the text; empty: it has none
    local text=$1
    "${@:2}" >/dev/null 2>said || true
    cat said >&2
    if [ -n "$text" ]; then grep -F "$text" said >&2; else [ ! -s said ]; fi
}
check quiet-by-default says '' with_ours auto "$so_test" realtime
check unknown-value says 'VP8_CUDAME=gpus is not known: using auto' with_ours gpus "$so_test" realtime
check unknown-level says 'VP8_CUDAME_LOG=7 is not known' env VP8_CUDAME_LOG=7 LD_LIBRARY_PATH="$ours/lib" "$so_test" realtime
check verbose says '39 inter (39 by cpu)' env VP8_CUDAME_LOG=verbose VP8_CUDAME=cpu LD_LIBRARY_PATH="$ours/lib" "$so_test" realtime
# A folder without a driver comes first, in case this machine has one.
mkdir driver
echo >driver/libcuda.so.1
no_cuda() { VP8_CUDAME_LOG=$1 LD_LIBRARY_PATH=$scratch/driver:$ours/lib VP8_CUDAME=$2 "$so_test" realtime; }
check no-cuda fails no_cuda quiet cuda
check no-cuda-reason says 'Cannot run motion estimation on CUDA' no_cuda error cuda
check no-cuda-auto says 'runs on the CPU, without CUDA' no_cuda info auto

# ---- install -----------------------------------------------------------------

top_make() { make -s -C "$top" "$@"; }
check install-needs-prefix fails top_make install-libvpx
check install-not-in-usr fails top_make install-libvpx PREFIX=/usr
mkdir -p dest/opt/lib
touch dest/opt/lib/other
top_make install-libvpx DESTDIR="$scratch/dest" PREFIX=/opt >&2
check installed-soname [ -e "dest/opt/lib/$name" ]
check installed-pc grep -x 'prefix=/opt' dest/opt/lib/pkgconfig/vpx.pc
check installed-works env LD_LIBRARY_PATH="$scratch/dest/opt/lib" VP8_CUDAME=cpu "$so_test" realtime
top_make uninstall-libvpx DESTDIR="$scratch/dest" PREFIX=/opt >&2
check uninstalled [ "$(cd dest && find . -type f)" = ./opt/lib/other ]
