/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "to_cudame.h"

#include <cstddef>
#include <cstring>

namespace provider_test {

namespace {

cudame_plane Plane(const uint8_t *data, int stride, int mb_cols, int mb_rows) {
    cudame_plane p{};
    p.data = data;
    p.stride = stride;
    p.width = mb_cols * 16;
    p.height = mb_rows * 16;
    return p;
}

cudame_quantizer Quantizer(const vp8e_mp_quantizer_t &from) {
    cudame_quantizer q{};
    for (int i = 0; i < 2; i++) {
        q.round[i] = from.round[i];
        q.quant[i] = from.quant[i];
        q.dequant[i] = from.dequant[i];
    }
    return q;
}

}  // namespace

cudame_loop_filter ToCudame(const vp8e_mp_loop_filter_t &filter) {
    cudame_loop_filter f{};
    f.frame = Plane(filter.y, filter.stride, filter.mb_cols, filter.mb_rows);
    f.macroblocks = filter.macroblocks;
    f.level = filter.level;
    f.first_level = filter.first_level;
    f.levels = filter.levels;
    f.sharpness = filter.sharpness;
    f.key_frame = filter.is_key;
    f.step = filter.step;
    f.first = filter.first;
    f.rows = filter.rows;
    f.source = filter.source;
    f.source_stride = filter.source_stride;
    return f;
}

cudame_first_pass_frame ToCudame(const vp8e_mp_first_pass_t &f) {
    auto plane = [&](const vp8e_mp_plane_t &from) {
        return Plane(from.y, from.stride, f.mb_cols, f.mb_rows);
    };
    cudame_first_pass_frame frame{};
    frame.source = plane(f.source);
    frame.last_source = plane(f.last_source);
    frame.breakout = unsigned(f.breakout);
    frame.last = plane(f.last);
    frame.golden = plane(f.golden);
    frame.last_id = f.last.id;
    frame.golden_id = f.golden.id;
    frame.recon = f.recon;
    frame.recon_stride = f.recon_stride;
    frame.recon_id = f.recon_id;
    frame.y1 = Quantizer(f.y1);
    frame.y2 = Quantizer(f.y2);
    memcpy(frame.mv_cost, f.mv_cost, sizeof(frame.mv_cost));
    frame.error_per_bit = f.error_per_bit;
    return frame;
}

// The structs of whole frames have the same layout in both headers.
#define SAME_SIZE(vp8, ours) static_assert(sizeof(vp8) == sizeof(ours), #vp8 " differs")
#define SAME_OFFSET(vp8, ours, member) \
    static_assert(offsetof(vp8, member) == offsetof(ours, member), #member " differs")
SAME_SIZE(vp8e_mp_mb_t, cudame_mb);
SAME_SIZE(vp8e_mp_split_t, cudame_split);
SAME_SIZE(vp8e_mp_intra_t, cudame_intra);
SAME_SIZE(vp8e_mp_picture_t, cudame_planes);
SAME_SIZE(vp8e_mp_level_t, cudame_guide_level);
SAME_SIZE(vp8e_mp_segment_t, cudame_segment);
SAME_OFFSET(vp8e_mp_segment_t, cudame_segment, breakout);
SAME_OFFSET(vp8e_mp_segment_t, cudame_segment, dequant);
SAME_SIZE(vp8e_mp_memory_t, cudame_mb_memory);
SAME_SIZE(vp8e_mp_rates_t, cudame_rates);
SAME_OFFSET(vp8e_mp_rates_t, cudame_rates, token);
SAME_OFFSET(vp8e_mp_rates_t, cudame_rates, sign_bias);
SAME_SIZE(vp8e_mp_coded_t, cudame_coded_mb);
SAME_OFFSET(vp8e_mp_coded_t, cudame_coded_mb, mv);
SAME_OFFSET(vp8e_mp_coded_t, cudame_coded_mb, tokens);
SAME_OFFSET(vp8e_mp_coded_t, cudame_coded_mb, first_token);
SAME_SIZE(vp8e_mp_blocks_t, cudame_blocks);
SAME_OFFSET(vp8e_mp_blocks_t, cudame_blocks, split_mode);
SAME_SIZE(vp8e_mp_denoiser_t, cudame_denoiser);
SAME_OFFSET(vp8e_mp_denoiser_t, cudame_denoiser, skin);
SAME_OFFSET(vp8e_mp_denoiser_t, cudame_denoiser, ref);
SAME_OFFSET(vp8e_mp_denoiser_t, cudame_denoiser, denoised);
SAME_SIZE(vp8e_mp_whole_frame_t, cudame_whole_frame);
SAME_OFFSET(vp8e_mp_whole_frame_t, cudame_whole_frame, denoiser);
SAME_OFFSET(vp8e_mp_whole_frame_t, cudame_whole_frame, recon);
SAME_OFFSET(vp8e_mp_whole_frame_t, cudame_whole_frame, may_keep_recon);
SAME_OFFSET(vp8e_mp_whole_frame_t, cudame_whole_frame, has_recon);
SAME_OFFSET(vp8e_mp_whole_frame_t, cudame_whole_frame, key_bmode);
SAME_OFFSET(vp8e_mp_whole_frame_t, cudame_whole_frame, token_counts);
SAME_OFFSET(vp8e_mp_whole_frame_t, cudame_whole_frame, new_memory);

SAME_SIZE(vp8e_mp_frame_filter_t, cudame_frame_filter);
SAME_OFFSET(vp8e_mp_frame_filter_t, cudame_frame_filter, sharpness);
SAME_OFFSET(vp8e_mp_frame_filter_t, cudame_frame_filter, recon);
SAME_OFFSET(vp8e_mp_frame_filter_t, cudame_frame_filter, partition);
SAME_SIZE(vp8e_mp_partition_t, cudame_partition);
SAME_OFFSET(vp8e_mp_partition_t, cudame_partition, data);
SAME_OFFSET(vp8e_mp_partition_t, cudame_partition, bits);
SAME_OFFSET(vp8e_mp_partition_t, cudame_partition, range);
SAME_OFFSET(vp8e_mp_frame_filter_t, cudame_frame_filter, modes);
SAME_SIZE(vp8e_mp_modes_t, cudame_modes);
SAME_OFFSET(vp8e_mp_modes_t, cudame_modes, bmode);
SAME_OFFSET(vp8e_mp_modes_t, cudame_modes, mv);
SAME_OFFSET(vp8e_mp_modes_t, cudame_modes, start_range);
SAME_OFFSET(vp8e_mp_modes_t, cudame_modes, key_bmode);
SAME_OFFSET(vp8e_mp_modes_t, cudame_modes, data);
SAME_OFFSET(vp8e_mp_modes_t, cudame_modes, bits);
SAME_OFFSET(vp8e_mp_modes_t, cudame_modes, range);

cudame_whole_frame *ToCudame(vp8e_mp_whole_frame_t *frame) {
    return reinterpret_cast<cudame_whole_frame *>(frame);
}
const cudame_frame_filter *ToCudame(const vp8e_mp_frame_filter_t *filter) {
    return reinterpret_cast<const cudame_frame_filter *>(filter);
}
cudame_partition *ToCudame(vp8e_mp_partition_t *partition) {
    return reinterpret_cast<cudame_partition *>(partition);
}

cudame_modes *ToCudame(vp8e_mp_modes_t *modes) { return reinterpret_cast<cudame_modes *>(modes); }

vp8e_mp_first_pass_counts_t FromCudame(const cudame_first_pass_counts &c) {
    vp8e_mp_first_pass_counts_t counts{};
    counts.intra_error = c.intra_error;
    counts.coded_error = c.coded_error;
    counts.inter = c.inter;
    counts.second_ref = c.second_ref;
    counts.neutral = c.neutral;
    counts.moving = c.moving;
    counts.new_mv = c.new_mv;
    counts.inwards = c.inwards;
    counts.mv_row = c.mv_row;
    counts.mv_col = c.mv_col;
    counts.mv_row_abs = c.mv_row_abs;
    counts.mv_col_abs = c.mv_col_abs;
    counts.mv_row_squares = c.mv_row_squares;
    counts.mv_col_squares = c.mv_col_squares;
    return counts;
}

}  // namespace provider_test
