// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_run_length_decode: the runs of the block must fit in 48 KiB of shared memory
#include <gpuprim/exchange.cuh>
#include <gpuprim/launch/launch.cuh>

__global__ void kernel(int* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  const int values[] = {1}, lengths[] = {1};
#else
  const int values[] = {1, 2, 3, 4, 5, 6, 7, 8}, lengths[] = {1, 1, 1, 1, 1, 1, 1, 1};
#endif
  const auto take = [&](const gpuprim::decoded_items<int, int, 2>& items) { *out = items.count; };
  gpuprim::block_run_length_decode<1024, 2>(gpuprim::this_block{}, values, lengths, take);
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 1024, nullptr, out); }
