# Copyright (c) 2026 The vp8_cudame authors
#
# SPDX-License-Identifier: BSD-3-Clause
#
# The provider of a libvpx that attaches one by itself: --enable-vp8-cudame.

VP8_CX_SRCS-yes += encoder/mp/auto/auto.mk
VP8_CX_SRCS-yes += encoder/mp/auto/auto.h
VP8_CX_SRCS-$(CONFIG_VP8_CUDAME) += encoder/mp/auto/auto.c
VP8_CX_SRCS-$(CONFIG_VP8_CUDAME) += encoder/mp/auto/environment.c
VP8_CX_SRCS-$(CONFIG_VP8_CUDAME) += encoder/mp/auto/environment.h
