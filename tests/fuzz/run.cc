/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

#include "run.h"

#include <algorithm>
#include <exception>
#include <iostream>
#include <memory>

#include "cudame_provider.h"
#include "encoder.h"
#include "hostile_provider.h"
#include "packet_room.h"
#include "random.h"
#include "watch.h"

namespace fuzz {

namespace {

// More than the frames that any lookahead holds.
constexpr int kMaxFlushes = 40;
const std::vector<uint8_t> kFlush;

uint64_t Hash(const std::vector<uint8_t> &bytes) {
    uint64_t h = 0xcbf29ce484222325u;
    for (uint8_t b : bytes) h = (h ^ b) * 0x100000001b3u;
    return h;
}

// Returns the first place where two frames of one size differ, and the number of bytes that differ.
std::string Difference(const std::vector<uint8_t> &decoded, const std::vector<uint8_t> &preview,
                       int width) {
    if (decoded.size() != preview.size()) {
        return std::to_string(decoded.size()) + " bytes decoded, " +
               std::to_string(preview.size()) + " in the preview";
    }
    size_t first = 0, count = 0;
    for (size_t i = decoded.size(); i-- > 0;) {
        if (decoded[i] == preview[i]) continue;
        first = i;
        count++;
    }
    return std::to_string(count) + " of " + std::to_string(decoded.size()) +
           " bytes, the first at " + std::to_string(first) + " (luma x " +
           std::to_string(first % size_t(width)) + " y " + std::to_string(first / size_t(width)) +
           ")";
}

class Run {
  public:
    Run(const Scenario &scenario, const Video &video, int threads, const std::string &statistics,
        const Options &options, Counts *counts)
        : s_(scenario),
          video_(video),
          options_(options),
          counts_(*counts),
          threads_(threads),
          statistics_(statistics),
          config_(scenario.config),
          deadline_(scenario.deadline),
          cudame_(scenario.provider, std::min(threads, 4)),
          hostile_(scenario.provider) {}

    Outcome Do();

  private:
    bool Failed(const std::string &why);
    const vp8e_motion_provider_t *Provider() const;
    void CompleteConfig();
    bool Begin();
    bool Apply(const Step &step);
    bool EncodeFrame(const Step &step, const std::vector<uint8_t> &frame, Call *call);
    bool CheckPackets(Call *call);

    const Scenario &s_;
    const Video &video_;
    const Options &options_;
    Counts &counts_;
    const int threads_;
    std::string statistics_;
    vpx_codec_enc_cfg_t config_;
    vpx_enc_deadline_t deadline_;
    int threads_of_8_ = 8;
    CudameProvider cudame_;
    HostileProvider hostile_;
    // Declared after the providers, so that it is destroyed before them: it calls them.
    Encoder encoder_;
    provider_test::Decoder decoder_;
    // The decoder has the encoder's references. False from an error up to the next key frame.
    bool in_step_ = true;
    int64_t last_pts_ = -1;
    std::string where_;
    Outcome outcome_;
};

bool Run::Failed(const std::string &why) {
    if (why.empty()) return false;
    outcome_.failure = where_ + ": " + why;
    return true;
}

const vp8e_motion_provider_t *Run::Provider() const {
    if (options_.without_provider) return nullptr;
    switch (s_.provider.kind) {
        case ProviderKind::kCudame:
            return cudame_.get();
        case ProviderKind::kHostile:
            return hostile_.get();
        default:
            return nullptr;
    }
}

void Run::CompleteConfig() {
    config_.g_threads = unsigned(std::max(1, threads_ * threads_of_8_ / 8));
    if (!s_.two_passes()) return;
    config_.rc_twopass_stats_in.buf = &statistics_[0];
    config_.rc_twopass_stats_in.sz = statistics_.size();
}

bool Run::Begin() {
    where_ = "start";
    CompleteConfig();
    if (Failed(encoder_.Open(config_))) return false;
    for (const Control &control : s_.controls) {
        if (Failed(encoder_.Set(control))) return false;
    }
    return !s_.provider.attached || !Failed(encoder_.SetProvider(Provider()));
}

bool Run::Apply(const Step &step) {
    if (step.deadline) deadline_ = *step.deadline;
    if (step.threads_of_8) threads_of_8_ = step.threads_of_8;
    if (step.scaling && Failed(encoder_.Set(*step.scaling))) return false;
    if (step.config) config_ = *step.config;
    if (step.config || step.threads_of_8) {
        CompleteConfig();
        if (Failed(encoder_.Configure(config_))) return false;
    }
    for (const Control &control : step.controls) {
        if (Failed(encoder_.Set(control))) return false;
    }
    // A map must have the coded frame's size. If the encoder scales, only the encoder knows that
    // size.
    if (step.roi && Failed(encoder_.Set(*step.roi)) && !s_.scales) return false;
    if (step.active && Failed(encoder_.Set(*step.active)) && !s_.scales) return false;
    if (step.provider) {
        if (Failed(encoder_.SetProvider(*step.provider ? Provider() : nullptr))) return false;
    }
    outcome_.failure.clear();
    return true;
}

bool Run::CheckPackets(Call *call) {
    std::vector<uint8_t> decoded;
    for (const Packet &packet : encoder_.packets) {
        call->packets.push_back({Hash(packet.data), packet.data.size(), packet.key});
        counts_.packets++;
        counts_.digest = Mix(counts_.digest, call->packets.back().hash);
        counts_.keys += packet.key;
        counts_.hidden += !packet.shown;
        in_step_ |= packet.key;
        if (!in_step_) continue;
        decoded.clear();
        try {
            decoded = decoder_.Decode(packet);
        } catch (const std::exception &error) {
            return !Failed(error.what());
        }
        if (packet.shown && decoded.empty()) return !Failed("no picture of a shown frame");
        if (packet.shown && packet.pts <= last_pts_) return !Failed("a timestamp does not rise");
        if (packet.shown) last_pts_ = packet.pts;
    }
    counts_.drops += encoder_.packets.empty();
    if (decoded.empty() || !encoder_.packets.back().shown) return true;
    // The encoder does not loop-filter a frame that no other frame is predicted from.
    if (!decoder_.Updates()) return true;
    // There is no preview if the next frame is an altref frame.
    const std::vector<uint8_t> preview = encoder_.Preview();
    return preview.empty() || preview == decoded ||
           !Failed("decoder and encoder differ: " + Difference(decoded, preview, int(config_.g_w)));
}

bool Run::EncodeFrame(const Step &step, const std::vector<uint8_t> &frame, Call *call) {
    SetPacketRoom(step.packet_room);
    const std::string error = encoder_.Encode(frame, step.flags, deadline_);
    if (!cudame_.error().empty()) return !Failed(cudame_.error());
    if (error.empty()) return CheckPackets(call);
    if (!step.may_fail && !options_.continue_after_errors) return !Failed(error);
    if (options_.verbose) std::cout << "    " << error << '\n';
    counts_.errors++;
    in_step_ = false;
    call->failed = true;
    return true;
}

Outcome Run::Do() {
    if (!Begin()) return outcome_;
    const int frames = int(s_.steps.size());
    bool more = true;
    for (int t = 0; t < frames + kMaxFlushes && more; t++) {
        where_ = t < frames ? "frame " + std::to_string(t) : "flush " + std::to_string(t - frames);
        WatchStep(std::string(Name(s_.family)) + " seed " + std::to_string(s_.seed) + ", " +
                  std::to_string(threads_) + " threads, " + where_);
        Call call;
        Step step;
        // A flush codes frames that were passed before, so their errors are allowed.
        step.may_fail = s_.steps.back().may_fail;
        if (t < frames) {
            step = s_.steps[size_t(t)];
            if (options_.verbose) PrintStep(std::cout, s_, size_t(t));
            if (!Apply(step)) return outcome_;
            counts_.frames++;
        }
        if (!EncodeFrame(step, t < frames ? video_[size_t(t)] : kFlush, &call)) return outcome_;
        more = t < frames || !call.packets.empty();
        outcome_.calls.push_back(std::move(call));
    }
    // Scenarios of other families may end before the next key frame.
    if (!in_step_ && s_.family == Family::kErrors) Failed("no key frame after an error");
    return outcome_;
}

}  // namespace

Video DrawAll(const Scenario &scenario) {
    Video video;
    vpx_codec_enc_cfg_t config = scenario.config;
    for (const Step &step : scenario.steps) {
        if (step.config) config = *step.config;
        video.push_back(Draw(scenario.scenes, int(config.g_w), int(config.g_h), int(video.size())));
    }
    return video;
}

Outcome Encode(const Scenario &scenario, const Video &video, int threads,
               const std::string &statistics, const Options &options, Counts *counts) {
    return Run(scenario, video, threads, statistics, options, counts).Do();
}

std::string FirstPass(const Scenario &scenario, const Video &video, bool with_provider,
                      std::string *failure) {
    CudameProvider provider(scenario.provider, 1);
    Encoder encoder;
    vpx_codec_enc_cfg_t config = scenario.config;
    config.g_pass = VPX_RC_FIRST_PASS;
    SetPacketRoom(0);
    *failure = encoder.Open(config);
    for (const Control &control : scenario.controls) {
        if (failure->empty()) *failure = encoder.Set(control);
    }
    if (failure->empty() && with_provider) *failure = encoder.SetProvider(provider.get());
    const int frames = int(scenario.steps.size());
    for (int t = 0; t <= frames && failure->empty(); t++) {
        WatchStep(std::string(Name(scenario.family)) + " seed " + std::to_string(scenario.seed) +
                  ", first pass, frame " + std::to_string(t));
        *failure = encoder.Encode(t < frames ? video[size_t(t)] : kFlush, 0, scenario.deadline);
        if (failure->empty()) *failure = provider.error();
    }
    if (!failure->empty()) *failure = "first pass: " + *failure;
    return encoder.statistics;
}

}  // namespace fuzz
