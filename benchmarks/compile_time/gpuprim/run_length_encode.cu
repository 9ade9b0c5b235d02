// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/reduce_by_key.cuh>

cudaError_t encode(const int* in, std::int64_t n, int* unique, std::int64_t* lengths, std::int64_t* runs,
                   cudaStream_t stream, gpuprim::workspace& workspace) {
  return gpuprim::run_length_encode(in, n, unique, lengths, runs, {.stream = stream, .workspace = &workspace});
}
