##  Copyright (c) 2026 The vp8_cudame authors
##
##  SPDX-License-Identifier: BSD-3-Clause

# Kernels of this folder, declared as vp8/common/rtcd_defs.pl declares libvpx's.

# pass1.c
add_proto qw/unsigned int vp8_mp_queue_pass1_best_site/, "const unsigned char *src, const unsigned char *at, int stride, int step";
specialize qw/vp8_mp_queue_pass1_best_site avx2/;

# prefilter.c
add_proto qw/void vp8_mp_queue_prefilter_add8x8/, "const unsigned char *own, int stride, const unsigned char *other, int strength, int scale, short *difference, unsigned short *weight";
specialize qw/vp8_mp_queue_prefilter_add8x8 avx2/;

add_proto qw/void vp8_mp_queue_prefilter_mean8x8/, "const unsigned char *own, int stride, const short *difference, const unsigned short *weight, unsigned char *to, int to_stride";
specialize qw/vp8_mp_queue_prefilter_mean8x8 avx2/;

# stream.c
add_proto qw/void vp8_mp_queue_stream_row/, "const unsigned char *src, const unsigned char *ahead, unsigned char *dst, int width, int left, int right";
specialize qw/vp8_mp_queue_stream_row sse2/;

add_proto qw/void vp8_mp_queue_stream_end/, "void";
specialize qw/vp8_mp_queue_stream_end sse2/;

1;
