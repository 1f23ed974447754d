/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "cudame_session.h"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <cstring>

namespace fuzz {

namespace {

// libFuzzer's inputs should be short.
constexpr int kMaxActs = 60;
constexpr size_t kMaxReferences = 4;

}  // namespace

void CudameSession::Good(int code, const char *call) {
    if (code) Fail(call, "refused: ", cudame_last_error(context_));
}

void CudameSession::Refused(int code, const char *call) {
    if (code != CUDAME_ERROR_INVALID) Fail(call, "not refused");
    if (!*cudame_last_error(context_)) Fail(call, "refused without a message");
}

int CudameSession::Outside(int low, int high) {
    const int all[] = {low - 1, high + 1, INT_MIN, INT_MAX};
    return in_.Pick(all);
}

void CudameSession::ChooseSize() {
    // An exhaustive search of many macroblocks takes long, so keep such frames small.
    const int most =
        config_.search == CUDAME_SEARCH_DEFAULT || config_.search >= CUDAME_SEARCH_FULL ? 48 : 80;
    width_ = Between(1, most);
    height_ = Between(1, most);
    const int unusual = Below(64);
    if (unusual == 1) width_ = Between(500, 600);
    if (unusual == 2) height_ = Between(500, 600);
    if (unusual <= 2 && unusual) (unusual == 1 ? height_ : width_) = Between(1, 16);
}

void CudameSession::ChooseConfig() {
    static const int threads[] = {1, 1, 2, 3, 4, 5};
    static const int ranges[] = {1, 2, 3, 4, 5, 8, 16, 0};
    // DIAMOND is there twice so that the bytes of the corpora keep their meaning. LEAN is last
    // because only MODE_FULL has it.
    static const cudame_search searches[] = {CUDAME_SEARCH_DEFAULT,   CUDAME_SEARCH_DIAMOND,
                                             CUDAME_SEARCH_ITERATIVE, CUDAME_SEARCH_DIAMOND,
                                             CUDAME_SEARCH_FULL,      CUDAME_SEARCH_LEAN};
    cudame_config_default(nullptr);
    cudame_config_default(&config_);
    config_.mode = cudame_mode(Percent(50) ? CUDAME_MODE_FULL : Between(1, 4));
    const bool full = config_.mode == CUDAME_MODE_FULL;
    config_.search = full && Percent(50) ? CUDAME_SEARCH_LEAN : searches[Below(full ? 6 : 5)];
    config_.range = in_.Pick(ranges);
    config_.level = Below(5);
    config_.threads = in_.Pick(threads);
    config_.fallback = Below(2);
    config_.band_rows = Below(4);
    if (Percent(50)) config_.log = [](void *, int, const char *text) { (void)strlen(text); };
    ChooseSize();
    config_.width = width_;
    config_.height = height_;
}

void CudameSession::CreateBadly() {
    cudame_config config = config_;
    const cudame_config *given = &config;
    cudame_context *context = context_, **where = &context;
    char text[64];
    switch (Below(13)) {
        case 0:
            config.size = Percent(50) ? 0 : sizeof(config) + 8;
            break;
        case 1:
            SetEnum(&config.backend, Percent(50) ? CUDAME_BACKEND_CUDA : Outside(0, 1));
            break;
        case 2:
            SetEnum(&config.mode, Outside(CUDAME_MODE_FAST, CUDAME_MODE_FULL));
            break;
        case 3:
            SetEnum(&config.search, Outside(CUDAME_SEARCH_DEFAULT, CUDAME_SEARCH_LEAN));
            break;
        case 4:
            config.mode = cudame_mode(Between(CUDAME_MODE_FAST, CUDAME_MODE_TEX));
            config.search = CUDAME_SEARCH_LEAN;
            break;
        case 5:
            config.range = Outside(0, 128);
            break;
        case 6:
            config.level = Outside(0, 4);
            break;
        case 7:
            config.width = Outside(1, CUDAME_MAX_DIMENSION);
            break;
        case 8:
            config.height = Outside(1, CUDAME_MAX_DIMENSION);
            break;
        case 9:
            config.threads = Outside(1, 64);
            break;
        case 10:
            config.device = Percent(50) ? -2 : INT_MIN;
            break;
        case 11:
            given = nullptr;
            break;
        default:
            where = nullptr;
    }
    const size_t room = size_t(Below(int(sizeof(text)) + 1));
    memset(text, 1, sizeof(text));
    if (cudame_create(where, given, room ? text : nullptr, room) >= 0) {
        Fail("cudame_create", "not refused");
    }
    if (where && context) Fail("cudame_create", "an error, but also a context");
    if (room && !memchr(text, 0, room)) Fail("cudame_create", "the message is not terminated");
    if (room < sizeof(text) && text[room] != 1) {
        Fail("cudame_create", "the message is longer than its buffer");
    }
}

void CudameSession::Create() {
    char why[128] = "";
    if (cudame_create(&context_, &config_, why, sizeof(why))) Fail("cudame_create", why);
    cudame_config config = config_;
    config.threads = 1;
    if (cudame_create(&twin_, &config, nullptr, 0)) Fail("cudame_create", "the twin was refused");
}

CudameSession::~CudameSession() {
    // A frame may be open. Its memory is freed after this.
    cudame_destroy(context_);
    cudame_destroy(twin_);
}

void CudameSession::Run() {
    ChooseConfig();
    while (Percent(20)) CreateBadly();
    Create();
    for (int i = 0; i < kMaxActs && in_.more(); i++) Act();
    if (Percent(50) && open()) End();
}

void CudameSession::Act() {
    switch (Below(24)) {
        case 0:
            return Submit();
        case 1:
            return SubmitBadly();
        case 2:
            return Retire();
        case 3:
        case 4:
        case 5:
            return Begin();
        case 6:
            return BeginBadly();
        case 7:
        case 8:
        case 9:
            if (open()) WaitRow(Below(mb_rows()));
            return;
        case 10:
        case 11:
            if (open() && frame_->bmode_cost) IntraRow(Below(mb_rows()));
            return;
        case 12:
            return RowsByThreads();
        case 13:
            return WaitBadly();
        case 14:
        case 15:
            return CompleteSplit();
        case 16:
            return CompleteIntra();
        case 17:
            return CompleteBadly();
        case 18:
            return LoopFilter();
        case 19:
        case 20:
            return End();
        case 21:
            return Resize();
        case 22:
            return Percent(50) ? Forget() : Query();
        default:
            Good(cudame_reset(context_), "cudame_reset");
            Good(cudame_reset(twin_), "cudame_reset");
    }
}

void CudameSession::Keep(std::unique_ptr<Plane> plane) {
    if (!plane) return;
    (plane->get().persistent ? persistent_ : retired_).push_back(std::move(plane));
    if (!open()) retired_.clear();
}

std::unique_ptr<Plane> CudameSession::NewPlane(const Pattern &pattern, int width, int height) {
    static const int borders[] = {0, 0, 1, 31, 32, 33, 47, 48, 64};
    const int border = in_.Pick(borders);
    const int padding = Percent(50) ? 0 : Below(70);
    const bool upwards = Percent(20);
    auto plane = std::make_unique<Plane>(pattern, width, height, border, padding, upwards, 0xA5);
    if (Percent(20)) plane->SetPersistent();
    return plane;
}

void CudameSession::Submit() {
    if (references_.size() >= kMaxReferences) return;
    const Pattern pattern = ChoosePattern(&in_);
    // A plane may be larger than the frame: up to whole macroblocks, or beyond.
    const int more = Below(4);
    const int width = width_ + (more & 1 ? Below(40) : 0);
    const int height = height_ + (more & 2 ? Below(40) : 0);
    Reference &r = references_[++last_id_];
    r.plane = NewPlane(pattern, width, height);
    r.twin = std::make_unique<Plane>(pattern, width, height, Percent(50) ? 0 : 48, Below(9), false,
                                     0x5A);
    if (Percent(70)) {
        SubmitRows(last_id_, height);
    } else {
        SubmitRows(last_id_, Below(height + 1));
    }
}

void CudameSession::SubmitRows(uint64_t id, int rows) {
    Reference &r = references_.at(id);
    Good(cudame_submit_reference(context_, id, &r.plane->get(), r.rows, rows),
         "cudame_submit_reference");
    Good(cudame_submit_reference(twin_, id, &r.twin->get(), r.rows, rows),
         "cudame_submit_reference");
    r.rows += rows;
}

void CudameSession::SubmitBadly() {
    const char call[] = "cudame_submit_reference";
    const auto any = references_.begin();
    if (any != references_.end() && !any->second.Complete() && Percent(50)) {
        const Reference &r = any->second;
        return SubmitRows(any->first, Between(1, r.plane->get().height - r.rows));
    }
    if (any != references_.end() && Percent(30)) {
        const cudame_plane &plane = any->second.plane->get();
        const int rows = any->second.rows;
        cudame_plane other = plane;
        other.stride += plane.stride > 0 ? 1 : -1;
        Refused(cudame_submit_reference(context_, any->first, &other, rows, 0), call);
        Refused(cudame_submit_reference(context_, any->first, &plane, rows + 1, 0), call);
        Refused(cudame_submit_reference(context_, any->first, &plane, rows, INT_MAX), call);
        Refused(
            cudame_submit_reference(context_, any->first, &plane, rows, plane.height - rows + 1),
            call);
        return;
    }
    const auto plane = NewPlane(ChoosePattern(&in_), width_, height_);
    const uint64_t id = last_id_ + 1000;
    switch (Below(4)) {
        case 0: {
            const cudame_plane bad = Spoiled(&in_, plane->get(), width_, height_);
            return Refused(cudame_submit_reference(context_, id, &bad, 0, height_), call);
        }
        case 1:
            return Refused(cudame_submit_reference(context_, 0, &plane->get(), 0, height_), call);
        case 2:
            return Refused(cudame_submit_reference(context_, id, nullptr, 0, height_), call);
        default: {
            const int first = Percent(50) ? 0 : Outside(0, 0);
            const int rows = first ? Below(height_ + 1) : Outside(0, height_);
            return Refused(cudame_submit_reference(context_, id, &plane->get(), first, rows), call);
        }
    }
}

void CudameSession::Retire() {
    const char call[] = "cudame_retire_reference";
    if (references_.empty() || Percent(10)) {
        return Good(cudame_retire_reference(context_, Percent(50) ? 0 : last_id_ + 77), call);
    }
    auto it = references_.begin();
    std::advance(it, Below(int(references_.size())));
    Good(cudame_retire_reference(context_, it->first), call);
    Good(cudame_retire_reference(twin_, it->first), call);
    Keep(std::move(it->second.plane));
    Keep(std::move(it->second.twin));
    references_.erase(it);
}

void CudameSession::Resize() {
    const char call[] = "cudame_resize";
    const int width = width_, height = height_;
    const int bad = Below(3);
    if (bad == 0) {
        Refused(cudame_resize(context_, Outside(1, CUDAME_MAX_DIMENSION), height), call);
        return Refused(cudame_resize(context_, width, Outside(1, CUDAME_MAX_DIMENSION)), call);
    }
    ChooseSize();
    if (open()) {
        Refused(cudame_resize(context_, width_, height_), call);
        width_ = width;
        height_ = height;
        return;
    }
    Good(cudame_resize(context_, width_, height_), call);
    Good(cudame_resize(twin_, width_, height_), call);
    references_.clear();
    persistent_.clear();
}

void CudameSession::Forget() {
    if (open()) return Refused(cudame_forget_memory(context_), "cudame_forget_memory");
    Good(cudame_forget_memory(context_), "cudame_forget_memory");
    persistent_.clear();
}

void CudameSession::Query() {
    if (cudame_backend_in_use(context_) != CUDAME_BACKEND_CPU ||
        cudame_device_in_use(context_) != -1 || cudame_fell_back(context_)) {
        Fail("cudame_backend_in_use", "not the CPU backend");
    }
    cudame_stats stats;
    // The statistics must not be read while threads search.
    if (!open()) cudame_get_stats(context_, &stats);
    cudame_get_stats(context_, nullptr);
    const int size = in_.Between(-1, 20);
    if (!cudame_satd(size) != (size != 16 && size != 8 && size != 4)) {
        Fail("cudame_satd", "a function for a wrong size, or none");
    }
    if (!*cudame_error_name(Below(8) - 6)) Fail("cudame_error_name", "an empty name");
    WithoutContext();
}

void CudameSession::WithoutContext() {
    const cudame_mb *rows[CUDAME_REFS];
    const cudame_intra *intra;
    uint32_t errors[CUDAME_LOOP_FILTER_LEVELS];
    const cudame_frame frame{};
    const cudame_plane plane{};
    const cudame_loop_filter filter{};
    const int codes[] = {cudame_submit_reference(nullptr, 1, &plane, 0, 1),
                         cudame_retire_reference(nullptr, 1),
                         cudame_begin_frame(nullptr, &frame),
                         cudame_wait_row(nullptr, 0, rows, nullptr),
                         cudame_intra_row(nullptr, 0, &intra),
                         cudame_complete_split(nullptr, 0, 0, 1),
                         cudame_complete_intra(nullptr, 0, 0, 1),
                         cudame_loop_filter_start(nullptr, &filter),
                         cudame_loop_filter_errors(nullptr, errors),
                         cudame_end_frame(nullptr),
                         cudame_reset(nullptr),
                         cudame_resize(nullptr, 16, 16),
                         cudame_forget_memory(nullptr)};
    for (int code : codes) {
        if (code != CUDAME_ERROR_INVALID) Fail("a call without a context", "not refused");
    }
    cudame_destroy(nullptr);
    cudame_get_stats(nullptr, nullptr);
    if (!cudame_last_error(nullptr)) Fail("cudame_last_error", "no message");
}

}  // namespace fuzz
