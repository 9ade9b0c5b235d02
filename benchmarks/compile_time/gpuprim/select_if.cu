// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/select.cuh>

struct is_positive {
  __host__ __device__ bool operator()(float x) const { return x > 0; }
};

cudaError_t positives(const float* values, std::int64_t n, float* out, std::int64_t* count, cudaStream_t stream,
                      gpuprim::workspace& workspace) {
  return gpuprim::select_if(values, n, out, count, is_positive{}, {.stream = stream, .workspace = &workspace});
}
