// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/scan.cuh>

cudaError_t sums(const float* values, std::int64_t n, const int* offsets, std::int64_t segments, float* sums,
                 cudaStream_t stream, gpuprim::workspace& workspace) {
  return gpuprim::segmented_exclusive_scan(values, gpuprim::segment_offsets{offsets, n}, segments, sums,
                                           gpuprim::plus{}, {.stream = stream, .workspace = &workspace});
}
