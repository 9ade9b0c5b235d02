#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the examples that measure at sizes at which it means something, on this machine's GPU. Their output goes to
# benchmarks/results/<gpu>-examples.txt, the pictures drawn from it to docs/plots/.
#   EXAMPLES   a folder with the programs built elsewhere (built here if not given)
#   RESULTS    where the output goes instead; then nothing is drawn
. "$(dirname "$0")/common.sh"
have_gpu || { echo "scripts/curves.sh needs an NVIDIA GPU; nvidia-smi lists none." >&2; exit 1; }
use_examples curves
results=${RESULTS:-benchmarks/results/$(gpu_name)-examples.txt}
mkdir -p "$(dirname "$results")"
: >"$results"
while read -r name size; do
  echo "== $name $size" | tee -a "$results"
  "$EXAMPLES/example_course_$name" $size >>"$results"
done <<END
nvml
02_order
07_partitioning
08_bank_stride
09_bank_broadcast
10_bank_width
14_block_shape 8192
15_divergence 33554432
16_launch_bounds 4194304
17_low_occupancy 268435456
18_achieved_occupancy
19_memory_latency
20_offsets 33554432
21_stride_copy 33554432
22_fetch_granularity
23_partial_writes
24_random_gather
25_matrix_product 1024
26_gram 1024
27_transpose 8192
28_l2_window 256
33_task_reload
40_pinned 67108864
41_zero_copy
42_overlap
47_transfer_pays
49_local_memory
50_event_timer 134217728
51_wrong_timing 134217728
52_bandwidth 134217728
53_cross_stream 1048576
54_async_copy 32768
55_pipeline 65536
56_bulk_copy 16384
57_async_cycles
58_event_mistakes
59_events_apart
61_syncwarp
62_coalesced
64_exchange
65_double_buffer
66_warp_tile
68_unfinished_tasks
69_optional_step
70_nested_hello
72_both_sides
73_constant
74_lookup_tables
79_texture_cache
80_intrinsics
81_right_function
82_roots
83_silent_double
84_integer_division
85_loop_counters
86_two_paths
87_latency
89_arithmetic 65536
90_concurrent_kernels
91_scalability
92_little_arithmetic
alignment
assess
constant_operand
convergence
light_threads
refused_launch
register_banks
removed_code
simd
units
volatile_barrier
work_queues
END
[ -n "${RESULTS:-}" ] || draw stride low_occupancy overlap
