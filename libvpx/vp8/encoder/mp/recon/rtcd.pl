##  Copyright (c) 2026 The vp8_cudame authors
##
##  SPDX-License-Identifier: BSD-3-Clause

# Kernels of this folder, declared as vp8/common/rtcd_defs.pl declares libvpx's.

# code.c
add_proto qw/void vp8_mp_recon_residual16x16/, "const unsigned char *src, int src_stride, const unsigned char *pred, int pred_stride, const short *round, const short *quant, short *qcoeff, char *eobs, short *dc";
specialize qw/vp8_mp_recon_residual16x16 avx2/;

add_proto qw/void vp8_mp_recon_residual8x8/, "const unsigned char *src, int src_stride, const unsigned char *pred, int pred_stride, const short *round, const short *quant, short *qcoeff, char *eobs";
specialize qw/vp8_mp_recon_residual8x8 avx2/;

# residual.c
add_proto qw/void vp8_mp_recon_transform16x16/, "const unsigned char *src, int src_stride, const unsigned char *pred, int pred_stride, short *coeff";
specialize qw/vp8_mp_recon_transform16x16 avx2/;

add_proto qw/void vp8_mp_recon_transform8x8/, "const unsigned char *src, int src_stride, const unsigned char *pred, int pred_stride, short *coeff";
specialize qw/vp8_mp_recon_transform8x8 avx2/;

add_proto qw/int vp8_mp_recon_quantize/, "struct macroblock *x, int block, int n, int first, unsigned short *coded";
specialize qw/vp8_mp_recon_quantize avx2/;

add_proto qw/void vp8_mp_recon_transform_batch/, "const unsigned char *src, int src_stride, const unsigned char *pred, short *coeff";
specialize qw/vp8_mp_recon_transform_batch avx2/;

add_proto qw/void vp8_mp_recon_quantize_batch/, "const struct macroblock *x, int block, int n, const short *coeff, short *qcoeff, short *dqcoeff, unsigned short *coded, int *error";
specialize qw/vp8_mp_recon_quantize_batch avx2/;

# trellis.c
add_proto qw/void vp8_mp_recon_classify/, "const short *coeff, const short *qcoeff, const short *dequant, unsigned int *nonzero, unsigned int *up";
specialize qw/vp8_mp_recon_classify sse2/;

# sixtap.c
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

# loop_filter.c
add_proto qw/void vp8_mp_recon_filter_mb/, "unsigned char *y, unsigned char *u, unsigned char *v, int y_stride, int uv_stride, struct loop_filter_info *lfi, int edges";
specialize qw/vp8_mp_recon_filter_mb avx2/;

1;
