# Copyright (c) 2026 The vp8_cudame authors
#
# SPDX-License-Identifier: BSD-3-Clause
#
# Files that the motion provider adds to libvpx's encoder, by folder.

VP8_CX_SRCS-yes += encoder/mp/mp.mk

# Hooks that libvpx calls, state, and the list of kernels for rtcd.
VP8_CX_SRCS-yes += encoder/mp/counts.c
VP8_CX_SRCS-yes += encoder/mp/counts.h
VP8_CX_SRCS-yes += encoder/mp/hooks.c
VP8_CX_SRCS-yes += encoder/mp/hooks.h
VP8_CX_SRCS-yes += encoder/mp/rtcd.pl
VP8_CX_SRCS-yes += encoder/mp/state.h

# Motion records of the provider.
VP8_CX_SRCS-yes += encoder/mp/provider/records.c
VP8_CX_SRCS-yes += encoder/mp/provider/records.h

# Analysis of the frames in the lookahead queue, and the first pass.
VP8_CX_SRCS-yes += encoder/mp/queue/mbtree.c
VP8_CX_SRCS-yes += encoder/mp/queue/mbtree.h
VP8_CX_SRCS-yes += encoder/mp/queue/motion.c
VP8_CX_SRCS-yes += encoder/mp/queue/motion.h
VP8_CX_SRCS-yes += encoder/mp/queue/pass1.c
VP8_CX_SRCS-yes += encoder/mp/queue/pass1.h
VP8_CX_SRCS-yes += encoder/mp/queue/prefilter.c
VP8_CX_SRCS-yes += encoder/mp/queue/prefilter.h
VP8_CX_SRCS-$(HAVE_AVX2) += encoder/mp/queue/x86/pass1_avx2.c
VP8_CX_SRCS-$(HAVE_AVX2) += encoder/mp/queue/x86/prefilter_avx2.c

# Rate control.
VP8_CX_SRCS-yes += encoder/mp/rc/cbr.c
VP8_CX_SRCS-yes += encoder/mp/rc/cbr.h
VP8_CX_SRCS-yes += encoder/mp/rc/cbr_golden.c
VP8_CX_SRCS-yes += encoder/mp/rc/cbr_golden.h
VP8_CX_SRCS-yes += encoder/mp/rc/lookahead_bits.c
VP8_CX_SRCS-yes += encoder/mp/rc/lookahead_bits.h
VP8_CX_SRCS-yes += encoder/mp/rc/lookahead_rc.c
VP8_CX_SRCS-yes += encoder/mp/rc/lookahead_rc.h
VP8_CX_SRCS-yes += encoder/mp/rc/lookahead_state.h
VP8_CX_SRCS-yes += encoder/mp/rc/lookahead_stats.c
VP8_CX_SRCS-yes += encoder/mp/rc/lookahead_stats.h
VP8_CX_SRCS-yes += encoder/mp/rc/model.c
VP8_CX_SRCS-yes += encoder/mp/rc/model.h
VP8_CX_SRCS-yes += encoder/mp/rc/segments.c
VP8_CX_SRCS-yes += encoder/mp/rc/segments.h
VP8_CX_SRCS-yes += encoder/mp/rc/vbr.c
VP8_CX_SRCS-yes += encoder/mp/rc/vbr.h

# The guided mode decision.
VP8_CX_SRCS-yes += encoder/mp/mode/candidate.c
VP8_CX_SRCS-yes += encoder/mp/mode/candidate.h
VP8_CX_SRCS-yes += encoder/mp/mode/inter.c
VP8_CX_SRCS-yes += encoder/mp/mode/inter.h
VP8_CX_SRCS-yes += encoder/mp/mode/key.c
VP8_CX_SRCS-yes += encoder/mp/mode/learn.c
VP8_CX_SRCS-yes += encoder/mp/mode/learn.h
VP8_CX_SRCS-yes += encoder/mp/mode/level.c
VP8_CX_SRCS-yes += encoder/mp/mode/level.h
VP8_CX_SRCS-yes += encoder/mp/mode/log.c
VP8_CX_SRCS-yes += encoder/mp/mode/log.h
VP8_CX_SRCS-yes += encoder/mp/mode/rank.c
VP8_CX_SRCS-yes += encoder/mp/mode/rank.h
VP8_CX_SRCS-yes += encoder/mp/mode/rd.h
VP8_CX_SRCS-yes += encoder/mp/mode/rd.inc.h
VP8_CX_SRCS-yes += encoder/mp/mode/recall.c
VP8_CX_SRCS-yes += encoder/mp/mode/recall.h
VP8_CX_SRCS-yes += encoder/mp/mode/scene_cut.c
VP8_CX_SRCS-yes += encoder/mp/mode/scene_cut.h
VP8_CX_SRCS-yes += encoder/mp/mode/split.c
VP8_CX_SRCS-yes += encoder/mp/mode/split.h

# Residual, tokens and loop filter.
VP8_CX_SRCS-yes += encoder/mp/recon/code.c
VP8_CX_SRCS-yes += encoder/mp/recon/code.h
VP8_CX_SRCS-yes += encoder/mp/recon/loop_filter.c
VP8_CX_SRCS-yes += encoder/mp/recon/loop_filter.h
VP8_CX_SRCS-yes += encoder/mp/recon/predict_split.c
VP8_CX_SRCS-yes += encoder/mp/recon/predict_split.h
VP8_CX_SRCS-yes += encoder/mp/recon/residual.c
VP8_CX_SRCS-yes += encoder/mp/recon/residual.h
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

# Row threads.
VP8_CX_SRCS-yes += encoder/mp/mt/filter_level.c
VP8_CX_SRCS-yes += encoder/mp/mt/filter_level.h
VP8_CX_SRCS-yes += encoder/mp/mt/filter_rows.c
VP8_CX_SRCS-yes += encoder/mp/mt/filter_rows.h
VP8_CX_SRCS-yes += encoder/mp/mt/jobs.c
VP8_CX_SRCS-yes += encoder/mp/mt/jobs.h
VP8_CX_SRCS-yes += encoder/mp/mt/pack.c
VP8_CX_SRCS-yes += encoder/mp/mt/pack.h
VP8_CX_SRCS-yes += encoder/mp/mt/rows.c
VP8_CX_SRCS-yes += encoder/mp/mt/rows.h
VP8_CX_SRCS-yes += encoder/mp/mt/tail.c
VP8_CX_SRCS-yes += encoder/mp/mt/tail.h

# vp8_rtcd.h is generated from mp/rtcd.pl, too.
$(BUILD_PFX)vp8_rtcd.h: $(SRC_PATH_BARE)/$(VP8_PREFIX)encoder/mp/rtcd.pl
