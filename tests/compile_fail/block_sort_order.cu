// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_sort: the order's const operator() must take two keys and say whether the first is
#include <gpuprim/block/block_sort.cuh>
#include <gpuprim/launch/launch.cuh>

struct is_less {
  __host__ __device__ bool operator()(int a, int b) const { return a < b; }
};

__global__ void kernel(int* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  int keys[2] = {*out};
  gpuprim::block_sort<64>(gpuprim::this_block{}, keys, is_less{});
#else
  int* keys[2] = {out};
  gpuprim::block_sort<64>(gpuprim::this_block{}, keys, is_less{});
#endif
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
