# Copyright (c) 2026 The vp8_cudame authors
#
# SPDX-License-Identifier: BSD-3-Clause
#
# Residual, modes, tokens and loop filter, as libvpx has them, in less time.

VP8_CX_SRCS-yes += encoder/mp/recon/recon.mk
VP8_CX_SRCS-yes += encoder/mp/recon/append.c
VP8_CX_SRCS-yes += encoder/mp/recon/append.h
VP8_CX_SRCS-yes += encoder/mp/recon/bools.c
VP8_CX_SRCS-yes += encoder/mp/recon/bools.h
VP8_CX_SRCS-yes += encoder/mp/recon/code.c
VP8_CX_SRCS-yes += encoder/mp/recon/code.h
VP8_CX_SRCS-yes += encoder/mp/recon/drop.c
VP8_CX_SRCS-yes += encoder/mp/recon/drop.h
VP8_CX_SRCS-yes += encoder/mp/recon/flat.c
VP8_CX_SRCS-yes += encoder/mp/recon/flat.h
VP8_CX_SRCS-yes += encoder/mp/recon/loop_filter.c
VP8_CX_SRCS-yes += encoder/mp/recon/loop_filter.h
VP8_CX_SRCS-yes += encoder/mp/recon/mb_memory.c
VP8_CX_SRCS-yes += encoder/mp/recon/mb_memory.h
VP8_CX_SRCS-yes += encoder/mp/recon/modes.c
VP8_CX_SRCS-yes += encoder/mp/recon/modes.h
VP8_CX_SRCS-yes += encoder/mp/recon/pixels.c
VP8_CX_SRCS-yes += encoder/mp/recon/pixels.h
VP8_CX_SRCS-yes += encoder/mp/recon/portable.h
VP8_CX_SRCS-yes += encoder/mp/recon/predict_split.c
VP8_CX_SRCS-yes += encoder/mp/recon/predict_split.h
VP8_CX_SRCS-yes += encoder/mp/recon/provided.c
VP8_CX_SRCS-yes += encoder/mp/recon/provided.h
VP8_CX_SRCS-yes += encoder/mp/recon/provided_modes.c
VP8_CX_SRCS-yes += encoder/mp/recon/provided_modes.h
VP8_CX_SRCS-yes += encoder/mp/recon/rebuild.c
VP8_CX_SRCS-yes += encoder/mp/recon/rebuild.h
VP8_CX_SRCS-yes += encoder/mp/recon/residual.c
VP8_CX_SRCS-yes += encoder/mp/recon/residual.h
VP8_CX_SRCS-yes += encoder/mp/recon/rtcd.pl
VP8_CX_SRCS-yes += encoder/mp/recon/sixtap.c
VP8_CX_SRCS-yes += encoder/mp/recon/sixtap.h
VP8_CX_SRCS-yes += encoder/mp/recon/token_rate.c
VP8_CX_SRCS-yes += encoder/mp/recon/token_rate.h
VP8_CX_SRCS-yes += encoder/mp/recon/tokens.c
VP8_CX_SRCS-yes += encoder/mp/recon/tokens.h
VP8_CX_SRCS-yes += encoder/mp/recon/trellis.c
VP8_CX_SRCS-yes += encoder/mp/recon/trellis.h
VP8_CX_SRCS-$(HAVE_AVX2) += encoder/mp/recon/x86/filter_mb_avx2.c
VP8_CX_SRCS-$(HAVE_AVX2) += encoder/mp/recon/x86/quantize_avx2.c
VP8_CX_SRCS-$(HAVE_AVX2) += encoder/mp/recon/x86/residual_avx2.c
VP8_CX_SRCS-$(HAVE_AVX2) += encoder/mp/recon/x86/sixtap_avx2.c
VP8_CX_SRCS-$(HAVE_SSE2) += encoder/mp/recon/x86/trellis_sse2.c

# vp8_rtcd.h is generated from rtcd.pl too.
$(BUILD_PFX)vp8_rtcd.h: $(SRC_PATH_BARE)/$(VP8_PREFIX)encoder/mp/recon/rtcd.pl
