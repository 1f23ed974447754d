// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Helpers around the C interface.

#ifndef CUDAME_TESTS_SESSION_H_
#define CUDAME_TESTS_SESSION_H_

#include <gtest/gtest.h>
#include <hwy/targets.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "cudame/cudame.h"
#include "naive.h"

// A plane in memory of exactly its size, so that sanitizers see reads beyond it.
class PlaneBuffer {
  public:
    // aligned: padded to whole macroblocks, as libvpx keeps its frames
    PlaneBuffer(const naive::Image& image, int border, bool aligned, bool flipped = false) {
        const int w = aligned ? (image.width + 15) / 16 * 16 : image.width;
        const int h = aligned ? (image.height + 15) / 16 * 16 : image.height;
        const ptrdiff_t stride = w + 2 * border;
        const int rows = h + 2 * border;
        store_.reset(new uint8_t[static_cast<size_t>(stride) * rows]);
        uint8_t* first = store_.get() + (flipped ? (rows - 1) * stride : 0);
        plane_.stride = flipped ? -stride : stride;
        for (int y = 0; y < rows; y++)
            for (int x = 0; x < stride; x++)
                first[y * plane_.stride + x] =
                    static_cast<uint8_t>(image.clamped(x - border, y - border));
        plane_.data = first + border * plane_.stride + border;
        plane_.width = w;
        plane_.height = h;
        plane_.border = border;
    }
    const cudame_plane& plane() const { return plane_; }
    uint8_t* data() { return store_.get(); }

  private:
    std::unique_ptr<uint8_t[]> store_;
    cudame_plane plane_ = {};
};

// Return the backend of the shared tests: CUDA with CUDAME_TEST_BACKEND=cuda, else the CPU. Without
// a device the CUDA tests fail.
inline cudame_backend TestBackend() {
    const char* name = std::getenv("CUDAME_TEST_BACKEND");
    return name && !std::strcmp(name, "cuda") ? CUDAME_BACKEND_CUDA : CUDAME_BACKEND_CPU;
}

inline cudame_config MakeConfig(int width, int height, cudame_mode mode,
                                cudame_search search = CUDAME_SEARCH_DEFAULT, int range = 0,
                                int threads = 1) {
    cudame_config config;
    cudame_config_default(&config);
    config.backend = TestBackend();
    config.width = width;
    config.height = height;
    config.mode = mode;
    // naive::Analyse() does not know the lean search, the library's default for MODE_FULL.
    config.search =
        search == CUDAME_SEARCH_DEFAULT && mode == CUDAME_MODE_FULL ? CUDAME_SEARCH_FULL : search;
    config.range = range;
    config.threads = threads;
    return config;
}

class Session {
  public:
    explicit Session(const cudame_config& config)
        : cols((config.width + 15) / 16), rows((config.height + 15) / 16), mode(config.mode) {
        char err[256];
        EXPECT_EQ(cudame_create(&ctx, &config, err, sizeof(err)), 0) << err;
    }
    ~Session() { cudame_destroy(ctx); }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    int Submit(uint64_t id, const PlaneBuffer& buffer) {
        return cudame_submit_reference(ctx, id, &buffer.plane(), 0, buffer.plane().height);
    }

    // Copy a slot's field of the open frame.
    std::vector<naive::Record> Field(int slot) {
        std::vector<naive::Record> field;
        for (int r = 0; r < rows; r++) {
            const cudame_mb* row[CUDAME_REFS] = {};
            const cudame_split* split[CUDAME_REFS] = {};
            EXPECT_EQ(cudame_wait_row(ctx, r, row, split), 0) << cudame_last_error(ctx);
            if (!row[slot]) continue;
            for (int c = 0; c < cols; c++)
                if (row[slot][c].flags & CUDAME_MB_PENDING) {
                    EXPECT_EQ(cudame_complete_split(ctx, r, c, slot), 0) << cudame_last_error(ctx);
                }
            EXPECT_EQ(split[slot] != nullptr, mode != CUDAME_MODE_FAST);
            field.resize(field.size() + static_cast<size_t>(cols));
            naive::Join(row[slot], split[slot], cols, field.data() + field.size() - cols);
        }
        return field;
    }

    // Copy the intra estimates of the open frame.
    std::vector<cudame_intra> Intra() {
        std::vector<cudame_intra> field;
        for (int r = 0; r < rows; r++) {
            const cudame_intra* row = nullptr;
            EXPECT_EQ(cudame_intra_row(ctx, r, &row), 0) << cudame_last_error(ctx);
            for (int c = 0; row && c < cols; c++)
                if (row[c].pending) {
                    EXPECT_EQ(cudame_complete_intra(ctx, r, c, 3), 0) << cudame_last_error(ctx);
                }
            if (row) field.insert(field.end(), row, row + cols);
        }
        return field;
    }

    cudame_context* ctx = nullptr;
    int cols, rows;
    cudame_mode mode;
};

// Run fn on every instruction set of this machine.
template <class Fn>
void OnEveryTarget(Fn fn) {
    const int64_t supported = hwy::SupportedTargets() & HWY_TARGETS;
    for (int64_t rest = supported; rest; rest &= rest - 1) {
        const int64_t target = rest & -rest;
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(target);
        SCOPED_TRACE(hwy::TargetName(target));
        fn();
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().DeInit();
}

// Compare whole fields. The message names the first difference.
inline ::testing::AssertionResult FieldsEqual(const std::vector<naive::Record>& a,
                                              const std::vector<naive::Record>& b, int cols) {
    auto fail = [&](size_t mb, const char* what, int block, int x, int y) {
        return ::testing::AssertionFailure()
               << "macroblock row " << mb / static_cast<size_t>(cols) << " column "
               << mb % static_cast<size_t>(cols) << " block " << block << ": " << what << " " << x
               << " against " << y;
    };
    if (a.size() != b.size())
        return ::testing::AssertionFailure() << a.size() << " macroblocks against " << b.size();
    for (size_t mb = 0; mb < a.size(); mb++) {
        if (a[mb].flags != b[mb].flags) return fail(mb, "flags", 0, a[mb].flags, b[mb].flags);
        if (a[mb].dist_zero != b[mb].dist_zero)
            return fail(mb, "dist_zero", 0, a[mb].dist_zero, b[mb].dist_zero);
        for (int k = 0; k < CUDAME_BLOCKS; k++) {
            if (a[mb].mv[k].row != b[mb].mv[k].row)
                return fail(mb, "mv.row", k, a[mb].mv[k].row, b[mb].mv[k].row);
            if (a[mb].mv[k].col != b[mb].mv[k].col)
                return fail(mb, "mv.col", k, a[mb].mv[k].col, b[mb].mv[k].col);
            if (a[mb].dist[k] != b[mb].dist[k])
                return fail(mb, "dist", k, a[mb].dist[k], b[mb].dist[k]);
        }
    }
    return ::testing::AssertionSuccess();
}

inline ::testing::AssertionResult IntraEqual(const std::vector<cudame_intra>& a,
                                             const std::vector<cudame_intra>& b, int cols) {
    if (a.size() != b.size())
        return ::testing::AssertionFailure() << a.size() << " macroblocks against " << b.size();
    for (size_t mb = 0; mb < a.size(); mb++) {
        auto fail = [&](const char* what, int i, int x, int y) {
            return ::testing::AssertionFailure()
                   << "macroblock row " << mb / static_cast<size_t>(cols) << " column "
                   << mb % static_cast<size_t>(cols) << ": " << what << " " << i << " is " << x
                   << " against " << y;
        };
        for (int i = 0; i < 4; i++)
            if (a[mb].satd16[i] != b[mb].satd16[i])
                return fail("satd16", i, a[mb].satd16[i], b[mb].satd16[i]);
        for (int i = 0; i < 16; i++)
            if (a[mb].mode4[i] != b[mb].mode4[i])
                return fail("mode4", i, a[mb].mode4[i], b[mb].mode4[i]);
        if (a[mb].cost4 != b[mb].cost4) return fail("cost4", 0, a[mb].cost4, b[mb].cost4);
        if (a[mb].pending || b[mb].pending) return fail("pending", 0, a[mb].pending, b[mb].pending);
    }
    return ::testing::AssertionSuccess();
}

#endif  // CUDAME_TESTS_SESSION_H_
