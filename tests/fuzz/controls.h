/*
 * Copyright (c) 2026 The vp8_cudame authors
 * SPDX-License-Identifier: BSD-3-Clause
 */

// Controls of the encoder that scenarios set.

#ifndef TESTS_FUZZ_CONTROLS_H
#define TESTS_FUZZ_CONTROLS_H

#include "scenario.h"

namespace fuzz {

inline constexpr ControlKind kCpuUsed{VP8E_SET_CPUUSED, "cpu-used"};
inline constexpr ControlKind kNoise{VP8E_SET_NOISE_SENSITIVITY, "noise-sensitivity"};
inline constexpr ControlKind kPartitions{VP8E_SET_TOKEN_PARTITIONS, "token-partitions"};
inline constexpr ControlKind kTuning{VP8E_SET_TUNING, "tuning"};
inline constexpr ControlKind kScreen{VP8E_SET_SCREEN_CONTENT_MODE, "screen-content-mode"};
inline constexpr ControlKind kStatic{VP8E_SET_STATIC_THRESHOLD, "static-threshold"};
inline constexpr ControlKind kSharpness{VP8E_SET_SHARPNESS, "sharpness"};
inline constexpr ControlKind kAltRef{VP8E_SET_ENABLEAUTOALTREF, "auto-alt-ref"};
inline constexpr ControlKind kArnrFrames{VP8E_SET_ARNR_MAXFRAMES, "arnr-maxframes"};
inline constexpr ControlKind kArnrStrength{VP8E_SET_ARNR_STRENGTH, "arnr-strength"};
inline constexpr ControlKind kCqLevel{VP8E_SET_CQ_LEVEL, "cq-level"};
inline constexpr ControlKind kMaxIntra{VP8E_SET_MAX_INTRA_BITRATE_PCT, "max-intra-rate"};

}  // namespace fuzz

#endif  // TESTS_FUZZ_CONTROLS_H
