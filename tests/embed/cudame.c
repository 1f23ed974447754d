/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 *
 * A program that calls cudame itself: motion of a picture that has moved by three rows and five
 * columns. Exit status 0: the vector of each macroblock inside the picture says so.
 */

#include <cudame/cudame.h>
#include <stdio.h>
#include <stdlib.h>

enum { kWidth = 128, kHeight = 96, kRow = 3, kCol = 5 };

static uint8_t last[kHeight][kWidth], frame[kHeight][kWidth];

static void Check(int code, const cudame_context *ctx) {
    if (code >= 0) return;
    fprintf(stderr, "%s: %s\n", cudame_error_name(code), cudame_last_error(ctx));
    exit(1);
}

int main(void) {
    cudame_config config;
    cudame_context *ctx;
    cudame_plane plane = {&last[0][0], kWidth, kWidth, kHeight, 0, 0, 0};
    cudame_frame search = {0};
    char reason[256];
    int right = 0;

    for (int y = 0; y < kHeight; y++)
        for (int x = 0; x < kWidth; x++) last[y][x] = (uint8_t)(x * x / 9 + y * y / 7 + x * y / 5);
    for (int y = 0; y < kHeight - kRow; y++)
        for (int x = 0; x < kWidth - kCol; x++) frame[y][x] = last[y + kRow][x + kCol];

    cudame_config_default(&config);
    config.size = sizeof(config);
    config.width = kWidth;
    config.height = kHeight;
    if (cudame_create(&ctx, &config, reason, sizeof(reason))) {
        fprintf(stderr, "%s\n", reason);
        return 1;
    }
    Check(cudame_submit_reference(ctx, 1, &plane, 0, kHeight), ctx);
    plane.data = &frame[0][0];
    search.source = plane;
    search.ref_id[CUDAME_REF_LAST] = 1;
    search.sad_per_bit = 4;
    Check(cudame_begin_frame(ctx, &search), ctx);
    for (int row = 0; row < kHeight / 16; row++) {
        const cudame_mb *mbs[CUDAME_REFS];

        Check(cudame_wait_row(ctx, row, mbs, NULL), ctx);
        for (int col = 0; col < kWidth / 16; col++) {
            const cudame_mv mv = mbs[CUDAME_REF_LAST][col].mv;

            right += mv.row == 4 * kRow && mv.col == 4 * kCol;
        }
    }
    Check(cudame_end_frame(ctx), ctx);
    cudame_destroy(ctx);

    /* The last row and the last column have pixels that the reference lacks. */
    printf("%d macroblocks of %d have the vector\n", right, kWidth * kHeight / 256);
    return right < (kWidth / 16 - 1) * (kHeight / 16 - 1);
}
