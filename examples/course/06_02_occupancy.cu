// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many blocks of a kernel fit on a multiprocessor, by hand, and what keeps out one more: the least of what its
// threads, its block slots, its registers and its shared memory allow (gpuprim::find_occupancy). Beside it, what the
// occupancy API says of a kernel (gpuprim::plan_launch), and the plan of a sum of so many floats.
//   06_02_occupancy [FLOATS]
// Source: the occupancy chapter of NVIDIA's "CUDA C++ Best Practices Guide", which has the worked example.
#include "../measure.hpp"

#include <gpuprim/reduce.cuh>

#include <cmath>

// [worked_example]
using limiter = gpuprim::occupancy_limiter;

bool worked_example(int block_size, int registers, int want_blocks, int want_percent, limiter want_limiter) {
  const gpuprim::multiprocessor_limits sm;  // of compute capability 7.0 and 9.0
  const gpuprim::occupancy found = gpuprim::find_occupancy(sm, block_size, registers, 0);
  const long percent = std::lround(100 * found.of_threads);
  std::printf("%d registers, block %d: %d blocks, %ld %%, limited by %s\n", registers, block_size, found.blocks,
              percent, name_of(found.limiter));
  return found.blocks == want_blocks && percent == want_percent && found.limiter == want_limiter;
}
// [worked_example]

/// Only its occupancy is asked for; it is not launched.
__global__ void reverse(int* data) {
  int* stage = gpuprim::dynamic_shared<int>();
  stage[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = stage[blockDim.x - 1 - threadIdx.x];
}

int main(int count, char** arguments) {
  bool right =
      worked_example(128, 37, 12, 75, limiter::registers) && worked_example(320, 37, 4, 63, limiter::registers);
  right &= worked_example(128, 32, 16, 100, limiter::threads) && worked_example(32, 16, 32, 50, limiter::block_slots);
  right &= worked_example(128, 33, 12, 75, limiter::registers);  // 33 registers cost as much as 40
  int multiprocessors = 0;
  gpuprim::multiprocessor_limits sm;
  measure::check(gpuprim::find_limits(sm, multiprocessors));
  for (int block_size : {32, 96, 128, 320, 500, 608, 1024}) {
    for (int shared_bytes : {4 * block_size, 12345, 40000}) {
      const gpuprim::launch_plan plan = gpuprim::plan_launch(reverse, {1, block_size, shared_bytes});
      const auto by_hand = gpuprim::find_occupancy(sm, block_size, plan.registers_per_thread, plan.shared_bytes);
      std::printf("block %d, %d B shared: %d blocks by hand (limited by %s), %d by the API\n", block_size, shared_bytes,
                  by_hand.blocks, name_of(by_hand.limiter), plan.blocks_per_multiprocessor);
      right &= by_hand.blocks == plan.blocks_per_multiprocessor;
    }
  }
  // [plan]
  const int n = measure::size_to_run(count, arguments, 1 << 20);
  const measure::device_array<float> in(static_cast<std::size_t>(n));
  const gpuprim::launch_plan plan = gpuprim::reduce_plan(in.data(), n, in.data(), gpuprim::plus{}, 0.0f);
  plan.print();
  // [plan]
  // A sum of middling size reserves shared memory, to have a multiprocessor to itself.
  right &= n != 1 << 20 || plan.limiter == limiter::shared_memory;
  std::printf("%s\n", right ? "equal" : "DIFFERENT");
  return right ? 0 : 1;
}
