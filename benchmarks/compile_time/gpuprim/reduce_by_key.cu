// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/reduce_by_key.cuh>

cudaError_t sums(const int* keys, const float* values, std::int64_t n, int* unique, float* sums, std::int64_t* runs,
                 cudaStream_t stream, gpuprim::workspace& workspace) {
  return gpuprim::reduce_by_key(keys, values, n, unique, sums, runs, gpuprim::plus{},
                                {.stream = stream, .workspace = &workspace});
}
