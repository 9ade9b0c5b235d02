// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::cluster_exclusive_scan: the operator has no identity for this type; pass an initial value
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/scan.cuh>

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

struct later {  // without an identity
  __host__ __device__ int operator()(int, int b) const { return b; }
};

__global__ void kernel(int* out) {
  const auto block = cg::this_thread_block();
#if defined(GPUPRIM_TEST_CONTROL)
  *out = gpuprim::cluster_exclusive_scan<64>(cg::this_cluster(), block, 1, later{}, 0);
#else
  *out = gpuprim::cluster_exclusive_scan<64>(cg::this_cluster(), block, 1, later{});
#endif
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
