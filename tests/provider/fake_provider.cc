/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "fake_provider.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

#include "cpu/frame_coder.h"
#include "to_cudame.h"

namespace provider_test {

namespace {

// FNV-1a of the plane and its border.
uint64_t HashRef(const vp8e_mp_ref_t &ref) {
    uint64_t h = 0xcbf29ce484222325u;
    for (int y = -ref.border; y < ref.height + ref.border; y++) {
        const uint8_t *row = ref.y + ptrdiff_t(y) * ref.stride;
        for (int x = -ref.border; x < ref.width + ref.border; x++) {
            h = (h ^ row[x]) * 0x100000001b3u;
        }
    }
    return h;
}

// Half the sum of the absolute coefficients of the 4x4 Hadamard transforms of the differences.
template <int kSize>
uint32_t Satd(const uint8_t *a, ptrdiff_t as, const uint8_t *b, ptrdiff_t bs) {
    uint32_t sum = 0;
    for (int by = 0; by < kSize; by += 4) {
        for (int bx = 0; bx < kSize; bx += 4) {
            for (int v = 0; v < 4; v++) {
                for (int u = 0; u < 4; u++) {
                    // An entry of the Hadamard matrix is -1 if the two indices have an odd
                    // number of common bits.
                    int c = 0;
                    for (int y = 0; y < 4; y++) {
                        for (int x = 0; x < 4; x++) {
                            const int bits = (v & y) ^ ((u & x) << 2);
                            const int d = a[(by + y) * as + bx + x] - b[(by + y) * bs + bx + x];
                            c += __builtin_parity(unsigned(bits)) ? -d : d;
                        }
                    }
                    sum += uint32_t(c < 0 ? -c : c);
                }
            }
        }
    }
    return sum / 2;
}

}  // namespace

std::vector<uint8_t> CopyPlane(const uint8_t *data, int stride, int width, int height) {
    std::vector<uint8_t> out;
    for (int y = 0; y < height; y++) {
        const uint8_t *row = data + ptrdiff_t(y) * stride;
        out.insert(out.end(), row, row + width);
    }
    return out;
}

FakeProvider::FakeProvider() {
    callbacks_.abi_version = VP8E_MP_ABI_VERSION;
    callbacks_.priv = this;
    callbacks_.repair_drops = 1;
    callbacks_.frame_begin = [](void *p, const vp8e_mp_frame_t *f) {
        return static_cast<FakeProvider *>(p)->FrameBegin(f);
    };
    callbacks_.row = [](void *p, int mb_row, const vp8e_mp_mb_t *rows[4],
                        const vp8e_mp_split_t *splits[4]) {
        return static_cast<FakeProvider *>(p)->Row(mb_row, rows, splits);
    };
    callbacks_.reference_ready = [](void *p, const vp8e_mp_ref_t *r, int first, int rows) {
        static_cast<FakeProvider *>(p)->ReferenceReady(r, first, rows);
    };
    callbacks_.memory_ready = [](void *p, const void *memory, size_t size) {
        static_cast<FakeProvider *>(p)->MemoryReady(static_cast<const uint8_t *>(memory), size);
    };
    callbacks_.memory_freed = [](void *p) { static_cast<FakeProvider *>(p)->MemoryFreed(); };
    callbacks_.frame_counts = [](void *, const vp8e_mp_counts_t *counts) {
        const auto sum = [](const int *n, int size) { return std::accumulate(n, n + size, 0); };
        EXPECT_EQ(sum(counts->mode, VP8E_MP_MODES), counts->macroblocks);
        EXPECT_EQ(sum(counts->ref, 4), counts->macroblocks);
        EXPECT_LE(counts->guided, counts->macroblocks);
        EXPECT_LE(counts->untried, counts->guided);
        EXPECT_LE(counts->skipped, counts->macroblocks);
    };
    callbacks_.frame_end = [](void *p, uint64_t id, int key, const uint64_t live[4]) {
        static_cast<FakeProvider *>(p)->FrameEnd(id, key, live);
    };
}

FakeProvider::~FakeProvider() = default;

void FakeProvider::Guide(int level) {
    callbacks_.guide = level;
    callbacks_.satd[0] = Satd<16>;
    callbacks_.satd[1] = Satd<8>;
    callbacks_.satd[2] = Satd<4>;
    callbacks_.intra_row = [](void *p, int mb_row, const vp8e_mp_intra_t **row) {
        return static_cast<FakeProvider *>(p)->IntraRow(mb_row, row);
    };
}

void FakeProvider::DoFirstPass(FirstPass first_pass) {
    first_pass_ = std::move(first_pass);
    callbacks_.first_pass = [](void *p, const vp8e_mp_first_pass_t *frame,
                               vp8e_mp_first_pass_counts_t *counts) {
        return static_cast<FakeProvider *>(p)->first_pass_(*frame, counts);
    };
    callbacks_.first_pass_freed = [](void *p) {
        static_cast<FakeProvider *>(p)->first_pass_freed++;
    };
}

void FakeProvider::KnowFilterLevels() {
    callbacks_.filter_begin = [](void *p, const vp8e_mp_loop_filter_t *filter) {
        return static_cast<FakeProvider *>(p)->FilterBegin(*filter);
    };
    callbacks_.filter_errors = [](void *p, uint32_t *errors) {
        return static_cast<FakeProvider *>(p)->FilterErrors(errors);
    };
}

void FakeProvider::CodeFrames() {
    coder_ = std::make_unique<cudame::ScalarFrameCoder>();
    callbacks_.code_frame = [](void *p, vp8e_mp_whole_frame_t *frame) {
        return static_cast<FakeProvider *>(p)->CodeFrame(frame);
    };
    callbacks_.filter_frame = [](void *p, const vp8e_mp_frame_filter_t *filter) {
        return static_cast<FakeProvider *>(p)->FilterFrame(*filter);
    };
}

// Stores values that the encoder must not use if the callback fails. is_missing: it stores no data.
template <class Written>
static void StoreNonsense(bool is_missing, Written *written) {
    written->data = is_missing ? nullptr : reinterpret_cast<const uint8_t *>(8);
    written->bits = 12345;
    written->range = 200;
}

// Fills the planes of a picture of mb_rows x mb_cols macroblocks.
static void Scribble(const vp8e_mp_picture_t &picture, int mb_rows, int mb_cols, unsigned seed) {
    std::minstd_rand rng(seed);
    for (int p = 0; p < 3; p++) {
        const int size = p ? 8 : 16;
        for (int y = 0; y < size * mb_rows; y++) {
            uint8_t *row =
                picture.plane[p] + ptrdiff_t(y) * (p ? picture.uv_stride : picture.stride);
            std::generate_n(row, size * mb_cols, [&] { return uint8_t(rng() >> 8); });
        }
    }
}

void FakeProvider::KeepRecon(const vp8e_mp_picture_t &recon) {
    for (int p = 0; p < 3; p++) {
        const int size = p ? 8 : 16;
        kept_[p] = CopyPlane(recon.plane[p], p ? recon.uv_stride : recon.stride,
                             size * frame_.mb_cols, size * frame_.mb_rows);
    }
    Scribble(recon, frame_.mb_rows, frame_.mb_cols, unsigned(kept_pictures));
    kept_pictures++;
}

// The picture of the frame before the filter.
vp8e_mp_picture_t FakeProvider::Recon() const {
    if (kept_[0].empty()) return coded_recon_;
    vp8e_mp_picture_t picture{};
    for (int p = 0; p < 3; p++) picture.plane[p] = const_cast<uint8_t *>(kept_[p].data());
    picture.stride = 16 * frame_.mb_cols;
    picture.uv_stride = 8 * frame_.mb_cols;
    return picture;
}

int FakeProvider::FilterFrame(const vp8e_mp_frame_filter_t &filter) {
    EXPECT_TRUE(in_frame_ && is_coded_);
    EXPECT_FALSE(is_filtered_ || filters_);
    is_filtered_ = true;
    for (int p = 0; p < 3; p++) EXPECT_EQ(filter.recon.plane[p], coded_recon_.plane[p]);
    EXPECT_TRUE(filter.sharpness >= 0 && filter.sharpness <= 7);
    const int mbs = frame_.mb_rows * frame_.mb_cols;
    EXPECT_TRUE(std::all_of(filter.macroblocks, filter.macroblocks + mbs, [](uint8_t mb) {
        return (mb & ~VP8E_MP_FILTER_INNER) < VP8E_MP_FILTER_LEVELS;
    }));
    const int n = filter_calls++;
    const vp8e_mp_picture_t &to = filter.filtered;
    for (int p = 0; p < 3; p++) {
        EXPECT_TRUE(Announced(to.plane[p], p ? to.uv_stride : to.stride,
                              (p ? 8 : 16) * frame_.mb_rows, p ? 16 : 32));
    }
    vp8e_mp_partition_t *const partition = filter.partition;
    if (partition) {
        const int asked = partition_calls++;
        EXPECT_EQ(std::count(partition->probs, partition->probs + 96 * 11, 0), 0);
        StoreNonsense(partition_fails && partition_fails(asked), partition);
    }
    if (filter.modes) {
        const int asked = modes_calls++;
        EXPECT_EQ(filter.is_key != 0, filter.modes->key_bmode != nullptr);
        EXPECT_TRUE(filter.modes->start_range >= 128 && filter.modes->start_range <= 255);
        StoreNonsense(modes_fail && modes_fail(asked), filter.modes);
    }
    if (filter_fails && filter_fails(n)) {
        std::fill_n(to.plane[0], 16 * frame_.mb_cols, uint8_t(n));  // a part of a picture
        needed_pictures += !kept_[0].empty();
        return -1;
    }
    if (partition) Write(partition, &partitions, &partition_, on_partition);
    if (filter.modes) Write(filter.modes, &modes, &modes_, on_modes);
    vp8e_mp_frame_filter_t unfiltered = filter;
    unfiltered.recon = Recon();
    cudame::FilterOnCpu(*ToCudame(&unfiltered),
                        cudame::MakeGeometry(16 * frame_.mb_cols, 16 * frame_.mb_rows));
    filtered_id_ = to.id;
    filtered_luma_ = CopyPlane(to.plane[0], to.stride, 16 * frame_.mb_cols, 16 * frame_.mb_rows);
    return 0;
}

template <class Written>
void FakeProvider::Write(Written *written, int *given, std::vector<uint8_t> *bytes,
                         const std::function<void(std::vector<uint8_t> *data)> &on_bytes) {
    if (!written->data) return;
    coder_->Write(ToCudame(written));
    if (!written->data) return;
    ++*given;
    bytes->assign(written->data, written->data + (written->bits + 15) / 8);
    if (on_bytes) on_bytes(bytes);
    written->data = bytes->data();
}

// The pixels of a denoised picture.
std::vector<uint8_t> FakeProvider::Denoised(const vp8e_mp_picture_t &picture,
                                            bool has_chroma) const {
    std::vector<uint8_t> pixels;
    for (int p = 0; p < (has_chroma ? 3 : 1); p++) {
        const int size = p ? 8 : 16, width = size * frame_.mb_cols;
        for (int y = 0; y < size * frame_.mb_rows; y++) {
            const uint8_t *row =
                picture.plane[p] + ptrdiff_t(y) * (p ? picture.uv_stride : picture.stride);
            pixels.insert(pixels.end(), row, row + width);
        }
    }
    return pixels;
}

// A picture with an id that was seen has the same pixels.
void FakeProvider::CheckDenoiser(const vp8e_mp_denoiser_t &d) {
    EXPECT_NE(d.denoised.id, 0);
    EXPECT_FALSE(denoised_.count(d.denoised.id)) << "a new picture has an old id";
    EXPECT_TRUE(Announced(d.denoised.plane[0], d.denoised.stride, 16 * frame_.mb_rows, 0));
    for (int i = 1; i < 4; i++) {
        const vp8e_mp_picture_t &picture = d.ref[i];
        if (!picture.plane[0]) continue;
        EXPECT_NE(picture.plane[0], d.denoised.plane[0]);
        EXPECT_NE(picture.id, 0);
        EXPECT_NE(picture.id, d.denoised.id);
        EXPECT_TRUE(Announced(picture.plane[0], picture.stride, 16 * frame_.mb_rows, 0));
        const auto pixels = Denoised(picture, d.has_chroma);
        const auto seen = denoised_.emplace(picture.id, pixels).first;
        EXPECT_TRUE(seen->second == pixels) << "reference " << i << " has changed";
    }
    for (auto i = denoised_.begin(); i != denoised_.end();) {
        const bool used =
            std::any_of(d.ref, d.ref + 4, [&](auto &ref) { return ref.id == i->first; });
        i = used ? std::next(i) : denoised_.erase(i);
    }
}

int FakeProvider::CodeFrame(vp8e_mp_whole_frame_t *frame) {
    EXPECT_TRUE(in_frame_);
    EXPECT_EQ(std::count(row_count_.begin(), row_count_.end(), 0), frame_.mb_rows)
        << "rows were asked for before the whole frame";
    EXPECT_EQ(frame->frame_id, frame_.frame_id);
    EXPECT_EQ(frame->mb_cols, frame_.mb_cols);
    EXPECT_EQ(frame->mb_rows, frame_.mb_rows);
    EXPECT_EQ(frame->source.plane[0], frame_.src);
    for (int i = 1; i < 4; i++) {
        const vp8e_mp_picture_t &ref = frame->ref[i];
        if (!frame->denoiser) {
            EXPECT_EQ(ref.plane[0] != nullptr, frame_.ref[i].searched != 0) << "reference " << i;
        }
        if (!ref.plane[0]) {
            EXPECT_FALSE(frame_.ref[i].searched);
            continue;
        }
        EXPECT_NE(ref.id, 0);
        if (!frame_.ref[i].searched) continue;
        EXPECT_EQ(ref.plane[0], frame_.ref[i].y);
        EXPECT_EQ(ref.id, frame_.ref[i].id);
        EXPECT_NE(ref.plane[0], frame->recon.plane[0]);
    }
    EXPECT_FALSE(filters_);
    is_coded_ = false;
    if (frame->denoiser) CheckDenoiser(*frame->denoiser);
    const int n = code_calls++;
    if (!code_fails || !code_fails(n)) {
        if (Code(frame)) {
            coded_frames++;
            is_coded_ = true;
            is_filtered_ = false;
            coded_recon_ = frame->recon;
            for (auto &plane : kept_) plane.clear();
            if (frame->may_keep_recon && (!keeps_recon || keeps_recon(n))) {
                KeepRecon(frame->recon);
                frame->has_recon = 0;
            }
            if (frame->denoiser) {
                denoised_frames++;
                denoised_[frame->denoiser->denoised.id] =
                    Denoised(frame->denoiser->denoised, frame->denoiser->has_chroma);
            }
            if (on_coded) on_coded(*frame);
            return 0;
        }
        unusable_frames++;
    }
    // The provider may have written to its output.
    const auto scribble = [&](const vp8e_mp_picture_t &picture) {
        Scribble(picture, frame->mb_rows, frame->mb_cols, unsigned(frame->frame_id));
    };
    scribble(frame->recon);
    if (frame->denoiser) scribble(frame->denoiser->denoised);
    // The encoder must not use the values that a failed callback stored.
    frame->coded = reinterpret_cast<const vp8e_mp_coded_t *>(8);
    frame->blocks = reinterpret_cast<const vp8e_mp_blocks_t *>(8);
    frame->tokens = reinterpret_cast<const vp8e_mp_token_t *>(8);
    frame->token_counts = reinterpret_cast<const uint32_t *>(8);
    frame->new_memory = reinterpret_cast<const vp8e_mp_memory_t *>(8);
    return -1;
}

// Returns whether the frame's records are usable. cudame's records always have a vector.
bool FakeProvider::Code(vp8e_mp_whole_frame_t *frame) {
    for (const vp8e_mp_picture_t *p : {&frame->source, &frame->recon}) {
        EXPECT_TRUE(Announced(p->plane[0], p->stride, 16 * frame->mb_rows, 0));
        for (int i : {1, 2}) {
            EXPECT_TRUE(Announced(p->plane[i], p->uv_stride, 8 * frame->mb_rows, 0));
        }
    }
    cudame::FrameRecords records = {};
    records.intra = reinterpret_cast<const cudame_intra *>(intra_.data());
    for (int i = 1; i < 4; i++) {
        if (!fill || !(frame_.ref[i].searched || all_rows)) continue;
        for (const vp8e_mp_mb_t &mb : field_[i]) {
            if (mb.flags & VP8E_MP_MB_NONE) return false;
        }
        records.records[i] = reinterpret_cast<const cudame_mb *>(field_[i].data());
        if (no_splits) continue;
        records.splits[i] = reinterpret_cast<const cudame_split *>(splits_[i].data());
    }
    if (!coder_->Code(records, ToCudame(frame))) return false;
    coded_.assign(frame->coded, frame->coded + frame->mb_rows * frame->mb_cols);
    size_t end = 0;
    for (const vp8e_mp_coded_t &mb : coded_) {
        end = std::max(end, size_t(mb.first_token) + mb.tokens);
    }
    tokens_.assign(frame->tokens, frame->tokens + end);
    blocks_.assign(frame->blocks, frame->blocks + coded_.size());
    frame->coded = coded_.data();
    frame->blocks = blocks_.data();
    frame->tokens = tokens_.data();
    return true;
}

int FakeProvider::FilterBegin(const vp8e_mp_loop_filter_t &filter) {
    EXPECT_TRUE(in_frame_);
    EXPECT_FALSE(filters_);
    EXPECT_EQ(filter.mb_cols, frame_.mb_cols);
    EXPECT_EQ(filter.mb_rows, frame_.mb_rows);
    filter_samples += filter.step > 0;
    filter_sources += filter.source != nullptr;
    if (filter_answer && filter_answer(filter_asked++) == kRefuses) return -1;
    filter_asked += !filter_answer;
    filter_ = filter;
    if (is_coded_ && !kept_[0].empty()) {
        filter_.y = kept_[0].data();
        filter_.stride = 16 * frame_.mb_cols;
        filter_.border = 0;
        EXPECT_NE(filter.rows, 0) << "the search would read the picture";
    }
    filters_ = true;
    if (on_filter_begin) on_filter_begin(&coded_);
    return 0;
}

int FakeProvider::FilterErrors(uint32_t *errors) {
    EXPECT_TRUE(in_frame_ && filters_);
    filters_ = false;
    if (filter_answer && filter_answer(filter_asked - 1) == kFails) {
        memset(errors, 0, size_t(filter_.levels) * sizeof(*errors));
        return -1;
    }
    cudame_config config;
    cudame_config_default(&config);
    config.width = 16 * filter_.mb_cols;
    config.height = 16 * filter_.mb_rows;
    cudame_context *ctx = nullptr;
    char err[256];
    EXPECT_EQ(cudame_create(&ctx, &config, err, sizeof(err)), 0) << err;
    cudame_frame frame{};
    frame.source.data = frame_.src;
    frame.source.stride = frame_.src_stride;
    frame.source.width = config.width;
    frame.source.height = config.height;
    const cudame_loop_filter f = ToCudame(filter_);
    EXPECT_EQ(cudame_begin_frame(ctx, &frame), 0) << cudame_last_error(ctx);
    EXPECT_EQ(cudame_loop_filter_start(ctx, &f), 0) << cudame_last_error(ctx);
    EXPECT_EQ(cudame_loop_filter_errors(ctx, errors), 0) << cudame_last_error(ctx);
    cudame_destroy(ctx);
    return 0;
}

int FakeProvider::IntraRow(int mb_row, const vp8e_mp_intra_t **row) {
    std::lock_guard<std::mutex> lock(mutex_);
    EXPECT_TRUE(in_frame_);
    EXPECT_TRUE(row_count_[mb_row] || !searched_) << "estimates were asked for before the row";
    EXPECT_FALSE(is_coded_);
    intra_calls++;
    if (intra_fails && intra_fails(mb_row)) {
        *row = reinterpret_cast<const vp8e_mp_intra_t *>(8);
        return -1;
    }
    *row = &intra_[size_t(mb_row) * frame_.mb_cols];
    return 0;
}

int FakeProvider::FrameBegin(const vp8e_mp_frame_t *frame) {
    EXPECT_FALSE(in_frame_) << "frame " << frame->frame_id << " begun twice";
    EXPECT_GT(frame->frame_id, last_frame_id_);
    in_frame_ = true;
    is_coded_ = false;
    last_frame_id_ = frame->frame_id;
    frame_ = *frame;
    begun++;
    planes_.insert(frame->src);
    EXPECT_TRUE(frame->mv_cost[0] && frame->mv_cost[1]);
    EXPECT_GT(frame->sad_per_bit, 0);
    searched_ = 0;
    for (int i = 1; i < 4; i++) {
        const vp8e_mp_ref_t &ref = frame->ref[i];
        if (!ref.searched) continue;
        searched_++;
        planes_.insert(ref.y);
        EXPECT_TRUE(Announced(ref.y, ref.stride, ref.height, 32));
        EXPECT_NE(ref.id, 0u);
        EXPECT_GE(ref.border, 32);
        EXPECT_EQ(ref.width, frame->mb_cols * 16);
        EXPECT_EQ(ref.height, frame->mb_rows * 16);
        EXPECT_EQ(content_.count(ref.id), 1u) << "reference " << i << " was not announced";
        EXPECT_EQ(content_[ref.id], HashRef(ref))
            << "the content of buffer " << ref.id << " changed";
    }
    EXPECT_TRUE(searched_ || callbacks_.guide);
    without_motion += !searched_;
    row_count_.assign(frame->mb_rows, 0);
    for (int i = 1; i < 4; i++) {
        field_[i].assign(size_t(frame->mb_rows) * frame->mb_cols, vp8e_mp_mb_t());
        splits_[i].assign(field_[i].size(), vp8e_mp_split_t());
        if (!fill || !(frame->ref[i].searched || all_rows)) continue;
        for (int y = 0; y < frame->mb_rows; y++) {
            for (int x = 0; x < frame->mb_cols; x++) {
                const size_t at = size_t(y) * frame->mb_cols + x;
                Motion motion = {};
                fill(&motion, *frame, x, y, i);
                field_[i][at] = {motion.mv[0], motion.dist[0], 0, motion.flags, {}};
                std::copy_n(motion.mv + 1, 24, splits_[i][at].mv);
                std::copy_n(motion.dist + 1, 24, splits_[i][at].dist);
            }
        }
    }
    EXPECT_EQ(frame->bmode_cost != nullptr, callbacks_.guide != 0);
    std::minstd_rand rng(static_cast<unsigned>(frame->frame_id));
    intra_.assign(row_count_.size() * size_t(frame->mb_cols), vp8e_mp_intra_t());
    for (vp8e_mp_intra_t &intra : intra_) {
        for (uint16_t &satd : intra.satd16) satd = uint16_t(rng() % 4000);
        intra.cost4 = uint16_t(rng() % 4000);
        for (uint8_t &mode : intra.mode4) mode = uint8_t(rng() >> 8);  // some are no mode
    }
    if (keep_planes) {
        const int w = frame->mb_cols * 16, h = frame->mb_rows * 16;
        sources.push_back(CopyPlane(frame->src, frame->src_stride, w, h));
        last_refs.push_back(frame->ref[1].searched
                                ? CopyPlane(frame->ref[1].y, frame->ref[1].stride, w, h)
                                : std::vector<uint8_t>());
    }
    if (on_begin) on_begin(*frame);
    return begin_fails && begin_fails(begun - 1) ? -1 : 0;
}

int FakeProvider::Row(int mb_row, const vp8e_mp_mb_t *rows[4], const vp8e_mp_split_t *splits[4]) {
    std::lock_guard<std::mutex> lock(mutex_);
    EXPECT_TRUE(in_frame_);
    EXPECT_GE(mb_row, 0);
    EXPECT_LT(mb_row, frame_.mb_rows);
    EXPECT_TRUE(searched_ || rows_without_motion);
    EXPECT_FALSE(is_coded_);
    row_calls++;
    if (row_count_[mb_row]++) recoded_rows++;
    if (row_fails && row_fails(mb_row)) {
        // The encoder must not use the values that a failed callback stored.
        for (int i = 1; i < 4; i++) {
            rows[i] = reinterpret_cast<const vp8e_mp_mb_t *>(8);
            splits[i] = reinterpret_cast<const vp8e_mp_split_t *>(8);
        }
        return -1;
    }
    for (int i = 1; i < 4; i++) {
        const size_t at = size_t(mb_row) * frame_.mb_cols;
        const bool given =
            fill && (frame_.ref[i].searched || all_rows) && !(withholds && withholds(begun - 1, i));
        rows[i] = given ? &field_[i][at] : nullptr;
        splits[i] = given && !no_splits ? &splits_[i][at] : nullptr;
    }
    return 0;
}

void FakeProvider::ReferenceReady(const vp8e_mp_ref_t *ref, int first_row, int rows) {
    EXPECT_FALSE(in_frame_);
    EXPECT_NE(ref->id, 0u);
    EXPECT_EQ(first_row, 0);
    EXPECT_EQ(rows, ref->height);
    buffers_seen.insert(ref->id);
    EXPECT_EQ(content_.count(ref->id), 0u) << "buffer " << ref->id << " announced twice";
    content_[ref->id] = HashRef(*ref);
    if (ref->id != filtered_id_) return;
    filtered_references++;
    EXPECT_TRUE(CopyPlane(ref->y, ref->stride, ref->width, ref->height) == filtered_luma_)
        << "reference " << ref->id << " is not what filter_frame() made";
}

void FakeProvider::MemoryReady(const uint8_t *memory, size_t size) {
    EXPECT_FALSE(in_frame_);
    memory_[memory] = memory + size;
}

bool FakeProvider::Announced(const uint8_t *plane, int stride, int rows, int border) const {
    const uint8_t *const begin = plane - border * (stride + 1);
    const auto next = memory_.upper_bound(begin);
    // The rows, but for the border to the right of the last one.
    return next != memory_.begin() &&
           plane + (rows - 1 + border) * stride < std::prev(next)->second;
}

// Read a pixel of each plane: a sanitizer reports it if the memory is already freed.
void FakeProvider::MemoryFreed() {
    EXPECT_FALSE(in_frame_);
    freed += !planes_.empty();
    for (const uint8_t *plane : planes_) last_look += *plane;
    planes_.clear();
    memory_.clear();
}

void FakeProvider::FrameEnd(uint64_t frame_id, int is_key, const uint64_t live[4]) {
    EXPECT_GE(frame_id, last_frame_id_);
    EXPECT_FALSE(filters_);
    last_frame_id_ = frame_id;
    in_frame_ = false;
    // The encoder must not read these any more.
    std::fill(partition_.begin(), partition_.end(), uint8_t(0xa5));
    std::fill(modes_.begin(), modes_.end(), uint8_t(0xa5));
    std::fill(tokens_.begin(), tokens_.end(), 0xa5a5a5a5u);
    for (vp8e_mp_coded_t &mb : coded_) memset(&mb, 0xa5, sizeof(mb));
    for (vp8e_mp_blocks_t &mb : blocks_) memset(&mb, 0xa5, sizeof(mb));
    partition_.clear();
    modes_.clear();
    tokens_.clear();
    coded_.clear();
    blocks_.clear();
    ended++;
    keys += is_key;
    if (is_key) {
        EXPECT_EQ(live[1], live[2]);
        EXPECT_EQ(live[1], live[3]);
    }
}

}  // namespace provider_test
