/*
 * FFCodec of the encoder vp8_cudame
 *
 * This file is part of FFmpeg.
 *
 * FFmpeg is free software; you can redistribute it and/or
 * modify it under the terms of the GNU Lesser General Public
 * License as published by the Free Software Foundation; either
 * version 2.1 of the License, or (at your option) any later version.
 *
 * FFmpeg is distributed in the hope that it will be useful,
 * but WITHOUT ANY WARRANTY; without even the implied warranty of
 * MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE.  See the GNU
 * Lesser General Public License for more details.
 *
 * You should have received a copy of the GNU Lesser General Public
 * License along with FFmpeg; if not, write to the Free Software
 * Foundation, Inc., 51 Franklin Street, Fifth Floor, Boston, MA 02110-1301 USA
 */

/**
 * @file
 * The fields of an FFCodec of vp8_cudame, without its name. libvpxenc.c includes
 * this file, because the encoder may have two names.
 */

    CODEC_LONG_NAME("libvpx VP8 with motion estimation by cudame"),
    .p.type         = AVMEDIA_TYPE_VIDEO,
    .p.id           = AV_CODEC_ID_VP8,
    /* Not AV_CODEC_CAP_HYBRID: GStreamer ignores encoders that have it. */
    .p.capabilities = AV_CODEC_CAP_DR1 | AV_CODEC_CAP_DELAY |
                      AV_CODEC_CAP_OTHER_THREADS            |
                      AV_CODEC_CAP_ENCODER_REORDERED_OPAQUE |
                      AV_CODEC_CAP_ENCODER_FLUSH,
    .priv_data_size = sizeof(VPxContext),
    .init           = vp8_cudame_init,
    FF_CODEC_RECEIVE_PACKET_CB(vp8_cudame_receive_packet),
    .flush          = vp8_cudame_flush,
    .close          = vp8_cudame_close,
    .caps_internal  = FF_CODEC_CAP_NOT_INIT_THREADSAFE |
                      FF_CODEC_CAP_INIT_CLEANUP |
                      FF_CODEC_CAP_AUTO_THREADS,
    CODEC_PIXFMTS(AV_PIX_FMT_YUV420P, AV_PIX_FMT_NV12, AV_PIX_FMT_YUVA420P,
                  AV_PIX_FMT_CUDA),
    .color_ranges   = AVCOL_RANGE_MPEG | AVCOL_RANGE_JPEG,
    .hw_configs     = ff_vp8_cudame_hw_configs,
    .p.priv_class   = &class_vp8_cudame,
    .defaults       = defaults,
    .p.wrapper_name = "libvpx",
