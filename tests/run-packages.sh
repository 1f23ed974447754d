#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Builds Debian packages of a release in a fresh root, installs them in another one, runs them, and
# removes them. PACKAGES=DIR tests packages that tools/package/build-debs has put there.
set -euo pipefail

top=$(cd "$(dirname "$0")/.." && pwd)
package=$top/tools/package
work=$BUILD_DIR/packages
root=$work/test-root
stock=$BUILD_DIR/libvpx-so-stock
scratch=$(mktemp -d)
trap 'rm -rf "$scratch" "$root"' EXIT

check() { # $1: name, $2...: command
    if "${@:2}" >&2; then echo "ok $1"; else echo "not ok $1"; fi
}
fails() { ! "$@"; }
in_root() { "$package/root" run "$root" "$@"; }

# ---- build -----------------------------------------------------------------

if [ -n "${PACKAGES:-}" ]; then
    debs=$PACKAGES
    echo "# packages of $debs"
else
    debs=$work/debs
    rm -rf "$debs"
    release=$("$package/dist" --state="$BUILD_DIR/apt" --dl="${VP8_CUDAME_DL:-$BUILD_DIR/dl}" "$work")
    status=0
    "$package/build-debs" "$release" "$debs" >&2 || status=$?
    # Exit status 3: only lintian complains.
    check build [ $status = 0 -o $status = 3 ]
    check lintian [ $status = 0 ]
fi
version=$(cat "$top/VERSION")
for name in vp8-cudame vp8-cudame-libvpx; do
    check "version-$name" [ "$(dpkg-deb -f "$debs/${name}_"*.deb Version)" = "$version" ]
done
check source-package [ -e "$debs/vp8-cudame_$version.dsc" ]

# ---- install -----------------------------------------------------------------

rm -rf "$root"
"$package/root" make "$root" >&2
# Without the records, caches and logs of dpkg and apt.
files() {
    (cd "$root" && find . -xdev \( -path ./proc -o -path ./var/cache -o -path ./var/log -o -path ./var/lib/apt \
        -o -path ./var/lib/dpkg -o -path ./packages -o -path ./opt/test \) -prune -o -print | LC_ALL=C sort)
}
mkdir -p "$root/packages" "$root/opt/test/lib"
cp "$debs"/*.deb "$root/packages/"
files >"$scratch/before"
check install in_root sh -c 'apt-get -q -y --no-install-recommends install /packages/*.deb'
files >"$scratch/installed"
check installs-files fails cmp "$scratch/before" "$scratch/installed"
check no-ffmpeg-of-the-system [ ! -e "$root/usr/bin/ffmpeg" ]
loader() { in_root ldconfig -p; }
check not-for-the-loader fails grep 'libvpx' < <(loader)
check documented in_root sh -c 'for page in ffmpeg-vp8-cudame ffprobe-vp8-cudame with-vp8-cudame; do
    zcat /usr/share/man/man1/$page.1.gz >/dev/null || exit 1; done'

# ---- ffmpeg ------------------------------------------------------------------

check ffmpeg-version grep -E "^ffmpeg version .*-vp8_cudame-${version//./\\.} " < <(in_root ffmpeg-vp8-cudame -version)
cp "$package/smoke" "$root/opt/test/"
check smoke in_root env FFMPEG=ffmpeg-vp8-cudame FFPROBE=ffprobe-vp8-cudame bash /opt/test/smoke
check names-in-path in_root env PATH=/usr/lib/vp8-cudame/bin:/usr/bin:/bin sh -c 'ffmpeg -version && ffprobe -version'
encode() { # $1: backend, $2: output
    in_root ffmpeg-vp8-cudame -hide_banner -nostdin -y -f lavfi -i testsrc2=size=320x240:rate=25:duration=2 \
        -pix_fmt yuv420p -c:v vp8_cudame -preset live -b:v 300k -me_backend "$1" "$2" >"$scratch/log" 2>&1
}
check no-gpu encode auto /opt/test/auto.ivf
# One line, and the same bytes as without CUDA.
lines=$(grep -c 'runs on the CPU, without CUDA' "$scratch/log" || true)
check no-gpu-one-line [ "$lines" = 1 ]
check cpu encode cpu /opt/test/cpu.ivf
check same-bytes cmp "$root/opt/test/auto.ivf" "$root/opt/test/cpu.ivf"
check no-gpu-refused fails encode cuda /opt/test/cuda.ivf
frames=$(in_root ffprobe-vp8-cudame -v error -count_frames -show_entries stream=codec_name,nb_read_frames -of csv=p=0 \
    /opt/test/auto.ivf)
check decode [ "$frames" = vp8,50 ]
check opus-and-vorbis in_root sh -c 'ffmpeg-vp8-cudame -v error -nostdin -y -f lavfi -i sine=duration=1 \
    -c:a libopus /opt/test/a.webm && ffmpeg-vp8-cudame -v error -nostdin -y -f lavfi -i sine=duration=1 -c:a libvorbis /opt/test/b.webm'

# ---- libvpx ------------------------------------------------------------------

# vpxenc of stock libvpx, with its library where the loader finds it.
cp "$stock/bin/vpxenc" "$root/opt/test/"
cp -P "$stock"/lib/libvpx.so* "$root/usr/local/lib/"
in_root ldconfig
in_root ffmpeg-vp8-cudame -v error -nostdin -y -f lavfi -i testsrc2=size=320x240:rate=25:duration=2 -pix_fmt yuv420p \
    /opt/test/in.y4m >&2
vpxenc() { # $1: output, $2...: command that runs vpxenc
    in_root "${@:2}" /opt/test/vpxenc -q --ivf --codec=vp8 --passes=1 --rt --cpu-used=-8 --target-bitrate=300 --threads=1 \
        /opt/test/in.y4m -o "/opt/test/$1" 2>"$scratch/log"
}
soname=$(readelf -d "$stock/lib/libvpx.so" | sed -n 's/.*SONAME.*\[\(.*\)\]/\1/p')
if compgen -G "$root/usr/lib/*/vp8-cudame/$soname" >/dev/null; then
    check stock vpxenc stock.ivf env
    check wrapper vpxenc ours.ivf with-vp8-cudame
    check differs fails cmp "$root/opt/test/stock.ivf" "$root/opt/test/ours.ivf"
    check off vpxenc off.ivf env VP8_CUDAME=off with-vp8-cudame
    check off-same-bytes cmp "$root/opt/test/stock.ivf" "$root/opt/test/off.ivf"
    check verbose vpxenc ours.ivf env VP8_CUDAME_LOG=verbose with-vp8-cudame
    check verbose-says grep 'by cpu' "$scratch/log"
    frames=$(in_root ffprobe-vp8-cudame -v error -count_frames -show_entries stream=codec_name,nb_read_frames \
        -of csv=p=0 /opt/test/ours.ivf)
    check decode-ours [ "$frames" = vp8,50 ]
else
    echo "not ok wrapper (the package has no $soname)"
fi
check wrapper-status fails in_root with-vp8-cudame false
check wrapper-usage fails in_root with-vp8-cudame
rm "$root"/usr/local/lib/libvpx.so*
in_root ldconfig

# ---- remove ------------------------------------------------------------------

check purge in_root apt-get -q -y --purge autoremove vp8-cudame vp8-cudame-libvpx
files >"$scratch/after"
check nothing-left diff "$scratch/before" "$scratch/after"
check not-in-the-list fails in_root dpkg-query -W vp8-cudame vp8-cudame-libvpx
