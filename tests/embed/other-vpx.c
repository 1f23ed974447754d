/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* Stands for another libvpx in the same process. Aborts if it is called instead of our libvpx. */

#include <stdlib.h>

void vpx_codec_vp8_cx(void);
void vpx_codec_enc_config_default(void);
void vpx_codec_enc_init_ver(void);
void vpx_codec_encode(void);

void vpx_codec_vp8_cx(void)
{
    abort();
}

void vpx_codec_enc_config_default(void)
{
    abort();
}

void vpx_codec_enc_init_ver(void)
{
    abort();
}

void vpx_codec_encode(void)
{
    abort();
}
