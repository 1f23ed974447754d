/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

/* Another libvpx in the same process: fails if it is called in place of ours. */

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
