// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_adjacent_difference: the operator's const operator() must take two values of the type
#include <gpuprim/exchange.cuh>
#include <gpuprim/launch/launch.cuh>

__global__ void kernel(int* out) {
  const int values[] = {1, 2};
  int results[2];
#if defined(GPUPRIM_TEST_CONTROL)
  const gpuprim::plus<> op;
#else
  const auto op = [](int) { return 1; };
#endif
  gpuprim::block_adjacent_difference<64>(gpuprim::this_block{}, values, results, op);
  *out = results[0];
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
