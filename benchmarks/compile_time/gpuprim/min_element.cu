// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/extrema.cuh>

cudaError_t least(const float* in, std::int64_t n, gpuprim::extremum<float>* out, cudaStream_t stream,
                  gpuprim::workspace& workspace) {
  return gpuprim::min_element(in, n, out, {.stream = stream, .workspace = &workspace});
}
