/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * A libvpx that is configured with --enable-vp8-cudame gives every VP8 encoder
 * a provider of the library vp8provider, unless the application attaches its
 * own. Any other libvpx has no code of this folder.
 */
#ifndef VPX_VP8_ENCODER_MP_AUTO_AUTO_H_
#define VPX_VP8_ENCODER_MP_AUTO_AUTO_H_

#include "./vpx_config.h"
#include "vpx/vpx_encoder.h"

#ifdef __cplusplus
extern "C" {
#endif

struct VP8_COMP;

/* The provider of one encoder; all zero at first. */
typedef struct vp8_mp_auto {
#if CONFIG_VP8_CUDAME
  struct vp8_provider *provider; /* NULL: none is attached */
  int is_decided;  /* attached, or there will be none */
  int log_level;   /* least important messages that are printed */
  long pid;        /* process that encodes */
  int has_failed;  /* no frame can be coded, for the reason below */
  char reason[320];
#else
  char unused;
#endif
} vp8_mp_auto;

#if CONFIG_VP8_CUDAME

/* Before each frame, or the end of the stream, is given to the encoder. Before
 * the first one, attach a provider: speed and deadline are known only now.
 * *detail gets the reason of an error. */
vpx_codec_err_t vp8_mp_auto_encode(vp8_mp_auto *self, struct VP8_COMP *cpi,
                                   const vpx_codec_enc_cfg_t *cfg,
                                   const char **detail);

/* Before the encoder is changed: in a child of the process that made it, do not
 * wait for threads, because they are not there. */
void vp8_mp_auto_check_process(vp8_mp_auto *self, struct VP8_COMP *cpi);

/* The application has attached its own provider, or NULL. */
void vp8_mp_auto_leave(vp8_mp_auto *self);

/* Before the encoder is freed. */
void vp8_mp_auto_free(vp8_mp_auto *self, struct VP8_COMP *cpi);

#else

static INLINE vpx_codec_err_t vp8_mp_auto_encode(vp8_mp_auto *self,
                                                 struct VP8_COMP *cpi,
                                                 const vpx_codec_enc_cfg_t *cfg,
                                                 const char **detail) {
  (void)self;
  (void)cpi;
  (void)cfg;
  (void)detail;
  return VPX_CODEC_OK;
}

static INLINE void vp8_mp_auto_check_process(vp8_mp_auto *self,
                                             struct VP8_COMP *cpi) {
  (void)self;
  (void)cpi;
}

static INLINE void vp8_mp_auto_leave(vp8_mp_auto *self) { (void)self; }

static INLINE void vp8_mp_auto_free(vp8_mp_auto *self, struct VP8_COMP *cpi) {
  (void)self;
  (void)cpi;
}

#endif  // CONFIG_VP8_CUDAME

#ifdef __cplusplus
}  // extern "C"
#endif

#endif  // VPX_VP8_ENCODER_MP_AUTO_AUTO_H_
