# Copyright (c) 2026 The vp8_cudame authors
#
# SPDX-License-Identifier: BSD-3-Clause
#
# The calls from libvpx at which the parts of a motion provider begin and end.

VP8_CX_SRCS-yes += encoder/mp/mp.mk
VP8_CX_SRCS-yes += encoder/mp/counts.c
VP8_CX_SRCS-yes += encoder/mp/counts.h
VP8_CX_SRCS-yes += encoder/mp/hooks.c
VP8_CX_SRCS-yes += encoder/mp/hooks.h
