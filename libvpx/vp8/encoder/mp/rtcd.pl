##  Copyright (c) 2026 The vp8_cudame authors
##
##  SPDX-License-Identifier: BSD-3-Clause

# Kernels of the motion provider, in the format of vp8/common/rtcd_defs.pl.

# mp/recon/code.c
add_proto qw/void vp8_mp_recon_residual16x16/, "const unsigned char *src, int src_stride, const unsigned char *pred, int pred_stride, const short *round, const short *quant, short *qcoeff, char *eobs, short *dc";
specialize qw/vp8_mp_recon_residual16x16 avx2/;

add_proto qw/void vp8_mp_recon_residual8x8/, "const unsigned char *src, int src_stride, const unsigned char *pred, int pred_stride, const short *round, const short *quant, short *qcoeff, char *eobs";
specialize qw/vp8_mp_recon_residual8x8 avx2/;

# mp/recon/residual.c
add_proto qw/void vp8_mp_recon_transform16x16/, "const unsigned char *src, int src_stride, const unsigned char *pred, int pred_stride, short *coeff";
specialize qw/vp8_mp_recon_transform16x16 avx2/;

add_proto qw/void vp8_mp_recon_transform8x8/, "const unsigned char *src, int src_stride, const unsigned char *pred, int pred_stride, short *coeff";
specialize qw/vp8_mp_recon_transform8x8 avx2/;

add_proto qw/int vp8_mp_recon_quantize/, "struct macroblock *x, int block, int n, int first, unsigned short *coded";
specialize qw/vp8_mp_recon_quantize avx2/;

add_proto qw/void vp8_mp_recon_transform_tries/, "const unsigned char *src, int src_stride, const unsigned char *pred, short *coeff";
specialize qw/vp8_mp_recon_transform_tries avx2/;

add_proto qw/void vp8_mp_recon_quantize_tries/, "const struct macroblock *x, int block, int n, const short *coeff, short *qcoeff, short *dqcoeff, unsigned short *coded, int *error";
specialize qw/vp8_mp_recon_quantize_tries avx2/;

# mp/recon/sixtap.c
add_proto qw/void vp8_mp_recon_sixtap16x16/, "unsigned char *src, int src_stride, int xoffset, int yoffset, unsigned char *dst, int dst_stride";
specialize qw/vp8_mp_recon_sixtap16x16 avx2/;

add_proto qw/void vp8_mp_recon_sixtap16x8/, "unsigned char *src, int src_stride, int xoffset, int yoffset, unsigned char *dst, int dst_stride";
specialize qw/vp8_mp_recon_sixtap16x8 avx2/;

add_proto qw/void vp8_mp_recon_sixtap8x16/, "unsigned char *src, int src_stride, int xoffset, int yoffset, unsigned char *dst, int dst_stride";
specialize qw/vp8_mp_recon_sixtap8x16 avx2/;

add_proto qw/void vp8_mp_recon_sixtap4x4_pair/, "unsigned char *u, unsigned char *v, int src_stride, int xoffset, int yoffset, unsigned char *dst_u, unsigned char *dst_v, int dst_stride";
specialize qw/vp8_mp_recon_sixtap4x4_pair avx2/;

add_proto qw/void vp8_mp_recon_sixtap8x8/, "unsigned char *src, int src_stride, int xoffset, int yoffset, unsigned char *dst, int dst_stride";
specialize qw/vp8_mp_recon_sixtap8x8 avx2/;

add_proto qw/void vp8_mp_recon_fdct8x4/, "short *input, short *output, int pitch";
specialize qw/vp8_mp_recon_fdct8x4 avx2/;

add_proto qw/void vp8_mp_recon_fdct4x4/, "short *input, short *output, int pitch";
specialize qw/vp8_mp_recon_fdct4x4 avx2/;

# mp/recon/loop_filter.c
add_proto qw/void vp8_mp_recon_filter_mb/, "unsigned char *y, unsigned char *u, unsigned char *v, int y_stride, int uv_stride, struct loop_filter_info *lfi, int edges";
specialize qw/vp8_mp_recon_filter_mb avx2/;

# mp/queue/pass1.c
add_proto qw/unsigned int vp8_mp_queue_pass1_best_site/, "const unsigned char *src, const unsigned char *at, int stride, int step";
specialize qw/vp8_mp_queue_pass1_best_site avx2/;

# mp/queue/prefilter.c
add_proto qw/void vp8_mp_queue_prefilter_add8x8/, "const unsigned char *own, int stride, const unsigned char *other, int strength, int scale, short *difference, unsigned short *weight";
specialize qw/vp8_mp_queue_prefilter_add8x8 avx2/;

add_proto qw/void vp8_mp_queue_prefilter_mean8x8/, "const unsigned char *own, int stride, const short *difference, const unsigned short *weight, unsigned char *to, int to_stride";
specialize qw/vp8_mp_queue_prefilter_mean8x8 avx2/;

1;
