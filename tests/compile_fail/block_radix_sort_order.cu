// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_radix_sort: the order must be gpuprim::ascending or gpuprim::descending
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/sort.cuh>

struct is_greater {
  GPUPRIM_HOST_DEVICE bool operator()(int a, int b) const { return a > b; }
};

__global__ void kernel(int* out) {
  int keys[] = {out[threadIdx.x]};
#if defined(GPUPRIM_TEST_CONTROL)
  gpuprim::block_radix_sort<64>(gpuprim::this_block{}, keys, gpuprim::descending);
#else
  gpuprim::block_radix_sort<64>(gpuprim::this_block{}, keys, is_greater{});
#endif
  out[threadIdx.x] = keys[0];
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
