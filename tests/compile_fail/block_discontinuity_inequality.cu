// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_discontinuity: the inequality's const operator() must take two values and return a bool
#include <gpuprim/exchange.cuh>
#include <gpuprim/launch/launch.cuh>

__global__ void kernel(int* out) {
  const int values[] = {1, 2};
  int flags[2];
#if defined(GPUPRIM_TEST_CONTROL)
  const auto differ = [](int a, int b) { return a != b; };
#else
  const auto differ = [](int, int) {};
#endif
  gpuprim::block_flag_heads<64>(gpuprim::this_block{}, values, flags, differ);
  *out = flags[0];
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
