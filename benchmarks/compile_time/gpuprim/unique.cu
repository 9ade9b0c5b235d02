// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/select.cuh>

cudaError_t heads(const float* values, std::int64_t n, float* out, std::int64_t* count, cudaStream_t stream,
                  gpuprim::workspace& workspace) {
  return gpuprim::unique(values, n, out, count, {.stream = stream, .workspace = &workspace});
}
