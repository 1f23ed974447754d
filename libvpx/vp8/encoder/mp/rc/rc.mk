# Copyright (c) 2026 The vp8_cudame authors
#
# SPDX-License-Identifier: BSD-3-Clause
#
# Rate control.

VP8_CX_SRCS-yes += encoder/mp/rc/rc.mk
VP8_CX_SRCS-yes += encoder/mp/rc/balance.c
VP8_CX_SRCS-yes += encoder/mp/rc/balance.h
VP8_CX_SRCS-yes += encoder/mp/rc/clip.c
VP8_CX_SRCS-yes += encoder/mp/rc/clip.h
VP8_CX_SRCS-yes += encoder/mp/rc/expected.c
VP8_CX_SRCS-yes += encoder/mp/rc/expected.h
VP8_CX_SRCS-yes += encoder/mp/rc/golden.c
VP8_CX_SRCS-yes += encoder/mp/rc/golden.h
VP8_CX_SRCS-yes += encoder/mp/rc/layers.c
VP8_CX_SRCS-yes += encoder/mp/rc/layers.h
VP8_CX_SRCS-yes += encoder/mp/rc/lookahead_bits.c
VP8_CX_SRCS-yes += encoder/mp/rc/lookahead_bits.h
VP8_CX_SRCS-yes += encoder/mp/rc/lookahead_rc.c
VP8_CX_SRCS-yes += encoder/mp/rc/lookahead_rc.h
VP8_CX_SRCS-yes += encoder/mp/rc/lookahead_state.h
VP8_CX_SRCS-yes += encoder/mp/rc/lookahead_stats.c
VP8_CX_SRCS-yes += encoder/mp/rc/lookahead_stats.h
VP8_CX_SRCS-yes += encoder/mp/rc/memory.c
VP8_CX_SRCS-yes += encoder/mp/rc/memory.h
VP8_CX_SRCS-yes += encoder/mp/rc/model.c
VP8_CX_SRCS-yes += encoder/mp/rc/model.h
VP8_CX_SRCS-yes += encoder/mp/rc/reached.c
VP8_CX_SRCS-yes += encoder/mp/rc/reached.h
VP8_CX_SRCS-yes += encoder/mp/rc/scene.c
VP8_CX_SRCS-yes += encoder/mp/rc/scene.h
VP8_CX_SRCS-yes += encoder/mp/rc/segments.c
VP8_CX_SRCS-yes += encoder/mp/rc/segments.h
VP8_CX_SRCS-yes += encoder/mp/rc/target.c
VP8_CX_SRCS-yes += encoder/mp/rc/target.h
VP8_CX_SRCS-yes += encoder/mp/rc/two_passes.c
VP8_CX_SRCS-yes += encoder/mp/rc/two_passes.h
