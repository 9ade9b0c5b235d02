// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_flag_heads_and_tails: two values of each thread must fit in 48 KiB of shared memory
#include <gpuprim/exchange.cuh>
#include <gpuprim/launch/launch.cuh>

struct words {
#if defined(GPUPRIM_TEST_CONTROL)
  int of[8];
#else
  int of[32];
#endif
};
struct differ {
  __device__ bool operator()(const words& a, const words& b) const { return a.of[0] != b.of[0]; }
};

__global__ void kernel(int* out) {
  const words values[1] = {};
  int heads[1], tails[1];
  gpuprim::block_flag_heads_and_tails<256>(gpuprim::this_block{}, values, heads, tails, differ{});
  *out = heads[0] + tails[0];
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 256, nullptr, out); }
