/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "vp8/encoder/mp/auto/environment.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As the option me_cuda_after of FFmpeg's encoder: starting CUDA takes about
 * this much CPU time. */
#define CUDA_AFTER_MS 300

#define OFF -1

typedef struct {
  const char *name;
  int value;
} named;

static const named backends[] = { { "auto", VP8_PROVIDER_AUTO },
                                  { "cpu", VP8_PROVIDER_CPU },
                                  { "cuda", VP8_PROVIDER_CUDA },
                                  { "off", OFF },
                                  { NULL, 0 } };

static const named levels[] = { { "quiet", -1 },
                                { "error", VP8_PROVIDER_LOG_ERROR },
                                { "warning", VP8_PROVIDER_LOG_WARNING },
                                { "info", VP8_PROVIDER_LOG_INFO },
                                { "verbose", VP8_PROVIDER_LOG_VERBOSE },
                                { "debug", VP8_PROVIDER_LOG_DEBUG },
                                { NULL, 0 } };

void vp8_mp_auto_print(const char *text) {
  fprintf(stderr, "libvpx vp8_cudame: %s\n", text);
}

static void refuse(const char *name, const char *value, const char *instead) {
  char text[256];

  snprintf(text, sizeof(text), "%s=%.64s is not known: using %s", name, value,
           instead);
  vp8_mp_auto_print(text);
}

/* An empty value is no value. */
static const char *get(const char *name) {
  const char *const value = getenv(name);

  return value && *value ? value : NULL;
}

static int get_named(const char *name, const named *values,
                     const char *standard) {
  const char *value = get(name);
  int i;

  if (!value) value = standard;
  for (i = 0; values[i].name && strcmp(values[i].name, value); ++i) continue;
  if (values[i].name) return values[i].value;
  refuse(name, value, standard);
  return get_named("", values, standard);
}

static int get_number(const char *name, int standard) {
  const char *const value = get(name);
  char *end, text[16];
  long number;

  if (!value) return standard;
  number = strtol(value, &end, 10);
  if (!*end && number >= 0 && number <= 1000000000) return (int)number;
  snprintf(text, sizeof(text), "%d", standard);
  refuse(name, value, text);
  return standard;
}

vp8_mp_auto_settings vp8_mp_auto_read_environment(void) {
  const int backend = get_named("VP8_CUDAME", backends, "auto");
  vp8_mp_auto_settings settings;

  memset(&settings, 0, sizeof(settings));
  settings.is_off = backend == OFF;
  if (settings.is_off) return settings;
  settings.backend = (enum vp8_provider_backend)backend;
  settings.log_level = get_named("VP8_CUDAME_LOG", levels, "warning");
  settings.device = get_number("VP8_CUDAME_GPU", -1);
  settings.cuda_after_ms = get_number("VP8_CUDAME_CUDA_AFTER", CUDA_AFTER_MS);
  return settings;
}
