/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// What one run does with an encoder, from its settings to what changes before each
// frame: plain data, made from a seed alone, or from a fuzzer's bytes.

#ifndef TESTS_FUZZ_SCENARIO_H
#define TESTS_FUZZ_SCENARIO_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <vector>

#include "video.h"
#include "vpx/vp8cx.h"
#include "vpx/vpx_encoder.h"

namespace fuzz {

enum class Family {
    kGeneral,    // one pass, small frames, everything that may change between frames
    kErrors,     // frames that their buffer does not hold, and what comes after them
    kTwoPass,    // two passes, mostly with hidden alt-refs
    kDenoise,    // the temporal denoiser
    kLarge,      // frames of more columns, and bytes, than a single thread takes
    kHostile,    // a provider that fails and lies
    kLookahead,  // one pass that knows frames ahead
    kCount
};

const char *Name(Family family);

// A control of the encoder that takes a number.
struct ControlKind {
    int id;
    const char *name;
};

struct Control {
    const ControlKind *kind;
    int value;
};

struct Roi {
    std::vector<uint8_t> map;  // empty: no region
    unsigned rows, cols;
    int delta_q[4];
    unsigned static_threshold[4];
};

struct ActiveMap {
    std::vector<uint8_t> map;  // empty: all is active
    unsigned rows, cols;
};

// What happens before a frame, and with it.
struct Step {
    vpx_enc_frame_flags_t flags = 0;
    std::optional<vpx_enc_deadline_t> deadline;
    std::optional<vpx_codec_enc_cfg_t> config;  // threads and statistics are the run's
    std::vector<Control> controls;
    std::optional<Roi> roi;
    std::optional<ActiveMap> active;
    std::optional<vpx_scaling_mode_t> scaling;
    std::optional<bool> provider;  // attached or detached
    int threads_of_8 = 0;          // from now on this share of the run's threads; 0: as before
    bool may_fail = false;         // the frame may be too large for its packet
    unsigned packet_room = 0;      // bytes that this one has; 0: as many as libvpx gives it
};

enum class ProviderKind { kNone, kCudame, kHostile };

struct ProviderPlan {
    ProviderKind kind;
    int guide;          // VP8E_MP_GUIDE_*
    int mode, search;   // of cudame
    int lookahead;      // frames; 0: none
    bool importance;    // quantizers by importance
    int filter_source;  // VP8E_MP_PREFILTER_*
    bool filters;       // it knows what levels of the loop filter leave
    bool first_pass;    // it does frames of the first pass
    bool repair_mv_cost;
    int failing;    // one row of so many fails; 0: none
    bool attached;  // before the first frame
    uint64_t seed;  // of lies and failures
};

struct Scenario {
    Family family;
    uint64_t seed;  // not of one that bytes made
    bool of_bytes = false;
    vpx_codec_enc_cfg_t config;  // of one pass or of the last of two; without statistics
    vpx_enc_deadline_t deadline;
    std::vector<Control> controls;
    ProviderPlan provider;
    std::vector<Scene> scenes;
    std::vector<Step> steps;  // one for each frame
    bool scales = false;      // the encoder may code smaller frames than it is given

    bool two_passes() const { return config.g_pass == VPX_RC_LAST_PASS; }
    // The frames before this one are the same with any number of threads: as long as a
    // provider is attached, and no source is scaled, for which libvpx reads memory that
    // nobody has written.
    int ReproducibleFrames() const;
};

// frames: 0 for as many as the family has.
Scenario MakeScenario(Family family, uint64_t seed, int frames);
// The first byte has the family, others all else: a few small frames, so that a fuzzer gets
// through many. Never kLarge.
Scenario MakeScenario(const uint8_t *bytes, size_t size);

// What was chosen at the start, in a few lines.
void Print(std::ostream &out, const Scenario &scenario);
// What changes before frame t, in one line, or nothing.
void PrintStep(std::ostream &out, const Scenario &scenario, size_t t);

}  // namespace fuzz

#endif  // TESTS_FUZZ_SCENARIO_H
