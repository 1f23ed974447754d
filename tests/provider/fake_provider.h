/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// A motion provider that records the encoder's calls, checks that they keep the contract of
// vpx/vp8_motion_provider.h, and gives the answers that a test sets.

#ifndef TESTS_PROVIDER_FAKE_PROVIDER_H
#define TESTS_PROVIDER_FAKE_PROVIDER_H

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

#include "vpx/vp8_motion_provider.h"

namespace cudame {
class ScalarFrameCoder;
}

namespace provider_test {

// Motion of a macroblock: of the whole one and of its 24 smaller blocks.
struct Motion {
    vp8e_mp_mv_t mv[25];
    uint16_t dist[25], flags;
};

class FakeProvider {
  public:
    // Fills the record of a macroblock. x, y: its position in macroblocks. ref: 1 to 3.
    using Fill =
        std::function<void(Motion *mb, const vp8e_mp_frame_t &frame, int x, int y, int ref)>;
    FakeProvider();
    ~FakeProvider();

    const vp8e_motion_provider_t *get() const { return &callbacks_; }
    void RepairThreads() { callbacks_.repair_threads = 1; }
    void Lookahead(int frames) { callbacks_.lookahead = frames; }

    // Asks for a guided mode decision. The intra estimates are random, but equal in each run.
    void Guide(int level);

    // Does the first pass of a lookahead's frames. May be called by any thread.
    using FirstPass =
        std::function<int(const vp8e_mp_first_pass_t &, vp8e_mp_first_pass_counts_t *)>;
    void DoFirstPass(FirstPass first_pass);

    // Makes the provider return the errors that loop-filter levels leave, by cudame.
    void KnowFilterLevels();

    // Makes the provider code whole frames, by cudame's scalar coder.
    void CodeFrames();
    // n: number of the code_frame call, from 0. A call that fails leaves noise in the planes.
    std::function<bool(int n)> code_fails;
    std::function<void(const vp8e_mp_whole_frame_t &)> on_coded;
    // n: as above. Whether the provider keeps the reconstruction, if it may, and leaves noise in
    // the planes; empty: it keeps all.
    std::function<bool(int n)> keeps_recon;
    int kept_pictures = 0, needed_pictures = 0;  // needed: filter_frame failed
    int code_calls = 0, coded_frames = 0, denoised_frames = 0;
    // n: number of the filter_frame call, from 0
    std::function<bool(int n)> filter_fails;
    int filter_calls = 0;
    // n: number of the partition that filter_frame was asked for, from 0. It is not written, but
    // the frame is filtered.
    std::function<bool(int n)> partition_fails;
    // Called with the bytes of a partition, before libvpx gets them.
    std::function<void(std::vector<uint8_t> *data)> on_partition;
    int partition_calls = 0, partitions = 0;  // asked for; given with data
    // The same for modes.
    std::function<bool(int n)> modes_fail;
    std::function<void(std::vector<uint8_t> *data)> on_modes;
    int modes_calls = 0, modes = 0;
    int filtered_references = 0;  // that filter_frame() made
    int unusable_frames = 0;  // number of frames that the coder refused because of their records

    Fill fill;  // fills the rows; empty: rows stay NULL
    std::function<bool(int mb_row)> intra_fails;
    int intra_calls = 0;
    std::function<bool(int frame)> begin_fails;  // frame: number of the frame_begin call, from 0
    std::function<bool(int mb_row)> row_fails;
    std::function<void(const vp8e_mp_frame_t &)> on_begin;

    int begun = 0, ended = 0, keys = 0;
    int without_motion = 0;  // number of frames that were begun without a reference to search
    int row_calls = 0, recoded_rows = 0;
    enum FilterAnswer { kKnows, kRefuses, kFails };
    std::function<FilterAnswer(int n)> filter_answer;  // n: frame, from 0; empty: kKnows
    int filter_asked = 0;                              // number of filter_begin calls
    // Called by filter_begin with the coded macroblocks of the frame.
    std::function<void(std::vector<vp8e_mp_coded_t> *coded)> on_filter_begin;
    int filter_sources = 0;  // number of filter_begin calls with another picture than the source
    int filter_samples = 0;  // number of calls for a sample of the rows
    int freed = 0;           // number of memory_freed calls while planes were known
    int first_pass_freed = 0;
    unsigned last_look = 0;  // sum of pixels of known planes, which must still be readable
    std::set<uint64_t> buffers_seen;

    // Luma of the source and of the last-frame reference of each frame begun.
    std::vector<std::vector<uint8_t>> sources, last_refs;
    bool keep_planes = false;
    bool rows_without_motion = false;  // rows may be asked for even if no reference is searched
    bool all_rows = false;             // give rows also for references that are not searched
    std::function<bool(int frame, int ref)> withholds;  // gives no rows of this reference
    bool no_splits = false;  // give NULL, even if flags of the records say that there are splits

  private:
    int FrameBegin(const vp8e_mp_frame_t *frame);
    int Row(int mb_row, const vp8e_mp_mb_t *rows[4], const vp8e_mp_split_t *splits[4]);
    int IntraRow(int mb_row, const vp8e_mp_intra_t **row);
    void ReferenceReady(const vp8e_mp_ref_t *ref, int first_row, int rows);
    int FilterBegin(const vp8e_mp_loop_filter_t &filter);
    int FilterErrors(uint32_t *errors);
    int CodeFrame(vp8e_mp_whole_frame_t *frame);
    void CheckDenoiser(const vp8e_mp_denoiser_t &denoiser);
    std::vector<uint8_t> Denoised(const vp8e_mp_picture_t &picture, bool has_chroma) const;
    int FilterFrame(const vp8e_mp_frame_filter_t &filter);
    // Writes a partition or modes that are not missing, and keeps a copy in *bytes.
    template <class Written>
    void Write(Written *written, int *given, std::vector<uint8_t> *bytes,
               const std::function<void(std::vector<uint8_t> *data)> &on_bytes);
    bool Code(vp8e_mp_whole_frame_t *frame);
    void KeepRecon(const vp8e_mp_picture_t &recon);
    vp8e_mp_picture_t Recon() const;
    void FrameEnd(uint64_t frame_id, int is_key, const uint64_t live[4]);

    void MemoryReady(const uint8_t *memory, size_t size);
    void MemoryFreed();
    // Whether rows of a plane are in announced memory.
    bool Announced(const uint8_t *plane, int stride, int rows, int border) const;

    vp8e_motion_provider_t callbacks_{};
    FirstPass first_pass_;
    std::mutex mutex_;
    bool in_frame_ = false, filters_ = false;
    vp8e_mp_loop_filter_t filter_{};
    int searched_ = 0;
    uint64_t last_frame_id_ = 0;
    vp8e_mp_frame_t frame_{};
    std::set<const uint8_t *> planes_;  // planes seen since the last memory_freed call
    std::map<const uint8_t *, const uint8_t *> memory_;  // begin and end of announced memory
    std::map<uint64_t, uint64_t> content_;               // id -> hash of the plane
    std::vector<vp8e_mp_mb_t> field_[4];
    std::vector<vp8e_mp_split_t> splits_[4];
    std::vector<vp8e_mp_intra_t> intra_;
    std::vector<int> row_count_;
    std::unique_ptr<cudame::ScalarFrameCoder> coder_;
    std::map<uint64_t, std::vector<uint8_t>> denoised_;  // id -> pixels of a denoised picture
    bool is_coded_ = false;                              // the frame, as a whole
    bool is_filtered_ = false;                           // likewise
    vp8e_mp_picture_t coded_recon_{};
    std::vector<uint8_t> kept_[3];  // planes without stride; empty: coded_recon_ has the picture
    uint64_t filtered_id_ = 0;      // of the picture that FilterFrame() made last
    std::vector<uint8_t> filtered_luma_;
    // libvpx may read these until the frame ends.
    std::vector<vp8e_mp_coded_t> coded_;
    std::vector<vp8e_mp_blocks_t> blocks_;
    std::vector<vp8e_mp_token_t> tokens_;
    std::vector<uint8_t> partition_, modes_;
};

std::vector<uint8_t> CopyPlane(const uint8_t *data, int stride, int width, int height);

}  // namespace provider_test

#endif  // TESTS_PROVIDER_FAKE_PROVIDER_H
