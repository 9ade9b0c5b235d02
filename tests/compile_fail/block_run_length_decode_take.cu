// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_run_length_decode: the last argument must be a function that takes decoded_items
#include <gpuprim/exchange.cuh>
#include <gpuprim/launch/launch.cuh>

__global__ void kernel(int* out) {
  const int values[] = {1}, lengths[] = {1};
#if defined(GPUPRIM_TEST_CONTROL)
  const auto take = [&](const gpuprim::decoded_items<int, int, 2>& items) { *out = items.count; };
#else
  const auto take = [&](const int& item) { *out = item; };
#endif
  gpuprim::block_run_length_decode<64, 2>(gpuprim::this_block{}, values, lengths, take);
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
