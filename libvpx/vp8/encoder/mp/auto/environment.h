/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Settings from the environment: whoever starts a program that uses libvpx
 * can give it no other ones.
 */
#ifndef VPX_VP8_ENCODER_MP_AUTO_ENVIRONMENT_H_
#define VPX_VP8_ENCODER_MP_AUTO_ENVIRONMENT_H_

#include <vp8provider/vp8provider.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct vp8_mp_auto_settings {
  int is_off;                        /* VP8_CUDAME=off */
  enum vp8_provider_backend backend; /* VP8_CUDAME */
  int log_level;                     /* VP8_CUDAME_LOG; -1: log nothing */
  int device;                        /* VP8_CUDAME_GPU, or -1 */
  int cuda_after_ms;                 /* VP8_CUDAME_CUDA_AFTER */
} vp8_mp_auto_settings;

/* Read the environment. A value that is not known is reported on stderr, and
 * its default is used. */
vp8_mp_auto_settings vp8_mp_auto_read_environment(void);

/* Print a message on stderr. */
void vp8_mp_auto_print(const char *text);

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_AUTO_ENVIRONMENT_H_
