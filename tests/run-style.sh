#!/usr/bin/env bash
# Copyright (c) 2026 The vp8_cudame authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Searches our shell scripts for constructs that they must not contain. Before that, tests the
# checks themselves on samples.
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
result() { # NAME FAULTS: "ok NAME" if there are no faults
    if [ -z "$2" ]; then echo "ok $1"; else echo "not ok $1"; sed 's/^/#   /' <<<"$2"; fi
}

# Pipelines that can fail by SIGPIPE. Every line of the samples is a script of its own.
missed=
while IFS= read -r line; do
    printf '%s\n' "$line" >"$scratch/sample"
    if tests/style/pipes "$scratch/sample" >/dev/null; then missed+="accepted: $line"$'\n'; fi
done <tests/style/pipes.refused
while IFS= read -r line; do
    printf '%s\n' "$line" >"$scratch/sample"
    if ! tests/style/pipes "$scratch/sample" >/dev/null; then missed+="refused: $line"$'\n'; fi
done <tests/style/pipes.allowed
reader=head # not written behind a bar here: this script is checked, too
printf '%s\n' 'make list |' '    sort \' "    | $reader -n 1" >"$scratch/sample"
if tests/style/pipes "$scratch/sample" >/dev/null; then missed+="accepted: a pipeline of several lines"$'\n'; fi
result pipes-samples "${missed%$'\n'}"

mapfile -t scripts < <(grep -rlIE '^#!.*(ba)?sh$|^# shellcheck shell=' .ci configure cudame tests tools | sort)
if [ ${#scripts[@]} -lt 50 ]; then
    echo "not ok pipes (only ${#scripts[@]} scripts were found)"
else
    result pipes "$(tests/style/pipes "${scripts[@]}" || true)"
fi
