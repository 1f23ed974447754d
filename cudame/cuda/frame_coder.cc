// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

#include "cuda/frame_coder.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <utility>

#include "common/coder/macroblock.h"
#include "common/error.h"
#include "cuda/frame_coder_buffers.h"
#include "cuda/nap.h"

namespace cudame {
namespace {

using std::chrono::steady_clock;

// How long to wait for each of a frame's steps before libvpx does it. Without MPS, processes have
// the device in turns, so that a frame waits for some turns of a few ms. With 1080p this is a
// frame's time at 30 frames a second.
constexpr auto kPatience = std::chrono::milliseconds(16);
constexpr auto kPatiencePerMb = std::chrono::microseconds(2);
// A key frame takes libvpx three times as long as other frames, so it is worth a longer wait.
constexpr int kKeyPatience = 3;
// Between looks at the end of a kernel, and of copies, which take 60 us for 3 MB. Between questions
// for errors, because the driver lets one thread ask at a time.
constexpr auto kNap = std::chrono::microseconds(100);
constexpr auto kCopyNap = std::chrono::microseconds(20);

std::atomic<int> patience_times{1};

// Rows of macroblocks for each multiprocessor from which on a frame is coded in groups of rows, see
// frame_coder.cuh. On an H200, 4 are reached with 8 frames of 1080p. 99.9 % of the frames of 96
// live streams are within 29 ms with 4, 125 ms with 2, and in two runs 39 and 96 ms with 8. A frame
// alone is not coded in groups, because they would leave most of a small device idle. A process
// does not see the frames of others, so with MPS all frames are coded in groups. On an H200 44
// streams of 1080p in 16 processes are then within 26 ms (99.9 %), and within 103 ms otherwise.
constexpr int kManyRows = 4;

// Bytes of shared memory that the kernels have beside the state of rows.
constexpr unsigned kStaticShared = 64;

static_assert(coder_scalar::SharedBytes(6) + kStaticShared <= kLeastSharedBytes,
              "devices without more than 48 KB have groups of six rows");

}  // namespace

void FrameCoder::SetPatience(int times) { patience_times = times; }

FrameCoder::FrameCoder(StreamsPtr streams, Uploader* uploader)
    : streams_(std::move(streams)),
      uploader_(uploader),
      code_rows_(streams_->device(), kernel::kCodeRows),
      code_groups_(streams_->device(), kernel::kCodeGroups),
      code_split_groups_(streams_->device(), kernel::kCodeSplitGroups),
      code_denoised_rows_(streams_->device(), kernel::kCodeDenoisedRows),
      code_denoised_groups_(streams_->device(), kernel::kCodeDenoisedGroups),
      code_key_rows_(streams_->device(), kernel::kCodeKeyRows),
      code_key_groups_(streams_->device(), kernel::kCodeKeyGroups),
      filter_rows_(streams_->device(), kernel::kFilterRows) {
    const unsigned room = streams_->device()->shared_bytes() - kStaticShared;
    while (most_rows_ > 1 && coder_scalar::SharedBytes(most_rows_) > room) most_rows_--;
    for (auto* kernel :
         {&code_groups_, &code_split_groups_, &code_denoised_groups_, &code_key_groups_})
        kernel->AllowShared(coder_scalar::SharedBytes(most_rows_));
}

FrameCoder::~FrameCoder() = default;

void FrameCoder::Resize(const Geometry& g) {
    g_ = g;
    filtered_ = 0;
    buffers_.reset();
    ForgetCoded();
    denoiser_.reset();
}

void FrameCoder::Prepare(StreamName name) {
    Allocate((*streams_)[name]);
    for (int i = 0; i < 4; i++) Staged();  // chroma of the source and of a reference
    buffers_->staged = 0;
}

void FrameCoder::Allocate(CUstream stream) {
    if (!buffers_) buffers_ = std::make_unique<Buffers>(streams_->device(), stream, g_);
}

// Returns memory for a copy of a plane of chroma with its border, for this frame.
uint8_t* FrameCoder::Staged() {
    Buffers& b = *buffers_;
    if (b.staged == b.staged_up.size()) {
        const size_t size = static_cast<size_t>(8 * g_.mb_cols + 2 * kUvBorder) *
                            static_cast<size_t>(8 * g_.mb_rows + 2 * kUvBorder);
        b.staged_up.push_back(std::make_unique<PinnedBuffer>(streams_->device(), size));
    }
    return b.staged_up[b.staged++]->as<uint8_t>();
}

// Enqueues the upload of a plane of chroma with its border, which that on the device has, too.
// in_place: its memory is registered. If not, copies it to pinned memory first.
void FrameCoder::Upload(const cudame_plane& from, const DevicePlane& to, bool in_place,
                        CUstream stream) {
    const size_t width = static_cast<size_t>(from.width + 2 * from.border);
    const size_t height = static_cast<size_t>(from.height + 2 * from.border);
    const uint8_t* first = from.data - from.border * (from.stride + 1);
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = first;
    copy.srcPitch = static_cast<size_t>(from.stride);
    if (!in_place) {
        uint8_t* staged = Staged();
        for (size_t y = 0; y < height; y++)
            memcpy(staged + y * width, first + static_cast<ptrdiff_t>(y) * from.stride, width);
        copy.srcHost = staged;
        copy.srcPitch = width;
    }
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = to.origin() - static_cast<CUdeviceptr>(from.border) *
                                       (static_cast<CUdeviceptr>(to.stride()) + 1);
    copy.dstPitch = static_cast<size_t>(to.stride());
    copy.WidthInBytes = width;
    copy.Height = height;
    CUDAME_CHECK(streams_->device()->driver(), cuMemcpy2DAsync(&copy, stream));
}

void FrameCoder::UploadTables(const Known& known, const cudame_whole_frame& frame, CUstream stream,
                              CoderFrame* f) {
    const Driver& driver = streams_->device()->driver();
    Buffers& b = *buffers_;
    const TableLayout& at = b.layout;
    uint8_t* host = b.host_tables.as<uint8_t>();
    memcpy(host + at.memory, frame.memory, b.mbs * sizeof(cudame_mb_memory));
    memcpy(host + at.rates, frame.rates, sizeof(cudame_rates));
    memcpy(host + at.segments, frame.segments, 4 * sizeof(cudame_segment));
    if (frame.key_bmode) memcpy(host + at.key, frame.key_bmode, TableLayout::kKeyBytes);
    if (frame.segment) memcpy(host + at.map, frame.segment, b.mbs);
    memcpy(host + at.still, frame.still_frames, b.mbs);
    CUDAME_CHECK(driver, cuMemcpyHtoDAsync(b.tables.address(), host, at.size, stream));
    if (!b.has_value_cost) {
        int16_t* cost = b.host_value_cost.as<int16_t>();
        std::copy_n(frame.value_cost - kValues, 2 * kValues, cost);
        CUDAME_CHECK(driver, cuMemcpyHtoDAsync(b.value_cost.address(), cost,
                                               2 * kValues * sizeof(int16_t), stream));
        b.has_value_cost = true;
    }
    const uint8_t* device = b.tables.as<uint8_t>();
    f->memory = reinterpret_cast<const cudame_mb_memory*>(device + at.memory);
    f->rates = reinterpret_cast<const cudame_rates*>(device + at.rates);
    f->segments = reinterpret_cast<const cudame_segment*>(device + at.segments);
    f->key_bmode = frame.key_bmode ? reinterpret_cast<const int*>(device + at.key) : nullptr;
    f->segment = frame.segment ? device + at.map : nullptr;
    f->still_frames = device + at.still;
    f->intra = known.intra;
    f->value_cost = b.value_cost.as<int16_t>() + kValues;
    f->mv_cost[0] = known.costs + kMaxCostIndex;
    f->mv_cost[1] = known.costs + kCostEntries + kMaxCostIndex;
}

// Returns whether the device can write to all planes. Those of luma are registered with the border
// that they have as references.
bool FrameCoder::IsRegistered(const cudame_planes& recon) {
    bool all = true;
    for (int p = 0; p < 3; p++)
        all &= uploader_->memory().Use(PlaneOf(recon, p, g_, p ? kUvBorder : CUDAME_REF_BORDER));
    return all;
}

// Sets *both to a plane that has U, the rows between U and V, and V. Returns false if the device
// has another number of rows between them, or if this memory is not registered.
bool FrameCoder::JoinChroma(const cudame_planes& planes, cudame_plane* both) {
    const int rows = Buffers::RowsOfU(g_);
    const auto distance =
        reinterpret_cast<uintptr_t>(planes.plane[2]) - reinterpret_cast<uintptr_t>(planes.plane[1]);
    if (planes.uv_stride <= 0 ||
        distance != static_cast<uintptr_t>(rows) * static_cast<uintptr_t>(planes.uv_stride))
        return false;
    *both = PlaneOf(planes, 1, g_, 0);
    both->height += rows;
    return uploader_->memory().Has(*both);
}

// Enqueues the download of the chroma of the device's picture to registered memory.
void FrameCoder::EnqueueChroma(const DevicePlane (&from)[3], const cudame_planes& to,
                               CUstream stream) {
    cudame_plane both;
    const CUdeviceptr v = from[1].origin() + static_cast<CUdeviceptr>(Buffers::RowsOfU(g_)) *
                                                 static_cast<CUdeviceptr>(from[1].stride());
    if (from[2].origin() == v && JoinChroma(to, &both))
        return EnqueueDownload(from[1], 1, to.plane[1], to.uv_stride, both.height, stream);
    for (int p = 1; p < 3; p++)
        EnqueueDownload(from[p], p, to.plane[p], to.uv_stride, 8 * g_.mb_rows, stream);
}

// Enqueues the download of a picture of 1 or 3 planes to registered memory.
void FrameCoder::EnqueuePicture(const DevicePlane (&from)[3], int planes, const cudame_planes& to,
                                CUstream stream) {
    EnqueueDownload(from[0], 0, to.plane[0], to.stride, kMb * g_.mb_rows, stream);
    if (planes > 1) EnqueueChroma(from, to, stream);
}

// Enqueues the download of a plane of the device's picture. to: NULL: to pinned memory.
void FrameCoder::EnqueueDownload(const DevicePlane& from, int plane, uint8_t* to, int stride,
                                 int rows, CUstream stream) {
    const size_t width = static_cast<size_t>((plane ? 8 : kMb) * g_.mb_cols);
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = from.origin();
    copy.srcPitch = static_cast<size_t>(from.stride());
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = to;
    copy.dstPitch = static_cast<size_t>(stride);
    if (!to) {
        copy.dstHost = buffers_->staged_recon[plane].as<uint8_t>();
        copy.dstPitch = width;
    }
    copy.WidthInBytes = width;
    copy.Height = static_cast<size_t>(rows);
    CUDAME_CHECK(streams_->device()->driver(), cuMemcpy2DAsync(&copy, stream));
}

// Copies the downloaded picture to the caller's planes.
void FrameCoder::CopyStaged(const cudame_planes& to, int planes) const {
    for (int p = 0; p < planes; p++) {
        const size_t width = static_cast<size_t>((p ? 8 : kMb) * g_.mb_cols);
        const uint8_t* from = buffers_->staged_recon[p].as<uint8_t>();
        for (int y = 0; y < (p ? 8 : kMb) * g_.mb_rows; y++)
            memcpy(to.plane[p] + static_cast<ptrdiff_t>(y) * (p ? to.uv_stride : to.stride),
                   from + static_cast<size_t>(y) * width, width);
    }
}

void FrameCoder::CopyToHost(const void* from, void* to, size_t size, CUstream stream) const {
    CUDA_MEMCPY2D copy = {};
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = reinterpret_cast<CUdeviceptr>(from);
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = to;
    copy.WidthInBytes = copy.srcPitch = copy.dstPitch = size;
    copy.Height = 1;
    CUDAME_CHECK(streams_->device()->driver(), cuMemcpy2DAsync(&copy, stream));
}

// Enqueues the end of copies: a number that is not kOpen, to `ended`.
void FrameCoder::MarkEnd(CUstream stream) const {
    CopyToHost(&buffers_->counters->as<Counters>()->next_row,
               &buffers_->ended.as<RowsEnded>()->warps, sizeof(uint32_t), stream);
}

bool FrameCoder::HasEnded() const {
    return __atomic_load_n(&buffers_->ended.as<RowsEnded>()->warps, __ATOMIC_ACQUIRE) != kOpen;
}

// Calls a function that enqueues work and waits for it. After an error, but for a late device, no
// work is left, so that a later frame may be coded if only memory was missing.
template <class Fn>
void FrameCoder::OrStop(Fn work) {
    try {
        work();
    } catch (const LateError&) {
        throw;
    } catch (const Error&) {
        streams_->SynchronizeQuietly();
        *buffers_->ended.as<RowsEnded>() = {};
        throw;
    }
}

// Begins a kernel: sets the warps of `ended` to kOpen.
RowCounters FrameCoder::Begin() {
    Counters* counters = buffers_->counters->as<Counters>();
    RowsEnded* ended = buffers_->ended.as<RowsEnded>();
    ended->warps = kOpen;
    return {g_.mb_rows,
            g_.mb_rows,
            &counters->next_row,
            counters->done,
            counters->done + g_.mb_rows,
            &counters->next_token,
            &counters->ended_warps,
            ended};
}

// The kernel of a frame. many: in groups of rows; set to false if there is no such kernel.
const Kernel<FrameCoderParams>& FrameCoder::CoderOf(const CoderFrame& f, bool* many) const {
    if (f.key_bmode) return *many ? code_key_groups_ : code_key_rows_;
    const bool has_splits =
        std::any_of(std::begin(f.splits), std::end(f.splits), [](auto* s) { return s; });
    if (f.denoiser.denoised[0]) {
        *many = *many && !has_splits;
        return *many ? code_denoised_groups_ : code_denoised_rows_;
    }
    return !*many ? code_rows_ : has_splits ? code_split_groups_ : code_groups_;
}

// If many frames are coded, a frame has the fewest groups that the device's shared memory allows.
// All groups have the same number of rows. A thread block codes two of them, one after the other: a
// block that waits for the rows above takes room from other frames. With a block for each group,
// the last one of 1080p would wait for 40 % of the frame's time.
void FrameCoder::LaunchCoder(bool many, FrameCoderParams p, CUstream stream) const {
    const auto& kernel = CoderOf(p.frame, &many);
    if (!many) p.frame.rows_done = p.rows.done;
    const int most = many ? most_rows_ : 1;
    const int groups = (g_.mb_rows + most - 1) / most, rows = (g_.mb_rows + groups - 1) / groups;
    const int blocks = many ? (groups + 1) / 2 : groups;
    const int warps = !many && p.frame.key_bmode ? kKeyRowWarps : rows;
    p.rows.warps = blocks * warps;
    kernel.Launch(stream, {static_cast<unsigned>(blocks)}, p, coder_scalar::SharedBytes(warps),
                  warps * kRowThreads);
}

// Waits for the end of a kernel. Sleeps for most of the time that the last ones took, and then
// looks again and again. If the kernel ended during the sleep, its time is unknown, and the next
// sleep is an eighth shorter. With the measured time, which contains the sleep, it could only grow.
void FrameCoder::Await(CUstream stream, int patience, steady_clock::duration* usual) const {
    const auto start = steady_clock::now();
    const auto latest = Latest(patience);
    ExactNaps().Sleep(*usual - *usual / 8);
    if (HasEnded()) {
        *usual -= *usual / 8;
        return;
    }
    if (!AwaitEnd(stream, kNap, latest)) throw LateError("the device is late with a frame");
    const auto took = steady_clock::now() - start;
    *usual += (took - *usual) / 8;
}

steady_clock::duration FrameCoder::Patience() const {
    return patience_times.load() * (kPatience + g_.mbs() * kPatiencePerMb);
}

steady_clock::time_point FrameCoder::Latest(int patience) const {
    return steady_clock::now() + patience * Patience();
}

// Waits for the end until `latest`. Returns whether it has come.
bool FrameCoder::AwaitEnd(CUstream stream, std::chrono::microseconds nap,
                          steady_clock::time_point latest) const {
    return streams_->Await(stream, nap, latest, [this](bool) { return HasEnded(); });
}

// Enqueues the download of the frame's tokens and their counts.
void FrameCoder::EnqueueTokens(CUstream stream) const {
    const Buffers& b = *buffers_;
    const uint32_t tokens = b.ended.as<RowsEnded>()->tokens;
    CopyToHost(b.tables.as<uint8_t>() + b.layout.counts, b.tokens.as<uint8_t>(),
               TableLayout::kCountBytes + tokens * sizeof(cudame_token), stream);
}

// Waits for all copies that were enqueued on a stream. has_limit: throws LateError if the device is
// late with them.
void FrameCoder::AwaitCopies(bool has_limit, CUstream stream) const {
    buffers_->ended.as<RowsEnded>()->warps = kOpen;
    MarkEnd(stream);
    const auto latest = has_limit ? Latest(1) : steady_clock::time_point::max();
    if (!AwaitEnd(stream, kCopyNap, latest)) throw LateError("the device is late with a picture");
}

// Downloads the device's picture after the kernel has ended, because libvpx writes to the planes of
// the reconstruction if the kernel is late. A wait for copies in place has no limit, because libvpx
// must not write before the device has. Other planes are copied through pinned memory.
void FrameCoder::Download(const DevicePlane (&from)[3], int planes, const cudame_planes& to,
                          bool in_place, CUstream stream) {
    if (in_place) EnqueuePicture(from, planes, to, stream);
    for (int p = 0; !in_place && p < planes; p++)
        EnqueueDownload(from[p], p, nullptr, 0, (p ? 8 : kMb) * g_.mb_rows, stream);
    AwaitCopies(!in_place, stream);
    if (!in_place) CopyStaged(to, planes);
}

// Downloads the denoised picture before the reconstruction. recon_in_place: the reconstruction is
// then downloaded to its place. If both are copied in place, the wait for the reconstruction is for
// both, because it has no limit.
void FrameCoder::DownloadDenoised(const cudame_planes& to, bool recon_in_place, CUstream stream) {
    const auto& from = denoiser_->denoised();
    const int planes = denoiser_->planes();
    const bool in_place = IsRegistered(to);
    if (!in_place || !recon_in_place) return Download(from, planes, to, in_place, stream);
    EnqueuePicture(from, planes, to, stream);
}

const DevicePlane (*FrameCoder::Filtered(uint64_t id) const)[3] {
    return id && id == filtered_ ? &buffers_->recon : nullptr;
}

void FrameCoder::ForgetDenoised() {
    if (denoiser_) denoiser_->Forget();
}

void FrameCoder::Filter(StreamName name, const cudame_frame_filter& filter) {
    const Driver& driver = streams_->device()->driver();
    const CUstream stream = (*streams_)[name];
    Buffers& b = *buffers_;
    FrameFilterParams p = {};
    FilterFrame& f = p.frame;
    for (int i = 0; i < 3; i++) f.plane[i] = reinterpret_cast<uint8_t*>(b.recon[i].origin());
    f.stride = b.recon[0].stride();
    f.uv_stride = b.recon[1].stride();
    f.mb_rows = g_.mb_rows;
    f.mb_cols = g_.mb_cols;
    f.macroblocks = b.levels.as<uint8_t>();
    f.sharpness = filter.sharpness;
    f.is_key = filter.key_frame != 0;
    memcpy(b.host_levels.as<uint8_t>(), filter.macroblocks, b.mbs);
    const bool in_place = IsRegistered(filter.filtered);
    ForgetCoded();  // it is filtered in place
    const uint32_t tokens = b.ended.as<RowsEnded>()->tokens;
    // A macroblock of a key frame has up to 119 bools, a token about four.
    const uint32_t modes = f.is_key ? static_cast<uint32_t>(15 * b.mbs) : 0;
    size_t size = b.mbs;
    const auto append = [&](const uint8_t* probs, size_t bytes) {
        memcpy(b.host_levels.as<uint8_t>() + size, probs, bytes);
        size += bytes;
        return b.levels.as<uint8_t>() + size - bytes;
    };
    OrStop([&] {
        p.rows = Begin();
        if (filter.partition) {
            p.tokens = {b.token_writer.Params(b.runs.as<TokenRun>(), tokens, 255),
                        b.device_tokens(), append(filter.partition->probs, Buffers::kProbBytes)};
        }
        if (filter.modes) {
            p.modes = {
                b.mode_writer.Params(b.mode_runs.as<TokenRun>(), modes, filter.modes->start_range),
                b.mode_records.as<ModeRecord>(), b.mode_bools.as<uint16_t>(), *filter.modes,
                g_.mb_cols};
            if (filter.modes->key_bmode)
                p.modes.modes.key_bmode = append(filter.modes->key_bmode, Buffers::kKeyProbBytes);
        }
        CUDAME_CHECK(driver, cuMemcpyHtoDAsync(b.levels.address(), b.host_levels.as<uint8_t>(),
                                               size, stream));
        const int blocks = FilterBlocks(p);
        p.rows.warps = blocks * kFrameFilterWarps;
        filter_rows_.Launch(stream, {static_cast<unsigned>(blocks)}, p);
        Await(stream, 1, &usual_filter_);
        Download(b.recon, 3, filter.filtered, in_place, stream);
    });
    if (filter.partition) b.token_writer.Get(filter.partition);
    if (filter.modes) b.mode_writer.Get(filter.modes);
    filtered_ = filter.filtered.id;
}

void FrameCoder::Code(StreamName name, const Known& known, cudame_whole_frame* frame) {
    const CUstream stream = (*streams_)[name];
    ForgetCoded();
    Allocate(stream);
    Buffers& b = *buffers_;
    // The buffers of a frame that was late are in use until it ends.
    if (!HasEnded()) throw LateError("the device is late with an earlier frame");
    FrameCoderParams p = {};
    CoderFrame& f = p.frame;
    f.mb_rows = g_.mb_rows;
    f.mb_cols = g_.mb_cols;
    f.source[0] = known.source->pixels();
    f.source_stride = known.source->stride();
    f.source_uv_stride = b.source[0].stride();
    f.recon_stride = b.recon[0].stride();
    f.recon_uv_stride = b.recon[1].stride();
    for (int i = 0; i < 3; i++) f.recon[i] = reinterpret_cast<uint8_t*>(b.recon[i].origin());
    b.staged = 0;
    cudame_plane both;
    const bool joined = JoinChroma(frame->source, &both);
    if (joined) Upload(both, b.source[0], true, stream);
    for (int i = 0; i < 2; i++) {
        const cudame_plane chroma = PlaneOf(frame->source, 1 + i, g_, 0);
        if (!joined) Upload(chroma, b.source[i], uploader_->memory().Use(chroma), stream);
        f.source[1 + i] = b.source[i].pixels();
    }
    PlanePool::Planes* used[CUDAME_REFS] = {};  // two references may be the same
    for (int ref = CUDAME_REF_LAST; ref < CUDAME_REFS; ref++) {
        PlanePool::Planes* planes = known.planes[ref];
        if (known.others[ref]) {
            f.ref[ref][0] = known.others[ref]->pixels();
            f.ref_stride = known.others[ref]->stride();
        }
        if (frame->key_bmode || !frame->ref[ref].plane[0] || !planes) continue;
        planes->AllocateChroma(streams_->device());
        const bool uploads = !planes->has_chroma && !std::count(used, used + ref, planes);
        used[ref] = planes;
        for (int i = 0; i < 2; i++) {
            const DevicePlane& chroma = *planes->chroma[i];
            const cudame_plane from = PlaneOf(frame->ref[ref], 1 + i, g_, kUvBorder);
            if (uploads) Upload(from, chroma, uploader_->memory().Use(from), stream);
            f.ref[ref][1 + i] = chroma.pixels();
            f.ref_uv_stride = chroma.stride();
        }
        f.ref[ref][0] = planes->frame.pixels();
        f.ref_stride = planes->frame.stride();
        f.records[ref] = known.records[ref];
        f.splits[ref] = known.splits[ref];
    }
    f.returned_ref = frame->returned_ref;
    UploadTables(known, *frame, stream, &f);
    f.coded = b.coded.as<cudame_coded_mb>();
    f.blocks = b.blocks.as<cudame_blocks>();
    f.new_memory = b.memory.as<cudame_mb_memory>();
    f.tokens = b.device_tokens();
    f.token_counts = reinterpret_cast<uint32_t*>(b.tables.as<uint8_t>() + b.layout.counts);
    f.runs = b.runs.as<TokenRun>();
    f.neighbours = b.neighbours->as<Neighbour>();
    f.modes = b.mode_records.as<ModeRecord>();
    p.failed = b.failed.as<uint32_t>();
    *p.failed = 0;
    filtered_ = 0;
    const bool denoises = frame->denoiser && !f.key_bmode;
    OrStop([&] {
        if (denoises) {
            if (!denoiser_) denoiser_ = std::make_unique<Denoiser>(streams_, uploader_, g_);
            denoiser_->Begin(name, *frame->denoiser, &f.denoiser);
        }
        p.rows = Begin();
        f.next_token = p.rows.next_token;
        const Device::RowCount rows(*streams_->device(), g_.mb_rows);
        const bool many = streams_->device()->shared_by_processes() ||
                          (rows.has_others() && rows.for_each_multiprocessor() >= kManyRows);
        LaunchCoder(many, p, stream);
        Await(stream, f.key_bmode ? kKeyPatience : 1, f.key_bmode ? &usual_key_ : &usual_);
        // Only now: a late frame may read chroma after libvpx has written to it again.
        for (PlanePool::Planes* planes : used)
            if (planes) planes->has_chroma = true;
        if (*p.failed)
            throw Error(CUDAME_ERROR_UNAVAILABLE, "a macroblock has no vector to a quarter pixel");
        EnqueueTokens(stream);
        const bool keeps = frame->may_keep_recon != 0;
        const bool in_place = !keeps && IsRegistered(frame->recon);
        if (denoises) DownloadDenoised(frame->denoiser->denoised, in_place, stream);
        if (!keeps)
            Download(b.recon, 3, frame->recon, in_place, stream);
        else if (!denoises)
            AwaitCopies(true, stream);
        if (denoises) denoiser_->End(name, *frame->denoiser);
    });
    frame->coded = f.coded;
    frame->blocks = f.blocks;
    frame->token_counts = b.tokens.as<uint32_t>();
    frame->tokens =
        reinterpret_cast<cudame_token*>(b.tokens.as<uint8_t>() + TableLayout::kCountBytes);
    frame->new_memory = f.new_memory;
    frame->has_recon = !frame->may_keep_recon;
    coded_ = frame->recon.plane[0];
    if (denoises) coded_denoised_ = frame->denoiser->denoised.plane[0];
}

const DevicePlane* FrameCoder::Coded(const uint8_t* recon) const {
    return coded_ && coded_ == recon ? &buffers_->recon[0] : nullptr;
}

const DevicePlane* FrameCoder::CodedDenoised(const uint8_t* denoised) const {
    return coded_denoised_ && coded_denoised_ == denoised ? &denoiser_->denoised()[0] : nullptr;
}

}  // namespace cudame
