#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds the benchmarks and runs each on this machine's GPU; results go to benchmarks/results/<gpu>-<name>.json.
. "$(dirname "$0")/common.sh"
have_nvcc || { echo "make bench needs nvcc; there is none on this machine." >&2; exit 1; }
have_gpu || { echo "make bench needs an NVIDIA GPU; nvidia-smi lists none." >&2; exit 1; }
scripts/bootstrap.sh bench

quiet build/bench-configure.log cmake --preset bench
quiet build/bench-build.log cmake --build build/bench -j "$jobs"
gpu=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1 | tr 'A-Z ' 'a-z_' | tr -cd 'a-z0-9_-')
mkdir -p benchmarks/results
for program in build/bench/benchmarks/bench_*; do
  [ -f "$program" ] && [ -x "$program" ] || continue
  name=$(basename "$program" | sed 's/^bench_//')
  "$program" --benchmark_out="build/bench/$name.json" --benchmark_out_format=json
  scripts/bench_table.py "build/bench/$name.json" "benchmarks/results/$gpu-$name.json"
done
build/bench/benchmarks/in_kernel "benchmarks/results/$gpu-in_kernel.json"
