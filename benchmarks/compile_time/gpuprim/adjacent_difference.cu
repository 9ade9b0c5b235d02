// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/transform.cuh>

cudaError_t differences(const float* values, std::int64_t n, float* results, cudaStream_t stream) {
  return gpuprim::adjacent_difference(values, n, results, gpuprim::minus{}, {.stream = stream});
}
