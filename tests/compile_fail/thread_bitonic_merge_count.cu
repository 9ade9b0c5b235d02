// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::thread_bitonic_merge: the number of keys must be a power of two
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/thread/thread_sort.cuh>

struct is_less {
  __host__ __device__ bool operator()(int a, int b) const { return a < b; }
};

__global__ void kernel(int* out) {
#if defined(GPUPRIM_TEST_CONTROL)
  int keys[4] = {*out};
  gpuprim::thread_bitonic_merge(keys, is_less{});
#else
  int keys[3] = {*out};
  gpuprim::thread_bitonic_merge(keys, is_less{});
#endif
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
