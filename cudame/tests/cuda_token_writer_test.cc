// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The kernel that writes a frame's tokens and modes, against the scalar writers, with tokens, modes
// and probabilities that frames seldom have. Needs a device.

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <vector>

#include "cpu/partition_writer.h"
#include "cuda/device_memory.h"
#include "cuda/kernel.h"
#include "cuda/partition_writer.h"
#include "cuda/streams.h"
#include "mode_data.h"
#include "token_data.h"

using namespace token_data;

namespace {

using cudame::DeviceBuffer;
using cudame::PinnedBuffer;

class CudaTokenWriterTest : public ::testing::Test {
  protected:
    // Begins frames of a size.
    void Resize(int cols, int rows) {
        cols_ = cols;
        rows_ = rows;
        writer_ = std::make_unique<cudame::PartitionWriter>(
            device_, stream_, cudame::MakeGeometry(16 * cols, 16 * rows), cudame::kPartitionBytes);
        mode_writer_ = std::make_unique<cudame::PartitionWriter>(
            device_, stream_, cudame::MakeGeometry(16 * cols, 16 * rows), cudame::kModeBytes);
        // The filter's levels are 0, so that it reads no pixels.
        const size_t mbs = static_cast<size_t>(cols) * static_cast<size_t>(rows);
        levels_ = cudame::FilledBuffer(device_, stream_, mbs, 0);
        counters_ = cudame::FilledBuffer(device_, stream_,
                                         sizeof(uint32_t) * (3 + 2 * static_cast<size_t>(rows)), 0);
    }

    template <class T>
    std::unique_ptr<DeviceBuffer> Upload(const std::vector<T>& from) const {
        const size_t size = from.size() * sizeof(T);
        auto to = std::make_unique<DeviceBuffer>(device_, size + 1);
        if (size)
            CUDAME_CHECK(device_->driver(),
                         cuMemcpyHtoDAsync(to->address(), from.data(), size, stream_));
        return to;
    }

    // Launches the kernel. p: has the writer; number: that of the writer. all_words: room of its
    // memory.
    void Launch(cudame::FrameFilterParams p, const cudame::NumberParams& number,
                uint32_t all_words) {
        p.frame.mb_rows = rows_;
        p.frame.mb_cols = cols_;
        p.frame.macroblocks = levels_->as<uint8_t>();
        uint32_t* const counters = counters_->as<uint32_t>();
        cudame::RowsEnded* const ended = ended_.as<cudame::RowsEnded>();
        *ended = {};
        p.rows = {rows_,        0,    counters, counters + 3, counters + 3 + rows_, counters + 1,
                  counters + 2, ended};
        const int blocks = cudame::FilterBlocks(p);
        p.rows.warps = blocks * cudame::kFrameFilterWarps;
        kernel_.Launch(stream_, {static_cast<unsigned>(blocks)}, p);
        streams_->Synchronize();
        EXPECT_EQ(ended->warps, static_cast<uint32_t>(p.rows.warps));
        ExpectZeros(counters, counters + 3 + 2 * rows_);
        ExpectZeros(number.next_part, number.number + all_words);
    }

    // Writes a frame's tokens on the device. words: room for the number; 0: that of the writer.
    cudame_partition Write(const Frame& f, const std::vector<uint8_t>& probs, uint32_t words = 0) {
        const auto runs = Upload(f.runs);
        const auto tokens = Upload(f.tokens);
        const auto device_probs = Upload(probs);
        cudame::FrameFilterParams p = {};
        p.tokens = {writer_->Params(runs->as<cudame::TokenRun>(),
                                    static_cast<uint32_t>(f.tokens.size()), 255),
                    tokens->as<cudame_token>(), device_probs->as<uint8_t>()};
        const uint32_t all_words = p.tokens.number.words;
        cut_ += cudame::PartsOf(p.tokens.number) > rows_;
        EXPECT_LE(cudame::PartsOf(p.tokens.number), 8 * rows_);
        if (words) p.tokens.number.words = words;
        Launch(p, p.tokens.number, all_words);
        cudame_partition partition = {probs.data(), nullptr, 0, 0};
        writer_->Get(&partition);
        return partition;
    }

    // Compares a cudame_partition or cudame_modes to that of the scalar writer, whose bytes are
    // `data`. Counts those that have data.
    template <class Written>
    void ExpectEqual(const Written& written, const Written& expected,
                     const std::vector<uint8_t>& data) {
        ASSERT_EQ(written.bits, expected.bits);
        ASSERT_EQ(written.range, expected.range);
        ASSERT_EQ(written.data != nullptr, expected.data != nullptr);
        if (!written.data) return;
        EXPECT_TRUE(std::equal(data.begin(), data.end(), written.data));
        ++fit_;
    }

    // Calls compare(probabilities, turn) for frames of several sizes, some of them with less than
    // 32 macroblocks in a row, and for each kind of probabilities. Returns the number of calls
    // whose number did not fit into its room.
    template <class Fn>
    int CompareFrames(int turns, Fn compare) {
        int large = 0;
        for (const auto& [cols, rows] :
             {std::pair(1, 1), {1, 5}, {2, 3}, {17, 2}, {31, 2}, {33, 2}, {70, 3}}) {
            Resize(cols, rows);
            for (const Probs kind : kProbKinds)
                for (int turn = 0; turn < turns; turn++) {
                    SCOPED_TRACE(::testing::Message()
                                 << cols << "x" << rows << " macroblocks, probabilities "
                                 << static_cast<int>(kind) << " turn " << turn);
                    const int fit = fit_;
                    compare(kind, turn);
                    if (HasFatalFailure()) return large;
                    large += fit_ == fit;
                }
        }
        return large;
    }

    // Writes a frame's modes by both writers. Counts those that have data.
    void CompareModes(const std::vector<mode_data::Mb>& mbs, const cudame_modes& modes) {
        const std::vector<cudame::ModeRecord> records = mode_data::Records(mbs);
        const auto device_records = Upload(records);
        const std::vector<uint16_t> bools(mbs.size() * 128);
        const auto device_bools = Upload(bools);
        const auto runs = Upload(std::vector<cudame::TokenRun>(mbs.size()));
        const auto key_bmode = Upload(
            std::vector<uint8_t>(modes.key_bmode, modes.key_bmode + (modes.key_bmode ? 900 : 0)));
        cudame::FrameFilterParams p = {};
        p.modes = {mode_writer_->Params(runs->as<cudame::TokenRun>(), 0, modes.start_range),
                   device_records->as<cudame::ModeRecord>(), device_bools->as<uint16_t>(), modes,
                   cols_};
        if (modes.key_bmode) p.modes.modes.key_bmode = key_bmode->as<uint8_t>();
        Launch(p, p.modes.number, p.modes.number.words);
        cudame_modes written = modes, expected = modes;
        mode_writer_->Get(&written);
        std::vector<uint8_t> data;
        cudame::WriteModes(records.data(), rows_, cols_, &data, &expected);
        ExpectEqual(written, expected, data);
    }

    // Expects that memory of the device is as it was before a launch.
    void ExpectZeros(const uint32_t* begin, const uint32_t* end) const {
        std::vector<uint32_t> words(static_cast<size_t>(end - begin));
        CUDA_MEMCPY2D copy = {};
        copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
        copy.srcDevice = reinterpret_cast<CUdeviceptr>(begin);
        copy.dstMemoryType = CU_MEMORYTYPE_HOST;
        copy.dstHost = words.data();
        copy.WidthInBytes = copy.srcPitch = copy.dstPitch = words.size() * sizeof(uint32_t);
        copy.Height = 1;
        CUDAME_CHECK(device_->driver(), cuMemcpy2DAsync(&copy, stream_));
        streams_->Synchronize();
        EXPECT_EQ(words, std::vector<uint32_t>(words.size()));
    }

    // Writes a frame's tokens by both writers. Counts the partitions that have data.
    void Compare(const Frame& f, const std::vector<uint8_t>& probs) {
        const cudame_partition partition = Write(f, probs);
        cudame_partition expected = {probs.data(), nullptr, 0, 0};
        std::vector<uint8_t> data;
        cudame::WriteTokens(f.runs.data(), f.runs.size(), f.tokens.data(), &data, &expected);
        ExpectEqual(partition, expected, data);
    }

    const cudame::DevicePtr device_ = cudame::OpenDevice(nullptr, -1);
    const cudame::CurrentContext current_{device_->driver(), device_->context()};
    const cudame::StreamsPtr streams_ = std::make_shared<const cudame::Streams>(
        device_, std::vector<cudame::StreamName>{cudame::kFront});
    const CUstream stream_ = (*streams_)[cudame::kFront];
    const cudame::Kernel<cudame::FrameFilterParams> kernel_{device_, cudame::kernel::kFilterRows};
    PinnedBuffer ended_{device_, sizeof(cudame::RowsEnded)};
    std::unique_ptr<cudame::PartitionWriter> writer_, mode_writer_;
    std::unique_ptr<DeviceBuffer> levels_, counters_;
    int cols_ = 0, rows_ = 0, fit_ = 0;
    int cut_ = 0;  // number of frames with more parts than rows
};

// The writer's memory is used again and again, also after a partition that was too large. With even
// probabilities many ranges are left at the end of a row.
TEST_F(CudaTokenWriterTest, EqualsTheScalarWriter) {
    std::mt19937 random(1);
    const int large = CompareFrames(6, [&](Probs kind, int turn) {
        const int most = turn == 3 ? kMostOfMb : turn % 2 ? 40 : 4;
        const Frame f = MakeFrame(
            MakeSizes(cols_ * rows_, most, &random), &random,
            [&](bool zero, bool may_be_zero) { return AnyToken(&random, zero, may_be_zero); });
        Compare(f, MakeProbs(kind, &random));
    });
    EXPECT_GT(fit_, 60);
    EXPECT_GT(large, 10);
    EXPECT_GT(cut_, 10);
}

// The pieces' numbers are added just below runs of 0, so that carries go through many words.
TEST_F(CudaTokenWriterTest, CarriesThroughManyWords) {
    std::mt19937 random(2);
    Resize(36, 3);
    for (const Probs kind : kProbKinds)
        for (int turn = 0; turn < 6; turn++) {
            SCOPED_TRACE(::testing::Message()
                         << "probabilities " << static_cast<int>(kind) << " turn " << turn);
            const std::vector<uint8_t> probs = MakeProbs(kind, &random);
            const Frame f = MakeFrameOfRuns(cols_ * rows_, 8000, 60, probs, &random);
            ASSERT_NO_FATAL_FAILURE(Compare(f, probs));
        }
    EXPECT_EQ(fit_, 30);
}

TEST_F(CudaTokenWriterTest, WritesFramesAndRowsWithoutTokens) {
    std::mt19937 random(3);
    const std::vector<uint8_t> probs = MakeProbs(Probs::kAny, &random);
    Resize(40, 4);
    for (int rows = 0; rows < 16; rows++) {  // a bit for each row that has tokens
        std::vector<int> sizes(160);
        for (int i = 0; i < 160; i++)
            if (rows >> i / 40 & 1) sizes[static_cast<size_t>(i)] = static_cast<int>(random() % 30);
        ASSERT_NO_FATAL_FAILURE(Compare(MakeFrame(sizes, &random,
                                                  [&](bool zero, bool may_be_zero) {
                                                      return AnyToken(&random, zero, may_be_zero);
                                                  }),
                                        probs));
    }
    EXPECT_EQ(fit_, 16);
}

// Each number of tokens, so that the number ends at each place in a word, and at the end of the
// room.
TEST_F(CudaTokenWriterTest, EndsAnywhere) {
    std::mt19937 random(4);
    const std::vector<uint8_t> probs(kContexts * kProbs, 128);
    Resize(1, 1);
    for (int size = 0; size <= kMostOfMb; size++) {
        const Frame f = MakeFrame({size}, &random, [&](bool, bool) {
            return Join(kOne, static_cast<int>(random() % kContexts), false, random() % 2);
        });
        ASSERT_NO_FATAL_FAILURE(Compare(f, probs)) << size << " tokens";
    }
    EXPECT_GT(fit_, 200);
    EXPECT_LT(fit_, 300);
}

// Some rows of a frame fit into the room, and others do not.
TEST_F(CudaTokenWriterTest, StaysWithinItsRoom) {
    std::mt19937 random(5);
    Resize(3, 8);
    int large = 0;
    for (uint32_t words = 2; words < 150; words++) {
        const Frame f = MakeFrame(
            MakeSizes(24, 20, &random), &random,
            [&](bool zero, bool may_be_zero) { return AnyToken(&random, zero, may_be_zero); });
        const cudame_partition p = Write(f, MakeProbs(Probs::kAny, &random), words);
        large += p.bits > 32 * words;
        ASSERT_FALSE(HasFailure()) << words << " words";
    }
    EXPECT_GT(large, 30);
    EXPECT_LT(large, 140);
}

// Rows of macroblocks without vectors have few bools, so that no range is forgotten in a row.
TEST_F(CudaTokenWriterTest, ModesEqualTheScalarWriter) {
    std::mt19937 random(6);
    const int large = CompareFrames(5, [&](Probs kind, int turn) {
        cudame_modes modes = mode_data::MakeModes(kind, &random);
        const std::vector<uint8_t> probs = mode_data::MakeKeyProbs(kind, &random);
        if (turn == 4) modes.key_bmode = probs.data();
        std::vector<mode_data::Mb> mbs(static_cast<size_t>(cols_ * rows_));
        for (mode_data::Mb& mb : mbs) {
            mb = turn == 4   ? mode_data::AnyKeyMb(&random, modes)
                 : turn == 2 ? mode_data::LongestMb()
                             : mode_data::AnyMb(&random, modes);
            if (turn != 3) continue;
            mb = {};
            mb.ref = 1;
            mb.mode = mode_data::kZeroMv;
            mb.counts[0] = 5;
        }
        CompareModes(mbs, modes);
    });
    EXPECT_GT(fit_, 60);
    EXPECT_GT(large, 4);
}

}  // namespace
