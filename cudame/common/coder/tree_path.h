// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Paths in trees of bools (RFC 6386 section 8.1).

#ifndef CUDAME_COMMON_CODER_TREE_PATH_H_
#define CUDAME_COMMON_CODER_TREE_PATH_H_

#include "common/coder/lanes.h"

namespace cudame::CODER_NAMESPACE {

// A value's path in a tree. It has `size` nodes, from the root on: four bits of `nodes` and one of
// `bits` for each, the lowest first.
struct TreePath {
    uint32_t nodes;
    uint8_t size, bits;
};

// Node i of a path, and the bool that leaves it. Path: TreePath, or a struct with its fields.
template <class Path>
CODER_FN int NodeAt(const Path& path, int i) {
    return static_cast<int>(path.nodes >> 4 * i & 15);
}
template <class Path>
CODER_FN uint32_t BitAt(const Path& path, int i) {
    return static_cast<uint32_t>(path.bits >> i & 1);
}

}  // namespace cudame::CODER_NAMESPACE

#endif  // CUDAME_COMMON_CODER_TREE_PATH_H_
