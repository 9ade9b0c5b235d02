// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/segmented_reduce.cuh>

cudaError_t least(const float* in, const int* offsets, std::int64_t segments, float* out, int* places,
                  cudaStream_t stream, gpuprim::workspace& workspace) {
  return gpuprim::segmented_min_element(in, offsets, segments, out, places,
                                        {.stream = stream, .workspace = &workspace});
}
