# Copyright (c) 2026 The vp8_cudame authors
#
# SPDX-License-Identifier: BSD-3-Clause
#
# Analysis of the frames that are known ahead, and the first pass.

VP8_CX_SRCS-yes += encoder/mp/queue/queue.mk
VP8_CX_SRCS-yes += encoder/mp/queue/alt_ref.c
VP8_CX_SRCS-yes += encoder/mp/queue/alt_ref.h
VP8_CX_SRCS-yes += encoder/mp/queue/mbtree.c
VP8_CX_SRCS-yes += encoder/mp/queue/mbtree.h
VP8_CX_SRCS-yes += encoder/mp/queue/motion.c
VP8_CX_SRCS-yes += encoder/mp/queue/motion.h
VP8_CX_SRCS-yes += encoder/mp/queue/pass1.c
VP8_CX_SRCS-yes += encoder/mp/queue/pass1.h
VP8_CX_SRCS-yes += encoder/mp/queue/prefilter.c
VP8_CX_SRCS-yes += encoder/mp/queue/prefilter.h
VP8_CX_SRCS-yes += encoder/mp/queue/rtcd.pl
VP8_CX_SRCS-yes += encoder/mp/queue/stream.c
VP8_CX_SRCS-yes += encoder/mp/queue/stream.h
VP8_CX_SRCS-yes += encoder/mp/queue/still.c
VP8_CX_SRCS-yes += encoder/mp/queue/still.h
VP8_CX_SRCS-$(HAVE_AVX2) += encoder/mp/queue/x86/pass1_avx2.c
VP8_CX_SRCS-$(HAVE_AVX2) += encoder/mp/queue/x86/prefilter_avx2.c
VP8_CX_SRCS-$(HAVE_SSE2) += encoder/mp/queue/x86/stream_sse2.c

# Kernels that are chosen at run time.
$(BUILD_PFX)vp8_rtcd.h: $(SRC_PATH_BARE)/$(VP8_PREFIX)encoder/mp/queue/rtcd.pl
