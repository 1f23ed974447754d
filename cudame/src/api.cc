// Copyright (c) 2026 The vp8_cudame authors
// SPDX-License-Identifier: BSD-3-Clause

// The C interface of contexts.

#include "backends.h"
#include "common/error.h"
#include "context.h"

struct cudame_context {
    explicit cudame_context(const cudame_config& config) : impl(config) {}
    cudame::Context impl;
};

namespace {

// Like BarrierOfCall(), for an object that several threads call at once.
template <class Fn>
int Call(cudame_context* ctx, Fn fn) {
    if (!ctx) return CUDAME_ERROR_INVALID;
    char text[cudame::kErrorText];
    const int code = cudame::Barrier(text, sizeof(text), [&] { fn(ctx->impl); });
    if (code) ctx->impl.Report(text);
    return code;
}

}  // namespace

void cudame_config_default(cudame_config* config) {
    if (!config) return;
    *config = cudame_config();
    config->size = sizeof(*config);
    config->backend = CUDAME_BACKEND_CPU;
    config->mode = CUDAME_MODE_FULL;
    config->search = CUDAME_SEARCH_DEFAULT;
    config->threads = 1;
    config->device = -1;
}

int cudame_has_backend(enum cudame_backend backend) { return cudame::HasBackend(backend); }

enum cudame_backend cudame_backend_in_use(const cudame_context* ctx) {
    return ctx ? ctx->impl.backend_in_use() : CUDAME_BACKEND_CPU;
}

int cudame_device_in_use(const cudame_context* ctx) { return ctx ? ctx->impl.device_in_use() : -1; }

int cudame_fell_back(const cudame_context* ctx) { return ctx && ctx->impl.fell_back(); }

int cudame_list_devices(cudame_device* devices, int max, char* err, size_t err_size) {
    int count = 0;
    if (err && err_size) err[0] = 0;
    const int code = cudame::Barrier(err, err_size, [&] {
        if (max < 0 || (max && !devices)) cudame::Invalid("no room for devices given");
        count = cudame::ListDevices(devices, max);
    });
    return code ? code : count;
}

int cudame_create(cudame_context** ctx, const cudame_config* config, char* err, size_t err_size) {
    return cudame::BarrierOfCreate(ctx, err, err_size, [&] {
        if (!ctx || !config) cudame::Invalid("no context or config given");
        cudame::CheckConfig(*config);
        *ctx = new cudame_context(*config);
    });
}

void cudame_destroy(cudame_context* ctx) { delete ctx; }

int cudame_submit_reference(cudame_context* ctx, uint64_t id, const cudame_plane* plane,
                            int first_row, int rows) {
    return Call(ctx, [&](cudame::Context& c) { c.SubmitReference(id, plane, first_row, rows); });
}

int cudame_retire_reference(cudame_context* ctx, uint64_t id) {
    return Call(ctx, [&](cudame::Context& c) { c.RetireReference(id); });
}

int cudame_begin_frame(cudame_context* ctx, const cudame_frame* frame) {
    return Call(ctx, [&](cudame::Context& c) { c.BeginFrame(frame); });
}

int cudame_wait_row(cudame_context* ctx, int mb_row, const cudame_mb* rows[CUDAME_REFS],
                    const cudame_split* splits[CUDAME_REFS]) {
    return Call(ctx, [&](cudame::Context& c) { c.WaitRow(mb_row, rows, splits); });
}

int cudame_intra_row(cudame_context* ctx, int mb_row, const cudame_intra** row) {
    return Call(ctx, [&](cudame::Context& c) { c.IntraRow(mb_row, row); });
}

int cudame_complete_split(cudame_context* ctx, int mb_row, int mb_col, int slot) {
    return Call(ctx, [&](cudame::Context& c) { c.CompleteSplit(mb_row, mb_col, slot); });
}

int cudame_complete_intra(cudame_context* ctx, int mb_row, int mb_col, int parts) {
    return Call(ctx, [&](cudame::Context& c) { c.CompleteIntra(mb_row, mb_col, parts); });
}

int cudame_loop_filter_start(cudame_context* ctx, const cudame_loop_filter* filter) {
    return Call(ctx, [&](cudame::Context& c) { c.StartLoopFilter(filter); });
}

int cudame_loop_filter_errors(cudame_context* ctx, uint32_t* errors) {
    return Call(ctx, [&](cudame::Context& c) { c.LoopFilterErrors(errors); });
}

int cudame_code_frame(cudame_context* ctx, cudame_whole_frame* frame) {
    return Call(ctx, [&](cudame::Context& c) { c.CodeFrame(frame); });
}

int cudame_filter_frame(cudame_context* ctx, const cudame_frame_filter* filter) {
    return Call(ctx, [&](cudame::Context& c) { c.FilterFrame(filter); });
}

int cudame_end_frame(cudame_context* ctx) {
    return Call(ctx, [](cudame::Context& c) { c.EndFrame(); });
}

int cudame_reset(cudame_context* ctx) {
    return Call(ctx, [](cudame::Context& c) { c.Reset(); });
}

int cudame_expect_memory(cudame_context* ctx, const void* memory, size_t size) {
    return Call(ctx, [&](cudame::Context& c) { c.ExpectMemory(memory, size); });
}

int cudame_forget_memory(cudame_context* ctx) {
    return Call(ctx, [](cudame::Context& c) { c.ForgetMemory(); });
}

int cudame_resize(cudame_context* ctx, int width, int height) {
    return Call(ctx, [&](cudame::Context& c) { c.Resize(width, height); });
}

void cudame_get_stats(const cudame_context* ctx, cudame_stats* stats) {
    if (!stats) return;
    *stats = cudame_stats();
    if (ctx) ctx->impl.GetStats(stats);
}

const char* cudame_last_error(const cudame_context* ctx) {
    return ctx ? ctx->impl.last_error() : "no context";
}

const char* cudame_error_name(int code) {
    switch (code) {
        case 0:
            return "success";
        case CUDAME_ERROR_INVALID:
            return "invalid argument or call order";
        case CUDAME_ERROR_MEMORY:
            return "out of memory";
        case CUDAME_ERROR_UNAVAILABLE:
            return "not available";
        case CUDAME_ERROR_DEVICE:
            return "device error";
        case CUDAME_ERROR_DEVICE_MEM:
            return "out of device memory";
        default:
            return "unknown error";
    }
}
