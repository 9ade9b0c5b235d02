// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/scan.cuh>

cudaError_t sums(const float* values, std::int64_t n, float* sums, cudaStream_t stream, gpuprim::workspace& workspace) {
  return gpuprim::exclusive_scan(values, n, sums, gpuprim::plus{}, {.stream = stream, .workspace = &workspace});
}
