# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# libvpx (patched, and stock for comparison) -> cudame -> FFmpeg (patched).
# Run "make help" for the targets.

JOBS ?= $(shell nproc)
comma := ,
MAKEFLAGS += --no-print-directory
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(JOBS)
endif
.DEFAULT_GOAL := all
# Variables of our command line (PREFIX, IN, ...) mean other things to the makes below.
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
# Where the finished programs go; another FFmpeg version has its own (check-ffmpeg).
BIN ?= $(B)/bin
# A second build of the same FFmpeg: shared (check-shared).
VARIANT :=
ifeq ($(VARIANT),shared)
SHARED := yes
FFMPEG_FLAGS := $(FFMPEG_MINIMAL_FLAGS) --enable-shared --disable-static
BIN := $(B)/shared/bin
endif

help:
	@echo 'make               build libvpx, libcudame and FFmpeg: $(BUILD)/bin/ffmpeg, ffprobe'
	@echo 'make install       install FFmpeg with the encoder, its libraries and headers [PREFIX=$(PREFIX)]'
	@echo 'make uninstall     remove what make install put there [PREFIX=$(PREFIX)]'
	@echo 'make demo          install what is missing, build, transcode IN= (or a clip from Debian) to OUT=demo.webm,'
	@echo '                   and compare with libvpx at the same bitrate'
	@echo 'make check         all tests below that need no GPU, the last line is the count'
	@echo '  check-unit       unit tests of the cudame library; its kernels by clang, if there is one'
	@echo '  check-arm64      unit tests of the CPU backend on arm64, by a cross compiler and qemu, if there are'
	@echo '  check-fate       FATE tests of the encoder'
	@echo '  check-stream     tests/stream/*.sh: streams, options, threads, against stock libvpx'
	@echo '  check-fuzz       random scenarios of the patched libvpx, some seconds of them'
	@echo '  check-libfuzzer  scenarios and calls of cudame by libFuzzer, if clang has it: the corpora, and some more'
	@echo '  check-libvpx     libvpx'\''s own tests, with stock libvpx, without and with a provider [LIBVPX_TESTS=all]'
	@echo '  check-parity     tools/parity: the same commands with stock libvpx, the quick rows'
	@echo '  check-soak       memory stays as it is: long streams, encoders opened and closed; briefly'
	@echo '  check-embed      an installed tree, programs that use its libraries, and make uninstall'
	@echo '  check-shared     the same with shared libraries'
	@echo '  check-clients    PyAV and mpv, built from source against shared libraries'
	@echo '  check-playback   WebM in a headless Chromium, and RTP to another process'
	@echo '  check-scale      tools/chunks: a file in chunks by GNU parallel; check-slurm: by a Slurm job array'
	@echo '  check-density    tools/density: live streams, briefly'
	@echo '  check-papers     tools/papers: small pictures on the CPU'
	@echo '  check-patches    the patches apply to every supported FFmpeg and libvpx; prefixes of the series work'
	@echo '  check-pages      pages show what doc/results/*.tsv say; tools/evaluate makes such tables'
	@echo '  check-ffmpeg     FATE and stream tests with another FFmpeg [OTHER_FFMPEG=7.1]'
	@echo 'make evaluate      measures all that pages say of quality, time and latency, again [CLIPS= EVALUATE_FLAGS=--help]'
	@echo 'make evaluate-short  the same in ten minutes, without a GPU, on clips of Debian packages; a page in $(BUILD)/evaluate'
	@echo 'make pages         the tables and plots of pages, from doc/results/*.tsv'
	@echo 'make fuzz          random scenarios for SECONDS=$(SECONDS) [SEEDS=FROM-TO FUZZ_FLAGS=--help]'
	@echo 'make libfuzzer     build them by clang; libfuzzer-run: JOBS processes of each for SECONDS [RUNS=N]; libfuzzer-kit: to run elsewhere'
	@echo 'make view          what tools/view/view.py needs to draw the modes and vectors of a stream'
	@echo 'make soak          the tests of memory with SOAK_FRAMES=$(SOAK_FRAMES) frames and SOAK_CYCLES=$(SOAK_CYCLES) encoders'
	@echo 'make check-sanitize  unit, provider and FATE tests, and scenarios of the fuzzer, under ASan, UBSan and TSan'
	@echo 'make check-gpu     unit and stream tests on the CUDA backend, compared with the CPU, and compute-sanitizer'
	@echo 'make refresh-fate  write tests/ref/fate anew after an intended change of the streams'
	@echo 'make density       what tools/density/density.py needs to count the live streams that a machine carries'
	@echo 'make bench         benchmarks of the cudame library'
	@echo 'make ffmpeg-guide ffmpeg-repaired  encoders for tools/guide and tools/rd/frontier'
	@echo 'make clean         remove what was built; distclean: the configuration and downloads too'

ifeq ($(wildcard config.mak),)

# Not configured yet: these do everything themselves.
check evaluate evaluate-short: CONFIGURE_FLAGS ?= --minimal
check demo evaluate evaluate-short:
	tools/install-deps build test $(if $(filter demo,$@),media) $(if $(filter evaluate%,$@),plots)
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
# Folders too: a file that goes away changes its folder's time.
VPX_OVERLAY := $(shell find libvpx ! -name '.*')
VPX_FLAGS := --enable-pic --enable-static --disable-shared --disable-examples --disable-tools \
    --disable-docs --disable-unit-tests --disable-install-bins --disable-install-srcs \
    $(if $(filter yes,$(MINIMAL)),--disable-vp9)

$(STAMP) $(B)/src:
	@mkdir -p $@

.PHONY: FORCE
FORCE:

# Writes $(1) to the target if that holds something else.
note_flags = @$(file >$@.new,$(1))if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

# $(1): name, $(2): install prefix, $(3): name of the source, $(4): flags of the compiler, $(5): of the
# linker, $(6): other compilers, $(7): more options
define build_libvpx
$(STAMP)/$(1).flags: FORCE | $(STAMP)
	$$(call note_flags,$(CC) $(CXX) $(2) $(VPX_FLAGS) $(4) $(BASE_LDFLAGS)$(5)$(6)$(7))

# From nothing: libvpx does not renew what it generated under other flags.
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
	+@tools/quietly $(B)/log/make-$(1).log $$(MAKE) -C $(B)/obj/$(1)
	@rm -rf $(B)/stage/$(1)
	@$$(MAKE) -s -j1 -C $(B)/obj/$(1) DESTDIR=$(B)/stage/$(1) install >>$(B)/log/make-$(1).log 2>&1
	@tools/sync-tree $(B)/stage/$(1)$(2) $(2)
endef

VPX := libvpx-$(LIBVPX_VERSION)-patched
VPX_STOCK := libvpx-$(LIBVPX_VERSION)
STOCK := $(B)/stock
# For tools/guide and tools/rd/frontier alone. The former has tools/guide/overlay too.
VPX_GUIDE := $(VPX_STOCK)-guide
VPX_REPAIRED := $(VPX_STOCK)-repaired
# For libfuzzer.
VPX_LIBFUZZER := $(VPX_STOCK)-libfuzzer
CLANG ?= clang
CLANGXX ?= clang++
# Not the fuzzer's main(), which only the programs have.
LIBFUZZER_SANITIZE := fuzzer-no-link$(comma)address$(comma)undefined
# There are no magic numbers to find, and to watch comparisons takes three quarters of the time.
LIBFUZZER_CFLAGS := -O2 -g1 -fsanitize=$(LIBFUZZER_SANITIZE) -fno-sanitize-coverage=trace-cmp -fno-sanitize-recover=undefined \
    -fno-omit-frame-pointer
# A sanitizer compiles each of Highway's targets for long; the unit tests compare them all.
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

$(STAMP)/$(VPX_REPAIRED).src: config.mak tools/prepare-source $(wildcard tools/rd/repair/*) | $(STAMP) $(B)/src
	@echo 'SOURCE $(VPX_REPAIRED)'
	@tools/prepare-source --patches=tools/rd/repair $(LIBVPX_ORIGIN) $(B)/src/$(VPX_REPAIRED)
	@touch $@

$(eval $(call build_libvpx,$(VPX),$(B)/prefix,$(VPX),$(BASE_CFLAGS)))
$(eval $(call build_libvpx,$(VPX_STOCK),$(STOCK),$(VPX_STOCK),$(BASE_CFLAGS)))
$(eval $(call build_libvpx,$(VPX_GUIDE),$(B)/guide,$(VPX_GUIDE),$(BASE_CFLAGS) -DVP8_MP_MODE_LOG=1))
$(eval $(call build_libvpx,$(VPX_REPAIRED),$(B)/repaired,$(VPX_REPAIRED),$(BASE_CFLAGS)))
# With assertions; optimized as the flags say.
$(B)/obj/$(VPX_LIBFUZZER)/config.mk: tests/fuzz/libvpx.ignore
$(eval $(call build_libvpx,$(VPX_LIBFUZZER),$(B)/libfuzzer/prefix,$(VPX),$(LIBFUZZER_VPX_CFLAGS), -fsanitize=$(LIBFUZZER_SANITIZE), CC='$(CLANG)' CXX='$(CLANGXX)' LD='$(CLANG)', --disable-vp9 --enable-debug --disable-optimizations))

# For tools/view, with what libvpx has no public header for.
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

# $(1): build folder, $(2): sanitizers
cudame_make = $(MAKE) -s -C cudame BUILD=$(1) PREFIX=$(B)/prefix CXX='$(CXX)' CXXFLAGS='$(CUDAME_CFLAGS)' SANITIZE=$(2) NVCC='$(NVCC)' CUDA_CLANG='$(CUDA_CLANG)' CUDA_ARCHS='$(CUDA_ARCHS)'
# clang's own CUDA route is not there yet.
NVCC := $(if $(filter nvcc,$(CUDA_COMPILER)),$(CUDA_COMPILER_PATH))
CUDA_CLANG := $(if $(filter clang,$(CUDA_COMPILER)),$(CUDA_COMPILER_PATH))
CUDAME_CFLAGS := $(filter-out -fsanitize=%,$(BASE_CFLAGS))
CUDAME_MAKE = $(call cudame_make,$(B)/cudame,$(SANITIZE))

.PHONY: cudame
cudame: $(STAMP)/nvcodec
	@echo 'MAKE cudame'
	+@$(CUDAME_MAKE) DESTDIR=$(B)/stage/cudame install
	@tools/sync-tree $(B)/stage/cudame$(B)/prefix $(B)/prefix

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

# The patches touch these; they keep their times while the patches do.
$(B)/src/$(FF)/configure $(B)/src/$(FF)/libavcodec/allcodecs.c: $(STAMP)/$(FF).src ;

FF_CONFIGURE = --prefix=$(INSTALL_PREFIX) --cc='$(CC)' --cxx='$(CXX)' --pkg-config-flags=--static \
    --extra-version=vp8_cudame-$(VERSION) --enable-libvpx --enable-ffnvcodec --enable-libcudame \
    $(FF_DEBUG) $(FFMPEG_FLAGS)

$(STAMP)/$(FF_BUILD).flags: FORCE | $(STAMP)
	$(call note_flags,$(FF_CONFIGURE))

# From nothing under other flags: FFmpeg's assembler objects do not notice them.
$(FF_OBJ)/ffbuild/config.mak: $(STAMP)/$(FF_BUILD).flags $(STAMP)/nvcodec $(B)/src/$(FF)/configure $(B)/src/$(FF)/libavcodec/allcodecs.c $(if $(filter yes,$(SHARED)),$(FF_SHARED)) | $(VPX) cudame
	@echo 'CONFIGURE $(FF_BUILD)'
	@if [ $(STAMP)/$(FF_BUILD).flags -nt $@ ]; then rm -rf $(FF_OBJ); fi
	@mkdir -p $(FF_OBJ) $(B)/log
	@cd $(FF_OBJ) && PKG_CONFIG_PATH=$(PREFIX_PC)$${PKG_CONFIG_PATH:+:$$PKG_CONFIG_PATH} \
	    $(B)/src/$(FF)/configure $(FF_CONFIGURE) >$(B)/log/configure-$(FF_BUILD).log 2>&1 || \
	    { tail -n 20 $(B)/log/configure-$(FF_BUILD).log; tail -n 20 ffbuild/config.log; exit 1; }
	$(if $(filter yes,$(SHARED)),@cat $(FF_SHARED) >>$@)
	@touch $@

# make knows nothing of the libraries behind -lvpx and -lcudame: unlink what is older than they are.
.PHONY: relink ffmpeg ffmpeg-stock
relink: $(VPX) $(VPX_STOCK) cudame
	@for program in $(FF_LINKED); do \
	    for library in $(B)/prefix/lib/libvpx.a $(B)/prefix/lib/libcudame.a $(STOCK)/lib/libvpx.a; do \
	        if [ $$library -nt $$program ]; then rm -f $$program; fi; \
	    done; \
	done

ffmpeg: $(FF_OBJ)/ffbuild/config.mak $(STAMP)/$(FF).src relink
	@echo 'MAKE $(FF_BUILD)'
	+@tools/quietly $(B)/log/make-$(FF_BUILD).log $(MAKE) -C $(FF_OBJ) all
	@mkdir -p $(BIN)
	@for p in ffmpeg ffprobe; do cmp -s $(FF_OBJ)/$$p $(BIN)/$$p || cp $(FF_OBJ)/$$p $(BIN)/$$p; done
	$(copy_libraries)

# Shared libraries lie beside the folder of the programs, where those look for them.
copy_libraries = $(if $(filter yes,$(SHARED)),@mkdir -p $(BIN)/../lib && for l in $(FF_OBJ)/lib*/lib*.so.*; do \
    cmp -s $$l $(BIN)/../lib/$$(basename $$l) || cp --remove-destination $$l $(BIN)/../lib/; done)
# $(1): suffix, $(2): folder of a libvpx. Links ffmpeg$(1) of the same objects with that libvpx, which is
# first in the linker's search path; shared libraries are linked once more, and have the suffix too.
link_with = $(MAKE) -C $(FF_OBJ) PROGSSUF=$(1) $(if $(filter yes,$(SHARED)),BUILDSUF=$(1) FIRST=-L$(2)/lib, \
    LDFLAGS-ffmpeg=-L$(2)/lib) ffmpeg$(1)

ffmpeg-stock: ffmpeg
	@echo 'MAKE $(FF_BUILD) with stock libvpx'
	+@tools/quietly $(B)/log/make-$(FF_BUILD)-stock.log $(call link_with,-stock,$(STOCK))
	@cmp -s $(FF_OBJ)/ffmpeg-stock $(BIN)/ffmpeg-stock || cp $(FF_OBJ)/ffmpeg-stock $(BIN)/ffmpeg-stock
	$(copy_libraries)

# The same for what only tools/ use; linked anew, since make knows nothing of -lvpx.
.PHONY: ffmpeg-guide ffmpeg-repaired
ffmpeg-guide: $(VPX_GUIDE)
ffmpeg-repaired: $(VPX_REPAIRED)
ffmpeg-guide ffmpeg-repaired: ffmpeg-%: ffmpeg
	@echo 'MAKE $(FF_BUILD) with $* libvpx'
	@rm -f $(FF_OBJ)/$@_g $(FF_OBJ)/libavcodec/lib*-$*.so.*
	+@tools/quietly $(B)/log/make-$(FF_BUILD)-$*.log $(call link_with,-$*,$(B)/$*)
	@cp $(FF_OBJ)/$@ $(BIN)/$@
	$(copy_libraries)

.PHONY: all install uninstall
all: ffmpeg

# ---- install ---------------------------------------------------------------

# Before anything is built.
ifneq ($(filter install uninstall,$(MAKECMDGOALS)),)
ifneq ($(shell tools/install-tree --check '$(subst ','\'',$(PREFIX))' || echo bad),)
$(error nothing was done)
endif
# As root in another's build folder: installs what is there, and leaves nothing behind that is root's.
ONLY_INSTALL := $(and $(filter 0,$(shell id -u)),$(filter-out 0,$(shell stat -c %u $(B) 2>/dev/null)))
endif

# FFmpeg writes the prefix it was configured with, and our build folder, into its .pc files. The
# patched libvpx is nobody else's: without headers or vpx.pc, by a name that -lvpx does not find, and
# with names that no other libvpx has.
PRIVATE := vp8_cudame
PC_SED := s,^libdir=.*,libdir=$${prefix}/lib,; s,^includedir=.*,includedir=$${prefix}/include,; \
    s,^prefix=.*,prefix=$(PREFIX),; \
    s,-L$(B)/prefix/lib -lvpx,-L$${libdir}/$(PRIVATE) -lvpx-$(PRIVATE),g; s, -L$(B)/prefix/lib,,g

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
	        tools/rename-symbols $(PRIVATE)_ $$tree/lib/{$(PRIVATE)/libvpx-$(PRIVATE),libavcodec}.a; \
	    else \
	        sed -i 's,^Libs.private:.*,Libs.private:,' $$tree/lib/pkgconfig/*.pc; \
	    fi && \
	    cp $(B)/prefix/lib/libcudame.a $$tree/lib/ && \
	    cp -R $(B)/prefix/include/cudame $$tree/include/ && \
	    cp $(PREFIX_PC)/cudame.pc $$tree/lib/pkgconfig/ && \
	    sed -i '$(PC_SED)' $$tree/lib/pkgconfig/*.pc && \
	    doc=$$tree/share/doc/$(PRIVATE) && mkdir -p $$doc/libvpx $$doc/ffmpeg && \
	    cp LICENSE.md COPYING.* CHANGELOG.md $$doc/ && \
	    cp $(B)/src/$(VPX)/{LICENSE,PATENTS,AUTHORS} $$doc/libvpx/ && \
	    cp $(B)/src/$(FF)/{LICENSE.md,COPYING.*,CREDITS} $$doc/ffmpeg/ && \
	    chmod -R u=rwX,go=rX $$tree && \
	    DESTDIR='$(DESTDIR)' tools/install-tree $$stage $(PREFIX)

uninstall:
	@DESTDIR='$(DESTDIR)' tools/install-tree --uninstall $(PREFIX)

# ---- tests -----------------------------------------------------------------

# Real clips for the stream tests, if there are any.
CLIPS ?= $(wildcard $(abspath $(TOP)/../shared/clips))
# What "make check" runs beside the tests of the main build: another FFmpeg's (no: none).
OTHER_FFMPEG ?= $(if $(filter 7.1.%,$(FFMPEG_VERSION)),no,7.1)
LOG := $(B)/log
RUN = BUILD_DIR=$(B) VP8_MODES=$(B)/view/vp8-modes LOG_DIR=$(LOG) FFMPEG=$(BIN)/ffmpeg FFPROBE=$(BIN)/ffprobe FFMPEG_STOCK=$(BIN)/ffmpeg-stock \
    FFMPEG_OBJ=$(FF_OBJ) LIBVPX_STOCK=$(VPX_STOCK) VARIANT=$(VARIANT) SHARED=$(SHARED) CLIPS=$(CLIPS) CC='$(CC)' CLANGXX='$(CLANGXX)' BASE_LDFLAGS='$(BASE_LDFLAGS)' tests/run.sh

.PHONY: check check-pages check-unit check-arm64 check-provider check-fuzz check-libfuzzer check-fate check-stream check-libvpx check-parity check-soak check-embed check-shared check-clients check-playback check-scale check-slurm check-density check-papers check-patches check-ffmpeg check-gpu check-sanitize
check: ffmpeg-stock cudame-tests provider-tests vp8-fuzz libfuzzer-if libvpx-tests fake-cores vp8-soak density view
	@$(RUN) --begin
	@$(RUN) patches pages unit clang emulated arm64 provider fuzz libfuzzer fate stream libvpx parity scale density papers soak embed || true
	+@[ '$(SHARED)' = yes ] || $(MAKE) check-shared || true
	+@[ $(OTHER_FFMPEG) = no ] || $(MAKE) check-ffmpeg OTHER_FFMPEG=$(OTHER_FFMPEG) || true
	@echo; $(RUN) --summary

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
check-parity: ffmpeg-stock
	@$(RUN) parity
check-soak: cudame-tests vp8-soak
	@$(RUN) soak
check-embed: ffmpeg $(if $(filter yes,$(SHARED)),ffmpeg-stock)
	@$(RUN) embed
check-shared:
	+@$(MAKE) VARIANT=shared ffmpeg-stock || { echo 'not ok shared (did not build)' | tee -a $(LOG)/results; exit 1; }
	+@$(MAKE) VARIANT=shared run-shared
# Not a part of check: it fetches and builds programs of others, for FFmpeg 7.1, which they know.
CLIENTS_FFMPEG ?= 7.1
check-clients:
	+@missing=$$(tools/install-deps --missing clients) && [ -z "$$missing" ] || \
	    { echo "make check-clients: missing here: $$missing (tools/install-deps clients)" >&2; exit 1; }
	+@tarball=$$(tools/fetch-sources --state=$(B)/apt $(if $(VP8_CUDAME_DL),,--dl=$(B)/dl) ffmpeg $(CLIENTS_FFMPEG)) && \
	    version=$$(basename $$tarball | sed 's/^[^_]*_//; s/\.orig\..*//') && \
	    $(MAKE) VARIANT=shared run-clients FFMPEG_VERSION=$$version FFMPEG_ORIGIN=$$tarball BIN=$(B)/clients/ffmpeg/bin
# Nor is this: it needs a browser.
check-playback: ffmpeg
	@$(RUN) playback
check-papers: ffmpeg-stock
	@$(RUN) papers
check-density: density cudame-tests
	@$(RUN) density
check-scale: ffmpeg
	@$(RUN) scale
# It starts a Slurm.
check-slurm: ffmpeg
	+@missing=$$(tools/install-deps --missing scale) && [ -z "$$missing" ] || \
	    { echo "make check-slurm: missing here: $$missing (tools/install-deps scale)" >&2; exit 1; }
	@$(RUN) slurm
check-patches:
	@$(RUN) patches
check-pages: ffmpeg-stock
	@$(RUN) pages

# The same libvpx and cudame with another FFmpeg. Its minimal set is enough.
check-ffmpeg:
	+@tarball=$$(tools/fetch-sources --state=$(B)/apt $(if $(VP8_CUDAME_DL),,--dl=$(B)/dl) ffmpeg $(OTHER_FFMPEG)) && \
	    version=$$(basename $$tarball | sed 's/^[^_]*_//; s/\.orig\..*//') && \
	    $(MAKE) run-ffmpeg FFMPEG_VERSION=$$version FFMPEG_ORIGIN=$$tarball BIN=$(B)/bin-$$version SHARED=no \
	        FFMPEG_FLAGS='$(FFMPEG_MINIMAL_FLAGS)' || \
	    { echo 'not ok ffmpeg-$(OTHER_FFMPEG) (did not build)' | tee -a $(LOG)/results; exit 1; }

.PHONY: run-ffmpeg run-shared run-clients
run-clients: ffmpeg
	+@$(MAKE) -s VARIANT=$(VARIANT) FFMPEG_VERSION=$(FFMPEG_VERSION) FFMPEG_ORIGIN=$(FFMPEG_ORIGIN) BIN=$(BIN) install PREFIX=$(B)/clients/tree
	@$(RUN) clients
run-shared: ffmpeg-stock
	@$(RUN) --prefix=shared/ embed

# Without what only libvpx and cudame decide, which are the same.
run-ffmpeg: ffmpeg-stock view
	@STREAM_PREFIX=$(FFMPEG_VERSION)- \
	    STREAM_LEAVE='clips determinism devices fault filter-level first-pass ghosts late memory scene-cuts spread start static-threshold two-gpus' $(RUN) --prefix=ffmpeg-$(FFMPEG_VERSION)/ fate stream || true

.PHONY: cudame-tests provider-tests vp8-fuzz libvpx-tests vp8-soak fake-cores fuzz soak
cudame-tests: cudame
	+@$(CUDAME_MAKE) tests
provider-tests: $(VPX) cudame
	+@$(MAKE) -s -C tests/provider BUILD=$(B)/provider PREFIX=$(B)/prefix VPX_SRC=$(B)/src/$(VPX) VPX_OBJ=$(B)/obj/$(VPX) CC='$(CC)' CXX='$(CXX)' SANITIZE=$(SANITIZE) all
vp8-fuzz: $(VPX) cudame
	+@$(MAKE) -s -C tests/fuzz BUILD=$(B)/fuzz PREFIX=$(B)/prefix CC='$(CC)' CXX='$(CXX)' SANITIZE=$(SANITIZE) all
# $(1): stock or patched, $(2): name of the libvpx, $(3): the prefix of libcudame, if it is patched
libvpx_tests = $(MAKE) -s -C tests/libvpx BUILD=$(B)/libvpx-tests/$(1) VPX_SRC=$(B)/src/$(2) VPX_OBJ=$(B)/obj/$(2) PREFIX=$(3) CC='$(CC)' CXX='$(CXX)' SANITIZE=$(SANITIZE) all
libvpx-tests: $(VPX) $(VPX_STOCK) cudame
	@echo 'MAKE libvpx-tests'
	+@$(call libvpx_tests,stock,$(VPX_STOCK))
	+@$(call libvpx_tests,patched,$(VPX),$(B)/prefix) STOCK=$(B)/libvpx-tests/stock STOCK_SRC=$(B)/src/$(VPX_STOCK) STOCK_OBJ=$(B)/obj/$(VPX_STOCK)
vp8-soak: ffmpeg
	+@$(MAKE) -s -C tests/soak BUILD=$(B)/soak FFMPEG_OBJ=$(FF_OBJ) PC_PATH=$(PREFIX_PC) CC='$(CC)' CFLAGS='$(BASE_CFLAGS)' LDFLAGS='$(BASE_LDFLAGS)' all
# For tools/density. The stock libvpx is linked by its name, so shared libraries will not do.
.PHONY: density
density: ffmpeg-stock
	+@[ '$(SHARED)' = yes ] || $(MAKE) -s -C tools/density BUILD=$(B)/density FFMPEG_OBJ=$(FF_OBJ) PREFIX=$(B)/prefix STOCK=$(STOCK) CC='$(CC)' CFLAGS='$(BASE_CFLAGS)' LDFLAGS='$(BASE_LDFLAGS)' all
# For programs that are not ours; a sanitizer's library must come before any other.
fake-cores: $(if $(SANITIZE),,$(B)/fake_cores.so)
$(B)/fake_cores.so: tests/fake_cores.c | $(STAMP)
	@$(CC) -O2 -Wall -Wextra -fPIC -shared -DPRELOADED -o $@ $< -ldl

SECONDS ?= 600
SEEDS ?= 1-
fuzz: vp8-fuzz
	@$(B)/fuzz/vp8-fuzz --seconds $(SECONDS) --seeds $(SEEDS) $(FUZZ_FLAGS)

# To be set in the environment too.
SOAK_FRAMES ?= 10000
SOAK_CYCLES ?= 500
soak: cudame-tests vp8-soak
	@SOAK_FRAMES=$(SOAK_FRAMES) SOAK_CYCLES=$(SOAK_CYCLES) $(RUN) soak

# $(1): folder below the build folder, $(2): sanitizers
define sanitize
	+@$(call cudame_make,$(B)/$(1),$(2)) CXXFLAGS='-O1 -g' tests
	@SANITIZED=$(1) $(RUN) --prefix=$(1)/ unit || true
endef

# Everything once more, in a build folder of its own, as configure --sanitize has it.
# $(1): folder below the build folder, $(2): sanitizers
define sanitize_all
	+@$(MAKE) sanitized BUILD=$(B)/$(1)/all SANITIZED=$(1) SANITIZE=$(2) CUDA_COMPILER= FFMPEG_FLAGS='$(FFMPEG_MINIMAL_FLAGS)' SHARED=no \
	    BASE_CFLAGS='-O1 -g -fno-omit-frame-pointer -fsanitize=$(2)' BASE_LDFLAGS=-fsanitize=$(2) LOG=$(LOG) || \
	    echo 'not ok $(1) (did not build)' | tee -a $(LOG)/results
endef

.PHONY: sanitized
sanitized: ffmpeg provider-tests vp8-fuzz
	@$(RUN) --prefix=$(SANITIZED)/ provider fate fuzz-sanitized || true

check-sanitize:
	@$(RUN) --begin
	$(call sanitize,asan,address$(comma)undefined)
	$(call sanitize,tsan,thread)
	$(call sanitize_all,asan,address$(comma)undefined)
	$(call sanitize_all,tsan,thread)
	@echo; $(RUN) --summary

# The fuzzer with libFuzzer, which clang has.
.PHONY: libfuzzer libfuzzer-if libfuzzer-clang libfuzzer-run
libfuzzer: libfuzzer-clang $(VPX_LIBFUZZER)
	@echo 'MAKE libfuzzer'
	+@$(call cudame_make,$(B)/libfuzzer/cudame,$(LIBFUZZER_SANITIZE)) CXX='$(CLANGXX)' CXXFLAGS='$(LIBFUZZER_CFLAGS) $(LIBFUZZER_HWY)' NVCC= CUDA_CLANG=
	@tools/sync-tree cudame/include/cudame $(B)/libfuzzer/prefix/include/cudame
	@cmp -s $(B)/libfuzzer/cudame/libcudame.a $(B)/libfuzzer/prefix/lib/libcudame.a || cp $(B)/libfuzzer/cudame/libcudame.a $(B)/libfuzzer/prefix/lib/
	+@$(MAKE) -s -C tests/fuzz BUILD=$(B)/libfuzzer PREFIX=$(B)/libfuzzer/prefix CC='$(CLANG)' CXX='$(CLANGXX)' CFLAGS='$(LIBFUZZER_CFLAGS)' CXXFLAGS='$(LIBFUZZER_CFLAGS)' LDFLAGS=-fsanitize=fuzzer libfuzzer

libfuzzer-clang:
	@tests/fuzz/has-libfuzzer '$(CLANGXX)' || { echo 'make libfuzzer needs clang with libFuzzer (Debian: clang, libclang-rt-dev), or CLANG= and CLANGXX= of one' >&2; exit 1; }

# Where clang has it. Not beside the other make's own SOURCE.
libfuzzer-if: | $(STAMP)/$(VPX).src
	+@! tests/fuzz/has-libfuzzer '$(CLANGXX)' || $(MAKE) libfuzzer

# For machines without clang: programs, the libraries beside libc that they need, corpora, run.sh.
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
	@# What changed is reported as failed while it is written.
	@GEN=1 $(RUN) fate >/dev/null || true
	@mkdir -p tests/ref/fate
	@cp $(B)/src/$(FF)/tests/ref/fate/vp8-cudame-* tests/ref/fate/
	@$(RUN) --begin
	@$(RUN) fate

# The shared tests on the CUDA backend and its comparison with the CPU's. Fails,
# not skips, where there is no CUDA backend or no GPU.
check-gpu: cudame-tests ffmpeg vp8-soak view
	@[ -n '$(NVCC)$(CUDA_CLANG)' ] || { echo 'make check-gpu: this build has no CUDA backend: install the CUDA toolkit, or clang, and configure again.' >&2; exit 1; }
	@$(RUN) --begin
	@$(RUN) unit-gpu stream-gpu soak-gpu sanitize-gpu || true
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
# Clips that were asked for; those that the tests find do not count.
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
	@# The minimal build reads the demo's own clip, and no more.
	+@if [ $(MINIMAL) = yes ] && [ -n '$(IN)' ]; then \
	    echo 'The build was configured with --minimal: configuring the default one.'; \
	    tools/install-deps media && ./configure; \
	fi
	+@$(MAKE) run-demo

.PHONY: run-demo
run-demo: ffmpeg-stock
	@FFMPEG=$(BIN)/ffmpeg FFPROBE=$(BIN)/ffprobe FFMPEG_STOCK=$(BIN)/ffmpeg-stock DEMO_DIR=$(B)/demo tools/demo

clean:
	rm -rf $(B)/src $(B)/obj $(B)/stage $(B)/stamp $(B)/prefix $(B)/stock $(B)/bin $(B)/bin-* $(B)/lib $(B)/shared $(B)/cudame $(B)/provider $(B)/fuzz $(B)/libvpx-tests $(B)/soak $(B)/view $(B)/fake_cores.so $(B)/embed $(B)/evaluate $(B)/clients $(B)/asan $(B)/tsan $(B)/libfuzzer $(B)/fuzz-kit $(B)/arm64 $(B)/log

endif

distclean:
	rm -rf $(B) config.mak
