// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/reduce_by_key.cuh>

cudaError_t find(const int* in, std::int64_t n, std::int64_t* offsets, std::int64_t* lengths, std::int64_t* runs,
                 cudaStream_t stream, gpuprim::workspace& workspace) {
  return gpuprim::non_trivial_runs(in, n, offsets, lengths, runs, {.stream = stream, .workspace = &workspace});
}
