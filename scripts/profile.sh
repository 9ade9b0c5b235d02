#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Reads the hardware counters of the ladder and of the course's programs about memory, divergence and latency with
# Nsight Compute (ncu), on this machine's GPU. Of each kernel and each form of a template its first launch counts, so only programs are
# here whose first launch is a large one; what a kernel is launched with, such as a shape of blocks, is an argument of
# the program. Results go to benchmarks/results/<gpu>-profile.json.
#   EXAMPLES   a folder with the programs built elsewhere (built here if not given)
#   RESULTS    where the results go instead
#   NCU        the profiler, where it is not in the PATH
. "$(dirname "$0")/common.sh"
have_gpu || { echo "scripts/profile.sh needs an NVIDIA GPU; nvidia-smi lists none." >&2; exit 1; }
use_examples profile
results=${RESULTS:-benchmarks/results/$(gpu_name)-profile.json}
mkdir -p "$(dirname "$results")"
export GPUPRIM_TEST_SMALL=1  # one sample of each kernel: the first launch counts
set --  # programs and their arguments, with -- between
while read -r name size; do
  set -- "$@" ${1:+--} "$EXAMPLES/example_course_$name" $size
done <<END
04_02_block_shape 8192 32 2
04_02_block_shape 8192 128 1
04_02_block_shape 8192 1 128
04_02_block_shape 8192 33 5
04_02_block_shape 8192 64 4
04_02_block_shape 8192 32 8
04_02_block_shape 8192 16 16
04_02_block_shape 8192 8 32
04_02_block_shape 8192 512 1
04_02_block_shape 8192 32 16
04_02_block_shape 8192 1024 1
04_02_block_shape 8192 32 32
04_02_block_shape 8192 16 64
04_03_offsets 33554432 0 0
04_03_offsets 33554432 1 0
04_03_offsets 33554432 0 1
04_03_offsets 33554432 1 1
04_03_offsets 33554432 8 8
04_04_stride_copy 33554432 1 1
04_04_stride_copy 33554432 2 1
04_04_stride_copy 33554432 1 2
04_04_stride_copy 33554432 8 1
04_04_stride_copy 33554432 1 8
04_04_stride_copy 33554432 16 1
04_04_stride_copy 33554432 1 16
04_06_partial_writes 8388608 8
04_06_partial_writes 8388608 4
04_06_partial_writes 8388608 2
04_06_partial_writes 8388608 1
05_02_divergence 33554432 1
05_02_divergence 33554432 100
05_05_volatile_barrier 16777216
06_06_little_arithmetic 1 128
06_06_little_arithmetic 1 512
06_06_little_arithmetic 1 1024
06_07_low_occupancy 268435456
06_10_achieved_occupancy
10_04_matrix_product 1024
10_05_gram 1024
END
scripts/profile.py --ncu "${NCU:-ncu}" --json "$results" "$@" -- "$EXAMPLES/ladder/ladder" --once 16777216
