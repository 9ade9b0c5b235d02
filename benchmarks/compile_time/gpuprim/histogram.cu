// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/histogram.cuh>

cudaError_t count(const float* in, std::int64_t n, int* counts, int bins, cudaStream_t stream,
                  gpuprim::workspace& workspace) {
  return gpuprim::histogram(in, n, counts, gpuprim::even_bins{bins, 0.0f, 1.0f},
                            {.stream = stream, .workspace = &workspace});
}
