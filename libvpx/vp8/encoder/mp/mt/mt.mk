# Copyright (c) 2026 The vp8_cudame authors
#
# SPDX-License-Identifier: BSD-3-Clause
#
# Row threads.

VP8_CX_SRCS-yes += encoder/mp/mt/mt.mk
VP8_CX_SRCS-yes += encoder/mp/mt/filter_level.c
VP8_CX_SRCS-yes += encoder/mp/mt/filter_level.h
VP8_CX_SRCS-yes += encoder/mp/mt/filter_rows.c
VP8_CX_SRCS-yes += encoder/mp/mt/filter_rows.h
VP8_CX_SRCS-yes += encoder/mp/mt/finish.c
VP8_CX_SRCS-yes += encoder/mp/mt/finish.h
VP8_CX_SRCS-yes += encoder/mp/mt/jobs.c
VP8_CX_SRCS-yes += encoder/mp/mt/jobs.h
VP8_CX_SRCS-yes += encoder/mp/mt/pack.c
VP8_CX_SRCS-yes += encoder/mp/mt/pack.h
VP8_CX_SRCS-yes += encoder/mp/mt/rows.c
VP8_CX_SRCS-yes += encoder/mp/mt/rows.h
