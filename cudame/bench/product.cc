// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The library finds the driver's functions with dlsym(). This program is linked with --wrap=dlsym.
// It returns its own cuLaunchKernel() and cuMemcpy2DAsync(), which record an event before and after
// each call. So kernels and uploads are timed as the library starts them, whatever their names and
// parameters are. Each call first waits until the device is idle, because overlapping streams would
// count each other's time.

#include "bench/product.h"

#include <ffnvcodec/dynlink_cuda.h>

#include <algorithm>
#include <cstring>
#include <map>

namespace bench {
namespace {

struct Trace {
    struct Launch {
        CUfunction kernel;
        CUevent before, after;
    };
    bool on = false;
    std::vector<Launch> launches;
    std::map<CUfunction, std::string> names;

    tcuLaunchKernel* launch = nullptr;
    tcuMemcpy2DAsync_v2* copy = nullptr;
    tcuModuleGetFunction* get_function = nullptr;
    tcuEventCreate* create = nullptr;
    tcuEventRecord* record = nullptr;
    tcuEventSynchronize* synchronize = nullptr;
    tcuEventDestroy_v2* destroy = nullptr;
    CUresult(CUDAAPI* wait_for_device)() = nullptr;
    CUresult(CUDAAPI* elapsed)(float*, CUevent, CUevent) = nullptr;
};
Trace trace;

CUresult CUDAAPI TracedGetFunction(CUfunction* function, CUmodule module, const char* name) {
    const CUresult result = trace.get_function(function, module, name);
    if (result == CUDA_SUCCESS) trace.names[*function] = name;
    return result;
}

// A copy counts as a launch without a kernel.
template <class Call>
CUresult Traced(CUfunction kernel, CUstream stream, const Call& call) {
    if (!trace.on) return call();
    Trace::Launch l = {kernel, nullptr, nullptr};
    trace.create(&l.before, CU_EVENT_DEFAULT);
    trace.create(&l.after, CU_EVENT_DEFAULT);
    trace.wait_for_device();
    trace.record(l.before, stream);
    const CUresult result = call();
    trace.record(l.after, stream);
    trace.launches.push_back(l);
    return result;
}

CUresult CUDAAPI TracedLaunch(CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                              unsigned by, unsigned bz, unsigned shared, CUstream stream,
                              void** params, void** extra) {
    return Traced(f, stream, [&] {
        return trace.launch(f, gx, gy, gz, bx, by, bz, shared, stream, params, extra);
    });
}

CUresult CUDAAPI TracedCopy(const CUDA_MEMCPY2D* copy, CUstream stream) {
    return Traced(nullptr, stream, [&] { return trace.copy(copy, stream); });
}

std::vector<Stage> Collect() {
    std::vector<Stage> stages;
    for (const Trace::Launch& l : trace.launches) {
        float ms = 0;
        trace.synchronize(l.after);
        trace.elapsed(&ms, l.before, l.after);
        trace.destroy(l.before);
        trace.destroy(l.after);
        const std::string name = l.kernel ? trace.names[l.kernel] : "upload";
        auto stage = std::find_if(stages.begin(), stages.end(),
                                  [&](const Stage& s) { return s.kernel == name; });
        if (stage == stages.end()) stage = stages.insert(stage, {name, 0, 0});
        stage->ms += static_cast<double>(ms);
        stage->launches++;
    }
    trace.launches.clear();
    return stages;
}

template <class Fn>
void Resolve(void* (*real)(void*, const char*), void* lib, const char* name, Fn** fn) {
    *fn = reinterpret_cast<Fn*>(real(lib, name));
}

}  // namespace

Product::Product(const Frames& frames, cudame_mode mode, cudame_search search, int range,
                 cudame_backend backend, bool intra)
    : frames_(frames), intra_(intra), field_(static_cast<size_t>(frames.g.mbs())) {
    cudame_config config;
    cudame_config_default(&config);
    config.width = frames.g.width;
    config.height = frames.g.height;
    config.backend = backend;
    config.mode = mode;
    config.search = search;
    config.range = range;
    config.threads = 16;
    char err[256] = "";
    if (cudame_create(&ctx_, &config, err, sizeof(err)) < 0) {
        error_ = err;
        return;
    }
    cudame_plane plane = {};
    plane.data = frames.reference_image.pixels.data();
    plane.stride = plane.width = frames.g.width;
    plane.height = frames.g.height;
    if (cudame_submit_reference(ctx_, 1, &plane, 0, plane.height) < 0)
        error_ = cudame_last_error(ctx_);
}

Product::~Product() { cudame_destroy(ctx_); }

std::vector<Stage> Product::Frame() {
    cudame_frame frame = {};
    frame.source.data = frames_.source_image.pixels.data();
    frame.source.stride = frame.source.width = frames_.g.width;
    frame.source.height = frames_.g.height;
    frame.ref_id[CUDAME_REF_LAST] = 1;
    frame.mv_cost[0] = frame.mv_cost[1] = frames_.quarter_costs.data() + 1023;
    frame.sad_per_bit = frames_.sad_per_bit;
    static const std::vector<int> bmode_costs = naive::MakeBmodeCosts(1);
    if (intra_) frame.bmode_cost = bmode_costs.data();
    trace.on = true;
    int error = cudame_reset(ctx_);
    if (!error) error = cudame_begin_frame(ctx_, &frame);
    for (int row = 0; row < frames_.g.mb_rows && !error; row++) {
        const cudame_mb* rows[CUDAME_REFS];
        const cudame_split* splits[CUDAME_REFS];
        error = cudame_wait_row(ctx_, row, rows, splits);
        if (!error)
            naive::Join(rows[CUDAME_REF_LAST], splits[CUDAME_REF_LAST], frames_.g.mb_cols,
                        field_.data() + row * frames_.g.mb_cols);
    }
    if (!error) error = cudame_end_frame(ctx_);
    trace.on = false;
    if (error) error_ = cudame_last_error(ctx_);
    return Collect();
}

double Product::Frame(const char* kernel) {
    for (const Stage& s : Frame())
        if (s.kernel == kernel) return s.ms;
    return 0;
}

}  // namespace bench

extern "C" void* __real_dlsym(void* lib, const char* name);
extern "C" void* __wrap_dlsym(void* lib, const char* name) {
    using bench::trace;
    if (!strcmp(name, "cuLaunchKernel")) {
        bench::Resolve(__real_dlsym, lib, name, &trace.launch);
        bench::Resolve(__real_dlsym, lib, "cuEventCreate", &trace.create);
        bench::Resolve(__real_dlsym, lib, "cuEventRecord", &trace.record);
        bench::Resolve(__real_dlsym, lib, "cuEventSynchronize", &trace.synchronize);
        bench::Resolve(__real_dlsym, lib, "cuEventDestroy_v2", &trace.destroy);
        bench::Resolve(__real_dlsym, lib, "cuCtxSynchronize", &trace.wait_for_device);
        trace.elapsed =
            reinterpret_cast<decltype(trace.elapsed)>(__real_dlsym(lib, "cuEventElapsedTime"));
        if (trace.launch) return reinterpret_cast<void*>(&bench::TracedLaunch);
    }
    if (!strcmp(name, "cuMemcpy2DAsync_v2")) {
        bench::Resolve(__real_dlsym, lib, name, &trace.copy);
        if (trace.copy) return reinterpret_cast<void*>(&bench::TracedCopy);
    }
    if (!strcmp(name, "cuModuleGetFunction")) {
        bench::Resolve(__real_dlsym, lib, name, &trace.get_function);
        if (trace.get_function) return reinterpret_cast<void*>(&bench::TracedGetFunction);
    }
    return __real_dlsym(lib, name);
}
