// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// Pictures from a device, and sources in device memory. Needs a device.

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "cuda/device_memory.h"
#include "cudame/download.h"
#include "session.h"

namespace {

using cudame::CurrentContext;
using cudame::Device;
using cudame::DeviceBuffer;

int Half(int n) { return (n + 1) / 2; }

// A picture on the device: its planes in one allocation, V before U as in FFmpeg, each `shift`
// bytes after an aligned address.
struct DevicePicture {
    DevicePicture(const std::shared_ptr<Device>& device, cudame_layout layout, int width,
                  int height, int padding, int shift, uint32_t seed)
        : device(device), width(width), height(height) {
        const bool nv12 = layout == CUDAME_LAYOUT_NV12;
        const int cw = Half(width), ch = Half(height);
        picture.layout = layout;
        picture.stride[0] = width + padding;
        picture.stride[1] = picture.stride[2] = (nv12 ? 2 * cw : cw) + padding;
        const size_t luma = static_cast<size_t>(picture.stride[0]) * height;
        const size_t chroma = static_cast<size_t>(picture.stride[1]) * ch;
        const size_t first = (luma + 255) / 256 * 256, second = first + (chroma + 255) / 256 * 256;
        pixels.resize(second + chroma + shift);
        std::mt19937 random(seed);
        for (auto& p : pixels) p = static_cast<uint8_t>(random());
        offset[0] = shift;
        offset[1] = (nv12 ? first : second) + shift;
        offset[2] = nv12 ? 0 : first + shift;
        memory = std::make_unique<DeviceBuffer>(device, pixels.size());
        for (int i = 0; i < (nv12 ? 2 : 3); i++)
            picture.plane[i] = memory->as<uint8_t>() + offset[i];
    }

    void Upload(CUstream stream) {
        const cudame::Driver& driver = device->driver();
        CUDAME_CHECK(driver,
                     cuMemcpyHtoDAsync(memory->address(), pixels.data(), pixels.size(), stream));
    }

    // Return the expected pixel, by a plain definition.
    uint8_t At(int plane, int x, int y) const {
        const bool nv12 = picture.layout == CUDAME_LAYOUT_NV12 && plane;
        const int from = nv12 ? 1 : plane;
        const size_t row = offset[from] + static_cast<size_t>(y) * picture.stride[from];
        return pixels[row + (nv12 ? 2 * x + plane - 1 : x)];
    }

    void ExpectEqual(const cudame_picture& host) const {
        ASSERT_EQ(host.layout, CUDAME_LAYOUT_I420);
        for (int plane = 0; plane < 3; plane++) {
            const int w = plane ? Half(width) : width, h = plane ? Half(height) : height;
            ASSERT_GE(host.stride[plane], w);
            for (int y = 0; y < h; y++)
                for (int x = 0; x < w; x++)
                    ASSERT_EQ(host.plane[plane][y * host.stride[plane] + x], At(plane, x, y))
                        << "plane " << plane << " at " << x << "," << y;
        }
    }

    std::shared_ptr<Device> device;
    int width, height;
    std::vector<uint8_t> pixels;
    size_t offset[3] = {};
    std::unique_ptr<DeviceBuffer> memory;
    cudame_picture picture = {};
};

class CudaDownload : public ::testing::Test {
  protected:
    CudaDownload()
        : device_(std::make_shared<Device>(nullptr, 0)),
          current_(device_->driver(), device_->context()) {}

    cudame_downloader* Create(int width, int height) {
        char err[256];
        cudame_downloader* d;
        EXPECT_EQ(cudame_downloader_create(&d, device_->context(), width, height, err, sizeof(err)),
                  0)
            << err;
        return d;
    }

    // Download two pictures, one after the other. Nothing of the first may show in the second.
    void Compare(int width, int height, int padding, int shift) {
        cudame_downloader* d = Create(width, height);
        ASSERT_TRUE(d);
        uint32_t seed = 1;
        for (const cudame_layout layout :
             {CUDAME_LAYOUT_NV12, CUDAME_LAYOUT_I420, CUDAME_LAYOUT_NV12}) {
            SCOPED_TRACE(::testing::Message() << width << "x" << height << " layout " << layout
                                              << " padding " << padding << " shift " << shift);
            DevicePicture picture(device_, layout, width, height, padding, shift, seed++);
            picture.Upload(device_->stream(Device::kCopy));
            ASSERT_EQ(cudame_download(d, &picture.picture, device_->stream(Device::kCopy)), 0)
                << cudame_downloader_last_error(d);
            cudame_picture host;
            ASSERT_EQ(cudame_download_wait(d, &host), 0) << cudame_downloader_last_error(d);
            picture.ExpectEqual(host);
        }
        cudame_downloader_destroy(d);
    }

    std::shared_ptr<Device> device_;
    CurrentContext current_;
};

TEST_F(CudaDownload, AllSizesAndAlignments) {
    for (int width : {1, 2, 3, 15, 17, 31, 32, 33, 64, 65, 352, 1000})
        for (int height : {1, 2, 3, 33})
            for (int padding : {0, 5, 16, 64}) Compare(width, height, padding, 0);
    for (int shift : {1, 2, 8, 16}) Compare(127, 9, 1, shift);
}

TEST_F(CudaDownload, LargePictures) {
    Compare(1366, 768, 170, 0);
    Compare(1918, 1078, 130, 0);
    Compare(16383, 17, 1, 0);
    Compare(17, 16383, 15, 0);
}

// The downloader waits for the picture's stream, also if that is the default one.
TEST_F(CudaDownload, WaitsForTheProducer) {
    const cudame::Driver& driver = device_->driver();
    const int width = 1920, height = 1080;
    cudame_downloader* d = Create(width, height);
    ASSERT_TRUE(d);
    DevicePicture picture(device_, CUDAME_LAYOUT_NV12, width, height, 0, 0, 5);
    for (int i = 0; i < 10; i++) {
        CUstream stream = i % 2 ? device_->stream(Device::kCopy) : nullptr;
        for (int k = 0; k < 20; k++)
            CUDAME_CHECK(driver,
                         cuMemsetD8Async(picture.memory->address(), static_cast<unsigned char>(k),
                                         picture.pixels.size(), stream));
        picture.Upload(stream);
        ASSERT_EQ(cudame_download(d, &picture.picture, stream), 0);
        cudame_picture host;
        ASSERT_EQ(cudame_download_wait(d, &host), 0);
        picture.ExpectEqual(host);
    }
    cudame_downloader_destroy(d);
}

// The search reads the pixels on the device and not those on the host. Borders are replicated as on
// the host, at any size.
TEST_F(CudaDownload, SourcesOnTheDeviceAreSearchedThere) {
    const int sizes[][2] = {{1, 1}, {17, 33}, {352, 288}, {1918, 1078}};
    for (const auto& size : sizes) {
        const int width = size[0], height = size[1];
        const naive::Image image = naive::MakeImage(naive::Content::kMoving, width, height, 1, 3);
        const PlaneBuffer reference(naive::MakeImage(naive::Content::kMoving, width, height, 0, 3),
                                    32, true);
        const PlaneBuffer source(image, 0, true);
        const PlaneBuffer other(naive::MakeImage(naive::Content::kRandom, width, height, 0, 9), 0,
                                true);
        const size_t stride = static_cast<size_t>(width) + 7;
        DeviceBuffer memory(device_, stride * static_cast<size_t>(height));
        std::vector<uint8_t> rows(stride * static_cast<size_t>(height));
        for (int y = 0; y < height; y++)
            for (int x = 0; x < width; x++)
                rows[static_cast<size_t>(y) * stride + x] = image.at(x, y);

        // The frame has whole macroblocks; only the device's plane has the picture's own size.
        cudame_config config = MakeConfig((width + 15) / 16 * 16, (height + 15) / 16 * 16,
                                          CUDAME_MODE_FULL, CUDAME_SEARCH_DIAMOND);
        Session cpu(config);
        config.backend = CUDAME_BACKEND_CUDA;
        config.cu_context = device_->context();
        config.cu_stream = device_->stream(Device::kCopy);
        config.device = 0;
        Session cuda(config);
        ASSERT_TRUE(cuda.ctx);
        cudame_plane plane = {
            memory.as<uint8_t>(), static_cast<ptrdiff_t>(stride), width, height, 0, 1, 0};
        CUDAME_CHECK(device_->driver(),
                     cuMemcpyHtoDAsync(memory.address(), rows.data(), rows.size(),
                                       device_->stream(Device::kCopy)));
        for (Session* s : {&cpu, &cuda}) {
            cudame_frame frame = {};
            frame.ref_id[CUDAME_REF_LAST] = 1;
            frame.source = s == &cpu ? source.plane() : other.plane();
            frame.device_source = &plane;
            ASSERT_EQ(s->Submit(1, reference), 0) << cudame_last_error(s->ctx);
            ASSERT_EQ(cudame_begin_frame(s->ctx, &frame), 0) << cudame_last_error(s->ctx);
        }
        EXPECT_TRUE(FieldsEqual(cuda.Field(CUDAME_REF_LAST), cpu.Field(CUDAME_REF_LAST), cpu.cols));
        for (Session* s : {&cpu, &cuda}) ASSERT_EQ(cudame_end_frame(s->ctx), 0);
        cudame_stats stats;
        cudame_get_stats(cuda.ctx, &stats);
        EXPECT_EQ(stats.source_bytes, 0u);
    }
}

TEST_F(CudaDownload, ContextAndDeviceMustAgree) {
    cudame_config config = MakeConfig(64, 64, CUDAME_MODE_FAST);
    config.backend = CUDAME_BACKEND_CUDA;
    config.cu_context = device_->context();
    config.device = 1000;
    cudame_context* ctx;
    char err[256];
    EXPECT_LT(cudame_create(&ctx, &config, err, sizeof(err)), 0);
    EXPECT_STRNE(err, "");
}

}  // namespace
