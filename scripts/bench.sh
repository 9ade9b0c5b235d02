#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Builds the benchmarks and runs each on this machine's GPU; results go to benchmarks/results/<gpu>-<name>.json, plots
# to docs/plots/. GPUPRIM_BENCH_CCCL: include folders of further CCCLs, separated by semicolons (docs/benchmarks.md).
# Arguments go to the programs: scripts/bench.sh --benchmark_filter='in_graph/plus/f32/' prints and keeps nothing.
. "$(dirname "$0")/common.sh"
have_nvcc || { echo "make bench needs nvcc; there is none on this machine." >&2; exit 1; }
have_gpu || { echo "make bench needs an NVIDIA GPU; nvidia-smi lists none." >&2; exit 1; }
scripts/bootstrap.sh bench

quiet build/bench-configure.log cmake --preset cuda -B build/bench -DCMAKE_BUILD_TYPE=Release \
  -DCMAKE_CUDA_ARCHITECTURES=native -DGPUPRIM_BUILD_TESTS=OFF -DGPUPRIM_BUILD_EXAMPLES=OFF \
  -DGPUPRIM_BUILD_BENCHMARKS=ON "-DGPUPRIM_BENCH_CCCL=${GPUPRIM_BENCH_CCCL:-}"
quiet build/bench-build.log cmake --build build/bench -j "$jobs"
gpu=$(gpu_name)
mkdir -p benchmarks/results
for program in build/bench/benchmarks/bench_*; do
  [ -f "$program" ] && [ -x "$program" ] || continue
  if [ $# -gt 0 ]; then
    "$program" "$@"
    continue
  fi
  name=$(basename "$program" | sed 's/^bench_//')
  results=benchmarks/results/$gpu-$name.json
  "$program" --benchmark_out="build/bench/$name.json" --benchmark_out_format=json >"build/bench/$name.log"
  scripts/bench_table.py --raw "build/bench/$name.json" "$results"
  scripts/bench_table.py --check "$results" || true
done
[ $# -eq 0 ] || exit 0
for library in gpuprim thrust; do build/bench/benchmarks/value_alone "$library"; done |
  tee "benchmarks/results/$gpu-value_alone.jsonl"
segmented=benchmarks/results/$gpu-segmented.json
build/bench/benchmarks/segmented "$segmented"
scripts/results_tables.py "$segmented"
histogram=benchmarks/results/$gpu-histogram.json
build/bench/benchmarks/histogram 268435456 9 "$histogram"
runs=benchmarks/results/$gpu-runs.json
build/bench/benchmarks/runs "$runs"
scripts/results_tables.py "$runs"
scan=benchmarks/results/$gpu-scan.json
build/bench/benchmarks/scan "$scan" 30
scripts/results_tables.py "$scan"
build/bench/benchmarks/select "benchmarks/results/$gpu-select.json"
for sorts in merge sort segmented_sort top_k; do
  build/bench/benchmarks/$sorts "benchmarks/results/$gpu-$sorts.json"
done
build/bench/benchmarks/transform "benchmarks/results/$gpu-transform.json"
build/bench/benchmarks/determinism "benchmarks/results/$gpu-determinism.json"
build/bench/benchmarks/cases "benchmarks/results/$gpu-cases.json"
build/bench/benchmarks/in_kernel "benchmarks/results/$gpu-in_kernel.json"
build/bench/benchmarks/grids >"benchmarks/results/$gpu-grids.txt"
build/bench/benchmarks/random 60 1 >"benchmarks/results/$gpu-random.txt"
family=benchmarks/results/$gpu-family.json
build/bench/benchmarks/family --benchmark_out=build/bench/family.json --benchmark_out_format=json >build/bench/family.log
scripts/bench_table.py --raw build/bench/family.json "$family" >build/bench/family-tables.log
scripts/results_tables.py "$family"
dot=benchmarks/results/$gpu-dot.json
build/bench/benchmarks/dot --benchmark_out=build/bench/dot.json --benchmark_out_format=json >build/bench/dot.log
scripts/bench_table.py --raw build/bench/dot.json "$dot" >build/bench/dot-tables.log
scripts/results_tables.py "$dot"
build/bench/benchmarks/accuracy >"benchmarks/results/$gpu-accuracy.csv"
draw
scripts/results_tables.py --write
