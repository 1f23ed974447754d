/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// A scenario: the settings of an encoder, and all changes before each frame. It is plain data, made
// from a seed or from a fuzzer's bytes.

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
    kGeneral,    // one pass, small frames, and any change between frames
    kErrors,     // frames that do not fit their packet buffer, and frames after them
    kTwoPass,    // two passes, mostly with hidden altref frames
    kDenoise,    // the temporal denoiser
    kLarge,      // frames with enough columns and bytes for several threads
    kHostile,    // a provider that fails and returns wrong records
    kLookahead,  // one pass with a lookahead
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
    std::vector<uint8_t> map;  // empty: no region of interest
    unsigned rows, cols;
    int delta_q[4];
    unsigned static_threshold[4];
};

struct ActiveMap {
    std::vector<uint8_t> map;  // empty: all macroblocks are active
    unsigned rows, cols;
};

// The changes before a frame, and its flags and limits.
struct Step {
    vpx_enc_frame_flags_t flags = 0;
    std::optional<vpx_enc_deadline_t> deadline;
    std::optional<vpx_codec_enc_cfg_t> config;  // the run sets threads and statistics
    std::vector<Control> controls;
    std::optional<Roi> roi;
    std::optional<ActiveMap> active;
    std::optional<vpx_scaling_mode_t> scaling;
    std::optional<bool> provider;  // attach or detach the provider
    // From this frame on use threads_of_8 / 8 of the run's threads; 0: as before.
    int threads_of_8 = 0;
    bool may_fail = false;         // the frame may be too large for its packet
    unsigned packet_room = 0;      // limit on the packet in bytes; 0: libvpx's own
};

enum class ProviderKind { kNone, kCudame, kHostile };

struct ProviderPlan {
    ProviderKind kind;
    int guide;          // VP8E_MP_GUIDE_*
    int mode, search;   // of cudame_config
    int lookahead;      // frames of lookahead; 0: none
    bool mbtree;        // quantizers by the macroblock tree
    int prefilter;      // a set of VP8E_MP_PREFILTER_*
    bool filters;       // whether it returns the errors of loop-filter levels
    bool first_pass;    // whether it does the first pass of frames
    bool repair_mv_cost;
    int failing;    // 1 of this many rows fails; 0: none
    bool attached;  // attach the provider before the first frame
    uint64_t seed;  // seed of wrong records and failures
};

struct Scenario {
    Family family;
    uint64_t seed;  // unused if the scenario is made from bytes
    bool of_bytes = false;
    vpx_codec_enc_cfg_t config;  // for one pass, or for the last of two; without statistics
    vpx_enc_deadline_t deadline;
    std::vector<Control> controls;
    ProviderPlan provider;
    std::vector<Scene> scenes;
    std::vector<Step> steps;  // one for each frame
    bool scales = false;      // the encoder may code smaller frames than it is given

    bool two_passes() const { return config.g_pass == VPX_RC_LAST_PASS; }
    // Returns the number of first frames that do not depend on the number of threads. They end when
    // the provider is detached, or when a source is scaled: libvpx then reads memory that was never
    // written.
    int ReproducibleFrames() const;
};

// frames: 0 for the family's number.
Scenario MakeScenario(Family family, uint64_t seed, int frames);
// Makes a scenario from bytes: the first chooses the family, never kLarge, and the others make all
// other decisions. It has few and small frames, so that a fuzzer runs many scenarios.
Scenario MakeScenario(const uint8_t *bytes, size_t size);

// Prints the settings at the start, in a few lines.
void Print(std::ostream &out, const Scenario &scenario);
// Prints the changes before frame t in one line, or nothing if there are none.
void PrintStep(std::ostream &out, const Scenario &scenario, size_t t);

}  // namespace fuzz

#endif  // TESTS_FUZZ_SCENARIO_H
