# Copyright (c) 2026 The vp8_cudame authors
#
# SPDX-License-Identifier: BSD-3-Clause
#
# The files of tools/guide; mp/mp.mk includes this one if it is there.

VP8_CX_SRCS-yes += encoder/mp/mode/log.c
VP8_CX_SRCS-yes += encoder/mp/mode/log.h
VP8_CX_SRCS-yes += encoder/mp/mode/log.mk
VP8_CX_SRCS-yes += encoder/mp/mode/log_level.inc.h
VP8_CX_SRCS-yes += encoder/mp/mode/log_split.inc.h
