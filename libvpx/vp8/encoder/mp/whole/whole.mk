# Copyright (c) 2026 The vp8_cudame authors
#
# SPDX-License-Identifier: BSD-3-Clause
#
# Frames that a motion provider decides and codes as a whole.

VP8_CX_SRCS-yes += encoder/mp/whole/whole.mk
VP8_CX_SRCS-yes += encoder/mp/whole/denoise.c
VP8_CX_SRCS-yes += encoder/mp/whole/denoise.h
VP8_CX_SRCS-yes += encoder/mp/whole/describe.c
VP8_CX_SRCS-yes += encoder/mp/whole/describe.h
VP8_CX_SRCS-yes += encoder/mp/whole/frame.c
VP8_CX_SRCS-yes += encoder/mp/whole/frame.h
VP8_CX_SRCS-yes += encoder/mp/whole/header.c
VP8_CX_SRCS-yes += encoder/mp/whole/header.h
VP8_CX_SRCS-yes += encoder/mp/whole/take.c
VP8_CX_SRCS-yes += encoder/mp/whole/take.h
VP8_CX_SRCS-yes += encoder/mp/whole/vectors.c
VP8_CX_SRCS-yes += encoder/mp/whole/vectors.h
