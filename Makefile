# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Builds patched libvpx, stock libvpx for comparison, cudame and patched FFmpeg, and runs the tests.
# "make help" lists the targets.

JOBS ?= $(shell nproc)
comma := ,
MAKEFLAGS += --no-print-directory
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(JOBS)
endif
.DEFAULT_GOAL := all
# Do not pass variables of the command line (PREFIX, IN, ...) to the makes of libvpx and FFmpeg,
# where they mean other things.
MAKEOVERRIDES :=
.DELETE_ON_ERROR:
SHELL := /bin/bash

ifneq ($(wildcard config.mak),)
include config.mak
else
BUILD := build
endif

TOP := $(CURDIR)
B := $(abspath $(BUILD))
VERSION := $(shell cat VERSION)
PREFIX ?= $(INSTALL_PREFIX)
# Folder of the finished programs. Each other FFmpeg version has its own (check-ffmpeg).
BIN ?= $(B)/bin
# Flags of the FFmpegs that only tests use: -O1 compiles faster.
FFMPEG_TEST_FLAGS := $(FFMPEG_MINIMAL_FLAGS) --optflags=-O1
# VARIANT=shared is a second build of the same FFmpeg, with shared libraries and the name libvpx, as
# other programs would link it (check-shared).
VARIANT :=
ifeq ($(VARIANT),shared)
SHARED := yes
AS_LIBVPX := yes
FFMPEG_FLAGS := $(FFMPEG_TEST_FLAGS) --enable-shared --disable-static
BIN := $(B)/shared/bin
endif

help:
	@echo 'make               build libvpx, libcudame and FFmpeg: $(BUILD)/bin/ffmpeg, ffprobe'
	@echo 'make install       install FFmpeg with the encoder, its libraries and headers [PREFIX=$(PREFIX)]'
	@echo 'make uninstall     remove what make install put there [PREFIX=$(PREFIX)]'
	@echo 'make libvpx        build a libvpx.so for programs that call libvpx themselves: $(BUILD)/libvpx-so/lib;'
	@echo '                   install-libvpx, uninstall-libvpx: PREFIX=DIR'
	@echo 'make dist          make a release in $(BUILD)/dist: a tarball with the sources of FFmpeg and libvpx, and'
	@echo '                   its checksum; DIST_FLAGS=--small: without these sources'
	@echo 'make demo          install what is missing, build, transcode IN= (or a clip from Debian) to OUT=demo.webm,'
	@echo '                   and compare with stock libvpx at the same bitrate'
	@echo 'make check         the tests of this build that need no GPU; the last line is the count'
	@echo 'make check-more    the same for other builds: arm64, clang'\''s libFuzzer, libvpx'\''s own tests, shared libraries,'
	@echo '                   another FFmpeg, a release; run it before a release, and if a change concerns one of them'
	@echo '  check-fast       some tests of each part, in less than 3 minutes on 2 cores'
	@echo '  check-unit       unit tests of cudame; its GPU kernels compiled by clang, and run on the CPU'
	@echo '  check-arm64      unit tests of the CPU backend on arm64 (needs tools/install-deps cross)'
	@echo '  check-provider   unit tests of the patched libvpx'
	@echo '  check-fate       FATE tests of the encoder'
	@echo '  check-stream     whole streams: options, threads, errors, comparison with stock libvpx'
	@echo '  check-fuzz       random scenarios of the patched libvpx, for some seconds'
	@echo '  check-libfuzzer  scenarios, and calls of cudame, by clang'\''s libFuzzer: its corpora and some more'
	@echo '  check-libvpx     libvpx'\''s own tests: stock, patched without a provider, and with one [LIBVPX_TESTS=all]'
	@echo '  check-libvpx-so  libvpx.so under programs that call libvpx: streams, threads, processes, symbols'
	@echo '  check-gstreamer  vp8enc of GStreamer with libvpx.so, through RTP (needs tools/install-deps gstreamer)'
	@echo '  check-parity     the same commands with stock libvpx and with vp8_cudame (tools/parity, quick rows)'
	@echo '  check-soak       memory, files and threads do not grow: long streams, many encoders; briefly'
	@echo '  check-embed      an installed tree, programs that use its libraries, and make uninstall'
	@echo '  check-shared     the same with shared libraries and --as-libvpx'
	@echo '  check-clients    PyAV, mpv, GStreamer, and aiortc with Chromium, on our shared libraries; not part of check'
	@echo '  check-playback   WebM in a headless Chromium, RTP to another process; not part of check'
	@echo '  check-scale      a file encoded in chunks by GNU parallel (tools/chunks)'
	@echo '  check-slurm      the same by a Slurm job array; not part of check'
	@echo '  check-density    live streams, briefly (tools/density)'
	@echo '  check-papers     the papers'\'' measurements, with small pictures on the CPU (tools/papers)'
	@echo '  check-patches    the patches apply to every supported version, and each prefix of the series works'
	@echo '  check-abi        the declarations of cudame and of the motion provider are those of their versions'
	@echo '  check-pages      tables in pages agree with doc/results/*.tsv; a tiny evaluation'
	@echo '  check-dist       a release builds without git and without the network'
	@echo '  check-packages   Debian packages of a release in a fresh root; not part of check, needs root'
	@echo '  check-style      shell scripts have no pipeline that can fail by SIGPIPE'
	@echo '  check-runner     the runner of the tests counts every test that failed or did not run'
	@echo '  check-ffmpeg     FATE and stream tests with another FFmpeg [OTHER_FFMPEG=7.1]'
	@echo 'make evaluate      measure quality, CPU time and latency again, for all pages [CLIPS= EVALUATE_FLAGS=--help]'
	@echo 'make evaluate-short  the same in ten minutes, without a GPU, on clips of Debian packages: a page in $(BUILD)/evaluate'
	@echo 'make pages         write the tables and plots of pages again, from doc/results/*.tsv'
	@echo 'make fuzz          run random scenarios for SECONDS=$(SECONDS) [SEEDS=FROM-TO FUZZ_FLAGS=--help]'
	@echo 'make libfuzzer     build the fuzzers with libFuzzer; libfuzzer-run: run JOBS processes of each for SECONDS [RUNS=N];'
	@echo '                   libfuzzer-kit: a folder to run on another machine'
	@echo 'make view          build the program that tools/view/view.py needs to draw modes and vectors of a stream'
	@echo 'make soak          check-soak with SOAK_FRAMES=$(SOAK_FRAMES) frames and SOAK_CYCLES=$(SOAK_CYCLES) encoders'
	@echo 'make check-sanitize  unit, provider and FATE tests and scenarios of the fuzzer, with ASan, UBSan and TSan'
	@echo 'make check-gpu     unit and stream tests on a GPU, compared with the CPU; compute-sanitizer'
	@echo 'make refresh-fate  write tests/ref/fate again, after an intended change of the streams'
	@echo 'make density       build the programs that tools/density/density.py needs to count live streams'
	@echo 'make bench         run the benchmarks of cudame'
	@echo 'make ffmpeg-guide  build the encoder of tools/guide, which logs decisions'
	@echo 'make clean         delete what was built; distclean: the configuration and downloads, too'

ifeq ($(wildcard config.mak),)

# Before configure has run, these targets run it.
check check-more evaluate evaluate-short: CONFIGURE_FLAGS ?= --minimal
check check-more demo evaluate evaluate-short:
	tools/install-deps build test $(if $(filter check,$@),gstreamer) $(if $(filter check-more,$@),cross) $(if $(filter demo,$@),media) $(if $(filter evaluate%,$@),plots)
	./configure $(CONFIGURE_FLAGS)
	+$(MAKE) $@

NOT_CONFIGURED = @echo 'Not configured: run ./configure first (./configure --help), or make demo, or make check.' >&2; exit 1
all install uninstall bench pages:
	$(NOT_CONFIGURED)
check-%:
	$(NOT_CONFIGURED)

else

# ---- libvpx ----------------------------------------------------------------

PREFIX_PC := $(B)/prefix/lib/pkgconfig
STAMP := $(B)/stamp
# With the folders: if a file is removed, only its folder's time changes.
VPX_OVERLAY := $(shell find libvpx -mindepth 1 ! -name '.*')
VPX_FLAGS := --enable-pic --enable-static --disable-shared --disable-examples --disable-tools \
    --disable-docs --disable-unit-tests --disable-install-bins --disable-install-srcs \
    $(if $(filter yes,$(MINIMAL)),--disable-vp9)

$(STAMP) $(B)/src:
	@mkdir -p $@

.PHONY: FORCE
FORCE:

# Writes $(1) to the target, unless the target holds it already.
note_flags = @$(file >$@.new,$(1))if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

# Rules that build a libvpx. $(1): name, $(2): install prefix, $(3): name of the source, $(4): flags
# of the compiler, $(5): flags of the linker, $(6): other compilers, $(7): more options, $(8): targets
# and variables of its make
define build_libvpx
$(STAMP)/$(1).flags: FORCE | $(STAMP)
	$$(call note_flags,$(CC) $(CXX) $(2) $(VPX_FLAGS) $(4) $(BASE_LDFLAGS)$(5)$(6)$(7))

# Start from an empty folder: if flags change, libvpx does not renew the files that it generated.
$(B)/obj/$(1)/config.mk: $(STAMP)/$(1).flags | $(STAMP)/$(3).src
	@echo 'CONFIGURE $(1)'
	@rm -rf $$(@D)
	@mkdir -p $$(@D) $(B)/log
	@cd $$(@D) && CC='$(CC)' CXX='$(CXX)' LD='$(CC)' LDFLAGS='$(BASE_LDFLAGS)$(5)'$(6) \
	    $(B)/src/$(3)/configure --prefix=$(2) $(VPX_FLAGS)$(7) --extra-cflags="$(4)" >$(B)/log/configure-$(1).log 2>&1 || \
	    { tail -n 20 $(B)/log/configure-$(1).log; exit 1; }
	@touch $$@

.PHONY: $(1)
$(1): $(STAMP)/$(3).src $(B)/obj/$(1)/config.mk
	@echo 'MAKE $(1)'
	@tools/forget-removed $(B)/obj/$(1)
	+@tools/quietly $(B)/log/make-$(1).log $$(MAKE) -C $(B)/obj/$(1) $(8)
	@rm -rf $(B)/stage/$(1)
	@$$(MAKE) -s -j1 -C $(B)/obj/$(1) DESTDIR=$(B)/stage/$(1) install $(8) >>$(B)/log/make-$(1).log 2>&1
	@tools/sync-tree $(B)/stage/$(1)$(2) $(2)
endef

VPX := libvpx-$(LIBVPX_VERSION)-patched
VPX_STOCK := libvpx-$(LIBVPX_VERSION)
STOCK := $(B)/stock
# For tools/guide: with tools/guide/overlay.
VPX_GUIDE := $(VPX_STOCK)-guide
# For libfuzzer.
VPX_LIBFUZZER := $(VPX_STOCK)-libfuzzer
CLANG ?= clang
CLANGXX ?= clang++
# fuzzer-no-link: libraries must not contain libFuzzer's main().
LIBFUZZER_SANITIZE := fuzzer-no-link$(comma)address$(comma)undefined
# No trace-cmp: it takes three quarters of the time, and helps only to find magic numbers in the
# input, of which there are none.
LIBFUZZER_CFLAGS := -O2 -g1 -fsanitize=$(LIBFUZZER_SANITIZE) -fno-sanitize-coverage=trace-cmp -fno-sanitize-recover=undefined \
    -fno-omit-frame-pointer
# Fewer Highway targets: each takes long to compile with a sanitizer. The unit tests compare all.
LIBFUZZER_HWY := -DHWY_DISABLED_TARGETS=HWY_SSSE3+HWY_SSE4
LIBFUZZER_VPX_CFLAGS := $(LIBFUZZER_CFLAGS) -fsanitize-ignorelist=$(TOP)/tests/fuzz/libvpx.ignore

$(STAMP)/$(VPX).src: config.mak tools/prepare-source $(wildcard patches/libvpx/*) $(VPX_OVERLAY) | $(STAMP) $(B)/src
	@echo 'SOURCE $(VPX)'
	@tools/prepare-source --patches=patches/libvpx --overlay=libvpx:. $(LIBVPX_ORIGIN) $(B)/src/$(VPX)
	@touch $@

$(STAMP)/$(VPX_GUIDE).src: config.mak tools/prepare-source $(wildcard patches/libvpx/*) $(VPX_OVERLAY) $(shell find tools/guide/overlay) | $(STAMP) $(B)/src
	@echo 'SOURCE $(VPX_GUIDE)'
	@tools/prepare-source --patches=patches/libvpx --overlay=libvpx:. --overlay=tools/guide/overlay:. $(LIBVPX_ORIGIN) $(B)/src/$(VPX_GUIDE)
	@touch $@

$(STAMP)/$(VPX_STOCK).src: config.mak tools/prepare-source | $(STAMP) $(B)/src
	@echo 'SOURCE $(VPX_STOCK)'
	@tools/prepare-source $(LIBVPX_ORIGIN) $(B)/src/$(VPX_STOCK)
	@touch $@

$(eval $(call build_libvpx,$(VPX),$(B)/prefix,$(VPX),$(BASE_CFLAGS)))
$(eval $(call build_libvpx,$(VPX_STOCK),$(STOCK),$(VPX_STOCK),$(BASE_CFLAGS)))
$(eval $(call build_libvpx,$(VPX_GUIDE),$(B)/guide,$(VPX_GUIDE),$(BASE_CFLAGS) -DVP8_MP_MODE_LOG=1))
# With assertions. --disable-optimizations: LIBFUZZER_CFLAGS has the optimization level.
$(B)/obj/$(VPX_LIBFUZZER)/config.mk: tests/fuzz/libvpx.ignore
$(eval $(call build_libvpx,$(VPX_LIBFUZZER),$(B)/libfuzzer/prefix,$(VPX),$(LIBFUZZER_VPX_CFLAGS), -fsanitize=$(LIBFUZZER_SANITIZE), CC='$(CLANG)' CXX='$(CLANGXX)' LD='$(CLANG)', --disable-vp9 --enable-debug --disable-optimizations))

# The program of tools/view. It uses internal headers of libvpx.
.PHONY: view
view: $(VPX)
	@mkdir -p $(B)/view
	@$(CC) $(BASE_CFLAGS) -O2 -Wall -Wextra -I$(B)/obj/$(VPX) -I$(B)/src/$(VPX) -o $(B)/view/vp8-modes tools/view/vp8_modes.c \
	    -Wl,--wrap=vp8_decode_mode_mvs $(B)/obj/$(VPX)/libvpx.a -lpthread -lm $(BASE_LDFLAGS)

# ---- nv-codec-headers, cudame ----------------------------------------------

$(STAMP)/nvcodec: config.mak | $(STAMP) $(B)/src
	@echo 'INSTALL nv-codec-headers'
	@FORCE=1 tools/prepare-source $(NVCODEC_ORIGIN) $(B)/src/nv-codec-headers
	@$(MAKE) -s -C $(B)/src/nv-codec-headers PREFIX=$(B)/prefix install >/dev/null
	@touch $@

# Makes cudame. $(1): build folder, $(2): sanitizers
cudame_make = $(MAKE) -s -C cudame BUILD=$(1) PREFIX=$(B)/prefix CXX='$(CXX)' CXXFLAGS='$(CUDAME_CFLAGS)' SANITIZE=$(2) NVCC='$(NVCC)' CUDA_CLANG='$(CUDA_CLANG)' CUDA_ARCHS='$(CUDA_ARCHS)'
# One of the two compilers, or none: then cudame has no CUDA backend.
NVCC := $(if $(filter nvcc,$(CUDA_COMPILER)),$(CUDA_COMPILER_PATH))
CUDA_CLANG := $(if $(filter clang,$(CUDA_COMPILER)),$(CUDA_COMPILER_PATH))
CUDAME_CFLAGS := $(filter-out -fsanitize=%,$(BASE_CFLAGS))
CUDAME_MAKE = $(call cudame_make,$(B)/cudame,$(SANITIZE))

.PHONY: cudame
cudame: $(STAMP)/nvcodec
	@echo 'MAKE cudame'
	@# Not the shared library: -lcudame would take it.
	+@$(CUDAME_MAKE) DESTDIR=$(B)/stage/cudame shared install-static
	@tools/sync-tree $(B)/stage/cudame$(B)/prefix $(B)/prefix

# ---- vp8provider -----------------------------------------------------------

.PHONY: vp8provider
vp8provider: $(VPX) cudame
	@echo 'MAKE vp8provider'
	+@$(MAKE) -s -C provider BUILD=$(B)/vp8provider PREFIX=$(B)/prefix CC='$(CC)' CFLAGS='$(BASE_CFLAGS)' DESTDIR=$(B)/stage/vp8provider install
	@tools/sync-tree $(B)/stage/vp8provider$(B)/prefix $(B)/prefix

# ---- libvpx.so -------------------------------------------------------------

# The whole of libvpx as a shared library in which each VP8 encoder gets a provider: libvpx-so. To
# compare, stock's, with the programs vpxenc and vpxdec: libvpx-so-stock. The options are those of
# Debian's package, so that this library can take its place.
VPX_SO := $(VPX)-so
VPX_SO_STOCK := $(VPX_STOCK)-so
VPX_SO_FLAGS := --enable-vp9 --enable-shared --disable-static --size-limit=16384x16384 --enable-postproc \
    --enable-multi-res-encoding --enable-vp9-postproc --enable-temporal-denoising --enable-vp9-temporal-denoising \
    --enable-vp9-highbitdepth
# Its own copies of cudame and vp8provider; the version script of libvpx hides their symbols.
VPX_SO_ARCHIVES := $(B)/prefix/lib/libvp8provider.a $(B)/prefix/lib/libcudame.a
VPX_SO_LIBS := $(VPX_SO_ARCHIVES) -lhwy -lstdc++ -lm -lpthread -ldl

# -idirafter: libvpx's own headers come first.
$(eval $(call build_libvpx,$(VPX_SO),$(B)/libvpx-so,$(VPX),$(BASE_CFLAGS) -idirafter $(B)/prefix/include,,, $(VPX_SO_FLAGS) --enable-vp8-cudame,extralibs='$(VPX_SO_LIBS)'))
$(eval $(call build_libvpx,$(VPX_SO_STOCK),$(B)/libvpx-so-stock,$(VPX_STOCK),$(BASE_CFLAGS),,, $(VPX_SO_FLAGS) --enable-examples --enable-install-bins --disable-webm-io --disable-libyuv))

# Link it again if its archives are newer, which its make does not know.
.PHONY: relink-libvpx
relink-libvpx: vp8provider
	@for archive in $(VPX_SO_ARCHIVES); do \
	    for library in $(wildcard $(B)/obj/$(VPX_SO)/libvpx.so.*.*.*); do \
	        if [ $$archive -nt $$library ]; then rm -f $$library; fi; \
	    done; \
	done
$(VPX_SO): relink-libvpx

# libvpx is also the name of a folder.
.PHONY: libvpx install-libvpx uninstall-libvpx
libvpx: $(VPX_SO)
	@echo 'libvpx: $(BUILD)/libvpx-so/lib'

# ---- FFmpeg ----------------------------------------------------------------

FF := ffmpeg-$(FFMPEG_VERSION)
FF_BUILD := $(FF)$(addprefix -,$(VARIANT))
FF_OBJ := $(B)/obj/$(FF_BUILD)
FF_SHARED := tools/ffmpeg-shared.mak
FF_OVERLAY := $(shell find libavcodec tests/fate tests/ref ! -name '.*')
FF_LINKED := $(addprefix $(FF_OBJ)/,ffmpeg_g ffprobe_g ffmpeg-stock_g) $(wildcard $(FF_OBJ)/libavcodec/lib*.so.*)
FF_DEBUG := $(if $(filter yes,$(DEBUG)),--disable-optimizations --enable-debug=3) \
    $(if $(SANITIZE),--disable-stripping --extra-cflags='$(BASE_CFLAGS)' --extra-ldflags='$(BASE_LDFLAGS)')

$(STAMP)/$(FF).src: config.mak tools/prepare-source $(wildcard patches/ffmpeg/*) $(FF_OVERLAY) | $(STAMP) $(B)/src
	@echo 'SOURCE $(FF)'
	@tools/prepare-source --patches=patches/ffmpeg --overlay=libavcodec:libavcodec \
	    --overlay=tests/fate:tests/fate --overlay=tests/ref/fate:tests/ref/fate $(FFMPEG_ORIGIN) $(B)/src/$(FF)
	@touch $@

# Patches change these files. Their times change only if their contents do.
$(B)/src/$(FF)/configure $(B)/src/$(FF)/libavcodec/allcodecs.c: $(STAMP)/$(FF).src ;

FF_CONFIGURE = --prefix=$(INSTALL_PREFIX) --cc='$(CC)' --cxx='$(CXX)' --pkg-config-flags=--static \
    --extra-version=vp8_cudame-$(VERSION) --enable-libvpx --enable-ffnvcodec --enable-libcudame \
    $(if $(filter yes,$(AS_LIBVPX)),--enable-vp8-cudame-as-libvpx) $(FF_DEBUG) $(FFMPEG_FLAGS)

$(STAMP)/$(FF_BUILD).flags: FORCE | $(STAMP)
	$(call note_flags,$(FF_CONFIGURE))

# If flags change, start from an empty folder: FFmpeg does not assemble its objects again.
$(FF_OBJ)/ffbuild/config.mak: $(STAMP)/$(FF_BUILD).flags $(STAMP)/nvcodec $(B)/src/$(FF)/configure $(B)/src/$(FF)/libavcodec/allcodecs.c $(if $(filter yes,$(SHARED)),$(FF_SHARED)) | $(VPX) cudame vp8provider
	@echo 'CONFIGURE $(FF_BUILD)'
	@if [ $(STAMP)/$(FF_BUILD).flags -nt $@ ]; then rm -rf $(FF_OBJ); fi
	@mkdir -p $(FF_OBJ) $(B)/log
	@# FFmpeg's configure takes an existing link "src" for its source folder, by a relative path.
	@rm -f $(FF_OBJ)/src
	@cd $(FF_OBJ) && PKG_CONFIG_PATH=$(PREFIX_PC)$${PKG_CONFIG_PATH:+:$$PKG_CONFIG_PATH} \
	    $(B)/src/$(FF)/configure $(FF_CONFIGURE) >$(B)/log/configure-$(FF_BUILD).log 2>&1 || \
	    { tail -n 20 $(B)/log/configure-$(FF_BUILD).log; tail -n 20 ffbuild/config.log; exit 1; }
	$(if $(filter yes,$(SHARED)),@cat $(FF_SHARED) >>$@)
	@touch $@

# FFmpeg's make does not know the libraries that -lvpx, -lvp8provider and -lcudame find. Delete programs that are
# older than these libraries, so that they are linked again.
.PHONY: relink relink-stock ffmpeg ffmpeg-stock
relink: $(VPX) cudame vp8provider
	@for program in $(FF_LINKED); do \
	    for library in $(B)/prefix/lib/lib{vpx,vp8provider,cudame}.a; do \
	        if [ $$library -nt $$program ]; then rm -f $$program; fi; \
	    done; \
	done
relink-stock: $(VPX_STOCK)
	@for program in $(FF_OBJ)/ffmpeg-stock_g $(wildcard $(FF_OBJ)/libavcodec/lib*-stock.so.*); do \
	    if [ $(STOCK)/lib/libvpx.a -nt $$program ]; then rm -f $$program; fi; \
	done

ffmpeg: $(FF_OBJ)/ffbuild/config.mak $(STAMP)/$(FF).src relink
	@echo 'MAKE $(FF_BUILD)'
	+@tools/quietly $(B)/log/make-$(FF_BUILD).log $(MAKE) -C $(FF_OBJ) all
	@mkdir -p $(BIN)
	@for p in ffmpeg ffprobe; do cmp -s $(FF_OBJ)/$$p $(BIN)/$$p || cp $(FF_OBJ)/$$p $(BIN)/$$p; done
	$(copy_libraries)

# Programs look for shared libraries in the folder lib beside their own folder.
copy_libraries = $(if $(filter yes,$(SHARED)),@mkdir -p $(BIN)/../lib && for l in $(FF_OBJ)/lib*/lib*.so.*; do \
    cmp -s $$l $(BIN)/../lib/$$(basename $$l) || cp --remove-destination $$l $(BIN)/../lib/; done)
# Links ffmpeg$(1) from the same objects with the libvpx in the folder $(2), which comes first in
# the linker's search path. Shared libraries are linked again, too, and get the suffix $(1).
link_with = $(MAKE) -C $(FF_OBJ) PROGSSUF=$(1) $(if $(filter yes,$(SHARED)),BUILDSUF=$(1) FIRST=-L$(2)/lib, \
    LDFLAGS-ffmpeg=-L$(2)/lib) ffmpeg$(1)

# Tests and measurements compare with FFmpeg's encoder libvpx.
.PHONY: has-libvpx
has-libvpx:
	@[ '$(AS_LIBVPX)$(VARIANT)' != yes ] || { echo 'This needs the encoder libvpx of FFmpeg: run ./configure without --as-libvpx' >&2; exit 1; }

ffmpeg-stock: has-libvpx ffmpeg relink-stock
	@echo 'MAKE $(FF_BUILD) with stock libvpx'
	+@tools/quietly $(B)/log/make-$(FF_BUILD)-stock.log $(call link_with,-stock,$(STOCK))
	@cmp -s $(FF_OBJ)/ffmpeg-stock $(BIN)/ffmpeg-stock || cp $(FF_OBJ)/ffmpeg-stock $(BIN)/ffmpeg-stock
	$(copy_libraries)

# The encoder of tools/guide. Always linked again: make does not know that it depends on libvpx.
.PHONY: ffmpeg-guide
ffmpeg-guide: ffmpeg $(VPX_GUIDE)
	@echo 'MAKE $(FF_BUILD) with a libvpx that logs decisions'
	@rm -f $(FF_OBJ)/$@_g $(FF_OBJ)/libavcodec/lib*-guide.so.*
	+@tools/quietly $(B)/log/make-$(FF_BUILD)-guide.log $(call link_with,-guide,$(B)/guide)
	@cp $(FF_OBJ)/$@ $(BIN)/$@
	$(copy_libraries)

.PHONY: all install uninstall
all: ffmpeg

# ---- install ---------------------------------------------------------------

# Check PREFIX before anything is built.
ifneq ($(filter install uninstall install-libvpx uninstall-libvpx,$(MAKECMDGOALS)),)
ifneq ($(shell tools/install-tree --check '$(subst ','\'',$(PREFIX))' || echo bad),)
$(error nothing was done)
endif
# If root runs "make install" in the build folder of another user, only install what is built, so
# that no file there belongs to root.
ifneq ($(filter %-libvpx,$(MAKECMDGOALS)),)
ifneq ($(filter file undefined,$(origin PREFIX))$(filter / /usr /usr/,$(PREFIX)),)
$(error Say where, by PREFIX=DIR: a folder of its own, because programs take this libvpx for the system's)
endif
endif
ONLY_INSTALL := $(and $(filter 0,$(shell id -u)),$(filter-out 0,$(shell stat -c %u $(B) 2>/dev/null)))
endif

# FFmpeg writes the prefix that it was configured with, and our build folder, into its .pc files;
# PC_SED corrects them. The patched libvpx is for libavcodec alone: it is installed without headers
# and vpx.pc, under a file name that -lvpx does not find, and with symbol names that no other libvpx
# has. So is vp8provider, but for the names.
PRIVATE := vp8_cudame
PC_SED := s,^libdir=.*,libdir=$${prefix}/lib,; s,^includedir=.*,includedir=$${prefix}/include,; \
    s,^prefix=.*,prefix=$(PREFIX),; \
    s,-L$(B)/prefix/lib -lvpx,-L$${libdir}/$(PRIVATE) -lvpx-$(PRIVATE),g; \
    s,-L$(B)/prefix/lib -lvp8provider,-L$${libdir}/$(PRIVATE) -lvp8provider,g; s, -L$(B)/prefix/lib,,g

install: $(if $(ONLY_INSTALL),,ffmpeg)
	@[ -x $(BIN)/ffmpeg ] || { echo 'make install: run make first, as the owner of $(BUILD)' >&2; exit 1; }
	@echo 'INSTALL $(DESTDIR)$(PREFIX)'
	@scratch=$$(mktemp -d $(B)/stage/install.XXXXXX) && trap 'rm -rf $$scratch' EXIT && stage=$$scratch/stage && \
	    { $(MAKE) -s -C $(FF_OBJ) DESTDIR=$$stage prefix=$(PREFIX) install >$$scratch/log 2>&1 || \
	        { tail $$scratch/log; exit 1; }; } && \
	    tree=$$stage$(PREFIX) && \
	    if [ -e $$tree/lib/libavcodec.a ]; then \
	        mkdir -p $$tree/lib/$(PRIVATE) && \
	        cp $(B)/prefix/lib/libvpx.a $$tree/lib/$(PRIVATE)/libvpx-$(PRIVATE).a && \
	        tools/rename-symbols $(PRIVATE)_ $$tree/lib/{$(PRIVATE)/libvpx-$(PRIVATE),libavcodec}.a && \
	        cp $(B)/prefix/lib/libvp8provider.a $$tree/lib/$(PRIVATE)/; \
	    else \
	        sed -i 's,^Libs.private:.*,Libs.private:,' $$tree/lib/pkgconfig/*.pc; \
	    fi && \
	    cp $(B)/prefix/lib/libcudame.a $$tree/lib/ && \
	    cp $(B)/cudame/libcudame.so.* $$tree/lib/ && \
	    (cd $$tree/lib && strip --strip-unneeded libcudame.so.* && ln -s libcudame.so.* libcudame.so) && \
	    cp -R $(B)/prefix/include/cudame $$tree/include/ && \
	    cp $(PREFIX_PC)/cudame.pc $$tree/lib/pkgconfig/ && \
	    sed -i 's, -lcudame, -l:libcudame.a,g' $$tree/lib/pkgconfig/lib*.pc && \
	    sed -i '$(PC_SED)' $$tree/lib/pkgconfig/*.pc && \
	    doc=$$tree/share/doc/$(PRIVATE) && mkdir -p $$doc/libvpx $$doc/ffmpeg && \
	    cp LICENSE.md COPYING.* CHANGELOG.md $$doc/ && \
	    cp $(B)/src/$(VPX)/{LICENSE,PATENTS,AUTHORS} $$doc/libvpx/ && \
	    cp $(B)/src/$(FF)/{LICENSE.md,COPYING.*,CREDITS} $$doc/ffmpeg/ && \
	    chmod -R u=rwX,go=rX $$tree && \
	    DESTDIR='$(DESTDIR)' tools/install-tree $$stage $(PREFIX)

uninstall:
	@DESTDIR='$(DESTDIR)' tools/install-tree --uninstall $(PREFIX)

# libvpx.so has a list of its own, so that the same PREFIX may have FFmpeg too.
VPX_SO_DOC := share/doc/vp8_cudame-libvpx
install-libvpx: $(if $(ONLY_INSTALL),,libvpx)
	@[ -e $(B)/libvpx-so/lib/libvpx.so ] || { echo 'make install-libvpx: run make libvpx first, as the owner of $(BUILD)' >&2; exit 1; }
	@echo 'INSTALL $(DESTDIR)$(PREFIX)'
	@scratch=$$(mktemp -d $(B)/stage/install.XXXXXX) && trap 'rm -rf $$scratch' EXIT && \
	    tree=$$scratch/stage$(PREFIX) && mkdir -p $$tree/$(VPX_SO_DOC)/libvpx && \
	    cp -R $(B)/libvpx-so/include $(B)/libvpx-so/lib $$tree/ && \
	    strip --strip-unneeded $$tree/lib/libvpx.so.*.*.* && \
	    sed -i 's,^prefix=.*,prefix=$(PREFIX),' $$tree/lib/pkgconfig/vpx.pc && \
	    cp LICENSE.md COPYING.BSD CHANGELOG.md doc/libvpx-library.md $$tree/$(VPX_SO_DOC)/ && \
	    cp $(B)/src/$(VPX)/{LICENSE,PATENTS,AUTHORS} $$tree/$(VPX_SO_DOC)/libvpx/ && \
	    chmod -R u=rwX,go=rX $$tree && \
	    DESTDIR='$(DESTDIR)' INSTALLED=libvpx tools/install-tree $$scratch/stage $(PREFIX)

uninstall-libvpx:
	@DESTDIR='$(DESTDIR)' INSTALLED=libvpx tools/install-tree --uninstall $(PREFIX)

# ---- tests -----------------------------------------------------------------

# Folder of real clips for the stream tests. May be empty.
CLIPS ?= $(wildcard $(abspath $(TOP)/../shared/clips))
# The other FFmpeg version that "make check-more" tests (no: none).
OTHER_FFMPEG ?= $(if $(filter 7.1.%,$(FFMPEG_VERSION)),no,7.1)
LOG := $(B)/log
RUN = BUILD_DIR=$(B) VP8_MODES=$(B)/view/vp8-modes LOG_DIR=$(LOG) FFMPEG=$(BIN)/ffmpeg FFPROBE=$(BIN)/ffprobe FFMPEG_STOCK=$(BIN)/ffmpeg-stock \
    FFMPEG_OBJ=$(FF_OBJ) LIBVPX_STOCK=$(VPX_STOCK) VARIANT=$(VARIANT) SHARED=$(SHARED) AS_LIBVPX=$(AS_LIBVPX) CLIPS=$(CLIPS) CC='$(CC)' CLANGXX='$(CLANGXX)' BASE_LDFLAGS='$(BASE_LDFLAGS)' tests/run.sh

# The suites of "make check". A failed suite does not stop it: --summary at its end finds all failed
# tests, and the suites of these lists that did not run. The suites of "make check-fast" run first,
# with a limit of FAST_SECONDS: FAST_WHOLE run whole, FAST_PARTS without their longest tests, which
# follow (REST).
FAST_WHOLE := runner style pages fate
FAST_PARTS := unit emulated provider
FAST := $(FAST_WHOLE) $(addprefix fast/,$(FAST_PARTS))
FAST_SECONDS ?= 240
CHECK := patches abi unit clang emulated provider fuzz stream libvpx-so gstreamer parity scale density papers soak embed
# "make check-more" tests other builds and a release, which would make "make check" take half as long again.
CHECK_MORE := arm64 libfuzzer libvpx dist
CHECK_SHARED := $(if $(filter yes,$(SHARED)),,shared/embed)
CHECK_FFMPEG := $(if $(filter no,$(OTHER_FFMPEG)),,$(addprefix ffmpeg-$(OTHER_FFMPEG)/,fate stream))

.PHONY: check check-more check-fast run-fast check-runner check-style check-dist check-packages check-pages check-unit check-arm64 check-provider check-fuzz check-libfuzzer check-fate check-stream check-libvpx check-libvpx-so check-gstreamer check-parity check-soak check-embed check-shared check-clients check-playback check-scale check-slurm check-density check-papers check-patches check-abi check-ffmpeg check-gpu check-sanitize
check: ffmpeg-stock cudame-tests provider-tests vp8-fuzz libvpx-so-tests fake-cores vp8-soak density view
	@$(RUN) --begin check-fast $(FAST) $(CHECK)
	+@$(RUN) --within $(FAST_SECONDS) check-fast $(MAKE) run-fast || true
	@REST=1 $(RUN) $(CHECK) || true
	@echo; $(RUN) --summary

check-more: ffmpeg-stock cudame-tests libfuzzer-if libvpx-tests fake-cores view
	@$(RUN) --begin $(CHECK_MORE) $(CHECK_SHARED) $(CHECK_FFMPEG)
	@$(RUN) $(CHECK_MORE) || true
	+@$(if $(CHECK_SHARED),$(MAKE) check-shared || true)
	+@$(if $(CHECK_FFMPEG),$(MAKE) check-ffmpeg OTHER_FFMPEG=$(OTHER_FFMPEG) || true)
	@echo; $(RUN) --summary

# Less than three minutes on two idle cores if at most one file of libvpx has to be compiled.
check-fast:
	@$(RUN) --begin check-fast $(FAST)
	+@$(RUN) --within 3600 check-fast $(MAKE) run-fast || true
	@echo; $(RUN) --summary
run-fast: ffmpeg-stock cudame-tests provider-tests
	@$(RUN) $(FAST_WHOLE) || true
	@FAST=1 $(RUN) --prefix=fast/ $(FAST_PARTS) || true

check-unit: cudame-tests
	@$(RUN) unit clang emulated
check-arm64:
	@$(RUN) arm64
check-provider: provider-tests
	@$(RUN) provider
check-fuzz: vp8-fuzz
	@$(RUN) fuzz
check-libfuzzer: libfuzzer-if
	@$(RUN) libfuzzer
check-fate: ffmpeg
	@$(RUN) fate
check-stream: ffmpeg-stock cudame-tests fake-cores view
	@$(RUN) stream
check-libvpx: ffmpeg libvpx-tests
	@$(RUN) libvpx
check-libvpx-so: ffmpeg cudame-tests libvpx-so-tests
	@$(RUN) libvpx-so
check-gstreamer: libvpx $(VPX_SO_STOCK)
	+@missing=$$(tools/install-deps --missing gstreamer) && [ -z "$$missing" ] || \
	    { echo "make check-gstreamer: missing here: $$missing (tools/install-deps gstreamer)" >&2; exit 1; }
	@$(RUN) gstreamer
check-parity: ffmpeg-stock
	@$(RUN) parity
check-soak: cudame-tests vp8-soak
	@$(RUN) soak
check-embed: ffmpeg $(if $(filter yes,$(SHARED)),ffmpeg-stock)
	@$(RUN) embed
check-shared:
	+@$(MAKE) VARIANT=shared ffmpeg-stock || $(RUN) --failed shared 'did not build'
	+@$(MAKE) VARIANT=shared run-shared
# Not part of check: it fetches PyAV, mpv, GStreamer and aiortc, whose Debian versions need FFmpeg 7.1.
CLIENTS_FFMPEG ?= 7.1
check-clients:
	+@missing=$$(tools/install-deps --missing clients) && [ -z "$$missing" ] || \
	    { echo "make check-clients: missing here: $$missing (tools/install-deps clients)" >&2; exit 1; }
	+@tarball=$$(tools/fetch-sources --state=$(B)/apt $(if $(VP8_CUDAME_DL),,--dl=$(B)/dl) ffmpeg $(CLIENTS_FFMPEG)) && \
	    version=$$(basename $$tarball | sed 's/^[^_]*_//; s/\.orig\..*//') && \
	    $(MAKE) VARIANT=shared run-clients FFMPEG_VERSION=$$version FFMPEG_ORIGIN=$$tarball BIN=$(B)/clients/ffmpeg/bin
# Not part of check: it needs a browser.
check-playback: ffmpeg
	@$(RUN) playback
check-papers: ffmpeg-stock
	@$(RUN) papers
check-density: density cudame-tests
	@$(RUN) density
check-scale: ffmpeg
	@$(RUN) scale
# Not part of check: it starts a Slurm cluster on this machine.
check-slurm: ffmpeg
	+@missing=$$(tools/install-deps --missing scale) && [ -z "$$missing" ] || \
	    { echo "make check-slurm: missing here: $$missing (tools/install-deps scale)" >&2; exit 1; }
	@$(RUN) slurm
check-patches:
	@$(RUN) patches
check-abi:
	@$(RUN) abi
check-pages: ffmpeg-stock
	@$(RUN) pages
check-runner:
	@$(RUN) runner
check-style:
	@$(RUN) style
check-dist:
	@$(RUN) dist
# Not part of check: it needs root, and builds everything again.
check-packages: libvpx-so-tests
	+@missing=$$(tools/install-deps --missing packages) && [ -z "$$missing" ] || \
	    { echo "make check-packages: missing here: $$missing (tools/install-deps packages)" >&2; exit 1; }
	@$(RUN) packages

# Tests another FFmpeg version, in its minimal configuration, with the same libvpx and cudame.
check-ffmpeg:
	+@tarball=$$(tools/fetch-sources --state=$(B)/apt $(if $(VP8_CUDAME_DL),,--dl=$(B)/dl) ffmpeg $(OTHER_FFMPEG)) && \
	    version=$$(basename $$tarball | sed 's/^[^_]*_//; s/\.orig\..*//') && \
	    $(MAKE) run-ffmpeg FFMPEG_VERSION=$$version FFMPEG_ORIGIN=$$tarball BIN=$(B)/bin-$$version SHARED=no \
	        FFMPEG_FLAGS='$(FFMPEG_TEST_FLAGS)' OTHER_FFMPEG=$(OTHER_FFMPEG) || \
	    $(RUN) --failed ffmpeg-$(OTHER_FFMPEG) 'did not build'

.PHONY: run-ffmpeg run-shared run-clients
run-clients: ffmpeg
	+@$(MAKE) -s VARIANT=$(VARIANT) FFMPEG_VERSION=$(FFMPEG_VERSION) FFMPEG_ORIGIN=$(FFMPEG_ORIGIN) BIN=$(BIN) install PREFIX=$(B)/clients/tree
	@$(RUN) clients
run-shared: ffmpeg-stock
	@$(RUN) --prefix=shared/ embed

# STREAM_LEAVE: tests that depend on libvpx and cudame alone, which are the same.
run-ffmpeg: ffmpeg-stock view
	@STREAM_PREFIX=$(FFMPEG_VERSION)- \
	    STREAM_LEAVE='clips determinism devices fault filter-level first-pass ghosts late memory scene-cuts spread start static-threshold two-gpus whole-frames' $(RUN) --prefix=ffmpeg-$(OTHER_FFMPEG)/ fate stream || true

.PHONY: cudame-tests provider-tests vp8-fuzz libvpx-tests libvpx-so-tests vp8-soak fake-cores fuzz soak
cudame-tests: cudame
	+@$(CUDAME_MAKE) tests
provider-tests: $(VPX) cudame
	+@$(MAKE) -s -C tests/provider BUILD=$(B)/provider PREFIX=$(B)/prefix VPX_SRC=$(B)/src/$(VPX) VPX_OBJ=$(B)/obj/$(VPX) CC='$(CC)' CXX='$(CXX)' SANITIZE=$(SANITIZE) all
vp8-fuzz: $(VPX) cudame
	+@$(MAKE) -s -C tests/fuzz BUILD=$(B)/fuzz PREFIX=$(B)/prefix CC='$(CC)' CXX='$(CXX)' SANITIZE=$(SANITIZE) all
# Builds libvpx's own tests. $(1): stock, shared or patched, $(2): name of the libvpx, $(3): prefix of
# libcudame for the patched one
libvpx_tests = $(MAKE) -s -C tests/libvpx BUILD=$(B)/libvpx-tests/$(1) VPX_SRC=$(B)/src/$(2) VPX_OBJ=$(B)/obj/$(2) PREFIX=$(3) CC='$(CC)' CXX='$(CXX)' SANITIZE=$(SANITIZE) all
libvpx-tests: $(VPX) $(VPX_STOCK) cudame libvpx $(VPX_SO_STOCK)
	@echo 'MAKE libvpx-tests'
	+@$(call libvpx_tests,stock,$(VPX_STOCK))
	+@$(call libvpx_tests,shared,$(VPX_STOCK)) SO=$(B)/libvpx-so-stock STOCK=$(B)/libvpx-tests/stock STOCK_SRC=$(B)/src/$(VPX_STOCK) STOCK_OBJ=$(B)/obj/$(VPX_STOCK)
	+@$(call libvpx_tests,patched,$(VPX),$(B)/prefix) STOCK=$(B)/libvpx-tests/stock STOCK_SRC=$(B)/src/$(VPX_STOCK) STOCK_OBJ=$(B)/obj/$(VPX_STOCK)
libvpx-so-tests: libvpx $(VPX_SO_STOCK)
	+@$(MAKE) -s -C tests/libvpx-so BUILD=$(B)/libvpx-so-tests STOCK=$(B)/libvpx-so-stock CC='$(CC)' all
vp8-soak: ffmpeg
	+@$(MAKE) -s -C tests/soak BUILD=$(B)/soak FFMPEG_OBJ=$(FF_OBJ) PC_PATH=$(PREFIX_PC) CC='$(CC)' CFLAGS='$(BASE_CFLAGS)' LDFLAGS='$(BASE_LDFLAGS)' all
# The programs of tools/density. They link each libvpx by its name, which needs static libraries.
.PHONY: density
density: ffmpeg-stock
	+@[ '$(SHARED)' = yes ] || $(MAKE) -s -C tools/density BUILD=$(B)/density FFMPEG_OBJ=$(FF_OBJ) PREFIX=$(B)/prefix STOCK=$(STOCK) CC='$(CC)' CFLAGS='$(BASE_CFLAGS)' LDFLAGS='$(BASE_LDFLAGS)' all
# A library for LD_PRELOAD that reports eight cores. Not with a sanitizer, whose library must be
# the first.
fake-cores: $(if $(SANITIZE),,$(B)/fake_cores.so)
$(B)/fake_cores.so: tests/fake_cores.c | $(STAMP)
	@$(CC) -O2 -Wall -Wextra -fPIC -shared -DPRELOADED -o $@ $< -ldl

SECONDS ?= 600
SEEDS ?= 1-
fuzz: vp8-fuzz
	@$(B)/fuzz/vp8-fuzz --seconds $(SECONDS) --seeds $(SEEDS) $(FUZZ_FLAGS)

# These may also be set in the environment.
SOAK_FRAMES ?= 10000
SOAK_CYCLES ?= 500
soak: cudame-tests vp8-soak
	@SOAK_FRAMES=$(SOAK_FRAMES) SOAK_CYCLES=$(SOAK_CYCLES) $(RUN) soak

# Unit tests with sanitizers. $(1): folder below the build folder, $(2): sanitizers
define sanitize
	+@$(call cudame_make,$(B)/$(1),$(2)) CXXFLAGS='-O1 -g' tests
	@SANITIZED=$(1) $(RUN) --prefix=$(1)/ unit || true
endef

# Builds all of libvpx, cudame and FFmpeg with sanitizers, in a separate build folder, and runs the
# suites SUITES_SANITIZED. $(1): folder below the build folder, $(2): sanitizers
define sanitize_all
	+@$(MAKE) sanitized BUILD=$(B)/$(1)/all SANITIZED=$(1) SANITIZE=$(2) CUDA_COMPILER= FFMPEG_FLAGS='$(FFMPEG_MINIMAL_FLAGS)' SHARED=no \
	    BASE_CFLAGS='-O1 -g -fno-omit-frame-pointer -fsanitize=$(2)' BASE_LDFLAGS=-fsanitize=$(2) LOG=$(LOG) || \
	    $(RUN) --failed $(1) 'did not build' || true
endef

SUITES_SANITIZED := provider fate fuzz-sanitized
.PHONY: sanitized
sanitized: ffmpeg provider-tests vp8-fuzz
	@$(RUN) --prefix=$(SANITIZED)/ $(SUITES_SANITIZED) || true

check-sanitize:
	@$(RUN) --begin $(foreach s,asan tsan,$(addprefix $s/,unit $(SUITES_SANITIZED)))
	$(call sanitize,asan,address$(comma)undefined)
	$(call sanitize,tsan,thread)
	$(call sanitize_all,asan,address$(comma)undefined)
	$(call sanitize_all,tsan,thread)
	@echo; $(RUN) --summary

# The fuzzers with clang's libFuzzer.
.PHONY: libfuzzer libfuzzer-if libfuzzer-clang libfuzzer-run
libfuzzer: libfuzzer-clang $(VPX_LIBFUZZER)
	@echo 'MAKE libfuzzer'
	+@$(call cudame_make,$(B)/libfuzzer/cudame,$(LIBFUZZER_SANITIZE)) CXX='$(CLANGXX)' CXXFLAGS='$(LIBFUZZER_CFLAGS) $(LIBFUZZER_HWY)' NVCC= CUDA_CLANG=
	@tools/sync-tree cudame/include/cudame $(B)/libfuzzer/prefix/include/cudame
	@cmp -s $(B)/libfuzzer/cudame/libcudame.a $(B)/libfuzzer/prefix/lib/libcudame.a || cp $(B)/libfuzzer/cudame/libcudame.a $(B)/libfuzzer/prefix/lib/
	+@$(MAKE) -s -C tests/fuzz BUILD=$(B)/libfuzzer PREFIX=$(B)/libfuzzer/prefix CC='$(CLANG)' CXX='$(CLANGXX)' CFLAGS='$(LIBFUZZER_CFLAGS)' CXXFLAGS='$(LIBFUZZER_CFLAGS)' LDFLAGS=-fsanitize=fuzzer libfuzzer

libfuzzer-clang:
	@tests/fuzz/has-libfuzzer '$(CLANGXX)' || { echo 'make libfuzzer needs clang with libFuzzer (Debian: clang, libclang-rt-dev), or CLANG= and CLANGXX= of one' >&2; exit 1; }

# Makes libfuzzer, if clang has it. It waits for the patched source: two makes must not write it at
# the same time.
libfuzzer-if: | $(STAMP)/$(VPX).src
	+@! tests/fuzz/has-libfuzzer '$(CLANGXX)' || $(MAKE) libfuzzer

# A folder to run libFuzzer on machines without clang: programs, their libraries, corpora, run.sh.
KIT := $(B)/fuzz-kit
.PHONY: libfuzzer-kit
libfuzzer-kit: libfuzzer
	@rm -rf $(KIT)
	@mkdir -p $(KIT)/lib
	@for p in vp8 cudame; do strip -o $(KIT)/$$p-libfuzzer $(B)/libfuzzer/$$p-libfuzzer; done
	@ldd $(KIT)/*-libfuzzer | awk '/\/(libhwy|libstdc|libgcc)/ { print $$3 }' | sort -u | xargs -I{} cp -L {} $(KIT)/lib/
	@cp -R tests/fuzz/corpus tests/fuzz/run-libfuzzer $(KIT)/
	@cp tests/fuzz/run-kit $(KIT)/run.sh

libfuzzer-run: libfuzzer
	@tests/fuzz/run-libfuzzer $(B)/libfuzzer $(B)/libfuzzer/corpus $(JOBS) $(SECONDS) $(RUNS)

.PHONY: refresh-fate
refresh-fate: ffmpeg
	@$(RUN) --begin
	@# While references are written, FATE reports those that change as failed.
	@GEN=1 $(RUN) fate >/dev/null || true
	@mkdir -p tests/ref/fate
	@cp $(B)/src/$(FF)/tests/ref/fate/vp8-cudame-* tests/ref/fate/
	@$(RUN) --begin
	@$(RUN) fate

# The unit and stream tests on the CUDA backend, and its comparison with the CPU backend. They fail
# if there is no CUDA backend or no GPU.
CHECK_GPU := unit-gpu stream-gpu soak-gpu sanitize-gpu
check-gpu: cudame-tests ffmpeg vp8-soak view
	@[ -n '$(NVCC)$(CUDA_CLANG)' ] || { echo 'make check-gpu: this build has no CUDA backend: install the CUDA toolkit, or clang, and configure again.' >&2; exit 1; }
	@$(RUN) --begin $(CHECK_GPU)
	@$(RUN) $(CHECK_GPU) || true
	@echo; $(RUN) --summary

# ---- bench -------------------------------------------------------------------

.PHONY: bench demo clean distclean
bench: cudame
	+@$(CUDAME_MAKE) bench
	@$(B)/cudame/cudame-bench

# ---- evaluate --------------------------------------------------------------

PYTHON ?= python3
EVALUATE_FLAGS ?=
EVALUATE = FFMPEG=$(BIN)/ffmpeg FFMPEG_STOCK=$(BIN)/ffmpeg-stock COMMAND='make $@$(if $(EVALUATE_CLIPS), CLIPS=...)' $(PYTHON) tools/evaluate/evaluate.py --work $(B)/evaluate/clips
# Only clips that CLIPS= names on the command line or in the environment, not those of the tests.
EVALUATE_CLIPS = $(if $(filter-out file undefined,$(origin CLIPS)),--clips $(CLIPS))

.PHONY: evaluate evaluate-short pages
evaluate: ffmpeg-stock
	@$(EVALUATE) $(EVALUATE_CLIPS) $(EVALUATE_FLAGS)
	@$(MAKE) pages
evaluate-short: ffmpeg-stock
	@$(EVALUATE) --plan short --out $(B)/evaluate/short $(EVALUATE_CLIPS) $(EVALUATE_FLAGS)
	@$(PYTHON) tools/evaluate/pages.py --tables $(B)/evaluate/short --to $(B)/evaluate/short
pages:
	@$(PYTHON) tools/evaluate/pages.py

# ---- demo, clean -----------------------------------------------------------

demo:
	@tools/install-deps build
	@# The minimal build can read only the demo's own clip.
	+@if [ $(MINIMAL) = yes ] && [ -n '$(IN)' ]; then \
	    echo 'The build was configured with --minimal: configuring the default one.'; \
	    tools/install-deps media && ./configure; \
	fi
	+@$(MAKE) run-demo

.PHONY: run-demo
run-demo: ffmpeg-stock
	@FFMPEG=$(BIN)/ffmpeg FFPROBE=$(BIN)/ffprobe FFMPEG_STOCK=$(BIN)/ffmpeg-stock DEMO_DIR=$(B)/demo tools/demo

clean:
	rm -rf $(B)/src $(B)/obj $(B)/stage $(B)/stamp $(B)/prefix $(B)/stock $(B)/vp8provider $(B)/libvpx-so $(B)/libvpx-so-stock $(B)/libvpx-so-tests $(B)/libvpx-debian $(B)/gstreamer $(B)/bin $(B)/bin-* $(B)/lib $(B)/shared $(B)/cudame $(B)/clang $(B)/density $(B)/guide $(B)/provider $(B)/fuzz $(B)/libvpx-tests $(B)/soak $(B)/view $(B)/fake_cores.so $(B)/embed $(B)/evaluate $(B)/clients $(B)/asan $(B)/tsan $(B)/libfuzzer $(B)/fuzz-kit $(B)/arm64 $(B)/packages $(B)/dist $(B)/log

endif

.PHONY: dist
DIST_FLAGS ?=
dist:
	@tools/package/dist --state=$(B)/apt $(if $(VP8_CUDAME_DL),,--dl=$(B)/dl) $(DIST_FLAGS) $(B)/dist

distclean:
	rm -rf $(B) config.mak
