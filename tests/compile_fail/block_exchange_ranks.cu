// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_exchange: the ranks of a scatter must be integers
#include <gpuprim/exchange.cuh>
#include <gpuprim/launch/launch.cuh>

__global__ void kernel(int* out) {
  int values[] = {1};
#if defined(GPUPRIM_TEST_CONTROL)
  const short ranks[] = {short(threadIdx.x)};
#else
  const float ranks[] = {float(threadIdx.x)};
#endif
  gpuprim::block_scatter_to_blocked<64>(gpuprim::this_block{}, values, ranks);
  *out = values[0];
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
