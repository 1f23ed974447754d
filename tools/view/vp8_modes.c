/*
 * Copyright (c) 2026 The vp8_cudame authors
 *
 * SPDX-License-Identifier: BSD-3-Clause
 */

/*
 * Prints the decisions of a VP8 stream: a line for each frame,
 *
 *   frame NUMBER KEY SHOWN WIDTH HEIGHT COLS ROWS QUANTIZER SEGMENTS Q0 Q1 Q2 Q3
 *
 * (QUANTIZER is an index, 0 to 127; SEGMENTS is 1 if segmentation is on, and Q0
 * to Q3 are the segments' indices), then a line for each macroblock, in raster
 * order:
 *
 *   MODE REF SEGMENT SKIPPED ROW,COL...
 *
 * REF is 0 for intra, 1 last, 2 golden, 3 alt-ref. Vectors are in quarter-pels:
 * none for intra modes, one for other modes, or sixteen for SPLITMV, one per 4x4
 * block in raster order. libvpx's decoder parses the stream; the linker wraps
 * its function.
 */

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vp8/decoder/onyxd_int.h"
#include "vpx/vp8dx.h"
#include "vpx/vpx_decoder.h"

void __real_vp8_decode_mode_mvs(VP8D_COMP *pbi);
void __wrap_vp8_decode_mode_mvs(VP8D_COMP *pbi);

static int number;

static const char *name_of(int mode) {
  switch (mode) {
    case B_PRED: return "intra4x4";
    case NEARESTMV: return "nearest";
    case NEARMV: return "near";
    case ZEROMV: return "zero";
    case NEWMV: return "new";
    case SPLITMV: return "split";
    default: return "intra16x16";
  }
}

static void print_vector(int_mv mv) {
  printf(" %d,%d", mv.as_mv.row, mv.as_mv.col);
}

static int quantizer_of(const VP8D_COMP *pbi, int segment) {
  const MACROBLOCKD *const xd = &pbi->mb;
  const int base = pbi->common.base_qindex;
  const int data = xd->segment_feature_data[MB_LVL_ALT_Q][segment];
  int q = base;

  if (xd->segmentation_enabled) {
    q = xd->mb_segment_abs_delta == SEGMENT_ABSDATA ? data : base + data;
  }
  return q < 0 ? 0 : q > MAXQ ? MAXQ : q;
}

void __wrap_vp8_decode_mode_mvs(VP8D_COMP *pbi) {
  const VP8_COMMON *const cm = &pbi->common;
  int row, col, i;

  __real_vp8_decode_mode_mvs(pbi);
  printf("frame %d %d %d %d %d %d %d %d %d", ++number,
         cm->frame_type == KEY_FRAME, cm->show_frame, cm->Width, cm->Height,
         cm->mb_cols, cm->mb_rows, cm->base_qindex,
         pbi->mb.segmentation_enabled);
  for (i = 0; i < MAX_MB_SEGMENTS; ++i) printf(" %d", quantizer_of(pbi, i));
  putchar('\n');
  for (row = 0; row < cm->mb_rows; ++row) {
    const MODE_INFO *mi = cm->mi + row * cm->mode_info_stride;

    for (col = 0; col < cm->mb_cols; ++col, ++mi) {
      const MB_MODE_INFO *const mb = &mi->mbmi;

      printf("%s %d %d %d", name_of(mb->mode), mb->ref_frame,
             pbi->mb.segmentation_enabled ? mb->segment_id : 0,
             mb->mb_skip_coeff);
      if (mb->mode == SPLITMV) {
        for (i = 0; i < 16; ++i) print_vector(mi->bmi[i].mv);
      } else if (mb->ref_frame != INTRA_FRAME) {
        print_vector(mb->mv);
      }
      putchar('\n');
    }
  }
}

static uint32_t le32(const uint8_t *p) {
  return p[0] | p[1] << 8 | p[2] << 16 | (uint32_t)p[3] << 24;
}

int main(int argc, char **argv) {
  uint8_t header[32], *frame = NULL;
  vpx_codec_ctx_t decoder;
  FILE *in;

  if (argc != 2) {
    fprintf(stderr, "usage: vp8-modes FILE.ivf\n");
    return 2;
  }
  in = fopen(argv[1], "rb");
  if (!in) {
    perror(argv[1]);
    return 1;
  }
  if (fread(header, 1, sizeof(header), in) != sizeof(header) ||
      memcmp(header, "DKIF", 4) || memcmp(header + 8, "VP80", 4)) {
    fprintf(stderr, "%s: not VP8 in IVF\n", argv[1]);
    return 1;
  }
  if (vpx_codec_dec_init(&decoder, vpx_codec_vp8_dx(), NULL, 0)) {
    fprintf(stderr, "no decoder\n");
    return 1;
  }
  while (fread(header, 1, 12, in) == 12) {
    const uint32_t size = le32(header);

    frame = realloc(frame, size + 1);
    if (!frame || fread(frame, 1, size, in) != size) {
      fprintf(stderr, "%s: frame %d is cut off\n", argv[1], number + 1);
      return 1;
    }
    if (vpx_codec_decode(&decoder, frame, size, NULL, 0)) {
      fprintf(stderr, "%s: frame %d: %s\n", argv[1], number + 1,
              vpx_codec_error(&decoder));
      return 1;
    }
  }
  free(frame);
  vpx_codec_destroy(&decoder);
  fclose(in);
  if (fflush(stdout) || ferror(stdout)) {
    perror("stdout");
    return 1;
  }
  return 0;
}
