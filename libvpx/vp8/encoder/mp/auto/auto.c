/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/auto/auto.h"

#include <stdio.h>
#include <string.h>
#if !defined(_WIN32)
#include <unistd.h>
#endif

#include <vp8provider/vp8provider.h>

#include "vp8/encoder/mp/auto/environment.h"
#include "vp8/encoder/mp/hooks.h"
#include "vp8/encoder/mp/rc/lookahead_rc.h"
#include "vp8/encoder/onyx_int.h"

#define MAX_THREADS 64   /* of cudame */
#define MAX_LOOKAHEAD 25 /* of libvpx's queue */
#define MIN_LOOKAHEAD 3
#define FULL_PIXEL_PROFILE 3 /* libvpx does the motion search in this profile */

static long process(void) {
#if defined(_WIN32)
  return 0;
#else
  return getpid();
#endif
}

static void log_provider(void *opaque, enum vp8_provider_log_level level,
                         const char *text) {
  const vp8_mp_auto *const self = opaque;

  if ((int)level <= self->log_level) vp8_mp_auto_print(text);
}

static void detach(VP8_COMP *cpi) {
  vp8_mp_set_provider(cpi, NULL);
  vp8_mp_rc_lookahead_set_provider(cpi);
}

/* Level of the search at this frame's deadline and cpu-used. */
static int get_level(const VP8_COMP *cpi) {
  vpx_enc_deadline_t deadline;

  switch (cpi->oxcf.Mode) {
    case MODE_REALTIME: deadline = VPX_DL_REALTIME; break;
    case MODE_BESTQUALITY:
    case MODE_SECONDPASS_BEST: deadline = VPX_DL_BEST_QUALITY; break;
    default: deadline = VPX_DL_GOOD_QUALITY;
  }
  return vp8_provider_level(deadline, cpi->oxcf.cpu_used);
}

static cudame_config get_search(const VP8_COMP *cpi,
                                const vpx_codec_enc_cfg_t *cfg,
                                const vp8_mp_auto_settings *settings) {
  cudame_config search;

  cudame_config_default(&search);
  search.search = CUDAME_SEARCH_LEAN;
  search.level = get_level(cpi);
  search.width = vp8_provider_padded((int)cfg->g_w);
  search.height = vp8_provider_padded((int)cfg->g_h);
  search.threads = VPXMAX(1, VPXMIN((int)cfg->g_threads, MAX_THREADS));
  if (settings->backend == VP8_PROVIDER_AUTO) {
    search.cuda_after_ms = settings->cuda_after_ms;
  }
  return search;
}

static void set_callbacks(struct vp8e_motion_provider *callbacks,
                          const VP8_COMP *cpi, const vpx_codec_enc_cfg_t *cfg) {
  const int lag = VPXMIN((int)cfg->g_lag_in_frames, MAX_LOOKAHEAD);

  callbacks->guide = cfg->g_pass == VPX_RC_FIRST_PASS ? VP8E_MP_GUIDE_OFF
                                                      : VP8E_MP_GUIDE_AUTO;
  /* Frames that the application allows to be late. libvpx decides whether a
   * lookahead suits its other options. */
  if (cfg->g_pass == VPX_RC_ONE_PASS && lag >= MIN_LOOKAHEAD) {
    callbacks->lookahead = lag;
  }
  callbacks->mbtree = 1;
  callbacks->prefilter = VP8E_MP_PREFILTER_SHOWN;
  /* Not where the application asks for libvpx's own temporal filter. */
  if (!cpi->oxcf.arnr_max_frames) {
    callbacks->prefilter |= VP8E_MP_PREFILTER_HIDDEN;
  }
}

static void log_settings(vp8_mp_auto *self, const VP8_COMP *cpi) {
  const cudame_config *const search = vp8_provider_search(self->provider);
  char text[160];

  snprintf(text, sizeof(text),
           "%dx%d, search level %d on %s, %d threads, %d frames of lookahead",
           cpi->oxcf.Width, cpi->oxcf.Height, search->level,
           vp8_provider_backend_name(self->provider), search->threads,
           vp8_provider_callbacks(self->provider)->lookahead);
  log_provider(self, VP8_PROVIDER_LOG_VERBOSE, text);
}

static vpx_codec_err_t fail(vp8_mp_auto *self, const char *reason) {
  snprintf(self->reason, sizeof(self->reason), "%s", reason);
  self->has_failed = 1;
  log_provider(self, VP8_PROVIDER_LOG_ERROR, self->reason);
  return VPX_CODEC_ERROR;
}

/* Start the motion search, and the first pass on CUDA. Only VP8_CUDAME=cuda
 * makes the absence of CUDA an error. */
static vpx_codec_err_t open_provider(vp8_mp_auto *self,
                                     const vpx_codec_enc_cfg_t *cfg,
                                     const vp8_mp_auto_settings *settings) {
  const int is_first_pass = cfg->g_pass == VPX_RC_FIRST_PASS;
  vp8_provider_failure failure;
  char text[sizeof(self->reason)];

  if (!is_first_pass && cfg->g_profile != FULL_PIXEL_PROFILE) {
    const int code = vp8_provider_open(self->provider, &failure);

    if (code < 0) {
      snprintf(text, sizeof(text), "Cannot run motion estimation on %s: %s",
               failure.backend == CUDAME_BACKEND_CUDA ? "CUDA" : "the CPU",
               failure.reason);
      return fail(self, text);
    }
    if (failure.code) {
      snprintf(text, sizeof(text),
               "Motion estimation runs on the CPU, without CUDA: %s",
               failure.reason);
      log_provider(self,
                   failure.code == CUDAME_ERROR_UNAVAILABLE &&
                           settings->device < 0
                       ? VP8_PROVIDER_LOG_INFO
                       : VP8_PROVIDER_LOG_WARNING,
                   text);
    }
  }
  if (!is_first_pass &&
      vp8_provider_callbacks(self->provider)->lookahead == 0) {
    return VPX_CODEC_OK;
  }
  if (vp8_provider_open_first_pass(self->provider, 0, &failure) < 0) {
    snprintf(text, sizeof(text), "Cannot run the first pass on CUDA: %s",
             failure.reason);
    return fail(self, text);
  }
  return VPX_CODEC_OK;
}

static vpx_codec_err_t attach(vp8_mp_auto *self, VP8_COMP *cpi,
                              const vpx_codec_enc_cfg_t *cfg) {
  const vp8_mp_auto_settings settings = vp8_mp_auto_read_environment();
  struct vp8e_motion_provider *callbacks;
  vp8_provider_config config;
  vpx_codec_err_t res;

  if (settings.is_off) return VPX_CODEC_OK;
  self->log_level = settings.log_level;
  memset(&config, 0, sizeof(config));
  config.size = sizeof(config);
  config.search = get_search(cpi, cfg, &settings);
  config.backend = settings.backend;
  config.device = settings.device;
  config.log = log_provider;
  config.opaque = self;
  self->provider = vp8_provider_alloc(&config);
  if (!self->provider) return VPX_CODEC_MEM_ERROR;

  callbacks = vp8_provider_callbacks(self->provider);
  set_callbacks(callbacks, cpi, cfg);
  if (settings.log_level >= VP8_PROVIDER_LOG_VERBOSE &&
      cfg->g_pass != VPX_RC_FIRST_PASS) {
    vp8_provider_count(self->provider, NULL);
  }
  res = open_provider(self, cfg, &settings);
  if (res == VPX_CODEC_OK && vp8_mp_set_provider(cpi, callbacks)) {
    res = fail(self, "libvpx and its motion provider are of two versions");
  }
  if (res == VPX_CODEC_OK) {
    vp8_mp_rc_lookahead_set_provider(cpi);
    log_settings(self, cpi);
  } else {
    vp8_mp_auto_leave(self);
  }
  return res;
}

vpx_codec_err_t vp8_mp_auto_encode(vp8_mp_auto *self, VP8_COMP *cpi,
                                   const vpx_codec_enc_cfg_t *cfg,
                                   const char **detail) {
  vpx_codec_err_t res = VPX_CODEC_OK;

  if (!cpi) return VPX_CODEC_OK;
  if (!self->is_decided) {
    self->is_decided = 1;
    self->pid = process();
    res = attach(self, cpi, cfg);
  } else {
    vp8_mp_auto_check_process(self, cpi);
    if (self->has_failed) res = VPX_CODEC_ERROR;
    if (self->provider) vp8_provider_set_level(self->provider, get_level(cpi));
  }
  if (self->has_failed) *detail = self->reason;
  return res;
}

void vp8_mp_auto_check_process(vp8_mp_auto *self, VP8_COMP *cpi) {
  if (!self->provider || self->pid == process()) return;
  self->pid = process();
#if CONFIG_MULTITHREAD
  /* One thread makes the same stream. What belongs to the others is not freed,
   * because they may have been forked anywhere in it. */
  vpx_atomic_store_release(&cpi->b_multi_threaded, 0);
  cpi->encoding_thread_count = 0;
  cpi->b_lpf_running = 0;
#endif
  if (vp8_mp_rc_lookahead_forked(cpi)) {
    fail(self, "A frame was in the lookahead when the process was forked");
  }
}

void vp8_mp_auto_leave(vp8_mp_auto *self) {
  vp8_provider_free(self->provider);
  self->provider = NULL;
  self->is_decided = 1;
}

void vp8_mp_auto_free(vp8_mp_auto *self, VP8_COMP *cpi) {
  if (!self->provider) return;
  vp8_mp_auto_check_process(self, cpi);
  detach(cpi);
  vp8_mp_auto_leave(self);
}
