// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::block_scan: what a prefix_callback returns must convert to the type of the values
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/scan.cuh>

template <class Result>
struct find_prefix {
  __device__ Result operator()(int) const { return {}; }
};

__global__ void kernel(int* out) {
  const gpuprim::this_block block;
#if defined(GPUPRIM_TEST_CONTROL)
  using result = int;
#else
  using result = int*;
#endif
  *out = gpuprim::block_exclusive_scan<64>(block, 1, gpuprim::plus{}, gpuprim::prefix_callback{find_prefix<result>{}});
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
