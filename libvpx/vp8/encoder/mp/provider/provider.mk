# Copyright (c) 2026 The vp8_cudame authors
#
# SPDX-License-Identifier: BSD-3-Clause
#
# The records of a motion provider, the features that it may have, and its state in VP8_COMP.

VP8_CX_SRCS-yes += encoder/mp/provider/provider.mk
VP8_CX_SRCS-yes += encoder/mp/state.h
VP8_CX_SRCS-yes += encoder/mp/provider/features.c
VP8_CX_SRCS-yes += encoder/mp/provider/features.h
VP8_CX_SRCS-yes += encoder/mp/provider/records.c
VP8_CX_SRCS-yes += encoder/mp/provider/records.h
