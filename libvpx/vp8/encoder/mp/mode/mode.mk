# Copyright (c) 2026 The vp8_cudame authors
#
# SPDX-License-Identifier: BSD-3-Clause
#
# The guided mode decision.

VP8_CX_SRCS-yes += encoder/mp/mode/mode.mk
VP8_CX_SRCS-yes += encoder/mp/mode/candidate.c
VP8_CX_SRCS-yes += encoder/mp/mode/candidate.h
VP8_CX_SRCS-yes += encoder/mp/mode/denoise.c
VP8_CX_SRCS-yes += encoder/mp/mode/denoise.h
VP8_CX_SRCS-yes += encoder/mp/mode/evaluate.c
VP8_CX_SRCS-yes += encoder/mp/mode/evaluate.h
VP8_CX_SRCS-yes += encoder/mp/mode/inter.c
VP8_CX_SRCS-yes += encoder/mp/mode/inter.h
VP8_CX_SRCS-yes += encoder/mp/mode/key.c
VP8_CX_SRCS-yes += encoder/mp/mode/learn.c
VP8_CX_SRCS-yes += encoder/mp/mode/learn.h
VP8_CX_SRCS-yes += encoder/mp/mode/level.c
VP8_CX_SRCS-yes += encoder/mp/mode/level.h
VP8_CX_SRCS-yes += encoder/mp/mode/rank.c
VP8_CX_SRCS-yes += encoder/mp/mode/rank.h
VP8_CX_SRCS-yes += encoder/mp/mode/rd.h
VP8_CX_SRCS-yes += encoder/mp/mode/rd.inc.h
VP8_CX_SRCS-yes += encoder/mp/mode/rd_intra.inc.h
VP8_CX_SRCS-yes += encoder/mp/mode/recall.c
VP8_CX_SRCS-yes += encoder/mp/mode/recall.h
VP8_CX_SRCS-yes += encoder/mp/mode/refs.c
VP8_CX_SRCS-yes += encoder/mp/mode/refs.h
VP8_CX_SRCS-yes += encoder/mp/mode/scene_cut.c
VP8_CX_SRCS-yes += encoder/mp/mode/scene_cut.h
VP8_CX_SRCS-yes += encoder/mp/mode/split.c
VP8_CX_SRCS-yes += encoder/mp/mode/split.h

# Files that tools/guide adds for its own build.
-include $(SRC_PATH_BARE)/$(VP8_PREFIX)encoder/mp/mode/log.mk
