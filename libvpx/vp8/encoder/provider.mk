# Copyright (c) 2026 The vp8_cudame authors
#
# SPDX-License-Identifier: BSD-3-Clause
#
# What is built for the motion provider, beside libvpx's own files.

# once a frame; vectors
VP8_CX_SRCS-yes += encoder/provider.mk
VP8_CX_SRCS-yes += encoder/provider_hooks.c
VP8_CX_SRCS-yes += encoder/provider_hooks.h
VP8_CX_SRCS-yes += encoder/provider_state.h
VP8_CX_SRCS-yes += encoder/motion_provider.c
VP8_CX_SRCS-yes += encoder/motion_provider.h

# the decision of modes
VP8_CX_SRCS-yes += encoder/guided_candidate.c
VP8_CX_SRCS-yes += encoder/guided_candidate.h
VP8_CX_SRCS-yes += encoder/guided_code.c
VP8_CX_SRCS-yes += encoder/guided_code.h
VP8_CX_SRCS-yes += encoder/guided_key.c
VP8_CX_SRCS-yes += encoder/guided_level.c
VP8_CX_SRCS-yes += encoder/guided_level.h
VP8_CX_SRCS-yes += encoder/guided_log.c
VP8_CX_SRCS-yes += encoder/guided_log.h
VP8_CX_SRCS-yes += encoder/guided_mode.c
VP8_CX_SRCS-yes += encoder/guided_mode.h
VP8_CX_SRCS-yes += encoder/guided_predict.c
VP8_CX_SRCS-yes += encoder/guided_predict.h
VP8_CX_SRCS-yes += encoder/guided_rank.c
VP8_CX_SRCS-yes += encoder/guided_rank.h
VP8_CX_SRCS-yes += encoder/guided_rd.h
VP8_CX_SRCS-yes += encoder/guided_recall.c
VP8_CX_SRCS-yes += encoder/guided_recall.h
VP8_CX_SRCS-yes += encoder/guided_residual.c
VP8_CX_SRCS-yes += encoder/guided_residual.h
VP8_CX_SRCS-yes += encoder/guided_scene.c
VP8_CX_SRCS-yes += encoder/guided_scene.h
VP8_CX_SRCS-yes += encoder/guided_split.c
VP8_CX_SRCS-yes += encoder/guided_split.h
VP8_CX_SRCS-yes += encoder/guided_worth.c
VP8_CX_SRCS-yes += encoder/guided_worth.h
VP8_CX_SRCS-yes += encoder/rdopt_guided.h

# what is told of a frame
VP8_CX_SRCS-yes += encoder/frame_counts.c
VP8_CX_SRCS-yes += encoder/frame_counts.h

# threads
VP8_CX_SRCS-yes += encoder/mt_filter.c
VP8_CX_SRCS-yes += encoder/mt_filter.h
VP8_CX_SRCS-yes += encoder/mt_jobs.c
VP8_CX_SRCS-yes += encoder/mt_jobs.h
VP8_CX_SRCS-yes += encoder/mt_pack.c
VP8_CX_SRCS-yes += encoder/mt_pack.h
VP8_CX_SRCS-yes += encoder/mt_rows.c
VP8_CX_SRCS-yes += encoder/mt_rows.h
VP8_CX_SRCS-yes += encoder/mt_tail.c
VP8_CX_SRCS-yes += encoder/mt_tail.h

# the first pass, the level of the loop filter, rate control
VP8_CX_SRCS-yes += encoder/cbr_refresh.c
VP8_CX_SRCS-yes += encoder/cbr_refresh.h
VP8_CX_SRCS-yes += encoder/cbr_target.c
VP8_CX_SRCS-yes += encoder/cbr_target.h
VP8_CX_SRCS-yes += encoder/filter_level.c
VP8_CX_SRCS-yes += encoder/filter_level.h
VP8_CX_SRCS-yes += encoder/filtered_source.c
VP8_CX_SRCS-yes += encoder/filtered_source.h
VP8_CX_SRCS-yes += encoder/first_pass.c
VP8_CX_SRCS-yes += encoder/first_pass.h
VP8_CX_SRCS-yes += encoder/importance.c
VP8_CX_SRCS-yes += encoder/importance.h
VP8_CX_SRCS-yes += encoder/lookahead_pass.c
VP8_CX_SRCS-yes += encoder/lookahead_pass.h
VP8_CX_SRCS-yes += encoder/segments.c
VP8_CX_SRCS-yes += encoder/segments.h
VP8_CX_SRCS-yes += encoder/queue_motion.c
VP8_CX_SRCS-yes += encoder/queue_motion.h
VP8_CX_SRCS-yes += encoder/target_bits.c
VP8_CX_SRCS-yes += encoder/target_bits.h
VP8_CX_SRCS-yes += encoder/vbr_target.c
VP8_CX_SRCS-yes += encoder/vbr_target.h

# kernels
VP8_CX_SRCS-yes += encoder/fast_filter.c
VP8_CX_SRCS-yes += encoder/fast_filter.h
VP8_CX_SRCS-yes += encoder/fast_tokens.c
VP8_CX_SRCS-yes += encoder/fast_tokens.h
VP8_CX_SRCS-yes += encoder/provider_kernels.c
VP8_CX_SRCS-yes += encoder/provider_kernels.h
VP8_CX_SRCS-yes += encoder/provider_rtcd.pl
VP8_CX_SRCS-yes += encoder/token_rate.c
VP8_CX_SRCS-yes += encoder/token_rate.h
VP8_CX_SRCS-yes += encoder/trellis.c
VP8_CX_SRCS-yes += encoder/trellis.h
VP8_CX_SRCS-$(HAVE_AVX2) += encoder/x86/filter_mb_avx2.c
VP8_CX_SRCS-$(HAVE_AVX2) += encoder/x86/filtered_source_avx2.c
VP8_CX_SRCS-$(HAVE_AVX2) += encoder/x86/first_pass_avx2.c
VP8_CX_SRCS-$(HAVE_AVX2) += encoder/x86/quantize_avx2.c
VP8_CX_SRCS-$(HAVE_AVX2) += encoder/x86/residual_avx2.c
VP8_CX_SRCS-$(HAVE_AVX2) += encoder/x86/sixtap_avx2.c

# Kernels are declared there and in libvpx's own list.
$(BUILD_PFX)vp8_rtcd.h: $(SRC_PATH_BARE)/$(VP8_PREFIX)encoder/provider_rtcd.pl
