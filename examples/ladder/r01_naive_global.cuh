// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// r01, naive: one launch per halving, the upper half added to the lower in global memory.
// Limited by traffic and launches: each halving reads two values and writes one, 3n in all, and the last launches have
// next to nothing to do. It destroys its input.
// Source: Han and Sharma, "Learn CUDA Programming", 2019, chapter 3, there with a stride that doubles: in place that
// reads values that other threads of the launch are writing, out of place it never adds up what it has written.
#include "passes.cuh"

namespace ladder {

template <class T>
__global__ void r01_kernel(T* data, int n, int half) {
  const int i = thread_in_grid();
  if (i + half < n) add_to(data[i], data[i + half]);  // an odd n leaves the middle value as it is
}

template <class T>
rung<T> r01() {
  const auto run = [](const task<T>& t) {
    for (int left = t.n; left > 1;) {
      const int half = left - left / 2, blocks = divide_up(left / 2, usual_block);
      if (cudaError_t e = gpuprim::launch(r01_kernel<T>, blocks, usual_block, t.stream, t.in, left, half)) return e;
      left = half;
    }
    return cudaMemcpyAsync(t.out, t.in, sizeof(T), cudaMemcpyDeviceToDevice, t.stream);
  };
  return {.name = "r01 naive, global memory",
          .run = run,
          .look = look_at<r01_kernel<T>>,
          .destroys_input = true};
}

}  // namespace ladder
