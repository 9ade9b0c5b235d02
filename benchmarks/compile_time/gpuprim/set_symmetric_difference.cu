// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gpuprim/merge.cuh>

cudaError_t call(const unsigned* a, long long a_count, const unsigned* b, long long b_count, unsigned* out,
                 long long* count, cudaStream_t stream, gpuprim::workspace& workspace) {
  return gpuprim::set_symmetric_difference(a, a_count, b, b_count, out, count,
                                           {.stream = stream, .workspace = &workspace});
}
