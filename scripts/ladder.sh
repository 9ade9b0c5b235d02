#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds examples/ladder for the GPU of this machine, verifies and times its rungs and prints the table; results go to
# benchmarks/results/<gpu>-ladder.json, its picture to docs/plots/. Arguments go to the program, and then nothing is kept:
# scripts/ladder.sh --n 1000000. Without a GPU the host SIMT device verifies the rungs.
. "$(dirname "$0")/common.sh"
scripts/bootstrap.sh demo

if have_gpu && have_nvcc; then
  quiet build/ladder-configure.log cmake --preset cuda -B build/ladder -DGPUPRIM_BUILD_TESTS=OFF \
    -DCMAKE_CUDA_ARCHITECTURES=native
else
  quiet build/ladder-configure.log cmake --preset simt -B build/ladder -DGPUPRIM_BUILD_TESTS=OFF
fi
quiet build/ladder-build.log cmake --build build/ladder -j "$jobs" --target ladder
program=build/ladder/examples/ladder/ladder
if [ $# -gt 0 ] || ! { have_gpu && have_nvcc; }; then
  exec "$program" "$@"
fi
results=benchmarks/results/$(gpu_name)-ladder.json
mkdir -p benchmarks/results
"$program" --json "$results"
draw ladder
