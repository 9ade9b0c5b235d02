#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Runs the examples that measure at sizes at which it means something, on this machine's GPU. Their output goes to
# benchmarks/results/<gpu>-examples.txt, the pictures drawn from it to docs/plots/.
# For all figures of the guide at once: scripts/guide_figures.sh.
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
21_08_nvml
01_02_order
01_07_partitioning
01_08_light_threads
02_01_both_sides
02_03_refused_launch
03_01_bank_stride
03_02_bank_broadcast
03_03_bank_width
03_04_transpose 8192
04_01_alignment
04_02_block_shape 8192
04_03_offsets 33554432
04_04_stride_copy 33554432
04_05_fetch_granularity
04_06_partial_writes
04_07_random_gather
05_01_simd
05_02_divergence 33554432
05_03_syncwarp
05_04_convergence
05_05_volatile_barrier
05_07_exchange
05_10_coalesced
06_01_units
06_03_memory_latency
06_04_latency
06_06_little_arithmetic
06_07_low_occupancy 268435456
06_08_launch_bounds 4194304
06_09_register_banks
06_10_achieved_occupancy
07_01_event_timer 134217728
07_02_wrong_timing 134217728
07_03_removed_code
07_04_event_mistakes
07_05_bandwidth 134217728
07_06_cross_stream 1048576
07_07_events_apart
10_01_local_memory
10_02_l2_window 256
10_04_matrix_product 1024
10_05_gram 1024
10_06_warp_tile
10_07_double_buffer
11_01_async_copy 32768
11_02_pipeline 65536
11_03_bulk_copy 16384
11_04_async_cycles
12_01_constant
12_02_constant_operand
12_03_lookup_tables
12_07_texture_cache
13_01_pinned 67108864
13_03_zero_copy
14_01_overlap
14_02_concurrent_kernels
14_03_work_queues
15_04_task_reload
15_05_unfinished_tasks
15_06_optional_step
15_07_two_paths
16_01_silent_double
16_02_intrinsics
16_04_right_function
16_05_roots
16_06_integer_division
16_07_loop_counters
17_05_arithmetic 65536
18_01_nested_hello
19_01_assess
19_02_scalability
19_03_transfer_pays
END
[ -n "${RESULTS:-}" ] || draw stride low_occupancy overlap roofline
