// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::warp_reduce: the operator's const operator() must take two values of the type and return one
#include <gpuprim/reduce.cuh>

#include <cooperative_groups.h>

struct pick {
  __host__ __device__ int* operator()(int, int) const { return nullptr; }
};

namespace cg = cooperative_groups;

__global__ void kernel(int* out) {
  auto block = cg::this_thread_block();
#if defined(GPUPRIM_TEST_CONTROL)
  *out = gpuprim::warp_reduce(cg::tiled_partition<32>(block), 1, gpuprim::maximum{});
#else
  *out = gpuprim::warp_reduce(cg::tiled_partition<32>(block), 1, pick{});
#endif
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
