# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause

# Paths relative to this folder.
CUDAME_SRCS = \
    common/error.cc \
    common/first_pass.cc \
    common/loop_filter.cc \
    common/mv_cost.cc \
    common/plane.cc \
    cpu/block_transform.cc \
    cpu/cpu_backend.cc \
    cpu/dispatch.cc \
    cpu/first_pass.cc \
    cpu/frame_coder.cc \
    cpu/integer_search.cc \
    cpu/intra_estimate.cc \
    cpu/kernels_ref.cc \
    cpu/lean_backend.cc \
    cpu/lean_refine.cc \
    cpu/lean_search.cc \
    cpu/loop_filter_errors.cc \
    cpu/padded_plane.cc \
    cpu/partition_writer.cc \
    cpu/row_scheduler.cc \
    cpu/subpel.cc \
    cpu/subpel_tex.cc \
    src/api.cc \
    src/backend_starter.cc \
    src/backends.cc \
    src/context.cc \
    src/download_api.cc \
    src/first_pass_api.cc \
    src/frame_store.cc \
    src/rescue.cc \
    src/whole_frame.cc

CUDAME_CUDA_SRCS = \
    cuda/cuda_backend.cc \
    cuda/denoiser.cc \
    cuda/device.cc \
    cuda/device_load.cc \
    cuda/device_memory.cc \
    cuda/device_memory_taken.cc \
    cuda/download_device.cc \
    cuda/driver.cc \
    cuda/first_pass.cc \
    cuda/frame_coder.cc \
    cuda/integer_search.cc \
    cuda/intra_estimate.cc \
    cuda/kernel_module.cc \
    cuda/lean_search.cc \
    cuda/loop_filter_errors.cc \
    cuda/partition_writer.cc \
    cuda/row_progress.cc \
    cuda/source_upload.cc \
    cuda/streams.cc \
    cuda/subpel.cc \
    cuda/upload.cc

# Compiled once for each instruction set by Highway's foreach_target.h.
CUDAME_HWY_SRCS = \
    cpu/kernels_half.cc \
    cpu/kernels_intra.cc \
    cpu/kernels_lean_cost.cc \
    cpu/kernels_lean_sad.cc \
    cpu/kernels_lean_satd.cc \
    cpu/kernels_metric.cc \
    cpu/kernels_predict.cc \
    cpu/kernels_sad.cc \
    cpu/kernels_shrink.cc

CUDAME_TEST_SRCS = \
    tests/api_test.cc \
    tests/download_test.cc \
    tests/field_test.cc \
    tests/first_pass_test.cc \
    tests/intra_test.cc \
    tests/kernels_test.cc \
    tests/lean_kernels_test.cc \
    tests/lean_pending_test.cc \
    tests/lean_test.cc \
    tests/loop_filter_test.cc \
    tests/naive.cc \
    tests/naive_intra.cc \
    tests/naive_lean.cc \
    tests/pieces_test.cc \
    tests/plane_test.cc \
    tests/row_scheduler_test.cc \
    tests/mode_writer_test.cc \
    tests/token_writer_test.cc \
    tests/vectors_test.cc \
    tests/coder_tokens_test.cc \
    tests/whole_frame_device_test.cc \
    tests/whole_frame_test.cc

# Compared with the CPU backend; need a device.
CUDAME_CUDA_TEST_SRCS = \
    tests/cuda_download_test.cc \
    tests/cuda_test.cc \
    tests/cuda_token_writer_test.cc \
    tests/late_test.cc \
    tests/many_frames.cc \
    tests/start_test.cc

# On a driver that fails when it is told to.
CUDAME_FALLBACK_TEST_SRCS = \
    tests/device_load_test.cc \
    tests/download_fallback_test.cc \
    tests/fallback_test.cc \
    tests/late_test.cc \
    tests/module_test.cc \
    tests/naive.cc \
    tests/naive_intra.cc \
    tests/start_test.cc

CUDAME_BENCH_SRCS = \
    bench/bench.cc \
    tests/naive.cc \
    tests/naive_intra.cc

# Need the CUDA backend.
CUDAME_CUDA_BENCH_SRCS = \
    bench/bench_diamond.cc \
    bench/bench_full.cc \
    bench/bench_rates.cc \
    bench/bench_tex.cc \
    bench/bench_transfer.cc \
    bench/download_bench.cc \
    bench/first_pass_bench.cc \
    bench/loop_filter_bench.cc \
    bench/frames.cc \
    bench/gpu.cc \
    bench/product.cc
