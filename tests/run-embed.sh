#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Installs into an empty folder, builds programs against that installation alone, and uninstalls it.
# Flags are split into words on purpose.
# shellcheck disable=SC2086
set -euo pipefail

top=$(cd "$(dirname "$0")/.." && pwd)
prefix=$BUILD_DIR/embed
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

check() { # $1: name, $2...: command
    if "${@:2}" >&2; then echo "ok $1"; else echo "not ok $1"; fi
}
fails() { ! "$@"; }
top_make() { make -s -C "$top" ${VARIANT:+VARIANT="$VARIANT"} "$@"; }
if [ "${SHARED:-no}" = yes ]; then library=libavcodec.so; else library=libavcodec.a; fi

rm -rf "$prefix"
top_make install PREFIX="$prefix" >&2

doc=share/doc/vp8_cudame
for file in bin/ffmpeg bin/ffprobe lib/$library lib/libcudame.a lib/libcudame.so lib/libcudame.so.0 \
            include/libavcodec/avcodec.h include/cudame/cudame.h lib/pkgconfig/cudame.pc \
            $doc/LICENSE.md $doc/COPYING.BSD $doc/CHANGELOG.md $doc/libvpx/LICENSE $doc/ffmpeg/COPYING.LGPLv2.1; do
    check "installed-$file" [ -e "$prefix/$file" ]
done
check pkgconfig-names-no-build-folder fails grep -n "$BUILD_DIR/\(prefix\|stage\)" "$prefix"/lib/pkgconfig/*.pc
# Programs that ask for libvpx must get the system's, not ours.
for file in include/vpx lib/libvpx.a lib/pkgconfig/vpx.pc; do
    check "private-$file" [ ! -e "$prefix/$file" ]
done

# ---- programs --------------------------------------------------------------

export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
flags=$(pkg-config --static --cflags --libs libavcodec libavutil)
check no-lvpx fails grep -E -- '-lvpx( |$)' <<<"$flags"
# Only if FFmpeg's configure could find X11.
if pkg-config --exists x11 && ! "$prefix/bin/ffmpeg" -v error -buildconf | grep -e --disable-autodetect >/dev/null; then
    check no-x11 fails grep -E -- '-l(X|xcb)' <<<"$flags"
fi
compile() { ${CC:-cc} -Wall "$@" ${BASE_LDFLAGS:-}; }
if [ $library = libavcodec.a ]; then
    check link compile -o "$scratch/embed" "$top/tests/embed/embed.c" $flags
    # Link into a library of the user, which must export no symbol of ours.
    check link-library compile -shared -fPIC -Dmain=embed -o "$scratch/libembed.so" \
        "$top/tests/embed/embed.c" $flags -Wl,--exclude-libs,ALL
    exports=$(nm -D --defined-only "$scratch/libembed.so" | awk '{print $NF}')
    check library-exports [ "$exports" = embed ]
    compile -x c -o "$scratch/user" - -L"$scratch" -lembed -Wl,-rpath,"$scratch" \
        <<<'int embed(void); int main(void) { return embed(); }' >&2 || true
    check library-encode "$scratch/user"
    # A program that links another libvpx, before ours.
    check link-beside-other-libvpx compile -o "$scratch/both" "$top/tests/embed/embed.c" \
        -x c "$top/tests/embed/other-vpx.c" -x none $flags
    check encode-beside-linked-libvpx "$scratch/both"
else
    check link-static-flags compile -o "$scratch/embed" "$top/tests/embed/embed.c" $flags
    flags="$(pkg-config --cflags --libs libavcodec libavutil) -Wl,-rpath,$prefix/lib"
    check link compile -o "$scratch/embed" "$top/tests/embed/embed.c" $flags
    nm -D --defined-only "$prefix/lib/$library" >"$scratch/symbols"
    check exports-avcodec grep -E ' avcodec_open2(@|$)' "$scratch/symbols"
    check hides-libvpx fails grep -E ' (vpx|vp8|vp9|cudame)_' "$scratch/symbols"
    cp "$scratch/embed" "$scratch/user"
fi
check encode "$scratch/embed"
check link-live compile -o "$scratch/live" "$top/tests/embed/live.c" $flags
check live "$scratch/live"
check link-change compile -o "$scratch/change" "$top/tests/embed/change.c" $flags
for case in $("$scratch/change"); do
    check "change-$case" "$scratch/change" "$case"
done
# Each name of the encoder, and the codec's id.
if [ "${AS_LIBVPX:-no}" = yes ]; then libvpx=ours; else libvpx=theirs; fi
check link-names compile -o "$scratch/names" "$top/tests/embed/names.c" $flags
check names "$scratch/names" $libvpx
# ffmpeg takes the options of libvpx, and -c:v vp8 is the first encoder of VP8.
by_name() { # $1: name, $2...: options; prints the encoder that ffmpeg names in its log
    "$prefix/bin/ffmpeg" -hide_banner -nostdin -v verbose -f lavfi -i testsrc2=size=64x48:rate=25 -frames:v 3 \
        -pix_fmt yuv420p -c:v "$@" -f null - 2>&1 | grep -o 'vp8 (libvpx)\|cuda_me full' | sort -u
}
for name in vp8 libvpx; do
    if [ $libvpx = ours ]; then says=$'cuda_me full\nvp8 (libvpx)'; else says='vp8 (libvpx)'; fi
    check "ffmpeg-$name" [ "$(by_name $name -qmin 0 -qmax 50 -crf 8 -deadline realtime -speed 8 -b:v 1M -threads 1)" = "$says" ]
done
check ffmpeg-vp8_cudame [ "$(by_name vp8_cudame -quality realtime -cpu-used -8 -me_backend cpu)" = 'cuda_me full' ]
check link-cuda-frames compile -o "$scratch/cuda_frames" "$top/tests/embed/cuda_frames.c" $flags -ldl
# With the fake driver, if this build has it: its memory works, its searches do not.
fake=$BUILD_DIR/cudame/fake
if [ -e "$fake/libcuda.so.1" ]; then
    check cuda-frames env LD_LIBRARY_PATH="$fake" "$scratch/cuda_frames"
else
    status=0
    "$scratch/cuda_frames" >&2 || status=$?
    check cuda-frames-or-none grep -x '0\|77' <<<$status
fi
# Not with a sanitizer: its library must be the first that is loaded.
if [ -z "${BASE_LDFLAGS:-}" ]; then
    compile -shared -fPIC -o "$scratch/libvpx.so" "$top/tests/embed/other-vpx.c" >&2
    check encode-beside-other-libvpx env LD_PRELOAD="$scratch/libvpx.so" "$scratch/user"
fi
check installed-program grep cuda_me < <("$prefix/bin/ffmpeg" -hide_banner -v error -h encoder=vp8_cudame)
if [ $library = libavcodec.so ]; then
    "$top/tests/run-stream.sh" "$top/tests/stream/stock.sh"
fi

# ---- libcudame.so ----------------------------------------------------------

so=$prefix/lib/libcudame.so.0
dynamic() { readelf -d "$1" | sed -n "s/.*($2).*\[\(.*\)\]/\1/p"; }
check cudame-soname [ "$(dynamic "$so" SONAME)" = libcudame.so.0 ]
exported() { nm -D --defined-only --with-symbol-versions "$1" | awk '$2 != "A" { sub(/@@/, "@", $3); print $3 }' | LC_ALL=C sort; }
list=$top/cudame/libcudame.symbols
check cudame-symbols diff <(grep -v '^#' "$list") <(exported "$so")
# The headers declare these functions, and no others.
declared() {
    cat "$top"/cudame/include/cudame/*.h | ${CC:-cc} -fpreprocessed -dD -E -P -x c - 2>/dev/null |
        grep -v typedef | grep -oE '\bcudame_[a-z0-9_]+\(' | tr -d '(' | LC_ALL=C sort -u
}
check cudame-declared diff <(grep -v '^#' "$list" | sed 's/@.*//') <(declared)
flags=$(pkg-config --cflags --libs cudame)
check cudame-link compile -o "$scratch/cudame" "$top/tests/embed/cudame.c" $flags -Wl,-rpath,"$prefix/lib"
check cudame-links-shared grep -x libcudame.so.0 < <(dynamic "$scratch/cudame" NEEDED)
check cudame-version grep -F 'cudame_create@CUDAME_0' < <(nm -D --undefined-only --with-symbol-versions "$scratch/cudame")
check cudame-runs "$scratch/cudame"
static=$(pkg-config --static --cflags --libs cudame)
check cudame-link-static compile -o "$scratch/cudame-static" "$top/tests/embed/cudame.c" ${static//-lcudame/-l:libcudame.a}
check cudame-runs-static "$scratch/cudame-static"
for file in "$scratch/cudame-static" "$scratch/user" "$prefix/bin/ffmpeg" "$prefix/lib/"libavcodec.so*; do
    [ -e "$file" ] || continue
    check "needs-no-cudame-$(basename "$file")" fails grep -F libcudame < <(dynamic "$file" NEEDED)
done

# ---- version ---------------------------------------------------------------

version=$(cat "$top/VERSION")
check version-pc [ "$(pkg-config --modversion cudame)" = "$version" ]
check version-program grep -E "^ffmpeg version .*-vp8_cudame-${version//./\\.} " < <("$prefix/bin/ffmpeg" -version)
check version-changelog grep -Fx "## $version" "$prefix/$doc/CHANGELOG.md"

# ---- uninstall -------------------------------------------------------------

# Uninstall removes what install made, and nothing else, not even folders that were empty before.
before() { (cd "$scratch/dest" && find . | LC_ALL=C sort); }
mkdir -p "$scratch/dest/opt/lib/pkgconfig" "$scratch/dest/opt/include" "$scratch/dest/opt/bin"
touch "$scratch/dest/opt/bin/other" "$scratch/dest/opt/include/other.h"
before >"$scratch/before"
top_make install DESTDIR="$scratch/dest" PREFIX=/opt >&2
check destdir [ -e "$scratch/dest/opt/bin/ffmpeg" ]
check destdir-in-no-file fails grep -rlF "$scratch" "$scratch/dest/opt/lib/pkgconfig" "$scratch/dest/opt/share"
top_make install DESTDIR="$scratch/dest" PREFIX=/opt >&2
top_make uninstall DESTDIR="$scratch/dest" PREFIX=/opt >&2
before >"$scratch/after"
check uninstall diff "$scratch/before" "$scratch/after"
check uninstall-twice fails top_make uninstall DESTDIR="$scratch/dest" PREFIX=/opt
top_make uninstall PREFIX="$prefix" >&2
check uninstall-empty [ ! -e "$prefix" ]

# An installation over an older version removes the files that the new version does not have.
mkdir -p "$scratch/old/opt/lib" "$scratch/new/opt/lib"
touch "$scratch/old/opt/lib/"{both,gone} "$scratch/new/opt/lib/"{both,new}
ln -s both "$scratch/new/opt/lib/link"
for stage in old new; do DESTDIR=$scratch/update "$top/tools/install-tree" "$scratch/$stage" /opt; done
check update diff - <(cd "$scratch/update/opt/lib" && ls) <<<$'both\nlink\nnew'
DESTDIR=$scratch/update "$top/tools/install-tree" --uninstall /opt
check update-uninstall [ ! -e "$scratch/update/opt" ]

# ---- prefixes --------------------------------------------------------------

refused() { # $1: a part of the message, $2...: command
    ! "${@:2}" >"$scratch/refused" 2>&1 && grep -F "$1" "$scratch/refused"
}
check relative-prefix refused "'some/where' is not an absolute path" top_make install PREFIX=some/where
check prefix-with-space refused "'$scratch/a b' has a space" top_make install PREFIX="$scratch/a b"
check no-prefix refused "'' is not an absolute path" top_make install PREFIX=
check configure-relative-prefix refused "'some/where' is not an absolute path" \
    "$top/configure" --prefix=some/where --build-dir="$scratch/build" --ffmpeg-src=none
made=$(ls -d "$scratch/a" "$scratch/a b" "$top/some" "$scratch/build" 2>/dev/null || true)
check refused-makes-nothing [ -z "$made" ]
