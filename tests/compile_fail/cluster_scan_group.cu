// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// error: gpuprim::cluster_scan: the first group must be a cluster
#include <gpuprim/launch/launch.cuh>
#include <gpuprim/scan.cuh>

#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void kernel(int* out) {
  const auto block = cg::this_thread_block();
#if defined(GPUPRIM_TEST_CONTROL)
  *out = gpuprim::cluster_inclusive_scan<64>(cg::this_cluster(), block, 1, gpuprim::plus{});
#else
  *out = gpuprim::cluster_inclusive_scan<64>(block, block, 1, gpuprim::plus{});
#endif
}

cudaError_t call(int* out) { return gpuprim::launch(kernel, 1, 64, nullptr, out); }
