#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# The stream tests that use ME_BACKEND, on the CUDA backend, and the tests in tests/gpu.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
export ME_BACKEND=cuda STREAM_PREFIX=gpu-
exec "$here/run-stream.sh" "$here"/stream/{clips,cuda-frames,determinism,frames,two-gpus}.sh "$here"/gpu/*.sh
