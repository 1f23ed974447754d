// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The streams of one user of a device. Streams do not wait for the default stream.

#ifndef CUDAME_CUDA_STREAMS_H_
#define CUDAME_CUDA_STREAMS_H_

#include <algorithm>
#include <chrono>
#include <memory>
#include <vector>

#include "cuda/device.h"
#include "cuda/nap.h"

namespace cudame {

// Front streams have a higher priority, if the driver knows priorities.
enum StreamName { kCopy, kCopy2, kBack, kBack2, kBack3, kFront, kFront2, kStreamNames };

class Streams {
  public:
    // Creates the streams named; a name may come twice. With the context current.
    Streams(DevicePtr device, const std::vector<StreamName>& names);
    ~Streams();
    Streams(const Streams&) = delete;
    Streams& operator=(const Streams&) = delete;

    const DevicePtr& device() const { return device_; }
    CUstream operator[](StreamName name) const { return streams_[name]; }
    // Waits for all streams, with the context current.
    void Synchronize() const;
    // The same with any context; ignores errors.
    void SynchronizeQuietly() const;
    // Whether the work of a stream has ended. Throws if it has failed. With the context current.
    bool HasEnded(CUstream stream) const;
    // Looks at memory, not at the driver, in which the threads of many encoders would wait for each
    // other: calls done() until it returns true or until `latest`. Returns its last result. Asks
    // the driver for errors of the stream once a millisecond; done(true) is called if the stream
    // has ended, else done(false). Sleeps between the calls, for `nap` at first and later for a
    // quarter of the time that it has waited, up to a millisecond: on a device with many frames a
    // wait may take 100 naps, each of which costs 5 us of the CPU.
    template <class Done>
    bool Await(CUstream stream, std::chrono::microseconds nap,
               std::chrono::steady_clock::time_point latest, Done done) const {
        constexpr auto kCheck = std::chrono::milliseconds(1);
        // The time is from before the look: this thread may lose its core in between.
        const auto begin = std::chrono::steady_clock::now();
        auto now = begin, check = now + kCheck;
        const ExactNaps naps;
        for (; !done(false); now = std::chrono::steady_clock::now()) {
            if (now >= check) {
                if (HasEnded(stream) && done(true)) return true;
                check = now + kCheck;
            }
            if (now >= latest) return false;
            const std::chrono::steady_clock::duration quarter = (now - begin) / 4, most = kCheck;
            naps.Sleep(std::min({std::max<decltype(most)>(nap, quarter), most, latest - now}));
        }
        return true;
    }

  private:
    void Destroy();

    DevicePtr device_;
    CUstream streams_[kStreamNames] = {};
};

using StreamsPtr = std::shared_ptr<const Streams>;

}  // namespace cudame

#endif  // CUDAME_CUDA_STREAMS_H_
